//! Objects that come, go and jump.

use super::written::{EVENTS, game, respawns};
use super::*;
use snapshot_codec::Life;

fn life(generation: u8) -> Life {
    Life::from_code(generation).unwrap()
}

fn lives(motion: &Motion, tick: u64) -> Vec<Life> {
    at(motion, tick).iter().map(|cube| cube.life).collect()
}

#[test]
fn events_become_lives_and_what_is_not_there_is_an_empty_slot() {
    let motion = read(&game());
    // Three slots are enough for the shots: one is used again in the tick after its end.
    assert_eq!((motion.objects(), motion.ticks()), (5, 720));
    let counts = motion.facts.counts;
    assert_eq!((counts.spawns, counts.ends, counts.jumps), (23, 23, 5));
    let empty = Life::EMPTY;
    assert_eq!(lives(&motion, 0)[..3], [life(0), life(0), empty]);
    assert_eq!(lives(&motion, 120)[..2], [life(1), life(0)]);
    // A shot has the slot of the second object, which ended.
    assert_eq!(lives(&motion, 300)[..2], [life(2), life(1)]);
    // Three generations, then the first again.
    assert_eq!(lives(&motion, 400)[0], life(0));
    let there = |tick| {
        let lives = lives(&motion, tick).into_iter();
        lives.filter(|it| !it.is_empty()).count()
    };
    assert_eq!([0, 100, 300, 400].map(there), [2, 4, 3, 4]);
    assert_eq!(lives(&motion, 24)[2], life(0));
    assert_eq!(lives(&motion, 71)[2], life(0));
    assert!(at(&motion, 72)[2].same_bits(&CubeState::EMPTY));
    // No velocity leads across a jump, and the bounds hold only what is there.
    assert_eq!(at(&motion, 120)[0].linear_velocity, [0.0; 3]);
    assert!((at(&motion, 121)[0].linear_velocity[0] - 10.0).abs() < 0.1);
    assert_eq!(motion.facts.counts.clipped_velocities, 0);
    assert_eq!(motion.bounds(), fitted_by_hand());
    assert!(motion.tells_of_jumps() && motion.session_config.has_slots);
    // A tape that ends before most of them come has their slots all the same.
    let tape = Tape::of_motion(&motion, 10);
    assert_eq!((tape.last_tick(), tape.newest().len()), (10, 5));
    assert_eq!(tape.newest(), at(&motion, 10));
}

/// x from 0 to 105, y from 0 to 8, z from 3.5 to 4.
fn fitted_by_hand() -> Bounds {
    Bounds::new([-11, -3, 3], [117, 13, 5]).unwrap()
}

#[test]
fn a_motion_in_which_nothing_comes_or_goes_has_no_slots() {
    for text in [
        slide(60),
        format!("{EVENTS}0,0,,1,0,0,0,0,0,1\n1,0,0,2,0,0,0,0,0,1\n"),
    ] {
        let motion = read(&text);
        assert!(!motion.session_config.has_slots && !motion.facts.counts.has_lives());
        assert!(lives(&motion, 1).iter().all(|it| *it == Life::FIRST));
    }
}

#[test]
fn an_object_may_come_later_and_end_in_a_row_that_has_no_pose() {
    let motion = read(&format!(
        "{HEADER},event\n0,0,1,0,0,0,0,0,1,\n3,7,2,0,0,0,0,0,1,0\n5,7,,,,,,,,END\n5,0,1,1,0,0,0,0,1,\n"
    ));
    let there = |tick| -> Vec<bool> {
        let lives = lives(&motion, tick).into_iter();
        lives.map(|it| !it.is_empty()).collect()
    };
    assert_eq!(there(2), [true, false]);
    assert_eq!((there(3), there(4)), (vec![true, true], vec![true, true]));
    assert_eq!(there(5), [true, false]);
    // Ended twice is ended.
    let twice = "0,0,1,0,0,0,0,0,1,\n1,1,1,0,0,0,0,0,1,\n2,1,,,,,,,,2\n3,1,,,,,,,,end\n";
    let motion = read(&format!("{HEADER},event\n{twice}"));
    assert_eq!((motion.facts.counts.ends, motion.ticks()), (1, 3));
}

#[test]
fn wrong_events_are_refused_with_their_row() {
    let lines = include_str!("refused_events.txt").lines().skip(1);
    for line in lines {
        let (rows, refusal) = line.split_once(" => ").expect(line);
        let rows = rows.replace("\\n", "\n");
        let text = format!("{HEADER},event\n0,0,1,0,0,0,0,0,1,\n{rows}\n");
        assert_eq!(refused(&text), refusal);
    }
    let mut bytes = binary::write(&read(&game()));
    let first_event = 8 + 3 * 4 + 12 * 4;
    bytes[first_event] = 9;
    let refusal = Motion::read(&bytes[..]).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "row 1: event is \"9\": it is empty, jump, end, spawn"
    );
}

#[test]
fn without_a_column_jumps_are_found_by_their_speed() {
    let over = |text: &str| JumpSpeed::parse(text).unwrap();
    let motion = read(&respawns());
    // 8 m in a tick are 477 m/s, and 2 m are 117.
    assert_eq!(motion.facts.counts.jumps, 2);
    assert_eq!(motion.facts.jumps_over, over("100"));
    let faster = |text| motion.facts.counts.faster[over(text).place()];
    assert_eq!(["5", "100", "200", "500"].map(faster), [2, 2, 1, 0]);
    let first = |tick| lives(&motion, tick)[0];
    assert_eq!([49, 50, 79, 80].map(first), [0, 1, 1, 2].map(life));
    for text in ["200", "500", "off", "5", "100"] {
        let other = motion.with_jumps_over(over(text));
        let anew = Motion::read_with(respawns().as_bytes(), over(text)).unwrap();
        assert_eq!(other.facts.counts, anew.facts.counts, "{text}");
        assert_eq!(other.session_config, anew.session_config, "{text}");
        for tick in 0..=120 {
            assert_eq!(at(&other, tick), at(&anew, tick), "{text}");
        }
        assert_eq!(other.facts.fingerprint, motion.facts.fingerprint);
    }
    // A velocity over a step that is no jump is clipped.
    assert_eq!(motion.facts.counts.clipped_velocities, 0);
    let without_jumps = motion.with_jumps_over(JumpSpeed::NEVER);
    assert_eq!(without_jumps.facts.counts.clipped_velocities, 2);
    // A file that tells of its jumps has no others.
    let game = read(&game());
    let again = game.with_jumps_over(JumpSpeed::at(0));
    assert_eq!(again.facts.counts, game.facts.counts);
}
