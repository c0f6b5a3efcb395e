//! Quantisers: they convert floats to the integers that are sent, and back. Any float gives an integer in range; what is not a
//! number becomes zero. Any integer gives a finite float.
//!
//! Rounding, and the choice among equal components of an orientation, are those of Fiedler's original simulation.

/// Half the side of the world, m: x and y are within [-256, 256).
pub const WORLD_HALF_SIDE_M: i32 = 256;
/// Height of the world, m: z is within [0, 32).
pub const WORLD_HEIGHT_M: i32 = 32;
/// Linear velocities are within [-32, 32) m/s: the simulation clamps speeds to 32 m/s.
pub const LINEAR_SPEED_MAX: i32 = 32;

/// Angular velocities are within [-16, 16) rad/s, as the simulation clamps them.
pub const ANGULAR_SPEED_MAX: i32 = 16;

/// Bound of the three smaller components of a unit quaternion, 1/sqrt 2.
#[expect(
    clippy::approx_constant,
    reason = "the original's figure; a nearer one gives some quaternions other codes"
)]
const COMPONENT_MAX: f32 = 1.0 / 1.414_214;

/// A bounded range of numbers in fixed point. A step is a number in units of 2^-`fractional_bits`, and may be negative. A code is
/// the step's index from the lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    fractional_bits: u32,
    min: i32,
    max: i32,
}

impl FixedPoint {
    /// Makes the range `[lower, upper)` in steps of 2^-`fractional_bits`. The highest step is one below `upper`.
    ///
    /// Steps beyond 2^24 have no exact float, so they do not survive the conversion.
    pub const fn new(lower: i32, upper: i32, fractional_bits: u32) -> Self {
        Self {
            fractional_bits,
            min: lower << fractional_bits,
            max: (upper << fractional_bits) - 1,
        }
    }

    /// Returns the range of one axis of a linear velocity.
    pub(crate) const fn linear_velocity(fractional_bits: u32) -> Self {
        Self::new(-LINEAR_SPEED_MAX, LINEAR_SPEED_MAX, fractional_bits)
    }

    /// Returns the range of one axis of an angular velocity.
    pub(crate) const fn angular_velocity(fractional_bits: u32) -> Self {
        Self::new(-ANGULAR_SPEED_MAX, ANGULAR_SPEED_MAX, fractional_bits)
    }

    /// Rounds to the nearest step, halves upwards, and clamps to the range.
    pub fn quantise(self, value: f32) -> i32 {
        floor(value * (1 << self.fractional_bits) as f32 + 0.5).clamp(self.min, self.max)
    }

    /// Returns the number that a step stands for.
    pub fn dequantise(self, step: i32) -> f32 {
        step as f32 / (1 << self.fractional_bits) as f32
    }

    /// Returns true if a step is within the range.
    pub const fn contains(self, step: i32) -> bool {
        self.min <= step && step <= self.max
    }

    /// Clamps a step to the range.
    pub fn clamp(self, step: i32) -> i32 {
        step.clamp(self.min, self.max)
    }

    /// Number of bits of a code that numbers all steps of the range.
    pub const fn code_bits(self) -> u32 {
        ((self.max - self.min) as u32).ilog2() + 1
    }

    /// Returns the code of a step, counted from 0 at the lower bound.
    pub const fn code(self, step: i32) -> u32 {
        (step - self.min) as u32
    }

    /// Returns the step that a code stands for: the inverse of [`FixedPoint::code`].
    pub const fn step(self, code: u32) -> i32 {
        self.min + code as i32
    }
}

/// The smallest-three quantiser: a unit quaternion as the index of its largest component (2 bits) and codes of the three
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallestThree {
    component_bits: u32,
    code_max: i32,
}

impl SmallestThree {
    /// Makes a quantiser with 2 to 16 bits for each of the three components. With one code fewer, a component of 0 has a code
    /// of its own, and the identity comes back exactly.
    pub const fn new(component_bits: u32, exact_identity: bool) -> Self {
        Self {
            component_bits,
            code_max: (1 << component_bits) - 1 - exact_identity as i32,
        }
    }

    /// Number of bits of one of the three components.
    pub const fn component_bits(self) -> u32 {
        self.component_bits
    }

    /// Highest code of a component.
    pub const fn code_max(self) -> i32 {
        self.code_max
    }

    /// Returns true if all four integers can be sent: an index 0 to 3, and three codes up to the highest code.
    pub fn contains(self, [largest, a, b, c]: [i32; 4]) -> bool {
        (0..4).contains(&largest)
            && [a, b, c]
                .iter()
                .all(|code| (0..=self.code_max()).contains(code))
    }

    /// Quantises quaternion x, y, z, w to the index of its largest component and three codes. On a tie the first is the
    /// largest.
    pub fn quantise(self, quaternion: [f32; 4]) -> [i32; 4] {
        let mut largest = 0;
        for i in 1..4 {
            if quaternion[i].abs() > quaternion[largest].abs() {
                largest = i;
            }
        }
        // q and -q are the same rotation: the one whose largest component is positive, so that its sign need not be sent.
        let sign = if quaternion[largest] < 0.0 { -1.0 } else { 1.0 };
        let mut integers = [largest as i32, 0, 0, 0];
        for (slot, i) in (0..4).filter(|&i| i != largest).enumerate() {
            let normal = (sign * quaternion[i] + COMPONENT_MAX) / (2.0 * COMPONENT_MAX);
            integers[1 + slot] =
                floor(normal * self.code_max() as f32 + 0.5).clamp(0, self.code_max());
        }
        integers
    }

    /// Returns the unit quaternion x, y, z, w that the integers stand for.
    pub fn dequantise(self, [largest, a, b, c]: [i32; 4]) -> [f32; 4] {
        let component = |code: i32| {
            code as f32 / self.code_max() as f32 * (2.0 * COMPONENT_MAX) - COMPONENT_MAX
        };
        let [a, b, c] = [a, b, c].map(component);
        let rest = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        normalise(with_largest(largest, rest, [a, b, c]))
    }
}

/// Returns the quaternion from the index of its largest component, that component, and the three others.
#[inline(always)]
pub(crate) fn with_largest(largest: i32, rest: f32, [a, b, c]: [f32; 3]) -> [f32; 4] {
    match largest {
        0 => [rest, a, b, c],
        1 => [a, rest, b, c],
        2 => [a, b, rest, c],
        _ => [a, b, c, rest],
    }
}

/// Scales a quaternion to length 1; a zero quaternion becomes the identity.
pub fn normalise(quaternion: [f32; 4]) -> [f32; 4] {
    let wide = quaternion.map(f64::from);
    let length = wide.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        wide.map(|c| (c / length) as f32)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// Returns the bit pattern of a float. A float that is not finite counts as zero, because only finite ones are sent.
pub fn float_to_bits(value: f32) -> i32 {
    if value.is_finite() {
        value.to_bits() as i32
    } else {
        0
    }
}

/// Returns the float of a bit pattern.
pub fn float_from_bits(bits: i32) -> f32 {
    f32::from_bits(bits as u32)
}

/// Returns the largest integer not above `value`, saturating; 0 for NaN. (`f32::floor` needs std.)
fn floor(value: f32) -> i32 {
    let truncated = value as i32;
    truncated.saturating_sub(i32::from(truncated as f32 > value))
}
