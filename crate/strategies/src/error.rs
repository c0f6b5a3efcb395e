//! Errors of senders and receivers: every refusal has a name of its own.

use crate::lockstep::{INPUT_BITS, MOST_INPUTS};
use snapshot_codec::{EncodeError, SnapshotError};
use std::fmt;

/// Why a sender refused a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SenderError {
    /// The tick does not follow the one before: a sender needs every tick's input. The first tick may be any.
    NotTheNextTick {
        /// The refused tick.
        tick: u64,
        /// The tick expected next.
        next: u64,
    },
    /// The number of cubes is not the format's.
    CubeCount {
        /// The number of cubes in the format.
        expected: usize,
        /// The number of cubes given.
        actual: usize,
    },
    /// The input has more than six bits.
    InputOutOfRange(u8),
    /// The encoder refused the snapshot.
    Encode(EncodeError),
    /// The encoder refused the packet of inputs.
    EncodeInputs(InputsError),
    /// The encoder refused the packet of inputs and states.
    EncodeSync(SyncEncodeError),
}

impl fmt::Display for SenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SenderError::NotTheNextTick { tick, next } => {
                write!(f, "tick {tick} where tick {next} comes next")
            }
            SenderError::CubeCount { expected, actual } => {
                write!(f, "{actual} cubes where the format has {expected}")
            }
            SenderError::InputOutOfRange(input) => {
                write!(f, "input {input}: must have at most {INPUT_BITS} bits")
            }
            SenderError::Encode(error) => error.fmt(f),
            SenderError::EncodeInputs(error) => error.fmt(f),
            SenderError::EncodeSync(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SenderError {}

impl From<EncodeError> for SenderError {
    fn from(error: EncodeError) -> SenderError {
        SenderError::Encode(error)
    }
}

impl From<InputsError> for SenderError {
    fn from(error: InputsError) -> SenderError {
        SenderError::EncodeInputs(error)
    }
}

impl From<SyncEncodeError> for SenderError {
    fn from(error: SyncEncodeError) -> SenderError {
        SenderError::EncodeSync(error)
    }
}

/// Why a packet of inputs was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputsError {
    /// A packet without inputs, or with more than [`MOST_INPUTS`].
    Count(usize),
    /// An input of more than [`INPUT_BITS`] bits.
    OutOfRange(u8),
}

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputsError::Count(count) => write!(f, "{count} inputs: must be 1 to {MOST_INPUTS}"),
            InputsError::OutOfRange(input) => {
                write!(f, "input {input}: must have at most {INPUT_BITS} bits")
            }
        }
    }
}

impl std::error::Error for InputsError {}

/// Why an [`SyncEncoder`](crate::sync::SyncEncoder) wrote no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyncEncodeError {
    /// A cube holds what the format can't send.
    Cube(SnapshotError),
    /// The index is beyond the last cube.
    Index {
        /// The refused index.
        index: usize,
        /// The format's number of cubes.
        cube_count: usize,
    },
    /// A cube was offered twice.
    Twice {
        /// The cube's index.
        cube: usize,
    },
    /// The inputs are not 1 to 32 inputs of 6 bits.
    Inputs,
    /// The sequence is not newer than the last one sent, or is ahead by more than half the sequence range.
    SequenceNotNewer {
        /// The refused sequence.
        sequence: u32,
        /// The newest sequence sent.
        newest: u32,
    },
}

impl From<SnapshotError> for SyncEncodeError {
    fn from(error: SnapshotError) -> Self {
        Self::Cube(error)
    }
}

impl fmt::Display for SyncEncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cube(error) => error.fmt(f),
            Self::Index { index, cube_count } => write!(f, "index {index} of {cube_count} cubes"),
            Self::Twice { cube } => write!(f, "cube {cube} twice in a packet"),
            Self::Inputs => f.write_str("a packet has 1 to 32 inputs of 6 bits"),
            Self::SequenceNotNewer { sequence, newest } => {
                write!(
                    f,
                    "sequence {sequence} is not newer than {newest}, which has been sent"
                )
            }
        }
    }
}

impl std::error::Error for SyncEncodeError {}

/// Why a packet was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields say where in the packet, or in which cube; Display puts them into words.
pub enum DecodeError {
    /// A refusal that packets of snapshots share.
    Codec(snapshot_codec::DecodeError),
    /// A packet of inputs contains no input.
    NoInputs,
    /// An input is flagged as changed, but equals the one before.
    InputNotChanged { at_bit: usize },
    /// More updates than a packet of state synchronisation may hold.
    UpdateCount { count: usize },
    /// An update's baseline packet was never received with that cube, or has been forgotten.
    UpdateBaselineUnknown { cube: usize, baseline: u32 },
}

impl From<snapshot_codec::DecodeError> for DecodeError {
    fn from(error: snapshot_codec::DecodeError) -> DecodeError {
        DecodeError::Codec(error)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Codec(error) => error.fmt(f),
            DecodeError::NoInputs => f.write_str("a packet of inputs without an input"),
            DecodeError::InputNotChanged { at_bit } => write!(
                f,
                "the input at bit {at_bit} is flagged as changed, but is as the one before"
            ),
            DecodeError::UpdateCount { count } => {
                write!(f, "{count} updates: at most 64 are allowed")
            }
            DecodeError::UpdateBaselineUnknown { cube, baseline } => write!(
                f,
                "cube {cube}: its baseline, packet {baseline}, is not held"
            ),
        }
    }
}

impl std::error::Error for DecodeError {}
