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
fn any_tick_that_is_held_is_as_it_was_hidden_state_included() {
    let settings = settings("#scene=katamari&grid=12");
    let tape = Tape::record(&settings, 700);
    let mut world = World::new(&settings.world());
    for tick in 1..=700 {
        world.step(Input::from_bits(tape.keys[tick - 1]));
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
    assert!(
        (HELD_TICKS..HELD_TICKS + FORK_TICKS).contains(&held),
        "{held}"
    );
    assert_eq!(tape.keys.len() as u64, HELD_TICKS + 1000);
    assert_eq!(tape.checksums.len() as u64, held + 1);
    assert_eq!(tape.forks[0].tick(), tape.first_tick());
    let mut truth = Vec::new();
    assert!(tape.frame(tape.first_tick(), &mut truth).is_some());
    assert!(tape.frame(tape.first_tick() - 1, &mut truth).is_none());
    assert!(tape.frame(tape.last_tick() + 1, &mut truth).is_none());
}

#[test]
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
    assert_eq!(tape.world.checksum(), never.world.checksum());
    assert_eq!(
        (&tape.keys, &tape.checksums),
        (&never.keys, &never.checksums)
    );
    assert_eq!(
        tape.world_at(610).checksum(),
        never.world_at(610).checksum()
    );
    assert!(tape.undo(undone));
    assert_eq!(
        (&tape.keys, &tape.checksums),
        (&whole.keys, &whole.checksums)
    );
    assert_eq!(truth_at(&tape, 777), truth_at(&whole, 777));
    tape.step(Input::NONE, false);
    assert!(tape.is_scripted());
    assert_eq!(
        tape.world.checksum(),
        Tape::record(&settings, 901).world.checksum()
    );
}

#[test]
fn the_same_keys_move_another_world() {
    let tape = Tape::record(&settings("#scene=blow&grid=8"), 300);
    let other = settings("#scene=blow&grid=9").world();
    let mut again = tape.begin_again(other);
    while again.follow(&tape) {}
    assert_eq!((&again.keys, again.last_tick()), (&tape.keys, 300));
    assert_eq!(again.world.cube_count(), 82);
    let mut same = tape.begin_again(*tape.made_from());
    while same.follow(&tape) {}
    assert_eq!(same.world.checksum(), tape.world.checksum());
}

#[test]
fn a_cut_of_ticks_that_have_been_leaves_the_motion() {
    let mut tape = Tape::record(&settings("#scene=roll&grid=5"), 100);
    let checksum = tape.world.checksum();
    tape.cut(40..60);
    tape.cut(95..200);
    let cut: Vec<u64> = (0..=101).filter(|&tick| tape.is_cut(tick)).collect();
    assert_eq!(cut, (40..60).chain(95..=100).collect::<Vec<_>>());
    assert_eq!(tape.world_at(100).checksum(), checksum);
}
