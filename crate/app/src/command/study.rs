//! Studies: analyses of the held motion, done a piece at a time while the page goes on.

use super::Refusal;
use crate::lane_run::LaneId;
use crate::session::Session;
use crate::studies::{climb, count_widths, run, tapes};
use serde::Deserialize;
use snapshot_analysis::comparison::Comparison;
use snapshot_analysis::trade::{Trade, TradeError, VariedSetting};
use snapshot_analysis::window::{TickSpan, Window};

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
                Some(run) => run.test.work(lab.tape())?,
                None => false,
            },
        })
    }
}
