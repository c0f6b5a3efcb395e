//! A cube in a sync packet.

/// The integers of a cube's whole state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SyncBody {
    /// Fixed point.
    pub position: [i32; 3],
    /// Smallest three: which component is the largest, then the codes of the others.
    pub orientation: [i32; 4],
    /// Fixed point; 0 at rest, and where the format sends no velocities.
    pub linear_velocity: [i32; 3],
    /// Fixed point, as the linear one.
    pub angular_velocity: [i32; 3],
    /// The simulation has put the cube to sleep.
    pub at_rest: bool,
}

/// The whole state of a cube at the packet's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Index of the cube.
    pub index: usize,
    /// Its state.
    pub body: SyncBody,
    /// The packet that it is encoded against; the sender's choice.
    pub baseline: Option<u32>,
}
