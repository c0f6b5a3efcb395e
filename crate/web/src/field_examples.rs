//! Single fields as the page's script holds them: what the writer makes of a value.

use crate::js::to_js;
use crate::page::Page;
use snapshot_app::field_examples;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Lane A's smallest-three code of an orientation x, y, z, w.
    #[wasm_bindgen(unchecked_return_type = "SmallestThree")]
    pub fn smallest_three(&self, x: f32, y: f32, z: f32, w: f32) -> Result<JsValue, JsError> {
        let settings = self.lab().settings().lane();
        to_js(&field_examples::smallest_three(&settings, [x, y, z, w]))
    }

    /// The orientation x, y, z, w that four integers of a packet of lane A stand for.
    pub fn orientation_of(&self, largest: i32, a: i32, b: i32, c: i32) -> Vec<f32> {
        let settings = self.lab().settings().lane();
        field_examples::orientation_of(&settings, [largest, a, b, c]).to_vec()
    }

    /// Lane A's range code of a position so many steps from the baseline's.
    #[wasm_bindgen(unchecked_return_type = "RangeCode")]
    pub fn range_code(&self, x: i32, y: i32, z: i32) -> Result<JsValue, JsError> {
        let settings = self.lab().settings().lane();
        to_js(&field_examples::range_code(&settings, [x, y, z]))
    }

    /// The relative index of a cube `gap` after another changed one; undefined if there are not two cubes.
    #[wasm_bindgen(unchecked_return_type = "RelativeIndex | undefined")]
    pub fn relative_index(&self, previous: u32, gap: u32) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let (settings, cube_count) = (lab.settings().lane(), lab.truth().len());
        match field_examples::relative_index(&settings, cube_count, previous as usize, gap as usize)
        {
            Some(index) => to_js(&index),
            None => Ok(JsValue::UNDEFINED),
        }
    }
}
