//! Smoothing of corrections: the jump is kept as an error of the shown pose, and let go bit by bit. The simulation itself is
//! never smoothed.

use snapshot_view::Pose;
use snapshot_view::parts::{Quat, Vec3};

/// Share of the error that is left after a frame, basic (the article's figure).
const BASIC_KEPT: f32 = 0.9;
/// Adaptive: this is left of a small error, ...
const SMALL_KEPT: f32 = 0.95;
/// ... this of a large one, and between evenly more and less.
const LARGE_KEPT: f32 = 0.85;
/// Limits of small and of large position errors, m.
const POSITION_M: (f32, f32) = (0.25, 1.0);
/// The same of orientation errors, as 1 - |dot| with the identity.
const ORIENTATION: (f32, f32) = (0.1, 0.5);
/// Errors below this, m, are over: a tenth of a millimetre is not seen.
const POSITION_NEGLIGIBLE_M: f32 = 1e-4;
/// The same of orientation errors: 0.1 degrees.
const ORIENTATION_NEGLIGIBLE: f32 = 4e-7;

/// The way in which the receiver shows a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// At once.
    Off,
    /// A tenth of the remaining error, each frame.
    Basic,
    /// A small error slowly, a large one faster.
    Adaptive,
}

impl Smoothing {
    /// All ways. Links name them by their place here.
    pub const ALL: [Smoothing; 3] = [Smoothing::Off, Smoothing::Basic, Smoothing::Adaptive];
}

/// Difference between the shown pose of a cube and the simulated one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PoseOffset {
    pub(super) position: Vec3,
    orientation: Quat,
}

impl PoseOffset {
    /// No difference.
    pub(super) const NONE: PoseOffset = PoseOffset {
        position: Vec3::ZERO,
        orientation: Quat::IDENTITY,
    };

    /// Makes the offset that keeps `shown` where it is after the simulation jumped to `pose`.
    pub(super) fn hold(shown: &Pose, pose: &Pose) -> PoseOffset {
        PoseOffset {
            position: Vec3(shown.position) - Vec3(pose.position),
            orientation: (Quat(shown.orientation) * Quat(pose.orientation).conjugate()).normalize(),
        }
    }

    /// Gives the shown pose of a simulated one.
    pub(super) fn apply(&self, pose: &Pose) -> Pose {
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

    /// Lets go of a frame's share of the error.
    pub(super) fn decay(&mut self, smoothing: Smoothing) {
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

fn adaptive(error: f32, (small, large): (f32, f32)) -> f32 {
    let share = ((error - small) / (large - small)).clamp(0.0, 1.0);
    SMALL_KEPT + (LARGE_KEPT - SMALL_KEPT) * share
}
