//! Orientations in Unity's conventions: left-handed axes, Euler angles, and the angle between two orientations.

use snapshot_codec::CubeState;

/// Returns the position in Unity's axes: y is up and axes are left-handed, so y and z change places.
pub(super) fn unity_position(object: &CubeState) -> [f32; 3] {
    let [x, y, z] = object.position;
    [x, z, y]
}

pub(super) fn unity_orientation(object: &CubeState) -> [f32; 4] {
    let [x, y, z, w] = object.orientation;
    [-x, -z, -y, w]
}

/// Returns the Euler angles in degrees as Unity defines them: about z, then x, then y.
pub(super) fn euler_degrees([x, y, z, w]: [f32; 4]) -> [f32; 3] {
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
    [pitch, yaw, roll].map(f32::to_degrees)
}

/// Returns the difference of two angles, degrees, at most 180.
pub(super) fn angle_apart(a: f32, b: f32) -> f32 {
    let apart = (a - b).abs() % 360.0;
    apart.min(360.0 - apart)
}

/// Returns true if Unity's `Quaternion.Angle` between two orientations is more than 0.01 degrees. That function gives 0 if
/// the dot product is above 0.999999, so only turns of 0.162 degrees and more count.
pub(super) fn has_turned(a: [f32; 4], b: [f32; 4]) -> bool {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    dot.abs().min(1.0) <= 1.0 - 0.000_001
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::turned;
    use super::*;

    #[test]
    fn a_turn_about_the_vertical_is_yaw_alone() {
        let [pitch, yaw, roll] = euler_degrees(unity_orientation(&turned(1.0)));
        assert!(pitch.abs() < 1e-4 && roll.abs() < 1e-4);
        assert!((yaw + 57.295_78).abs() < 1e-3, "{yaw}");
        assert!((angle_apart(-179.0, 178.5) - 2.5).abs() < 1e-4);
    }

    #[test]
    fn small_turns_are_none() {
        let from = turned(0.0).orientation;
        assert!(!has_turned(from, turned(0.002).orientation));
        assert!(has_turned(from, turned(0.003).orientation));
    }
}
