//! The grid: quantised whole states, positions, orientations and velocities as integers, one cube at a time.
//!
//! State synchronisation sends these integers. A simulation that rounds its states to the same grid continues from the sent
//! values.

use crate::cube::{CubeState, Life};
use crate::error::{ConfigError, CubeField};
use crate::quantise::{FixedPoint, SmallestThree};
use crate::space::{Bounds, QuantisationBits, Space};

/// A cube's whole state, quantised to integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GridState {
    /// Position in fixed point.
    pub position: [i32; 3],
    /// Smallest-three code of the orientation: index of the largest component, then the codes of the three other components.
    pub orientation: [i32; 4],
    /// Linear velocity in fixed point; 0 at rest, and on a grid without velocities.
    pub linear_velocity: [i32; 3],
    /// Angular velocity in fixed point; 0 at rest, and on a grid without velocities.
    pub angular_velocity: [i32; 3],
    /// True while the simulation has put the cube to sleep.
    pub at_rest: bool,
}

/// Quantiser of whole states: bits of each field, bounds, number of cubes, and the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    space: Space,
    velocities: bool,
}

impl Grid {
    /// Makes a grid of 1 to 4096 cubes, with the articles' bounds and with cube 0 as the player. Without `velocities` all
    /// velocities are zero.
    ///
    /// # Errors
    /// When `cube_count` is not 1 to 4096.
    pub fn new(
        bits: QuantisationBits,
        cube_count: usize,
        velocities: bool,
    ) -> Result<Self, ConfigError> {
        Ok(Self {
            space: Space::new(bits, cube_count)?,
            velocities,
        })
    }

    /// Sets the bounds of the world.
    ///
    /// # Errors
    /// The same as of [`Format::with_bounds`](crate::Format::with_bounds).
    pub const fn with_bounds(self, bounds: Bounds) -> Result<Self, ConfigError> {
        match self.space.with_bounds(bounds) {
            Ok(space) => Ok(Self { space, ..self }),
            Err(error) => Err(error),
        }
    }

    /// Sets which cube is the player, if any.
    ///
    /// # Errors
    /// When there is no such cube.
    pub fn with_player(self, player: Option<usize>) -> Result<Self, ConfigError> {
        let space = self.space.with_player(player)?;
        Ok(Self { space, ..self })
    }

    /// Numbers of bits of each quantised field.
    pub const fn bits(&self) -> QuantisationBits {
        self.space.bits
    }

    /// Bounds of positions.
    pub const fn bounds(&self) -> Bounds {
        self.space.bounds
    }

    /// Index of the player's cube; `None` if no cube is the player.
    pub const fn player(&self) -> Option<usize> {
        self.space.player
    }

    /// Number of cubes.
    pub const fn cube_count(&self) -> usize {
        self.space.cube_count
    }

    /// Returns true if moving cubes have velocities.
    pub const fn velocities(&self) -> bool {
        self.velocities
    }

    /// Number of bits of an absolute index: ceil(log2 of the number of cubes).
    pub const fn index_bits(&self) -> u32 {
        self.space.index_bits()
    }

    /// Fixed-point ranges of the three position axes.
    pub const fn position_axes(&self) -> [FixedPoint; 3] {
        self.space.position_axes()
    }

    /// Quantiser of orientations.
    pub const fn smallest_three(&self) -> SmallestThree {
        self.space.smallest_three()
    }

    /// Fixed-point ranges of the three axes of linear velocities.
    pub const fn linear_axes(&self) -> [FixedPoint; 3] {
        [self.space.linear_velocity_axis(); 3]
    }

    /// Fixed-point ranges of the three axes of angular velocities.
    pub const fn angular_axes(&self) -> [FixedPoint; 3] {
        [self.space.angular_velocity_axis(); 3]
    }

    /// Quantises a cube: returns the integers that this grid has. They are always in range: values outside are clamped, values
    /// that are not finite become zero. A life is not sent: state synchronisation has no slots.
    pub fn quantise(&self, state: &CubeState) -> GridState {
        // All fields are named, here and below, so that a new one is sent or left out on purpose.
        let &CubeState {
            position,
            orientation,
            linear_velocity,
            angular_velocity,
            at_rest,
            interacting: _,
            life: _,
        } = state;
        let moves = !at_rest && self.velocities;
        let velocity = |axes: [FixedPoint; 3], velocity: [f32; 3]| {
            if moves {
                quantise(axes, velocity)
            } else {
                [0; 3]
            }
        };
        GridState {
            position: quantise(self.position_axes(), position),
            orientation: self.settled_orientation(orientation),
            linear_velocity: velocity(self.linear_axes(), linear_velocity),
            angular_velocity: velocity(self.angular_axes(), angular_velocity),
            at_rest,
        }
    }

    /// Returns the state that the receiver reconstructs. Velocities that the grid does not have are zero; `interacting` is
    /// never sent.
    pub fn dequantise(&self, body: &GridState) -> CubeState {
        CubeState {
            position: dequantise(self.position_axes(), body.position),
            orientation: self.smallest_three().dequantise(body.orientation),
            linear_velocity: dequantise(self.linear_axes(), body.linear_velocity),
            angular_velocity: dequantise(self.angular_axes(), body.angular_velocity),
            at_rest: body.at_rest,
            interacting: false,
            life: Life::FIRST,
        }
    }

    /// Quantises a state and converts it back. The wire does not change the result by a single bit.
    pub fn snap(&self, state: &CubeState) -> CubeState {
        CubeState {
            interacting: state.interacting,
            ..self.dequantise(&self.quantise(state))
        }
    }

    /// Returns orientation codes that stay the same when the orientation is quantised again. If two components are nearly
    /// equal, rounding may swap which of them is the largest, again and again. Then the smaller codes are taken.
    fn settled_orientation(&self, orientation: [f32; 4]) -> [i32; 4] {
        let smallest_three = self.smallest_three();
        let again = |integers| smallest_three.quantise(smallest_three.dequantise(integers));
        let mut integers = smallest_three.quantise(orientation);
        for _ in 0..SETTLING_ROUNDS_MAX {
            let next = again(integers);
            if next == integers {
                break;
            }
            if again(next) == integers {
                return integers.min(next);
            }
            integers = next;
        }
        integers
    }

    /// Returns the first field of a state that this grid cannot hold; `None` if it can hold all.
    pub fn misfit(&self, body: &GridState) -> Option<CubeField> {
        let fit = |axes: [FixedPoint; 3], steps: [i32; 3]| {
            axes.into_iter()
                .zip(steps)
                .all(|(axis, step)| axis.contains(step))
        };
        let still = body.linear_velocity == [0; 3] && body.angular_velocity == [0; 3];
        let sends_velocity = self.velocities && !body.at_rest;
        [
            (
                fit(self.position_axes(), body.position),
                CubeField::Position,
            ),
            (
                self.smallest_three().contains(body.orientation),
                CubeField::Orientation,
            ),
            (
                fit(self.linear_axes(), body.linear_velocity),
                CubeField::LinearVelocity,
            ),
            (
                fit(self.angular_axes(), body.angular_velocity),
                CubeField::AngularVelocity,
            ),
            (still || sends_velocity, CubeField::AtRest),
        ]
        .into_iter()
        .find_map(|(fits, field)| (!fits).then_some(field))
    }
}

/// Upper limit of the number of rounds until an orientation's codes stay the same; none was seen to need more than two.
const SETTLING_ROUNDS_MAX: usize = 8;

fn quantise(axes: [FixedPoint; 3], values: [f32; 3]) -> [i32; 3] {
    std::array::from_fn(|i| axes[i].quantise(values[i]))
}

fn dequantise(axes: [FixedPoint; 3], steps: [i32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| axes[i].dequantise(steps[i]))
}
