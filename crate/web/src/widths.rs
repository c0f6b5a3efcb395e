//! Width statistics for the page's script: costs of all pairs of widths on the shown motion.

use crate::clock::now_ms;
use crate::js::to_js;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Counts differences for at most `budget_ms`, over the seconds up to the shown instant or over the whole tape. Returns
    /// true if there is more to do.
    pub fn count_widths(&mut self, whole: bool, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let window = if whole { Window::Whole } else { Window::Recent };
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = self.visit_mut().count_widths(window);
        }
        more
    }

    /// Width statistics so far, with the cost of every pair of widths; undefined before `count_widths` has run.
    #[wasm_bindgen(unchecked_return_type = "WidthCounts | undefined")]
    pub fn widths(&self) -> Result<JsValue, JsError> {
        let counts = self.visit().widths();
        counts.map_or(Ok(JsValue::UNDEFINED), |counts| to_js(&counts))
    }
}
