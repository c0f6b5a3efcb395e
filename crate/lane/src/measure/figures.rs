//! The figures of a lane at a tick, lent to reports.

use super::metrics::{BitsByKind, LockstepFigures, Metrics, SyncMetrics};
use crate::view::View;
use snapshot_netsim::channel::Counters;
use snapshot_settings::LaneSettings;
use snapshot_view::Playback;
use snapshot_view::interpolate::Tangents;
use std::sync::Arc;

/// The figures of a lane, lent for a report.
pub struct LaneFigures<'a> {
    pub(crate) settings: &'a LaneSettings,
    pub(crate) metrics: &'a Metrics,
    /// Counts of the packets to the right side.
    pub(crate) counters: Counters,
    /// With lockstep only.
    pub(crate) lockstep: Option<LockstepFigures>,
    /// With state synchronisation only.
    pub(crate) sync: Option<&'a SyncMetrics>,
    /// Items that share a packet's bits.
    pub(crate) item: &'static str,
    /// Bits of a packet of the same world on rung 0.
    pub(crate) uncompressed: &'a Arc<BitsByKind>,
    /// The source of hermite's tangents, with a strategy that interpolates.
    pub(crate) tangents: Option<Tangents>,
    /// The state of play; none before the first packet is due.
    pub(crate) playback: Option<Playback>,
    /// The right view.
    pub(crate) view: &'a View,
}

impl LaneFigures<'_> {
    /// Seconds since the lane began.
    pub(crate) fn seconds(&self) -> f64 {
        let tick_rate = self.settings.tick_rate();
        tick_rate.seconds_of_ticks(self.metrics.ticks)
    }
}
