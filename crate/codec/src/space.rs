//! Settings that the formats of snapshots and of state synchronisation share: number of cubes, bounds and steps, the player.

use crate::error::ConfigError;
use crate::quantise::{FixedPoint, SmallestThree, WORLD_HALF_SIDE_M, WORLD_HEIGHT_M};

/// Least number of fractional bits of a position.
const POSITION_BITS_MIN: u32 = 1;

/// Numbers of bits of each quantised field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantisationBits {
    position: u32,
    orientation: u32,
    velocity: u32,
}

impl QuantisationBits {
    /// The quantisation of Fiedler's articles: 512 steps a metre, 9 bits a component, 32 steps a m/s.
    pub const DEFAULT: Self = Self {
        position: 9,
        orientation: 9,
        velocity: 5,
    };

    /// Makes the settings from `position_bits`, 1 to 12 fractional bits of a metre; `orientation_bits`, 2 to 16 for a
    /// component; and `velocity_bits`, 0 to 12 fractional bits of a m/s.
    pub fn new(
        position_bits: u32,
        orientation_bits: u32,
        velocity_bits: u32,
    ) -> Result<Self, ConfigError> {
        if !(POSITION_BITS_MIN..=12).contains(&position_bits) {
            return Err(ConfigError::PositionBits(position_bits));
        }
        if !(2..=16).contains(&orientation_bits) {
            return Err(ConfigError::OrientationBits(orientation_bits));
        }
        if velocity_bits > 12 {
            return Err(ConfigError::VelocityBits(velocity_bits));
        }
        Ok(Self {
            position: position_bits,
            orientation: orientation_bits,
            velocity: velocity_bits,
        })
    }

    /// Number of fractional bits of a position in metres.
    pub const fn position(self) -> u32 {
        self.position
    }

    /// Number of bits of a smallest-three component.
    pub const fn orientation(self) -> u32 {
        self.orientation
    }

    /// Number of fractional bits of a velocity in m/s.
    pub const fn velocity(self) -> u32 {
        self.velocity
    }
}

/// Bounds of positions, whole metres: on each axis from `lower` up to, but not including, `upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    lower: [i32; 3],
    upper: [i32; 3],
}

/// Greatest distance of a position from the middle of the world, in steps: differences then have 23 bits. It is 1,024 m at 12
/// fractional bits, 8 km at 9 and 262 km at 4.
const REACH_MAX_STEPS: i32 = 1 << 22;
/// Greatest distance of a bound from the middle of the world, m: [`REACH_MAX_STEPS`] at 4 fractional bits. Fewer bits reach no
/// farther.
const REACH_MAX_M: i32 = REACH_MAX_STEPS >> 4;

impl Bounds {
    /// The bounds of Fiedler's articles: x and y within [-256, 256), z within [0, 32).
    pub const DEFAULT: Self = Self {
        lower: [-WORLD_HALF_SIDE_M, -WORLD_HALF_SIDE_M, 0],
        upper: [WORLD_HALF_SIDE_M, WORLD_HALF_SIDE_M, WORLD_HEIGHT_M],
    };

    /// Makes bounds; z is up. Prediction takes z = 0 for the floor, wherever the bounds are. A position takes enough bits to
    /// number its steps, so extents of a power of two waste nothing.
    ///
    /// # Errors
    /// When an axis is empty, or reaches farther than 262,144 m from the middle. A format of more than 4 fractional bits allows
    /// less.
    pub const fn new(lower: [i32; 3], upper: [i32; 3]) -> Result<Self, ConfigError> {
        Self { lower, upper }.within(REACH_MAX_M)
    }

    /// Returns the bounds; an error if an axis is empty, or reaches farther than `reach_m` from the middle.
    const fn within(self, reach_m: i32) -> Result<Self, ConfigError> {
        let mut axis = 0;
        while axis < 3 {
            let (lower, upper) = (self.lower[axis], self.upper[axis]);
            if lower >= upper || lower < -reach_m || upper > reach_m {
                return Err(ConfigError::Bounds { axis, lower, upper });
            }
            axis += 1;
        }
        Ok(self)
    }

    /// Lower bound of each axis, m.
    pub const fn lower(self) -> [i32; 3] {
        self.lower
    }

    /// Upper bound of each axis, m; all positions are below it.
    pub const fn upper(self) -> [i32; 3] {
        self.upper
    }
}

/// Settings that the formats of snapshots and of state synchronisation share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Space {
    pub(crate) bits: QuantisationBits,
    pub(crate) bounds: Bounds,
    /// Number of cubes, 1 to 4096.
    pub(crate) cube_count: usize,
    /// The player's index, if there is a player.
    pub(crate) player: Option<usize>,
    /// True if orientation codes include an exact identity.
    pub(crate) exact_identity: bool,
}

/// Upper limit of the number of cubes in a format.
const CUBES_MAX: usize = 4096;

impl Space {
    /// Makes the shared settings with the bounds of Fiedler's articles and with cube 0 as the player.
    pub(crate) fn new(bits: QuantisationBits, cube_count: usize) -> Result<Self, ConfigError> {
        if !(1..=CUBES_MAX).contains(&cube_count) {
            return Err(ConfigError::CubeCount(cube_count));
        }
        Ok(Self {
            bits,
            bounds: Bounds::DEFAULT,
            cube_count,
            player: Some(0),
            exact_identity: false,
        })
    }

    /// Sets the bounds; an error if positions would have too many steps.
    pub(crate) const fn with_bounds(self, bounds: Bounds) -> Result<Self, ConfigError> {
        match bounds.within(REACH_MAX_STEPS >> self.bits.position) {
            Ok(bounds) => Ok(Self { bounds, ..self }),
            Err(error) => Err(error),
        }
    }

    /// Sets which cube is the player, if any.
    pub(crate) fn with_player(self, player: Option<usize>) -> Result<Self, ConfigError> {
        let cube_count = self.cube_count;
        match player {
            Some(index) if index >= cube_count => Err(ConfigError::Player { index, cube_count }),
            _ => Ok(Self { player, ..self }),
        }
    }

    /// Number of bits of an absolute index: ceil(log2 of the number of cubes).
    pub(crate) const fn index_bits(&self) -> u32 {
        self.cube_count.next_power_of_two().ilog2()
    }

    /// Fixed-point ranges of the three position axes.
    pub(crate) const fn position_axes(&self) -> [FixedPoint; 3] {
        let Bounds {
            lower: [x, y, z],
            upper: [to_x, to_y, to_z],
        } = self.bounds;
        let bits = self.bits.position;
        [
            FixedPoint::new(x, to_x, bits),
            FixedPoint::new(y, to_y, bits),
            FixedPoint::new(z, to_z, bits),
        ]
    }

    pub(crate) const fn smallest_three(&self) -> SmallestThree {
        SmallestThree::new(self.bits.orientation, self.exact_identity)
    }

    /// Fixed-point range of an axis of linear velocities.
    pub(crate) const fn linear_velocity_axis(&self) -> FixedPoint {
        FixedPoint::linear_velocity(self.bits.velocity)
    }

    /// Fixed-point range of an axis of angular velocities.
    pub(crate) const fn angular_velocity_axis(&self) -> FixedPoint {
        FixedPoint::angular_velocity(self.bits.velocity)
    }
}
