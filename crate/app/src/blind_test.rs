//! A blind test of a visitor: which side X is stays hidden from the page until the answer.

use crate::lab::Lab;
use crate::lane_run::LaneRun;
use snapshot_analysis::blind_test::axis::AxisError;
use snapshot_analysis::blind_test::blind::{BlindTest, Shown};
use snapshot_analysis::blind_test::clip::{ClipError, Frame, Stretch};
use snapshot_analysis::blind_test::test_run::Test;
use snapshot_analysis::blind_test::trials::{TrialsError, read};

/// A blind test of a visitor over a session's motion.
pub struct BlindTestRun {
    pub(crate) test: BlindTest,
    proportions: Vec<[f32; 4]>,
    is_motion: bool,
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
        })
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
