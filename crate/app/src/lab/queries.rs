//! Queries about the shown instant: values of every cube, and the truth.

use super::Lab;
use crate::lane_run::LaneId;
use snapshot_lane::history::Moment;
use snapshot_lane::overlay::Overlay;
use snapshot_view::Pose;

impl Lab {
    /// Returns the value of each cube that an overlay shows as a colour, for a lane at the playhead. `None` if the lane does
    /// not exist, its strategy has no such overlay, or no value exists yet.
    pub fn overlay(&mut self, lane: LaneId, overlay: Overlay) -> Option<Vec<f32>> {
        let lane = self.lanes.get_mut(lane)?;
        lane.overlay(overlay, &self.tape, self.playhead)
    }

    /// Returns the true poses of all cubes at the instant that a lane's receiver shows; empty before it shows anything.
    pub fn truth_shown(&self, lane: LaneId) -> Vec<Pose> {
        let run = self.lanes.get(lane);
        let history = run.and_then(|run| Some((run.history()?, run.tape(&self.tape))));
        history.map_or_else(Vec::new, |(history, tape)| {
            history.truth_shown(self.playhead, tape)
        })
    }

    /// Returns the errors and bits of a cube in lane A, for each of the last `ticks` ticks up to the playhead, oldest first.
    pub(crate) fn moments(&mut self, cube: usize, ticks: u64) -> Vec<Moment> {
        let history = self.lanes.a.history_mut();
        history.map_or_else(Vec::new, |history| {
            history.moments(cube, self.playhead, ticks, &self.tape)
        })
    }
}
