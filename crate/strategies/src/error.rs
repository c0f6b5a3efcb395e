//! Errors of senders and receivers: every refusal has a name of its own.

use crate::lockstep::{INPUT_BITS, MOST_INPUTS};
use snapshot_codec::{EncodeError, SnapshotError};
use std::fmt;

/// Why a sender took no tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SenderError {
    /// A tick that does not follow the tick before: each tick needs an input. The first may be any.
    NotTheNextTick {
        /// The refused one.
        tick: u64,
        /// The one that comes next.
        next: u64,
    },
    /// The number of cubes is not the format's.
    CubeCount {
        /// The format's number.
        expected: usize,
        /// The given number.
        actual: usize,
    },
    /// An input of more than six bits.
    InputOutOfRange(u8),
    /// The encoder wrote no snapshot.
    Encode(EncodeError),
    /// No packet of inputs was written.
    EncodeInputs(InputsError),
    /// The encoder wrote no packet of inputs and states.
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
    /// No input, or more than [`MOST_INPUTS`].
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
    /// A cube that there is not.
    Index {
        /// Its index.
        index: usize,
        /// The format's number of cubes.
        cube_count: usize,
    },
    /// A cube was offered twice.
    Twice {
        /// Its index.
        cube: usize,
    },
    /// 1 to 32 inputs of 6 bits.
    Inputs,
    /// Sequences only go forward, by less than half their range.
    SequenceNotNewer {
        /// The refused one.
        sequence: u32,
        /// The newest that has been sent.
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
    /// A refusal that packets of snapshots have too.
    Codec(snapshot_codec::DecodeError),
    /// A packet of inputs without one.
    NoInputs,
    /// An input flagged as changed that is the one before.
    InputNotChanged { at_bit: usize },
    /// More updates than a sync packet holds.
    UpdateCount { count: usize },
    /// An update against a packet that was never received with that cube, or has been forgotten.
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
