//! A world that a person drives and sees late. It measures from which delay between key and picture on the person notices it.

use super::clip::Frame;
use snapshot_lane::view::View;
use snapshot_physics::input::Input;
use snapshot_physics::scene::SceneKind;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};
use snapshot_view::Pose;
use std::collections::VecDeque;

/// A driven world whose picture comes a set time after the keys.
pub struct HandRun {
    tape: Tape,
    view: View,
    /// The shown picture, then the pictures that are not shown yet.
    frames: VecDeque<Frame>,
    late_frames: usize,
}

impl HandRun {
    /// Starts the world of the settings, driven by the person. Its picture is `late_ms` late, rounded to whole ticks.
    pub fn new(settings: &Settings, late_ms: f64) -> HandRun {
        let mut settings = *settings;
        let _ = settings.set(Key::Scene, SceneKind::Drive as u32);
        let tape = Tape::new(&settings);
        let late_frames = libm::round(tape.tick_rate().tick_of_ms(late_ms)) as usize;
        let mut run = HandRun {
            view: View::of_tape(&tape),
            tape,
            frames: VecDeque::new(),
            late_frames,
        };
        run.add_frame();
        run
    }

    /// Plays one tick with the held keys.
    pub fn tick(&mut self, keys: Input) {
        self.tape.step(keys, false);
        for (index, cube) in self.tape.newest().iter().enumerate() {
            self.view.show(index, &Pose::from(cube));
        }
        self.add_frame();
        if self.frames.len() > self.late_frames + 1 {
            self.frames.pop_front();
        }
    }

    /// The shown picture: the world one delay ago.
    pub fn frame(&self) -> &Frame {
        &self.frames[0]
    }

    fn add_frame(&mut self) {
        let [x, y, z, _] = self.view.position_half_m[0];
        self.frames.push_back(Frame::of_view(&self.view, [x, y, z]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;

    #[test]
    fn a_key_is_seen_as_late_as_it_is_set() {
        let settings = settings("#grid=5");
        let first_move = |late_ms: f64| {
            let mut run = HandRun::new(&settings, late_ms);
            // The cubes fall to the floor first.
            (0..60).for_each(|_| run.tick(Input::NONE));
            let x = |run: &HandRun| run.frame().position_half_m[0][0];
            let start = x(&run);
            let moved = (1..60).find(|_| {
                run.tick(Input::RIGHT);
                (x(&run) - start).abs() > 1e-3
            });
            moved.unwrap()
        };
        assert_eq!(first_move(100.0) - first_move(0.0), 6);
        assert_eq!(first_move(16.7) - first_move(0.0), 1);
    }
}
