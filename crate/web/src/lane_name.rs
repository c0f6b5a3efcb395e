//! Names of the two lanes in the page's script.

use snapshot_app::lane_run::LaneId;
use wasm_bindgen::prelude::*;

/// Name of one of the two lanes.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum LaneName {
    /// The lane whose settings are in force.
    A = "a",
    /// The lane beside it.
    B = "b",
}

impl LaneName {
    /// The lane's name in the laboratory.
    pub(crate) fn id(self) -> LaneId {
        match self {
            LaneName::B => LaneId::B,
            _ => LaneId::A,
        }
    }
}
