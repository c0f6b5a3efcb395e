//! Errors that refuse a format's settings.

use core::fmt;

use crate::rungs::Rung;

/// Reason why a format's settings are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The number of fractional bits of a position is out of range.
    PositionBits(u32),
    /// The number of bits of a smallest-three component is out of range.
    OrientationBits(u32),
    /// The number of fractional bits of a velocity is out of range.
    VelocityBits(u32),
    /// A width of the small or the large range of differences is out of range, or the small range is wider than the large one.
    #[allow(missing_docs)] // As Widths::new has them.
    Widths { small_bits: u32, large_bits: u32 },
    /// The number of cubes is out of range.
    CubeCount(usize),
    /// The bounds of an axis are empty, or reach too far.
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
    /// The number of bits of an object's kind is out of range.
    KindBits(u32),
    /// The number of bits of a declared field is out of range.
    FieldBits(u32),
    /// There are more declared fields than [`FIELDS_MAX`](crate::FIELDS_MAX).
    FieldCount,
    /// This build of the crate leaves the rung out.
    RungNotBuilt(Rung),
    /// The format has slots on rung `simulated`, whose simulation cannot add or remove cubes.
    SimulatedSlots,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl core::error::Error for ConfigError {}
