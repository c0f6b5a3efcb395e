//! Errors: every refusal has a name of its own.

mod decode;

use core::fmt;

pub use decode::DecodeError;

/// A format that can't be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// Fractional bits of a position.
    PositionBits(u32),
    /// Bits of a smallest-three component.
    OrientationBits(u32),
    /// Fractional bits of a velocity.
    VelocityBits(u32),
    /// Widths of small and large differences.
    #[allow(missing_docs)] // As Widths::new has them.
    Widths { small_bits: u32, large_bits: u32 },
    /// Number of cubes.
    CubeCount(usize),
    /// An axis of the world that is empty, or reaches too far.
    Bounds {
        /// 0 to 2: x, y, z.
        axis: usize,
        /// m.
        lower: i32,
        /// m.
        upper: i32,
    },
    /// A player that is none of the cubes.
    Player {
        /// Its index.
        index: usize,
        /// The format's number of cubes.
        cube_count: usize,
    },
    /// A fixed-point range that no code numbers, or whose steps are no floats.
    #[allow(missing_docs)] // As FixedPoint::new has them.
    FixedPoint {
        lower: i32,
        upper: i32,
        fractional_bits: u32,
    },
    /// Slots on rung `simulated`, whose simulation knows nothing of cubes that come and go.
    SimulatedSlots,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PositionBits(bits) => {
                write!(f, "position with {bits} fractional bits: must be 4 to 12")
            }
            Self::OrientationBits(bits) => write!(
                f,
                "orientation with {bits} bits a component: must be 2 to 16"
            ),
            Self::VelocityBits(bits) => {
                write!(f, "velocity with {bits} fractional bits: must be 0 to 12")
            }
            Self::Widths {
                small_bits,
                large_bits,
            } => write!(
                f,
                "small differences of {small_bits} bits and large ones of {large_bits}: must be 2 to 24, the small no more than the large"
            ),
            Self::CubeCount(count) => write!(f, "{count} cubes: must be 1 to 4096"),
            Self::Bounds { axis, lower, upper } => write!(
                f,
                "axis {axis} of the world from {lower} to {upper} m: must rise, within -1024 to 1024"
            ),
            Self::Player { index, cube_count } => {
                write!(f, "cube {index} as the player of {cube_count} cubes")
            }
            Self::FixedPoint {
                lower,
                upper,
                fractional_bits,
            } => write!(
                f,
                "[{lower}, {upper}) with {fractional_bits} fractional bits: must be 2 steps or more within 2^24, of at most 16 bits"
            ),
            Self::SimulatedSlots => {
                f.write_str("rung simulated cannot foresee cubes that come and go: it has no slots")
            }
        }
    }
}

impl core::error::Error for ConfigError {}

/// A field of a [`Cube`](crate::Cube), as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Field {
    Position,
    Orientation,
    LinearVelocity,
    AngularVelocity,
    AtRest,
    Life,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Orientation => "orientation",
            Self::LinearVelocity => "linear velocity",
            Self::AngularVelocity => "angular velocity",
            Self::AtRest => "at-rest bit",
            Self::Life => "life",
        })
    }
}

/// Cubes that are no snapshot of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The number of cubes is not the format's.
    CubeCount {
        /// The format's number.
        expected: usize,
        /// The given number.
        actual: usize,
    },
    /// A field holds what the format can't send.
    OutOfRange {
        /// Index of the cube.
        cube: usize,
        /// The field.
        field: Field,
    },
    /// An empty slot with a position or another field that is not 0.
    EmptyWithFields {
        /// Index of the cube.
        cube: usize,
    },
    /// The baseline was made in another format: the coder's state beside a snapshot depends on the format.
    OtherFormat,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CubeCount { expected, actual } => {
                write!(f, "{actual} cubes, but the format has {expected}")
            }
            Self::OutOfRange { cube, field } => {
                write!(f, "cube {cube}: {field} is not within the format's range")
            }
            Self::EmptyWithFields { cube } => {
                write!(f, "cube {cube} is empty, but has fields that are not 0")
            }
            Self::OtherFormat => f.write_str("the baseline is of another format"),
        }
    }
}

impl core::error::Error for SnapshotError {}

/// Why an [`Encoder`](crate::Encoder) wrote no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The given cubes are no snapshot of the format.
    Snapshot(SnapshotError),
    /// Sequences only go forward, by less than half their range.
    SequenceNotNewer {
        /// The refused one.
        sequence: u16,
        /// The newest that has been sent.
        newest: u16,
    },
    /// A packet of inputs without one, or with more than [`MOST_INPUTS`](crate::lockstep::MOST_INPUTS).
    InputCount(usize),
    /// An input of more than [`INPUT_BITS`](crate::lockstep::INPUT_BITS) bits.
    InputOutOfRange(u8),
}

impl From<SnapshotError> for EncodeError {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot(error) => error.fmt(f),
            Self::SequenceNotNewer { sequence, newest } => {
                write!(
                    f,
                    "sequence {sequence} is not newer than {newest}, which has been sent"
                )
            }
            Self::InputCount(count) => {
                write!(f, "{count} inputs: must be 1 to 511")
            }
            Self::InputOutOfRange(input) => {
                write!(f, "input {input}: must have at most 6 bits")
            }
        }
    }
}

impl core::error::Error for EncodeError {}

/// Why a [`Sender`](crate::sync::Sender) wrote no packet.
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

impl core::error::Error for SyncEncodeError {}
