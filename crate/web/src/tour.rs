//! The tour as the page's script holds it: its steps, and what is measured of it.

use crate::clock::now_ms;
use crate::js::to_js;
use snapshot_course::{self as course, CHAPTERS};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A figure that a step claims; `article` is in the same unit. `seconds` of the run are measured, if not the step's `run_s`; `at_s` is its instant, if it has one. */
export interface TourClaim { id: string; unit: "kbps" | "bytes" | "bits" | "percent" | "mm" | "degrees" | "ms" | "frame" | "count"; article: number | null; seconds: number | null; at_s: number | null }
export type TourAsks =
  | { kind: "choice"; answers: string[]; right: string }
  | { kind: "number"; claim: string; least: number; most: number; by_factors: boolean };
export type TourAct = { kind: "cut" } | { kind: "drive" } | { kind: "trace" } | { kind: "set"; id: string; least: number; most: number };
export interface TourStep {
  id: string; link: string; cut: { after_tick: number; ticks: number } | null; play_s: number; asks: TourAsks; act: TourAct | null;
  run_s: number; opening_s: number; in_lecture: boolean; points_at: string[]; claims: TourClaim[];
}
export interface TourChapter { id: string; name: string; steps: TourStep[] }
export interface TourMeasured { step: string; claim: string; value: number }
"#;

/// The tour's chapters.
#[wasm_bindgen(unchecked_return_type = "TourChapter[]")]
pub fn tour_chapters() -> Result<JsValue, JsError> {
    to_js(&CHAPTERS)
}

/// The tour's claims, measured on this page by the same function as in `snapshot-lab tour`.
#[wasm_bindgen]
#[derive(Default)]
pub struct TourMeasuring {
    measuring: course::Measuring,
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
        to_js(&self.measuring.done())
    }
}
