mod unlike;

use super::*;
use crate::testing::{driving, history, settings};
use snapshot_base::random::Stream;
use snapshot_lane::Lane;
use snapshot_lane::client::ClientRecording;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::view::{View, distance_m};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;
use snapshot_view::Pose;
use std::sync::Arc;

/// A pair of files from a lane of our own, with what is known of it.
struct Pair {
    server_text: String,
    server: Track,
    client: Track,
    /// Delay in ms at each time in s of the client.
    delays: Vec<(f64, f64)>,
    /// Time in s of the first still frame, and number of still frames.
    freezes: Vec<(f64, u64)>,
    p95_mm: f64,
}

fn track(file: &PoseFile) -> Track {
    Track::read(file.text().as_bytes(), None).unwrap()
}

fn play(tape: &Tape, link: &str) -> Pair {
    let rate = tape.tick_rate();
    let (mut server, mut client) = (PoseFile::default(), PoseFile::default());
    let mut truth = Vec::new();
    tape.read_truth(0, &mut truth);
    let by_slot = |slot: usize, _: &Pose| slot.to_string();
    server.add(0.0, truth.iter().map(Pose::from), by_slot);
    let lane = settings(link).lane().at(rate);
    let mut lane = Lane::without_world(
        &lane,
        &tape.session_config(),
        &truth,
        &LinkInputs::default(),
    );
    let (mut delays, mut freezes) = (Vec::new(), Vec::<(f64, u64)>::new());
    let (mut still, mut still_tick) = (0, 0);
    let mut frames = tape.frames_after(0);
    for tick in 1..=tape.last_tick() {
        lane.tick(&frames.next().unwrap());
        tape.read_truth(tick, &mut truth);
        let at_s = rate.seconds_of_ticks(tick);
        server.add(at_s, truth.iter().map(Pose::from), by_slot);
        let Some(playback) = lane.playback().filter(|it| it.play_tick >= 0.0) else {
            continue;
        };
        client.add(at_s, lane.view().poses(), by_slot);
        delays.push((at_s, rate.ms_of_tick(tick as f64 - playback.play_tick)));
        let now = lane.metrics().hitches.still;
        if now > still {
            match freezes.last_mut().filter(|_| still_tick + 1 == tick) {
                Some(freeze) => freeze.1 += 1,
                None => freezes.push((at_s, 1)),
            }
            still_tick = tick;
        }
        still = now;
    }
    freezes.retain(|freeze| freeze.1 > 1);
    Pair {
        server_text: server.text().to_owned(),
        server: track(&server),
        client: track(&client),
        delays,
        freezes,
        p95_mm: lane.metrics().position_error_mm.p95(),
    }
}

/// The history of a lane that shows a client's recording over its server's motion.
fn shown(motion: &Motion, recording: &ClientRecording) -> LaneHistory {
    let bytes = recording.to_bytes();
    let read = ClientRecording::of_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    for length in [0, 7, 20, 24, bytes.len() / 2, bytes.len() - 1] {
        assert!(ClientRecording::of_bytes(&bytes[..length]).is_none());
    }
    let tape = Tape::of_motion(motion, motion.ticks());
    let mut history = LaneHistory::of_client(&tape, &Settings::default().lane(), &Arc::new(read));
    while history.advance(&tape) {}
    history
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_client_s_recording_is_a_lane_that_shows_what_its_own_lane_showed() {
    let motion = driving(12, 12, 6.0);
    let tape = Tape::of_motion(&motion, motion.ticks());
    for link in [
        "#v=1&hz=20&interp=hermite&delay=120&loss=5&latency=40&jitter=5&seed=3",
        "#v=1&hz=60&interp=linear&delay=100&loss=20&latency=20&jitter=30",
    ] {
        let own = history(&tape, &settings(link));
        let pair = play(&tape, link);
        let judged = judge(&pair.server, &pair.client, 33.0).unwrap();
        let server = Motion::read(pair.server_text.as_bytes()).unwrap();
        let client = shown(&server, &judged.recording(&server, 7));
        let mut views = [View::of_tape(&tape), View::of_tape(&tape)];
        for (own_live, live) in own.lives().zip(client.lives()).skip(60) {
            let tick = live.tick;
            assert!(
                own.show(tick, &tape, &mut views[0]) && client.show(tick, &tape, &mut views[1])
            );
            for (own, client) in views[0].poses().zip(views[1].poses()) {
                let apart_m = distance_m(own.position, client.position);
                assert!(apart_m < 1e-4, "{apart_m} m at {tick}");
            }
            let ages = [own_live, live].map(|live| live.behind_ms.unwrap());
            assert!(
                (ages[0] - ages[1]).abs() < 18.0,
                "{ages:?} at {tick} of {link}"
            );
        }
        let [own, client] = [own, client].map(|history| history.report(0));
        let p95 = [&own, &client].map(|report| report.position_error_mm.p95);
        assert!(
            (p95[0] - p95[1]).abs() < 2.0 + 0.05 * p95[0],
            "{p95:?} of {link}"
        );
        let still = [&own, &client].map(|report| report.still_ms);
        assert!(
            (still[0] - still[1]).abs() < 0.1 * still[0] + 200.0,
            "{still:?} of {link}"
        );
        assert_eq!(client.packets_sent, 0);
    }
}

/// Twenty random links, or as many as `JUDGED` says: `JUDGED=200 cargo test -p snapshot-analysis pairs_from` takes a minute.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn pairs_from_our_own_lanes_are_judged_as_they_are_known() {
    let runs = std::env::var("JUDGED").map_or(20, |runs| runs.parse().unwrap());
    let mut stream = Stream::new(50, 0);
    let tapes = [
        (12, 12, 6.0),
        (20, 15, 3.0),
        (5, 5, 15.0),
        (8, 8, 4.0),
        (24, 10, 8.0),
    ];
    let tapes = tapes.map(|(objects, moving, speed)| {
        let motion = driving(objects, moving, speed);
        Tape::of_motion(&motion, motion.ticks())
    });
    let mut found = 0;
    for run in 0..runs {
        let tape = &tapes[run % tapes.len()];
        let hz = [10, 15, 20, 30, 60][stream.integer(0, 4) as usize];
        let interp = ["none", "linear", "slerp", "hermite"][stream.integer(0, 3) as usize];
        let [loss, jitter, latency, beyond] =
            [15, 60, 150, 250].map(|most| stream.integer(0, most));
        let drift = stream.integer(0, 2000) as i32 - 1000;
        let seed = stream.integer(1, 1000);
        // With less than a send interval hardly a frame is in time, and the pictures do not tell what was meant.
        let delay = 1000 / hz + beyond;
        // The clock of version 1 keeps its delay; that of version 2 follows the fastest packets.
        let version = 1 + run % 2;
        let link = format!(
            "#v={version}&hz={hz}&interp={interp}&loss={loss}&jitter={jitter}&latency={latency}&delay={delay}&drift={drift}&seed={seed}"
        );
        let pair = play(tape, &link);
        let tick_ms = tape.tick_rate().ms_of_tick(1.0);
        let judged = judge(&pair.server, &pair.client, 2.0 * tick_ms)
            .unwrap()
            .judgement;
        let is_off = |found: &&DelayAt| {
            let off = |it: &&(f64, f64)| (it.0 - found.at_s).abs();
            let known = pair.delays.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
            (found.delay_ms - known.unwrap().1).abs() > tick_ms + 0.5
        };
        let off: Vec<_> = judged.delays.iter().filter(is_off).collect();
        assert!(off.len() < version, "{link}: {off:?}");
        let place = |at_s: f64, ticks: f64| [(at_s * 60.0).round() as i64, ticks.round() as i64];
        let freezes = judged.freezes.iter();
        let freezes: Vec<_> = freezes.map(|it| place(it.at_s, it.ms / tick_ms)).collect();
        let known = pair.freezes.iter();
        let known: Vec<_> = known.map(|it| place(it.0, it.1 as f64)).collect();
        // A frame that plays a quarter of a tick, while the clock moves, is still or not by a hair.
        let ticks = version as i64 - 1;
        let apart = |(a, b): (&[i64; 2], &[i64; 2])| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        let same = freezes.iter().zip(&known).all(|it| apart(it) <= ticks);
        assert!(
            freezes.len() == known.len() && same,
            "{link}: {freezes:?} {known:?}"
        );
        found += judged.freezes.len();
        // A snapshot that stays as it is shows no instant between two, so its delay is known to a tick alone.
        let is_known = version == 1 && interp != "none";
        let off = (judged.error_mm.p95 - pair.p95_mm).abs();
        let is_near = off < (0.05 * pair.p95_mm).max(1.5);
        let p95_mm = judged.error_mm.p95;
        assert!(!is_known || is_near, "{link}: {p95_mm} of {}", pair.p95_mm);
    }
    assert!(found > 12 * runs, "{found} freezes");
}

/// A server at 60 Hz and a client at 144, whose clock is 1,000 s ahead: the picture is 120 ms old.
#[test]
fn jumps_and_objects_that_come_or_go_at_the_wrong_time_are_listed() {
    let row = |object: &str, event: &str, at_s: f64, drawn_s: f64, off_m: f64| {
        let x = 3.0 * libm::sin(drawn_s) + 2.0 * libm::sin(2.7 * drawn_s) + off_m;
        format!("{at_s:.6},{object},{event},{x:.6},0,1,0,0,0,1\n")
    };
    let head = "time_s,id,event,x,y,z,qx,qy,qz,qw\n";
    let (mut server, mut client) = (head.to_owned(), head.to_owned());
    let is_in = |at_s: f64, of: std::ops::Range<f64>| of.contains(&at_s);
    for tick in 0..600 {
        let at_s = f64::from(tick) / 60.0;
        server += &row("car", "", at_s, at_s, 0.0);
        let event = |from_s: f64, to_s: f64| match at_s {
            at_s if (at_s - from_s).abs() < 0.001 => "spawn",
            at_s if (at_s - to_s).abs() < 0.001 => "end",
            _ => "",
        };
        for (object, from_s, to_s) in [("bullet", 3.0, 5.0), ("mine", 2.0, 4.0)] {
            if is_in(at_s, from_s - 0.001..to_s + 0.001) {
                server += &row(object, event(from_s, to_s), at_s, at_s, 0.0);
            }
        }
    }
    let (mut bullet, mut ended) = (false, false);
    for frame in 0..1300 {
        let shown_s = 0.5 + f64::from(frame) / 144.0;
        let at_s = shown_s + 1000.12;
        let off_m = if is_in(shown_s, 6.0..6.2) { 0.8 } else { 0.0 };
        client += &row("car", "", at_s, shown_s, off_m);
        client += &row("ghost", "", at_s, 0.0, 0.0);
        if is_in(shown_s, 3.4..5.7) {
            client += &row(
                "bullet",
                if bullet { "" } else { "spawn" },
                at_s,
                shown_s,
                0.0,
            );
            bullet = true;
        } else if bullet && !ended {
            client += &row("bullet", "end", at_s, shown_s, 0.0);
            ended = true;
        }
    }
    let motion = Motion::read(server.as_bytes()).unwrap();
    let [server, client] = [server, client].map(|text| Track::read(text.as_bytes(), None).unwrap());
    let judged = judge(&server, &client, 50.0).unwrap();
    let history = shown(&motion, &judged.recording(&motion, 7));
    let judged = judged.judgement;
    // Clocks that are no one clock: the picture has no age. The car is 0.8 m off for a while, and the bullet comes late.
    for live in history.lives().skip(40).take(500) {
        let off_mm = if is_in(live.time_s, 6.02..6.18) {
            800.0
        } else {
            0.0
        };
        let age_ms = live.behind_ms.unwrap();
        assert!(
            age_ms.abs() < 17.0 && !live.still,
            "{age_ms} at {}",
            live.time_s
        );
        let is_near = (live.position_error_mm.max - off_mm).abs() < 60.0;
        assert!(is_near || is_in(live.time_s, 5.98..6.22), "{live:?}");
    }
    let tape = Tape::of_motion(&motion, motion.ticks());
    let mut view = View::of_tape(&tape);
    let there = |tick: u64| {
        assert!(history.show(tick, &tape, &mut view));
        view.life
            .iter()
            .skip(1)
            .filter(|life| !life.is_empty())
            .count()
    };
    // The client never drew the other object.
    let there: usize = (0..motion.ticks()).map(there).sum();
    assert!((137..=139).contains(&there), "{there}");
    assert!(
        (judged.delay_ms - 1_000_120.0).abs() < 1.0,
        "{}",
        judged.delay_ms
    );
    assert!(judged.delay_spread_ms < 1.0 && judged.freezes.is_empty() && judged.still_ms == 0.0);
    let near = |off: &[OffTime], at_s: f64, ms: f64| {
        let [it] = off else { panic!("{off:?}") };
        it.object == "bullet" && (it.at_s - at_s).abs() < 0.01 && (it.ms - ms).abs() < 10.0
    };
    assert!(near(&judged.presence.came_late, 1003.12, 400.0));
    assert!(near(&judged.presence.stayed, 1005.12, 700.0));
    assert_eq!(
        (
            &judged.presence.never_came[..],
            &judged.presence.unknown[..]
        ),
        (&["mine".to_owned()][..], &["ghost".to_owned()][..])
    );
    let jumps: Vec<f64> = judged.jumps.iter().map(|it| it.at_s - 1000.12).collect();
    assert!(
        jumps.len() == 2 && (jumps[0] - 6.0).abs() < 0.01 && (jumps[1] - 6.2).abs() < 0.01,
        "{jumps:?}"
    );
    assert!(
        judged
            .jumps
            .iter()
            .all(|it| it.object == "car" && (it.m - 0.8).abs() < 0.05)
    );
    assert_eq!(judged.corrections, 2);
    assert!(
        judged.error_mm.mean < 30.0 && judged.error_mm.p95 < 2.0 && judged.error_mm.worst > 790.0
    );
    // Names that differ, and files without motion in common.
    let renamed = |names: [&str; 2]| {
        let text = names
            .map(|name| row(name, "", 0.0, 0.0, 0.0) + &row(name, "", 1.0, 0.0, 0.0))
            .concat();
        Track::read((head.to_owned() + &text).as_bytes(), None).unwrap()
    };
    let message = judge(&server, &renamed(["1", "2"]), 50.0).err().unwrap();
    let message = message.to_string();
    assert!(
        message.contains("car, mine, bullet, the client's 1, 2"),
        "{message}"
    );
    let [one, other] = [renamed(["1", "2"]), renamed(["1", "2"])];
    let error = judge(&one, &other, 50.0).err().unwrap().to_string();
    assert!(error.starts_with("nothing moves alike"), "{error}");
}

/// Returns the place of an object at a time, on a path that never repeats within a minute.
fn place(object: u32, at_s: f64) -> [f64; 2] {
    let of = f64::from(object);
    let x = 4.0 * libm::sin(0.9 * at_s + of) + 2.0 * libm::sin(2.3 * at_s * (1.0 + 0.1 * of));
    [x + 0.3 * at_s, 3.0 * libm::cos(1.1 * at_s + 2.0 * of)]
}

/// A file of six objects for each time, with the instant that each object shows.
fn six_objects(frames: impl Iterator<Item = (f64, [f64; 6])>) -> Track {
    let mut text = "t,object,x,y,z\n".to_owned();
    for (at_s, instants_s) in frames {
        for (object, instant_s) in (0..).zip(instants_s) {
            let [x, y] = place(object, instant_s);
            text += &format!("{at_s:.5},{object},{x:.6},{y:.6},1\n");
        }
    }
    Track::read(text.as_bytes(), None).unwrap()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn objects_with_different_delays_are_groups() {
    let times = (0..600).map(|tick| f64::from(tick) / 60.0);
    let server = six_objects(times.clone().map(|at_s| (at_s, [at_s; 6])));
    let drawn = times.filter(|at_s| *at_s > 1.0).map(|at_s| {
        // The client predicts its own object, and shows the others as they were.
        let mut instants_s = [at_s - 0.12; 6];
        instants_s[2] = at_s + 0.08;
        (at_s, instants_s)
    });
    let client = six_objects(drawn.filter(|(at_s, _)| *at_s < 9.8));
    let judged = judge(&server, &client, 50.0).unwrap().judgement;
    assert!(
        (judged.delay_ms - 120.0).abs() < 0.5 && judged.is_age,
        "{judged:?}"
    );
    assert!(judged.error_mm.p95 < 1.0, "{:?}", judged.error_mm);
    let [most, own] = &judged.groups[..] else {
        panic!("{:?}", judged.groups)
    };
    assert_eq!(
        (most.objects.len(), &own.objects[..]),
        (5, &["2".to_owned()][..])
    );
    assert!(
        (own.delay_ms + 80.0).abs() < 1.0 && own.error_mm.p95 < 1.0,
        "{own:?}"
    );
    let words = JudgementWords::new(&judged);
    assert!(
        words
            .lists
            .iter()
            .any(|(name, _)| name.starts_with("objects with a delay"))
    );
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_clock_that_stood_is_found_from_the_poses() {
    let server = six_objects(
        (0..1500)
            .map(|tick| f64::from(tick) / 60.0)
            .map(|at_s| (at_s, [at_s; 6])),
    );
    // The client's clock is 480 s ahead, and stands for six seconds in the middle.
    let drawn = (60..1490).map(|tick| f64::from(tick) / 60.0);
    let frames = drawn
        .filter(|at_s| !(12.0..18.0).contains(at_s))
        .map(|at_s| {
            let stood_s = if at_s < 15.0 { 0.0 } else { 6.0 };
            (at_s + 480.1 - stood_s, [at_s; 6])
        });
    let judged = judge(&server, &six_objects(frames), 50.0)
        .unwrap()
        .judgement;
    assert!(
        !judged.is_age && judged.error_mm.p95 < 1.0,
        "{:?}",
        judged.error_mm
    );
    let [before, after] = &judged.parts[..] else {
        panic!("{:?}", judged.parts)
    };
    assert!((before.delay_ms - 480_100.0).abs() < 1.0 && (after.delay_ms - 474_100.0).abs() < 1.0);
    let [step] = &judged.clock_steps[..] else {
        panic!("{:?}", judged.clock_steps)
    };
    assert!(
        (step.ms + 6_000.0).abs() < 1.0 && (step.at_s - 492.1).abs() < 0.05,
        "{step:?}"
    );
    let words = JudgementWords::new(&judged);
    let [.., (_, delay)] = &words.figures[..3] else {
        panic!("{words:?}")
    };
    assert!(delay.starts_with("unknown: the clocks differ"), "{delay}");
    assert_eq!(words.main[0].1, "unknown");
    assert!(words.sentence.contains("the clocks differ"), "{words:?}");
}

#[test]
fn the_search_for_the_delay_of_a_third_of_a_second_ends() {
    let rows = |late_s: f64| -> Track {
        let row = |row: u32| {
            let (tick, object) = (row / 2, row % 2);
            let at_s = f64::from(tick) / 60.0 + late_s;
            let x = f64::from(tick) * 0.1 + f64::from(object);
            format!("{at_s:.4},{object},{x:.1},{},1\n", tick * object % 7)
        };
        let text = "t,object,x,y,z\n".to_owned() + &(0..40).map(row).collect::<String>();
        Track::read(text.as_bytes(), None).unwrap()
    };
    let (server, client) = (rows(0.0), rows(0.1));
    // All frames are alike at many delays: a search that goes on while nothing is worse has no end.
    let judged = judge(&server, &client, 50.0).unwrap();
    assert!((judged.judgement.delay_ms - 100.0).abs() < 20.0);
}
