//! The fields of a cube, each described once: for snapshots and state synchronisation, for writing and reading.

use crate::error::{DecodeError, Field};
use crate::ledger::Kind;
use crate::quantise::{FixedPoint, SmallestThree, float_from_bits};
use crate::ranges::{Rules, Widths};
use crate::stream::Stream;

/// A field of three numbers in fixed point.
pub struct Vector {
    kind: Kind,
    field: Field,
    relative: &'static str,
}

impl Vector {
    /// The field of a cube.
    pub const POSITION: Self = Self {
        kind: Kind::Position,
        field: Field::Position,
        relative: "relative position",
    };
    /// The field of a cube.
    pub const LINEAR_VELOCITY: Self = Self {
        kind: Kind::LinearVelocity,
        field: Field::LinearVelocity,
        relative: "relative linear velocity",
    };
    /// The field of a cube.
    pub const ANGULAR_VELOCITY: Self = Self {
        kind: Kind::AngularVelocity,
        field: Field::AngularVelocity,
        relative: "relative angular velocity",
    };

    /// Codes three numbers: relative to the expected ones if these are within reach, else absolute. `cube` is for the
    /// errors.
    pub fn code<S: Stream>(
        &self,
        stream: &mut S,
        cube: usize,
        axes: [FixedPoint; 3],
        expected: Option<([i32; 3], Widths)>,
        steps: &mut [i32; 3],
    ) -> Result<(), DecodeError> {
        let field = self.field;
        let within = |steps: [i32; 3]| {
            expected.is_some_and(|(expected, ranges)| ranges.contain(subtract(steps, expected)))
        };
        let mut relative = within(*steps);
        if expected.is_some() {
            stream.flag(self.kind, self.relative, &mut relative)?;
        }
        if let Some((expected, ranges)) = expected.filter(|_| relative) {
            let mut differences = subtract(*steps, expected);
            stream.differences(self.kind, &AXES, ranges, &mut differences)?;
            *steps = add(expected, differences);
        } else {
            for ((axis, step), rule) in axes.into_iter().zip(&mut *steps).zip(AXES.absolute) {
                let (mut code, value) = (axis.code(*step), i64::from(*step));
                stream.code(self.kind, rule, value, &mut code, axis.code_bits())?;
                *step = axis.step(code);
            }
        }
        if S::READS {
            let mut parts = axes.into_iter().zip(*steps);
            if !parts.all(|(axis, step)| axis.contains(step)) {
                return Err(DecodeError::OutOfRange { cube, field });
            }
            if !relative && within(*steps) {
                return Err(DecodeError::NeedlessAbsolute { cube, field });
            }
        }
        Ok(())
    }
}

/// An orientation: relative to what is expected where the same component is the largest and the others are within reach,
/// else absolute.
pub fn orientation<S: Stream>(
    stream: &mut S,
    cube: usize,
    smallest_three: SmallestThree,
    expected: Option<([i32; 4], Widths)>,
    orientation: &mut [i32; 4],
) -> Result<(), DecodeError> {
    let (kind, field) = (Kind::Orientation, Field::Orientation);
    let within = |[largest, codes @ ..]: [i32; 4]| {
        expected.is_some_and(|([expected, base @ ..], ranges)| {
            largest == expected && ranges.contain(subtract(codes, base))
        })
    };
    let mut relative = within(*orientation);
    if expected.is_some() {
        stream.flag(kind, "relative orientation", &mut relative)?;
    }
    let [largest, codes @ ..] = *orientation;
    if let Some(([expected, base @ ..], ranges)) = expected.filter(|_| relative) {
        let mut differences = subtract(codes, base);
        stream.differences(kind, &COMPONENTS, ranges, &mut differences)?;
        let [a, b, c] = add(base, differences);
        *orientation = [expected, a, b, c];
    } else {
        let mut code = largest as u32;
        stream.code(kind, "largest", i64::from(code), &mut code, 2)?;
        orientation[0] = code as i32;
        let bits = smallest_three.component_bits();
        for (component, rule) in orientation[1..].iter_mut().zip(COMPONENTS.absolute) {
            let mut code = *component as u32;
            stream.code(kind, rule, i64::from(code), &mut code, bits)?;
            *component = code as i32;
        }
    }
    if S::READS {
        if !smallest_three.contains(*orientation) {
            return Err(DecodeError::OutOfRange { cube, field });
        }
        if !relative && within(*orientation) {
            return Err(DecodeError::NeedlessAbsolute { cube, field });
        }
    }
    Ok(())
}

/// Numbers that are sent as they are, by their bit patterns.
pub(crate) fn floats<S: Stream>(
    stream: &mut S,
    cube: usize,
    (kind, field): (Kind, Field),
    floats: &mut [i32],
) -> Result<(), DecodeError> {
    for (bits, rule) in floats.iter_mut().zip(FLOATS) {
        let mut code = *bits as u32;
        stream.code(kind, rule, i64::from(code), &mut code, 32)?;
        *bits = code as i32;
    }
    let finite = |&bits: &i32| float_from_bits(bits).is_finite();
    if S::READS && !floats.iter().all(finite) {
        return Err(DecodeError::NotFinite { cube, field });
    }
    Ok(())
}

const AXES: Rules = Rules {
    absolute: ["x absolute", "y absolute", "z absolute"],
    small: ["x small", "y small", "z small"],
    large: ["x large", "y large", "z large"],
};
const COMPONENTS: Rules = Rules {
    absolute: ["a absolute", "b absolute", "c absolute"],
    small: ["a small", "b small", "c small"],
    large: ["a large", "b large", "c large"],
};
/// Names of the axes under an arithmetic coder, which has no ranges.
pub(crate) const CODED_AXES: [&str; 3] = ["x", "y", "z"];
pub(crate) const CODED_COMPONENTS: [&str; 3] = ["a", "b", "c"];
const FLOATS: [&str; 4] = ["x float", "y float", "z float", "w float"];

fn add(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    core::array::from_fn(|i| a[i] + b[i])
}

fn subtract(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    core::array::from_fn(|i| a[i] - b[i])
}
