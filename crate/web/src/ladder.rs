//! The ladder for the page's script: every rung on the shown motion.

use crate::clock::now_ms;
use crate::js::to_js;
use crate::lane_name::LaneName;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Works on the ladder for at most `budget_ms`, over the seconds up to the shown instant or over the whole tape. Returns
    /// true if there is more to do.
    pub fn climb(&mut self, whole: bool, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let window = if whole { Window::Whole } else { Window::Recent };
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = self.visit_mut().climb(window);
        }
        more
    }

    /// Costs of all rungs, as far as `climb` has come; undefined before. Also undefined for B if its ladder equals A's.
    #[wasm_bindgen(unchecked_return_type = "Rungs | undefined")]
    pub fn rungs(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let rungs = self.visit().rungs(lane.id());
        rungs.map_or(Ok(JsValue::UNDEFINED), |rungs| to_js(&rungs))
    }
}
