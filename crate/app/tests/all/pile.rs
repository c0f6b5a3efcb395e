//! The pile of the scene `rest`, which lies still.

use crate::settings;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;

/// Number of ticks in five seconds in which some cube moves or turns, once the pile lies.
fn moving_ticks(link: &str) -> usize {
    let mut tape = Tape::record(&settings(link), 1500);
    let moves = |_: &u32| {
        let before = tape.newest().to_vec();
        tape.step(Input::NONE, false);
        let now = tape.newest().iter();
        before.iter().zip(now).any(|(before, now)| {
            before.position != now.position || before.orientation != now.orientation
        })
    };
    (0..300).filter(moves).count()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_pile_lies_still_and_coarse_bits_make_it_shiver() {
    assert_eq!(moving_ticks("#scene=rest&grid=12"), 0);
    let both = "#scene=rest&grid=12&strategy=sync&both=1";
    assert_eq!(moving_ticks(both), 0);
    assert!(moving_ticks(&format!("{both}&pos=6&rot=5&vel=4")) > 100);
}
