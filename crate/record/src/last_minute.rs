//! The newest minute of a tape as the frames of a capture of the challenge.

use crate::challenge::{self as challenge, CUBES, INTERVAL};
use crate::tape::{HELD_TICKS, Tape};
use snapshot_codec::{Class, Cube, CubeState, Format, Rung};

fn format() -> Format {
    challenge::format(Rung::ChangedFlags, Class::Strict).expect("the challenge's format is one")
}

/// Number of ticks that [`frames`] has: the stored ticks, a minute at most. It is 0 for a motion that was recorded
/// elsewhere, and for a world without the challenge's 901 cubes.
pub fn ticks(tape: &Tape) -> u64 {
    if tape.newest().len() != CUBES || tape.motion().is_some() {
        return 0;
    }
    (tape.last_tick() - tape.first_tick()).min(HELD_TICKS)
}

/// Error of [`frames`] for a tape without a minute to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing has been recorded yet")]
pub struct LastMinuteError;

/// Returns the minute as the frames of a capture. As in the challenge, copies of the first frame come first, so that there is a
/// packet for every tick.
///
/// # Errors
/// When the tape has no such minute, or the minute has no tick.
pub fn frames(tape: &Tape) -> Result<Vec<Vec<Cube>>, LastMinuteError> {
    let (ticks, format) = (ticks(tape), format());
    if ticks == 0 {
        return Err(LastMinuteError);
    }
    let mut truth = Vec::new();
    let first = tape.last_tick() - ticks;
    tape.truth().read(first, &mut truth);
    let frame = |truth: &[CubeState]| -> Vec<Cube> {
        truth.iter().map(|cube| format.quantise(cube)).collect()
    };
    let mut frames = vec![frame(&truth); INTERVAL];
    for tick in first + 1..=tape.last_tick() {
        tape.truth().wind(tick - 1, tick, &mut truth);
        frames.push(frame(&truth));
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_physics::input::Input;
    use snapshot_settings::Settings;
    use snapshot_settings::permalink;

    #[test]
    fn a_recording_is_what_was_simulated() {
        let tape = Tape::record(&Settings::default(), 200);
        assert_eq!(ticks(&tape), 200);
        let frames = frames(&tape).unwrap();
        assert_eq!(frames.len(), INTERVAL + 200);
        let format = format();
        let mut truth = Vec::new();
        for tick in 0..=200 {
            tape.truth().read(tick, &mut truth);
            let seen: Vec<Cube> = truth.iter().map(|cube| format.quantise(cube)).collect();
            assert_eq!(frames[INTERVAL - 1 + tick as usize], seen, "tick {tick}");
        }
        assert!(frames[..INTERVAL].iter().all(|frame| *frame == frames[0]));
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_minute_is_written_and_no_more() {
        let (settings, _) = permalink::parse("#scene=drive");
        let mut tape = Tape::new(&settings);
        for tick in 0..HELD_TICKS + 90 {
            let right = tick / 60 % 2 == 0;
            tape.step(if right { Input::RIGHT } else { Input::LEFT }, false);
        }
        assert_eq!(ticks(&tape), HELD_TICKS);
        let frames = frames(&tape).unwrap();
        assert_eq!(frames.len() as u64, HELD_TICKS + INTERVAL as u64);
        let newest = format().quantise(&tape.world().truth()[0]);
        let last = frames.last().map(|frame| frame[0].position[0]);
        assert_eq!(last, Some(newest.position[0]));
    }

    #[test]
    fn other_worlds_are_not_written_and_nothing_is_no_minute() {
        let tape = Tape::record(&Settings::default(), 0);
        assert_eq!(frames(&tape), Err(LastMinuteError));
        let one = Tape::record(&Settings::default(), 1);
        assert_eq!(frames(&one).unwrap().len(), INTERVAL + 1);
        let (other, _) = permalink::parse("#grid=8");
        let other = Tape::record(&other, 10);
        assert_eq!((ticks(&other), frames(&other)), (0, Err(LastMinuteError)));
    }
}
