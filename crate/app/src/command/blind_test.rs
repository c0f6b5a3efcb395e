//! The blind test "Can you tell?". Which side X is stays hidden from the page until the answer.

use super::Refusal;
use crate::blind_test::BlindTestRun;
use crate::session::Session;
use serde::Deserialize;
use snapshot_analysis::blind_test::test_run::Side;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TestCommand {
    /// Begins a test by its id, over the motion, which must stand still meanwhile. `trials` is the text of a file of earlier
    /// trials to continue after; empty for none. The seed decides whether X is A or B.
    Begin {
        test: String,
        seed: u32,
        trials: String,
    },
    /// Makes one more of the present trial's pictures.
    Prepare,
    /// Adds the answer that X is A or that X is B, and begins the next trial.
    Answer {
        is_a: bool,
        time_ms: f64,
        /// Number of frames that were not shown in time.
        drops: u32,
    },
    End,
}

impl Session {
    /// The blind test in progress, for the renderer.
    pub fn test(&self) -> Option<&BlindTestRun> {
        self.test.as_ref()
    }

    pub(super) fn change_test(&mut self, command: TestCommand) -> Result<(), Refusal> {
        match (command, &mut self.test) {
            (TestCommand::Begin { test, seed, trials }, _) => {
                let followed = self.view_state.cube.unwrap_or(0) as usize;
                let run = BlindTestRun::new(&self.lab, &test, seed, &trials, followed)?;
                self.test = Some(run);
            }
            (TestCommand::Prepare, Some(run)) => run.prepare(self.lab.tape())?,
            (
                TestCommand::Answer {
                    is_a,
                    time_ms,
                    drops,
                },
                Some(run),
            ) => {
                let side = if is_a { Side::A } else { Side::B };
                run.answer(side, time_ms, drops, self.lab.tape());
            }
            (TestCommand::End, _) => self.test = None,
            (TestCommand::Prepare | TestCommand::Answer { .. }, None) => {}
        }
        Ok(())
    }
}
