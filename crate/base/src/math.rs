//! Vectors and quaternions of 32-bit floats, with one result on every machine.
//!
//! A game's own crate of vectors may use SIMD. If this crate depended on it, too, Cargo would unite the features that both ask
//! for. So the few operations that interpolation and smoothing need stand here. Sine and arc tangent are those of `libm`.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The cosine of 2.5 degrees, which is half of a turn of 5 degrees. For smaller turns the normalised lerp differs from slerp by
/// less than 0.00015 degrees.
const COSINE_OF_SMALL_HALF_TURN: f32 = 0.999_048_2;

/// A position, a displacement or a velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3(pub [f32; 3]);

/// A quaternion x, y, z, w. It is a rotation if its length is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat(pub [f32; 4]);

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Vec3 = Vec3([0.0; 3]);

    /// Length of the vector.
    pub fn length(self) -> f32 {
        let [x, y, z] = self.0;
        (x * x + y * y + z * z).sqrt()
    }

    /// Distance between two points.
    pub fn distance(self, to: Vec3) -> f32 {
        (self - to).length()
    }

    /// Returns the point at `share` (0 to 1) of the straight line to another point.
    pub fn lerp(self, to: Vec3, share: f32) -> Vec3 {
        self * (1.0 - share) + to * share
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        Vec3([x + a, y + b, z + c])
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        Vec3([x - a, y - b, z - c])
    }
}

impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, factor: f32) -> Vec3 {
        Vec3(self.0.map(|value| value * factor))
    }
}

impl Div<f32> for Vec3 {
    type Output = Vec3;
    fn div(self, divisor: f32) -> Vec3 {
        Vec3(self.0.map(|value| value / divisor))
    }
}

impl Quat {
    /// The rotation by no angle.
    pub const IDENTITY: Quat = Quat([0.0, 0.0, 0.0, 1.0]);

    /// The component w: the cosine of half the turn.
    pub fn w(self) -> f32 {
        self.0[3]
    }

    fn dot(self, other: Quat) -> f32 {
        let ([x, y, z, w], [a, b, c, d]) = (self.0, other.0);
        x * a + y * b + z * c + w * d
    }

    /// Returns the inverse of a rotation of length 1.
    pub fn conjugate(self) -> Quat {
        let [x, y, z, w] = self.0;
        Quat([-x, -y, -z, w])
    }

    /// Returns the same rotation with length 1.
    pub fn normalize(self) -> Quat {
        self * (1.0 / self.dot(self).sqrt())
    }

    /// Returns the rotation at `share` (0 to 1) of the shorter way to another, along the chord.
    pub fn lerp(self, to: Quat, share: f32) -> Quat {
        let sign = if self.dot(to) >= 0.0 { 1.0 } else { -1.0 };
        self.along(to * sign, share)
    }

    /// Returns the rotation at `share` (0 to 1) of the shorter way to another, at an even speed.
    pub fn slerp(self, to: Quat, share: f32) -> Quat {
        let (mut to, mut cosine) = (to, self.dot(to));
        if cosine < 0.0 {
            (to, cosine) = (-to, -cosine);
        }
        if cosine > 1.0 - f32::EPSILON {
            return self.along(to, share);
        }
        let angle = arc_cosine(cosine);
        let from_share = libm::sinf(angle * (1.0 - share));
        let to_share = libm::sinf(angle * share);
        (self * from_share + to * to_share) * (1.0 / libm::sinf(angle))
    }

    /// Returns the rotation of [`Quat::slerp`]. If the two rotations are so near that no one sees a difference, it is computed
    /// by the cheaper [`Quat::lerp`].
    pub fn turned(self, to: Quat, share: f32) -> Quat {
        if self.dot(to).abs() > COSINE_OF_SMALL_HALF_TURN {
            self.lerp(to, share)
        } else {
            self.slerp(to, share)
        }
    }

    fn along(self, to: Quat, share: f32) -> Quat {
        (self * (1.0 - share) + to * share).normalize()
    }

    /// Returns the rotation about the same axis by `share` of the angle.
    pub fn scaled(self, share: f32) -> Quat {
        let [x, y, z, w] = self.0;
        let length = Vec3([x, y, z]).length();
        let (axis, angle) = if length >= 1.0e-8 {
            (Vec3([x, y, z]) / length, 2.0 * libm::atan2f(length, w))
        } else {
            (Vec3([1.0, 0.0, 0.0]), 0.0)
        };
        let (sine, cosine) = libm::sincosf(angle * share * 0.5);
        let [x, y, z] = (axis * sine).0;
        Quat([x, y, z, cosine])
    }
}

impl Add for Quat {
    type Output = Quat;
    fn add(self, other: Quat) -> Quat {
        let ([x, y, z, w], [a, b, c, d]) = (self.0, other.0);
        Quat([x + a, y + b, z + c, w + d])
    }
}

impl Neg for Quat {
    type Output = Quat;
    fn neg(self) -> Quat {
        Quat(self.0.map(|value| -value))
    }
}

impl Mul<f32> for Quat {
    type Output = Quat;
    fn mul(self, factor: f32) -> Quat {
        Quat(self.0.map(|value| value * factor))
    }
}

impl Mul for Quat {
    type Output = Quat;
    fn mul(self, other: Quat) -> Quat {
        let ([x0, y0, z0, w0], [x1, y1, z1, w1]) = (self.0, other.0);
        Quat([
            w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
            w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
            w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
            w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        ])
    }
}

/// Returns the arc cosine of a number from 0 to 1, by a polynomial of degree 7 (DirectXMath's `XMScalarAcos`).
#[expect(
    clippy::approx_constant,
    reason = "the last term is a float below half of pi"
)]
fn arc_cosine(cosine: f32) -> f32 {
    let polynomial = [
        -0.001_262_491_1,
        0.006_670_09,
        -0.017_088_126,
        0.030_891_88,
        -0.050_174_303,
        0.088_978_99,
        -0.214_598_8,
        1.570_796_3,
    ];
    let sum = polynomial
        .into_iter()
        .reduce(|sum, term| sum * cosine + term);
    sum.unwrap_or_default() * (1.0 - cosine).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Holds our arithmetic to `glam` in scalar form, which rapier uses in the simulated worlds: hashes of views depend on it.
    #[test]
    fn every_operation_gives_the_bits_that_glam_gives() {
        let mut draws = Stream::new(7, 7);
        let mut four = |scale: f32| [0; 4].map(|_| draws.between(-1.0, 1.0) as f32 * scale);
        let bits = |values: [f32; 4]| values.map(f32::to_bits);
        for round in 0..20_000 {
            let a = glam::Quat::from_array(four(1.0)).normalize();
            // Also those that are nearly equal, and turned round.
            let near =
                glam::Quat::from_array(four(1e-3)) + a * if round % 3 == 0 { -1.0 } else { 1.0 };
            let other = glam::Quat::from_array(four(1.0));
            let b = if round % 2 == 0 { near } else { other }.normalize();
            let share = four(1.0)[0].abs();
            let (own, to) = (Quat(a.to_array()), Quat(b.to_array()));
            assert_eq!(
                bits(own.slerp(to, share).0),
                bits(a.slerp(b, share).to_array())
            );
            assert_eq!(
                bits(own.lerp(to, share).0),
                bits(a.lerp(b, share).to_array())
            );
            assert_eq!(
                bits((own * to).normalize().0),
                bits((a * b).normalize().to_array())
            );
            let (axis, angle) = a.to_axis_angle();
            let scaled = glam::Quat::from_axis_angle(axis, angle * share);
            assert_eq!(bits(own.scaled(share).0), bits(scaled.to_array()));
            let [p, q] = [four(50.0), four(50.0)].map(|[x, y, z, _]| [x, y, z]);
            let lerp = glam::Vec3::from_array(p).lerp(glam::Vec3::from_array(q), share);
            assert_eq!(
                Vec3(p).lerp(Vec3(q), share).0.map(f32::to_bits),
                lerp.to_array().map(f32::to_bits)
            );
            let distance = glam::Vec3::from_array(p).distance(glam::Vec3::from_array(q));
            assert_eq!(Vec3(p).distance(Vec3(q)).to_bits(), distance.to_bits());
        }
    }
}
