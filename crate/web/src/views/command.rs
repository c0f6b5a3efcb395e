//! Commands of the page's script to the renderer, and its questions.

use super::layout::ViewContent;
use super::{Shadow, Views, pick};
use crate::js::from_js;
use crate::page::Page;
use serde::Deserialize;
use three_d::{Viewport, vec3};
use wasm_bindgen::prelude::*;

/// A change of a renderer. Sizes and places are in the canvas's pixels, from its top left.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ViewsCommand {
    /// Sets the sizes of the canvas and of the gap between views. `stacked` puts the views one above the other.
    Resize {
        width_px: u32,
        height_px: u32,
        gap_px: u32,
        stacked: bool,
    },
    /// Sets the colour of floor and sky, each component 0 to 1.
    Background {
        red: f32,
        green: f32,
        blue: f32,
    },
    /// Switches between soft shadows and flat ones, which are for slow machines.
    Shadows {
        on: bool,
    },
    /// Highlights the cubes that are related to the selected cube.
    Light {
        cubes: Vec<u32>,
    },
    Drag {
        right_px: f32,
        down_px: f32,
    },
    /// Zooms the camera: nearer by a factor below 1, farther by one above 1.
    Zoom {
        factor: f32,
    },
    /// Resets the camera to the angle and distance of the original demo's camera.
    ResetCamera,
    /// Moves the camera to a position that a link names.
    StandAt {
        position: [i32; 3],
    },
    /// Sets the place of the inset with the worst cube. Without a width there is no inset.
    PlaceInset {
        x_px: i32,
        y_px: i32,
        width_px: u32,
        height_px: u32,
    },
}

/// A question to a renderer. Its answer is numbers; none if there is nothing to tell.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ViewsQuery {
    /// The index of the cube at a pixel of the canvas, in any view.
    Pick { x_px: f32, y_px: f32 },
    /// The place of a cube in lane A's view, in pixels of the canvas from its top left, if it is in sight.
    PlaceOf { cube: u32 },
    /// The distance (m) of the world's centre from the player, and its bearing to the right of straight ahead (rad). So a player
    /// who has driven off finds the way back.
    Home,
    /// The canvas's pixels that a millimetre across the picture covers, at the place that the camera looks at.
    PxOfMm,
    /// The camera's position, as links name it: three whole numbers; none for the usual one.
    Camera,
    /// The cube in the inset of the last picture: its index and its surface error, mm.
    Worst,
}

#[wasm_bindgen]
impl Views {
    pub fn apply(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewsCommand")] command: JsValue,
    ) -> Result<(), JsError> {
        match from_js(command)? {
            ViewsCommand::Resize {
                width_px,
                height_px,
                gap_px,
                stacked,
            } => {
                self.size_px = (width_px.max(1), height_px.max(1));
                (self.gap_px, self.stacked) = (gap_px, stacked);
            }
            ViewsCommand::Background { red, green, blue } => {
                self.light.background = vec3(red, green, blue);
            }
            ViewsCommand::Shadows { on } => {
                if on != self.shadow.is_some() {
                    self.shadow = on.then(|| Shadow::new(&self.context));
                }
            }
            ViewsCommand::Light { cubes } => self.lit = cubes,
            ViewsCommand::Drag { right_px, down_px } => self.camera.drag(right_px, down_px),
            ViewsCommand::Zoom { factor } => self.camera.zoom(factor),
            ViewsCommand::ResetCamera => self.camera.reset(),
            ViewsCommand::StandAt { position } => self.camera.stand_at(position),
            ViewsCommand::PlaceInset {
                x_px,
                y_px,
                width_px,
                height_px,
            } => {
                let is_there = width_px > 0 && height_px > 0;
                self.inset.place = is_there.then(|| Viewport {
                    x: x_px,
                    y: self.size_px.1 as i32 - y_px - height_px as i32,
                    width: width_px,
                    height: height_px,
                });
            }
        }
        Ok(())
    }

    pub fn ask(
        &self,
        page: &Page,
        #[wasm_bindgen(unchecked_param_type = "ViewsQuery")] query: JsValue,
    ) -> Result<Vec<f32>, JsError> {
        let numbers = match from_js(query)? {
            ViewsQuery::Pick { x_px, y_px } => {
                let cube = self.cube_at(page, x_px, self.size_px.1 as f32 - y_px);
                cube.map(|cube| vec![cube as f32])
            }
            ViewsQuery::PlaceOf { cube } => self.place_of(page, cube),
            ViewsQuery::Home => Some(<[f32; 2]>::from(self.camera.home()).to_vec()),
            ViewsQuery::PxOfMm => {
                let place = self.places(page).into_iter().next();
                place.map(|place| vec![self.camera.px_of_m(place.viewport) / 1000.0])
            }
            ViewsQuery::Camera => {
                let position = self.camera.place();
                position.map(|position| position.map(|number| number as f32).to_vec())
            }
            ViewsQuery::Worst => self.inset.shown.map(|it| vec![it.cube as f32, it.mm]),
        };
        Ok(numbers.unwrap_or_default())
    }
}

impl Views {
    fn cube_at(&self, page: &Page, x_px: f32, from_bottom_px: f32) -> Option<u32> {
        let places = self.places(page);
        let place = places
            .iter()
            .find(|place| place.holds(x_px, from_bottom_px))?;
        let view = place.of.view(page.lab())?;
        let ray = pick::ray(&self.camera.camera(place.viewport), x_px, from_bottom_px)?;
        pick::nearest(&ray, view, self.speck_m)
    }

    fn place_of(&self, page: &Page, cube: u32) -> Option<Vec<f32>> {
        let places = self.places(page);
        let place = places.iter().find(|place| place.of == ViewContent::A)?;
        let &[x, y, z, _] = page.lab().right().position_half_m.get(cube as usize)?;
        let camera = self.camera.camera(place.viewport);
        let at = camera.pixel_at_position(vec3(x, y, z));
        let is_there = place.holds(at.x, at.y);
        is_there.then(|| vec![at.x, self.size_px.1 as f32 - at.y])
    }
}
