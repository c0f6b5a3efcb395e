//! The two ends of a stream of snapshots.

use alloc::vec::Vec;

use crate::bits::BitReader;
use crate::cube::Cube;
use crate::error::{DecodeError, EncodeError, SnapshotError};
use crate::format::Format;
use crate::history::History;
use crate::ledger::Ledger;
use crate::sequence::{is_newer, ticks_since};
use crate::snapshot::{Header, read_body, read_header, write_packet};

/// A sender remembers what it sent for so many ticks; an ack older than that counts as none. 4.3 s at 60 a second.
pub const SENT_HISTORY_TICKS: usize = 256;
/// A receiver remembers longer, because a packet may be under way while its sender forgets the baseline.
pub const RECEIVED_HISTORY_TICKS: usize = 512;

/// The sender's end: keeps what it sent, knows the newest ack, falls back to the initial snapshot.
#[derive(Clone, Debug)]
pub struct Encoder {
    format: Format,
    initial: Vec<Cube>,
    sent: History,
    newest_sent: Option<u16>,
    newest_acked: Option<u16>,
    changed: Vec<usize>,
}

impl Encoder {
    /// Both ends know `initial`: the scene's starting grid, quantised.
    pub fn new(format: Format, initial: &[Cube]) -> Result<Self, SnapshotError> {
        format.check(initial)?;
        Ok(Self {
            format,
            initial: initial.to_vec(),
            sent: History::new(SENT_HISTORY_TICKS, format.cube_count()),
            newest_sent: None,
            newest_acked: None,
            changed: Vec::with_capacity(format.cube_count()),
        })
    }

    /// Replaces `packet` by the snapshot's packet and adds what it consists of to `ledger`. On an error the packet is
    /// empty, and encoder and ledger are as before.
    pub fn encode(
        &mut self,
        sequence: u16,
        snapshot: &[Cube],
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Result<(), EncodeError> {
        packet.clear();
        if let Some(newest) = self
            .newest_sent
            .filter(|&newest| !is_newer(sequence, newest))
        {
            return Err(EncodeError::SequenceNotNewer { sequence, newest });
        }
        let acked = acked(self.newest_acked, &self.sent, sequence);
        let baseline = acked.map_or(&self.initial[..], |(_, cubes)| cubes);
        let acked = acked.map(|(acked, _)| acked);
        let header = Header {
            sequence,
            baseline: acked.filter(|_| self.format.rung().is_delta()),
        };
        write_packet(
            &self.format,
            header,
            baseline,
            snapshot,
            &mut self.changed,
            packet,
            ledger,
        )?;
        self.sent.insert(sequence, snapshot);
        self.newest_sent = Some(sequence);
        // An ack that is too old is forgotten, or a wrap later it would name a packet that nobody has acked.
        self.newest_acked = acked;
        Ok(())
    }

    /// The other side has that snapshot. The newest counts; what was not sent, or has been forgotten, is ignored.
    pub fn ack(&mut self, sequence: u16) {
        if self.sent.get(sequence).is_some()
            && self
                .newest_acked
                .is_none_or(|newest| is_newer(sequence, newest))
        {
            self.newest_acked = Some(sequence);
            self.sent.remove_before(sequence);
        }
    }

    /// How many cubes of the last packet differ from its baseline, or would on a rung that has none.
    pub fn changed_cubes(&self) -> usize {
        self.changed.len()
    }

    /// What a packet of that sequence would be encoded against, on a rung that has a baseline; `None` is the initial snapshot.
    pub fn baseline(&self, sequence: u16) -> Option<u16> {
        acked(self.newest_acked, &self.sent, sequence).map(|(acked, _)| acked)
    }
}

/// The receiver's end: keeps what it decoded, as baselines of packets to come.
#[derive(Clone, Debug)]
pub struct Decoder {
    format: Format,
    initial: Vec<Cube>,
    received: History,
    scratch: Vec<Cube>,
    changed: Vec<usize>,
}

impl Decoder {
    /// `initial` is the same as the encoder's.
    pub fn new(format: Format, initial: &[Cube]) -> Result<Self, SnapshotError> {
        format.check(initial)?;
        Ok(Self {
            format,
            initial: initial.to_vec(),
            received: History::new(RECEIVED_HISTORY_TICKS, format.cube_count()),
            scratch: Vec::with_capacity(format.cube_count()),
            changed: Vec::with_capacity(format.cube_count()),
        })
    }

    /// Replaces `snapshot` by the packet's and keeps it as a baseline. On an error neither snapshot nor decoder changes.
    pub fn decode(
        &mut self,
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<Header, DecodeError> {
        let mut reader = BitReader::new(packet);
        let header = read_header(&mut reader, &self.format)?;
        let baseline = match header.baseline {
            None => &self.initial[..],
            Some(baseline) => self
                .received
                .get(baseline)
                .ok_or(DecodeError::BaselineUnknown { baseline })?,
        };
        self.scratch.clear();
        self.scratch.extend_from_slice(baseline);
        read_body(reader, &self.format, &mut self.scratch, &mut self.changed)?;
        if self.format.rung().is_delta() {
            self.received.insert(header.sequence, &self.scratch);
        }
        core::mem::swap(snapshot, &mut self.scratch);
        Ok(header)
    }

    /// The snapshot of that sequence, if it is held as a baseline.
    pub fn baseline(&self, sequence: u16) -> Option<&[Cube]> {
        self.received.get(sequence)
    }
}

/// The baseline of a packet of that sequence, if an ack is there and not too old.
fn acked(newest_acked: Option<u16>, sent: &History, sequence: u16) -> Option<(u16, &[Cube])> {
    let acked = newest_acked
        .filter(|&acked| usize::from(ticks_since(sequence, acked)) <= SENT_HISTORY_TICKS)?;
    Some((acked, sent.get(acked)?))
}
