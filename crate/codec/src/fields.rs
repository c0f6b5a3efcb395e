//! The fields of one cube. Each `write_` has its `read_` beside it, in the same order and shape.

use crate::bits::BitReader;
use crate::cube::Cube;
use crate::error::{DecodeError, Field};
use crate::format::{Format, Rung};
use crate::ledger::{Kind, Sink};
use crate::quantise::{FixedPoint, float_from_bits};
use crate::ranges::{Ranges, Rules};

/// Everything that the rung sends of a cube. `baseline` is of no account on rungs that are not delta.
pub(crate) fn write_cube(sink: &mut impl Sink, format: &Format, baseline: &Cube, cube: &Cube) {
    let rung = format.rung();
    sink.put_flag(Kind::Interacting, "interacting", cube.interacting);
    if rung == Rung::AtRest {
        sink.put_flag(Kind::Flags, "at rest", cube.at_rest);
    }
    let (mut position_changed, mut orientation_changed) = (true, true);
    if rung >= Rung::ChangedFlags {
        position_changed = cube.position != baseline.position;
        orientation_changed = cube.orientation != baseline.orientation;
        sink.put_flag(Kind::Flags, "position changed", position_changed);
        sink.put_flag(Kind::Flags, "orientation changed", orientation_changed);
    }
    if position_changed {
        write_position(sink, format, baseline.position, cube.position);
    }
    if orientation_changed {
        write_orientation(sink, format, baseline.orientation, cube.orientation);
    }
    if rung.sends_velocity() && !cube.at_rest {
        write_velocity(sink, format, cube.linear_velocity);
    }
}

/// Refuses a cube of a delta rung that is the same as its baseline. `index` is for the errors.
pub(crate) fn read_cube(
    reader: &mut BitReader,
    format: &Format,
    baseline: &Cube,
    index: usize,
) -> Result<Cube, DecodeError> {
    let rung = format.rung();
    let mut cube = Cube {
        interacting: reader.read_flag()?,
        ..*baseline
    };
    if rung == Rung::AtRest {
        cube.at_rest = reader.read_flag()?;
    }
    let (mut position_changed, mut orientation_changed) = (true, true);
    if rung >= Rung::ChangedFlags {
        position_changed = reader.read_flag()?;
        orientation_changed = reader.read_flag()?;
    }
    if position_changed {
        cube.position = read_position(reader, format, baseline.position, index)?;
    }
    if orientation_changed {
        cube.orientation = read_orientation(reader, format, baseline.orientation, index)?;
    }
    cube.linear_velocity = if rung.sends_velocity() && !cube.at_rest {
        read_velocity(reader, format, index)?
    } else {
        [0; 3]
    };

    if rung.is_delta() && cube == *baseline {
        return Err(DecodeError::CubeNotChanged { cube: index });
    }
    if rung >= Rung::ChangedFlags {
        let position_same = position_changed && cube.position == baseline.position;
        let orientation_same = orientation_changed && cube.orientation == baseline.orientation;
        for (same, field) in [
            (position_same, Field::Position),
            (orientation_same, Field::Orientation),
        ] {
            if same {
                return Err(DecodeError::FieldNotChanged { cube: index, field });
            }
        }
    }
    Ok(cube)
}

/// No cube of the format takes more bits.
pub(crate) fn cube_bits_max(format: &Format) -> u32 {
    let rung = format.rung();
    let flags = 1 + u32::from(rung == Rung::AtRest) + 2 * u32::from(rung >= Rung::ChangedFlags);
    let position = if rung < Rung::Position {
        3 * 32
    } else {
        let absolute = format.position_axes().map(FixedPoint::code_bits);
        1 + position_ranges(format)
            .bits_max()
            .max(absolute.iter().sum())
    };
    let orientation = if rung < Rung::SmallestThree {
        4 * 32
    } else {
        let absolute = 2 + 3 * format.smallest_three().component_bits();
        1 + orientation_ranges(format).bits_max().max(absolute)
    };
    let velocity = if !rung.sends_velocity() {
        0
    } else if rung < Rung::Velocity {
        3 * 32
    } else {
        3 * format.velocity_axis().code_bits()
    };
    flags + position + orientation + velocity
}

pub(crate) fn write_position(
    sink: &mut impl Sink,
    format: &Format,
    base: [i32; 3],
    position: [i32; 3],
) {
    let kind = Kind::Position;
    if format.rung() < Rung::Position {
        return write_floats(sink, kind, &position);
    }
    if format.rung() >= Rung::RelativePosition {
        let differences = subtract(position, base);
        let ranges = position_ranges(format);
        let relative = ranges.contain(differences);
        sink.put_flag(kind, "relative position", relative);
        if relative {
            return ranges.write(sink, kind, &AXES, differences);
        }
    }
    for ((axis, step), rule) in format
        .position_axes()
        .into_iter()
        .zip(position)
        .zip(AXES.absolute)
    {
        sink.put(
            kind,
            rule,
            i64::from(step),
            axis.code(step),
            axis.code_bits(),
        );
    }
}

fn read_position(
    reader: &mut BitReader,
    format: &Format,
    base: [i32; 3],
    index: usize,
) -> Result<[i32; 3], DecodeError> {
    let field = Field::Position;
    if format.rung() < Rung::Position {
        return read_floats(reader, index, field);
    }
    let axes = format.position_axes();
    let ranges = position_ranges(format);
    if format.rung() >= Rung::RelativePosition && reader.read_flag()? {
        let position = add(base, ranges.read(reader)?);
        if !axes
            .into_iter()
            .zip(position)
            .all(|(axis, step)| axis.contains(step))
        {
            return Err(DecodeError::OutOfRange { cube: index, field });
        }
        return Ok(position);
    }
    let mut position = [0; 3];
    for (step, axis) in position.iter_mut().zip(axes) {
        *step = axis.step(reader.read(axis.code_bits())?);
    }
    if format.rung() >= Rung::RelativePosition && ranges.contain(subtract(position, base)) {
        return Err(DecodeError::NeedlessAbsolute { cube: index, field });
    }
    Ok(position)
}

pub(crate) fn write_orientation(
    sink: &mut impl Sink,
    format: &Format,
    base: [i32; 4],
    orientation: [i32; 4],
) {
    let kind = Kind::Orientation;
    if format.rung() < Rung::SmallestThree {
        return write_floats(sink, kind, &orientation);
    }
    let [largest, codes @ ..] = orientation;
    if format.rung() >= Rung::RelativeOrientation {
        let [base_largest, base_codes @ ..] = base;
        let differences = subtract(codes, base_codes);
        let ranges = orientation_ranges(format);
        let relative = largest == base_largest && ranges.contain(differences);
        sink.put_flag(kind, "relative orientation", relative);
        if relative {
            return ranges.write(sink, kind, &COMPONENTS, differences);
        }
    }
    sink.put(kind, "largest", i64::from(largest), largest as u32, 2);
    for (code, rule) in codes.into_iter().zip(COMPONENTS.absolute) {
        sink.put(
            kind,
            rule,
            i64::from(code),
            code as u32,
            format.smallest_three().component_bits(),
        );
    }
}

fn read_orientation(
    reader: &mut BitReader,
    format: &Format,
    base: [i32; 4],
    index: usize,
) -> Result<[i32; 4], DecodeError> {
    let field = Field::Orientation;
    if format.rung() < Rung::SmallestThree {
        return read_floats(reader, index, field);
    }
    let smallest_three = format.smallest_three();
    let ranges = orientation_ranges(format);
    let [base_largest, base_codes @ ..] = base;
    if format.rung() >= Rung::RelativeOrientation && reader.read_flag()? {
        let [a, b, c] = add(base_codes, ranges.read(reader)?);
        let orientation = [base_largest, a, b, c];
        if !smallest_three.contains(orientation) {
            return Err(DecodeError::OutOfRange { cube: index, field });
        }
        return Ok(orientation);
    }
    let largest = reader.read(2)? as i32;
    let mut codes = [0; 3];
    for code in &mut codes {
        *code = reader.read(smallest_three.component_bits())? as i32;
    }
    if format.rung() >= Rung::RelativeOrientation
        && largest == base_largest
        && ranges.contain(subtract(codes, base_codes))
    {
        return Err(DecodeError::NeedlessAbsolute { cube: index, field });
    }
    let [a, b, c] = codes;
    Ok([largest, a, b, c])
}

fn write_velocity(sink: &mut impl Sink, format: &Format, velocity: [i32; 3]) {
    let kind = Kind::LinearVelocity;
    if format.rung() < Rung::Velocity {
        return write_floats(sink, kind, &velocity);
    }
    let axis = format.velocity_axis();
    for (step, rule) in velocity.into_iter().zip(AXES.absolute) {
        sink.put(
            kind,
            rule,
            i64::from(step),
            axis.code(step),
            axis.code_bits(),
        );
    }
}

fn read_velocity(
    reader: &mut BitReader,
    format: &Format,
    index: usize,
) -> Result<[i32; 3], DecodeError> {
    if format.rung() < Rung::Velocity {
        return read_floats(reader, index, Field::LinearVelocity);
    }
    let axis = format.velocity_axis();
    let mut velocity = [0; 3];
    for step in &mut velocity {
        *step = axis.step(reader.read(axis.code_bits())?);
    }
    Ok(velocity)
}

fn write_floats(sink: &mut impl Sink, kind: Kind, floats: &[i32]) {
    for (&bits, rule) in floats.iter().zip(FLOATS) {
        sink.put(kind, rule, i64::from(bits as u32), bits as u32, 32);
    }
}

fn read_floats<const N: usize>(
    reader: &mut BitReader,
    index: usize,
    field: Field,
) -> Result<[i32; N], DecodeError> {
    let mut floats = [0; N];
    for bits in &mut floats {
        *bits = reader.read(32)? as i32;
    }
    if floats
        .into_iter()
        .all(|bits| float_from_bits(bits).is_finite())
    {
        Ok(floats)
    } else {
        Err(DecodeError::NotFinite { cube: index, field })
    }
}

pub(crate) const AXES: Rules = Rules {
    absolute: ["x absolute", "y absolute", "z absolute"],
    small: ["x small", "y small", "z small"],
    large: ["x large", "y large", "z large"],
};
pub(crate) const COMPONENTS: Rules = Rules {
    absolute: ["a absolute", "b absolute", "c absolute"],
    small: ["a small", "b small", "c small"],
    large: ["a large", "b large", "c large"],
};
/// Of the same under an arithmetic coder, which has no ranges.
pub(crate) const CODED_AXES: [&str; 3] = ["x", "y", "z"];
pub(crate) const CODED_COMPONENTS: [&str; 3] = ["a", "b", "c"];
const FLOATS: [&str; 4] = ["x float", "y float", "z float", "w float"];

/// At the default 9 fractional bits 5 and 9; they grow and shrink with the bits.
fn position_ranges(format: &Format) -> Ranges {
    Ranges::new(5, 9, format.bits().position())
}

/// At the default 9 bits 5 and 8; they grow and shrink with the bits.
fn orientation_ranges(format: &Format) -> Ranges {
    Ranges::new(5, 8, format.bits().orientation())
}

pub(crate) fn add(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    core::array::from_fn(|i| a[i] + b[i])
}

pub(crate) fn subtract(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    core::array::from_fn(|i| a[i] - b[i])
}
