//! The ladder for the page's script: the cost of the shown motion on every rung. A rung is one encoding of snapshots.

use crate::clock::work_for;
use crate::js::some_to_js;
use crate::lane_name::LaneName;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Computes the ladder for at most `budget_ms`, over the seconds up to the shown instant or over the whole tape. Returns
    /// true if there is more to do.
    pub fn climb(&mut self, whole: bool, budget_ms: f64) -> bool {
        let window = if whole { Window::Whole } else { Window::Recent };
        work_for(budget_ms, || self.session_mut().climb(window))
    }

    /// Returns the costs of all rungs that `climb` has computed; undefined before its first call, and for a lane B whose
    /// ladder equals A's.
    #[wasm_bindgen(unchecked_return_type = "Rungs | undefined")]
    pub fn rungs(&self, lane: LaneName) -> Result<JsValue, JsError> {
        some_to_js(self.session().rungs(lane.id()))
    }
}
