//! The motion stays, whatever is set; and what is shown in the end is what would have been shown had it always been set.

use super::*;
use crate::lane_run::LaneId;
use snapshot_physics::Input;
use snapshot_settings::{Direction, permalink};

fn settings(link: &str) -> Settings {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    settings
}

fn play(lab: &mut Lab, ticks: u32) {
    (0..ticks).for_each(|_| lab.tick(Input::NONE));
}

fn played(link: &str, ticks: u32) -> Lab {
    let mut lab = Lab::new(settings(link));
    play(&mut lab, ticks);
    lab
}

/// The whole report, hashes included.
fn report(lab: &mut Lab) -> serde_json::Value {
    serde_json::to_value(lab.report()).unwrap()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_change_of_lane_settings_gives_what_they_give_from_the_start() {
    let start = "#scene=katamari&grid=8&hz=20";
    for change in [
        ("hz", "60"),
        ("codec", "predicted"),
        ("loss", "20"),
        ("interp", "hermite"),
        ("header", "ipv6"),
        ("delay", "50"),
        ("mtu", "576"),
    ] {
        let mut lab = played(start, 700);
        let motion = lab.tape().world().checksum();
        let before = lab.live().clone();
        assert_eq!(lab.set_text(change.0, change.1), Ok(Effect::Lane));
        // At once everything is as it was; then there is a provisional history; and in the end the exact one.
        assert_eq!(lab.live().kbps, before.kbps);
        assert!(matches!(lab.progress(), Progress::Stale { .. }));
        while matches!(lab.progress(), Progress::Stale { .. }) {
            assert!(lab.work());
        }
        assert!(!lab.history().is_exact() && lab.live().kbps > 0.0);
        assert_eq!(lab.tick_count(), 700);
        lab.finish();
        assert_eq!((lab.progress(), lab.tick_count()), (Progress::Done, 700));
        assert_eq!(lab.tape().world().checksum(), motion);
        let link = format!("{start}&{}={}", change.0, change.1);
        let mut always = Lab::new(settings(start));
        assert_eq!(
            always.set_text(change.0, change.1),
            Ok(Effect::Lane),
            "{link}"
        );
        always.finish();
        play(&mut always, 700);
        assert_eq!(report(&mut lab), report(&mut always), "{link}");
        assert_eq!(lab.right().hash(), always.right().hash());
    }
}

#[test]
fn the_bits_of_packets_come_to_the_rate() {
    for link in [
        "hz=10",
        "hz=25&loss=10",
        "hz=60&mtu=576",
        "strategy=sync&hz=20",
        "strategy=lockstep",
    ] {
        let lab = played(&format!("#scene=mixed&grid=12&{link}"), 400);
        let (live, hz) = (lab.live(), lab.settings().lane().send_rate_hz());
        let of_packets = live.ledger_bits_per_packet.iter().sum::<f64>() * f64::from(hz) / 1000.0;
        assert!(
            (live.kbps - of_packets).abs() < 1e-6,
            "{link}: {} and {of_packets}",
            live.kbps
        );
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_change_while_it_plays_loses_no_tick() {
    for strategy in ["snapshot", "sync", "lockstep"] {
        let link = format!("#scene=blow&grid=8&strategy={strategy}");
        let mut lab = played(&link, 300);
        lab.set_text("loss", "10").unwrap();
        for _ in 0..300 {
            (0..6).for_each(|_| _ = lab.work());
            let before = lab.tick_count();
            lab.tick(Input::NONE);
            assert_eq!(lab.tick_count(), before + 1);
        }
        assert_eq!(lab.progress(), Progress::Done);
        let mut always = played(&format!("{link}&loss=10"), 600);
        assert_eq!(report(&mut lab), report(&mut always), "{strategy}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn scrubbing_changes_nothing_of_what_comes_after() {
    for link in [
        "#scene=katamari&grid=8&hz=60&loss=5",
        "#scene=katamari&grid=8&strategy=sync&loss=5",
        "#scene=katamari&grid=8&strategy=lockstep&loss=5",
    ] {
        let mut lab = played(link, 400);
        let (left, right) = (lab.left().hash(), lab.right().hash());
        let live = serde_json::to_value(lab.live()).unwrap();
        for tick in [3, 399, 120, 121, 0] {
            lab.seek(tick);
            assert_eq!((lab.tick_count(), lab.live().tick), (tick, tick));
        }
        lab.seek(350);
        play(&mut lab, 50);
        assert!(lab.is_at_end());
        assert_eq!(
            (lab.left().hash(), lab.right().hash()),
            (left, right),
            "{link}"
        );
        assert_eq!(serde_json::to_value(lab.live()).unwrap(), live);
        lab.seek(100);
        lab.seek(u64::MAX);
        play(&mut lab, 200);
        assert_eq!(report(&mut lab), report(&mut played(link, 600)), "{link}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn driving_on_from_the_past_is_as_if_the_rest_had_never_been() {
    for strategy in ["snapshot", "sync", "lockstep"] {
        let link = format!("#scene=katamari&grid=8&strategy={strategy}");
        let drive = |lab: &mut Lab| {
            lab.take_over();
            (0..200).for_each(|_| lab.tick(Input::RIGHT | Input::PULL));
        };
        let mut never = played(&link, 333);
        drive(&mut never);
        let mut lab = played(&link, 600);
        let future = report(&mut lab);
        lab.seek(333);
        drive(&mut lab);
        assert_eq!(report(&mut lab), report(&mut never), "{strategy}");
        assert!(lab.can_undo() && lab.undo() && !lab.can_undo());
        assert_eq!(lab.tick_count(), 333);
        // The old future is back.
        assert_eq!(report(&mut lab), future, "{strategy}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn another_world_gets_the_same_keys_and_the_instant_stays() {
    let mut lab = played("#scene=katamari&grid=8", 500);
    assert_eq!(lab.set_text("strategy", "sync"), Ok(Effect::Motion));
    assert_eq!(lab.tick_count(), 500);
    lab.finish();
    assert_eq!((lab.tick_count(), lab.progress()), (500, Progress::Done));
    assert_eq!(lab.set_text("grid", "9"), Ok(Effect::Motion));
    play(&mut lab, 10);
    lab.finish();
    assert_eq!((lab.tick_count(), lab.right().colour.len()), (510, 82));
    play(&mut lab, 60);
    assert_eq!(lab.report().decode_mismatches, 0);
    assert!(lab.tape().is_scripted());
    assert_eq!(lab.set_text("scene", "roll"), Ok(Effect::World));
    assert_eq!(lab.tick_count(), 0);
}

/// A rebuild for another world, begun before a person drove on, must begin again for the new motion.
#[test]
fn driving_on_while_another_world_is_made_ends_in_that_world() {
    let mut lab = played("#scene=katamari&grid=6", 300);
    lab.set_text("grid", "7").unwrap();
    lab.seek(200);
    lab.take_over();
    play(&mut lab, 30);
    lab.finish();
    assert_eq!(lab.tape().made_from(), &lab.settings().world());
    assert_eq!((lab.tick_count(), lab.right().colour.len()), (230, 50));
}

/// A world that is being made has to be given the cuts too that were set in ticks that it has passed.
#[test]
fn a_cut_set_while_another_world_is_made_is_in_that_world() {
    let mut lab = played("#scene=roll&grid=6&hz=60", 300);
    lab.set_text("grid", "7").unwrap();
    (0..200).for_each(|_| _ = lab.work());
    lab.seek(99);
    lab.cut_for(60);
    lab.finish();
    assert_eq!(lab.tape().made_from(), &lab.settings().world());
    assert!(!lab.tape().is_cut(99) && lab.tape().is_cut(100) && lab.tape().is_cut(159));
}

#[test]
fn a_cut_set_in_the_past_is_a_cut_that_always_was() {
    let link = "#scene=roll&grid=8&hz=60";
    let mut lab = played(link, 300);
    lab.seek(99);
    lab.cut_for(120);
    let mut always = played(link, 99);
    always.cut_for(120);
    play(&mut always, 201);
    assert_eq!(report(&mut lab), report(&mut always));
    // Held while the past plays, it is the same.
    let mut lab = played(link, 300);
    lab.seek(99);
    lab.set_cut(true);
    play(&mut lab, 120);
    lab.set_cut(false);
    assert_eq!(report(&mut lab), report(&mut always));
    lab.seek(150);
    assert!(lab.is_cut());
}

#[test]
fn a_slider_that_is_dragged_shows_something_of_its_way() {
    let mut lab = played("#scene=roll&grid=8&hz=60", 600);
    let mut shown = std::collections::BTreeSet::new();
    for loss in 1..=40 {
        lab.set_text("loss", &loss.to_string()).unwrap();
        (0..100).for_each(|_| _ = lab.work());
        let loss = lab.history().lane().settings().loss(Direction::Forward);
        shown.insert(loss.to_bits());
        assert!(lab.live().kbps > 0.0);
    }
    assert!(shown.len() > 10, "{shown:?}");
    lab.finish();
    assert_eq!(lab.history().lane().settings(), &lab.settings().lane());
    assert!(lab.history().is_exact());
}

#[test]
fn events_are_found_either_way() {
    let mut lab = played("#scene=roll&grid=8&hz=60&jitter=0&loss=10&delay=1", 300);
    lab.seek(150);
    for event in [Event::Loss, Event::Hitch, Event::Freeze] {
        let (back, on) = (lab.find(event, false), lab.find(event, true));
        assert!(back.unwrap() < 150 && on.unwrap() > 150, "{event:?}");
    }
    assert_eq!(lab.find(Event::Pop, true), None);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn both_lanes_reach_the_shown_instant_before_the_rest_is_made() {
    let mut lab = played("#scene=katamari&grid=8&hz=20&jitter=0&loss=0", 600);
    lab.set_b(Some(settings(
        "#scene=katamari&grid=8&hz=60&jitter=0&loss=0&interp=hermite",
    )));
    lab.finish();
    lab.set_text("latency", "80").unwrap();
    let pieces = std::cell::Cell::new(0);
    let count = || {
        pieces.set(pieces.get() + 1);
        false
    };
    assert!(lab.work_until(count));
    assert!(matches!(lab.progress(), Progress::Provisional { .. }));
    // Each lane needs its warm-up alone, not the ten seconds that were played.
    let lanes = [LaneId::A, LaneId::B].map(|lane| lab.lane(lane).unwrap().settings().lane());
    let warm_up_ticks: u64 = lanes.iter().map(|lane| lane.warm_up_ticks()).sum();
    assert!(
        pieces.get() <= warm_up_ticks + 4,
        "{} {warm_up_ticks}",
        pieces.get()
    );
    let shown = |lab: &Lab| {
        [LaneId::A, LaneId::B].map(|lane| {
            let live = lab.lane(lane).unwrap().live(600).unwrap();
            (
                live.kbps,
                live.behind_ms,
                lab.lane(lane).unwrap().view().hash(),
            )
        })
    };
    let first = shown(&lab);
    while lab.work_until(|| false) {}
    assert_eq!(lab.progress(), Progress::Done);
    assert_eq!(first, shown(&lab));
}
