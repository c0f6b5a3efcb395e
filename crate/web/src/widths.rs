//! Width statistics for the page's script: the cost of each pair of widths on the shown motion. A pair is the number of bits
//! of a small and of a large difference.

use crate::clock::work_for;
use crate::js::some_to_js;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Counts differences for at most `budget_ms`, over the seconds up to the shown instant or over the whole tape. Returns
    /// true if there is more to do.
    pub fn count_widths(&mut self, whole: bool, budget_ms: f64) -> bool {
        let window = if whole { Window::Whole } else { Window::Recent };
        work_for(budget_ms, || self.session_mut().count_widths(window))
    }

    /// Returns the width statistics so far, with the cost of every pair of widths; undefined before `count_widths` has run.
    #[wasm_bindgen(unchecked_return_type = "WidthCounts | undefined")]
    pub fn widths(&self) -> Result<JsValue, JsError> {
        some_to_js(self.session().widths())
    }
}
