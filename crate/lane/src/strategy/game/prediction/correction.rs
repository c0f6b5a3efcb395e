//! The corrections of a prediction, and statistics of them.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredictionFigures {
    /// Number of snapshots after which a cube was corrected.
    pub corrections: u64,
    /// Number of snapshots that differed from the prediction by less than their resolution, so that nothing was corrected.
    pub below_resolution: u64,
    pub resimulated_ticks: u64,
    /// Number of simulated ticks, repetitions included.
    pub simulated_ticks: u64,
    pub most_forks: usize,
}

/// A correction: a snapshot that differed from the prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    pub tick: u64,
    /// The client's tick when the snapshot came.
    pub client_tick: u64,
    /// Tick of the snapshot before this one; the cause of the correction lies after that tick.
    pub since_tick: u64,
    pub cubes: usize,
    pub worst: usize,
    /// Predicted and true position of the worst cube at the snapshot's tick, m.
    pub worst_positions: [[f32; 3]; 2],
    /// Error of the worst cube, mm.
    pub worst_mm: f64,
    /// Distance by which the client's cube would jump on the screen, mm.
    pub own_jump_mm: f64,
    pub ticks: u64,
    /// The rival's keys that were predicted for the snapshot's tick.
    pub rival_keys: u8,
}

/// A correction whose world is behind the client's tick.
pub(super) struct UnfinishedCorrection {
    /// The correction without its last figures.
    pub(super) correction: Correction,
    /// True if a predicted cube was wrong, or the rival had other keys. Otherwise a cube came near, which is no correction.
    pub(super) is_counted: bool,
    /// Positions before the correction: of the client's cube, and of the rival.
    pub(super) before: [[f32; 3]; 2],
}
