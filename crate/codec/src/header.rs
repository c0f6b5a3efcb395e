//! The header of a packet: its sequence, and that of its baseline.

use crate::bits::BitReader;
use crate::error::DecodeError;
use crate::format::Format;
use crate::history::SENT_HISTORY_TICKS;
use crate::ledger::{Kind, Sink};
use crate::model::coder::Coder;
use crate::sequence::{is_newer, ticks_since};

/// The header of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The snapshot's tick, modulo 65,536.
    pub sequence: u16,
    /// The baseline's sequence; `None` is the initial snapshot, and always on rungs that are not delta.
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

/// The same fields through an arithmetic coder, which has nothing to expect of them; both directions.
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

/// Refuses a baseline that is not older, or that no sender remembers.
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
