//! Coding of one packet: its header, the list of changed cubes, the fields of those cubes.

use crate::cube::Cube;
use crate::declared::Snapshot;
use crate::error::{DecodeError, SnapshotError, never};
use crate::format::Format;
use crate::history::{SENT_HISTORY_TICKS, replace, room};
use crate::ledger::{Kind, Ledger, PacketWriter, Sink};
use crate::model::coder::Coder;
use crate::model::simulated::Lookahead;
use crate::model::symbols::{SymbolDecoder, SymbolEncoder};
use crate::model::{Memory, Model, Transition};
use crate::packed::{CubeList, code_cube, code_slot, read_list, write_list};
use crate::rows::Section;
use crate::rungs::Class;
use crate::sequence::{is_newer, ticks_since};
use crate::slots::{code_lives, read_lives, write_lives};
use crate::stream::{BitReader, PacketStream, Reading, WRITING, Writing};
use alloc::vec::Vec;

/// The writer and reader of a format's packets. Between packets it keeps only allocated memory.
#[derive(Clone, Debug)]
pub(crate) struct PacketCoder {
    format: Format,
    /// The model of an arithmetic rung; its state after the last packet is in `memory`.
    model: Option<Model>,
    memory: Memory,
    snapshot: Vec<Cube>,
    /// Slots of the last packet whose lives differ from the baseline's, and the other changed cubes.
    settled: Vec<usize>,
    changed: Vec<usize>,
    /// Other slots of the last packet whose rows differ from the baseline's, and all its rows.
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

/// Reason why a model cannot fail while encoding.
const CHECKED: &str = "the snapshot has been checked";

/// Assumed ticks from the initial snapshot, whose age nobody knows, to a packet encoded against it.
pub(crate) const INITIAL_TICKS: u16 = 6;

impl PacketCoder {
    pub(crate) fn new(format: &Format) -> Self {
        let cube_count = format.cube_count();
        let model = Model::of(format);
        Self {
            format: *format,
            memory: model.as_ref().map_or(Memory::None, Model::memory),
            model,
            snapshot: Vec::with_capacity(cube_count),
            settled: Vec::with_capacity(if format.has_slots() { cube_count } else { 0 }),
            changed: Vec::with_capacity(cube_count),
            fielded: Vec::with_capacity(format.fields().map_or(0, |_| cube_count)),
            rows: Vec::with_capacity(format.row_numbers()),
        }
    }

    /// Number of cubes of the last packet that differ from its baseline, or would on a rung that has none.
    pub(crate) fn changed_cubes(&self) -> usize {
        self.settled.len() + self.changed.len()
    }

    /// Bytes of allocated memory, without shared tables.
    pub(crate) fn held_bytes(&self) -> usize {
        let model = self.model.as_ref().map_or(0, Model::held_bytes);
        let rooms = room(&self.snapshot) + room(&self.settled) + room(&self.changed);
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

    /// Replaces `kept` by the last written snapshot. If a model rebuilt the snapshot, the two exchange buffers.
    pub(crate) fn keep_written(&mut self, written: &[Cube], kept: &mut Vec<Cube>) {
        if self.model.is_some() {
            debug_assert_eq!(self.snapshot, written);
            core::mem::swap(kept, &mut self.snapshot);
        } else {
            replace(kept, written);
        }
    }

    /// Moves the coder state after the last packet into `kept`, and takes its buffers for the next packet.
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
    /// is left out only if both ends know its content.
    pub(crate) fn write(
        &mut self,
        header: Option<Header>,
        baseline: BaselineRef,
        Snapshot {
            cubes: snapshot,
            rows,
        }: Snapshot,
        ahead: Lookahead,
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<(), SnapshotError> {
        let (format, settled, changed) = (&self.format, &mut self.settled, &mut self.changed);
        find_changed(format, [baseline.cubes, snapshot], settled, changed)?;
        let both = [baseline.rows, rows];
        find_fielded(format, snapshot, both, settled, &mut self.fielded)?;
        if let Some(model) = &mut self.model {
            self.memory.recall(baseline.memory);
            replace(&mut self.snapshot, baseline.cubes);
            let (result, changes) = (&mut self.snapshot, Changes { settled, changed });
            let mut coder = SymbolEncoder::new(packet, ledger);
            let transition = begin(
                &mut coder, format, header, &baseline, snapshot, changes, result,
            );
            model
                .code(&mut coder, transition, ahead, &mut self.memory)
                .unwrap_or_else(never(CHECKED));
            replace(&mut self.rows, baseline.rows);
            if let Some(section) = section(format, snapshot, baseline.cubes, settled) {
                let coded = section.code(&mut coder, rows, &mut self.rows);
                coded.unwrap_or_else(never(CHECKED));
            }
            coder.finish();
            return Ok(());
        }
        let mut writer = PacketWriter::new(packet, ledger);
        if let Some(header) = header {
            write_header(&mut writer, format, header);
        }
        if format.rung().is_delta() {
            if format.has_slots() {
                write_lives(&mut writer, format, settled, [baseline.cubes, snapshot]);
            }
            write_list(&mut writer, format, CubeList::changed(format), changed);
            for &index in changed.iter() {
                writer.about(Some(index));
                let (base, mut cube) = (&baseline.cubes[index], snapshot[index]);
                let mut writing = Writing(&mut writer);
                code_cube(&mut writing, format, index, Some(base), &mut cube)
                    .unwrap_or_else(never(WRITING));
            }
            writer.about(None);
        } else {
            for (index, mut cube) in snapshot.iter().copied().enumerate() {
                writer.about(Some(index));
                code_whole(&mut Writing(&mut writer), format, index, &mut cube)
                    .unwrap_or_else(never(WRITING));
            }
        }
        replace(&mut self.rows, rows);
        if let Some(section) = section(format, snapshot, baseline.cubes, settled) {
            if format.rung().is_delta() {
                section.write(&mut writer, &self.fielded, baseline.rows, &mut self.rows);
            } else {
                let written = section.code_all(&mut Writing(&mut writer), &mut self.rows);
                written.unwrap_or_else(never(WRITING));
            }
        }
        writer.finish();
        Ok(())
    }

    /// Begins a packet: reads its header.
    pub(crate) fn open<'p>(
        &self,
        packet: &'p [u8],
    ) -> Result<(Header, PacketBody<'p>), DecodeError> {
        let mut body = self.open_body(packet);
        let unread = Header {
            sequence: 0,
            baseline: None,
        };
        let header = match &mut body {
            PacketBody::Bits(reader) => read_header(reader, &self.format)?,
            PacketBody::Coded(coder) => code_header(coder, unread),
        };
        check_header(header)?;
        Ok((header, body))
    }

    /// Begins a packet without a header.
    pub(crate) fn open_body<'p>(&self, packet: &'p [u8]) -> PacketBody<'p> {
        match self.model {
            None => PacketBody::Bits(BitReader::new(packet)),
            Some(_) => PacketBody::Coded(SymbolDecoder::new(packet)),
        }
    }

    /// Reads the rest of a packet after its header into `snapshot`. After an error the content of `snapshot` is undefined.
    pub(crate) fn read(
        &mut self,
        body: PacketBody,
        baseline: BaselineRef,
        ahead: Lookahead,
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), DecodeError> {
        let (format, settled, changed) = (&self.format, &mut self.settled, &mut self.changed);
        settled.clear();
        replace(snapshot, baseline.cubes);
        replace(&mut self.rows, baseline.rows);
        let rows = &mut self.rows;
        match (body, &mut self.model) {
            (PacketBody::Coded(mut coder), Some(model)) => {
                self.memory.recall(baseline.memory);
                if format.has_slots() {
                    code_lives(&mut coder, format, settled, baseline.cubes, snapshot)?;
                }
                let transition = Transition {
                    ticks: baseline.ticks,
                    wanted: baseline.cubes,
                    settled,
                    changed: &[],
                    snapshot,
                };
                model.code(&mut coder, transition, ahead, &mut self.memory)?;
                if let Some(section) = section(format, snapshot, baseline.cubes, settled) {
                    section.code(&mut coder, baseline.rows, rows)?;
                }
                coder.finish()
            }
            (PacketBody::Bits(reader), None) if format.rung().is_delta() => {
                let mut reading = Reading(reader);
                if format.has_slots() {
                    read_lives(&mut reading, format, settled, snapshot)?;
                }
                read_list(&mut reading.0, format, CubeList::changed(format), changed)?;
                for &index in changed.iter() {
                    let base = snapshot[index];
                    if base.is_settled(index, settled) {
                        return Err(DecodeError::CubeSettled { cube: index });
                    }
                    code_cube(
                        &mut reading,
                        format,
                        index,
                        Some(&base),
                        &mut snapshot[index],
                    )?;
                }
                if let Some(section) = section(format, snapshot, baseline.cubes, settled) {
                    section.read(&mut reading, &mut self.fielded, rows)?;
                }
                reading.0.finish()
            }
            (PacketBody::Bits(reader), None) => {
                let mut reading = Reading(reader);
                changed.clear();
                changed.extend(0..format.cube_count());
                for (index, cube) in snapshot.iter_mut().enumerate() {
                    code_whole(&mut reading, format, index, cube)?;
                }
                if let Some(section) = section(format, snapshot, baseline.cubes, settled) {
                    section.code_all(&mut reading, rows)?;
                }
                reading.0.finish()
            }
            _ => unreachable!("opened by another format's coder"),
        }
    }
}

/// Returns the coder of rows, in a format that has them.
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

/// A packet of which the header has been read.
#[derive(Debug)]
pub(crate) enum PacketBody<'p> {
    Bits(BitReader<'p>),
    Coded(SymbolDecoder<'p>),
}

/// Indices of slots whose lives differ from the baseline's, and of the other cubes that differ.
struct Changes<'a> {
    settled: &'a mut Vec<usize>,
    changed: &'a [usize],
}

/// Writes a packet's header and lives by an arithmetic coder; returns the transition for the model.
fn begin<'a>(
    coder: &mut impl Coder,
    format: &Format,
    header: Option<Header>,
    baseline: &BaselineRef,
    snapshot: &'a [Cube],
    Changes { settled, changed }: Changes<'a>,
    result: &'a mut [Cube],
) -> Transition<'a> {
    if let Some(header) = header {
        code_header(coder, header);
    }
    if format.has_slots() {
        code_lives(coder, format, settled, snapshot, result).unwrap_or_else(never(CHECKED));
    }
    Transition {
        ticks: baseline.ticks,
        wanted: snapshot,
        settled,
        changed,
        snapshot: result,
    }
}

/// Codes a cube of a packet that has no baseline.
fn code_whole<S: PacketStream>(
    stream: &mut S,
    format: &Format,
    index: usize,
    cube: &mut Cube,
) -> Result<(), DecodeError> {
    if format.has_slots() {
        code_slot(stream, format, index, None, cube)
    } else {
        code_cube(stream, format, index, None, cube)
    }
}

/// Replaces `settled` by the slots whose lives differ from the baseline's, and `changed` by the other changed cubes. Only
/// changed values are checked: the baseline's were checked before.
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

/// Writes a header by plain bits.
pub(crate) fn write_header(sink: &mut impl Sink, format: &Format, header: Header) {
    let kind = Kind::Header;
    sink.put(
        kind,
        "sequence",
        i64::from(header.sequence),
        u32::from(header.sequence),
        16,
    );
    if format.rung().is_delta() {
        sink.put_flag(kind, "initial", header.baseline.is_none());
        if let Some(baseline) = header.baseline {
            sink.put(
                kind,
                "baseline",
                i64::from(baseline),
                u32::from(baseline),
                16,
            );
        }
    }
}

/// Reads a header that was written by plain bits.
pub(crate) fn read_header(reader: &mut BitReader, format: &Format) -> Result<Header, DecodeError> {
    let sequence = reader.read(16)? as u16;
    let initial = !format.rung().is_delta() || reader.read_flag()?;
    let baseline = if initial {
        None
    } else {
        Some(reader.read(16)? as u16)
    };
    Ok(Header { sequence, baseline })
}

/// Codes a header by an arithmetic coder, all values equally likely, in both directions.
pub(crate) fn code_header(coder: &mut impl Coder, header: Header) -> Header {
    let sequence = coder.code_uniform(u32::from(header.sequence), 16) as u16;
    coder.said("sequence", sequence.into());
    let initial = coder.code_uniform(u32::from(header.baseline.is_none()), 1) == 1;
    coder.said("initial", initial.into());
    let baseline = (!initial).then(|| {
        let baseline = coder.code_uniform(header.baseline.map_or(0, u32::from), 16) as u16;
        coder.said("baseline", baseline.into());
        baseline
    });
    Header { sequence, baseline }
}

/// Refuses a header whose baseline is not older than the packet, or older than any sender's history.
pub(crate) fn check_header(Header { sequence, baseline }: Header) -> Result<(), DecodeError> {
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
