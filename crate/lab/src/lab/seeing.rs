//! What the views can show beside poses: figures of every cube, the truth behind what is shown, and one cube's story.

use super::Lab;
use crate::shade::Shade;
use crate::track::{Glitch, Moment};
use crate::view::Pose;

impl Lab {
    /// A figure of each cube, as lane A or B has it at the instant that is shown. None where there is no such lane, its strategy
    /// has no such figure, or there is none yet.
    pub fn shade(&mut self, shade: Shade, of_b: bool) -> Option<Vec<f32>> {
        let tick = self.playhead;
        if !of_b {
            return self.track.shade(shade, tick, &self.right, &self.tape);
        }
        let (tape, track, view) = self.b.as_mut()?.parts(&self.tape)?;
        track.shade(shade, tick, view, tape)
    }

    /// What was true at the instant that the right view of lane A or B shows, cube by cube; of no cube where nothing is shown yet.
    pub fn truth_shown(&mut self, of_b: bool) -> Vec<Pose> {
        let tick = self.playhead;
        if !of_b {
            return self.track.truth_shown(tick, &self.tape);
        }
        let parts = self.b.as_mut().and_then(|b| b.parts(&self.tape));
        parts.map_or_else(Vec::new, |(tape, track, _)| track.truth_shown(tick, tape))
    }

    /// Why lane A's or B's view did not just go on at the instant that is shown, where it did not.
    pub fn glitch(&self, of_b: bool) -> Option<Glitch> {
        let track = if of_b {
            self.b.as_ref()?.track()?
        } else {
            &self.track
        };
        track.glitch(self.playhead)
    }

    /// A cube's errors and costs with lane A in the ticks up to what is shown, oldest first.
    pub fn moments(&mut self, cube: usize, ticks: u64) -> Vec<Moment> {
        self.track.moments(cube, self.playhead, ticks, &self.tape)
    }
}
