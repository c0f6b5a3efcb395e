//! State synchronisation as a whole: the effect of the switches, and the figures.

use crate::settings;
use snapshot_app::Lab;
use snapshot_lane::Lane;
use snapshot_lane::measure::report::Report;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;

fn run(link: &str, seconds: u32) -> Report {
    let mut lab = Lab::new(settings(link));
    for _ in 0..seconds * 60 {
        lab.tick(Input::NONE);
    }
    let report = lab.report();
    assert_eq!((report.decode_mismatches, report.packets.refused), (0, 0));
    report
}

fn sync(report: &Report) -> &snapshot_lane::measure::report::SyncReport {
    report.sync.as_ref().expect("a link of that strategy")
}

#[test]
fn without_loss_and_both_sides_quantised_the_right_world_is_the_left_one() {
    let report = run("#strategy=sync&loss=0&scene=katamari&grid=20", 12);
    assert_eq!(sync(&report).divergence_mm.max, 0.0);
    assert_eq!(sync(&report).cubes_at_rest_apart, 0);
    assert_eq!((sync(&report).pops, report.position_error_mm.max), (0, 0.0));

    let one_side = run("#strategy=sync&loss=0&scene=katamari&grid=20&both=0", 12);
    assert!(sync(&one_side).divergence_mm.max > 1.0);
}

#[test]
fn at_10_per_cent_loss_nothing_pops_under_adaptive_smoothing() {
    for both in [0, 1] {
        let report = run(&format!("#strategy=sync&loss=10&both={both}"), 20);
        assert_eq!(sync(&report).pops, 0);
    }
    // The same play corrected at once does pop, and more where velocities are not sent.
    let pops = |velocities: u32| {
        let link = format!("#strategy=sync&loss=10&both=0&smooth=off&velocities={velocities}");
        sync(&run(&link, 20)).pops
    };
    let [without, with] = [0, 1].map(pops);
    assert!(with > 5 && without > 2 * with, "{without} {with}");
}

/// A scene with a cut from 10 s to 12 s, up to 5 s after its end.
fn cut(link: &str) -> Report {
    let settings = settings(link);
    let tape = Tape::record(&settings, 17 * 60);
    let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
    let mut frames = tape.frames_after(0);
    while let Some(frame) = frames.next() {
        lane.set_cut((10 * 60..12 * 60).contains(&frame.tick));
        lane.tick(&frame);
    }
    let report = Report::new(&lane.figures(), 0);
    println!("{link}: {:?}", sync(&report));
    report
}

/// Holds that each world is exact after a cut though never still, and that the view glides.
#[test]
fn after_a_cut_everything_at_rest_is_soon_exact_in_every_scene() {
    for scene in ["roll", "blow", "katamari", "mixed"] {
        for rest in [0, 1] {
            let report = cut(&format!("#strategy=sync&rest={rest}&scene={scene}"));
            let healed = sync(&report);
            assert!(healed.divergence_mm.max > 1000.0, "the cut does harm");
            // It takes 0.8 s.
            assert!(healed.at_rest_apart_max_ms < 2000.0, "{scene}: {healed:?}");
            assert!(healed.glide_max_percent <= 15.01, "{scene}: {healed:?}");
        }
    }
}

/// The switch does not come for nothing: cubes that have come to rest keep others waiting. By the mean over 30 s of the
/// greatest divergence at rest, not by the last tick alone, which one seed's luck decides.
#[test]
fn where_rest_counts_more_a_small_budget_leaves_others_waiting() {
    let apart_mm = |rest: u32, seed: u32| {
        let link = format!("#strategy=sync&scene=blow&both=0&budget=64&rest={rest}&seed={seed}");
        let mut lab = Lab::new(settings(&link));
        let sum_mm: f64 = (0..1800)
            .map(|_| {
                lab.tick(Input::NONE);
                let live = lab.live().sync.as_ref();
                live.expect("a link of that strategy")
                    .divergence_at_rest_max_mm
            })
            .sum();
        sum_mm / 1800.0
    };
    for seed in 1..=2 {
        // 131 and 293 mm with it, 49 and 53 mm without.
        let (with_mm, without_mm) = (apart_mm(1, seed), apart_mm(0, seed));
        assert!(with_mm > 1.5 * without_mm, "{with_mm} {without_mm}");
    }
}

#[test]
fn the_budget_is_held_over_every_second() {
    for (budget_kbps, hz) in [(64, 60), (256, 60), (256, 20), (48, 7)] {
        let link = format!("#strategy=sync&scene=katamari&grid=12&budget={budget_kbps}&hz={hz}");
        let settings = settings(&link);
        let tape = Tape::record(&settings, 600);
        let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
        let (mut sent_bits, mut largest_bits) = (vec![0.0], 0.0_f64);
        let mut frames = tape.frames_after(0);
        while let Some(frame) = frames.next() {
            lane.tick(&frame);
            let costs = &lane.metrics().costs;
            let bits = costs.bits_per_packet() * costs.packets() as f64;
            largest_bits = largest_bits.max(bits - sent_bits[sent_bits.len() - 1]);
            sent_bits.push(bits);
        }
        let most = sent_bits
            .windows(61)
            .map(|second| second[60] - second[0])
            .fold(0.0, f64::max);
        let budget_bits = f64::from(budget_kbps) * 1000.0;
        assert!(most <= budget_bits + largest_bits, "{link}: {most}");
        assert!(most >= 0.8 * budget_bits, "{link}: uses only {most}");
    }
}

#[test]
fn compression_puts_half_as_many_updates_again_into_the_same_budget() {
    let plain = settings("#strategy=sync&scene=katamari");
    let tape = Tape::record(&plain, 1800);
    let updates = |link: &str| {
        let mut lane = Lane::new(&settings(link).lane(), &tape.world_at(0));
        let mut frames = tape.frames_after(0);
        while let Some(frame) = frames.next() {
            lane.tick(&frame);
        }
        let report = Report::new(&lane.figures(), 0);
        assert_eq!((report.decode_mismatches, report.packets.refused), (0, 0));
        sync(&report).updates_per_packet_mean
    };
    let plain = updates("#strategy=sync&scene=katamari");
    let compressed = updates("#strategy=sync&scene=katamari&rel=1&delta=1&rest=1");
    println!("{plain} -> {compressed} updates a packet");
    assert!(compressed >= 1.5 * plain, "{plain} -> {compressed}");
}

#[test]
fn without_accumulation_grey_cubes_starve() {
    let mut lab = Lab::new(settings("#strategy=sync&loss=0&scene=katamari"));
    (0..20 * 60).for_each(|_| lab.tick(Input::NONE));
    let red_cubes = f64::from(lab.live().interacting_cubes);
    let fair = lab.live().sync.clone().expect("a link of that strategy");
    // A red cube is sent every cubes / updates ticks, with 100 for each; by 1 a tick a grey one is level after 100 times as
    // many: 13.3 s here.
    let turn_ms = 100.0 * red_cubes / fair.updates_per_packet * 1000.0 / 60.0;
    println!("{turn_ms} ms, {fair:?}");
    assert!(
        (0.8 * turn_ms..1.2 * turn_ms).contains(&fair.since_update_max_ms),
        "{turn_ms} {fair:?}"
    );
    let starving = run("#strategy=sync&loss=0&scene=katamari&accumulate=0", 20);
    assert!(sync(&starving).since_update_max_ms > 19_000.0);
}

#[test]
fn stiff_contacts_fling_apart_what_corrections_put_into_each_other() {
    let play = |switches: &str| {
        let link = format!("#strategy=sync&scene=katamari&grid=20&smooth=off&both=0&{switches}");
        let report = run(&link, 20);
        println!("{link}: {:?}", sync(&report));
        (sync(&report).pops, sync(&report).divergence_mm.rms)
    };
    // Coarse corrections: 6 cm apart.
    let (soft_pops, _) = play("pos=4&rot=6&soft=1");
    let (stiff_pops, _) = play("pos=4&rot=6&soft=0");
    assert!(stiff_pops > 2 * soft_pops, "{soft_pops} {stiff_pops}");
    // Rare corrections.
    let (_, soft_mm) = play("pos=9&rot=9&budget=64&soft=1");
    let (_, stiff_mm) = play("pos=9&rot=9&budget=64&soft=0");
    assert!(stiff_mm > 1.5 * soft_mm, "{soft_mm} {stiff_mm}");
}

#[test]
fn a_budget_that_adapts_falls_with_loss_and_only_then() {
    let budget = |link: &str| sync(&run(link, 12)).budget_kbps;
    assert_eq!(budget("#strategy=sync&grid=8&loss=0&adapt=1"), 256.0);
    assert!(budget("#strategy=sync&grid=8&loss=20&adapt=1") < 100.0);
    assert_eq!(budget("#strategy=sync&grid=8&loss=20"), 256.0);
}

#[test]
fn the_jitter_buffer_lets_late_packets_come_in_time() {
    let late = |buffer: u32| {
        let link = format!("#strategy=sync&grid=8&jitter=40&loss=0&buffer={buffer}");
        run(&link, 10).packets.late
    };
    assert_eq!(late(8), 0);
    assert!(late(0) > 50);
}

#[test]
fn a_burst_ends_by_itself() {
    let mut lab = Lab::new(settings("#strategy=sync&grid=8&loss=0"));
    for _ in 0..60 {
        lab.tick(Input::NONE);
    }
    lab.cut_for(15);
    for _ in 0..60 {
        lab.tick(Input::NONE);
    }
    // 15 that were sent, and those that would have arrived.
    let lost = lab.report().packets.lost;
    assert!((15..=20).contains(&lost), "{lost}");
}
