//! Overlays, and histories of single cubes, for the page's script.

use crate::js::{some_to_js, to_js};
use crate::lane_name::LaneName;
use crate::page::Page;
use serde::Serialize;
use snapshot_lane::history::{FirstDifference, LaneHistory};
use snapshot_lane::overlay::Overlay;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FirstDifference"))]
struct DifferenceQuery {
    packets: Vec<u64>,
    first_difference: Option<FirstDifference>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Overlay"))]
pub(crate) struct OverlayInfo {
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    least: f32,
    most: f32,
}

impl From<Overlay> for OverlayInfo {
    fn from(overlay: Overlay) -> Self {
        OverlayInfo {
            name: overlay.name(),
            label: overlay.row().label,
            unit: overlay.row().unit,
            least: overlay.row().scale.0,
            most: overlay.row().scale.1,
        }
    }
}

#[wasm_bindgen]
impl Page {
    /// Returns the value of each cube that an overlay shows as a colour, for a lane at the shown instant; undefined if there
    /// is none.
    pub fn overlay(&mut self, lane: LaneName, name: &str) -> Option<Vec<f32>> {
        let overlay = Overlay::from_name(name)?;
        self.lab_mut().overlay(lane.id(), overlay)
    }

    /// Returns the first visible difference between A and B, if they differ only in overrides (forced fates) of packets; else
    /// undefined.
    #[wasm_bindgen(unchecked_return_type = "FirstDifference | undefined")]
    pub fn first_difference(&self) -> Result<JsValue, JsError> {
        let difference = self.lab().first_difference();
        some_to_js(
            difference.map(|(packets, first_difference)| DifferenceQuery {
                packets,
                first_difference,
            }),
        )
    }

    /// Returns the reason why a lane's view did not move smoothly at the shown instant; undefined if it did.
    #[wasm_bindgen(unchecked_return_type = "Glitch | undefined")]
    pub fn glitch(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let history = self.history_of(lane);
        some_to_js(history.and_then(|history| history.glitch(self.lab().tick_count())))
    }

    /// Returns the objects that a lane showed farthest from the truth over its run; undefined if the lane has not begun.
    #[wasm_bindgen(unchecked_return_type = "WorstObjects | undefined")]
    pub fn worst_objects(&self, lane: LaneName, count: u32) -> Result<JsValue, JsError> {
        let history = self.history_of(lane);
        some_to_js(history.map(|history| history.worst_objects(count as usize)))
    }

    /// Returns the freezes of a lane's view within the stored ticks, oldest first.
    #[wasm_bindgen(unchecked_return_type = "Freeze[]")]
    pub fn freezes(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let history = self.history_of(lane);
        to_js(&history.map_or_else(Vec::new, LaneHistory::freezes))
    }

    /// Returns the corrections of a lane's predicting client in the last minute, oldest first.
    #[wasm_bindgen(unchecked_return_type = "HandCorrection[]")]
    pub fn corrections(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let history = self.history_of(lane);
        to_js(&history.map_or_else(Vec::new, LaneHistory::corrections))
    }

    /// Returns the packet that a lane's frozen view waits for at the shown instant; undefined if the view is not frozen.
    #[wasm_bindgen(unchecked_return_type = "Wait | undefined")]
    pub fn wait(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let history = self.history_of(lane);
        some_to_js(history.and_then(|history| history.wait(self.lab().tick_count())))
    }

    /// Returns the playout delay that would have avoided most of a lane's frozen frames so far; undefined if no delay would.
    #[wasm_bindgen(unchecked_return_type = "Cure | undefined")]
    pub fn cure(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let history = self.history_of(lane);
        some_to_js(history.and_then(|history| history.cure(self.lab().tick_count())))
    }

    /// Returns the true states at the newest tick, four numbers a cube: position in m, and 1 for an interacting cube, else 0.
    pub fn truth(&self) -> Vec<f32> {
        let states = self.lab().truth().iter();
        let numbers = states.map(|cube| {
            let [x, y, z] = cube.position;
            [x, y, z, f32::from(u8::from(cube.interacting))]
        });
        numbers.flatten().collect()
    }

    /// Returns the errors and bits of a cube in lane A for each of the last `ticks` ticks up to the shown instant, oldest
    /// first.
    #[wasm_bindgen(unchecked_return_type = "Moment[]")]
    pub fn moments(&mut self, cube: u32, ticks: u32) -> Result<JsValue, JsError> {
        to_js(&self.lab_mut().moments(cube as usize, ticks.into()))
    }
}
