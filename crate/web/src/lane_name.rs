//! Names of the two lanes in the page's script. A string of JavaScript has no other type in Rust: a variant that wasm-bindgen
//! adds stands for any other string.

use snapshot_app::lane_run::LaneId;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum LaneName {
    /// The lane whose settings are in force.
    A = "a",
    B = "b",
}

impl LaneName {
    pub(crate) fn id(self) -> LaneId {
        match self {
            LaneName::B => LaneId::B,
            // Any other string counts as A, whose settings are in force.
            _ => LaneId::A,
        }
    }
}
