//! The ladder as the page's script holds it: every rung on the motion that is shown.

use crate::clock::now_ms;
use crate::js::to_js;
use crate::lane_name::LaneName;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A rung of the ladder, and what it cost. */
export interface Rung {
  rung: number; name: string; class: string | null; packets: number; packets_over_mtu: number;
  bytes_per_packet: number; kbps: number; delivered_kbps: number; bits_per_changed_cube: number | null;
  queue_ms: Waits; lost_by_queue: number; link_packets: number; delay_ms: Delays; link_from_ms: number;
}
/** Every rung on the same ticks: those after the one, up to the other. */
export interface Rungs { after_tick: number; last_tick: number; goal_kbps: number; rows: Rung[] }
"#;

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
