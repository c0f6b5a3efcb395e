//! Studies: analyses of the held motion, done a piece at a time while the page goes on.

use super::Refusal;
use crate::lab::Lab;
use crate::lane_run::{LaneId, LaneRun};
use crate::session::Session;
use serde::Deserialize;
use snapshot_analysis::comparison::Comparison;
use snapshot_analysis::ladder::{Ladder, used};
use snapshot_analysis::trade::{Trade, TradeError, VariedSetting};
use snapshot_analysis::widths::WidthStatistics;
use snapshot_analysis::window::{TickSpan, Window};
use snapshot_record::tape::Tape;

/// A study that is begun by a command. Its results stay until the next one of its kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StudyCommand {
    /// Measures every combination of these values, such as `hz=10,20,30` and `interp=linear,hermite`. All other settings are
    /// lane A's.
    Trade { vary: Vec<String> },
    /// Compares lanes A and B over the ticks that the tapes of both store. Without a lane B, A is compared with itself.
    Comparison,
}

/// A study to work at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Study {
    /// The ladders of both lanes: costs of the motion on every rung. `whole` measures the whole tape, not only the seconds up
    /// to the shown instant.
    Ladder { whole: bool },
    /// The costs of lane A's pairs of widths.
    Widths { whole: bool },
    /// The trade-off that [`StudyCommand::Trade`] began.
    Trade,
    /// The comparison that [`StudyCommand::Comparison`] began.
    Comparison,
    /// The pictures of a blind test's present trial.
    Test,
}

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
    /// Returns what stays to be read after a restart: the results of studies that a command began.
    pub(crate) fn of_another_motion(&mut self) -> Studies {
        Studies {
            ladders: [None, None],
            widths: None,
            trade: self.trade.take(),
            comparison: self.comparison.take(),
        }
    }
}

impl Session {
    pub(super) fn begin_study(&mut self, command: StudyCommand) -> Result<(), TradeError> {
        match command {
            StudyCommand::Trade { vary } => {
                let varied: Result<Vec<_>, _> =
                    vary.iter().map(|text| VariedSetting::parse(text)).collect();
                let motion = self.lab.tape().motion();
                let slots = motion.map(|session_config| session_config.has_slots);
                let trade = Trade::new(self.lab.settings(), &varied?, 0, slots)?;
                self.studies.trade = Some(trade.with_trace(self.lab.trace().cloned()));
            }
            StudyCommand::Comparison => {
                let tapes = tapes(&self.lab);
                let window = TickSpan {
                    after: tapes[0].first_tick().max(tapes[1].first_tick()),
                    last: tapes[0].last_tick().min(tapes[1].last_tick()),
                };
                let sides = LaneId::ALL.map(|lane| run(&self.lab, lane).setup());
                self.studies.comparison = Some(Comparison::new(sides, window));
            }
        }
        Ok(())
    }

    /// Does one piece of a study. Returns false once nothing is left to do.
    ///
    /// # Errors
    /// When the tape ends before a blind test's lane has shown the whole stretch of motion.
    pub fn study(&mut self, study: Study) -> Result<bool, Refusal> {
        let Session { lab, studies, .. } = self;
        let window = |whole| match whole {
            true => Window::Whole,
            false => Window::Recent,
        };
        Ok(match study {
            Study::Ladder { whole } => {
                let lanes = LaneId::ALL.into_iter().zip(&mut studies.ladders);
                lanes.fold(false, |more, (lane, ladder)| {
                    climb(lab, lane, ladder, window(whole)) || more
                })
            }
            Study::Widths { whole } => count_widths(lab, &mut studies.widths, window(whole)),
            Study::Trade => (studies.trade.as_mut()).is_some_and(|trade| trade.work(lab.tape())),
            Study::Comparison => {
                let comparison = studies.comparison.as_mut();
                comparison.is_some_and(|comparison| comparison.work(tapes(lab)))
            }
            Study::Test => match &mut self.test {
                Some(test) => test.work(lab.tape())?,
                None => false,
            },
        })
    }
}

/// Returns lane A or B; lane A if there is no B.
fn run(lab: &Lab, lane: LaneId) -> &LaneRun {
    lab.lane(lane).unwrap_or(lab.a())
}

fn tapes(lab: &Lab) -> [&Tape; 2] {
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
fn count_widths(lab: &Lab, statistics: &mut Option<WidthStatistics>, window: Window) -> bool {
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
