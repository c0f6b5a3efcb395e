//! Slots whose life has changed: a packet sends them whole, before its other cubes. A slot is a cube's place in all snapshots.
//!
//! The rest of the packet is coded against a baseline in which these slots are already updated. So encodings and models need
//! not know of cubes that appear, disappear or jump: they skip these slots, and empty ones.

use crate::cube::Cube;
use crate::error::DecodeError;
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::coder::Coder;
use crate::packed::{CubeList, code_list, code_slot};
use crate::stream::PacketStream;

/// Probability that a packet has changed lives, out of 65,536. A packet without changed lives spends 0.02 bits on it.
const LIVES_CHANGE: u32 = 65_536 / 64;
/// Probability that a slot's life has changed, out of 65,536, in a packet with changed lives.
const LIFE_CHANGED: u32 = 65_536 / 256;

/// Codes, by plain bits, the slots whose lives differ from the baseline's. A writer passes `settled`; a reader fills it.
pub(crate) fn code_packed_lives<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    settled: &mut Vec<usize>,
    baseline: &[Cube],
    snapshot: &mut [Cube],
) -> Result<(), DecodeError> {
    let mut change = !settled.is_empty();
    stream.flag(Kind::Index, "lives change", &mut change)?;
    if !change {
        return Ok(());
    }
    code_list(stream, format, CubeList::lives(format), settled)?;
    if settled.is_empty() {
        return Err(DecodeError::NoLifeChanged);
    }
    for &index in settled.iter() {
        stream.about(Some(index));
        let before = Some(baseline[index].life);
        code_slot(stream, format, index, before, &mut snapshot[index])?;
    }
    stream.about(None);
    Ok(())
}

/// Codes, by an arithmetic coder, the slots whose lives differ from the baseline's, in both directions. An encoder passes
/// `settled`; a decoder fills it.
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
            let (coder, about) = (&mut *coder, Some(index));
            let mut uniform = Uniform { coder, about };
            code_slot(&mut uniform, format, index, Some(before), cube)?;
        }
    }
    if settled.is_empty() {
        return Err(DecodeError::NoLifeChanged);
    }
    Ok(())
}

/// A stream through an arithmetic coder that takes all values as equally likely. Written values are checked as read ones are,
/// because both directions share the code.
pub(crate) struct Uniform<'a, C> {
    pub(crate) coder: &'a mut C,
    /// The cube that the fields describe.
    pub(crate) about: Option<usize>,
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
        match self.about {
            Some(cube) => self.coder.about(kind, cube),
            None => self.coder.about_packet(kind),
        }
        *code = self.coder.code_uniform(*code, bits);
        self.coder.said(rule, value);
        Ok(())
    }

    fn about(&mut self, cube: Option<usize>) {
        self.about = cube;
    }
}
