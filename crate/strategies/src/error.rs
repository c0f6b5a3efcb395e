//! Errors of senders and receivers: every refusal has a name of its own.

use crate::lockstep::{INPUT_BITS, MOST_INPUTS};
use snapshot_codec::{EncodeError, SnapshotError};
use thiserror::Error;

/// Why a sender refused a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SenderError {
    /// The tick does not follow the one before: a sender needs every tick's input. The first tick may be any.
    #[error("tick {tick} where tick {next} comes next")]
    NotTheNextTick {
        /// The refused tick.
        tick: u64,
        /// The tick expected next.
        next: u64,
    },
    /// The number of cubes is not the format's.
    #[error("{actual} cubes where the format has {expected}")]
    CubeCount {
        /// The number of cubes in the format.
        expected: usize,
        /// The number of cubes given.
        actual: usize,
    },
    /// The input has more than six bits.
    #[error("input {0}: must have at most {INPUT_BITS} bits")]
    InputOutOfRange(u8),
    /// The encoder refused the snapshot.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The encoder refused the packet of inputs.
    #[error(transparent)]
    EncodeInputs(#[from] InputsError),
    /// The encoder refused the packet of inputs and states.
    #[error(transparent)]
    EncodeSync(#[from] SyncEncodeError),
}

/// Why a packet of inputs was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InputsError {
    /// A packet without inputs, or with more than [`MOST_INPUTS`].
    #[error("{0} inputs: must be 1 to {MOST_INPUTS}")]
    Count(usize),
    /// An input of more than [`INPUT_BITS`] bits.
    #[error("input {0}: must have at most {INPUT_BITS} bits")]
    OutOfRange(u8),
}

/// Why an [`SyncEncoder`](crate::sync::SyncEncoder) wrote no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SyncEncodeError {
    /// A cube holds what the format can't send.
    #[error(transparent)]
    Cube(#[from] SnapshotError),
    /// The index is beyond the last cube.
    #[error("index {index} of {cube_count} cubes")]
    Index {
        /// The refused index.
        index: usize,
        /// The format's number of cubes.
        cube_count: usize,
    },
    /// A cube was offered twice.
    #[error("cube {cube} twice in a packet")]
    Twice {
        /// The cube's index.
        cube: usize,
    },
    /// The inputs are not 1 to 32 inputs of 6 bits.
    #[error("a packet has 1 to 32 inputs of 6 bits")]
    Inputs,
    /// The sequence is not newer than the last one sent, or is ahead by more than half the sequence range.
    #[error("sequence {sequence} is not newer than {newest}, which has been sent")]
    SequenceNotNewer {
        /// The refused sequence.
        sequence: u32,
        /// The newest sequence sent.
        newest: u32,
    },
}

/// Why a packet was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A refusal that packets of snapshots share.
    #[error(transparent)]
    Codec(#[from] snapshot_codec::DecodeError),
    /// A packet of inputs contains no input.
    #[error("a packet of inputs without an input")]
    NoInputs,
    /// An input is flagged as changed, but equals the one before.
    #[error("the input at bit {at_bit} is flagged as changed, but is as the one before")]
    InputNotChanged { at_bit: usize },
    /// More updates than a packet of state synchronisation may hold.
    #[error("{count} updates: at most 64 are allowed")]
    UpdateCount { count: usize },
    /// An update's baseline packet was never received with that cube, or has been forgotten.
    #[error("cube {cube}: its baseline, packet {baseline}, is not held")]
    UpdateBaselineUnknown { cube: usize, baseline: u32 },
}
