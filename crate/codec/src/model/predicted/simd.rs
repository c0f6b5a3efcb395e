//! SIMD vectors of four columns: three axes or three components side by side. The last column is not used.

use crate::model::rotation::Vector3;

/// Three numbers, one for each axis, in four columns of a SIMD vector.
pub(crate) type Axes = [f32; 4];

/// Converts a vector to four columns; the fourth is 0.
#[inline(always)]
pub(crate) fn columns([x, y, z]: Vector3) -> Axes {
    [x, y, z, 0.0]
}

/// Calls `column` with 0 to 3; returns the four results.
#[inline(always)]
pub(crate) fn each(column: impl Fn(usize) -> f32) -> Axes {
    [column(0), column(1), column(2), column(3)]
}

/// Pads several vectors for SIMD to four numbers each; the fourth is 0.
#[inline(always)]
pub(crate) fn all_columns<const N: usize>(vectors: [Vector3; N]) -> [Axes; N] {
    let mut all = [[0.0; 4]; N];
    for (to, vector) in all.iter_mut().zip(vectors) {
        *to = columns(vector);
    }
    all
}
