//! The original's world, simulated on from decoded snapshots: the prediction of rung `simulated` for its captures.
//!
//! The captures were made by a program whose engine solves soft contacts by sweeps of over-relaxation. It keeps nothing
//! from one step to the next. So a world after the same rules goes on from positions and velocities alone, which a decoder
//! has. Our own world's engine starts warm from the forces of the step before. It predicts their positions less well, and
//! their orientations hardly better than dead reckoning does. This world is bit for bit the same natively and in wasm: no
//! clock, no trigonometry but `libm`'s, no fused multiplication. FORMAT.md of the codec, "The original's world", says what
//! a decoder elsewhere has to do.

mod body;
mod contact;
mod player;
mod solver;
mod world;

use snapshot_codec::{CubeState, Foresight};
use snapshot_record::challenge::INTERVAL;
use std::fmt;

/// Input byte n led to frame n + this.
const INPUT_LAG: usize = INTERVAL;
/// A step from frame f has the hover's wobble of frame f - this.
const WOBBLE_LAG: i32 = 4;
/// Six keys.
const INPUT_MAX: u8 = 63;

/// The original's world as both ends of rung `simulated` run it: of 1 to 4096 cubes, as a format has. It keeps nothing from packet
/// to packet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Original;

impl Foresight for Original {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        let mut world = world::World::new(cubes);
        let first = i32::from(sequence) - WOBBLE_LAG;
        for (frame, &input) in (first..).zip(inputs) {
            world.step(input, frame);
        }
        world.write(cubes);
    }
}

/// The keys pressed during a capture: for each frame the input that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs(Vec<u8>);

/// Why bytes are not the inputs of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputsError {
    /// A byte of more than six keys.
    Foreign {
        /// From 0.
        byte: usize,
        /// The byte's value.
        value: u8,
    },
    /// Too few for the capture.
    TooFew {
        /// Bytes that there are.
        bytes: usize,
        /// Bytes that the capture takes at least.
        needed: usize,
    },
}

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { byte, value } => {
                write!(
                    f,
                    "no inputs: byte {byte} is {value}, and six keys are {INPUT_MAX} at most"
                )
            }
            Self::TooFew { bytes, needed } => {
                write!(
                    f,
                    "{bytes} inputs are too few: the capture's frames take {needed}"
                )
            }
        }
    }
}

impl std::error::Error for InputsError {}

impl Inputs {
    /// Reads a file of inputs: one byte a tick, with bit 0 for left, then right, up, down, push and pull. The file has a
    /// byte for each frame from [`INTERVAL`] on, and may have more.
    ///
    /// # Errors
    /// When a byte is none, or there are too few for so many frames.
    pub fn parse(file: &[u8], frames: usize) -> Result<Self, InputsError> {
        if let Some(byte) = file.iter().position(|&byte| byte > INPUT_MAX) {
            return Err(InputsError::Foreign {
                byte,
                value: file[byte],
            });
        }
        let needed = frames.saturating_sub(INPUT_LAG);
        if file.len() < needed {
            return Err(InputsError::TooFew {
                bytes: file.len(),
                needed,
            });
        }
        let before = frames.min(INPUT_LAG);
        Ok(Self([&[0; INPUT_LAG][..before], &file[..needed]].concat()))
    }

    /// Returns for each frame the input that led to it.
    pub fn of_frames(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_of_the_frames_they_led_to_or_refused() {
        let file: Vec<u8> = (0..40).collect();
        let inputs = Inputs::parse(&file, 20).unwrap();
        assert_eq!(inputs.of_frames().len(), 20);
        assert_eq!(inputs.of_frames()[4..8], [0, 0, 0, 1]);
        assert_eq!(inputs.of_frames()[19], 13);
        assert!(Inputs::parse(&file, 46).is_ok());
        let too_few = InputsError::TooFew {
            bytes: 40,
            needed: 41,
        };
        assert_eq!(Inputs::parse(&file, 47), Err(too_few));
        let foreign = InputsError::Foreign { byte: 1, value: 64 };
        assert_eq!(Inputs::parse(&[63, 64], 6), Err(foreign));
        assert_eq!(Inputs::parse(&[], 3).unwrap().of_frames(), [0; 3]);
    }
}
