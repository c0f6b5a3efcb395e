//! The counts of differences as the page's script holds them: what any widths cost on the motion that is shown.

use crate::clock::now_ms;
use crate::js::to_js;
use crate::page::Page;
use snapshot_analysis::window::Window;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Widths of small and large differences, and what they cost. */
export interface WidthPair { small_bits: number; large_bits: number; bits_per_changed_cube: number }
/** Components of a magnitude from least to most, where m stands for -m and m - 1. */
export interface WidthBin { least: number; most: number; components: number }
export interface WidthPart {
  values: number; absolute: number; histogram: WidthBin[];
  chosen: WidthPair; articles: WidthPair; best: WidthPair;
  /** All that can be set, by small, then by large. */
  pairs: WidthPair[];
}
/** Of the ticks after the one, up to the other. */
export interface WidthCounts {
  after_tick: number; last_tick: number; packets: number; changed_cubes: number; position: WidthPart; orientation: WidthPart;
}
"#;

#[wasm_bindgen]
impl Page {
    /// Counts differences for this long, over the seconds up to the shown instant or over the whole tape. Returns true if
    /// there is more to do.
    pub fn count_widths(&mut self, whole: bool, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let window = if whole { Window::Whole } else { Window::Recent };
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = self.visit_mut().count_widths(window);
        }
        more
    }

    /// The counts so far, and the cost with any widths; undefined before `count_widths` has run.
    #[wasm_bindgen(unchecked_return_type = "WidthCounts | undefined")]
    pub fn widths(&self) -> Result<JsValue, JsError> {
        let counts = self.visit().widths();
        counts.map_or(Ok(JsValue::UNDEFINED), |counts| to_js(&counts))
    }
}
