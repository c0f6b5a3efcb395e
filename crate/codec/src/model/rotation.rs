//! Rotations in f32, by `+ - * /` and square root alone.

/// A vector of three numbers, in the unit that the doc of its variable says.
pub(crate) type Vector3 = [f32; 3];
/// Quaternion x, y, z, w.
pub(crate) type Quaternion = [f32; 4];

pub(crate) fn add(a: Vector3, b: Vector3) -> Vector3 {
    core::array::from_fn(|i| a[i] + b[i])
}

pub(crate) fn subtract(a: Vector3, b: Vector3) -> Vector3 {
    core::array::from_fn(|i| a[i] - b[i])
}

pub(crate) fn scale(a: Vector3, by: f32) -> Vector3 {
    a.map(|c| c * by)
}

pub(crate) fn dot(a: Vector3, b: Vector3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector3, b: Vector3) -> Vector3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn length(a: Vector3) -> f32 {
    dot(a, a).sqrt()
}

/// Multiplies two rotations: `b` is applied first, then `a`.
pub(crate) fn multiply(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// Returns the rotation vector from `from` to `to`. It points along the axis; its length 4 tan(angle / 4) is nearly the angle.
/// No trigonometric function is needed in either direction.
pub(crate) fn difference(from: Quaternion, to: Quaternion) -> Vector3 {
    let [x, y, z, w] = multiply(to, [-from[0], -from[1], -from[2], from[3]]);
    let by = if w < 0.0 {
        -4.0 / (1.0 - w)
    } else {
        4.0 / (1.0 + w)
    };
    [x * by, y * by, z * by]
}

/// Returns the rotation that a rotation vector stands for, the inverse of [`difference`].
pub(crate) fn rotation(vector: Vector3) -> Quaternion {
    let v = scale(vector, 0.25);
    let square = dot(v, v);
    let by = 1.0 / (1.0 + square);
    [
        2.0 * v[0] * by,
        2.0 * v[1] * by,
        2.0 * v[2] * by,
        (1.0 - square) * by,
    ]
}

pub(crate) fn turn(q: Quaternion, v: Vector3) -> Vector3 {
    let axis = [q[0], q[1], q[2]];
    let t = scale(cross(axis, v), 2.0);
    add(v, add(scale(t, q[3]), cross(axis, t)))
}

/// Returns the height of a cube's centre above its lowest corner, in units of half its side.
pub(crate) fn support([x, y, z, w]: Quaternion) -> f32 {
    (2.0 * (x * z - w * y)).abs()
        + (2.0 * (y * z + w * x)).abs()
        + (1.0 - 2.0 * (x * x + y * y)).abs()
}
