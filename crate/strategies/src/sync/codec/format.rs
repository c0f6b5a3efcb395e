//! The settings that both ends of state synchronisation agree on out of band.

use super::body::SyncBody;
use snapshot_codec::parts::Space;
use snapshot_codec::quantise::{FixedPoint, SmallestThree};
use snapshot_codec::{Bounds, ConfigError, CubeField, CubeState, QuantisationBits};

/// Switches for two kinds of compression beyond quantising.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compression {
    /// True if cubes near the player are sent relative to the player.
    pub relative: bool,
    /// True if cubes are sent relative to their last acknowledged state.
    pub delta: bool,
}

/// The format of state synchronisation: quantisation, number of cubes, and the sent fields. Bounds of the world and the
/// player can be set too, if they differ from the articles'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyncFormat {
    space: Space,
    compression: Compression,
    velocities: bool,
}

impl SyncFormat {
    /// Makes a format of 1 to 4096 cubes, with the articles' bounds and with cube 0 as the player. Without `velocities` none
    /// are sent, and the receiver keeps those of its simulation.
    ///
    /// # Errors When `cube_count` is not 1 to 4096.
    pub fn new(
        bits: QuantisationBits,
        cube_count: usize,
        compression: Compression,
        velocities: bool,
    ) -> Result<Self, ConfigError> {
        Ok(Self {
            space: Space::new(bits, cube_count)?,
            compression,
            velocities,
        })
    }

    /// Sets the bounds of the world.
    ///
    /// # Errors
    /// The same as of [`Format::with_bounds`](snapshot_codec::Format::with_bounds).
    pub const fn with_bounds(self, bounds: Bounds) -> Result<Self, ConfigError> {
        match self.space.with_bounds(bounds) {
            Ok(space) => Ok(Self { space, ..self }),
            Err(error) => Err(error),
        }
    }

    /// Sets which cube is the player, if any; without a player nothing is relative to it.
    ///
    /// # Errors
    /// When there is no such cube.
    pub fn with_player(self, player: Option<usize>) -> Result<Self, ConfigError> {
        let space = self.space.with_player(player)?;
        Ok(Self { space, ..self })
    }

    pub const fn bits(&self) -> QuantisationBits {
        self.space.bits
    }

    pub const fn bounds(&self) -> Bounds {
        self.space.bounds
    }

    /// Index of the player's cube; `None` if no cube is the player.
    pub const fn player(&self) -> Option<usize> {
        self.space.player
    }

    /// Returns a cube's rank in the order of updates: the player first, then the other cubes by index.
    pub(super) fn rank(&self, index: usize) -> usize {
        if self.space.player == Some(index) {
            0
        } else {
            1 + index
        }
    }

    pub const fn cube_count(&self) -> usize {
        self.space.cube_count
    }

    pub const fn compression(&self) -> Compression {
        self.compression
    }

    /// Returns true if the velocities of moving cubes are sent.
    pub const fn velocities(&self) -> bool {
        self.velocities
    }

    pub(super) const fn index_bits(&self) -> u32 {
        self.space.index_bits()
    }

    pub(super) const fn position_axes(&self) -> [FixedPoint; 3] {
        self.space.position_axes()
    }

    pub(super) const fn smallest_three(&self) -> SmallestThree {
        self.space.smallest_three()
    }

    pub(super) const fn linear_axes(&self) -> [FixedPoint; 3] {
        [self.space.linear_velocity_axis(); 3]
    }

    pub(super) const fn angular_axes(&self) -> [FixedPoint; 3] {
        [self.space.angular_velocity_axis(); 3]
    }

    /// Quantises a cube: returns the integers that this format sends. They are always in range: values outside are clamped,
    /// values that are not finite become zero. A life is not sent: state synchronisation has no slots.
    pub fn quantise(&self, state: &CubeState) -> SyncBody {
        let moves = !state.at_rest && self.velocities;
        let velocity = |axes: [FixedPoint; 3], velocity: [f32; 3]| {
            if moves {
                quantise(axes, velocity)
            } else {
                [0; 3]
            }
        };
        SyncBody {
            position: quantise(self.position_axes(), state.position),
            orientation: self.settled_orientation(state.orientation),
            linear_velocity: velocity(self.linear_axes(), state.linear_velocity),
            angular_velocity: velocity(self.angular_axes(), state.angular_velocity),
            at_rest: state.at_rest,
        }
    }

    /// Returns the state that the receiver reconstructs. Velocities that the format does not send are zero; `interacting` is
    /// never sent.
    pub fn dequantise(&self, body: &SyncBody) -> CubeState {
        CubeState {
            position: dequantise(self.position_axes(), body.position),
            orientation: self.smallest_three().dequantise(body.orientation),
            linear_velocity: dequantise(self.linear_axes(), body.linear_velocity),
            angular_velocity: dequantise(self.angular_axes(), body.angular_velocity),
            at_rest: body.at_rest,
            ..CubeState::default()
        }
    }

    /// Quantises a state and converts it back. The wire does not change the result by a single bit.
    pub fn snap(&self, state: &CubeState) -> CubeState {
        CubeState {
            interacting: state.interacting,
            ..self.dequantise(&self.quantise(state))
        }
    }

    /// Returns orientation codes that stay the same when quantised again. If two components are nearly equal, rounding may
    /// make the other one the largest, and rounding again may swap them back; then the smaller codes are taken.
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

    /// Returns the first field that this format cannot send; `None` if it can send all.
    pub(super) fn misfit(&self, body: &SyncBody) -> Option<CubeField> {
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
