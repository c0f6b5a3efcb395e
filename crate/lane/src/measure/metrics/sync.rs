//! Figures that only state synchronisation has.

use super::Distribution;
use snapshot_strategies::sync::SyncReceiver;
use snapshot_view::Playback;

/// Figures of state synchronisation since the lane's start.
#[derive(Clone, Debug)]
pub struct SyncMetrics {
    /// The budget in force, kbit/s.
    pub budget_kbps: f64,
    /// Divergence of the right world from the truth, before smoothing, over cubes interacting at that instant.
    pub divergence_mm: Distribution,
    /// In this tick alone.
    pub divergence_now: DivergenceNow,
    /// By cube, for how many ticks it has slept in truth and was not exactly there on the right, with the network up.
    pub apart_ticks: Vec<u64>,
    /// The longest of these.
    pub apart_ticks_max: u64,
    /// Cubes that jumped by over 10 cm in the view, in ticks that updated them.
    pub pops: u64,
    /// The greatest part of a shown error of over 1 cm that was let go in one frame.
    pub glide_max: f64,
    /// By cube, ticks since its last update.
    pub since_update_ticks: Vec<u64>,
}

impl SyncMetrics {
    pub(crate) fn new() -> SyncMetrics {
        SyncMetrics {
            budget_kbps: 0.0,
            divergence_mm: Distribution::new(1000.0),
            divergence_now: DivergenceNow::default(),
            apart_ticks: Vec::new(),
            apart_ticks_max: 0,
            pops: 0,
            glide_max: 0.0,
            since_update_ticks: Vec::new(),
        }
    }

    /// Takes a tick of the receiver. Without a playback nothing was shown, and nothing changed.
    pub(crate) fn note(&mut self, playback: Option<Playback>, receiver: &SyncReceiver) {
        let Some(playback) = playback else {
            return;
        };
        let now_frame = playback.stepped_tick as u64;
        let since_update = |frame: &u64| now_frame.saturating_sub(*frame);
        self.since_update_ticks.clear();
        self.since_update_ticks
            .extend(receiver.updated().iter().map(since_update));
        self.pops = receiver.figures().pops;
        self.glide_max = receiver.figures().glide_max;
    }

    /// Median and maximum over the cubes of the ticks since their last update.
    pub fn since_update_median_max(&self) -> (u64, u64) {
        let mut ticks = self.since_update_ticks.clone();
        ticks.sort_unstable();
        let median = ticks.get(ticks.len() / 2).copied();
        (median.unwrap_or(0), ticks.last().copied().unwrap_or(0))
    }
}

/// Divergence of the right world from the truth of its instant, before smoothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DivergenceNow {
    /// Cubes that the next two are over.
    pub interacting_cubes: u32,
    /// Over cubes that interact.
    pub rms_mm: f64,
    /// Over cubes that interact.
    pub max_mm: f64,
    /// Over cubes that sleep in truth.
    pub at_rest_max_mm: f64,
    /// Cubes that sleep in truth and are not exactly there on the right.
    pub at_rest_apart: u32,
}
