//! Recorded ticks are read back unchanged, whatever is done with the tape.

use super::*;

fn settings(link: &str) -> Settings {
    let (settings, notices) = snapshot_settings::permalink::parse(link);
    assert_eq!(notices, []);
    settings
}

fn truth_at(tape: &Tape, tick: u64) -> Vec<CubeState> {
    let mut truth = Vec::new();
    assert!(tape.truth.read(tick, &mut truth));
    truth
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn any_tick_that_is_held_is_as_it_was_hidden_state_included() {
    let settings = settings("#scene=katamari&grid=12");
    let tape = Tape::record(&settings, 700);
    let mut world = World::new(&settings.world());
    for tick in 1..=700 {
        world.step(Inputs::from_bits(tape.keys[tick - 1]));
        let tick = tick as u64;
        assert_eq!(truth_at(&tape, tick), world.truth());
        if [1, 239, 240, 241, 455, 700].contains(&tick) {
            let again = tape.world_at(tick);
            assert_eq!(again.tick(), tick);
            assert_eq!(again.checksum(), world.checksum(), "tick {tick}");
        }
    }
}

#[test]
fn a_minute_is_held_and_the_keys_for_ever() {
    let settings = settings("#scene=roll&grid=5");
    let tape = Tape::record(&settings, HELD_TICKS + 1000);
    let held = tape.last_tick() - tape.first_tick();
    let at_most = HELD_TICKS + FORK_TICKS;
    assert!((HELD_TICKS..at_most).contains(&held), "{held}");
    assert_eq!(tape.keys.len() as u64, HELD_TICKS + 1000);
    assert_eq!(tape.checksums.len() as u64, held + 1);
    assert_eq!(tape.forks[0].tick(), tape.first_tick());
    let mut truth = Vec::new();
    assert!(tape.frame(tape.first_tick(), &mut truth).is_some());
    assert!(tape.frame(tape.first_tick() - 1, &mut truth).is_none());
    assert!(tape.frame(tape.last_tick() + 1, &mut truth).is_none());
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn driving_on_from_the_past_is_as_if_the_rest_had_never_been_and_undo_brings_it_back() {
    let settings = settings("#scene=katamari&grid=12");
    let drive = |tape: &mut Tape, ticks: u64| {
        tape.take_over();
        (0..ticks).for_each(|_| tape.step(Input::RIGHT | Input::PULL, false));
    };
    let whole = Tape::record(&settings, 900);
    let mut never = Tape::record(&settings, 500);
    drive(&mut never, 300);
    let mut tape = Tape::record(&settings, 900);
    let undone = tape.rewind(500);
    assert_eq!((tape.last_tick(), tape.is_scripted()), (500, false));
    drive(&mut tape, 300);
    assert_eq!(tape.world().checksum(), never.world().checksum());
    let recorded = |tape: &Tape| (tape.keys.clone(), tape.checksums.clone());
    assert_eq!(recorded(&tape), recorded(&never));
    let [then, never_then] = [&tape, &never].map(|tape| tape.world_at(610).checksum());
    assert_eq!(then, never_then);
    assert!(tape.undo(undone));
    assert_eq!(recorded(&tape), recorded(&whole));
    assert_eq!(truth_at(&tape, 777), truth_at(&whole, 777));
    tape.step(Input::NONE, false);
    assert!(tape.is_scripted());
    let whole = Tape::record(&settings, 901);
    assert_eq!(tape.world().checksum(), whole.world().checksum());
}

#[test]
fn who_takes_over_in_a_crowd_stays_in_it_and_the_recording_leads_there_again() {
    let settings = settings("#scene=crowd&grid=6&seed=3");
    let mut tape = Tape::record(&settings, 100);
    assert_eq!(tape.world().cube_count(), 136);
    tape.take_over();
    drive_both(&mut tape, 60);
    let (scene, recorded) = tape.recorded(3, 10_000);
    assert_eq!(scene, SceneKind::Crowd);
    let mut again = Tape::replaying(&settings, &recorded);
    again.go_on(160);
    assert_eq!(again.world().checksum(), tape.world().checksum());
    assert_eq!(again.keys, tape.keys);
    // Another seed is another crowd.
    let mut other = Tape::new(&self::settings("#scene=crowd&grid=6&seed=4"));
    other.go_on(160);
    assert_ne!(other.world().state_hash(), tape.world().state_hash());
}

/// Drives both hands for some ticks: the rival's keys depend on the tick.
fn drive_both(tape: &mut Tape, ticks: u64) {
    for _ in 0..ticks {
        let rival = Input::from_bits((tape.last_tick() / 40 % 8) as u8 * 2);
        let hand = Inputs::from(Input::RIGHT);
        tape.step(Inputs { rival, ..hand }, false);
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn both_hands_keys_are_rewound_undone_recorded_and_replayed() {
    for (link, has_script) in [
        ("#scene=drive&grid=8&rival=hand", false),
        ("#scene=drive&grid=8&rival=script", true),
        ("#scene=katamari&grid=8&rival=script", true),
    ] {
        let settings = settings(link);
        let mut whole = Tape::new(&settings);
        drive_both(&mut whole, 600);
        let mut tape = Tape::new(&settings);
        drive_both(&mut tape, 600);
        let undone = tape.rewind(300);
        assert_eq!(tape.rival_input(301), None);
        (0..50).for_each(|_| tape.step(Input::LEFT, false));
        assert_ne!(tape.world().checksum(), whole.world_at(350).checksum());
        assert!(tape.undo(undone), "{link}");
        drive_both(&mut tape, 60);
        drive_both(&mut whole, 60);
        assert_eq!(tape.keys, whole.keys, "{link}");
        assert_eq!(tape.world().checksum(), whole.world().checksum(), "{link}");

        let (_, recorded) = whole.recorded(1, 10_000);
        assert_eq!(recorded.rival.is_none(), has_script, "{link}");
        let mut again = Tape::replaying(&settings, &recorded);
        again.go_on(660);
        assert_eq!(again.keys, whole.keys, "{link}");
        assert_eq!(again.world().checksum(), whole.world().checksum(), "{link}");
        let mut frames = whole.frames_after(0);
        let mut pressed = 0;
        while let Some(frame) = frames.next() {
            assert_eq!(Some(frame.rival), whole.rival_input(frame.tick));
            pressed += u32::from(frame.rival != Input::NONE);
        }
        assert!(pressed > 300, "{link} {pressed}");
    }
}

#[test]
fn keys_of_a_rival_s_script_are_recorded_after_another_world() {
    let script = settings("#scene=roll&grid=8&rival=script");
    let tape = Tape::record(&script, 300);
    let mut other = tape.begin_again(settings("#grid=9&rival=script").world());
    while other.follow(&tape) {}
    let keys = |tape: &Tape| tape.recorded(1, 10_000).1.rival.map(|rival| rival.keys);
    assert_eq!(keys(&tape), None);
    assert_eq!(keys(&other).unwrap().len(), 300);
    let mut alone = tape.begin_again(settings("#grid=8").world());
    while alone.follow(&tape) {}
    assert_eq!(alone.world().cube_count(), 65);
}

#[test]
fn the_same_keys_move_another_world() {
    let tape = Tape::record(&settings("#scene=blow&grid=8"), 300);
    let other = settings("#scene=blow&grid=9").world();
    let mut again = tape.begin_again(other);
    while again.follow(&tape) {}
    assert_eq!((&again.keys, again.last_tick()), (&tape.keys, 300));
    assert_eq!(again.world().cube_count(), 82);
    let mut same = tape.begin_again(*tape.made_from());
    while same.follow(&tape) {}
    assert_eq!(same.world().checksum(), tape.world().checksum());
}

#[test]
fn a_cut_of_ticks_that_have_been_leaves_the_motion() {
    let mut tape = Tape::record(&settings("#scene=roll&grid=5"), 100);
    let checksum = tape.world().checksum();
    tape.cut(40..60);
    tape.cut(95..200);
    let cut: Vec<u64> = (0..=101).filter(|&tick| tape.is_cut(tick)).collect();
    assert_eq!(cut, (40..60).chain(95..=100).collect::<Vec<_>>());
    assert_eq!(tape.world_at(100).checksum(), checksum);
}

#[test]
fn a_tape_that_is_held_from_an_odd_tick_keeps_ticks_forks_and_checksums_together() {
    let settings = settings("#scene=mixed&grid=5");
    let mut tape = Tape::record(&settings, 1010);
    tape.hold_from_here();
    tape.go_on(HELD_TICKS + 3 * FORK_TICKS);
    let first = tape.first_tick();
    assert!(first > 1010);
    let fork = tape
        .fork_of(first)
        .expect("a lane that simulates begins there");
    let mut truth = Vec::new();
    tape.read_truth(first, &mut truth);
    assert_eq!(fork.truth(), truth);
    let world = tape.world_at(first + 1);
    let frame = tape.frame(first + 1, &mut truth).unwrap();
    assert_eq!(frame.checksum, Some(world.checksum()));
}
