//! What is looked at, and how: a link carries it, and nothing of it changes a figure.

use super::Page;
use crate::js::to_js;
use serde::Serialize;
use snapshot_lab::link::Arrangement;
use snapshot_lab::overlay::Overlay;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What the link says is looked at. */
export interface Looking {
  show: string | null; packet: number | null; cube: number | null; overlay: string | null; ghost: boolean;
  step: string | null; embed: boolean;
  /** How the views stand where there is a lane B, and where in per cent the divider of one view is. */
  views: ViewCount; divider: number;
}
export type ViewCount = "three" | "two" | "one";
"#;

#[wasm_bindgen]
impl Page {
    /// What is looked at: the figure, a packet and a cube, as the link names them.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Looking")]
    pub fn looking(&self) -> Result<JsValue, JsError> {
        to_js(&Looking {
            show: self.looking.show.clone(),
            packet: self.looking.packet,
            cube: self.looking.cube,
            overlay: self.looking.overlay.map(Overlay::name),
            ghost: self.looking.ghost,
            step: self.looking.step.clone(),
            embed: self.looking.embed,
            views: match self.looking.views {
                Arrangement::Three => "three",
                Arrangement::Two => "two",
                Arrangement::Divided { .. } => "one",
            },
            divider: match self.looking.views {
                Arrangement::Divided { percent } => percent,
                _ => 50,
            },
        })
    }

    /// Looks at another figure, by its name, or at none. The page knows which there are.
    pub fn look_at_figure(&mut self, show: Option<String>) {
        self.looking.show = show;
    }

    /// Looks at a packet and a cube, or no longer.
    pub fn look_at(&mut self, packet: Option<f64>, cube: Option<f64>) {
        self.looking.packet = packet.map(|packet| packet as u64);
        self.looking.cube = cube.map(|cube| cube as u64);
    }

    /// Colours the rebuilt views by an overlay's name, as in the original by any other, and outlines the truth over them or not.
    pub fn look_as(&mut self, overlay: &str, ghost: bool) {
        (self.looking.overlay, self.looking.ghost) = (Overlay::from_name(overlay), ghost);
    }

    /// Looks at A and B in three views, two, or one with a divider at so many per cent of its width.
    pub fn arrange_views(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewCount")] views: &str,
        divider: f64,
    ) {
        self.looking.views = match views {
            "two" => Arrangement::Two,
            "one" => Arrangement::Divided {
                percent: divider.clamp(0.0, 100.0).round() as u8,
            },
            _ => Arrangement::Three,
        };
    }
}

impl Page {
    /// The cube that is looked at.
    pub(crate) fn lit_cube(&self) -> Option<usize> {
        self.looking.cube.map(|cube| cube as usize)
    }

    /// How the views stand: as with one lane where there is no B.
    pub(crate) fn arrangement(&self) -> Arrangement {
        self.looking.views
    }

    /// Whether it is part of another page.
    pub(crate) fn is_embedded(&self) -> bool {
        self.looking.embed
    }

    /// The step of the tour that is open.
    pub(crate) fn step(&self) -> Option<&str> {
        self.looking.step.as_deref()
    }

    pub(crate) fn leave_step(&mut self) {
        self.looking.step = None;
    }

    /// Where the camera was moved to: degrees round the player and above it, centimetres from it.
    pub(crate) fn camera(&self) -> Option<[i32; 3]> {
        self.looking.camera
    }

    /// What the rebuilt views are coloured by, and whether the truth is outlined over them.
    pub(crate) fn looks_as(&self) -> (Option<Overlay>, bool) {
        (self.looking.overlay, self.looking.ghost)
    }

    pub(crate) fn look_from(&mut self, camera: Option<[i32; 3]>) {
        self.looking.camera = camera;
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
}
