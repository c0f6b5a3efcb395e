//! Names of the two lanes in the page's script. An enum stands for the strings of JavaScript; wasm-bindgen adds a variant to
//! it for any other string.

use snapshot_app::lane_run::LaneId;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum LaneName {
    /// Lane A, whose settings the page shows.
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
