//! Objects that a lane showed farthest from the truth over its run.

use super::LaneHistory;
use crate::measure::metrics::ObjectError;
use serde::Serialize;

/// The objects with the greatest mean errors, and the time that the means cover.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WorstObjects {
    /// Start of the lane's run, in seconds of the motion.
    pub from_s: f64,
    /// End of the lane's run so far, in seconds of the motion.
    pub to_s: f64,
    /// Objects by mean position error, mm, greatest first.
    pub position_mm: Vec<ObjectError>,
    /// Objects by mean orientation error, degrees, greatest first.
    pub orientation_deg: Vec<ObjectError>,
}

impl LaneHistory {
    /// Returns the objects with the greatest mean errors over the lane's run: at most `count` by position, and as many by
    /// orientation.
    pub fn worst_objects(&self, count: usize) -> WorstObjects {
        let metrics = self.lane.metrics();
        let seconds = |tick| self.lane.settings().tick_rate().seconds_of_ticks(tick);
        WorstObjects {
            from_s: seconds(self.start_tick),
            to_s: seconds(self.start_tick + metrics.ticks),
            position_mm: metrics.objects.most_apart(count),
            orientation_deg: metrics.objects.most_turned(count),
        }
    }
}
