//! A cube's state in a packet of state synchronisation.

/// A cube's whole state, quantised to integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SyncBody {
    /// Position in fixed point.
    pub position: [i32; 3],
    /// Smallest-three code of the orientation: index of the largest component, then the codes of the three other components.
    pub orientation: [i32; 4],
    /// Linear velocity in fixed point; 0 at rest, and where the format sends no velocities.
    pub linear_velocity: [i32; 3],
    /// Angular velocity in fixed point; 0 at rest, and where the format sends no velocities.
    pub angular_velocity: [i32; 3],
    /// True while the simulation has put the cube to sleep.
    pub at_rest: bool,
}

/// An update: the whole state of one cube at the packet's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Update {
    pub index: usize,
    pub body: SyncBody,
    /// Sequence of the packet whose state of this cube is the baseline; `None` without a baseline. The sender chooses it.
    pub baseline: Option<u32>,
}
