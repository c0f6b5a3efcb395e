//! Coding of one packet: its header, the slots with a new life, the changed cubes and the rows.

use crate::buffers::{replace, room};
use crate::cube::Cube;
use crate::declared::Snapshot;
use crate::error::{DecodeError, SnapshotError, never};
use crate::format::Format;
use crate::history::SENT_HISTORY_TICKS;
use crate::ledger::{Kind, Ledger, PacketWriter};
use crate::model::coder::Coder;
use crate::model::predicted::CoderObserver;
use crate::model::simulated::Lookahead;
use crate::model::symbols::{SymbolDecoder, SymbolEncoder};
use crate::model::{Memory, Model, Transition};
use crate::packed::{CubeList, code_cube, code_list, code_slot};
use crate::rows::Section;
use crate::rungs::Class;
use crate::sequence::{is_newer, ticks_since};
use crate::slots::{Uniform, code_lives, code_packed_lives};
use crate::stream::{BitReader, PacketStream, Reading, WRITING, Writing};

/// The coder of a format's packets, for both directions. Between packets it keeps only allocated memory.
#[derive(Clone, Debug)]
pub(crate) struct PacketCoder {
    format: Format,
    /// The model of an arithmetic rung, which gives probabilities; its state after the last packet is in `memory`.
    model: Option<Model>,
    memory: Memory,
    /// Cubes of the last packet.
    pub(crate) cubes: Vec<Cube>,
    /// Slots of the last packet whose life differs from the baseline's.
    settled: Vec<usize>,
    changed: Vec<usize>,
    /// Slots of the last packet with an unchanged life and a row that differs from the baseline's.
    fielded: Vec<usize>,
    pub(crate) rows: Vec<u32>,
}

/// A reference to a baseline: its snapshot, and the coder state beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BaselineRef<'a> {
    pub(crate) cubes: &'a [Cube],
    pub(crate) rows: &'a [u32],
    pub(crate) memory: &'a Memory,
    /// Ticks from the baseline to the packet's snapshot.
    pub(crate) ticks: u16,
}

/// Assumed ticks from the initial snapshot, whose age nobody knows, to a packet encoded against it.
pub(crate) const INITIAL_TICKS: u16 = 6;

impl PacketCoder {
    pub(crate) fn new(format: &Format) -> Self {
        let cube_count = format.cube_count();
        let model = Model::for_format(format);
        Self {
            format: *format,
            memory: model.as_ref().map_or(Memory::None, Model::memory),
            model,
            cubes: Vec::with_capacity(cube_count),
            settled: Vec::with_capacity(if format.has_slots() { cube_count } else { 0 }),
            changed: Vec::with_capacity(cube_count),
            fielded: Vec::with_capacity(format.fields().map_or(0, |_| cube_count)),
            rows: Vec::with_capacity(format.row_numbers()),
        }
    }

    /// Number of cubes of the last packet that differ from its baseline. On a rung without baselines, the baseline is the one
    /// that the packet would have.
    pub(crate) fn changed_cubes(&self) -> usize {
        self.settled.len() + self.changed.len()
    }

    pub(crate) fn held_bytes(&self) -> usize {
        let model = self.model.as_ref().map_or(0, Model::held_bytes);
        let rooms = room(&self.cubes) + room(&self.settled) + room(&self.changed);
        let rows = room(&self.fielded) + room(&self.rows);
        model + self.memory.held_bytes() + rooms + rows
    }

    /// The inputs of the last packet, oldest first; empty on rungs that send no inputs.
    pub(crate) fn inputs(&self) -> &[u8] {
        match &self.model {
            #[cfg(feature = "simulated")]
            Some(Model::Simulated(model)) => model.inputs(),
            _ => &[],
        }
    }

    /// Swaps the coder state after the last packet into `kept`, if the format stores one; buffers of `kept` are reused.
    pub(crate) fn keep(&mut self, kept: &mut Memory) {
        // A simulation goes nowhere without velocities: class strict keeps those that two snapshots tell.
        let keeps = self.format.class() == Class::Chained || self.format.rung().needs_simulation();
        if let (Some(model), true) = (&self.model, keeps) {
            if let Memory::None = kept {
                *kept = model.memory();
            }
            core::mem::swap(kept, &mut self.memory);
        }
    }

    /// Appends a whole packet to `packet` and its bits to a ledger, or refuses a snapshot that is not of the format. The header
    /// is left out if both ends know its content.
    pub(crate) fn write(
        &mut self,
        header: Option<Header>,
        baseline: BaselineRef,
        wanted: Snapshot,
        ahead: Lookahead,
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<(), SnapshotError> {
        let (format, settled) = (self.format, &mut self.settled);
        let cubes = [baseline.cubes, wanted.cubes];
        find_changed(&format, cubes, settled, &mut self.changed)?;
        let rows = [baseline.rows, wanted.rows];
        find_fielded(&format, wanted.cubes, rows, settled, &mut self.fielded)?;
        if self.model.is_some() {
            let mut coder = SymbolEncoder::new(packet, ledger);
            self.begin(baseline.cubes, baseline.rows);
            header
                .map_or(Ok(()), |mut it| it.code(&mut uniform(&mut coder), &format))
                .and_then(|()| self.code_modelled(&mut coder, baseline, wanted, ahead))
                .unwrap_or_else(never(WRITING));
            coder.finish();
        } else {
            let mut writer = PacketWriter::new(packet, ledger);
            self.begin(wanted.cubes, wanted.rows);
            let writing = &mut Writing(&mut writer);
            header
                .map_or(Ok(()), |mut it| it.code(writing, &format))
                .and_then(|()| self.code_packed(writing, baseline))
                .unwrap_or_else(never(WRITING));
            writer.finish();
        }
        Ok(())
    }

    /// Begins a packet: reads its header.
    pub(crate) fn open<'p>(
        &self,
        packet: &'p [u8],
    ) -> Result<(Header, PacketBody<'p>), DecodeError> {
        let mut body = self.open_body(packet);
        let mut header = Header {
            sequence: 0,
            baseline: None,
        };
        match &mut body {
            PacketBody::Bits(reading) => header.code(reading, &self.format)?,
            PacketBody::Coded(coder) => header.code(&mut uniform(coder), &self.format)?,
        }
        header.check()?;
        Ok((header, body))
    }

    /// Begins a packet without a header.
    pub(crate) fn open_body<'p>(&self, packet: &'p [u8]) -> PacketBody<'p> {
        match self.model {
            None => PacketBody::Bits(Reading(BitReader::new(packet))),
            Some(_) => PacketBody::Coded(SymbolDecoder::new(packet)),
        }
    }

    /// Reads the rest of a packet after its header: cubes and rows. After an error these are undefined.
    pub(crate) fn read(
        &mut self,
        body: PacketBody,
        baseline: BaselineRef,
        ahead: Lookahead,
    ) -> Result<(), DecodeError> {
        let (cubes, rows) = (baseline.cubes, baseline.rows);
        self.settled.clear();
        self.changed.clear();
        self.fielded.clear();
        self.begin(cubes, rows);
        match body {
            PacketBody::Coded(mut coder) => {
                self.code_modelled(&mut coder, baseline, Snapshot { cubes, rows }, ahead)?;
                coder.finish()
            }
            PacketBody::Bits(mut reading) => {
                self.code_packed(&mut reading, baseline)?;
                reading.0.finish()
            }
        }
    }

    fn begin(&mut self, cubes: &[Cube], rows: &[u32]) {
        replace(&mut self.cubes, cubes);
        replace(&mut self.rows, rows);
    }

    /// Codes cubes and rows by the rung's model, in both directions. `self.cubes` and `self.rows` hold the baseline's values
    /// before, the packet's values after. A decoder passes any `wanted`.
    fn code_modelled(
        &mut self,
        coder: &mut impl CoderObserver,
        baseline: BaselineRef,
        wanted: Snapshot,
        ahead: Lookahead,
    ) -> Result<(), DecodeError> {
        let (format, settled, cubes) = (&self.format, &mut self.settled, &mut self.cubes);
        self.memory.recall(baseline.memory);
        if format.has_slots() {
            code_lives(coder, format, settled, wanted.cubes, cubes)?;
        }
        let transition = Transition {
            ticks: baseline.ticks,
            wanted: wanted.cubes,
            settled,
            changed: &self.changed,
            snapshot: cubes,
        };
        if let Some(model) = &mut self.model {
            model.code(coder, transition, ahead, &mut self.memory)?;
        }
        match section(format, cubes, baseline.cubes, settled) {
            Some(section) => section.code(coder, wanted.rows, &mut self.rows),
            None => Ok(()),
        }
    }

    /// Codes cubes and rows by plain bits, in both directions. In a writer `self.cubes` and `self.rows` hold the wanted values.
    /// In a reader they hold the baseline's values before, the packet's values after.
    fn code_packed<S: PacketStream>(
        &mut self,
        stream: &mut S,
        baseline: BaselineRef,
    ) -> Result<(), DecodeError> {
        let (format, settled, cubes) = (&self.format, &mut self.settled, &mut self.cubes);
        if format.rung().is_delta() {
            if format.has_slots() {
                code_packed_lives(stream, format, settled, baseline.cubes, cubes)?;
            }
            code_list(stream, format, CubeList::changed(format), &mut self.changed)?;
            for &index in &self.changed {
                let (base, cube) = (&baseline.cubes[index], &mut cubes[index]);
                if cube.is_settled(index, settled) {
                    return Err(DecodeError::CubeSettled { cube: index });
                }
                stream.about(Some(index));
                code_cube(stream, format, index, Some(base), cube)?;
            }
            stream.about(None);
        } else {
            for (index, cube) in cubes.iter_mut().enumerate() {
                stream.about(Some(index));
                if format.has_slots() {
                    code_slot(stream, format, index, None, cube)?;
                } else {
                    code_cube(stream, format, index, None, cube)?;
                }
            }
        }
        let (fielded, rows) = (&mut self.fielded, &mut self.rows);
        match section(format, cubes, baseline.cubes, settled) {
            Some(section) => section.code_packed(stream, fielded, baseline.rows, rows),
            None => Ok(()),
        }
    }
}

/// Makes a stream of plain values through an arithmetic coder, for fields that describe no cube.
fn uniform<C: Coder>(coder: &mut C) -> Uniform<'_, C> {
    Uniform { coder, about: None }
}

/// Returns the section of rows that ends a packet; `None` if the format declares no fields.
fn section<'a>(
    format: &'a Format,
    cubes: &'a [Cube],
    base: &'a [Cube],
    settled: &'a [usize],
) -> Option<Section<'a>> {
    let fields = format.fields()?;
    Some(Section {
        format,
        fields,
        cubes,
        base,
        settled,
    })
}

/// Replaces `fielded` by the slots whose rows differ from the baseline's, except those in `settled`.
fn find_fielded(
    format: &Format,
    cubes: &[Cube],
    [base, rows]: [&[u32]; 2],
    settled: &[usize],
    fielded: &mut Vec<usize>,
) -> Result<(), SnapshotError> {
    format.check_row_count(Snapshot { cubes, rows })?;
    fielded.clear();
    let Some(fields) = format.fields() else {
        return Ok(());
    };
    let length = fields.row_len();
    let pairs = rows.chunks_exact(length).zip(base.chunks_exact(length));
    for (index, (row, base)) in pairs.enumerate() {
        let is_settled = settled.binary_search(&index).is_ok();
        if row != base || is_settled {
            format.check_row(index, cubes[index].life, row)?;
        }
        if row != base && !is_settled && format.rung().is_delta() {
            fielded.push(index);
        }
    }
    Ok(())
}

/// A packet whose header has been read.
#[derive(Debug)]
pub(crate) enum PacketBody<'p> {
    Bits(Reading<'p>),
    Coded(SymbolDecoder<'p>),
}

/// Replaces `settled` by the slots whose lives differ from the baseline's, and `changed` by the other changed cubes. Only
/// changed values are checked: the baseline's values were checked before.
fn find_changed(
    format: &Format,
    [baseline, snapshot]: [&[Cube]; 2],
    settled: &mut Vec<usize>,
    changed: &mut Vec<usize>,
) -> Result<(), SnapshotError> {
    format.check_count(snapshot)?;
    settled.clear();
    changed.clear();
    for (index, (cube, base)) in snapshot.iter().zip(baseline).enumerate() {
        if cube != base {
            format.check_cube(index, cube)?;
            if cube.life == base.life {
                changed.push(index);
            } else {
                settled.push(index);
            }
        }
    }
    Ok(())
}

/// The header of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The snapshot's sequence: its tick modulo 65,536.
    pub sequence: u16,
    /// The baseline's sequence; `None` for the initial snapshot, and on rungs without a baseline.
    pub baseline: Option<u16>,
}

impl Header {
    /// Codes the header, in both directions.
    fn code<S: PacketStream>(
        &mut self,
        stream: &mut S,
        format: &Format,
    ) -> Result<(), DecodeError> {
        let kind = Kind::Header;
        let mut sequence = u32::from(self.sequence);
        stream.code(kind, "sequence", sequence.into(), &mut sequence, 16)?;
        self.sequence = sequence as u16;
        let mut initial = self.baseline.is_none();
        if format.rung().is_delta() {
            stream.flag(kind, "initial", &mut initial)?;
        }
        let mut baseline = self.baseline.map_or(0, u32::from);
        if !initial {
            stream.code(kind, "baseline", baseline.into(), &mut baseline, 16)?;
        }
        self.baseline = (!initial).then_some(baseline as u16);
        Ok(())
    }

    /// Returns an error if the header's baseline is not older than the packet, or older than any sender's history.
    fn check(&self) -> Result<(), DecodeError> {
        let Self { sequence, baseline } = *self;
        match baseline {
            Some(baseline) if !is_newer(sequence, baseline) => {
                Err(DecodeError::BaselineNotOlder { sequence, baseline })
            }
            Some(baseline) if usize::from(ticks_since(sequence, baseline)) > SENT_HISTORY_TICKS => {
                Err(DecodeError::BaselineTooOld { sequence, baseline })
            }
            _ => Ok(()),
        }
    }
}
