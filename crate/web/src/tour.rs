//! The tour for the page's script: the steps and the measured claims.

use crate::clock::work_for;
use crate::js::to_js;
use snapshot_course::{self as course, CHAPTERS};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(unchecked_return_type = "TourChapter[]")]
pub fn tour_chapters() -> Result<JsValue, JsError> {
    to_js(&CHAPTERS)
}

/// Measurement of the tour's claims on the page, by the same function as in `snapshot-lab tour`. A claim is a value that a
/// step's run must keep within bounds.
#[wasm_bindgen]
#[derive(Default)]
pub struct TourMeasuring {
    measuring: course::ClaimMeasurement,
}

#[wasm_bindgen]
impl TourMeasuring {
    #[wasm_bindgen(constructor)]
    pub fn new() -> TourMeasuring {
        TourMeasuring::default()
    }

    /// Queues the claims of a step next; an unknown step queues nothing.
    pub fn ask(&mut self, step: &str) {
        self.measuring.ask(course::step(step));
    }

    /// Queues the claims of the exercises, with a student's number as the seed.
    pub fn ask_exercises(&mut self, seed: u32) {
        let steps = course::EXERCISES.iter();
        let claims = steps.flat_map(|step| step.claims.iter().map(move |claim| (step, claim)));
        self.measuring.ask_with_seed(claims, seed);
    }

    /// Works for at most `budget_ms`. Returns true if there is more to do.
    pub fn work(&mut self, budget_ms: f64) -> bool {
        work_for(budget_ms, || (0..2).all(|_| self.measuring.work()))
    }

    #[wasm_bindgen(unchecked_return_type = "TourMeasured[]")]
    pub fn done(&self) -> Result<JsValue, JsError> {
        to_js(self.measuring.done())
    }
}
