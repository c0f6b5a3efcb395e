//! Coding of rows, the last section of a packet, after the cubes. A row has the id, the kind and the declared fields of a slot.
//!
//! A slot with a new life sends its row whole. For other slots the section lists the changed rows, their changed fields and the
//! new values. A row with another id is sent whole, too: after three changes a slot's life is that of the baseline again.

use crate::cube::Cube;
use crate::declared::{FIELDS_MAX, FIRST_FIELD, Fields, ID, KIND};
use crate::error::{CubeField, DecodeError};
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::symbols::{Distributions, SymbolCoder};
use crate::packed::{CubeList, code_list};
use crate::slots::Uniform;
use crate::stream::PacketStream;

/// The section of a packet that has its rows, with the inputs of its coding.
pub(crate) struct Section<'a> {
    pub(crate) format: &'a Format,
    pub(crate) fields: Fields,
    /// Cubes of the packet, and cubes of its baseline.
    pub(crate) cubes: &'a [Cube],
    pub(crate) base: &'a [Cube],
    /// Slots whose lives have changed since the baseline.
    pub(crate) settled: &'a [usize],
}

/// Codes the whole row of an occupied slot.
fn code_row<S: PacketStream>(
    stream: &mut S,
    fields: &Fields,
    row: &mut [u32],
) -> Result<(), DecodeError> {
    let kind = Kind::Flags;
    stream.code(kind, "id", row[ID].into(), &mut row[ID], 32)?;
    if fields.kind_bits() > 0 {
        let bits = fields.kind_bits();
        stream.code(kind, "kind", row[KIND].into(), &mut row[KIND], bits)?;
    }
    for (field, value) in row[FIRST_FIELD..].iter_mut().enumerate() {
        stream.code(kind, "field", (*value).into(), value, fields.bits(field))?;
    }
    Ok(())
}

impl Section<'_> {
    fn row<'r>(&self, rows: &'r mut [u32], index: usize) -> &'r mut [u32] {
        let length = self.fields.row_len();
        &mut rows[index * length..(index + 1) * length]
    }

    fn code_rows<S: PacketStream>(
        &self,
        stream: &mut S,
        slots: impl Iterator<Item = usize>,
        rows: &mut [u32],
    ) -> Result<(), DecodeError> {
        for index in slots {
            let row = self.row(rows, index);
            if self.cubes[index].life.is_empty() {
                row.fill(0);
            } else {
                stream.about(Some(index));
                code_row(stream, &self.fields, row)?;
            }
        }
        Ok(())
    }

    /// Codes the section by plain bits. A writer passes the wanted `rows`; a reader passes the baseline's rows, which become
    /// the packet's. `changed` lists the slots with an unchanged life whose rows differ from the baseline's; a reader fills it.
    pub(crate) fn code_packed<S: PacketStream>(
        &self,
        stream: &mut S,
        changed: &mut Vec<usize>,
        base: &[u32],
        rows: &mut [u32],
    ) -> Result<(), DecodeError> {
        if !self.format.rung().is_delta() {
            return self.code_rows(stream, 0..self.cubes.len(), rows);
        }
        self.code_rows(stream, self.settled.iter().copied(), rows)?;
        stream.about(None);
        let mut change = !changed.is_empty();
        stream.flag(Kind::Index, "fields change", &mut change)?;
        if !change {
            return Ok(());
        }
        code_list(stream, self.format, CubeList::rows(self.format), changed)?;
        if changed.is_empty() {
            return Err(DecodeError::NoFieldsChanged);
        }
        let length = self.fields.row_len();
        for &index in changed.iter() {
            if self.cubes[index].is_settled(index, self.settled) {
                return Err(DecodeError::CubeSettled { cube: index });
            }
            stream.about(Some(index));
            let base = &base[index * length..][..length];
            code_changes(stream, &self.fields, index, base, self.row(rows, index))?;
        }
        stream.about(None);
        Ok(())
    }

    /// Codes the section by an arithmetic coder, in both directions. `rows` has the baseline's rows before the call, the
    /// packet's rows after it; a decoder's `wanted` is ignored.
    pub(crate) fn code(
        &self,
        coder: &mut impl SymbolCoder,
        wanted: &[u32],
        rows: &mut [u32],
    ) -> Result<(), DecodeError> {
        let (fields, length) = (&self.fields, self.fields.row_len());
        for &index in self.settled {
            let row = self.row(rows, index);
            row.copy_from_slice(&wanted[index * length..][..length]);
        }
        let (settled, about) = (self.settled.iter().copied(), None);
        let uniform = &mut Uniform { coder, about };
        self.code_rows(uniform, settled, rows)?;
        coder.about_packet(Kind::Index);
        let change = coder.code(FIELDS_CHANGE, wanted != &rows[..]);
        coder.said("fields change", change.into());
        if !change {
            return Ok(());
        }
        let mut contexts = Contexts::new();
        let mut recent = false;
        let mut any = false;
        for (index, row) in rows.chunks_exact_mut(length).enumerate() {
            let (cube, base) = (&self.cubes[index], &self.base[index]);
            if cube.is_settled(index, self.settled) {
                continue;
            }
            let wanted = &wanted[index * length..][..length];
            let moved = cube.position != base.position || cube.orientation != base.orientation;
            coder.about(Kind::Index, index);
            let chance = &mut contexts.changed[usize::from(moved) * 2 + usize::from(recent)];
            recent = chance.code(coder, wanted != &row[..]);
            coder.said("fields changed", recent.into());
            if recent {
                contexts.code_row(coder, fields, index, wanted, row)?;
                any = true;
            }
        }
        if any {
            Ok(())
        } else {
            Err(DecodeError::NoFieldsChanged)
        }
    }
}

/// Codes which fields of a row changed, and their new values.
fn code_changes<S: PacketStream>(
    stream: &mut S,
    fields: &Fields,
    cube: usize,
    base: &[u32],
    row: &mut [u32],
) -> Result<(), DecodeError> {
    let mut is_anew = row[..FIRST_FIELD] != base[..FIRST_FIELD];
    stream.flag(Kind::Flags, "anew", &mut is_anew)?;
    if is_anew {
        code_row(stream, fields, row)?;
        return check_anew(cube, base, row);
    }
    let count = fields.count();
    let (base, row) = (&base[FIRST_FIELD..], &mut row[FIRST_FIELD..]);
    let mut mask = u32::from(count > 0);
    if count > 1 {
        let differs = (0..count).map(|i| u32::from(row[i] != base[i]));
        mask = differs.fold(0, |mask, differs| mask << 1 | differs);
        let bits = count as u32;
        stream.code(Kind::Flags, "fields", mask.into(), &mut mask, bits)?;
    }
    if mask == 0 {
        return Err(DecodeError::CubeNotChanged { cube });
    }
    for field in (0..count).filter(|field| mask >> (count - 1 - field) & 1 == 1) {
        code_value(stream, fields, cube, field, base[field], &mut row[field])?;
    }
    Ok(())
}

/// Codes the new value of a changed field.
fn code_value<S: PacketStream>(
    stream: &mut S,
    fields: &Fields,
    cube: usize,
    field: usize,
    base: u32,
    value: &mut u32,
) -> Result<(), DecodeError> {
    let (kind, bits) = (Kind::Flags, fields.bits(field));
    if bits == 1 {
        *value = 1 - base;
        return Ok(());
    }
    let difference = fields.difference(field, base, *value);
    let mut by_difference = None;
    if let Some(small) = fields.small_bits(field) {
        let mut is_small = is_within(difference, small);
        stream.flag(kind, "small difference", &mut is_small)?;
        by_difference = Some(small).filter(|_| is_small);
    }
    if let Some(small) = by_difference {
        let unused = 32 - small;
        let mut code = difference.cast_unsigned() << unused >> unused;
        stream.code(kind, "difference", difference.into(), &mut code, small)?;
        let difference = (code << unused).cast_signed() >> unused;
        *value = fields.moved(field, base, difference);
    } else {
        stream.code(kind, "field", (*value).into(), value, bits)?;
    }
    check_value(cube, field, base, *value)?;
    let difference = fields.difference(field, base, *value);
    let is_small = |small| is_within(difference, small);
    if by_difference.is_none() && fields.small_bits(field).is_some_and(is_small) {
        let field = CubeField::Own(field);
        return Err(DecodeError::NeedlessAbsolute { cube, field });
    }
    Ok(())
}

/// Returns true if a signed difference fits into `bits` bits.
fn is_within(difference: i32, bits: u32) -> bool {
    (-(1 << (bits - 1))..1 << (bits - 1)).contains(&difference)
}

/// Returns an error if a row was sent whole, as of a new object, but its id and kind equal the baseline's.
fn check_anew(cube: usize, base: &[u32], row: &[u32]) -> Result<(), DecodeError> {
    if row[..FIRST_FIELD] == base[..FIRST_FIELD] {
        return Err(DecodeError::IdNotChanged { cube });
    }
    Ok(())
}

/// Returns an error if a field was sent as changed, but its value equals the baseline's.
fn check_value(cube: usize, field: usize, base: u32, value: u32) -> Result<(), DecodeError> {
    if value == base {
        let field = CubeField::Own(field);
        return Err(DecodeError::FieldNotChanged { cube, field });
    }
    Ok(())
}

/// Probability that a packet has changed fields, out of 65,536.
const FIELDS_CHANGE: u32 = 65_536 / 4;
/// Probability that a changed row has another id or kind.
const ANEW: u32 = 65_536 / 256;
/// Largest counter difference, up or down, that has a separate class; one class stands for all larger differences.
const NEAR: i32 = 7;
const FAR_CLASS: usize = 2 * NEAR as usize;

/// An adaptive probability of a decision, out of 65,536.
#[derive(Clone, Copy)]
struct Chance(u16);

impl Chance {
    fn code(&mut self, coder: &mut impl SymbolCoder, bit: bool) -> bool {
        let bit = coder.code(self.0.into(), bit);
        self.0 = if bit {
            self.0 + ((u16::MAX - self.0) >> 4)
        } else {
            self.0 - (self.0 >> 4)
        };
        bit
    }
}

/// Adaptive probabilities for coding a packet's rows, reset for each packet.
struct Contexts {
    /// Probability that a row changed: by whether its cube moved, and whether the row coded before it changed.
    changed: [Chance; 4],
    /// Probability that a field changed: by field, and by whether an earlier field of the row changed.
    masks: [[Chance; 2]; FIELDS_MAX],
    differences: Distributions<FIELDS_MAX>,
}

impl Contexts {
    fn new() -> Self {
        Self {
            changed: [Chance(1 << 12); 4],
            masks: [[Chance(1 << 14); 2]; FIELDS_MAX],
            differences: Distributions::OPEN,
        }
    }

    /// Codes the changed fields of a row.
    fn code_row(
        &mut self,
        coder: &mut impl SymbolCoder,
        fields: &Fields,
        cube: usize,
        wanted: &[u32],
        row: &mut [u32],
    ) -> Result<(), DecodeError> {
        coder.about(Kind::Flags, cube);
        let is_anew = coder.code(ANEW, wanted[..FIRST_FIELD] != row[..FIRST_FIELD]);
        coder.said("anew", is_anew.into());
        if is_anew {
            let base = [row[ID], row[KIND]];
            row.copy_from_slice(wanted);
            let about = Some(cube);
            code_row(&mut Uniform { coder, about }, fields, row)?;
            return check_anew(cube, &base, row);
        }
        if fields.count() == 0 {
            return Err(DecodeError::CubeNotChanged { cube });
        }
        let (wanted, row) = (&wanted[FIRST_FIELD..], &mut row[FIRST_FIELD..]);
        let mut any = false;
        for field in 0..fields.count() {
            let (base, wanted) = (row[field], wanted[field]);
            coder.about(Kind::Flags, cube);
            let implied = !any && field + 1 == fields.count();
            let changed = implied || {
                let chance = &mut self.masks[field][usize::from(any)];
                let changed = chance.code(coder, wanted != base);
                coder.said("field changed", changed.into());
                changed
            };
            if changed {
                any = true;
                row[field] = self.code_value(coder, fields, cube, field, [base, wanted])?;
            }
        }
        Ok(())
    }

    fn code_value(
        &mut self,
        coder: &mut impl SymbolCoder,
        fields: &Fields,
        cube: usize,
        field: usize,
        [base, wanted]: [u32; 2],
    ) -> Result<u32, DecodeError> {
        let bits = fields.bits(field);
        if bits == 1 {
            return Ok(1 - base);
        }
        let is_counter = fields.small_bits(field).is_some();
        if is_counter {
            let difference = fields.difference(field, base, wanted);
            let class = class_of(difference);
            let class = coder.adaptive_one(&mut self.differences, field, class);
            coder.said("difference", difference.into());
            if class < FAR_CLASS {
                let size = class as i32 / 2 + 1;
                let difference = if class % 2 == 0 { size } else { -size };
                return Ok(fields.moved(field, base, difference));
            }
            if class > FAR_CLASS {
                return Err(DecodeError::SymbolWithoutMeaning { cube });
            }
        }
        let value = coder.code_uniform(wanted, bits);
        coder.said("field", value.into());
        check_value(cube, field, base, value)?;
        if is_counter && class_of(fields.difference(field, base, value)) < FAR_CLASS {
            let field = CubeField::Own(field);
            return Err(DecodeError::NeedlessAbsolute { cube, field });
        }
        Ok(value)
    }
}

/// Returns the class of a difference other than 0.
fn class_of(difference: i32) -> usize {
    if difference == 0 || difference.abs() > NEAR {
        return FAR_CLASS;
    }
    2 * (difference.unsigned_abs() as usize - 1) + usize::from(difference < 0)
}
