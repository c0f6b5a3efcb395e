//! Values of an object in the units and conventions of other engines.

use super::objects::{Object, Values};
use snapshot_codec::CubeState;

/// Returns the position in metres and the quaternion.
pub(super) fn with_quaternion(object: &CubeState) -> Values {
    let ([x, y, z], [qx, qy, qz, qw]) = (object.position, object.orientation);
    [x, y, z, qx, qy, qz, qw]
}

/// Returns the position in metres and the Euler angles in degrees as Unity defines them: about z, then x, then y.
pub(super) fn with_euler_angles(object: &CubeState) -> Values {
    let ([px, py, pz], [qx, qy, qz, w]) = (object.position, object.orientation);
    // Unity's axes are left-handed, and y is up.
    let [x, y, z] = [-qx, -qz, -qy];
    let sine = (2.0 * (w * x - y * z)).clamp(-1.0, 1.0);
    let pitch = libm::asinf(sine);
    // At the poles one of the other two angles says all.
    let [yaw, roll] = if sine.abs() > 0.999_999 {
        [
            libm::atan2f(-2.0 * (x * z - w * y), 1.0 - 2.0 * (y * y + z * z)),
            0.0,
        ]
    } else {
        [
            libm::atan2f(2.0 * (w * y + x * z), 1.0 - 2.0 * (x * x + y * y)),
            libm::atan2f(2.0 * (w * z + x * y), 1.0 - 2.0 * (x * x + z * z)),
        ]
    };
    let [pitch, yaw, roll] = [pitch, yaw, roll].map(f32::to_degrees);
    [px, py, pz, pitch, yaw, roll, 0.0]
}

/// Returns the difference of two angles, degrees, at most 180.
pub(super) fn angle_apart(a: f32, b: f32) -> f32 {
    let apart = (a - b).abs() % 360.0;
    apart.min(360.0 - apart)
}

impl Object {
    /// Returns true if Unity's `Quaternion.Angle` to the baseline is more than 0.01 degrees. That function gives 0 if the dot
    /// product is above 0.999999, so only turns of 0.162 degrees and more count.
    pub(super) fn has_turned(&self) -> bool {
        let pairs = self.now[3..].iter().zip(&self.baseline[3..]);
        let dot: f32 = pairs.map(|(a, b)| a * b).sum();
        dot.abs().min(1.0) <= 1.0 - 0.000_001
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::turned;
    use super::*;

    #[test]
    fn a_turn_about_the_vertical_is_yaw_alone() {
        let [.., pitch, yaw, roll, _] = with_euler_angles(&turned(1.0));
        assert!(pitch.abs() < 1e-4 && roll.abs() < 1e-4);
        assert!((yaw + 57.295_78).abs() < 1e-3, "{yaw}");
        assert!((angle_apart(-179.0, 178.5) - 2.5).abs() < 1e-4);
    }
}
