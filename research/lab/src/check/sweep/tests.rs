//! Draws, what is held, and that a failure comes again.

use super::*;
use snapshot_app::Lab;
use snapshot_physics::Input;
use snapshot_settings::{Desync, Key, Strategy};

#[test]
fn a_thousand_seeds_hold() {
    let failures = sweep(0..1000, |_| ());
    let messages: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", messages.join("\n"));
}

#[test]
fn draws_reach_every_drawn_choice_and_width_and_are_functions_of_their_number() {
    let draws: Vec<Settings> = (0..1000).map(|number| Draw::new(number).settings).collect();
    let keys = [
        Key::Codec,
        Key::Interpolation,
        Key::Scene,
        Key::Header,
        Key::PositionBits,
        Key::PositionSmall,
        Key::PositionLarge,
        Key::OrientationSmall,
        Key::OrientationLarge,
    ];
    for key in keys {
        let setting = key.setting();
        let drawn = setting.drawn.iter();
        let drawn = drawn.filter(|(of, ..)| *of == Strategy::Snapshot);
        let mut all: Vec<u32> = drawn.flat_map(|&(_, least, most)| least..=most).collect();
        all.retain(|&value| setting.domain.contains(value));
        assert!(all.len() > 2, "{key:?}");
        let missing = |value: &&u32| draws.iter().all(|settings| settings.get(key) != **value);
        assert_eq!(all.iter().find(missing), None, "{key:?}");
    }
    let cuts = (0..1000).filter_map(|number| Draw::new(number).cut());
    assert!((250..400).contains(&cuts.count()));
    assert_eq!(Draw::new(17), Draw::new(17));
    let late = (0..1000).filter(|number| Draw::new(*number).first_tick > 0);
    assert!((400..600).contains(&late.count()));
    let lockstep = draws
        .iter()
        .filter(|settings| settings.strategy() == Strategy::Lockstep);
    assert_eq!(lockstep.count(), 100);
    let adaptive = |settings: &&Settings| settings.lane().delay_ms().is_none();
    // Games are drawn in crate lane: `any_game_decodes_what_was_sent_and_meets_its_server_again`.
    for strategy in Strategy::ALL.into_iter().filter(|it| *it != Strategy::Game) {
        let of = draws.iter().filter(|it| it.strategy() == strategy);
        assert!(of.filter(adaptive).count() > 20, "{strategy:?}");
    }
    let bursts = draws
        .iter()
        .filter(|settings| settings.fragment_bytes().is_some())
        .count();
    assert!((500..700).contains(&bursts), "{bursts}");
}

#[test]
fn the_rig_tells_a_run_that_went_wrong() {
    let draw = Draw::new(2);
    let lane = run(&draw.settings, &draw.tape(30));
    assert_eq!(broken(&lane), None);
    let good = lane.report(0);
    type Wrong = (&'static str, fn(&mut Report));
    let wrongs: [Wrong; 4] = [
        ("a snapshot came out other than it went in", |report| {
            report.decode_mismatches += 1;
        }),
        ("a snapshot could not be compared", |report| {
            report.decode_not_compared += 1;
        }),
        ("a packet was refused", |report| report.packets_refused += 1),
        ("packets are unaccounted for", |report| {
            report.packets_lost += 1
        }),
    ];
    for (reason, go_wrong) in wrongs {
        let mut bad = good.clone();
        go_wrong(&mut bad);
        assert_eq!(broken_report(&bad, true), Some(reason));
    }
    assert!(broken_report(&good, false).is_some());

    // A right world that is another is told.
    let mut disturbed = Draw::new(9);
    for (key, value) in [(Key::Latency, 1000), (Key::SendRate, 60)] {
        disturbed.settings.set(key, value).unwrap();
    }
    let tape = disturbed.tape(300);
    assert_eq!(broken(&run(&disturbed.settings, &tape)), None);
    let desync = Desync::Bit as u32;
    disturbed.settings.set(Key::Desync, desync).unwrap();
    let reason = broken(&run(&disturbed.settings, &tape));
    assert_eq!(reason, Some("the right world is another"));
}

/// Plays the command that a failure names.
fn played_again(failure: &Failure) -> Lab {
    let message = failure.to_string();
    let words: Vec<&str> = message.split(' ').collect();
    let after = |word: &str| {
        let place = words.iter().position(|found| *found == word);
        place.map(|place| words[place + 1].trim_matches('"'))
    };
    let (settings, notices) = permalink::parse(after("run").unwrap());
    assert_eq!((settings, notices), (failure.settings, vec![]));
    let first_tick = after("--first-tick").map_or(0, |tick| tick.parse().unwrap());
    let seconds: u64 = after("--seconds").unwrap().parse().unwrap();
    let cut = after("--cut").map_or(0..0, |cut| {
        let (start_s, length_s) = cut.split_once('+').unwrap();
        let ticks = |text: &str| (text.parse::<f64>().unwrap() * 60.0).round() as u64;
        ticks(start_s)..ticks(start_s) + ticks(length_s)
    });
    let mut lab = Lab::over(Tape::beginning_at(&settings, first_tick), settings);
    for tick in 0..seconds * u64::from(TICKS_PER_S) {
        lab.set_cut(cut.contains(&tick));
        lab.tick(Input::NONE);
    }
    lab
}

/// A rule that some draws of each strategy break.
fn odd_losses(lane: &Lane) -> Option<&'static str> {
    let lost = lane.report(0).packets_lost;
    (lost % 4 == 1).then_some("an odd number was lost")
}

#[test]
fn what_a_failure_names_fails_again_and_is_the_same_run_to_the_bit() {
    let failures = sweep_by(odd_losses, 0..60, |_| ());
    assert!(failures.len() >= 5, "{failures:?}");
    assert!(failures.iter().any(|failure| failure.first_tick > 0));
    for failure in &failures {
        let lab = played_again(failure);
        assert_eq!(odd_losses(lab.history().lane()), Some(failure.what));
        assert_eq!(broken(lab.history().lane()), None);
    }
    // Every strategy's lane is the one that the command plays, bit for bit.
    for number in [4, 9, 14, 15] {
        let draw = Draw::new(number);
        let lane = run(&draw.settings, &draw.tape(300));
        let mut lab = played_again(&Failure::new(&draw, ""));
        let json = |report: &Report| serde_json::to_string(report).unwrap();
        let report = lab.report();
        assert_eq!(json(&lane.report(report.state_hash)), json(&report));
    }
}
