//! The bits of one cube, on the rungs without an arithmetic coder.

use crate::cube::{Cube, Life};
use crate::error::{DecodeError, Field};
use crate::fields::{Vector, floats, orientation};
use crate::format::Format;
use crate::ledger::Kind;
use crate::rungs::ValueCoding;
use crate::stream::Stream;

/// Codes a slot's life, and all fields of a cube that is alive. Where there is a life before, the same is refused.
pub(crate) fn code_slot<S: Stream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    before: Option<Life>,
    cube: &mut Cube,
) -> Result<(), DecodeError> {
    let (mut code, value) = (u32::from(cube.life.code()), cube.life.code().into());
    stream.code(Kind::Flags, "life", value, &mut code, 2)?;
    cube.life = Life::from_code(code as u8).expect("two bits");
    if before == Some(cube.life) {
        return Err(DecodeError::LifeNotChanged { cube: index });
    }
    if cube.life.is_empty() {
        *cube = Cube::EMPTY;
        return Ok(());
    }
    code_cube(stream, format, index, None, cube)
}

/// Both directions: `cube` is what is written, or the baseline's before and what was read after. Without a base all fields
/// are absolute; with one, a cube that is the same is refused. `index` is for the errors.
pub(crate) fn code_cube<S: Stream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    base: Option<&Cube>,
    cube: &mut Cube,
) -> Result<(), DecodeError> {
    let rung = format.rung();
    let row = rung.row();
    stream.flag(Kind::Interacting, "interacting", &mut cube.interacting)?;
    if row.at_rest_flag {
        stream.flag(Kind::Flags, "at rest", &mut cube.at_rest)?;
    }
    let (mut position_changed, mut orientation_changed) = (true, true);
    if let Some(base) = base.filter(|_| row.changed_flags) {
        position_changed = cube.position != base.position;
        orientation_changed = cube.orientation != base.orientation;
        let kind = Kind::Flags;
        stream.flag(kind, "position changed", &mut position_changed)?;
        stream.flag(kind, "orientation changed", &mut orientation_changed)?;
    }
    if position_changed {
        code_position(stream, format, index, base, &mut cube.position)?;
    }
    if orientation_changed {
        code_orientation(stream, format, index, base, &mut cube.orientation)?;
    }
    if rung.sends_velocity() && !cube.at_rest {
        code_velocity(stream, format, index, &mut cube.linear_velocity)?;
    } else {
        cube.linear_velocity = [0; 3];
    }
    let (Some(base), true) = (base, S::READS) else {
        return Ok(());
    };
    if cube == base {
        return Err(DecodeError::CubeNotChanged { cube: index });
    }
    if row.changed_flags {
        let position_same = position_changed && cube.position == base.position;
        let orientation_same = orientation_changed && cube.orientation == base.orientation;
        for (same, field) in [
            (position_same, Field::Position),
            (orientation_same, Field::Orientation),
        ] {
            if same {
                return Err(DecodeError::FieldNotChanged { cube: index, field });
            }
        }
    }
    Ok(())
}

fn code_position<S: Stream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    base: Option<&Cube>,
    position: &mut [i32; 3],
) -> Result<(), DecodeError> {
    let coding = format.rung().row().position;
    if coding == ValueCoding::Float {
        return floats(stream, index, (Kind::Position, Field::Position), position);
    }
    let base = base.filter(|_| coding == ValueCoding::Relative);
    let expected = base.map(|base| (base.position, format.position_widths()));
    Vector::POSITION.code(stream, index, format.position_axes(), expected, position)
}

fn code_orientation<S: Stream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    base: Option<&Cube>,
    codes: &mut [i32; 4],
) -> Result<(), DecodeError> {
    let coding = format.rung().row().orientation;
    if coding == ValueCoding::Float {
        return floats(
            stream,
            index,
            (Kind::Orientation, Field::Orientation),
            codes,
        );
    }
    let base = base.filter(|_| coding == ValueCoding::Relative);
    let expected = base.map(|base| (base.orientation, format.orientation_widths()));
    orientation(stream, index, format.smallest_three(), expected, codes)
}

fn code_velocity<S: Stream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    velocity: &mut [i32; 3],
) -> Result<(), DecodeError> {
    if format.rung().row().linear_velocity == ValueCoding::Float {
        let named = (Kind::LinearVelocity, Field::LinearVelocity);
        return floats(stream, index, named, velocity);
    }
    let axes = [format.velocity_axis(); 3];
    Vector::LINEAR_VELOCITY.code(stream, index, axes, None, velocity)
}
