//! Formats that cannot be.

use core::fmt;

use crate::rungs::Rung;

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
    /// Bits of a kind.
    KindBits(u32),
    /// Bits of a field of the game's own.
    FieldBits(u32),
    /// More fields than [`FIELDS_MAX`](crate::FIELDS_MAX).
    FieldCount,
    /// A rung that the crate was built without.
    RungNotBuilt(Rung),
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
                "axis {axis} of the world from {lower} to {upper} m: must rise, within -2^22 to 2^22 steps"
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
            Self::KindBits(bits) => write!(f, "a kind of {bits} bits: must be 0 to 16"),
            Self::FieldBits(bits) => write!(f, "a field of {bits} bits: must be 1 to 24"),
            Self::RungNotBuilt(rung) => {
                write!(
                    f,
                    "rung {} is a feature of the crate, which is off",
                    rung.name()
                )
            }
            Self::FieldCount => f.write_str("more than 16 fields"),
            Self::SimulatedSlots => {
                f.write_str("rung simulated cannot foresee cubes that come and go: it has no slots")
            }
        }
    }
}

impl core::error::Error for ConfigError {}
