//! The data-compression challenge of 2015: the file format of its captures, and the rules for any codec. A *rung* is one of
//! the lab's encodings, numbered by rising compression.
//!
//! A file is frames of 901 cubes, a cube eight little-endian i32: largest component of the orientation, its three codes of 9
//! bits, position in 1/512 m, interacting. Frame n, from 6 on, is one packet of whole bytes against frame n - 6; there
//! is no header, because both sides know n.

mod judge;

pub use judge::{ChallengeWorld, CodecVerdict, Judge, JudgePhase};

use snapshot_codec::quantise::FixedPoint;
use snapshot_codec::{Class, ConfigError, Cube, Format, Life, QuantisationBits, Rung};

pub const CUBES: usize = 901;
/// Distance between a frame and its baseline, in ticks or frames.
pub const INTERVAL: usize = 6;
pub const FRAME_BYTES: usize = CUBES * 8 * 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The file ends within a frame.
    #[error("{bytes} bytes are not a whole number of frames of {FRAME_BYTES} bytes")]
    Truncated { bytes: usize },
    /// The file has too few frames for a packet.
    #[error("{frames} frames: a capture has at least {}", INTERVAL + 1)]
    TooShort { frames: usize },
    /// A field has a value that no capture can have.
    #[error("not a capture: number {field} of cube {cube} in frame {frame} is {value}")]
    Foreign {
        /// Index of the frame, from 0.
        frame: usize,
        /// Index of the cube within the frame, from 0.
        cube: usize,
        /// Index of the field within the cube, from 0.
        field: usize,
        value: i32,
    },
}

/// Makes the format of captures for a rung.
pub fn format(rung: Rung, class: Class) -> Result<Format, ConfigError> {
    Ok(Format::new(rung, QuantisationBits::DEFAULT, CUBES)?.with_class(class))
}

/// Iterates over the rungs that can encode captures, because they have integer positions and a baseline.
pub fn rungs() -> impl Iterator<Item = Rung> {
    Rung::ALL.into_iter().filter(|rung| rung.is_delta())
}

/// Iterates over the codecs that need only the frames: all of [`rungs`] except `simulated`, arithmetic rungs in both classes.
pub fn codecs() -> impl Iterator<Item = (Rung, Class)> {
    let rungs = rungs().filter(|rung| !rung.needs_simulation());
    rungs.flat_map(|rung| {
        let classes = if rung.is_arithmetic() {
            &Class::ALL[..]
        } else {
            &[Class::Strict]
        };
        classes.iter().map(move |&class| (rung, class))
    })
}

/// Parses all frames of a capture.
pub fn parse(bytes: &[u8]) -> Result<Vec<Vec<Cube>>, ParseError> {
    // A foreign value is reported before a wrong length, so the values of a frame that is cut off are checked as well.
    let frames = bytes.chunks(FRAME_BYTES).enumerate();
    let frames: Vec<_> = frames
        .map(|(frame, bytes)| parse_frame(frame, bytes))
        .collect::<Result<_, _>>()?;
    check_length(bytes.len())?;
    Ok(frames)
}

/// Parses one frame of a capture. If `bytes` end early, the result has only the cubes that are whole. `frame` is the frame's
/// index, and appears only in the error.
pub fn parse_frame(frame: usize, bytes: &[u8]) -> Result<Vec<Cube>, ParseError> {
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
}

/// Checks that a capture of `bytes` bytes has whole frames, and enough frames for a packet.
pub fn check_length(bytes: usize) -> Result<(), ParseError> {
    let frames = bytes / FRAME_BYTES;
    match () {
        () if !bytes.is_multiple_of(FRAME_BYTES) => Err(ParseError::Truncated { bytes }),
        () if frames <= INTERVAL => Err(ParseError::TooShort { frames }),
        () => Ok(()),
    }
}

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

/// Returns the fixed-point ranges of the three position axes.
fn axes() -> [FixedPoint; 3] {
    let format = Format::new(Rung::RelativeOrientation, QuantisationBits::DEFAULT, 1);
    format.expect("a format of one cube").position_axes()
}

/// Returns true if bytes begin with a cube, as a capture does.
pub fn begins(bytes: &[u8]) -> bool {
    let first = bytes.get(..FRAME_BYTES / CUBES);
    first.is_some_and(|first| parse_cube(first).is_ok())
}

fn parse_cube(bytes: &[u8]) -> Result<Cube, (usize, i32)> {
    let mut numbers = [0; 8];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = i32::from_le_bytes(*bytes);
    }
    let [x, y, z] = axes();
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
        linear_velocity: [0; 3],
        at_rest: false,
        life: Life::FIRST,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn slide(frames: usize) -> Vec<Vec<Cube>> {
        let cube = |index: i32| Cube {
            orientation: [3, 256, 256, 256],
            position: [512 * (index % 30), 512 * (index / 30), 102],
            ..Cube::default()
        };
        let slid = |frame: usize| {
            let mut cubes: Vec<_> = (0..CUBES as i32).map(cube).collect();
            cubes[5].position[0] += 3 * frame as i32;
            cubes
        };
        (0..frames).map(slid).collect()
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
