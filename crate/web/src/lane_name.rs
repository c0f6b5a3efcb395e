//! Names of the two lanes in the page's script.

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
            _ => LaneId::A,
        }
    }
}
