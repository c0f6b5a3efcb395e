//! Refusals of a format's settings.

use core::fmt;

use crate::rungs::Rung;

/// Why a format's settings are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// Fractional bits of a position are out of range.
    PositionBits(u32),
    /// Bits of a smallest-three component are out of range.
    OrientationBits(u32),
    /// Fractional bits of a velocity are out of range.
    VelocityBits(u32),
    /// Widths of small and large differences are out of range or order.
    #[allow(missing_docs)] // As Widths::new has them.
    Widths { small_bits: u32, large_bits: u32 },
    /// The number of cubes is out of range.
    CubeCount(usize),
    /// An axis of the world that is empty, or reaches too far.
    Bounds {
        /// The axis: 0, 1 or 2 for x, y or z.
        axis: usize,
        /// The axis's lower bound, m.
        lower: i32,
        /// The axis's upper bound, m.
        upper: i32,
    },
    /// The player's index is beyond the last cube.
    Player {
        /// The player's index.
        index: usize,
        /// The format's number of cubes.
        cube_count: usize,
    },
    /// Bits of a kind are out of range.
    KindBits(u32),
    /// Bits of a declared field are out of range.
    FieldBits(u32),
    /// More declared fields than [`FIELDS_MAX`](crate::FIELDS_MAX).
    FieldCount,
    /// A rung that this build of the crate leaves out.
    RungNotBuilt(Rung),
    /// Slots on rung `simulated`, whose simulation cannot add or remove cubes.
    SimulatedSlots,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PositionBits(bits) => {
                write!(f, "position with {bits} fractional bits: must be 1 to 12")
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
