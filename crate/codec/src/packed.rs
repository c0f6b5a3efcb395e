//! Packets of the rungs without an arithmetic coder: the list of changed cubes, and the bits of each cube.

use crate::cube::{Cube, Life};
use crate::error::{CubeField, DecodeError};
use crate::format::{Format, check_flags};
use crate::ledger::{BitCounter, Kind};
use crate::rungs::{CubesCoding, ValueCoding};
use crate::stream::{PacketStream, Vector, Writing, floats, orientation};

/// Codes a slot's life, and all fields of a cube that is alive. `before` is the baseline's life, if the packet has a baseline;
/// a read life that equals it is refused.
pub(crate) fn code_slot<S: PacketStream>(
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

/// Codes one cube, in both directions. A writer sends `cube`; a reader overwrites the baseline's values in it by those that it
/// reads. Without a base all fields are absolute; with a base, an unchanged cube is refused. `index` is used in errors.
pub(crate) fn code_cube<S: PacketStream>(
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
    let Some(base) = base.filter(|_| S::READS) else {
        return Ok(());
    };
    let changed = [position_changed, orientation_changed];
    check_flags(index, base, cube, changed.map(|it| it && row.changed_flags))
}

fn code_position<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    base: Option<&Cube>,
    position: &mut [i32; 3],
) -> Result<(), DecodeError> {
    let coding = format.rung().row().position;
    if coding == ValueCoding::Float {
        let named = (Kind::Position, CubeField::Position);
        return floats(stream, index, named, position);
    }
    let base = base.filter(|_| coding == ValueCoding::Relative);
    let expected = base.map(|base| (base.position, format.position_widths()));
    Vector::POSITION.code(stream, index, format.position_axes(), expected, position)
}

fn code_orientation<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    base: Option<&Cube>,
    codes: &mut [i32; 4],
) -> Result<(), DecodeError> {
    let coding = format.rung().row().orientation;
    if coding == ValueCoding::Float {
        let named = (Kind::Orientation, CubeField::Orientation);
        return floats(stream, index, named, codes);
    }
    let base = base.filter(|_| coding == ValueCoding::Relative);
    let expected = base.map(|base| (base.orientation, format.orientation_widths()));
    orientation(stream, index, format.smallest_three(), expected, codes)
}

fn code_velocity<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    velocity: &mut [i32; 3],
) -> Result<(), DecodeError> {
    if format.rung().row().linear_velocity == ValueCoding::Float {
        let named = (Kind::LinearVelocity, CubeField::LinearVelocity);
        return floats(stream, index, named, velocity);
    }
    let axes = [format.velocity_axis(); 3];
    Vector::LINEAR_VELOCITY.code(stream, index, axes, None, velocity)
}

/// Order of the exponential-Golomb code of a count of cubes: 0 to 15 take 5 bits, which makes an idle packet 5 bytes.
const COUNT_ORDER: u32 = 4;
/// Largest gap between two listed indices that counts as near: an index 1 to 8 after the one before takes 1 + 3 bits.
pub const NEAR_GAPS: usize = 8;
/// Number of gaps between listed indices that count as middle: an index 9 to 40 after the one before takes 2 + 5 bits. All
/// other indices take 2 bits and a whole index.
pub const MIDDLE_GAPS: usize = 32;

/// Options of a list of cubes in a packet: its encoding, and the rules of FORMAT.md that it names in the ledger.
#[derive(Clone, Copy)]
pub(crate) struct CubeList {
    coding: CubesCoding,
    flag: &'static str,
    count: &'static str,
}

impl CubeList {
    /// The list of cubes that differ from the baseline.
    pub(crate) fn changed(format: &Format) -> Self {
        Self {
            coding: format.rung().row().cubes,
            flag: "changed",
            count: "count",
        }
    }

    /// The list of slots whose life differs from the baseline's. They are few, so even rung `not-changed` lists them by index.
    pub(crate) fn lives(format: &Format) -> Self {
        Self::few(format, "life changed", "lives")
    }

    /// The list of slots with an unchanged life, but changed declared fields.
    pub(crate) fn rows(format: &Format) -> Self {
        Self::few(format, "fields changed", "rows")
    }

    fn few(format: &Format, flag: &'static str, count: &'static str) -> Self {
        let coding = match format.rung().row().cubes {
            CubesCoding::Flags => CubesCoding::Indices,
            coding => coding,
        };
        Self {
            coding,
            flag,
            count,
        }
    }
}

/// Codes a list of cubes, in both directions. A reader fills `changed` with indices that rise and are below the number of
/// cubes.
pub(crate) fn code_list<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    list: CubeList,
    changed: &mut Vec<usize>,
) -> Result<(), DecodeError> {
    let chooses = list.coding != CubesCoding::Flags;
    let changed_bits = format.cube_count() as u64;
    let mut by_index = false;
    if chooses {
        by_index = !S::READS && indices_bits(format, list, changed)? < changed_bits;
        stream.flag(Kind::Index, "by index", &mut by_index)?;
    }
    if by_index {
        code_indices(stream, format, list, changed)?;
    } else {
        let mut at = 0;
        for cube in 0..format.cube_count() {
            stream.about(Some(cube));
            let mut is_changed = changed.get(at) == Some(&cube);
            stream.flag(Kind::Index, list.flag, &mut is_changed)?;
            if is_changed && S::READS {
                changed.push(cube);
            }
            at += usize::from(is_changed);
        }
    }
    if chooses && S::READS {
        let indices_bits = indices_bits(format, list, changed)?;
        if by_index != (indices_bits < changed_bits) {
            return Err(DecodeError::ChangedModeNotCheapest {
                indices_bits,
                changed_bits,
            });
        }
    }
    Ok(())
}

fn indices_bits(
    format: &Format,
    list: CubeList,
    changed: &mut Vec<usize>,
) -> Result<u64, DecodeError> {
    let mut counter = BitCounter::default();
    code_indices(&mut Writing(&mut counter), format, list, changed)?;
    Ok(counter.bits)
}

fn code_indices<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    list: CubeList,
    changed: &mut Vec<usize>,
) -> Result<(), DecodeError> {
    let cube_count = format.cube_count();
    let mut previous = None;
    for at in 0..code_count(stream, list, changed.len(), cube_count)? {
        let index = changed.get(at).copied().unwrap_or_default();
        stream.about(Some(index));
        let index = code_index(stream, format, list, previous, index)?;
        if S::READS {
            if index >= cube_count {
                return Err(DecodeError::IndexOutOfRange { index, cube_count });
            }
            if let Some(previous) = previous.filter(|&previous| previous >= index) {
                return Err(DecodeError::IndexNotRising { index, previous });
            }
            changed.push(index);
        }
        previous = Some(index);
    }
    Ok(())
}

/// Codes a count by an exponential-Golomb code: count + 2^order in binary, after one zero for each bit beyond order + 1.
fn code_count<S: PacketStream>(
    stream: &mut S,
    list: CubeList,
    count: usize,
    cube_count: usize,
) -> Result<usize, DecodeError> {
    let shifted = |count: usize| count as u32 + (1 << COUNT_ORDER);
    let too_many = DecodeError::ChangedCount { cube_count };
    let mut code = shifted(count);
    let mut bits = 2 * code.ilog2() - COUNT_ORDER + 1;
    if S::READS {
        let bits_max = shifted(cube_count).ilog2();
        bits = COUNT_ORDER;
        let mut is_one = false;
        while !is_one {
            if bits > bits_max {
                return Err(too_many);
            }
            stream.flag(Kind::Index, list.count, &mut is_one)?;
            bits += u32::from(!is_one);
        }
    }
    stream.code(Kind::Index, list.count, count as i64, &mut code, bits)?;
    if !S::READS {
        return Ok(count);
    }
    let count = ((1 << bits) + code - (1 << COUNT_ORDER)) as usize;
    (count <= cube_count).then_some(count).ok_or(too_many)
}

fn code_index<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    list: CubeList,
    previous: Option<usize>,
    index: usize,
) -> Result<usize, DecodeError> {
    let (kind, value) = (Kind::Index, index as i64);
    let (Some(previous), true) = (previous, list.coding == CubesCoding::RelativeIndices) else {
        let mut code = index as u32;
        stream.code(
            kind,
            "absolute index",
            value,
            &mut code,
            format.index_bits(),
        )?;
        return Ok(code as usize);
    };
    let (mut is_near, mut is_middle) = (false, false);
    let gap = index.wrapping_sub(previous + 1);
    if S::READS {
        stream.flag(kind, "near index", &mut is_near)?;
        if !is_near {
            stream.flag(kind, "middle index", &mut is_middle)?;
        }
    } else {
        is_near = gap < NEAR_GAPS;
        is_middle = gap < NEAR_GAPS + MIDDLE_GAPS;
    }
    let (rule, prefix, prefix_bits, first, bits) = match (is_near, is_middle) {
        (true, _) => ("near index", 1, 1, 0, NEAR_GAPS.ilog2()),
        (_, true) => ("middle index", 1, 2, NEAR_GAPS, MIDDLE_GAPS.ilog2()),
        _ => (
            "far index",
            0,
            2,
            NEAR_GAPS + MIDDLE_GAPS,
            format.index_bits(),
        ),
    };
    if S::READS {
        let mut code = 0;
        stream.code(kind, rule, value, &mut code, bits)?;
        return Ok(previous + 1 + first + code as usize);
    }
    let mut code = prefix << bits | (gap - first) as u32;
    stream.code(kind, rule, value, &mut code, prefix_bits + bits)?;
    Ok(index)
}
