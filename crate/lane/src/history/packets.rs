//! Packets of a lane's history: their content and fate, and copies of the sender, with which a packet can be encoded again.

mod pending;

use crate::measure::metrics::BitsByKind;
use crate::measure::report::bits_by_kind;
use crate::queue::drop_front;
use crate::strategy::ends::{self, LaneSender};
use crate::wire::{AckReceived, AckRecord, LateOutcome};
use crate::{Direction, Lane, PacketRecord};
use serde::{Serialize, Serializer};
use snapshot_base::time::{TickRate, sequence_of_tick, tick_of_sequence};
use snapshot_codec::{BIT_65536THS, CubeState, Ledger};
use snapshot_netsim::channel::{DelayByCause, LossCause};
use snapshot_record::tape::{FORK_TICKS, Tape};
use snapshot_settings::Transport;
use snapshot_view::SnapshotArrival;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

pub(super) use pending::Pending;

/// Age of a packet, counted from the newest acknowledged one, above which no acknowledgement can name it, ticks.
const ACK_WINDOW_TICKS: u64 = 1024;

/// Memory limit of all copies of the sender, bytes. Fewer copies make it slower to encode a packet again. A minute has 16
/// copies. In class `chained` each takes 0.9 MB with 8 unacknowledged snapshots, 2 MB with 20.
const SENDERS_BYTES_MAX: usize = 16 << 20;

/// The fate of a packet as of some tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PacketFate {
    /// The packet arrived and was used.
    Delivered,
    Lost,
    /// The packet arrived after its display time had passed.
    Late,
    /// The packet arrived after a newer packet; only if packets are shown on arrival.
    Overtaken,
    InFlight,
    /// The packet arrived, but could not be decoded.
    Refused,
    /// The packet arrived, but was not used: in lockstep, earlier inputs are missing, or the buffer is full.
    PassedOver,
}

/// A sent packet, and its fate as of some tick.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Packet {
    /// Number of the packet ([`snapshot_base::time::TickRate::packet_number`]).
    pub number: u64,
    /// The tick in which the packet was sent.
    pub tick: u64,
    /// Sequence number in the packet.
    pub sequence: u16,
    /// Sequence number of the baseline; `None` for the initial snapshot, or for a packet without a baseline.
    pub baseline: Option<u16>,
    pub baseline_tick: Option<u64>,
    pub fate: PacketFate,
    /// Arrival time, ms since the world's start; `None` for a lost packet.
    pub arrival_ms: Option<f64>,
    /// Arrival time of the duplicate, ms since the world's start; `None` without a duplicate.
    pub copy_arrival_ms: Option<f64>,
    /// The tick in which the acknowledgement reached the sender; `None` before that, and without a return path.
    pub acked_tick: Option<u64>,
    /// Size in bytes, without IP and UDP headers.
    pub bytes: u32,
    /// Number of fragments in which the packet was sent.
    pub fragments: u32,
    /// Number of cubes that differ from the baseline, or of updates.
    pub changed_cubes: u32,
    /// Bits of each kind, IP and UDP headers of all fragments included.
    #[serde(serialize_with = "bits_by_kind")]
    #[cfg_attr(feature = "ts", ts(as = "std::collections::BTreeMap<String, f64>"))]
    pub bits_by_kind: BitsByKind,
    /// The causes of the packet's delay, ms: their sum is the time from departure to arrival. `None` if the packet is lost,
    /// and for a stream's segment whose causes are not known yet.
    #[serde(serialize_with = "delay_by_cause")]
    #[cfg_attr(
        feature = "ts",
        ts(as = "Option<std::collections::BTreeMap<String, f64>>")
    )]
    pub delay_by_cause: Option<DelayByCause>,
    /// The cause of the loss: `queue`, `chance`, `override` or `cut`. `None` if the packet is not lost, and if a cut caught
    /// it on its way.
    pub lost_by: Option<&'static str>,
}

fn delay_by_cause<S: Serializer>(
    delay: &Option<DelayByCause>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match delay {
        None => serializer.serialize_none(),
        Some(delay) => serializer.collect_map(delay.named()),
    }
}

/// An acknowledgement that the receiver sent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ack {
    /// The tick in which the acknowledgement was sent.
    pub tick: u64,
    /// Arrival time at the sender, ms since the world's start, unless a cut stops the acknowledgement; `None` for a lost one.
    pub arrival_ms: Option<f64>,
    /// Size in bytes, without IP and UDP headers.
    pub bytes: u32,
}

impl From<&AckRecord> for Ack {
    fn from(ack: &AckRecord) -> Ack {
        Ack {
            tick: ack.tick,
            arrival_ms: ack.sent.arrival_ms,
            bytes: ack.bytes,
        }
    }
}

#[derive(Clone, Debug)]
struct PacketRow {
    record: PacketRecord,
    /// The tick in which the first copy was received, and the receiver's treatment of it; `None` for a refused one.
    received: Option<(u64, Option<SnapshotArrival>)>,
    acked_tick: Option<u64>,
    datagram: Option<Arc<[u8]>>,
}

pub(crate) struct PacketHistory {
    kept: VecDeque<PacketRow>,
    acks: VecDeque<AckRecord>,
    /// Acknowledgements that the sender received, each with its tick.
    acked: VecDeque<(u64, AckReceived)>,
    /// Copies of the sender for encoding packets again, each as it was after a tick, by rising tick.
    senders: VecDeque<(u64, Box<dyn LaneSender>)>,
    /// Least number of ticks between two copies of the sender.
    sender_ticks: u64,
    tick_rate: TickRate,
    is_stream: bool,
    last_tick: u64,
}

/// A copy of the sender that replays the tape tick by tick.
pub(super) struct SenderReplay {
    /// The tick that the copied sender has reached.
    pub(super) tick: u64,
    pub(super) sender: Box<dyn LaneSender>,
    truth: Vec<CubeState>,
    packet: Vec<u8>,
}

impl PacketHistory {
    /// Creates the records of a lane that starts after a tick.
    pub(super) fn new(lane: &Lane, tick: u64) -> PacketHistory {
        PacketHistory {
            kept: VecDeque::new(),
            acks: VecDeque::new(),
            acked: VecDeque::new(),
            senders: lane
                .sender()
                .map(|sender| (tick, sender))
                .into_iter()
                .collect(),
            sender_ticks: FORK_TICKS,
            tick_rate: lane.settings().tick_rate(),
            is_stream: lane.settings().transport() == Transport::Tcp,
            last_tick: tick,
        }
    }

    pub(super) fn add(&mut self, lane: &Lane, tick: u64) {
        self.last_tick = tick;
        let wire = lane.wire();
        for ack in wire.acks() {
            self.acked.push_back((tick, *ack));
            self.acknowledge(ack, tick);
        }
        let mut datagrams = wire.bytes().iter().cloned();
        self.kept.extend(wire.sent().iter().map(|record| PacketRow {
            record: *record,
            received: None,
            acked_tick: None,
            datagram: datagrams.next(),
        }));
        for completed in wire.completed() {
            self.complete(completed);
        }
        for received in wire.received() {
            let number = received.delivery.number;
            if let Some(kept) = self.find_mut(number) {
                kept.received.get_or_insert((tick, received.outcome));
            }
        }
        self.acks.extend(wire.sent_acks());
        if tick.is_multiple_of(self.sender_ticks)
            && let Some(sender) = lane.sender()
        {
            self.senders.push_back((tick, sender));
            self.thin_out_senders();
        }
    }

    /// Discards the records after a tick.
    pub(super) fn stop_at(&mut self, tick: u64) {
        self.last_tick = self.last_tick.min(tick);
        self.kept.retain(|kept| kept.record.tick <= tick);
        self.acks.retain(|ack| ack.tick <= tick);
        self.acked.retain(|(acked, _)| *acked <= tick);
        self.senders.retain(|(after, _)| *after <= tick);
    }

    /// Discards the records before a tick; the first stored packet is sent after that tick.
    pub(super) fn forget_before(&mut self, tick: u64) {
        drop_front(&mut self.kept, |kept| kept.record.tick <= tick);
        drop_front(&mut self.acks, |ack| ack.tick < tick);
        drop_front(&mut self.acked, |acked| acked.0 < tick);
        drop_front(&mut self.senders, |sender| sender.0 < tick);
    }

    /// Iterates over the packets sent in these ticks, oldest first, with their fates as of the tick `as_of`.
    pub(super) fn range(&self, ticks: Range<u64>, as_of: u64) -> impl Iterator<Item = Packet> {
        let place = |tick| self.kept.partition_point(|kept| kept.record.tick < tick);
        let places = place(ticks.start)..place(ticks.end).max(place(ticks.start));
        self.kept
            .range(places)
            .map(move |kept| self.tell(kept, as_of))
    }

    pub(super) fn acks(&self, ticks: Range<u64>) -> impl Iterator<Item = Ack> {
        let place = |tick| self.acks.partition_point(|ack| ack.tick < tick);
        let places = place(ticks.start)..place(ticks.end).max(place(ticks.start));
        self.acks.range(places).map(Ack::from)
    }

    /// Number of the newest packet sent by a tick; `None` before the first.
    pub(super) fn newest(&self, tick: u64) -> Option<u64> {
        Some(self.newest_record(tick)?.number)
    }

    /// Departure tick of the newest packet sent by a tick; `None` before the first.
    pub(super) fn newest_tick(&self, tick: u64) -> Option<u64> {
        Some(self.newest_record(tick)?.tick)
    }

    /// Returns the packet with a number, with its fate as of the tick `as_of`; `None` if it is not stored.
    pub(super) fn get(&self, number: u64, as_of: u64) -> Option<Packet> {
        let place = self.place(number)?;
        Some(self.tell(&self.kept[place], as_of))
    }

    pub(crate) fn datagram(&self, number: u64) -> Option<&[u8]> {
        self.kept[self.place(number)?].datagram.as_deref()
    }

    /// Encodes the packet of a tick again; returns bytes, fields, and the sender. `None` if no packet was sent, or the tape
    /// no longer stores its inputs.
    pub(crate) fn write_again(
        &self,
        tick: u64,
        tape: &Tape,
    ) -> Option<(Vec<u8>, Ledger, Box<dyn LaneSender>)> {
        let mut again = self.again_before(tick, tape)?;
        while again.tick + 1 < tick {
            self.next_again(&mut again, &mut Ledger::new(), tape)?;
        }
        let mut ledger = Ledger::with_spans();
        let left = self.next_again(&mut again, &mut ledger, tape)?;
        left.then_some((again.packet, ledger, again.sender))
    }

    /// Returns a replay from the newest copy of the sender before a tick; `None` if there is none.
    pub(super) fn again_before(&self, tick: u64, tape: &Tape) -> Option<SenderReplay> {
        let (after, sender) = self.senders.iter().rfind(|(after, _)| *after < tick)?;
        let mut truth = Vec::new();
        let is_held = tape.truth().read(*after, &mut truth);
        is_held.then(|| SenderReplay {
            tick: *after,
            sender: sender.copy(),
            truth,
            packet: Vec::new(),
        })
    }

    /// Passes the next tick to a replayed sender; returns whether a packet is sent. `None` if the tape has no such tick.
    pub(super) fn next_again(
        &self,
        again: &mut SenderReplay,
        ledger: &mut Ledger,
        tape: &Tape,
    ) -> Option<bool> {
        let tick = again.tick + 1;
        let acked = self.acked.partition_point(|(acked, _)| *acked < tick);
        let acked = self.acked.range(acked..);
        for (_, ack) in acked.take_while(|(acked, _)| *acked == tick) {
            again.sender.ack(ack.bytes()).ok()?;
        }
        let frame = tape.frame(tick, &mut again.truth)?;
        again.tick = tick;
        let packet = &mut again.packet;
        let info = ends::tick(&mut *again.sender, &frame, packet, ledger);
        Some(info.is_some())
    }

    fn complete(&mut self, completed: &LateOutcome) {
        let LateOutcome { number, sent, .. } = *completed;
        match completed.direction {
            Direction::Forward => {
                if let Some(kept) = self.find_mut(number) {
                    kept.record.sent = sent;
                }
            }
            Direction::Back => {
                let place = self.acks.binary_search_by_key(&number, |ack| ack.tick);
                if let Some(ack) = place.ok().and_then(|place| self.acks.get_mut(place)) {
                    ack.sent = sent;
                }
            }
        }
    }

    fn acknowledge(&mut self, ack: &AckReceived, tick: u64) {
        let newest = self.kept.iter_mut().rev();
        for kept in newest.take_while(|kept| kept.record.tick + ACK_WINDOW_TICKS > tick) {
            let sent = tick_of_sequence(kept.record.sequence, kept.record.tick as i64) as u64;
            if kept.received.is_some() && ack.acked.contains(sent) {
                kept.acked_tick.get_or_insert(tick);
            }
        }
    }

    fn thin_out_senders(&mut self) {
        let bytes: usize = self
            .senders
            .iter()
            .map(|(_, sender)| sender.held_bytes())
            .sum();
        if bytes > SENDERS_BYTES_MAX && self.senders.len() > 2 {
            self.sender_ticks *= 2;
            let kept = self.sender_ticks;
            let (first, last) = (self.senders[0].0, self.last_tick);
            self.senders
                .retain(|(tick, _)| *tick == first || *tick == last || tick.is_multiple_of(kept));
        }
    }

    fn newest_record(&self, tick: u64) -> Option<&PacketRecord> {
        let after = self.kept.partition_point(|kept| kept.record.tick <= tick);
        let newest = self.kept.get(after.checked_sub(1)?);
        newest.map(|kept| &kept.record)
    }

    fn place(&self, number: u64) -> Option<usize> {
        let place = |kept: &PacketRow| kept.record.number;
        self.kept.binary_search_by_key(&number, place).ok()
    }

    fn find_mut(&mut self, number: u64) -> Option<&mut PacketRow> {
        let place = self.place(number)?;
        self.kept.get_mut(place)
    }

    fn tell(&self, kept: &PacketRow, as_of: u64) -> Packet {
        let (record, cost) = (&kept.record, &kept.record.cost);
        let as_of = as_of.min(self.last_tick);
        let fate = self.fate(kept, as_of);
        let arrival_ms = record.sent.arrival_ms.filter(|_| fate != PacketFate::Lost);
        Packet {
            number: record.number,
            tick: record.tick,
            sequence: record.sequence,
            baseline: record.baseline_tick.map(sequence_of_tick),
            baseline_tick: record.baseline_tick,
            fate,
            arrival_ms,
            copy_arrival_ms: record.sent.copy_arrival_ms,
            acked_tick: kept.acked_tick.filter(|tick| *tick <= as_of),
            bytes: cost.bytes,
            fragments: cost.fragments,
            changed_cubes: cost.changed_cubes,
            bits_by_kind: cost
                .spent_65536ths
                .map(|spent| spent as f64 / BIT_65536THS as f64),
            delay_by_cause: arrival_ms.map(|_| record.sent.delay),
            lost_by: record.sent.lost_by.map(LossCause::name),
        }
    }

    fn fate(&self, kept: &PacketRow, as_of: u64) -> PacketFate {
        match (kept.received, kept.record.sent.arrival_ms) {
            (Some((tick, outcome)), _) if tick <= as_of => match outcome {
                Some(SnapshotArrival::Accepted) => PacketFate::Delivered,
                Some(SnapshotArrival::Late) => PacketFate::Late,
                Some(SnapshotArrival::Overtaken) => PacketFate::Overtaken,
                None => PacketFate::Refused,
                // Something with its sequence was there before it, which is no packet of this lane.
                Some(SnapshotArrival::PassedOver | SnapshotArrival::Duplicate) => {
                    PacketFate::PassedOver
                }
            },
            // A stream loses nothing: it does not know yet when the packet arrives.
            (_, None) if !self.is_stream => PacketFate::Lost,
            // Its time has come and it has not: a cut has caught it. Of a stream it waits.
            (_, Some(arrival_ms))
                if arrival_ms <= self.tick_rate.ms_of_tick(as_of as f64) && !self.is_stream =>
            {
                PacketFate::Lost
            }
            _ => PacketFate::InFlight,
        }
    }
}
