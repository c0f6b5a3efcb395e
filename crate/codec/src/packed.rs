//! The rungs without an arithmetic coder: which cubes have changed, and the bits of one cube.

use crate::cube::{Cube, Life};
use crate::error::{CubeField, DecodeError};
use crate::format::Format;
use crate::ledger::{BitCounter, Kind, Sink};
use crate::rungs::{CubesCoding, ValueCoding};
use crate::stream::{BitReader, PacketStream, Reading, Vector, Writing, floats, orientation};
use alloc::vec::Vec;

/// Codes a slot's life, and all fields of a cube that is alive. An unchanged life is refused, where there was one before.
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

/// Codes one cube, in both directions. `cube` is written, or holds the baseline's values and is overwritten by the read ones.
/// Without a base all fields are absolute; with one, an unchanged cube is refused. `index` is used in errors.
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
            (position_same, CubeField::Position),
            (orientation_same, CubeField::Orientation),
        ] {
            if same {
                return Err(DecodeError::FieldNotChanged { cube: index, field });
            }
        }
    }
    Ok(())
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
        return floats(
            stream,
            index,
            (Kind::Position, CubeField::Position),
            position,
        );
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
        return floats(
            stream,
            index,
            (Kind::Orientation, CubeField::Orientation),
            codes,
        );
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

/// Order of the exponential-Golomb code of the count: 0 to 15 take 5 bits, which makes an idle packet 5 bytes.
const COUNT_ORDER: u32 = 4;
/// Largest gap that counts as near: an index 1 to 8 after the one before takes 1 + 3 bits.
pub const NEAR_GAPS: usize = 8;
/// Number of middle gaps: the next 32 take 2 + 5 bits. All other indices take 2 bits and a whole index.
pub const MIDDLE_GAPS: usize = 32;

/// A list of cubes in a packet: its encoding, and the names of its rules.
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

    /// The list of slots with an unchanged life, but changed fields.
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

/// A stream that codes lists of cubes.
pub(crate) trait ListStream: PacketStream {
    /// Writes a list, or replaces `changed` by the read one: indices that rise and are below the number of cubes.
    fn list(
        &mut self,
        format: &Format,
        list: CubeList,
        changed: &mut Vec<usize>,
    ) -> Result<(), DecodeError>;
}

impl<S: Sink> ListStream for Writing<'_, S> {
    fn list(
        &mut self,
        format: &Format,
        list: CubeList,
        changed: &mut Vec<usize>,
    ) -> Result<(), DecodeError> {
        write_list(self.0, format, list, changed);
        Ok(())
    }
}

impl ListStream for Reading<'_> {
    fn list(
        &mut self,
        format: &Format,
        list: CubeList,
        changed: &mut Vec<usize>,
    ) -> Result<(), DecodeError> {
        read_list(&mut self.0, format, list, changed)
    }
}

fn write_list(sink: &mut impl Sink, format: &Format, list: CubeList, changed: &[usize]) {
    if list.coding != CubesCoding::Flags {
        let by_index = indices_bits(format, list, changed) < changed_bits(format);
        sink.put_flag(Kind::Index, "by index", by_index);
        if by_index {
            return write_indices(sink, format, list, changed);
        }
    }
    let mut rest = changed.iter().peekable();
    for cube in 0..format.cube_count() {
        sink.about(Some(cube));
        sink.put_flag(Kind::Index, list.flag, rest.next_if_eq(&&cube).is_some());
    }
}

fn read_list(
    reader: &mut BitReader,
    format: &Format,
    list: CubeList,
    changed: &mut Vec<usize>,
) -> Result<(), DecodeError> {
    changed.clear();
    let by_index = list.coding != CubesCoding::Flags && reader.read_flag()?;
    if by_index {
        read_indices(reader, format, list, changed)?;
    } else {
        for cube in 0..format.cube_count() {
            if reader.read_flag()? {
                changed.push(cube);
            }
        }
    }
    if list.coding != CubesCoding::Flags {
        let (indices_bits, changed_bits) =
            (indices_bits(format, list, changed), changed_bits(format));
        if by_index != (indices_bits < changed_bits) {
            return Err(DecodeError::ChangedModeNotCheapest {
                indices_bits,
                changed_bits,
            });
        }
    }
    Ok(())
}

fn indices_bits(format: &Format, list: CubeList, changed: &[usize]) -> u64 {
    let mut counter = BitCounter::default();
    write_indices(&mut counter, format, list, changed);
    counter.bits
}

fn changed_bits(format: &Format) -> u64 {
    format.cube_count() as u64
}

fn write_indices(sink: &mut impl Sink, format: &Format, list: CubeList, changed: &[usize]) {
    write_count(sink, list, changed.len());
    let mut previous = None;
    for &index in changed {
        sink.about(Some(index));
        write_index(sink, format, list, previous, index);
        previous = Some(index);
    }
}

fn read_indices(
    reader: &mut BitReader,
    format: &Format,
    list: CubeList,
    changed: &mut Vec<usize>,
) -> Result<(), DecodeError> {
    let count = read_count(reader, format)?;
    for _ in 0..count {
        let previous = changed.last().copied();
        let index = read_index(reader, format, list, previous)?;
        if index >= format.cube_count() {
            return Err(DecodeError::IndexOutOfRange {
                index,
                cube_count: format.cube_count(),
            });
        }
        if let Some(previous) = previous.filter(|&previous| previous >= index) {
            return Err(DecodeError::IndexNotRising { index, previous });
        }
        changed.push(index);
    }
    Ok(())
}

/// Writes a count by an exponential-Golomb code: count + 2^order in binary, after one zero for each bit beyond order + 1.
fn write_count(sink: &mut impl Sink, list: CubeList, count: usize) {
    let shifted = count as u32 + (1 << COUNT_ORDER);
    let zeros = shifted.ilog2() - COUNT_ORDER;
    sink.put(
        Kind::Index,
        list.count,
        count as i64,
        shifted,
        zeros + shifted.ilog2() + 1,
    );
}

fn read_count(reader: &mut BitReader, format: &Format) -> Result<usize, DecodeError> {
    let at_bit = reader.bit_position();
    let too_many = DecodeError::ChangedCount {
        at_bit,
        cube_count: format.cube_count(),
    };
    let zeros_max = (format.cube_count() as u32 + (1 << COUNT_ORDER)).ilog2() - COUNT_ORDER;
    let mut zeros = 0;
    while !reader.read_flag()? {
        zeros += 1;
        if zeros > zeros_max {
            return Err(too_many);
        }
    }
    let below_first_one = reader.read(COUNT_ORDER + zeros)?;
    let count = ((1 << (COUNT_ORDER + zeros)) + below_first_one - (1 << COUNT_ORDER)) as usize;
    if count > format.cube_count() {
        Err(too_many)
    } else {
        Ok(count)
    }
}

fn write_index(
    sink: &mut impl Sink,
    format: &Format,
    list: CubeList,
    previous: Option<usize>,
    index: usize,
) {
    let (Some(previous), true) = (previous, list.coding == CubesCoding::RelativeIndices) else {
        return sink.put(
            Kind::Index,
            "absolute index",
            index as i64,
            index as u32,
            format.index_bits(),
        );
    };
    let gap = index - previous - 1;
    let (rule, prefix, prefix_bits, first, bits) = if gap < NEAR_GAPS {
        ("near index", 0b1, 1, 0, NEAR_GAPS.ilog2())
    } else if gap < NEAR_GAPS + MIDDLE_GAPS {
        ("middle index", 0b01, 2, NEAR_GAPS, MIDDLE_GAPS.ilog2())
    } else {
        (
            "far index",
            0b00,
            2,
            NEAR_GAPS + MIDDLE_GAPS,
            format.index_bits(),
        )
    };
    sink.put(
        Kind::Index,
        rule,
        index as i64,
        prefix << bits | (gap - first) as u32,
        prefix_bits + bits,
    );
}

fn read_index(
    reader: &mut BitReader,
    format: &Format,
    list: CubeList,
    previous: Option<usize>,
) -> Result<usize, DecodeError> {
    let (Some(previous), true) = (previous, list.coding == CubesCoding::RelativeIndices) else {
        return Ok(reader.read(format.index_bits())? as usize);
    };
    let (first, bits) = if reader.read_flag()? {
        (0, NEAR_GAPS.ilog2())
    } else if reader.read_flag()? {
        (NEAR_GAPS, MIDDLE_GAPS.ilog2())
    } else {
        (NEAR_GAPS + MIDDLE_GAPS, format.index_bits())
    };
    Ok(previous + 1 + first + reader.read(bits)? as usize)
}
