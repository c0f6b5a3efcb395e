//! What the views can show of cubes, as the page's script holds it.

use crate::page::Page;
use crate::schema::to_js;
use serde::Serialize;
use snapshot_lab::shade::Shade;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A figure of each cube by which a view can be coloured; its scale is logarithmic. */
export interface Shade { name: string; label: string; unit: string; least: number; most: number }
/** One cube in a tick: how far it was shown from where it was, and what the packet that left spent on it, if one left. */
export interface Moment { tick: number; error_mm: number; bits: number | null }
"#;

#[derive(Serialize)]
struct Described {
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    least: f32,
    most: f32,
}

#[wasm_bindgen]
impl Page {
    /// The figures by which the views can be coloured: those that the strategy of A or of B has.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Shade[]")]
    pub fn shades(&self) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let lanes = [Some(lab.settings()), lab.b().map(|b| b.settings())];
        let lanes = lanes.map(|settings| settings.map(|settings| settings.strategy()));
        let is_there = |shade: &Shade| {
            lanes
                .iter()
                .flatten()
                .any(|&strategy| shade.is_of(strategy))
        };
        let describe = |shade: Shade| Described {
            name: shade.name(),
            label: shade.label(),
            unit: shade.unit(),
            least: shade.scale().0,
            most: shade.scale().1,
        };
        to_js(
            &Shade::ALL
                .into_iter()
                .filter(is_there)
                .map(describe)
                .collect::<Vec<_>>(),
        )
    }

    /// Such a figure of each cube of lane A or B, at the instant that is shown; undefined where there is none.
    pub fn shade(&mut self, name: &str, of_b: bool) -> Option<Vec<f32>> {
        let shade = Shade::ALL.into_iter().find(|shade| shade.name() == name)?;
        self.lab_mut().shade(shade, of_b)
    }

    /// What lane A made of a cube in so many ticks up to what is shown, oldest first.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Moment[]")]
    pub fn moments(&mut self, cube: u32, ticks: u32) -> Result<JsValue, JsError> {
        to_js(&self.lab_mut().moments(cube as usize, ticks.into()))
    }
}
