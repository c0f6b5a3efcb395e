//! One packet: header, which cubes have changed, the fields of those cubes.

use alloc::vec::Vec;

use crate::bits::BitReader;
use crate::changed::{read_changed, write_changed};
use crate::cube::Cube;
use crate::endpoint::SENT_HISTORY_TICKS;
use crate::error::{DecodeError, SnapshotError};
use crate::fields::{read_cube, write_cube};
use crate::format::Format;
use crate::ledger::{Kind, Ledger, PacketWriter, Sink};
use crate::sequence::{is_newer, ticks_since};

/// What a packet says before its cubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The snapshot's tick, modulo 65,536.
    pub sequence: u16,
    /// What it was encoded against; `None` is the initial snapshot, and always on rungs that are not delta.
    pub baseline: Option<u16>,
}

/// Appends a whole packet to `packet` and to `ledger`, or refuses a snapshot that is not of the format. `changed`
/// becomes the cubes that differ from the baseline.
pub(crate) fn write_packet(
    format: &Format,
    header: Header,
    baseline: &[Cube],
    snapshot: &[Cube],
    changed: &mut Vec<usize>,
    packet: &mut Vec<u8>,
    ledger: &mut Ledger,
) -> Result<(), SnapshotError> {
    find_changed(format, baseline, snapshot, changed)?;
    packet.reserve(format.packet_bytes_max());
    let mut writer = PacketWriter::new(packet, ledger);
    write_header(&mut writer, format, header);
    let write = |writer: &mut PacketWriter, index: usize| {
        writer.about(Some(index));
        write_cube(writer, format, &baseline[index], &snapshot[index]);
    };
    if format.rung().is_delta() {
        write_changed(&mut writer, format, changed);
        changed.iter().for_each(|&index| write(&mut writer, index));
    } else {
        (0..snapshot.len()).for_each(|index| write(&mut writer, index));
    }
    writer.finish();
    Ok(())
}

/// Reads what comes after the header, to the packet's end. `snapshot` holds the baseline before and the packet's
/// snapshot after; `changed` is scratch.
pub(crate) fn read_body(
    mut reader: BitReader,
    format: &Format,
    snapshot: &mut [Cube],
    changed: &mut Vec<usize>,
) -> Result<(), DecodeError> {
    if format.rung().is_delta() {
        read_changed(&mut reader, format, changed)?;
    } else {
        changed.clear();
        changed.extend(0..format.cube_count());
    }
    for &index in changed.iter() {
        snapshot[index] = read_cube(&mut reader, format, &snapshot[index], index)?;
    }
    reader.finish()
}

fn write_header(sink: &mut impl Sink, format: &Format, header: Header) {
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

pub(crate) fn read_header(reader: &mut BitReader, format: &Format) -> Result<Header, DecodeError> {
    let sequence = reader.read(16)? as u16;
    if !format.rung().is_delta() || reader.read_flag()? {
        return Ok(Header {
            sequence,
            baseline: None,
        });
    }
    let baseline = reader.read(16)? as u16;
    if !is_newer(sequence, baseline) {
        return Err(DecodeError::BaselineNotOlder { sequence, baseline });
    }
    if usize::from(ticks_since(sequence, baseline)) > SENT_HISTORY_TICKS {
        return Err(DecodeError::BaselineTooOld { sequence, baseline });
    }
    Ok(Header {
        sequence,
        baseline: Some(baseline),
    })
}

/// Replaces `changed` by the cubes that a packet has to send: those that differ from the baseline, on rungs that are not
/// delta all. What is as in the baseline was checked when the baseline was.
fn find_changed(
    format: &Format,
    baseline: &[Cube],
    snapshot: &[Cube],
    changed: &mut Vec<usize>,
) -> Result<(), SnapshotError> {
    format.check_count(snapshot)?;
    changed.clear();
    for (index, (cube, base)) in snapshot.iter().zip(baseline).enumerate() {
        if cube != base {
            format.check_cube(index, cube)?;
            changed.push(index);
        }
    }
    Ok(())
}
