//! One picture of a blind test over the whole canvas.

use super::layout::ViewContent;
use super::{FollowCamera, Views, subject};
use crate::js::from_js;
use crate::page::Page;
use snapshot_analysis::blind_test::blind::Shown;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Views {
    /// Draws a frame of the picture behind a button of the test. The camera depends on the motion alone, so it is the same
    /// for all buttons. Frame 0 places the camera anew. Returns false if the picture is not made yet.
    pub fn draw_test(
        &mut self,
        page: &Page,
        #[wasm_bindgen(unchecked_param_type = "TestButton")] button: JsValue,
        frame: usize,
    ) -> Result<bool, JsError> {
        let button = from_js(button)?;
        let test = page.session().test();
        let Some((test, picture)) = test.and_then(|test| Some((test, test.frame(button, frame)?)))
        else {
            return Ok(false);
        };
        let subject = match test.is_motion() {
            true => {
                let cube = page.session().view_state().cube.map(|cube| cube as usize);
                let first = test.frame(Shown::A, 0).unwrap_or(picture);
                subject::of_motion(&first.position_half_m, cube)
            }
            false => subject::of_players(&[picture.followed_m]),
        };
        if frame == 0 {
            self.camera = FollowCamera::new();
            if let Some(position) = page.session().view_state().camera {
                self.camera.stand_at(position);
            }
        }
        if let Some(subject) = subject {
            self.camera.follow(subject, 1.0);
        }
        self.poses
            .position_half_m
            .clone_from(&picture.position_half_m);
        self.poses.orientation.clone_from(&picture.orientation);
        self.poses.proportions.clear();
        self.poses.proportions.extend_from_slice(test.proportions());
        if test.is_motion() {
            self.poses.enlarge_to(self.camera.speck_m());
        }
        let slot = ViewContent::Truth as usize;
        self.cubes.fill(slot, &self.poses, &picture.colour);
        self.draw_over_the_whole_canvas();
        Ok(true)
    }
}
