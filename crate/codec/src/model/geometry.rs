//! Conversions of quantised cubes to the units of the model, whatever the format's bits: lengths in 1/512 m, unit quaternions.

use core::f32::consts::FRAC_1_SQRT_2;

use crate::cube::Cube;
use crate::format::Format;
use crate::model::logarithms::log2;
use crate::model::rotation::{Quaternion, Vector3};
use crate::quantise::with_largest;

/// Half the side of the player's cube, 1/512 m.
const PLAYER_HALF: f32 = 384.0;
const CUBE_HALF: f32 = 102.4;
/// Factor from 2^(mean log2 of errors) to the scale of a logistic distribution of these errors.
const SCALE_OF_ERROR: f32 = 0.8;
/// Number of code steps in 1.0 of an orientation component at 9 bits. One step at 9 bits is the unit of orientation errors.
pub(crate) const CODES_AT_9_BITS: f32 = 511.0 * FRAC_1_SQRT_2;

/// Conversions between a format's quantisation steps and the model's units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    /// Length of a position step in units of 1/512 m.
    pub(crate) position_step: f32,
    /// Position steps per 1/512 m, the inverse of `position_step`.
    pub(crate) position_steps: f32,
    /// Number added to the log2 of an expected position error to get the log2 of the scale of its distribution.
    pub(crate) position_scale: f32,
    pub(crate) code_scale: f32,
    /// Code steps at 9 bits for each code step of the format; `codes_of_9_bits` is the inverse.
    pub(crate) codes_at_9_bits: f32,
    pub(crate) codes_of_9_bits: f32,
    /// Rotation by one code step, approximately, as the length of a rotation vector; `turn_steps` is the inverse.
    pub(crate) turn_step: f32,
    pub(crate) turn_steps: f32,
    /// Number of codes for each 1.0 of an orientation component.
    pub(crate) codes: f32,
    /// Code of the component value 0.
    pub(crate) zero_code: f32,
    code_max: f32,
}

impl Geometry {
    pub(crate) fn new(format: &Format) -> Self {
        let code_max = format.smallest_three().code_max() as f32;
        let codes = code_max * FRAC_1_SQRT_2;
        let steps = (1_u32 << format.bits().position()) as f32 / 512.0;
        Self {
            position_step: 1.0 / steps,
            position_steps: steps,
            position_scale: log2(SCALE_OF_ERROR * steps),
            code_scale: log2(SCALE_OF_ERROR * (codes / CODES_AT_9_BITS)),
            codes_at_9_bits: CODES_AT_9_BITS / codes,
            codes_of_9_bits: codes / CODES_AT_9_BITS,
            turn_step: 2.0 / codes,
            turn_steps: codes / 2.0,
            codes,
            zero_code: code_max * 0.5,
            code_max,
        }
    }

    pub(crate) fn place(&self, cube: &Cube) -> Vector3 {
        cube.position.map(|step| step as f32 * self.position_step)
    }

    /// Returns the smallest-three codes of a unit quaternion, given which component is the largest.
    pub(crate) fn codes(&self, q: Quaternion, largest: i32) -> [i32; 4] {
        let largest = largest as usize;
        let sign = if q[largest] < 0.0 { -1.0 } else { 1.0 };
        let code = |i: usize| {
            (q[i] * sign * self.codes + self.zero_code + 0.5)
                .max(0.0)
                .min(self.code_max) as i32
        };
        let [a, b, c] = kept(largest).map(code);
        [largest as i32, a, b, c]
    }

    /// Returns [`Geometry::orientation`] within rounding, but faster: the length is 1 without a division wherever the largest
    /// component can be computed.
    pub(crate) fn unit(&self, codes: [i32; 4]) -> Quaternion {
        let [largest, a, b, c] = codes;
        let [a, b, c] = [a, b, c].map(|code| (code as f32 - self.zero_code) / self.codes);
        let square = 1.0 - a * a - b * b - c * c;
        if square < 0.0 {
            return self.orientation(codes);
        }
        with_largest(largest, square.sqrt(), [a, b, c])
    }

    pub(crate) fn orientation(&self, [largest, a, b, c]: [i32; 4]) -> Quaternion {
        let [a, b, c] = [a, b, c].map(|code| (code as f32 - self.zero_code) / self.codes);
        let rest = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        let q = with_largest(largest, rest, [a, b, c]);
        // Codes at the ends of their range may stand for a quaternion longer than 1, but never for one without length.
        let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        let by = 1.0 / square.sqrt();
        q.map(|component| component * by)
    }
}

/// Returns half the side of a cube, 1/512 m; the player's cube is larger.
pub(crate) fn half_side(is_player: bool) -> f32 {
    if is_player { PLAYER_HALF } else { CUBE_HALF }
}

/// Returns the indices of the three components of a quaternion other than the largest.
pub(crate) fn kept(largest: usize) -> [usize; 3] {
    core::array::from_fn(|slot| if slot < largest { slot } else { slot + 1 })
}
