//! A cube's update in a packet of state synchronisation.

use snapshot_codec::GridState;

/// An update: the whole state of one cube at the packet's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Update {
    pub index: usize,
    pub body: GridState,
    /// Sequence of the packet whose state of this cube is the baseline; `None` without a baseline. The sender chooses it.
    pub baseline: Option<u32>,
}
