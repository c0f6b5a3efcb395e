//! The visible state of a cube.

use glam::{Quat, Vec3};
use snapshot_codec::CubeState;

/// Position and orientation of a cube, and whether it interacts: all of a cube that can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre, m.
    pub position: Vec3,
    /// Unit quaternion.
    pub orientation: Quat,
    /// Shown red.
    pub interacting: bool,
}

impl From<&CubeState> for Pose {
    fn from(cube: &CubeState) -> Pose {
        Pose {
            position: Vec3::from_array(cube.position),
            orientation: Quat::from_array(cube.orientation),
            interacting: cube.interacting,
        }
    }
}

impl Pose {
    /// Gives the pose part of the way to another, along the chord. It interacts if this one does.
    pub fn towards(&self, to: &Pose, share: f32) -> Pose {
        if self.same_bits(to) {
            return *self;
        }
        Pose {
            position: self.position.lerp(to.position, share),
            orientation: self.orientation.lerp(to.orientation, share),
            interacting: self.interacting,
        }
    }

    /// Says whether every bit is the same: 0 and -0 differ. It has no branch, since most poses are the same.
    pub fn same_bits(&self, other: &Pose) -> bool {
        let differences = self.bits().into_iter().zip(other.bits());
        let differences = differences.fold(0, |all, (a, b)| all | (a ^ b));
        (differences == 0) & (self.interacting == other.interacting)
    }

    fn bits(&self) -> [u32; 7] {
        let ([px, py, pz], [x, y, z, w]) = (self.position.to_array(), self.orientation.to_array());
        [px, py, pz, x, y, z, w].map(f32::to_bits)
    }
}
