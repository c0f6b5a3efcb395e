//! The picture of a guest's screen over the whole canvas.

use super::layout::ViewContent;
use super::{Views, subject};
use crate::together::Guest;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Views {
    /// Draws a guest's frame. The camera follows the guest's own cube; `frames` is the time since the last draw in 1/60 s.
    pub fn draw_guest(&mut self, guest: &Guest, frames: f32) {
        let view = guest.view();
        let [x, y, z, _] = view.position_half_m[guest.own()];
        if let Some(subject) = subject::of_players(&[[x, y, z]]) {
            self.camera.follow(subject, f64::from(frames));
        }
        self.camera.settle(frames.clamp(0.0, 10.0));
        self.poses.keep(view);
        let slot = ViewContent::Truth as usize;
        self.cubes.fill(slot, &self.poses, &view.colour);
        self.draw_over_the_whole_canvas();
    }
}
