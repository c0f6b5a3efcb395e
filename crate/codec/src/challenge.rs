//! The data-compression challenge of 2015: its file format, and its rules for any codec.
//!
//! A file is frames of 901 cubes, a cube eight little-endian i32: largest component of the orientation, its three codes of 9
//! bits, position in 1/512 m, interacting. Frame n, from 6 on, is one packet of whole bytes against frame n - 6; there
//! is no header, because both sides know n.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::cube::Cube;
use crate::error::{ConfigError, DecodeError, SnapshotError};
use crate::format::{Class, Format, QuantisationBits, Rung};
use crate::ledger::Ledger;
use crate::model::Memory;
use crate::snapshot::{Baseline, PacketCoder};

/// Cubes of a frame.
pub const CUBES: usize = 901;
/// Ticks, and frames, between a frame and its baseline.
pub const INTERVAL: usize = 6;
/// Bytes of a frame.
pub const FRAME_BYTES: usize = CUBES * 8 * 4;
/// Packets a second.
const PACKETS_PER_S: f64 = 60.0;

/// Why bytes are no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// Not a whole number of frames.
    Truncated {
        /// Bytes that there are.
        bytes: usize,
    },
    /// No packet can be made of it.
    TooShort {
        /// Frames that there are.
        frames: usize,
    },
    /// A number that no capture holds there.
    Foreign {
        /// Frame, from 0.
        frame: usize,
        /// Cube of the frame, from 0.
        cube: usize,
        /// Number of the cube, from 0.
        field: usize,
        /// What it is.
        value: i32,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { bytes } => {
                write!(
                    f,
                    "{bytes} bytes are not a whole number of frames of {FRAME_BYTES} bytes"
                )
            }
            Self::TooShort { frames } => {
                write!(
                    f,
                    "{frames} frames: a capture has at least {}",
                    INTERVAL + 1
                )
            }
            Self::Foreign {
                frame,
                cube,
                field,
                value,
            } => write!(
                f,
                "not a capture: number {field} of cube {cube} in frame {frame} is {value}"
            ),
        }
    }
}

impl core::error::Error for ParseError {}

/// The format of captures on that rung.
pub fn format(rung: Rung, class: Class) -> Result<Format, ConfigError> {
    Ok(Format::new(rung, QuantisationBits::DEFAULT, CUBES)?.with_class(class))
}

/// Rungs that can take the format: those that send positions as integers against a baseline.
pub fn rungs() -> impl Iterator<Item = Rung> {
    Rung::ALL.into_iter().filter(|rung| rung.is_delta())
}

/// Every codec that can take the format, the arithmetic rungs in both classes.
pub fn codecs() -> impl Iterator<Item = (Rung, Class)> {
    rungs().flat_map(|rung| {
        let classes = if rung.is_arithmetic() {
            &Class::ALL[..]
        } else {
            &[Class::Strict]
        };
        classes.iter().map(move |&class| (rung, class))
    })
}

/// The frames of a file.
pub fn parse(bytes: &[u8]) -> Result<Vec<Vec<Cube>>, ParseError> {
    let parse_frame = |(frame, bytes): (usize, &[u8])| {
        let mut cubes = Vec::with_capacity(CUBES);
        for (cube, bytes) in bytes.chunks_exact(FRAME_BYTES / CUBES).enumerate() {
            let foreign = |(field, value)| ParseError::Foreign {
                frame,
                cube,
                field,
                value,
            };
            cubes.push(parse_cube(bytes).map_err(foreign)?);
        }
        Ok(cubes)
    };
    // What is no capture is called that, whatever its length, and so what is in a frame that is cut off counts as well.
    let frames: Vec<_> = bytes
        .chunks(FRAME_BYTES)
        .enumerate()
        .map(parse_frame)
        .collect::<Result<_, _>>()?;
    if !bytes.len().is_multiple_of(FRAME_BYTES) {
        return Err(ParseError::Truncated { bytes: bytes.len() });
    }
    if frames.len() <= INTERVAL {
        return Err(ParseError::TooShort {
            frames: frames.len(),
        });
    }
    Ok(frames)
}

/// Appends a frame in the format of the files.
pub fn write_frame(frame: &[Cube], bytes: &mut Vec<u8>) {
    for cube in frame {
        let interacting = i32::from(cube.interacting);
        let numbers = cube
            .orientation
            .iter()
            .chain(&cube.position)
            .chain([&interacting]);
        numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    }
}

fn parse_cube(bytes: &[u8]) -> Result<Cube, (usize, i32)> {
    let mut numbers = [0; 8];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = i32::from_le_bytes(*bytes);
    }
    let [x, y, z] = crate::quantise::FixedPoint::position(QuantisationBits::DEFAULT.position());
    for (field, &number) in numbers.iter().enumerate() {
        let fits = match field {
            0 => (0..4).contains(&number),
            1..=3 => (0..512).contains(&number),
            // The original clamps to the upper bounds themselves, a step more than fits; no capture goes there.
            4 => x.contains(number),
            5 => y.contains(number),
            6 => z.contains(number),
            _ => (0..2).contains(&number),
        };
        if !fits {
            return Err((field, number));
        }
    }
    let [largest, a, b, c, x, y, z, interacting] = numbers;
    Ok(Cube {
        orientation: [largest, a, b, c],
        position: [x, y, z],
        interacting: interacting != 0,
        ..Cube::default()
    })
}

/// One side of the challenge: the coder, and what is kept beside the last [`INTERVAL`] frames.
#[derive(Clone, Debug)]
pub struct Side {
    format: Format,
    coder: PacketCoder,
    memories: [Memory; INTERVAL],
    scratch: Vec<Cube>,
}

impl Side {
    /// Of frame [`INTERVAL`], which comes first.
    pub fn new(format: &Format) -> Self {
        Self {
            format: *format,
            coder: PacketCoder::new(format),
            memories: Default::default(),
            scratch: Vec::with_capacity(format.cube_count()),
        }
    }

    /// Replaces `packet` by that of frame `n`, and adds to `ledger` what it consists of.
    ///
    /// # Errors
    /// When base or frame is no snapshot of the format; the packet is empty then, and the ledger as before.
    pub fn encode(
        &mut self,
        n: usize,
        base: &[Cube],
        frame: &[Cube],
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Result<(), SnapshotError> {
        packet.clear();
        self.format.check(base)?;
        let memory = &mut self.memories[n % INTERVAL];
        let baseline = Baseline {
            cubes: base,
            memory,
            ticks: INTERVAL as u16,
        };
        self.coder.write(None, baseline, frame, packet, ledger)?;
        self.coder.keep(memory);
        Ok(())
    }

    /// The frame `n` that a packet holds.
    ///
    /// # Errors
    /// When base is no snapshot of the format, or the packet none against it; nothing changes then.
    pub fn decode(
        &mut self,
        n: usize,
        base: &[Cube],
        packet: &[u8],
    ) -> Result<&[Cube], DecodeError> {
        self.format.check(base).map_err(DecodeError::Baseline)?;
        let memory = &mut self.memories[n % INTERVAL];
        let baseline = Baseline {
            cubes: base,
            memory,
            ticks: INTERVAL as u16,
        };
        let body = self.coder.open_body(packet);
        self.coder.read(body, baseline, &mut self.scratch)?;
        self.coder.keep(memory);
        Ok(&self.scratch)
    }
}

/// What a capture came to.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Packets made.
    pub packets: usize,
    /// Bytes of all of them.
    pub bytes: usize,
    /// Packets that did not decode to their frame.
    pub mismatches: usize,
    /// Where the bits went.
    pub ledger: Ledger,
}

impl Verdict {
    /// Mean bytes a packet: the challenge's score.
    pub fn bytes_per_packet_mean(&self) -> f64 {
        self.bytes as f64 / self.packets.max(1) as f64
    }

    /// The same in kbit/s, at 60 packets a second and without headers.
    pub fn kbps(&self) -> f64 {
        self.bytes_per_packet_mean() * PACKETS_PER_S * 8.0 / 1000.0
    }

    /// Whether every packet was decoded to its frame.
    pub fn lossless(&self) -> bool {
        self.mismatches == 0
    }
}

/// Both sides, frame after frame.
#[derive(Clone, Debug)]
pub struct Judge {
    encoder: Side,
    decoder: Side,
    packets: Vec<Vec<u8>>,
    verdict: Verdict,
}

impl Judge {
    /// Before frame [`INTERVAL`].
    pub fn new(format: &Format) -> Self {
        Self {
            encoder: Side::new(format),
            decoder: Side::new(format),
            packets: Vec::new(),
            verdict: Verdict::default(),
        }
    }

    /// Encodes some frames, of which the first is the one after the last judged, and decodes them again; `around` runs
    /// each of the two, in that order, and may time it.
    pub fn judge(
        &mut self,
        batch: Range<usize>,
        frames: &[Vec<Cube>],
        around: &mut dyn FnMut(Direction, &mut dyn FnMut()),
    ) -> Result<(), SnapshotError> {
        let Self {
            encoder,
            decoder,
            packets,
            verdict,
        } = self;
        packets.resize_with(batch.len(), Vec::new);
        let mut encoded = Ok(());
        around(Direction::Encode, &mut || {
            encoded = batch
                .clone()
                .zip(packets.iter_mut())
                .try_for_each(|(n, packet)| {
                    let base = &frames[n - INTERVAL];
                    encoder.encode(n, base, &frames[n], packet, &mut verdict.ledger)
                });
        });
        encoded?;
        around(Direction::Decode, &mut || {
            for (n, packet) in batch.clone().zip(packets.iter()) {
                let decoded = decoder.decode(n, &frames[n - INTERVAL], packet);
                let same = decoded.is_ok_and(|decoded| decoded == frames[n]);
                verdict.mismatches += usize::from(!same);
            }
        });
        verdict.packets += packets.len();
        verdict.bytes += packets.iter().map(Vec::len).sum::<usize>();
        Ok(())
    }

    /// Bytes of each packet of the last batch.
    pub fn sizes(&self) -> impl Iterator<Item = usize> {
        self.packets.iter().map(Vec::len)
    }

    /// So far.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

/// What [`Judge::judge`] is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Encode,
    Decode,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Field;
    use alloc::vec;

    /// Frames in which one cube slides.
    fn slide(frames: usize) -> Vec<Vec<Cube>> {
        let cube = Cube {
            orientation: [3, 256, 256, 256],
            position: [0, 0, 102],
            ..Cube::default()
        };
        (0..frames)
            .map(|frame| {
                let mut cubes = vec![cube; CUBES];
                cubes[5].position[0] = 3 * frame as i32;
                cubes
            })
            .collect()
    }

    fn file(frames: &[Vec<Cube>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        frames
            .iter()
            .for_each(|frame| write_frame(frame, &mut bytes));
        bytes
    }

    #[test]
    fn what_is_written_is_parsed_and_what_is_no_capture_is_called_that() {
        let frames = slide(8);
        let bytes = file(&frames);
        assert_eq!(parse(&bytes), Ok(frames));
        assert_eq!(parse(&[]), Err(ParseError::TooShort { frames: 0 }));
        assert_eq!(
            parse(&bytes[..6 * FRAME_BYTES]),
            Err(ParseError::TooShort { frames: 6 })
        );
        let cut = 7 * FRAME_BYTES + 40;
        assert_eq!(
            parse(&bytes[..cut]),
            Err(ParseError::Truncated { bytes: cut })
        );
        let foreign = |frame, cube, field, value| {
            Err(ParseError::Foreign {
                frame,
                cube,
                field,
                value,
            })
        };
        assert_eq!(parse(&[b'x'; 100]), foreign(0, 0, 0, 0x7878_7878));
        for (field, value) in [(0, 4), (3, 512), (4, -(256 << 9) - 1), (6, 32 << 9), (7, 2)] {
            let mut bytes = bytes.clone();
            let at = FRAME_BYTES + 32 + 4 * field;
            bytes[at..at + 4].copy_from_slice(&i32::to_le_bytes(value));
            assert_eq!(parse(&bytes), foreign(1, 1, field, value));
        }
    }

    #[test]
    fn batches_come_to_what_single_packets_come_to() {
        let frames = slide(26);
        for (rung, class) in codecs() {
            let format = format(rung, class).unwrap();
            let (mut one, mut many) = (Judge::new(&format), Judge::new(&format));
            let mut calls = Vec::new();
            let mut single = Vec::new();
            for n in INTERVAL..frames.len() {
                one.judge(n..n + 1, &frames, &mut |_, run| run()).unwrap();
                single.extend(one.sizes());
            }
            let mut batched = Vec::new();
            for batch in [6..7, 7..20, 20..26] {
                let around = &mut |direction, run: &mut dyn FnMut()| {
                    calls.push(direction);
                    run();
                };
                many.judge(batch, &frames, around).unwrap();
                batched.extend(many.sizes());
            }
            assert_eq!(single, batched, "{rung:?} {class:?}");
            assert_eq!(calls, [Direction::Encode, Direction::Decode].repeat(3));
            let (one, many) = (one.verdict(), many.verdict());
            assert_eq!(many.packets, 20);
            assert_eq!(many.bytes, batched.iter().sum());
            assert_eq!(one.ledger.total_65536ths(), many.ledger.total_65536ths());
            assert!(one.lossless() && many.lossless(), "{rung:?} {class:?}");
        }
    }

    #[test]
    fn a_base_that_is_no_frame_is_refused_by_name_on_both_sides() {
        let frames = slide(8);
        let mut out_of_range = frames[0].clone();
        out_of_range[7].orientation[2] = 512;
        let field = Field::Orientation;
        for (rung, class) in codecs() {
            let format = format(rung, class).unwrap();
            let (mut encoder, mut decoder) = (Side::new(&format), Side::new(&format));
            let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
            let mut encode = |base: &[Cube], packet: &mut Vec<u8>| {
                encoder.encode(6, base, &frames[6], packet, &mut ledger)
            };
            encode(&frames[0], &mut packet).unwrap();
            for (base, refused) in [
                (
                    &frames[0][..900],
                    SnapshotError::CubeCount {
                        expected: CUBES,
                        actual: 900,
                    },
                ),
                (&out_of_range, SnapshotError::OutOfRange { cube: 7, field }),
            ] {
                let mut nothing = vec![1];
                assert_eq!(encode(base, &mut nothing), Err(refused));
                assert!(nothing.is_empty());
                let decoded = decoder.decode(6, base, &packet);
                assert_eq!(decoded, Err(DecodeError::Baseline(refused)));
            }
            assert_eq!(decoder.decode(6, &frames[0], &packet), Ok(&frames[6][..]));
        }
    }

    #[test]
    fn only_codecs_with_probabilities_have_two_classes() {
        let names: Vec<_> = codecs()
            .map(|(rung, class)| (rung.name(), class.name()))
            .collect();
        assert_eq!(names.len(), 10);
        assert_eq!(names[0], ("not-changed", "strict"));
        assert_eq!(
            names[8..],
            [("predicted", "strict"), ("predicted", "chained")]
        );
    }
}
