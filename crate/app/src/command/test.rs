//! The blind test "Can you tell?". Which side X is stays hidden from the page until the answer.

use super::Refusal;
use crate::lane_run::LaneRun;
use crate::session::Session;
use serde::Deserialize;
use snapshot_analysis::blind_test::blind::{BlindTest, Shown};
use snapshot_analysis::blind_test::clip::{ClipError, Frame, Stretch};
use snapshot_analysis::blind_test::test_run::{Side, Test};
use snapshot_analysis::blind_test::trials::{Screen, read};
use snapshot_physics::input::Input;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;

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
    /// Begins the picture of a button.
    Press {
        button: Shown,
    },
    /// Plays a tick of the world that the visitor drives.
    Drive {
        keys: u8,
    },
    /// Adds the answer that X is A or that X is B, and begins the next trial.
    Answer {
        is_a: bool,
        time_ms: f64,
        /// Number of frames that were not shown in time.
        drops: u32,
        screen: Screen,
    },
    End,
}

/// A blind test of a visitor over a session's motion.
pub struct BlindTestRun {
    pub(crate) test: BlindTest,
    proportions: Vec<[f32; 4]>,
    is_motion: bool,
    link: String,
}

impl BlindTestRun {
    /// Makes pictures of the present trial. Returns false once all are made.
    pub(super) fn work(&mut self, tape: &Tape) -> Result<bool, ClipError> {
        self.test.work(tape)
    }

    /// The picture of a button in a frame; `None` before it is made.
    pub fn frame(&self, button: Shown, place: usize) -> Option<&Frame> {
        self.test.frame(button, place)
    }

    /// Sizes of the shown objects, as the renderer takes them.
    pub fn proportions(&self) -> &[[f32; 4]] {
        &self.proportions
    }

    /// True if a recorded motion is shown. The camera then shows the whole motion.
    pub fn is_motion(&self) -> bool {
        self.is_motion
    }
}

impl Session {
    /// The blind test in progress, for the renderer.
    pub fn test(&self) -> Option<&BlindTestRun> {
        self.test.as_ref()
    }

    pub(super) fn change_test(&mut self, command: TestCommand) -> Result<(), Refusal> {
        match (command, &mut self.test) {
            (TestCommand::Begin { test, seed, trials }, _) => {
                self.test = Some(self.blind_test(&test, seed, &trials)?);
            }
            (TestCommand::Press { button }, Some(run)) => run.test.press(button),
            (TestCommand::Drive { keys }, Some(run)) => run.test.drive(Input::from_bits(keys)),
            (
                TestCommand::Answer {
                    is_a,
                    time_ms,
                    drops,
                    screen,
                },
                Some(run),
            ) => {
                let side = if is_a { Side::A } else { Side::B };
                let (link, tape) = (run.link.clone(), self.lab.tape());
                run.test.answer(side, time_ms, drops, screen, link, tape);
            }
            (TestCommand::End, _) => self.test = None,
            (
                TestCommand::Press { .. } | TestCommand::Drive { .. } | TestCommand::Answer { .. },
                None,
            ) => {}
        }
        Ok(())
    }

    fn blind_test(&self, test: &str, seed: u32, trials: &str) -> Result<BlindTestRun, Refusal> {
        let (lab, tape) = (&self.lab, self.lab.tape());
        let trials = match trials {
            "" => Vec::new(),
            file => read(file.as_bytes())?,
        };
        let followed = self.view_state.cube.unwrap_or(0) as usize;
        let stretch = Stretch::before(lab.tick_count(), tape, followed)?;
        let (a, b) = (lab.a().setup(), lab.b().map(LaneRun::setup));
        let test = Test::find(test)?;
        Ok(BlindTestRun {
            test: BlindTest::new(test, seed, trials, stretch, a, b, tape)?,
            proportions: lab.left().proportions.clone(),
            is_motion: self.played_motion().is_some(),
            link: permalink::format(lab.settings()),
        })
    }
}
