//! Studies of the held motion: ladders, widths, a trade-off and a comparison, as far as they have got.

use crate::lab::Lab;
use crate::lane_run::{LaneId, LaneRun};
use snapshot_analysis::comparison::Comparison;
use snapshot_analysis::ladder::{Ladder, used};
use snapshot_analysis::trade::Trade;
use snapshot_analysis::widths::WidthStatistics;
use snapshot_analysis::window::Window;
use snapshot_record::tape::Tape;

/// Studies of a session, as far as they have got.
#[derive(Default)]
pub(crate) struct Studies {
    /// The ladders of lane A and lane B.
    pub(crate) ladders: [Option<Ladder>; 2],
    pub(crate) widths: Option<WidthStatistics>,
    pub(crate) trade: Option<Trade>,
    pub(crate) comparison: Option<Comparison>,
}

impl Studies {
    /// Takes what stays to be read after a restart: the results of studies that a command began.
    pub(crate) fn take_results(&mut self) -> Studies {
        Studies {
            ladders: [None, None],
            widths: None,
            trade: self.trade.take(),
            comparison: self.comparison.take(),
        }
    }
}

/// Returns lane A or B; lane A if there is no B.
pub(crate) fn run(lab: &Lab, lane: LaneId) -> &LaneRun {
    lab.lane(lane).unwrap_or(lab.a())
}

/// Returns the tapes of lanes A and B.
pub(crate) fn tapes(lab: &Lab) -> [&Tape; 2] {
    LaneId::ALL.map(|lane| run(lab, lane).tape(lab.tape()))
}

/// Does one piece of a lane's ladder: over the seconds up to the playhead, or over the whole tape. If `ladder` belongs to other
/// settings or ticks, a new one is begun. Returns false once nothing is left to do. Does nothing for a lane B whose ladder would
/// equal A's.
pub(crate) fn climb(lab: &Lab, lane: LaneId, ladder: &mut Option<Ladder>, window: Window) -> bool {
    let is_its_own = |run: &&LaneRun| lane == LaneId::A || has_another_ladder(lab.a(), run);
    let Some(lane) = lab.lane(lane).filter(is_its_own) else {
        *ladder = None;
        return false;
    };
    let (tape, until) = (lab.tape(), until(lab, window));
    let (settings, link_inputs) = (lane.settings(), lane.link_inputs());
    ladder.take_if(|ladder| !ladder.fits(tape, settings, link_inputs, window, until));
    let begin = || Ladder::for_window(tape, settings, link_inputs, window, until);
    ladder.get_or_insert_with(begin).work(tape, until)
}

/// Returns true if the ladder of this lane would differ from lane A's.
fn has_another_ladder(a: &LaneRun, lane: &LaneRun) -> bool {
    let is_other =
        used(lane.settings()) != used(a.settings()) || lane.link_inputs() != a.link_inputs();
    let has_ladder = lane.settings().strategy().row().plays_snapshots;
    is_other && has_ladder && !lane.is_on_another_motion()
}

/// Does one piece of lane A's width statistics, as [`climb`] does of the ladder.
pub(crate) fn count_widths(
    lab: &Lab,
    statistics: &mut Option<WidthStatistics>,
    window: Window,
) -> bool {
    let (tape, until) = (lab.tape(), until(lab, window));
    let (settings, link_inputs) = (lab.settings(), lab.a().link_inputs());
    statistics.take_if(|statistics| !statistics.fits(tape, settings, link_inputs, window, until));
    let begin = || WidthStatistics::for_window(tape, settings, link_inputs, window, until);
    statistics.get_or_insert_with(begin).work(tape, until)
}

fn until(lab: &Lab, window: Window) -> u64 {
    match window {
        Window::Recent => lab.tick_count(),
        Window::Whole => lab.tape().last_tick(),
    }
}
