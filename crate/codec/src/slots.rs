//! Slots whose life has changed: a packet sends them whole, before its other cubes.
//!
//! The rest of the packet is coded against a baseline in which these slots are already updated. So encodings and models need
//! not know of cubes that appear, disappear or jump: they skip these slots, and empty ones.

use alloc::vec::Vec;

use crate::cube::Cube;
use crate::error::{DecodeError, never};
use crate::format::Format;
use crate::ledger::{Kind, PacketWriter, Sink};
use crate::model::coder::Coder;
use crate::packed::code_slot;
use crate::packed::{CubeList, read_list, write_list};
use crate::ranges::{Rules, Widths};
use crate::stream::{PacketStream, Reading, WRITING, Writing};

/// Probability that a packet has changed lives, out of 65,536: a packet without any spends 0.02 bits on it.
const LIVES_CHANGE: u32 = 65_536 / 64;
/// Probability that a slot's life has changed, out of 65,536, in a packet with changed lives.
const LIFE_CHANGED: u32 = 65_536 / 256;

/// Writes the slots whose lives differ from the baseline's, given by rising index.
pub(crate) fn write_lives(
    writer: &mut PacketWriter,
    format: &Format,
    settled: &[usize],
    [baseline, snapshot]: [&[Cube]; 2],
) {
    writer.put_flag(Kind::Index, "lives change", !settled.is_empty());
    if settled.is_empty() {
        return;
    }
    write_list(writer, format, CubeList::lives(format), settled);
    for &index in settled {
        writer.about(Some(index));
        let (before, mut cube) = (baseline[index].life, snapshot[index]);
        code_slot(
            &mut Writing(&mut *writer),
            format,
            index,
            Some(before),
            &mut cube,
        )
        .unwrap_or_else(never(WRITING));
    }
    writer.about(None);
}

/// Reads the slots whose lives differ into the snapshot, and their indices into `settled`.
pub(crate) fn read_lives(
    reading: &mut Reading,
    format: &Format,
    settled: &mut Vec<usize>,
    snapshot: &mut [Cube],
) -> Result<(), DecodeError> {
    settled.clear();
    if !reading.0.read_flag()? {
        return Ok(());
    }
    read_list(&mut reading.0, format, CubeList::lives(format), settled)?;
    if settled.is_empty() {
        return Err(DecodeError::NoLifeChanged);
    }
    for &index in settled.iter() {
        let before = core::mem::take(&mut snapshot[index]).life;
        code_slot(reading, format, index, Some(before), &mut snapshot[index])?;
    }
    Ok(())
}

/// Codes the slots whose lives differ by an arithmetic coder, in both directions. An encoder passes `settled`; a decoder fills
/// it.
pub(crate) fn code_lives(
    coder: &mut impl Coder,
    format: &Format,
    settled: &mut Vec<usize>,
    wanted: &[Cube],
    snapshot: &mut [Cube],
) -> Result<(), DecodeError> {
    coder.about_packet(Kind::Index);
    let change = coder.code(LIVES_CHANGE, !settled.is_empty());
    coder.said("lives change", change.into());
    settled.clear();
    if !change {
        return Ok(());
    }
    for (index, cube) in snapshot.iter_mut().enumerate() {
        let before = cube.life;
        coder.about(Kind::Index, index);
        let changed = coder.code(LIFE_CHANGED, wanted[index].life != before);
        coder.said("life changed", changed.into());
        if changed {
            settled.push(index);
            *cube = wanted[index];
            let mut uniform = Uniform {
                coder: &mut *coder,
                cube: index,
            };
            code_slot(&mut uniform, format, index, Some(before), cube)?;
        }
    }
    if settled.is_empty() {
        return Err(DecodeError::NoLifeChanged);
    }
    Ok(())
}

/// A stream through an arithmetic coder with all values equally likely. Written values are checked again as read ones are,
/// because both directions share the code.
pub(crate) struct Uniform<'a, C> {
    pub(crate) coder: &'a mut C,
    pub(crate) cube: usize,
}

impl<C: Coder> PacketStream for Uniform<'_, C> {
    const READS: bool = true;

    fn code(
        &mut self,
        kind: Kind,
        rule: &'static str,
        value: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError> {
        self.coder.about(kind, self.cube);
        *code = self.coder.code_uniform(*code, bits);
        self.coder.said(rule, value);
        Ok(())
    }

    fn differences(
        &mut self,
        _: Kind,
        _: &Rules,
        _: Widths,
        _: &mut [i32; 3],
    ) -> Result<(), DecodeError> {
        unreachable!("a slot's fields are absolute")
    }

    fn about(&mut self, _: usize) {}
}
