//! A game over a tape: what holds while nothing is lost, and what a loss changes.

use super::ends::GameEnds;
use crate::Lane;
use crate::measure::metrics::HandMetrics;
use crate::played::{self, lane_over};
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

fn settings(link: &str) -> Settings {
    played::settings(&format!("#strategy=game&{link}"))
}

fn game(lane: &Lane) -> &GameEnds {
    lane.game().expect("the strategy is a game")
}

/// Plays a link for some ticks, and looks at the lane after each.
fn play(link: &str, ticks: u64, mut look: impl FnMut(u64, &Lane, &Tape)) -> Lane {
    let settings = settings(link);
    let tape = Tape::record(&settings, ticks);
    lane_over(&tape, &settings, |tick, lane| look(tick, lane, &tape))
}

fn hand(lane: &Lane) -> &HandMetrics {
    game(lane).metrics()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn while_every_key_comes_in_time_nothing_is_corrected_at_any_latency() {
    for (predict, latency, rest) in [
        ("all", 0, "scene=katamari&grid=12"),
        ("all", 50, "scene=mixed&grid=12&codec=changed-flags"),
        ("all", 250, "scene=katamari&grid=12"),
        (
            "all",
            50,
            "scene=blow&grid=12&hz=60&class=chained&codec=predicted",
        ),
    ] {
        let link = format!("predict={predict}&latency={latency}&loss=0&jitter=0&{rest}");
        let lane = play(&link, 900, |tick, lane, tape| {
            // Not even a bit differs from the tape, where the server's world gets to later.
            let shown = lane.view().poses();
            for (shown, truth) in shown.zip(tape_truth(tape, tick)) {
                assert_eq!(shown.position, truth.position, "{link} at {tick}");
            }
        });
        let hand = hand(&lane);
        let prediction = hand.prediction;
        let counts = [prediction.corrections, prediction.below_resolution];
        assert_eq!((counts, hand.keys.missing), ([0, 0], 0), "{link}");
        // The server's world is the tape's.
        assert!(game(&lane).server_states().is_none(), "{link}");
        let metrics = lane.metrics();
        assert_eq!((metrics.mismatches, metrics.refused), (0, 0), "{link}");
        assert_eq!(metrics.position_error_mm.max(), 0.0, "{link}");
    }
}

fn tape_truth(tape: &Tape, tick: u64) -> Vec<snapshot_codec::CubeState> {
    let mut truth = Vec::new();
    assert!(tape.read_truth(tick, &mut truth));
    truth
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_hand_that_waits_waits_for_the_sum_of_its_ways_and_one_that_predicts_for_a_tick() {
    let tick_ms = 1000.0 / 60.0;
    for latency in [0, 50, 100, 250] {
        let link =
            format!("predict=wait&latency={latency}&loss=0&jitter=0&delay=120&scene=roll&grid=8");
        let lane = play(&link, 600, |_, _, _| {});
        let (hand, latency) = (hand(&lane), f64::from(latency));
        let server_ms = hand.server_ms.mean().unwrap();
        // A key waits at the server for the margin, and for the tick itself. The margin is the newest one, the time a mean.
        let waited_ms = server_ms - latency - hand.margin_ms.unwrap();
        assert!(
            (-0.5 * tick_ms..2.0 * tick_ms).contains(&waited_ms),
            "{link}: {waited_ms}"
        );
        let red = lane.view().poses().map(|pose| pose.interacting);
        // The own cube alone is red.
        assert!(red.eq((0..65).map(|index| index == 0)));
        let sum_ms = server_ms + latency + 120.0 + tick_ms;
        let own_ms = hand.own_ms.mean().unwrap();
        let missed_ms = (own_ms - sum_ms).abs();
        assert!(missed_ms < tick_ms, "{link}: {own_ms} for {sum_ms}");
        for predict in ["own", "touch", "all"] {
            let lane = play(&link.replace("wait", predict), 120, |_, _, _| {});
            let own_ms = self::hand(&lane).own_ms.newest();
            assert_eq!(own_ms, Some(tick_ms), "{link} {predict}");
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn repeated_keys_come_and_single_ones_are_missing_and_corrected() {
    let link = "predict=all&scene=katamari&grid=10&latency=50&loss=10&jitter=0";
    let repeated = play(link, 900, |_, _, _| {});
    let keys = hand(&repeated).keys;
    assert_eq!((keys.missing, keys.late), (0, 0));
    assert!((50..140).contains(&keys.repeated), "{keys:?}");
    for missing in ["repeat", "release"] {
        let link = format!("{link}&repeats=1&missing={missing}");
        let lane = play(&link, 900, |_, _, _| {});
        let single = hand(&lane);
        let keys = single.keys;
        assert!((40..160).contains(&keys.missing), "{keys:?}");
        // The link loses, and delays none.
        assert_eq!((keys.late, keys.repeated), (0, 0));
        assert!(single.causes[0] > 0, "{missing}: {:?}", single.causes);
        assert!(single.correction_mm.max() > 5.0);
        // The server's world is no longer the tape's, and the screen is held against the server's.
        let states = game(&lane).server_states().expect("keys were missing");
        assert!(states.ticks().count() > 500);
        assert_eq!((lane.metrics().mismatches, lane.metrics().refused), (0, 0));
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn keys_that_start_too_late_are_late_and_not_lost() {
    let link =
        "predict=all&scene=mixed&grid=8&latency=50&loss=0&jitter=0&lead=10&stall=10&stallms=1000";
    let keys = hand(&play(link, 900, |_, _, _| {})).keys;
    assert!(keys.late > 20 && keys.late == keys.missing, "{keys:?}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_cut_of_three_seconds_ends_and_the_screen_meets_the_server_again() {
    let settings = settings("predict=all&scene=roll&grid=8&latency=50&loss=2");
    let mut tape = Tape::record(&settings, 950);
    tape.cut(200..380);
    let lane = lane_over(&tape, &settings, |_, _| {});
    let hand = hand(&lane);
    assert!((100..260).contains(&hand.keys.missing), "{:?}", hand.keys);
    let errors = lane.metrics().now;
    assert!(errors.position_max_mm < 20.0, "{errors:?}");
    assert!(hand.forks_bytes < 40_000_000);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_correction_in_the_middle_of_another_begins_at_its_own_tick() {
    let link = "predict=touch&scene=mixed&rival=script&hz=60&latency=20&jitter=0&loss=0";
    let mut last = 0;
    let lane = play(link, 600, |tick, _, _| last = tick);
    assert!(last >= 599 && hand(&lane).prediction.corrections > 0);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn the_same_settings_give_the_same_bytes_and_pictures() {
    let run = || {
        let link =
            "predict=touch&scene=mixed&grid=10&rival=script&latency=80&jitter=30&loss=5&repeats=2";
        let lane = play(link, 600, |_, _, _| {});
        (lane.view().hash(), lane.metrics().packets_hash.finish())
    };
    assert_eq!(run(), run());
}

/// Games of any kind: `SEEDS=200 cargo test -p snapshot-lane any_game`.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn any_game_decodes_what_was_sent_and_meets_its_server_again() {
    let seeds = std::env::var("SEEDS").map_or(6, |seeds| seeds.parse().expect("a number of seeds"));
    for seed in 1..=seeds {
        let mut random = snapshot_base::random::Stream::new(seed, 49);
        let parts = [
            "predict=wait predict=own predict=touch predict=all",
            "scene=mixed scene=katamari scene=blow scene=roll",
            "rival=none rival=script",
            "latency=0 latency=30 latency=120 latency=250",
            "loss=0 loss=3 loss=20",
            "jitter=0 jitter=25",
            "repeats=1 repeats=4 repeats=16",
            "missing=repeat missing=release",
            "lead=auto lead=10 lead=150",
            "hz=10 hz=20 hz=60",
            "codec=predicted codec=changed-flags codec=arithmetic&class=chained",
            "correct=snap correct=glide",
            "delay=auto delay=adaptive delay=none",
        ];
        let mut one_of = |values: &'static str| {
            let values: Vec<_> = values.split(' ').collect();
            values[random.integer(0, values.len() as u32 - 1) as usize]
        };
        let link = parts.map(&mut one_of).join("&");
        let link = format!("{link}&grid=6&seed={seed}");
        let mut played = None;
        let memory = allocation_counter::measure(|| played = Some(play(&link, 900, |_, _, _| ())));
        let lane = played.expect("it was played");
        let metrics = lane.metrics();
        assert_eq!((metrics.mismatches, metrics.refused), (0, 0), "{link}");
        // The tape's too.
        let most_bytes = memory.bytes_max;
        println!("{link}: {most_bytes} bytes");
        assert!(most_bytes < 40_000_000, "{link}: {most_bytes} bytes");
        // Nothing that is shown is lost: a world of 37 cubes is some metres wide.
        let now = metrics.now;
        assert!(now.position_max_mm < 30_000.0, "{link}: {now:?}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_correction_simulates_what_is_near_and_never_much_in_a_frame() {
    let link = "predict=touch&scene=katamari&grid=14&rival=script&latency=50&loss=1";
    let (mut most_now, mut most_cubes, mut most_ahead) = (0, 0, 0);
    let lane = play(link, 900, |tick, lane, _| {
        let hand = hand(lane);
        if hand.prediction.corrections > 0 {
            most_now = most_now.max(hand.simulated_now);
            most_cubes = most_cubes.max(hand.simulated_cubes);
            most_ahead = most_ahead.max(tick - hand.server_tick.unwrap());
        }
        // The first correction's own frame shows all cubes still.
        if hand.prediction.corrections > 1 {
            assert!(hand.simulated_cubes < 140, "{}", hand.simulated_cubes);
        }
        assert!(hand.predicted_cubes <= hand.simulated_cubes);
    });
    let hand = hand(&lane);
    assert!(hand.prediction.corrections > 200, "{:?}", hand.prediction);
    // A snapshot is as old as the client is ahead of the server, and one way more.
    let ticks = most_ahead + 5;
    assert!(most_now <= ticks.div_ceil(2) + 2, "{most_now} {ticks}");
    assert_eq!(hand.prediction.most_forks, 0);
    assert!(hand.forks_bytes < 1_000_000, "{}", hand.forks_bytes);
    let metrics = lane.metrics();
    assert_eq!((metrics.mismatches, metrics.refused), (0, 0));
    assert!(metrics.position_error_mm.mean() < 150.0);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn what_is_near_needs_no_correction_without_a_surprise() {
    for scene in ["mixed", "katamari", "blow"] {
        let link = format!("predict=touch&scene={scene}&grid=12&latency=50&loss=0&jitter=0");
        let lane = play(&link, 900, |_, _, _| {});
        let prediction = hand(&lane).prediction;
        let counts = (prediction.corrections, prediction.resimulated_ticks);
        assert_eq!(counts, (0, 0), "{link}");
    }
}

/// Errors of what is shown, and simulated ticks and cubes, while a ball has 150 cubes:
/// `LINK="predict=all&..." cargo test --release -p snapshot-lane prediction_errors -- --ignored --nocapture`
#[test]
#[ignore = "prints a table"]
fn prediction_errors() {
    let link = std::env::var("LINK").unwrap_or_else(|_| "predict=touch&rival=script".to_owned());
    let link = format!("scene=katamari&latency=50&loss=1&{link}");
    let settings = settings(&link);
    let mut tape = Tape::new(&settings);
    let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
    let (mut steps, mut cubes) = (Vec::new(), Vec::new());
    let mut errors_mm: [Vec<f64>; 2] = Default::default();
    let mut gathered = 0;
    while steps.len() < 1200 && tape.last_tick() < 7200 {
        let tick = tape.last_tick();
        tape.go_on(1);
        let mut frames = tape.frames_after(tick);
        lane.tick(&frames.next().unwrap());
        if tick.is_multiple_of(10) {
            gathered = lane.metrics().now.interacting_cubes;
        }
        if gathered < 150 {
            continue;
        }
        steps.push(hand(&lane).simulated_now as f64);
        cubes.push(hand(&lane).simulated_cubes as f64);
        // No key is missing, so the server's world will be the tape's.
        assert!(game(&lane).server_states().is_none());
        let shown = lane.view().poses().zip(tape.newest());
        for (pose, truth) in shown.filter(|(_, truth)| truth.interacting) {
            let apart = crate::view::distance_m(pose.position, truth.position);
            let ways = if pose.interacting { 2 } else { 1 };
            errors_mm[..ways]
                .iter_mut()
                .for_each(|them| them.push(1000.0 * f64::from(apart)));
        }
    }
    println!("{link}");
    let [shown_mm, predicted_mm] = errors_mm;
    for (name, mut values) in [
        ("simulated ticks", steps),
        ("simulated cubes", cubes),
        ("error shown, mm", shown_mm),
        ("error predicted, mm", predicted_mm),
    ] {
        values.sort_by(f64::total_cmp);
        let at = |percent: usize| values[(values.len() - 1) * percent / 100];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        println!(
            "{name}: mean {mean:.1}, p50 {:.1}, p95 {:.1}, p99 {:.1}, most {:.1}",
            at(50),
            at(95),
            at(99),
            at(100)
        );
    }
}
