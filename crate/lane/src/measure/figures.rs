//! Figures of a lane at a tick, borrowed by reports.

use super::metrics::{BitsByKind, Metrics};
use crate::strategy::strategy_ends::StrategyEnds;
use crate::view::View;
use snapshot_netsim::channel::Counters;
use snapshot_settings::LaneSettings;
use snapshot_view::Playback;
use std::sync::Arc;

pub struct LaneFigures<'a> {
    pub(crate) settings: &'a LaneSettings,
    pub(crate) metrics: &'a Metrics,
    /// Counts of packets to the receiver, by fate.
    pub(crate) counters: Counters,
    /// Measurements and states that only its strategy has.
    pub(crate) own: &'a StrategyEnds,
    /// Name of the items among which a packet's bits are divided: cubes, updates or inputs.
    pub(crate) item: &'static str,
    /// Bits, by kind, of a packet of the same world on rung 0.
    pub(crate) uncompressed: &'a Arc<BitsByKind>,
    /// Playback state of the receiver's view; `None` before the first packet is due.
    pub(crate) playback: Option<Playback>,
    /// True if the receiver's view shows nothing newer than in the tick before.
    pub(crate) is_still: bool,
    pub(crate) view: &'a View,
}

impl LaneFigures<'_> {
    pub(crate) fn seconds(&self) -> f64 {
        let tick_rate = self.settings.tick_rate();
        tick_rate.seconds_of_ticks(self.metrics.ticks)
    }

    pub(crate) fn ms_of_ticks(&self, ticks: f64) -> f64 {
        self.settings.tick_rate().ms_of_tick(ticks)
    }
}
