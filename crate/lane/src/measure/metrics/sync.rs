//! Figures that only state synchronisation has.

use super::Distribution;
use crate::strategy::sync::SyncReceiver;
use snapshot_view::Playback;

#[derive(Clone, Debug)]
pub struct SyncMetrics {
    pub budget_kbps: f64,
    /// Distance between the receiver's world and the truth at the shown instant, before smoothing, over interacting cubes, mm.
    pub divergence_mm: Distribution,
    pub divergence_now: DivergenceNow,
    /// For each cube, the number of ticks for which the receiver's cube has been off the place where the true cube sleeps.
    /// Ticks of a cut network do not count.
    pub apart_ticks: Vec<u64>,
    /// Greatest value that any cube has reached in `apart_ticks`.
    pub apart_ticks_max: u64,
    /// Number of pops: shown cubes that jumped by over 10 cm in ticks that updated them.
    pub pops: u64,
    /// Greatest share of a visible error of over 1 cm that smoothing removed in one frame.
    pub glide_max: f64,
    /// Ticks since the last update of each cube, by index.
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

    /// Adds a tick of the receiver. Does nothing without a playback, because then nothing was shown.
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

    /// Returns the time since a cube's last update, in ticks: the median over all cubes, and the maximum.
    pub fn since_update_median_max(&self) -> (u64, u64) {
        // The codec sorts words of this width too: so the page has one such sort.
        let ticks = self.since_update_ticks.iter().map(|ticks| *ticks as u32);
        let mut ticks: Vec<u32> = ticks.collect();
        ticks.sort_unstable();
        let at = |at: usize| ticks.get(at).map_or(0, |ticks| u64::from(*ticks));
        (at(ticks.len() / 2), at(ticks.len().saturating_sub(1)))
    }
}

/// Distance between the receiver's world and the truth of its instant, before smoothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DivergenceNow {
    /// Number of interacting cubes, which `rms_mm` and `max_mm` cover.
    pub interacting_cubes: u32,
    /// Root mean square of the distances of interacting cubes, mm.
    pub rms_mm: f64,
    /// Greatest distance of an interacting cube, mm.
    pub max_mm: f64,
    /// Greatest distance of a cube that sleeps in truth, mm.
    pub at_rest_max_mm: f64,
    /// Number of cubes that sleep in truth and are not at exactly the same place at the receiver.
    pub at_rest_apart: u32,
}
