//! Queries about the shown instant: values of every cube, the truth, and the history of a cube. Also analyses of the motion,
//! a piece at a time.

use super::Lab;
use crate::lane_run::{LaneId, LaneRun};
use snapshot_analysis::ladder::{Ladder, used};
use snapshot_analysis::widths::WidthStatistics;
use snapshot_analysis::window::Window;
use snapshot_base::order;
use snapshot_lane::history::{FirstDifference, Moment};
use snapshot_lane::overlay::Overlay;
use snapshot_netsim::channel::LinkInputs;
use snapshot_view::Pose;

impl Lab {
    /// Returns the value of each cube that an overlay shows as a colour, for a lane at the playhead. `None` if the lane does
    /// not exist, its strategy has no such overlay, or no value exists yet.
    pub fn overlay(&mut self, lane: LaneId, overlay: Overlay) -> Option<Vec<f32>> {
        let lane = self.lanes.get_mut(lane)?;
        lane.overlay(overlay, &self.tape, self.playhead)
    }

    /// Iterates over the overlays that exist for the strategy of lane A or of lane B.
    pub fn overlays(&self) -> impl Iterator<Item = Overlay> {
        let lanes = || self.lanes.iter().map(|lane| lane.settings().strategy());
        let is_there = move |overlay: &Overlay| lanes().any(|strategy| overlay.is_of(strategy));
        Overlay::ALL.into_iter().filter(is_there)
    }

    /// Returns the packets whose overrides differ between A and B, and the first visible difference. `None` if the lanes
    /// differ in any setting.
    pub fn first_difference(&self) -> Option<(Vec<u64>, Option<FirstDifference>)> {
        let a = &self.lanes.a;
        let b = self.b().filter(|b| b.settings() == a.settings())?;
        let (history, other) = a.history().zip(b.history())?;
        let overrides = [a.overrides(), b.overrides()];
        let numbers = overrides.iter().flat_map(|overrides| overrides.iter());
        let mut packets: Vec<_> = numbers.map(|(number, _)| number).collect();
        order::sort_by_key(&mut packets, |number| *number);
        packets.dedup();
        packets.retain(|&number| overrides[0].get(number) != overrides[1].get(number));
        Some((packets, history.first_difference(other)))
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
    pub fn moments(&mut self, cube: usize, ticks: u64) -> Vec<Moment> {
        let history = self.lanes.a.history_mut();
        history.map_or_else(Vec::new, |history| {
            history.moments(cube, self.playhead, ticks, &self.tape)
        })
    }

    /// Does one piece of a lane's ladder: over the seconds up to the playhead, or over the whole tape. If `ladder` belongs to
    /// other settings or ticks, a new one is begun. Returns false once nothing is left to do. Does nothing for a lane B whose
    /// ladder would equal A's.
    pub fn climb(&self, lane: LaneId, ladder: &mut Option<Ladder>, window: Window) -> bool {
        let is_its_own = |run: &&LaneRun| lane == LaneId::A || self.has_another_ladder(run);
        let Some(lane) = self.lanes.get(lane).filter(is_its_own) else {
            *ladder = None;
            return false;
        };
        let (tape, until) = (&self.tape, self.until(window));
        let (settings, link_inputs) = (lane.settings(), lane.link_inputs());
        ladder.take_if(|ladder| !ladder.fits(tape, settings, link_inputs, window, until));
        let begin = || Ladder::for_window(tape, settings, link_inputs, window, until);
        ladder.get_or_insert_with(begin).work(tape, until)
    }

    /// Returns true if the ladder of this lane would differ from lane A's.
    fn has_another_ladder(&self, lane: &LaneRun) -> bool {
        let a = &self.lanes.a;
        let is_other =
            used(lane.settings()) != used(a.settings()) || lane.link_inputs() != a.link_inputs();
        let has_ladder = lane.settings().strategy().row().plays_snapshots;
        is_other && has_ladder && !lane.is_on_another_motion()
    }

    /// Does one piece of lane A's width statistics, as [`Lab::climb`] does of the ladder.
    pub fn count_widths(&self, statistics: &mut Option<WidthStatistics>, window: Window) -> bool {
        let (tape, until) = (&self.tape, self.until(window));
        let (settings, link_inputs) = (self.settings(), self.lanes.a.link_inputs());
        statistics
            .take_if(|statistics| !statistics.fits(tape, settings, link_inputs, window, until));
        let begin = || WidthStatistics::for_window(tape, settings, link_inputs, window, until);
        statistics.get_or_insert_with(begin).work(tape, until)
    }

    /// The inputs of lane A's link: overrides of packets, and a trace.
    pub fn link_inputs(&self) -> &LinkInputs {
        self.lanes.a.link_inputs()
    }

    fn until(&self, window: Window) -> u64 {
        match window {
            Window::Recent => self.playhead,
            Window::Whole => self.tape.last_tick(),
        }
    }
}
