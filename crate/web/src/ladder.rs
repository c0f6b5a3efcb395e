//! The ladder as the page's script holds it: every rung on the motion that is shown.

use crate::clock::now_ms;
use crate::js::to_js;
use crate::lane_name::LaneName;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Works on the ladder for this long, over the seconds up to the shown instant or over the whole tape. Returns true if
    /// there is more to do.
    pub fn climb(&mut self, whole: bool, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let window = if whole { Window::Whole } else { Window::Recent };
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = self.visit_mut().climb(window);
        }
        more
    }

    /// Every rung's cost, as far as `climb` has come; undefined before. Undefined for B too if its settings make no
    /// difference to the ladder.
    #[wasm_bindgen(unchecked_return_type = "Rungs | undefined")]
    pub fn rungs(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let rungs = self.visit().rungs(lane.id());
        rungs.map_or(Ok(JsValue::UNDEFINED), |rungs| to_js(&rungs))
    }
}
