//! A blind test of a visitor: which side X is stays hidden from the page until the answer.

use crate::lab::Lab;
use crate::lane_run::LaneRun;
use snapshot_analysis::blind_test::axis::AxisError;
use snapshot_analysis::blind_test::blind::{BlindTest, Shown};
use snapshot_analysis::blind_test::clip::{ClipError, Frame, Stretch};
use snapshot_analysis::blind_test::test_run::{Side, Test};
use snapshot_analysis::blind_test::trials::{TrialsError, read};
use snapshot_record::tape::Tape;

/// A blind test of a visitor over a session's motion.
pub struct BlindTestRun {
    pub(crate) test: BlindTest,
    proportions: Vec<[f32; 4]>,
    is_motion: bool,
    /// True once the pictures of the present trial are made.
    pub(crate) is_ready: bool,
}

/// Error: a blind test cannot begin.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum BeginError {
    Axis(#[from] AxisError),
    Clip(#[from] ClipError),
    Trials(#[from] TrialsError),
}

impl BlindTestRun {
    /// Begins a test by its id, over the motion before the playhead. The camera follows an object.
    pub(crate) fn new(
        lab: &Lab,
        test: &str,
        seed: u32,
        trials: &str,
        followed: usize,
    ) -> Result<BlindTestRun, BeginError> {
        let tape = lab.tape();
        let trials = match trials {
            "" => Vec::new(),
            file => read(file)?,
        };
        let stretch = Stretch::before(lab.tick_count(), tape, followed)?;
        let (a, b) = (lab.a().setup(), lab.b().map(LaneRun::setup));
        let test = Test::find(test)?;
        Ok(BlindTestRun {
            test: BlindTest::new(test, seed, trials, stretch, a, b, tape)?,
            proportions: lab.left().proportions.clone(),
            is_motion: tape.motion().is_some(),
            is_ready: false,
        })
    }

    pub(crate) fn answer(&mut self, side: Side, time_ms: f64, drops: u32, tape: &Tape) {
        self.test.answer(side, time_ms, drops, tape);
        self.is_ready = false;
    }

    /// Makes one more picture of the present trial.
    ///
    /// # Errors
    /// When the tape ends before a lane has shown the whole stretch of motion.
    pub(crate) fn prepare(&mut self, tape: &Tape) -> Result<(), ClipError> {
        self.is_ready = !self.test.work(tape)?;
        Ok(())
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
