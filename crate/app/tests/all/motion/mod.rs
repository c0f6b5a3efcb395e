//! Lanes, the laboratory and its analyses over a motion.

mod lives;
mod rates;
#[path = "../../../../record/src/motion/tests/written.rs"]
mod written;

use crate::{played, settings};
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::input::Input;
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::Key;
use written::slide;

fn read(text: &str) -> Motion {
    Motion::read(text.as_bytes()).expect("a motion of the tests")
}

fn history(motion: &Motion, link: &str) -> (Tape, LaneHistory) {
    let settings = settings(link);
    let tape = Tape::of_motion(motion, motion.ticks());
    let history = LaneHistory::run(&tape, &settings.lane(), &LinkInputs::default(), 0);
    (tape, history)
}

#[test]
fn the_lab_plays_it_over_and_over_and_nothing_can_be_driven_or_simulated() {
    let mut lab = played("#scene=roll&grid=6&hz=20&strategy=sync", 50);
    lab.set_b(Some(settings("#strategy=lockstep")));
    lab.play(&read(&slide(100)));
    assert_eq!(lab.settings().text(Key::Strategy), "snapshot");
    assert_eq!(lab.b().unwrap().settings().text(Key::Strategy), "snapshot");
    let refused = lab
        .set_text("strategy", "lockstep")
        .unwrap_err()
        .to_string();
    assert!(
        refused.starts_with("deterministic lockstep cannot be used with a motion of your own"),
        "{refused}"
    );
    lab.apply(settings("#scene=drive&strategy=sync"));
    assert_eq!(lab.settings().text(Key::Strategy), "snapshot");
    lab.apply(settings("#scene=drive&hz=30"));
    lab.finish();
    let mut xs = Vec::new();
    for _ in 0..150 {
        lab.tick(Input::LEFT);
        xs.push(lab.left().position_half_m[0][0]);
    }
    assert_eq!((lab.tick_count(), lab.tape().last_tick()), (49, 100));
    assert_eq!((xs[99], xs[100]), (2.5, -2.5));
    lab.take_over();
    assert!(!lab.can_undo() && lab.history().is_exact());
    // Grid and seed are of no account, or of the network's faults; another scene is a world of our own again.
    lab.set_text("grid", "9").unwrap();
    lab.set_text("seed", "4").unwrap();
    lab.finish();
    assert!(lab.tape().motion().is_some() && lab.left().colour.len() == 2);
    lab.set_text("scene", "roll").unwrap();
    lab.finish();
    assert!(lab.tape().motion().is_none() && lab.left().colour.len() == 82);
}
