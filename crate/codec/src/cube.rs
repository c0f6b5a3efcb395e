//! A cube twice: as the simulation has it, and as the wire has it.

/// A cube as floats: what the simulation has and what a view shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeState {
    /// Centre of the cube, m, z up.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// m/s.
    pub linear_velocity: [f32; 3],
    /// rad/s.
    pub angular_velocity: [f32; 3],
    /// Touched by the player, or by an interacting cube, and not yet at rest for long.
    pub interacting: bool,
    /// The simulation has put the cube to sleep.
    pub at_rest: bool,
}

/// The integers of a cube that a rung sends; fields that the rung does not send are 0. Two cubes are the same on the
/// wire if and only if they are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cube {
    /// Fixed point, or f32 bit patterns on the rungs before `position`.
    pub position: [i32; 3],
    /// Smallest three: which component is the largest, then the codes of the others; on rung `uncompressed` four f32
    /// bit patterns.
    pub orientation: [i32; 4],
    /// Fixed point, f32 bit patterns on the rungs before `velocity`, 0 where it is not sent.
    pub linear_velocity: [i32; 3],
    /// Touched by the player, as in [`CubeState`].
    pub interacting: bool,
    /// Asleep, as in [`CubeState`]; sent by rung `at-rest` only, else false.
    pub at_rest: bool,
}

impl CubeState {
    /// Says whether every bit is the same: 0 and -0 differ.
    pub fn same_bits(&self, other: &CubeState) -> bool {
        self.same_pose(other)
            & same(self.linear_velocity, other.linear_velocity)
            & same(self.angular_velocity, other.angular_velocity)
            & (self.interacting == other.interacting)
            & (self.at_rest == other.at_rest)
    }

    /// Says whether every bit of position and orientation is the same.
    pub fn same_pose(&self, other: &CubeState) -> bool {
        same(self.position, other.position) & same(self.orientation, other.orientation)
    }
}

/// Compares without a branch: most values are the same, and then all of them are looked at anyway.
fn same<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    let differences = a.iter().zip(b).map(|(a, b)| a.to_bits() ^ b.to_bits());
    differences.fold(0, |all, one| all | one) == 0
}
