//! The last two frames of a simulated world, and poses interpolated between them.

use snapshot_view::Pose;

/// Upper limit of the number of frames that a receiver simulates in one tick. Two are enough for the greatest speed of an
/// adaptive playout clock.
pub(crate) const MOST_STEPS_PER_TICK: u32 = 2;

/// The second newest frame of a simulated world, from which poses are interpolated to the newest frame.
#[derive(Debug, Default)]
pub(crate) struct LastTwoFrames {
    before: Vec<Pose>,
}

impl LastTwoFrames {
    /// Stores the poses of the newest frame. Call it before each step, which makes that frame the second newest.
    pub(crate) fn keep(&mut self, newest: impl Iterator<Item = Pose>) {
        self.before.clear();
        self.before.extend(newest);
    }

    /// Writes the poses at `play_tick`; the newest frame has the number `frame`. Returns the shown instant in ticks, clamped
    /// to between the last two frames.
    pub(crate) fn show(
        &self,
        play_tick: f64,
        frame: i64,
        newest: impl Iterator<Item = Pose>,
        poses: &mut [Pose],
    ) -> f64 {
        let share = (play_tick - (frame - 1) as f64).clamp(0.0, 1.0);
        if self.before.is_empty() || share == 1.0 {
            for (pose, newest) in poses.iter_mut().zip(newest) {
                *pose = newest;
            }
            return frame as f64;
        }
        for ((pose, before), newest) in poses.iter_mut().zip(&self.before).zip(newest) {
            *pose = before.towards(&newest, share as f32);
        }
        (frame - 1) as f64 + share
    }
}
