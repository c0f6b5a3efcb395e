//! Three axes, or three components, side by side: vectors of four lanes, of which the last is not used.

use crate::model::rotation::Vector3;

/// Three numbers, one for each axis, in four lanes of a vector.
pub(crate) type Axes = [f32; 4];

/// Converts a vector to four lanes; the fourth is 0.
#[inline(always)]
pub(crate) fn lanes([x, y, z]: Vector3) -> Axes {
    [x, y, z, 0.0]
}

/// Calls `lane` with 0 to 3; returns the four results.
#[inline(always)]
pub(crate) fn each(lane: impl Fn(usize) -> f32) -> Axes {
    [lane(0), lane(1), lane(2), lane(3)]
}

/// Converts several vectors to four lanes each; the fourth lane is 0.
#[inline(always)]
pub(crate) fn all_lanes<const N: usize>(vectors: [Vector3; N]) -> [Axes; N] {
    let mut all = [[0.0; 4]; N];
    for (to, vector) in all.iter_mut().zip(vectors) {
        *to = lanes(vector);
    }
    all
}
