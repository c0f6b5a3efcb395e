//! The two ends of a stream of snapshots.

use std::collections::VecDeque;

use crate::buffers::{replace, room};
use crate::cube::{Cube, CubeState};
use crate::declared::Snapshot;
use crate::error::{DecodeError, EncodeError, SnapshotError, never};
use crate::format::Format;
use crate::history::{HeldSnapshot, History, RECEIVED_HISTORY_TICKS, SENT_HISTORY_TICKS};
use crate::ledger::Ledger;
use crate::model::simulated::{DeadReckoning, Foresight, Lookahead};
use crate::sequence::{check_horizon, is_newer, ticks_since};
use crate::snapshot::Header;
use crate::snapshot::{BaselineRef, INITIAL_TICKS, PacketCoder};

/// The sender's end of a stream of snapshots. It encodes against the newest acknowledged snapshot, or the initial one.
///
/// It stores at most [`SENT_HISTORY_TICKS`] snapshots: those from the newest acknowledged one on.
///
/// ```
/// use snapshot_codec::{Cube, Encoder, Format, Kind, Ledger, QuantisationBits, Rung, decode_ack};
///
/// let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 100)?;
/// let mut cubes = vec![Cube { orientation: [3, 256, 256, 256], ..Cube::default() }; 100];
/// let mut encoder = Encoder::new(format, &cubes)?;
/// let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
///
/// cubes[7].position = [300, -20, 102];
/// encoder.encode_ahead(&cubes, 60, &mut packet, Some(&mut ledger))?;
/// assert_eq!((encoder.changed_cubes(), encoder.baseline(61)), (1, None));
/// // The ledger says where the bits went; they add up to the packet.
/// assert_eq!(ledger.total_65536ths() >> 16, 8 * packet.len() as i64);
/// assert_eq!(ledger.get_65536ths(Kind::Position) >> 16, 1 + 18 + 18 + 14);
///
/// // The receiver's acknowledgement arrives: the next packet says what differs from that snapshot.
/// encoder.ack(decode_ack(&[0, 60])?);
/// assert_eq!(encoder.baseline(61), Some(60));
/// encoder.encode(61, &cubes, &mut packet)?;
/// assert_eq!(packet.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder {
    format: Format,
    coder: PacketCoder,
    initial: HeldSnapshot,
    sent: History,
    newest_sent: Option<u16>,
    newest_acked: Option<u16>,
}

impl Encoder {
    /// Makes an encoder. `initial` is a snapshot that both ends know before the first packet, such as the scene's start.
    pub fn new<'a>(
        format: Format,
        initial: impl Into<Snapshot<'a>>,
    ) -> Result<Self, SnapshotError> {
        let initial = HeldSnapshot::new(&format, initial.into())?;
        Ok(Self {
            format,
            initial,
            coder: PacketCoder::new(&format),
            sent: History::new(SENT_HISTORY_TICKS, format.cube_count()),
            newest_sent: None,
            newest_acked: None,
        })
    }

    /// Encodes a snapshot into `packet`. On an error the packet is empty, and the encoder unchanged.
    pub fn encode<'a>(
        &mut self,
        sequence: u16,
        snapshot: impl Into<Snapshot<'a>>,
        packet: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        self.encode_ahead(snapshot, sequence, packet, None)
    }

    /// Encodes a packet as [`Encoder::encode`] does, and adds its bits to the ledger. On rung `simulated` the look-ahead holds
    /// a simulation, and the inputs that led to the snapshot; other rungs need the sequence alone. On an error the ledger stays
    /// as it was.
    pub fn encode_ahead<'a, 'b>(
        &mut self,
        snapshot: impl Into<Snapshot<'a>>,
        ahead: impl Into<Lookahead<'b>>,
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<(), EncodeError> {
        let (snapshot, ahead) = (snapshot.into(), ahead.into());
        packet.clear();
        let sequence = ahead.sequence;
        if let Some(newest) = self
            .newest_sent
            .filter(|&newest| !is_newer(sequence, newest))
        {
            return Err(EncodeError::SequenceNotNewer { sequence, newest });
        }
        let acked = acked(self.newest_acked, &self.sent, sequence);
        let baseline = baseline(&self.sent, &self.initial, sequence, acked)
            .unwrap_or_else(never("only what is held counts as acked"));
        let header = Header {
            sequence,
            baseline: acked.filter(|_| self.format.rung().is_delta()),
        };
        self.coder
            .write(Some(header), baseline, snapshot, ahead, packet, ledger)?;
        let coder = &mut self.coder;
        self.sent.insert(sequence, |held, memory| {
            core::mem::swap(&mut held.cubes, &mut coder.cubes);
            replace(&mut held.rows, snapshot.rows);
            coder.keep(memory);
        });
        self.newest_sent = Some(sequence);
        // An ack that is too old is forgotten, or a wrap later it would name a packet that nobody has acked.
        self.newest_acked = acked;
        Ok(())
    }

    /// Records that the receiver has the snapshot with this sequence. Only the newest acknowledgement counts; one for an
    /// unsent or forgotten snapshot is ignored.
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

    /// Returns the state of every cube in the baseline from which both ends will simulate the packet with this sequence; `None`
    /// if they will not. It is for callers on rung `simulated` that begin to simulate before a packet is due.
    pub fn foreseen_from(&self, sequence: u16) -> Option<Vec<CubeState>> {
        let baseline = self.baseline(sequence)?;
        let held = self.sent.get(baseline)?;
        let ticks = ticks_since(sequence, baseline);
        held.memory.foreseen_from(&self.format, &held.cubes, ticks)
    }

    /// Bytes of allocated memory, without the tables that all encoders of a rung share.
    pub fn held_bytes(&self) -> usize {
        self.sent.held_bytes() + self.coder.held_bytes() + self.initial.held_bytes()
    }

    /// Number of cubes in the last packet's snapshot that differ from the newest acknowledged one, even if the packet sent all
    /// cubes.
    pub fn changed_cubes(&self) -> usize {
        self.coder.changed_cubes()
    }

    /// Returns the sequence of the baseline for a packet with this sequence, on a rung that has baselines; `None` is the
    /// initial snapshot.
    pub fn baseline(&self, sequence: u16) -> Option<u16> {
        acked(self.newest_acked, &self.sent, sequence)
    }

    /// Returns the cubes of the baseline for a packet with this sequence. For the last encoded packet the answer stays the
    /// same until the next acknowledgement.
    pub fn baseline_cubes(&self, sequence: u16) -> &[Cube] {
        let acked = self.baseline(sequence);
        let held = acked.and_then(|acked| self.sent.get(acked));
        &held.unwrap_or(&self.initial).cubes
    }
}

/// The receiver's end of a stream of snapshots. It decodes packets, and stores their snapshots as baselines of later packets.
///
/// It holds the snapshots of the last [`RECEIVED_HISTORY_TICKS`], except those that no packet can refer to any more. A
/// sender's baselines only get newer. So once the newest packet is [`SENT_HISTORY_TICKS`] newer than some packet, snapshots
/// older than that packet's baseline are dropped. Packets may arrive late, twice or never.
///
/// ```
/// use snapshot_codec::{Cube, DecodeError, Decoder, Encoder, Format, QuantisationBits, Rung};
///
/// let format = Format::new(Rung::Arithmetic, QuantisationBits::DEFAULT, 2)?;
/// let initial = [Cube { orientation: [3, 256, 256, 256], ..Cube::default() }; 2];
/// let (mut encoder, mut decoder) = (Encoder::new(format, &initial)?, Decoder::new(format, &initial)?);
/// let (mut packet, mut received) = (Vec::new(), Vec::new());
/// encoder.encode(9, &initial, &mut packet)?;
///
/// // By this receiver's clock no packet can be newer than 8: this one is forged, or the clock is wrong.
/// let refused = decoder.decode(&packet, 8, &mut received);
/// assert_eq!(refused, Err(DecodeError::TooFarAhead { sequence: 9, horizon: 8 }));
/// assert_eq!(decoder.decode(&packet, 10, &mut received)?.sequence, 9);
/// assert_eq!(received, initial);
/// assert_eq!(decoder.baseline(9), Some(&initial[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    format: Format,
    coder: PacketCoder,
    initial: HeldSnapshot,
    received: History,
    /// Sequence and baseline of every packet that was the newest when it arrived, oldest first. The list begins with the newest
    /// such packet that is at least [`SENT_HISTORY_TICKS`] older than the last one.
    references: VecDeque<(u16, Option<u16>)>,
    /// Rows of declared fields in the last decoded packet.
    rows: Vec<u32>,
}

impl Decoder {
    /// Makes a decoder. `initial` must equal the encoder's initial snapshot.
    pub fn new<'a>(
        format: Format,
        initial: impl Into<Snapshot<'a>>,
    ) -> Result<Self, SnapshotError> {
        let initial = HeldSnapshot::new(&format, initial.into())?;
        Ok(Self {
            format,
            initial,
            coder: PacketCoder::new(&format),
            received: History::new(RECEIVED_HISTORY_TICKS, format.cube_count()),
            references: VecDeque::with_capacity(SENT_HISTORY_TICKS + 2),
            rows: Vec::with_capacity(format.row_numbers()),
        })
    }

    /// Decodes a packet into `snapshot`, and stores it as a baseline. On an error neither `snapshot` nor the decoder changes.
    ///
    /// `horizon` is the newest sequence that a packet can have by now, by the receiver's clock. Newer packets are refused:
    /// otherwise one forged packet would make every baseline too old. No baseline that a sender still uses is lost while the
    /// horizon is fewer than [`RECEIVED_HISTORY_TICKS`] - [`SENT_HISTORY_TICKS`] ahead of the newest packet.
    pub fn decode(
        &mut self,
        packet: &[u8],
        horizon: u16,
        snapshot: &mut Vec<Cube>,
    ) -> Result<Header, DecodeError> {
        self.decode_ahead(packet, horizon, &mut DeadReckoning, snapshot)
    }

    /// Decodes a packet of rung `simulated` as [`Decoder::decode`] does, with a simulation that must be the encoder's.
    pub fn decode_ahead(
        &mut self,
        packet: &[u8],
        horizon: u16,
        foresight: &mut dyn Foresight,
        snapshot: &mut Vec<Cube>,
    ) -> Result<Header, DecodeError> {
        let (header, body) = self.coder.open(packet)?;
        check_horizon(header.sequence, horizon)?;
        let baseline = baseline(
            &self.received,
            &self.initial,
            header.sequence,
            header.baseline,
        )?;
        let ahead = Lookahead::without_inputs(header.sequence, foresight);
        self.coder.read(body, baseline, ahead)?;
        let coder = &mut self.coder;
        if self.format.rung().is_delta() {
            self.received.insert(header.sequence, |held, memory| {
                replace(&mut held.cubes, &coder.cubes);
                replace(&mut held.rows, &coder.rows);
                coder.keep(memory);
            });
            self.forget(header);
        }
        core::mem::swap(snapshot, &mut self.coder.cubes);
        core::mem::swap(&mut self.rows, &mut self.coder.rows);
        Ok(header)
    }

    /// Drops snapshots that no packet will use as a baseline any more, now that a packet with this header has arrived.
    fn forget(&mut self, header: Header) {
        let newest = self.references.back();
        if newest.is_some_and(|&(newest, _)| !is_newer(header.sequence, newest)) {
            return;
        }
        self.references
            .push_back((header.sequence, header.baseline));
        let is_old = |reference: &(u16, Option<u16>)| {
            usize::from(ticks_since(header.sequence, reference.0)) >= SENT_HISTORY_TICKS
        };
        while self.references.get(1).is_some_and(is_old) {
            self.references.pop_front();
        }
        let oldest = self.references.front().filter(|oldest| is_old(oldest));
        if let Some(baseline) = oldest.and_then(|&(_, baseline)| baseline) {
            self.received.remove_before(baseline);
        }
    }

    /// Inputs in the last packet, oldest first; empty on rungs that send no inputs.
    pub fn inputs(&self) -> &[u8] {
        self.coder.inputs()
    }

    /// Rows of declared fields in the last accepted packet, slot after slot; empty in a format without fields.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Bytes of allocated memory, without the tables that all decoders of a rung share.
    pub fn held_bytes(&self) -> usize {
        let references = self.references.capacity() * size_of::<(u16, Option<u16>)>();
        let rooms = self.initial.held_bytes() + room(&self.rows) + references;
        self.received.held_bytes() + self.coder.held_bytes() + rooms
    }

    /// Returns the cubes of the stored snapshot with this sequence, a baseline of later packets; `None` if it is not stored.
    pub fn baseline(&self, sequence: u16) -> Option<&[Cube]> {
        self.received.get(sequence).map(|held| &held.cubes[..])
    }
}

/// Returns the sequence of the baseline for the packet `sequence`; `None` if no acknowledged snapshot is recent enough.
fn acked(newest_acked: Option<u16>, sent: &History, sequence: u16) -> Option<u16> {
    let acked = newest_acked
        .filter(|&acked| usize::from(ticks_since(sequence, acked)) <= SENT_HISTORY_TICKS)?;
    sent.get(acked).map(|_| acked)
}

/// Returns the baseline of a packet: a stored snapshot with its coder state, or the initial one without such a state; an
/// error if it is not stored.
fn baseline<'a>(
    history: &'a History,
    initial: &'a HeldSnapshot,
    sequence: u16,
    baseline: Option<u16>,
) -> Result<BaselineRef<'a>, DecodeError> {
    let Some(baseline) = baseline else {
        return Ok(initial.before(INITIAL_TICKS));
    };
    let held = history.get(baseline);
    let held = held.ok_or(DecodeError::BaselineUnknown { baseline })?;
    Ok(held.before(ticks_since(sequence, baseline)))
}
