//! The visible state of a cube. A slot is a cube's place in all snapshots; its life changes when the cube jumps, or when
//! another cube comes into the slot.

use snapshot_base::math::{Quat, Vec3};
use snapshot_codec::{CubeState, Life};

/// The visible state of a cube: position, orientation, the interacting flag, and the life in the cube's slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre, m.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// True if the cube is interacting; it is drawn red.
    pub interacting: bool,
    /// The slot's life. An empty slot is not shown.
    pub life: Life,
}

impl From<&CubeState> for Pose {
    fn from(cube: &CubeState) -> Pose {
        // All fields are named, so that a new one is shown or left out on purpose.
        let &CubeState {
            position,
            orientation,
            linear_velocity: _,
            angular_velocity: _,
            at_rest: _,
            interacting,
            life,
        } = cube;
        Pose {
            position,
            orientation,
            interacting,
            life,
        }
    }
}

impl Pose {
    /// Returns the pose at `share` (0 to 1) of the way to another, in a straight line and at an even speed of turning. Its flag
    /// `interacting` is this pose's. Between two lives nothing is interpolated: this pose stays until the other life begins.
    pub fn towards(&self, to: &Pose, share: f32) -> Pose {
        if self.same_bits(to) {
            return *self;
        }
        if self.life != to.life {
            return if share < 1.0 { *self } else { *to };
        }
        Pose {
            position: Vec3(self.position).lerp(Vec3(to.position), share).0,
            orientation: Quat(self.orientation).turned(Quat(to.orientation), share).0,
            interacting: self.interacting,
            life: self.life,
        }
    }

    /// Returns true if both slots hold a cube of the same life; only then has the distance between the poses a meaning.
    pub fn is_comparable_with(&self, other: &Pose) -> bool {
        self.life == other.life && !self.life.is_empty()
    }

    /// Returns true if both poses are equal in every bit: 0 and -0 differ. It has no branch, since most poses are equal.
    pub fn same_bits(&self, other: &Pose) -> bool {
        let ((own, is_interacting, own_life), (bits, interacting, life)) =
            (self.parts(), other.parts());
        let differences = own.into_iter().zip(bits);
        let differences = differences.fold(0, |all, (a, b)| all | (a ^ b));
        (differences == 0) & (is_interacting == interacting) & (own_life == life)
    }

    /// Returns all fields, the floats as bits.
    fn parts(&self) -> ([u32; 7], bool, Life) {
        // All fields are named, so that a new one is not forgotten here.
        let Self {
            position: [px, py, pz],
            orientation: [x, y, z, w],
            interacting,
            life,
        } = *self;
        (
            [px, py, pz, x, y, z, w].map(f32::to_bits),
            interacting,
            life,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pose that is turned about the z axis by an angle in degrees.
    fn turned_by(degrees: f32) -> Pose {
        let (sine, cosine) = libm::sincosf(degrees.to_radians() / 2.0);
        Pose {
            position: [0.0; 3],
            orientation: [0.0, 0.0, sine, cosine],
            interacting: false,
            life: Life::FIRST,
        }
    }

    #[test]
    fn a_pose_turns_at_an_even_speed_however_far() {
        for whole in [0.5, 4.9, 5.1, 40.0, 120.0, 179.0] {
            for share in [0.1, 0.25, 0.5, 0.9] {
                let shown = turned_by(0.0).towards(&turned_by(whole), share);
                let [_, _, sine, cosine] = shown.orientation;
                let degrees = 2.0 * libm::atan2f(sine, cosine).to_degrees();
                let wrong = (degrees - whole * share).abs();
                assert!(wrong < 0.001, "{share} of {whole} degrees: {degrees}");
            }
        }
    }
}
