//! Comparison of lane A and lane B over the run, for the page's script.

use crate::clock::work_for;
use crate::js::to_js;
use crate::page::Page;
use snapshot_analysis::comparison;
use snapshot_analysis::window::TickSpan;
use snapshot_app::lane_run::{LaneId, LaneRun};
use snapshot_record::tape::Tape;
use wasm_bindgen::prelude::*;

/// Comparison of both lanes over the stored motion. A new one is needed after a change of the motion or of a setting.
#[wasm_bindgen]
pub struct RunComparison(comparison::Comparison);

#[wasm_bindgen]
impl RunComparison {
    /// Makes a comparison of lanes A and B over the ticks that the tapes of both store. Without a lane B, A is compared with
    /// itself.
    #[wasm_bindgen(constructor)]
    pub fn new(page: &Page) -> RunComparison {
        let tapes = tapes(page);
        let first = tapes.map(Tape::first_tick).into_iter().max();
        let last = tapes.map(Tape::last_tick).into_iter().min();
        let sides = LaneId::ALL.map(|lane| run(page, lane).setup());
        let window = TickSpan {
            after: first.unwrap_or_default(),
            last: last.unwrap_or_default(),
        };
        RunComparison(comparison::Comparison::new(sides, window))
    }

    /// Works for at most `budget_ms`. Returns true if there is more to do.
    pub fn work(&mut self, page: &Page, budget_ms: f64) -> bool {
        work_for(budget_ms, || self.0.work(tapes(page)))
    }

    #[wasm_bindgen(unchecked_return_type = "Compared")]
    pub fn compared(&self) -> Result<JsValue, JsError> {
        to_js(&self.0.compared())
    }
}

/// Returns lane A or B with its history; lane A if there is no B.
fn run(page: &Page, lane: LaneId) -> &LaneRun {
    page.lab().lane(lane).unwrap_or(page.lab().a())
}

fn tapes(page: &Page) -> [&Tape; 2] {
    LaneId::ALL.map(|lane| run(page, lane).tape(page.lab().tape()))
}
