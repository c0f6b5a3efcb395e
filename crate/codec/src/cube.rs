//! Two representations of a cube, the laboratory's name for a sent object: floats in the simulation, integers on the wire.

/// A cube as floats: what the simulation has and what a view shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeState {
    /// Centre of the cube, m, z up.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// Linear velocity, m/s.
    pub linear_velocity: [f32; 3],
    /// Angular velocity, rad/s.
    pub angular_velocity: [f32; 3],
    /// True for a cube that the player or an interacting cube touched, until it has been at rest for a while.
    pub interacting: bool,
    /// True while the simulation has put the cube to sleep.
    pub at_rest: bool,
    /// The life of the cube's slot, its place in all snapshots: empty, or a generation.
    pub life: Life,
}

/// A cube as quantised integers, as a rung sends them; fields that the rung does not send are 0. Two cubes are the same on
/// the wire if and only if they are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cube {
    /// Position in fixed point, or as f32 bit patterns on the rungs before `position`.
    pub position: [i32; 3],
    /// Smallest-three code: index of the largest component, then the codes of the other three. On rung `uncompressed` four f32
    /// bit patterns.
    pub orientation: [i32; 4],
    /// Linear velocity in fixed point, as f32 bit patterns on the rungs before `velocity`, and 0 on rungs that do not send it.
    pub linear_velocity: [i32; 3],
    /// True for an interacting cube, as in [`CubeState`].
    pub interacting: bool,
    /// True while the cube is asleep. Only rung `at-rest` sends it; on other rungs it is false.
    pub at_rest: bool,
    /// Life of the slot, sent by formats with slots only, see [`Format::with_slots`](crate::Format::with_slots).
    pub life: Life,
}

/// The life of a slot, a cube's place in all snapshots: empty, or alive in generation 0, 1 or 2. A cube that appears in a slot,
/// or jumps, begins the next generation. Nothing is interpolated between two lives. Where no cube appears, disappears or jumps,
/// every slot stays in generation 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Life(u8);

impl Life {
    /// Alive in generation 0, the default.
    pub const FIRST: Self = Self(0);
    /// The life of a slot without a cube.
    pub const EMPTY: Self = Self(3);

    /// Returns true if the slot holds no cube.
    pub const fn is_empty(self) -> bool {
        self.0 == Self::EMPTY.0
    }

    /// Returns the generation after this one, in the cycle 0, 1, 2, 0. After an empty slot it is 0, so a caller that fills a
    /// slot again has to remember the slot's last generation.
    #[must_use]
    pub const fn next(self) -> Self {
        if self.0 < 2 {
            Self(self.0 + 1)
        } else {
            Self(0)
        }
    }

    /// Returns the life's number on the wire: the generation, or 3 for an empty slot.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the life that a number on the wire stands for; `None` above 3.
    pub const fn from_code(code: u8) -> Option<Self> {
        if code <= 3 { Some(Self(code)) } else { None }
    }
}

impl Cube {
    /// An empty slot. Only its life has a meaning; all other fields are 0.
    pub const EMPTY: Self = Self {
        position: [0; 3],
        orientation: [0; 4],
        linear_velocity: [0; 3],
        interacting: false,
        at_rest: false,
        life: Life::EMPTY,
    };

    /// Returns true if the rest of a packet skips this slot: it is empty, or was already sent whole with a new life. `settled`
    /// lists the slots with a new life, by rising index.
    pub(crate) fn is_settled(&self, index: usize, settled: &[usize]) -> bool {
        self.life.is_empty() || settled.binary_search(&index).is_ok()
    }
}

/// A cube at the origin, with the identity orientation, without a velocity.
impl Default for CubeState {
    fn default() -> Self {
        Self {
            life: Life::FIRST,
            ..Self::EMPTY
        }
    }
}

impl CubeState {
    /// An empty slot, as a decoder returns it.
    pub const EMPTY: Self = Self {
        position: [0.0; 3],
        orientation: [0.0, 0.0, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        interacting: false,
        at_rest: false,
        life: Life::EMPTY,
    };

    /// Says whether two states are equal bit for bit: 0 and -0 differ.
    pub fn same_bits(&self, other: &CubeState) -> bool {
        // All fields are named, so that a new one is not forgotten here.
        let Self {
            position,
            orientation,
            linear_velocity,
            angular_velocity,
            interacting,
            at_rest,
            life,
        } = *self;
        same(position, other.position)
            & same(orientation, other.orientation)
            & same(linear_velocity, other.linear_velocity)
            & same(angular_velocity, other.angular_velocity)
            & (interacting == other.interacting)
            & (at_rest == other.at_rest)
            & (life == other.life)
    }

    /// Says whether position and orientation are equal bit for bit.
    pub fn same_pose(&self, other: &CubeState) -> bool {
        same(self.position, other.position) & same(self.orientation, other.orientation)
    }
}

/// Compares two arrays bit for bit without branches: mostly all values are equal, so an early exit would gain nothing.
fn same<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    let differences = a.iter().zip(b).map(|(a, b)| a.to_bits() ^ b.to_bits());
    differences.fold(0, |all, one| all | one) == 0
}
