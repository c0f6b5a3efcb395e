//! The names by which the page's script says which lane it means.

use snapshot_app::lane_run::LaneId;
use wasm_bindgen::prelude::*;

/// Names one of the two lanes.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum LaneName {
    /// The lane whose settings are in force.
    A = "a",
    /// The lane beside it.
    B = "b",
}

impl LaneName {
    /// Its name in the laboratory.
    pub(crate) fn id(self) -> LaneId {
        match self {
            LaneName::B => LaneId::B,
            _ => LaneId::A,
        }
    }
}
