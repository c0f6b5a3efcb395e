//! Errors of senders and receivers: every refusal has a name of its own.

use crate::strategy::lockstep::{INPUT_BITS, MOST_INPUTS};
use snapshot_codec::{EncodeError, SnapshotError};
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SenderError {
    /// The tick does not follow the one before: a sender needs every tick's input. The first tick may have any number.
    #[error("tick {tick} where tick {next} comes next")]
    NotTheNextTick { tick: u64, next: u64 },
    #[error("{actual} cubes where the format has {expected}")]
    CubeCount { expected: usize, actual: usize },
    #[error("input {0}: must have at most {INPUT_BITS} bits")]
    InputOutOfRange(u8),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    EncodeInputs(#[from] InputsError),
    #[error(transparent)]
    EncodeSync(#[from] SyncEncodeError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InputsError {
    #[error("{0} inputs: must be 1 to {MOST_INPUTS}")]
    Count(usize),
    #[error("input {0}: must have at most {INPUT_BITS} bits")]
    OutOfRange(u8),
}

/// Reason why a [`SyncEncoder`](crate::strategy::sync::SyncEncoder) wrote no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SyncEncodeError {
    /// A cube has a value that the format cannot send.
    #[error(transparent)]
    Cube(#[from] SnapshotError),
    #[error("index {index} of {cube_count} cubes")]
    Index { index: usize, cube_count: usize },
    #[error("cube {cube} twice in a packet")]
    Twice { cube: usize },
    /// The number of inputs is not 1 to 32, or one of them has more than 6 bits.
    #[error("a packet has 1 to 32 inputs of 6 bits")]
    Inputs,
    /// The sequence is not newer than the last one sent, or is ahead by more than half the sequence range.
    #[error("sequence {sequence} is not newer than {newest}, which has been sent")]
    SequenceNotNewer { sequence: u32, newest: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// An error that packets of snapshots have, too.
    #[error(transparent)]
    Codec(#[from] snapshot_codec::DecodeError),
    #[error("a packet of inputs without an input")]
    NoInputs,
    /// An input is flagged as changed, but equals the one before.
    #[error("an input is flagged as changed, but is as the one before")]
    InputNotChanged,
    /// The packet has more updates than the limit of state synchronisation.
    #[error("{count} updates: at most 64 are allowed")]
    UpdateCount { count: usize },
    /// An update has a baseline packet that was never received with that cube, or has been forgotten.
    #[error("cube {cube}: its baseline, packet {baseline}, is not held")]
    UpdateBaselineUnknown { cube: usize, baseline: u32 },
}
