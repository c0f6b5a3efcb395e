//! The format of packets: the settings that both ends agree on before the first packet.

use crate::cube::{Cube, CubeState, Life};
use crate::declared::{Fields, Snapshot};
use crate::error::{ConfigError, CubeField, DecodeError, SnapshotError};
use crate::quantise::{FixedPoint, SmallestThree, float_from_bits, float_to_bits, normalise};
use crate::ranges::Widths;
use crate::rungs::{Class, Rung, ValueCoding};
use crate::space::{Bounds, QuantisationBits, Space};

/// Upper limit of the size of one cube on any rung, bits: ten floats, or six numbers of 60 bits and seven decisions of 16 by
/// an arithmetic coder.
const CUBE_BITS_MAX: usize = 512;
/// Upper limit of the size of a packet's header, counts, inputs and padding together, bytes.
const PACKET_BYTES_MAX: usize = 256;

/// Settings that both ends must share before the first packet: rung (the encoding), quantisation and number of cubes. Bounds of
/// the world, widths of differences and the player's cube have defaults, those of Fiedler's articles.
///
/// ```
/// use snapshot_codec::{Bounds, Class, CubeState, Format, QuantisationBits, Rung};
///
/// // 12 bits: steps of 1/4096 m, in a world of 64 x 64 x 16 m. Nobody is the player.
/// let bits = QuantisationBits::new(12, 15, 5)?;
/// let format = Format::new(Rung::Predicted, bits, 300)?
///     .with_class(Class::Strict)
///     .with_bounds(Bounds::new([-32, -32, -8], [32, 32, 8])?)?
///     .with_player(None)?;
/// let state = CubeState { position: [1.5, -40.0, 0.2], orientation: [0.0, 0.6, 0.0, 0.8], ..CubeState::default() };
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
    has_slots: bool,
    fields: Option<Fields>,
}

impl Format {
    /// Makes a format of 1 to 4096 cubes, with the bounds of Fiedler's articles and with cube 0 as the player.
    ///
    /// # Errors
    /// When `cube_count` is not 1 to 4096, or the crate was built without the rung.
    pub fn new(rung: Rung, bits: QuantisationBits, cube_count: usize) -> Result<Self, ConfigError> {
        if !rung.is_built() {
            return Err(ConfigError::RungNotBuilt(rung));
        }
        Ok(Self {
            rung,
            class: Class::default(),
            space: Space::new(bits, cube_count)?,
            position_widths: Widths::of_position(bits.position()),
            orientation_widths: Widths::of_orientation(bits.orientation()),
            has_slots: false,
            fields: None,
        })
    }

    /// Sets the widths, in bits, of position and orientation differences. They matter only on rungs that send differences in a
    /// small and a large range.
    #[must_use]
    pub const fn with_widths(self, position_widths: Widths, orientation_widths: Widths) -> Self {
        Self {
            position_widths,
            orientation_widths,
            ..self
        }
    }

    /// Sets the coder class, strict or chained: the state from which packets are decoded. It matters only on rungs with an
    /// arithmetic coder.
    #[must_use]
    pub const fn with_class(self, class: Class) -> Self {
        Self { class, ..self }
    }

    /// Sets the bounds of the world. They matter only on rungs that bound positions.
    ///
    /// # Errors
    /// When a bound is more than 2^22 position steps from the middle: 1,024 m at 12 fractional bits, 8 km at 9, 262 km at 4.
    pub const fn with_bounds(self, bounds: Bounds) -> Result<Self, ConfigError> {
        match self.space.with_bounds(bounds) {
            Ok(space) => Ok(Self { space, ..self }),
            Err(error) => Err(error),
        }
    }

    /// Chooses whether the receiver gets the identity orientation exactly. Each component then has one code fewer, so that the
    /// value 0 has a code of its own. Otherwise the identity comes back turned by 0.27 degrees at 9 bits. Has no effect on rung
    /// `uncompressed`.
    #[must_use]
    pub const fn with_exact_identity(mut self, exact_identity: bool) -> Self {
        self.space.exact_identity = exact_identity;
        self
    }

    /// Sets which cube is the player, if any. Rung `predicted` codes the player first, and expects it to push and pull other
    /// cubes. Other rungs ignore it.
    ///
    /// # Errors
    /// When there is no such cube.
    pub fn with_player(self, player: Option<usize>) -> Result<Self, ConfigError> {
        let space = self.space.with_player(player)?;
        Ok(Self { space, ..self })
    }

    /// Lets cubes appear, disappear and jump: each cube is then in a slot, whose [`Life`] is sent.
    ///
    /// # Errors
    /// When the rung is `simulated`: its simulation knows nothing of cubes that come and go.
    pub const fn with_slots(self, has_slots: bool) -> Result<Self, ConfigError> {
        if has_slots && self.rung.row().needs_simulation {
            return Err(ConfigError::SimulatedSlots);
        }
        Ok(Self { has_slots, ..self })
    }

    /// Adds declared fields: each slot then sends an id, a kind and a value of each field.
    #[must_use]
    pub const fn with_fields(self, fields: Fields) -> Self {
        let fields = Some(fields);
        Self { fields, ..self }
    }

    /// The rung: the encoding of snapshots.
    pub const fn rung(&self) -> Rung {
        self.rung
    }

    /// Numbers of bits of the quantised fields.
    pub const fn bits(&self) -> QuantisationBits {
        self.space.bits
    }

    /// The bounds of positions.
    pub const fn bounds(&self) -> Bounds {
        self.space.bounds
    }

    /// Bit widths of position differences.
    pub const fn position_widths(&self) -> Widths {
        self.position_widths
    }

    /// Bit widths of the differences of orientation components.
    pub const fn orientation_widths(&self) -> Widths {
        self.orientation_widths
    }

    /// Index of the player's cube; `None` if no cube is the player.
    pub const fn player(&self) -> Option<usize> {
        self.space.player
    }

    /// The coder class: the state from which packets are decoded.
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Number of cubes in every snapshot.
    pub const fn cube_count(&self) -> usize {
        self.space.cube_count
    }

    /// Returns true if an identity orientation is received as exactly the identity.
    pub const fn has_exact_identity(&self) -> bool {
        self.space.exact_identity
    }

    /// Returns true if the life of each slot is sent. If not, every life must be [`Life::FIRST`].
    pub const fn has_slots(&self) -> bool {
        self.has_slots
    }

    /// The fields that the game declared, if any.
    pub const fn fields(&self) -> Option<Fields> {
        self.fields
    }

    /// Upper limit of a packet's size in this format, bytes, for reserving memory. Most packets are far shorter.
    pub fn packet_bytes_max(&self) -> usize {
        let of_fields = |fields: Fields| fields.row_bits() as usize + 32 * (1 + fields.count());
        let row_bits = self.fields.map_or(0, of_fields);
        PACKET_BYTES_MAX + (self.cube_count() * (CUBE_BITS_MAX + row_bits)).div_ceil(8)
    }

    /// Fixed-point ranges of the three position axes, m, on rungs that bound positions.
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

    fn velocity_coding(&self, at_rest: bool) -> ValueCoding {
        match at_rest {
            true => ValueCoding::Absent,
            false => self.rung.row().linear_velocity,
        }
    }

    /// Quantises a cube: returns the integers that this format sends. They are always in range: values outside are clamped,
    /// values that are not finite become zero. Only the life is copied unchecked: a format without slots refuses to send
    /// another than the first. An empty slot has no field but its life.
    pub fn quantise(&self, state: &CubeState) -> Cube {
        if state.life.is_empty() {
            return Cube::EMPTY;
        }
        let row = self.rung.row();
        let at_rest = row.at_rest_flag && state.at_rest;
        Cube {
            position: row.position.quantise(self.position_axes(), state.position),
            orientation: if row.orientation == ValueCoding::Float {
                state.orientation.map(float_to_bits)
            } else {
                self.smallest_three().quantise(state.orientation)
            },
            linear_velocity: self
                .velocity_coding(at_rest)
                .quantise([self.velocity_axis(); 3], state.linear_velocity),
            interacting: state.interacting,
            at_rest,
            life: state.life,
        }
    }

    /// Returns the cube's state that the receiver reconstructs. Velocities that the rung does not send are zero; angular
    /// velocity always is.
    pub fn dequantise(&self, cube: &Cube) -> CubeState {
        if cube.life.is_empty() {
            return CubeState::EMPTY;
        }
        let row = self.rung.row();
        CubeState {
            position: row.position.dequantise(self.position_axes(), cube.position),
            orientation: if row.orientation == ValueCoding::Float {
                normalise(cube.orientation.map(float_from_bits))
            } else {
                self.smallest_three().dequantise(cube.orientation)
            },
            linear_velocity: row
                .linear_velocity
                .dequantise([self.velocity_axis(); 3], cube.linear_velocity),
            angular_velocity: [0.0; 3],
            interacting: cube.interacting,
            at_rest: cube.at_rest,
            life: cube.life,
        }
    }

    /// Returns an error if this format cannot send the snapshot.
    pub fn check<'a>(&self, snapshot: impl Into<Snapshot<'a>>) -> Result<(), SnapshotError> {
        let snapshot = snapshot.into();
        self.check_count(snapshot.cubes)?;
        let mut cubes = snapshot.cubes.iter().enumerate();
        cubes.try_for_each(|(index, cube)| self.check_cube(index, cube))?;
        self.check_rows(snapshot)
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

    /// Returns an error for a decoded cube that is out of range, or whose change flags contradict its values.
    pub(crate) fn check_changed(
        &self,
        index: usize,
        base: &Cube,
        cube: &Cube,
        changed: [bool; 2],
    ) -> Result<(), DecodeError> {
        check_flags(index, base, cube, changed)?;
        match self.check_cube(index, cube) {
            Err(SnapshotError::OutOfRange { cube, field }) => {
                Err(DecodeError::OutOfRange { cube, field })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_cube(&self, index: usize, cube: &Cube) -> Result<(), SnapshotError> {
        if !self.has_slots && cube.life != Life::FIRST {
            let field = CubeField::Life;
            return Err(SnapshotError::OutOfRange { cube: index, field });
        }
        if cube.life.is_empty() {
            // Its zeros are no place: the bounds need not hold them.
            let is_blank = *cube == Cube::EMPTY;
            let cube = index;
            return is_blank
                .then_some(())
                .ok_or(SnapshotError::EmptyWithFields { cube });
        }
        // All fields are named, so that a new one is checked.
        let &Cube {
            position,
            orientation,
            linear_velocity,
            interacting: _,
            at_rest,
            life: _,
        } = cube;
        let row = self.rung.row();
        let position_fits = row.position.holds(self.position_axes(), position);
        let orientation_fits = if row.orientation == ValueCoding::Float {
            orientation.into_iter().all(is_finite)
        } else {
            self.smallest_three().contains(orientation)
        };
        let velocity_fits = self
            .velocity_coding(at_rest)
            .holds([self.velocity_axis(); 3], linear_velocity);
        let at_rest_fits = row.at_rest_flag || !at_rest;
        for (fits, field) in [
            (position_fits, CubeField::Position),
            (orientation_fits, CubeField::Orientation),
            (velocity_fits, CubeField::LinearVelocity),
            (at_rest_fits, CubeField::AtRest),
        ] {
            if !fits {
                return Err(SnapshotError::OutOfRange { cube: index, field });
            }
        }
        Ok(())
    }
}

/// Returns an error if a decoded cube was sent as changed, or its position or orientation was, but equals the baseline's.
pub(crate) fn check_flags(
    index: usize,
    base: &Cube,
    cube: &Cube,
    [position_changed, orientation_changed]: [bool; 2],
) -> Result<(), DecodeError> {
    let refused = |field| Err(DecodeError::FieldNotChanged { cube: index, field });
    if cube == base {
        Err(DecodeError::CubeNotChanged { cube: index })
    } else if position_changed && cube.position == base.position {
        refused(CubeField::Position)
    } else if orientation_changed && cube.orientation == base.orientation {
        refused(CubeField::Orientation)
    } else {
        Ok(())
    }
}

fn is_finite(bits: i32) -> bool {
    float_from_bits(bits).is_finite()
}

impl ValueCoding {
    fn quantise(self, axes: [FixedPoint; 3], value: [f32; 3]) -> [i32; 3] {
        match self {
            Self::Absent => [0; 3],
            Self::Float => value.map(float_to_bits),
            Self::Integer | Self::Relative | Self::Modelled => {
                core::array::from_fn(|i| axes[i].quantise(value[i]))
            }
        }
    }

    fn dequantise(self, axes: [FixedPoint; 3], codes: [i32; 3]) -> [f32; 3] {
        match self {
            Self::Float => codes.map(float_from_bits),
            Self::Absent | Self::Integer | Self::Relative | Self::Modelled => {
                core::array::from_fn(|i| axes[i].dequantise(codes[i]))
            }
        }
    }

    fn holds(self, axes: [FixedPoint; 3], codes: [i32; 3]) -> bool {
        match self {
            Self::Absent => codes == [0; 3],
            Self::Float => codes.into_iter().all(is_finite),
            Self::Integer | Self::Relative | Self::Modelled => {
                let mut parts = axes.iter().zip(codes);
                parts.all(|(axis, code)| axis.contains(code))
            }
        }
    }
}

/// Rows of declared fields.
impl Format {
    /// Number of all values in the rows of a snapshot.
    pub(crate) fn row_numbers(&self) -> usize {
        let row_len = self.fields().map_or(0, |fields| fields.row_len());
        self.cube_count() * row_len
    }

    /// Returns an error if this format cannot send the snapshot's rows.
    pub(crate) fn check_rows(&self, snapshot: Snapshot) -> Result<(), SnapshotError> {
        self.check_row_count(snapshot)?;
        let Some(fields) = self.fields() else {
            return Ok(());
        };
        let rows = snapshot.rows.chunks_exact(fields.row_len());
        let mut slots = rows.zip(snapshot.cubes).enumerate();
        slots.try_for_each(|(index, (row, cube))| self.check_row(index, cube.life, row))
    }

    pub(crate) fn check_row_count(&self, snapshot: Snapshot) -> Result<(), SnapshotError> {
        let (expected, actual) = (self.row_numbers(), snapshot.rows.len());
        if actual != expected {
            return Err(SnapshotError::RowNumbers { expected, actual });
        }
        Ok(())
    }

    pub(crate) fn check_row(
        &self,
        index: usize,
        life: Life,
        row: &[u32],
    ) -> Result<(), SnapshotError> {
        if life.is_empty() {
            let is_blank = row.iter().all(|&number| number == 0);
            let refused = SnapshotError::EmptyWithFields { cube: index };
            return is_blank.then_some(()).ok_or(refused);
        }
        let fields = self.fields();
        fields.map_or(Ok(()), |fields| fields.check_row(index, row))
    }
}
