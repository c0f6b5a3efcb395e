//! Smoothing of corrections: a jump becomes an error of the shown pose, which decays frame by frame. The simulation itself is
//! never smoothed.

use snapshot_base::math::{Quat, Vec3};
use snapshot_settings::Smoothing;
use snapshot_view::Pose;
use std::ops::Range;

/// Share of the error that remains after a frame with basic smoothing, as in the article "State Synchronization".
pub const BASIC_KEPT: f32 = 0.9;
/// Share of a small error that remains after a frame with adaptive smoothing.
const SMALL_KEPT: f32 = 0.95;
/// Share of a large error that remains after a frame with adaptive smoothing; errors in between are interpolated.
const LARGE_KEPT: f32 = 0.85;
/// Position errors from the greatest small one to the least large one, m.
const POSITION_M: Range<f32> = 0.25..1.0;
/// Orientation errors from the greatest small one to the least large one, as 1 - |dot| with the identity.
const ORIENTATION: Range<f32> = 0.1..0.5;
/// Position error below which smoothing ends, m: a tenth of a millimetre is invisible.
const POSITION_NEGLIGIBLE_M: f32 = 1e-4;
/// Orientation error below which smoothing ends, as 1 - |dot|: 0.1 degrees.
const ORIENTATION_NEGLIGIBLE: f32 = 4e-7;

/// Difference between the shown pose of a cube and its simulated pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PoseOffset {
    pub(super) position: Vec3,
    orientation: Quat,
}

impl PoseOffset {
    /// The offset of a cube that is shown where it is simulated.
    pub(crate) const NONE: PoseOffset = PoseOffset {
        position: Vec3::ZERO,
        orientation: Quat::IDENTITY,
    };

    /// Returns the offset that leaves `shown` in place after the simulation jumped to `pose`.
    pub(crate) fn hold(shown: &Pose, pose: &Pose) -> PoseOffset {
        PoseOffset {
            position: Vec3(shown.position) - Vec3(pose.position),
            orientation: (Quat(shown.orientation) * Quat(pose.orientation).conjugate()).normalize(),
        }
    }

    /// Returns the shown pose of a simulated pose.
    pub(crate) fn apply(&self, pose: &Pose) -> Pose {
        if *self == PoseOffset::NONE {
            return *pose;
        }
        Pose {
            position: (Vec3(pose.position) + self.position).0,
            orientation: (self.orientation * Quat(pose.orientation)).normalize().0,
            interacting: pose.interacting,
            life: pose.life,
        }
    }

    /// Removes one frame's share of the error.
    pub(crate) fn decay(&mut self, smoothing: Smoothing) {
        if *self == PoseOffset::NONE {
            return;
        }
        let turned = 1.0 - self.orientation.w().abs();
        let (position_kept, orientation_kept) = match smoothing {
            Smoothing::Off => (0.0, 0.0),
            Smoothing::Basic => (BASIC_KEPT, BASIC_KEPT),
            Smoothing::Adaptive => (
                adaptive(self.position.length(), POSITION_M),
                adaptive(turned, ORIENTATION),
            ),
        };
        self.position = self.position * position_kept;
        if self.position.length() < POSITION_NEGLIGIBLE_M {
            self.position = Vec3::ZERO;
        }
        self.orientation = self
            .orientation
            .slerp(Quat::IDENTITY, 1.0 - orientation_kept);
        if 1.0 - self.orientation.w().abs() < ORIENTATION_NEGLIGIBLE {
            self.orientation = Quat::IDENTITY;
        }
    }
}

fn adaptive(error: f32, errors: Range<f32>) -> f32 {
    let share = ((error - errors.start) / (errors.end - errors.start)).clamp(0.0, 1.0);
    SMALL_KEPT + (LARGE_KEPT - SMALL_KEPT) * share
}
