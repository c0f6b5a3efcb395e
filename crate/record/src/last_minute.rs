//! The newest minute of a tape as packets of the lab's codec, which a Worker turns into a capture of the challenge.

use crate::challenge::{self as challenge, CUBES, FRAME_BYTES, INTERVAL};
use crate::tape::{HELD_TICKS, Tape};
use snapshot_codec::{Baseline, Class, Cube, CubeState, Format, Rung, SnapshotCoder};

const LENGTH_BYTES: usize = 4;

fn format() -> Format {
    challenge::format(Rung::ChangedFlags, Class::Strict).expect("the challenge's format is one")
}

/// Number of ticks that [`write()`] writes: the stored ticks, a minute at most. It is 0 for a motion that was recorded
/// elsewhere, and for a world without the challenge's 901 cubes.
pub fn ticks(tape: &Tape) -> u64 {
    if tape.newest().len() != CUBES || tape.motion().is_some() {
        return 0;
    }
    (tape.last_tick() - tape.first_tick()).min(HELD_TICKS)
}

/// Returns the minute as bytes for [`frames`]. First comes the oldest frame as in a capture. Then each tick has a
/// little-endian u32 length, and a packet encoded against the frame before. The bytes are 1 to 3 MB; the frames of a
/// capture would be 104 MB.
pub fn write(tape: &Tape) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (ticks, format) = (ticks(tape), format());
    if ticks == 0 {
        return bytes;
    }
    let quantise = |truth: &[CubeState]| -> Vec<Cube> {
        truth.iter().map(|cube| format.quantise(cube)).collect()
    };
    let mut encoder = SnapshotCoder::new(&format);
    let mut packet = Vec::new();
    let mut truth = Vec::new();
    let first = tape.last_tick() - ticks;
    tape.truth().read(first, &mut truth);
    let oldest = quantise(&truth);
    challenge::write_frame(&oldest, &mut bytes);
    let mut before = Baseline::new(&format, &oldest).expect(QUANTISED);
    for tick in first + 1..=tape.last_tick() {
        tape.truth().wind(tick - 1, tick, &mut truth);
        let frame = quantise(&truth);
        encoder
            .encode(&mut before, 1, &frame, &mut packet)
            .expect(QUANTISED);
        let length = u32::try_from(packet.len()).expect("901 cubes take some kB");
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&packet);
    }
    bytes
}

const QUANTISED: &str = "frames have been quantised by this format";

/// Error of [`frames`] for bytes that [`write()`] did not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing has been recorded yet")]
pub struct LastMinuteError;

/// Reads the minute as the frames of a capture. As in the challenge, copies of the first frame come first, so that there is a
/// packet for every tick.
///
/// # Errors
/// When [`write()`] did not make the bytes, or the minute has no tick.
pub fn frames(minute: &[u8]) -> Result<Vec<Vec<Cube>>, LastMinuteError> {
    let format = format();
    let mut decoder = SnapshotCoder::new(&format);
    let (oldest, mut rest) = minute
        .split_at_checked(FRAME_BYTES)
        .ok_or(LastMinuteError)?;
    let oldest = challenge::parse_frame(0, oldest).map_err(|_| LastMinuteError)?;
    let mut frames = vec![oldest.clone(); INTERVAL];
    let mut before = Baseline::new(&format, &oldest).map_err(|_| LastMinuteError)?;
    while let Some((length, after)) = rest.split_first_chunk::<LENGTH_BYTES>() {
        let length = u32::from_le_bytes(*length) as usize;
        let (packet, after) = after.split_at_checked(length).ok_or(LastMinuteError)?;
        decoder
            .decode(&mut before, 1, packet)
            .map_err(|_| LastMinuteError)?;
        frames.push(before.cubes().to_vec());
        rest = after;
    }
    if rest.is_empty() && frames.len() > INTERVAL {
        Ok(frames)
    } else {
        Err(LastMinuteError)
    }
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
        let frames = frames(&write(&tape)).unwrap();
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
        let bytes = write(&tape);
        assert!(bytes.len() < FRAME_BYTES + 1000 * HELD_TICKS as usize);
        let frames = frames(&bytes).unwrap();
        assert_eq!(frames.len() as u64, HELD_TICKS + INTERVAL as u64);
        let newest = format().quantise(&tape.world().truth()[0]);
        let last = frames.last().map(|frame| frame[0].position[0]);
        assert_eq!(last, Some(newest.position[0]));
    }

    #[test]
    fn other_worlds_are_not_written_and_nothing_is_no_minute() {
        let tape = Tape::record(&Settings::default(), 0);
        assert_eq!(frames(&write(&tape)), Err(LastMinuteError));
        let bytes = write(&Tape::record(&Settings::default(), 1));
        assert_eq!(frames(&bytes).unwrap().len(), INTERVAL + 1);
        assert_eq!(frames(&bytes[..bytes.len() - 1]), Err(LastMinuteError));
        assert_eq!(
            frames(&[&bytes[..], &[9, 0]].concat()),
            Err(LastMinuteError)
        );
        let (other, _) = permalink::parse("#grid=8");
        let other = Tape::record(&other, 10);
        assert_eq!((ticks(&other), write(&other)), (0, Vec::new()));
    }
}
