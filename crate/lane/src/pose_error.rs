//! Distance and angle between a shown cube and its true pose.

use crate::view::{View, distance_m};
use glam::Quat;
use snapshot_view::Pose;

/// Returns the distance between a shown cube and its true position, mm. `None` if one of the two is missing, or if their
/// lives differ. The true position is that of the shown instant, so a late picture alone is no error.
pub fn position_error_mm(view: &View, index: usize, truth: &Pose) -> Option<f64> {
    let [x, y, z, _] = view.position_half_m[index];
    let distance_m = || f64::from(distance_m([x, y, z], truth.position));
    let is_of_it = truth.life == view.life[index] && !truth.life.is_empty();
    is_of_it.then(|| distance_m() * 1000.0)
}

/// Returns the angle between a shown cube and its true orientation, degrees.
pub fn orientation_error_deg(view: &View, index: usize, truth: &Pose) -> f64 {
    angle_deg(view.orientation[index], truth.orientation)
}

/// Returns the angle between two orientations, degrees.
pub(crate) fn angle_deg(shown: [f32; 4], truth: [f32; 4]) -> f64 {
    let [shown, truth] = [shown, truth].map(Quat::from_array);
    let nearest = if shown.dot(truth) < 0.0 {
        -shown
    } else {
        shown
    };
    // The chord is exact where the arc cosine of a dot product near 1 is not.
    let chord = (nearest - truth).length_squared().sqrt();
    let half_chord = (chord / 2.0).min(1.0);
    f64::from(4.0 * libm::asinf(half_chord)).to_degrees()
}
