//! The tour for the page's script: the steps and the measured claims.

use crate::clock::now_ms;
use crate::js::to_js;
use snapshot_course::{self as course, CHAPTERS};
use wasm_bindgen::prelude::*;

/// The tour's chapters.
#[wasm_bindgen(unchecked_return_type = "TourChapter[]")]
pub fn tour_chapters() -> Result<JsValue, JsError> {
    to_js(&CHAPTERS)
}

/// The tour's claims, measured on this page by the same function as in `snapshot-lab tour`.
#[wasm_bindgen]
#[derive(Default)]
pub struct TourMeasuring {
    measuring: course::ClaimMeasurement,
}

#[wasm_bindgen]
impl TourMeasuring {
    /// Nothing is measured yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> TourMeasuring {
        TourMeasuring::default()
    }

    /// Measures this step next; one that is not there measures nothing.
    pub fn ask(&mut self, step: &str) {
        self.measuring.ask(course::step(step));
    }

    /// Works for as long as this, and says whether there is more.
    pub fn work(&mut self, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = (0..2).all(|_| self.measuring.work());
        }
        more
    }

    /// All that has been measured so far.
    #[wasm_bindgen(unchecked_return_type = "TourMeasured[]")]
    pub fn done(&self) -> Result<JsValue, JsError> {
        to_js(self.measuring.done())
    }
}
