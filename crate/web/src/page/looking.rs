//! The viewer's choices, such as the camera and the open packet. A link carries them, and none of them changes a figure.

use super::Page;
use crate::js::to_js;
use serde::Serialize;
use snapshot_app::link::{Arrangement, SPLIT_PERCENT_MAX, SPLIT_PERCENT_MIN};
use snapshot_lane::overlay::Overlay;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What the link says is looked at. */
export interface Looking {
  show: string | null; packet: number | null; cube: number | null; overlay: string | null; ghost: boolean;
  step: string | null; embed: boolean;
  /** How the views stand where there is a lane B, and where in per cent the divider of one view is. */
  views: ViewCount; divider: number;
  /** The part of the window's height that the views take, in per cent; null if nobody has chosen one. */
  split: number | null;
}
export type ViewCount = "three" | "two" | "one";
"#;

#[wasm_bindgen]
impl Page {
    /// The figure, the packet and the cube on show, as the link names them.
    #[wasm_bindgen(unchecked_return_type = "Looking")]
    pub fn looking(&self) -> Result<JsValue, JsError> {
        let looking = self.visit.looking();
        to_js(&Looking {
            show: looking.show.clone(),
            packet: looking.packet,
            cube: looking.cube,
            overlay: looking.overlay.map(Overlay::name),
            ghost: looking.ghost,
            step: looking.step.clone(),
            embed: looking.embed,
            views: match looking.views {
                Arrangement::Three => "three",
                Arrangement::Two => "two",
                Arrangement::Divided { .. } => "one",
            },
            divider: match looking.views {
                Arrangement::Divided { percent } => percent,
                _ => 50,
            },
            split: looking.split,
        })
    }

    /// Looks at another figure, by its name, or at none. The page knows which there are.
    pub fn look_at_figure(&mut self, show: Option<String>) {
        self.visit.looking_mut().show = show;
    }

    /// Looks at a packet and a cube, or no longer.
    pub fn look_at(&mut self, packet: Option<f64>, cube: Option<f64>) {
        let looking = self.visit.looking_mut();
        looking.packet = packet.map(|packet| packet as u64);
        looking.cube = cube.map(|cube| cube as u64);
    }

    /// Colours the rebuilt views by an overlay's name, as in the original by any other, and outlines the truth over them or not.
    pub fn look_as(&mut self, overlay: &str, ghost: bool) {
        let looking = self.visit.looking_mut();
        (looking.overlay, looking.ghost) = (Overlay::from_name(overlay), ghost);
    }

    /// Gives the views so much of the window's height, %, within the bounds of a link; or as much as the page gives them by itself.
    pub fn split(&mut self, percent: Option<f64>) {
        let range = SPLIT_PERCENT_MIN as f64..=SPLIT_PERCENT_MAX as f64;
        self.visit.looking_mut().split =
            percent.map(|percent| percent.clamp(*range.start(), *range.end()).round() as u64);
    }

    /// Looks at A and B in three views, two, or one with a divider at so many per cent of its width.
    pub fn arrange_views(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewCount")] views: &str,
        divider: f64,
    ) {
        self.visit.looking_mut().views = match views {
            "two" => Arrangement::Two,
            "one" => Arrangement::Divided {
                percent: divider.clamp(0.0, 100.0).round() as u8,
            },
            _ => Arrangement::Three,
        };
    }
}

#[derive(Serialize)]
struct Looking {
    show: Option<String>,
    packet: Option<u64>,
    cube: Option<u64>,
    overlay: Option<&'static str>,
    ghost: bool,
    step: Option<String>,
    embed: bool,
    views: &'static str,
    divider: u8,
    split: Option<u64>,
}
