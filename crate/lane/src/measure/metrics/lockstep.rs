//! Figures that only lockstep has.

use crate::strategy::lockstep::{LockstepReceiverFigures, SenderFigures};

/// Measurements of both ends of lockstep, and of the comparison of their worlds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockstepFigures {
    pub sender: SenderFigures,
    pub receiver: LockstepReceiverFigures,
    pub observer: ObserverFigures,
}

/// Results of comparing both lockstep worlds frame by frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserverFigures {
    /// Number of frames whose checksums were compared.
    pub frames_checked: u64,
    /// The first frame whose checksums differ; `None` while all are equal.
    pub first_desync_frame: Option<u64>,
}
