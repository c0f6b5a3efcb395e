//! The blind test "Can you tell?" for the page's script. Which side X is stays hidden from the script until the answer.

use crate::clock::work_for;
use crate::js::{refused, to_js};
use crate::page::Page;
use serde::Serialize;
use snapshot_analysis::blind_test::axis::AXES;
use snapshot_analysis::blind_test::blind::{BlindTest, Shown};
use snapshot_analysis::blind_test::clip::{Frame, Stretch};
use snapshot_analysis::blind_test::outcome::Outcome;
use snapshot_analysis::blind_test::test_run::{Side, Test, TestRun};
use snapshot_analysis::blind_test::trials::{Screen, Trial, read, write};
use snapshot_app::lane_run::LaneRun;
use snapshot_app::link;
use snapshot_physics::input::Input;
use wasm_bindgen::prelude::*;

/// A blind test of one property, as a choice on the page.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TestChoice {
    id: &'static str,
    label: &'static str,
}

/// Returns the blind tests of one property each, in the page's order.
pub(crate) fn test_choices() -> Vec<TestChoice> {
    let rows = AXES.iter();
    rows.map(|row| TestChoice {
        id: row.id,
        label: row.label,
    })
    .collect()
}

/// An outcome of a blind test, with its sentences.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BlindTestOut {
    /// The test's id.
    test: &'static str,
    outcome: Outcome,
    /// The outcome as a sentence to the tested person.
    sentence: String,
    /// The threshold or the right answers, in a few words.
    brief: String,
    /// The outcome as a question to whoever opens its link.
    question: String,
    /// The outcome as the text in a link.
    text: String,
}

impl From<Outcome> for BlindTestOut {
    fn from(outcome: Outcome) -> BlindTestOut {
        BlindTestOut {
            test: outcome.test().id(),
            sentence: outcome.sentence(),
            brief: outcome.brief(),
            question: outcome.question(),
            text: outcome.text(),
            outcome,
        }
    }
}

/// State of a blind test between two answers.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BlindTestState {
    /// Number of answers that count.
    counted: usize,
    /// Number of answers after which the test is over.
    of: usize,
    /// Number of answers that do not count.
    left_out: usize,
    /// Mean time of an answer, ms; null before the first.
    answer_ms: Option<f64>,
    found: BlindTestOut,
}

/// A blind test of a visitor over the page's motion, which must stand still meanwhile.
#[wasm_bindgen]
pub struct BlindTestRun {
    test: BlindTest,
    proportions: Vec<[f32; 4]>,
    is_motion: bool,
    link: String,
}

#[wasm_bindgen]
impl BlindTestRun {
    /// Begins a test by its id. `trials` is a file of earlier trials to continue after; empty for none. The seed decides
    /// whether X is A or B.
    ///
    /// # Errors
    /// When there is no such test, the motion is too short for it, lane B is missing, or the file is damaged.
    #[wasm_bindgen(constructor)]
    pub fn new(page: &Page, test: &str, seed: u32, trials: &[u8]) -> Result<BlindTestRun, JsError> {
        let (lab, tape) = (page.lab(), page.lab().tape());
        let trials = match trials {
            [] => Vec::new(),
            file => read(file).map_err(refused)?,
        };
        let followed = page.session().view_state().cube.unwrap_or(0) as usize;
        let stretch = Stretch::before(lab.tick_count(), tape, followed).map_err(refused)?;
        let (a, b) = (lab.a().setup(), lab.b().map(LaneRun::setup));
        let test = Test::find(test).map_err(refused)?;
        let test = BlindTest::new(test, seed, trials, stretch, a, b, tape).map_err(refused)?;
        Ok(BlindTestRun {
            test,
            proportions: lab.left().proportions.clone(),
            is_motion: page.session().played_motion().is_some(),
            link: page.settings_link(),
        })
    }

    /// Makes pictures of the present trial for about `budget_ms`. Returns false once all are made.
    ///
    /// # Errors
    /// When the tape ends before a lane has shown the whole stretch of motion.
    pub fn work(&mut self, page: &Page, budget_ms: f64) -> Result<bool, JsError> {
        let mut refusal = None;
        let more = work_for(budget_ms, || match self.test.work(page.lab().tape()) {
            Ok(more) => more,
            Err(error) => {
                refusal = Some(error);
                false
            }
        });
        refusal.map_or(Ok(more), |error| Err(refused(error)))
    }

    /// Number of frames that a press of a button shows.
    pub fn frames(&self) -> usize {
        self.test.frames()
    }

    /// True if the visitor drives the shown world.
    pub fn is_driven(&self) -> bool {
        self.test.is_driven()
    }

    /// Begins the picture of a button: `a`, `b` or `x`.
    pub fn press(&mut self, button: &str) {
        self.test.press(shown(button));
    }

    /// Plays a tick of the world that the visitor drives.
    pub fn drive(&mut self, keys: u8) {
        self.test.drive(Input::from_bits(keys));
    }

    /// Adds the answer that X is A or that X is B, and begins the next trial. `drops` are frames that were not shown in time.
    #[expect(
        clippy::too_many_arguments,
        reason = "the script has no structs of Rust's"
    )]
    pub fn answer(
        &mut self,
        page: &Page,
        is_a: bool,
        time_ms: f64,
        drops: u32,
        width_px: u32,
        height_px: u32,
        refresh_hz: f64,
        is_software: bool,
    ) {
        let screen = Screen {
            width_px,
            height_px,
            refresh_hz,
            is_software,
        };
        let side = if is_a { Side::A } else { Side::B };
        let tape = page.lab().tape();
        let link = self.link.clone();
        self.test.answer(side, time_ms, drops, screen, link, tape);
    }

    /// Returns the counted answers and the outcome so far.
    #[wasm_bindgen(unchecked_return_type = "BlindTestState")]
    pub fn progress_so_far(&self) -> Result<JsValue, JsError> {
        let session = self.test.session();
        let trials = session.trials();
        let time_ms: f64 = trials.iter().map(|trial| trial.time_ms).sum();
        to_js(&BlindTestState {
            counted: session.counted(),
            of: session.test().trials(),
            left_out: trials.len() - session.counted(),
            answer_ms: (!trials.is_empty()).then(|| time_ms / trials.len() as f64),
            found: session.outcome().into(),
        })
    }

    /// Returns the file of all trials of the test.
    pub fn file(&self) -> String {
        write(self.test.session().trials())
    }
}

impl BlindTestRun {
    /// The picture of a button in a frame; `None` before it is made.
    pub(crate) fn frame(&self, button: &str, place: usize) -> Option<&Frame> {
        self.test.frame(shown(button), place)
    }

    pub(crate) fn proportions(&self) -> &[[f32; 4]] {
        &self.proportions
    }

    /// True if a recorded motion is shown. The camera then shows the whole motion.
    pub(crate) fn is_motion(&self) -> bool {
        self.is_motion
    }
}

/// Returns the picture of a button: of X unless the name is `a` or `b`.
fn shown(button: &str) -> Shown {
    match Side::find(button) {
        Some(Side::A) => Shown::A,
        Some(Side::B) => Shown::B,
        None => Shown::X,
    }
}

#[wasm_bindgen]
impl Page {
    /// Returns the number of ticks that must be played before a blind test can begin; 0 if it can.
    pub fn ticks_until_test(&self) -> f64 {
        let tape = self.lab().tape();
        let is_motion = self.session().played_motion().is_some();
        let held = tape.last_tick() - tape.first_tick();
        let needed = Stretch::ticks_needed(tape.tick_rate());
        if is_motion {
            return 0.0;
        }
        needed.saturating_sub(held) as f64
    }

    /// Returns the fragment of a link to the same test with an outcome. It keeps the settings of both lanes, the motion and
    /// the network.
    pub fn link_of_outcome(&self, outcome: &str) -> String {
        let (mut here, _) = link::parse(&self.session().permalink(false));
        here.at = None;
        here.show = Some("tell".to_owned());
        here.tell = Outcome::parse(outcome);
        link::format(&here)
    }
}

/// Returns the outcome of the trials in a file, for the test of its first trial.
///
/// # Errors
/// When the file is damaged or has no trials.
#[wasm_bindgen(unchecked_return_type = "BlindTestOut")]
pub fn outcome_of(file: &[u8]) -> Result<JsValue, JsError> {
    let trials: Vec<Trial> = read(file).map_err(refused)?;
    let first = trials.first().map(|trial| trial.test);
    let test = first.ok_or_else(|| JsError::new("the file has no trials"))?;
    to_js(&BlindTestOut::from(TestRun::new(test, 0, trials).outcome()))
}
