//! The last minute of a world, kept small, so that it can be judged and saved as a capture of the challenge.

use crate::time::TICKS_PER_S;
use snapshot_codec::challenge::{self, CUBES, FRAME_BYTES, INTERVAL, Side};
use snapshot_codec::{Class, Cube, CubeState, Format, Ledger, Rung};
use std::collections::VecDeque;
use std::fmt;

/// Ticks that are kept.
const TICKS_MAX: usize = 60 * TICKS_PER_S as usize;
/// Bytes that say how long a packet is.
const LENGTH_BYTES: usize = 4;

/// A ring of packets of our own codec, each against the frame before. A minute of play takes 1 to 3 MB, and 36 MB if all cubes
/// tumbled all the time; as frames it would be 104 MB.
#[derive(Clone, Debug)]
pub struct LastMinute {
    format: Format,
    encoder: Side,
    decoder: Side,
    /// What the first packet is against; none before the first tick.
    oldest: Vec<Cube>,
    newest: Vec<Cube>,
    packets: VecDeque<Box<[u8]>>,
    frame: Vec<Cube>,
    packet: Vec<u8>,
    ledger: Ledger,
}

impl Default for LastMinute {
    fn default() -> Self {
        let format = challenge::format(Rung::ChangedFlags, Class::Strict)
            .expect("the challenge's format is one");
        LastMinute {
            encoder: Side::new(&format),
            decoder: Side::new(&format),
            format,
            oldest: Vec::new(),
            newest: Vec::new(),
            packets: VecDeque::new(),
            frame: Vec::new(),
            packet: Vec::new(),
            ledger: Ledger::new(),
        }
    }
}

impl LastMinute {
    /// Keeps a tick, and forgets the one of a minute ago. The challenge has 901 cubes: of another world nothing is kept.
    pub fn keep(&mut self, truth: &[CubeState]) {
        if truth.len() != CUBES {
            return self.clear();
        }
        self.frame.clear();
        let format = &self.format;
        self.frame
            .extend(truth.iter().map(|cube| format.quantise(cube)));
        if self.oldest.is_empty() {
            self.oldest.clone_from(&self.frame);
        } else {
            if self.packets.len() == TICKS_MAX
                && let Some(packet) = self.packets.pop_front()
            {
                let frame = self.decoder.decode(0, &self.oldest, &packet);
                self.oldest
                    .copy_from_slice(frame.expect("the encoder below has written it"));
            }
            self.ledger.clear();
            self.encoder
                .encode(
                    0,
                    &self.newest,
                    &self.frame,
                    &mut self.packet,
                    &mut self.ledger,
                )
                .expect("both frames have been quantised by this format");
            self.packets.push_back(self.packet.as_slice().into());
        }
        std::mem::swap(&mut self.newest, &mut self.frame);
    }

    /// Forgets everything, as when a world begins anew.
    pub fn clear(&mut self) {
        self.oldest.clear();
        self.packets.clear();
    }

    /// Ticks that are kept, and packets of the challenge that they make.
    pub fn ticks(&self) -> usize {
        self.packets.len()
    }

    /// What is kept as one piece, which [`frames`] takes apart: the oldest frame as in a capture, then each packet after its
    /// length as a little-endian u32. Nothing where no tick is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        challenge::write_frame(&self.oldest, &mut bytes);
        for packet in &self.packets {
            let length = u32::try_from(packet.len()).expect("901 cubes take some kB");
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(packet);
        }
        bytes
    }
}

/// What [`LastMinute::to_bytes`] has not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAMinute;

impl fmt::Display for NotAMinute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing has been recorded yet")
    }
}

impl std::error::Error for NotAMinute {}

/// The minute as the frames of a capture: as the challenge has it, the first frames repeat what was at first, so that there is a
/// packet a tick.
///
/// # Errors
/// When the bytes are not those of a minute of at least one tick.
pub fn frames(minute: &[u8]) -> Result<Vec<Vec<Cube>>, NotAMinute> {
    let LastMinute { mut decoder, .. } = LastMinute::default();
    let (oldest, mut rest) = minute.split_at_checked(FRAME_BYTES).ok_or(NotAMinute)?;
    let mut frames = challenge::parse(&oldest.repeat(INTERVAL + 1)).map_err(|_| NotAMinute)?;
    frames.pop();
    while let Some((length, after)) = rest.split_first_chunk::<LENGTH_BYTES>() {
        let length = u32::from_le_bytes(*length) as usize;
        let (packet, after) = after.split_at_checked(length).ok_or(NotAMinute)?;
        let base = frames.last().ok_or(NotAMinute)?;
        let frame = decoder
            .decode(0, base, packet)
            .map_err(|_| NotAMinute)?
            .to_vec();
        frames.push(frame);
        rest = after;
    }
    if rest.is_empty() && frames.len() > INTERVAL {
        Ok(frames)
    } else {
        Err(NotAMinute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Lab, Settings};

    /// Plays `ticks`, and gives what the challenge would have kept of them, the state at first included.
    fn play(lab: &mut Lab, minute: &mut LastMinute, ticks: usize) -> Vec<Vec<Cube>> {
        let format = challenge::format(Rung::ChangedFlags, Class::Strict).unwrap();
        let mut seen = Vec::new();
        for tick in 0..=ticks {
            if tick > 0 {
                lab.tick(Input::NONE);
            }
            minute.keep(lab.truth());
            seen.push(lab.truth().iter().map(|c| format.quantise(c)).collect());
        }
        seen
    }

    #[test]
    fn a_recording_is_what_was_simulated() {
        let (mut lab, mut minute) = (Lab::new(Settings::default()), LastMinute::default());
        let seen = play(&mut lab, &mut minute, 200);
        assert_eq!(minute.ticks(), 200);
        let frames = frames(&minute.to_bytes()).unwrap();
        assert_eq!(frames.len(), INTERVAL + 200);
        assert!(frames[..INTERVAL].iter().all(|frame| *frame == seen[0]));
        assert_eq!(frames[INTERVAL..], seen[1..]);
    }

    #[test]
    fn a_minute_is_kept_and_what_was_before_is_forgotten() {
        let mut minute = LastMinute::default();
        let mut cubes = Lab::new(Settings::default()).truth().to_vec();
        let moved = |tick: usize| tick as f32 / 512.0;
        for tick in 0..=TICKS_MAX + 90 {
            cubes[7].position[0] = moved(tick);
            minute.keep(&cubes);
        }
        assert_eq!(minute.ticks(), TICKS_MAX);
        let bytes = minute.to_bytes();
        assert!(bytes.len() < 2 * FRAME_BYTES + 20 * TICKS_MAX);
        let frames = frames(&bytes).unwrap();
        let x: Vec<_> = frames.iter().map(|frame| frame[7].position[0]).collect();
        assert_eq!(x[0], 90);
        assert_eq!(
            x[INTERVAL..],
            (91..=TICKS_MAX as i32 + 90).collect::<Vec<_>>()
        );
    }

    #[test]
    fn other_worlds_are_not_kept_and_nothing_is_no_minute() {
        let mut minute = LastMinute::default();
        assert_eq!(frames(&minute.to_bytes()), Err(NotAMinute));
        let cubes = Lab::new(Settings::default()).truth().to_vec();
        minute.keep(&cubes);
        assert_eq!(frames(&minute.to_bytes()), Err(NotAMinute));
        minute.keep(&cubes);
        let bytes = minute.to_bytes();
        assert_eq!(frames(&bytes).unwrap().len(), INTERVAL + 1);
        assert_eq!(frames(&bytes[..bytes.len() - 1]), Err(NotAMinute));
        assert_eq!(frames(&[&bytes[..], &[9, 0]].concat()), Err(NotAMinute));
        minute.keep(&cubes[..100]);
        assert_eq!((minute.ticks(), minute.to_bytes()), (0, Vec::new()));
    }
}
