//! Examples of single encoded fields, for the page's script.

use crate::js::{some_to_js, to_js};
use crate::page::Page;
use snapshot_app::field_examples;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Encodes an orientation x, y, z, w as smallest three, with lane A's settings.
    #[wasm_bindgen(unchecked_return_type = "SmallestThree")]
    pub fn smallest_three(&self, x: f32, y: f32, z: f32, w: f32) -> Result<JsValue, JsError> {
        let settings = self.lab().settings().lane();
        to_js(&field_examples::smallest_three(&settings, [x, y, z, w]))
    }

    /// Decodes the four integers of an orientation in a packet of lane A; returns x, y, z, w.
    pub fn orientation_of(&self, largest: i32, a: i32, b: i32, c: i32) -> Vec<f32> {
        let settings = self.lab().settings().lane();
        field_examples::orientation_of(&settings, [largest, a, b, c]).to_vec()
    }

    /// Encodes a position difference in small and large ranges, with lane A's settings; x, y, z are quantisation steps.
    #[wasm_bindgen(unchecked_return_type = "RangeCode")]
    pub fn range_code(&self, x: i32, y: i32, z: i32) -> Result<JsValue, JsError> {
        let settings = self.lab().settings().lane();
        to_js(&field_examples::range_code(&settings, [x, y, z]))
    }

    /// Encodes the relative index of a changed cube that is `gap` after the previous changed one; undefined if there are
    /// fewer than two cubes.
    #[wasm_bindgen(unchecked_return_type = "RelativeIndex | undefined")]
    pub fn relative_index(&self, previous: u32, gap: u32) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let (settings, cube_count) = (lab.settings().lane(), lab.truth().len());
        let (previous, gap) = (previous as usize, gap as usize);
        some_to_js(field_examples::relative_index(
            &settings, cube_count, previous, gap,
        ))
    }
}
