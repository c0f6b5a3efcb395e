//! Errors: every refusal has a variant of its own, whose text names its numbers.

mod config;
mod number;

use core::fmt;

pub use config::ConfigError;

/// Returns a function that panics with `why`, for an error that cannot occur. It does not format the error, which keeps the
/// error's text out of the binary.
pub(crate) fn never<E, T>(why: &'static str) -> impl FnOnce(E) -> T {
    move |_| panic!("{why}")
}

/// A field of a [`Cube`](crate::Cube), as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CubeField {
    Position,
    Orientation,
    LinearVelocity,
    AngularVelocity,
    AtRest,
    Life,
    Kind,
    /// A declared field of the game; the number is its index in [`Fields`](crate::Fields).
    Own(usize),
}

/// Reason why a snapshot is not valid in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The snapshot has more or fewer cubes than the format.
    CubeCount {
        /// The number of cubes in the format.
        expected: usize,
        /// The number of cubes in the snapshot.
        actual: usize,
    },
    /// A field holds a value that the format can't send.
    OutOfRange {
        /// Index of the cube.
        cube: usize,
        /// The field whose value is out of range.
        field: CubeField,
    },
    /// A slot is empty, but its position or another field is not 0.
    EmptyWithFields {
        /// Index of the cube.
        cube: usize,
    },
    /// The rows of the snapshot together have more or fewer numbers than the format's declared fields need.
    RowNumbers {
        /// The count of numbers that the format needs.
        expected: usize,
        /// The count of numbers in the snapshot's rows.
        actual: usize,
    },
    /// The baseline was made for another format, so its coder state cannot be used.
    OtherFormat,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl core::error::Error for SnapshotError {}

/// Reason why an [`Encoder`](crate::Encoder) wrote no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The cubes that the caller passed are no valid snapshot of the format.
    Snapshot(SnapshotError),
    /// The sequence is not newer than the last one sent, or is ahead by more than half the sequence range.
    SequenceNotNewer {
        /// The refused sequence.
        sequence: u16,
        /// The newest sequence sent.
        newest: u16,
    },
}

impl From<SnapshotError> for EncodeError {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl core::error::Error for EncodeError {}

/// Reason why a packet was refused. Every snapshot has exactly one valid packet for a given sequence and baseline; any longer
/// encoding of the same snapshot is refused as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields say where in the packet, or in which cube.
pub enum DecodeError {
    /// The packet ends within a field.
    Truncated {
        at_bit: usize,
        wanted_bits: u32,
        packet_bits: usize,
    },
    /// The bits after the last field, which only fill the last byte, are not zero.
    NonZeroPadding { at_bit: usize },
    /// The packet has whole bytes after its last field.
    TrailingBytes {
        used_bytes: usize,
        packet_bytes: usize,
    },
    /// A packet of an arithmetic coder is longer than needed: shorter bytes stand for the same decisions.
    NotShortest { packet_bytes: usize },
    /// The sequence is newer than the horizon, the newest sequence that any packet can have by now.
    TooFarAhead { sequence: u32, horizon: u32 },
    /// The packet names itself or a later packet as its baseline.
    BaselineNotOlder { sequence: u16, baseline: u16 },
    /// The baseline is older than the oldest snapshot that a sender keeps.
    BaselineTooOld { sequence: u16, baseline: u16 },
    /// The baseline that the caller gave is no snapshot of the format.
    Baseline(SnapshotError),
    /// The baseline was never received, or has been forgotten.
    BaselineUnknown { baseline: u16 },
    /// A packet lists more changed cubes than the format has.
    ChangedCount { cube_count: usize },
    /// A packet names the index of a cube beyond the last cube.
    IndexOutOfRange { index: usize, cube_count: usize },
    /// The cube indices that a packet lists do not rise.
    IndexNotRising { index: usize, previous: usize },
    /// A packet lists changed cubes by index where one bit a cube is shorter, or the other way round.
    ChangedModeNotCheapest {
        indices_bits: u64,
        changed_bits: u64,
    },
    /// A float is infinite or not a number.
    NotFinite { cube: usize, field: CubeField },
    /// A value is outside the range of its field.
    OutOfRange { cube: usize, field: CubeField },
    /// A value was sent absolute, though its difference from the baseline was small enough to be sent instead.
    NeedlessAbsolute { cube: usize, field: CubeField },
    /// A field is flagged as changed, but equals the baseline's.
    FieldNotChanged { cube: usize, field: CubeField },
    /// A cube is listed as changed, but equals the baseline's.
    CubeNotChanged { cube: usize },
    /// The arithmetic coder gave a symbol that has no meaning for this cube.
    SymbolWithoutMeaning { cube: usize },
    /// A slot is listed with a changed life, but its life equals the baseline's.
    LifeNotChanged { cube: usize },
    /// A packet flags changed lives, but lists none.
    NoLifeChanged,
    /// A packet flags changed fields, but lists no slot with any.
    NoFieldsChanged,
    /// A row was sent whole as a new object's, but its id and kind equal the baseline's.
    IdNotChanged { cube: usize },
    /// A slot is listed with changed fields, though it is empty or was sent whole with its new life.
    CubeSettled { cube: usize },
    /// An input was sent as changed, though it equals the input of the tick after it.
    InputRepeated { at: usize },
    /// The checksums of the two simulations differ: the decoder's simulation gave another result than the sender's.
    ForeseenOtherwise { sent: u32, own: u32 },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl core::error::Error for DecodeError {}
