//! Figures that only lockstep has.

use snapshot_strategies::lockstep::{LockstepReceiverFigures, SenderFigures};

/// Measures of both ends of lockstep, and of the comparison of their worlds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockstepFigures {
    /// The sender's.
    pub sender: SenderFigures,
    /// The receiver's.
    pub receiver: LockstepReceiverFigures,
    /// The comparison of both worlds.
    pub observer: ObserverFigures,
}

/// Comparison of both worlds of lockstep, frame by frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserverFigures {
    /// Frames whose checksums were compared.
    pub frames_checked: u64,
    /// The first frame whose checksums differ.
    pub first_desync_frame: Option<u64>,
}
