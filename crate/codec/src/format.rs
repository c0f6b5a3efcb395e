//! The format: the settings that both ends agree on out of band.

use crate::cube::{Cube, CubeState};
use crate::error::{ConfigError, DecodeError, Field, SnapshotError};
use crate::quantise::{FixedPoint, SmallestThree, float_from_bits, float_to_bits, normalise};
use crate::ranges::Widths;
use crate::space::{Bounds, QuantisationBits, Space};

/// The ladder of encodings: each rung keeps what the one before it does, and adds one idea.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Floats: position, orientation, linear velocity; one interacting bit.
    Uncompressed,
    /// Orientation as its smallest three components.
    SmallestThree,
    /// Linear velocity bounded and in fixed point.
    Velocity,
    /// An at-rest bit; velocity only when moving.
    AtRest,
    /// No velocity.
    NoVelocity,
    /// Position bounded and in fixed point.
    Position,
    /// Against a baseline: one bit a cube says whether it has changed.
    NotChanged,
    /// Indices of the changed cubes where they are fewer bits than the changed bits.
    Index,
    /// Each index relative to the one before.
    RelativeIndex,
    /// Position relative to the baseline where it is near.
    RelativePosition,
    /// Orientation relative to the baseline where it is near.
    RelativeOrientation,
    /// A changed cube's unchanged position or orientation is not sent.
    ChangedFlags,
    /// The same fields, each decision by an arithmetic coder with probabilities that adapt.
    Arithmetic,
    /// Values predicted from motion, neighbours and floor, with tables trained on recordings.
    Predicted,
    /// Values predicted from a simulation that both ends run from the baseline.
    Simulated,
}

impl Rung {
    /// All rungs, by number.
    pub const ALL: [Self; 15] = [
        Self::Uncompressed,
        Self::SmallestThree,
        Self::Velocity,
        Self::AtRest,
        Self::NoVelocity,
        Self::Position,
        Self::NotChanged,
        Self::Index,
        Self::RelativeIndex,
        Self::RelativePosition,
        Self::RelativeOrientation,
        Self::ChangedFlags,
        Self::Arithmetic,
        Self::Predicted,
        Self::Simulated,
    ];

    /// 0 to 14.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Stable name, kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uncompressed => "uncompressed",
            Self::SmallestThree => "smallest-three",
            Self::Velocity => "velocity",
            Self::AtRest => "at-rest",
            Self::NoVelocity => "no-velocity",
            Self::Position => "position",
            Self::NotChanged => "not-changed",
            Self::Index => "index",
            Self::RelativeIndex => "relative-index",
            Self::RelativePosition => "relative-position",
            Self::RelativeOrientation => "relative-orientation",
            Self::ChangedFlags => "changed-flags",
            Self::Arithmetic => "arithmetic",
            Self::Predicted => "predicted",
            Self::Simulated => "simulated",
        }
    }

    /// The rung of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rung| rung.name() == name)
    }

    /// Says whether linear velocity is sent.
    pub fn sends_velocity(self) -> bool {
        self < Self::NoVelocity
    }

    /// Says whether packets are encoded against a baseline.
    pub fn is_delta(self) -> bool {
        self >= Self::NotChanged
    }

    /// Says whether decisions have probabilities, so that there is a [`Class`] to choose.
    pub fn is_arithmetic(self) -> bool {
        self >= Self::Arithmetic
    }
}

/// The coder's state from which a packet of an arithmetic rung may be decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Class {
    /// The baseline snapshot alone; on rung `simulated` also the snapshot that it was encoded against, and the inputs between.
    Strict,
    /// The baseline snapshot and what both sides keep beside it: how it came to be from its own baseline.
    #[default]
    Chained,
}

impl Class {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Chained];

    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Chained => "chained",
        }
    }

    /// The class of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// The settings that both ends agree on out of band: rung, quantisation, number of cubes. Where they differ from the articles', also the
/// bounds of the world, the widths of differences and which cube is the player.
///
/// ```
/// use snapshot_codec::{Bounds, Class, CubeState, Format, QuantisationBits, Rung};
///
/// // 12 bits: steps of 1/4096 m, in a world of 64 x 64 x 16 m. Nobody is the player.
/// let bits = QuantisationBits::new(12, 15, 5)?;
/// let format = Format::new(Rung::Predicted, bits, 300)?
///     .with_class(Class::Strict)
///     .with_bounds(Bounds::new([-32, -32, -8], [32, 32, 8])?)
///     .with_player(None)?;
/// let state = CubeState { position: [1.5, -40.0, 0.2], orientation: [0.0, 0.6, 0.0, 0.8], linear_velocity: [0.0; 3],
///                         angular_velocity: [0.0; 3], interacting: false, at_rest: true };
/// let seen = format.dequantise(&format.quantise(&state));
/// // What is outside is clamped to the bounds.
/// assert_eq!(seen.position[..2], [1.5, -32.0]);
/// assert!((seen.orientation[1] - 0.6).abs() < 1e-4);
/// # Ok::<(), snapshot_codec::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    rung: Rung,
    class: Class,
    space: Space,
    position_widths: Widths,
    orientation_widths: Widths,
}

impl Format {
    /// `cube_count`: 1 to 4096. The world is that of the articles, and cube 0 is the player.
    ///
    /// # Errors
    /// When there are other than 1 to 4096 cubes.
    pub fn new(rung: Rung, bits: QuantisationBits, cube_count: usize) -> Result<Self, ConfigError> {
        Ok(Self {
            rung,
            class: Class::default(),
            space: Space::new(bits, cube_count)?,
            position_widths: Widths::of_position(bits.position()),
            orientation_widths: Widths::of_orientation(bits.orientation()),
        })
    }

    /// The same with other widths of the differences of positions and of orientations; of no account on rungs that send none
    /// in small and large ranges.
    #[must_use]
    pub const fn with_widths(self, position_widths: Widths, orientation_widths: Widths) -> Self {
        Self {
            position_widths,
            orientation_widths,
            ..self
        }
    }

    /// The same, of that class; of no account on rungs that are not arithmetic.
    #[must_use]
    pub const fn with_class(self, class: Class) -> Self {
        Self { class, ..self }
    }

    /// The same in another world; of no account on rungs that do not bound positions.
    #[must_use]
    pub const fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.space.bounds = bounds;
        self
    }

    /// The same with another cube as the player, or none: rung `predicted` begins with the player, and expects others to be
    /// pushed and pulled by it. On the others it is of no account.
    ///
    /// # Errors
    /// When there is no such cube.
    pub fn with_player(self, player: Option<usize>) -> Result<Self, ConfigError> {
        let space = self.space.with_player(player)?;
        Ok(Self { space, ..self })
    }

    /// The encoding.
    pub const fn rung(&self) -> Rung {
        self.rung
    }

    /// The quantisation.
    pub const fn bits(&self) -> QuantisationBits {
        self.space.bits
    }

    /// The bounds of positions.
    pub const fn bounds(&self) -> Bounds {
        self.space.bounds
    }

    /// Widths of the differences of positions.
    pub const fn position_widths(&self) -> Widths {
        self.position_widths
    }

    /// Widths of the differences of orientations' components.
    pub const fn orientation_widths(&self) -> Widths {
        self.orientation_widths
    }

    /// The player's index, or `None` where nobody is the player.
    pub const fn player(&self) -> Option<usize> {
        self.space.player
    }

    /// The class: which coder state a packet may be decoded from.
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Cubes in every snapshot.
    pub const fn cube_count(&self) -> usize {
        self.space.cube_count
    }

    /// The axes of a position on rungs that bound it, m.
    pub const fn position_axes(&self) -> [FixedPoint; 3] {
        self.space.position_axes()
    }

    pub(crate) const fn index_bits(&self) -> u32 {
        self.space.index_bits()
    }

    pub(crate) const fn smallest_three(&self) -> SmallestThree {
        self.space.smallest_three()
    }

    pub(crate) const fn velocity_axis(&self) -> FixedPoint {
        self.space.linear_velocity_axis()
    }

    /// Returns the integers that this format sends of a cube. They are always in range: values outside are clamped, values
    /// that are not finite become zero.
    pub fn quantise(&self, state: &CubeState) -> Cube {
        let at_rest = self.rung == Rung::AtRest && state.at_rest;
        Cube {
            position: if self.rung < Rung::Position {
                state.position.map(float_to_bits)
            } else {
                let axes = self.position_axes();
                core::array::from_fn(|i| axes[i].quantise(state.position[i]))
            },
            orientation: if self.rung < Rung::SmallestThree {
                state.orientation.map(float_to_bits)
            } else {
                self.smallest_three().quantise(state.orientation)
            },
            linear_velocity: if !self.rung.sends_velocity() || at_rest {
                [0; 3]
            } else if self.rung < Rung::Velocity {
                state.linear_velocity.map(float_to_bits)
            } else {
                state
                    .linear_velocity
                    .map(|v| self.velocity_axis().quantise(v))
            },
            interacting: state.interacting,
            at_rest,
        }
    }

    /// Returns the state that the receiver gets. Velocities that are not sent are zero, angular velocity always.
    pub fn dequantise(&self, cube: &Cube) -> CubeState {
        CubeState {
            position: if self.rung < Rung::Position {
                cube.position.map(float_from_bits)
            } else {
                let axes = self.position_axes();
                core::array::from_fn(|i| axes[i].dequantise(cube.position[i]))
            },
            orientation: if self.rung < Rung::SmallestThree {
                normalise(cube.orientation.map(float_from_bits))
            } else {
                self.smallest_three().dequantise(cube.orientation)
            },
            linear_velocity: if self.rung < Rung::Velocity {
                cube.linear_velocity.map(float_from_bits)
            } else {
                cube.linear_velocity
                    .map(|v| self.velocity_axis().dequantise(v))
            },
            angular_velocity: [0.0; 3],
            interacting: cube.interacting,
            at_rest: cube.at_rest,
        }
    }

    /// Refuses what is no snapshot of this format.
    pub fn check(&self, snapshot: &[Cube]) -> Result<(), SnapshotError> {
        self.check_count(snapshot)?;
        snapshot
            .iter()
            .enumerate()
            .try_for_each(|(index, cube)| self.check_cube(index, cube))
    }

    pub(crate) fn check_count(&self, snapshot: &[Cube]) -> Result<(), SnapshotError> {
        if snapshot.len() != self.cube_count() {
            return Err(SnapshotError::CubeCount {
                expected: self.cube_count(),
                actual: snapshot.len(),
            });
        }
        Ok(())
    }

    /// Refuses a decoded cube that is out of range, or whose flags say otherwise than its values.
    pub(crate) fn check_changed(
        &self,
        index: usize,
        base: &Cube,
        cube: &Cube,
        [position_changed, orientation_changed]: [bool; 2],
    ) -> Result<(), DecodeError> {
        if cube == base {
            return Err(DecodeError::CubeNotChanged { cube: index });
        }
        for (changed, same, field) in [
            (
                position_changed,
                cube.position == base.position,
                Field::Position,
            ),
            (
                orientation_changed,
                cube.orientation == base.orientation,
                Field::Orientation,
            ),
        ] {
            if changed && same {
                return Err(DecodeError::FieldNotChanged { cube: index, field });
            }
        }
        match self.check_cube(index, cube) {
            Err(SnapshotError::OutOfRange { cube, field }) => {
                Err(DecodeError::OutOfRange { cube, field })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_cube(&self, index: usize, cube: &Cube) -> Result<(), SnapshotError> {
        let finite = |bits: i32| float_from_bits(bits).is_finite();
        let position_fits = if self.rung < Rung::Position {
            cube.position.into_iter().all(finite)
        } else {
            self.position_axes()
                .into_iter()
                .zip(cube.position)
                .all(|(axis, step)| axis.contains(step))
        };
        let orientation_fits = if self.rung < Rung::SmallestThree {
            cube.orientation.into_iter().all(finite)
        } else {
            self.smallest_three().contains(cube.orientation)
        };
        let velocity_fits = if !self.rung.sends_velocity() || cube.at_rest {
            cube.linear_velocity == [0; 3]
        } else if self.rung < Rung::Velocity {
            cube.linear_velocity.into_iter().all(finite)
        } else {
            cube.linear_velocity
                .into_iter()
                .all(|step| self.velocity_axis().contains(step))
        };
        let at_rest_fits = self.rung == Rung::AtRest || !cube.at_rest;
        for (fits, field) in [
            (position_fits, Field::Position),
            (orientation_fits, Field::Orientation),
            (velocity_fits, Field::LinearVelocity),
            (at_rest_fits, Field::AtRest),
        ] {
            if !fits {
                return Err(SnapshotError::OutOfRange { cube: index, field });
            }
        }
        Ok(())
    }
}
