//! The server's record of one client's snapshots: those in flight, its baseline, and those that it may be showing.

use crate::Settings;
use crate::budget::{Budget, Purpose};
use crate::chunk_window::ChunkWindow;
use crate::connection::{RefusalReason, SEAL_BYTES};
use crate::encoding::{Encoding, SentSnapshot};
use crate::extras::{Extras, Velocities};
use crate::figures::{Arrivals, Figures, RoundTrip, TrafficMeter};
use crate::inputs::InputBuffer;
use crate::messages::Messages;
use crate::partial::{
    PacketRoom, PartialPacket, PartialSender, PartialView, SentPartial, SlotSample,
};
use crate::path_mtu::PathMtu;
use crate::payload::{
    ACK_BYTES, AGE_END, CHUNK_BYTES, HEADERS_BYTES, PACKET_BYTES, PART_BYTES, PARTS_MAX,
    PROBE_ACK_BYTES, PROBE_BYTES, Part, margin_of, read_to_server, write_probe,
};
use crate::payload_error::PayloadError;
use crate::slot_set::SlotSet;
use crate::world::{ClientView, WorldSnapshot, is_seen};
use snapshot_base::queue::TakeFront;
use snapshot_base::time::TickRate;
use snapshot_codec::Baseline;
use std::collections::VecDeque;
use std::sync::Arc;

/// Longest time between two acknowledgements of a client's datagrams, ms.
const ACK_INTERVAL_MAX_MS: f64 = 500.0;
/// Upper limit of how many times the time to the next repetition of a chunk doubles.
const CHUNK_DOUBLINGS: u32 = 4;
/// Longest time to the next repetition of a chunk if the round trip is not longer, ms. RFC 6298 allows no bound below a minute.
/// But a client shows nothing before its last chunk, and the first round trip may be measured far too long.
const CHUNK_WAIT_MAX_MS: f64 = 1000.0;

/// A joining snapshot, whole and cut into chunks, that is being sent to a client.
#[derive(Debug)]
struct Join {
    snapshot: SentSnapshot,
    bytes: Arc<[u8]>,
    /// Number of bytes of each chunk but the last.
    chunk_bytes: usize,
    /// The chunks by index; `None` once the client has the chunk.
    chunks: Vec<Option<Chunk>>,
    window: ChunkWindow,
}

/// A chunk that the client may not have yet.
#[derive(Clone, Copy, Debug, Default)]
struct Chunk {
    sends: u32,
    sent_ms: f64,
}

/// The newest snapshot that a client acknowledged: its baseline.
#[derive(Debug)]
struct ClientBaseline {
    snapshot: SentSnapshot,
    /// True if the client joined with this snapshot.
    is_join: bool,
    /// The server's tick at which the client's acknowledgement of the snapshot arrived.
    since: u64,
}

impl ClientBaseline {
    /// Ticks from the baseline to the packet of a tick, as sent; 0 for the snapshot with which the client joined.
    fn age_ticks(&self, tick: u64) -> u64 {
        if self.is_join {
            0
        } else {
            tick - self.snapshot.world.tick
        }
    }
}

/// A snapshot that a client may have shown already.
#[derive(Debug)]
pub(crate) struct PastSnapshot {
    pub(crate) world: Arc<WorldSnapshot>,
    pub(crate) seen: Option<SlotSet>,
    /// Jumps and ends of which the packet tells.
    pub(crate) extras: Extras,
}

impl PastSnapshot {
    /// Returns the state of a slot as the client sees it.
    pub(crate) fn sample(&self, slot: usize) -> SlotSample<'_> {
        SlotSample {
            tick: self.world.tick,
            cube: self.world.seen_cube(&self.seen, slot),
            row: self.world.seen_row(&self.seen, slot),
        }
    }
}

/// The server's state of one client's snapshots.
#[derive(Debug)]
pub(crate) struct ClientReplica {
    join: Option<Join>,
    baseline: Option<ClientBaseline>,
    /// The partial packets of a client with a budget.
    partial: Option<PartialSender>,
    /// The partial packets of a budget that has ended, while the client may be showing some of them.
    ending: Option<PartialSender>,
    /// Number of times that partial packets began from empty slots, modulo 256.
    starts: u8,
    pub(crate) budget: Budget,
    /// Snapshots sent after the baseline and not acknowledged, oldest first.
    in_flight: VecDeque<SentSnapshot>,
    /// Snapshots that the client may be showing, oldest first.
    past: VecDeque<PastSnapshot>,
    /// The tick of the last packet to this client.
    tick: u64,
    pub(crate) round_trip: RoundTrip,
    pub(crate) inputs: InputBuffer,
    pub(crate) messages: Messages,
    pub(crate) path: PathMtu,
    /// Record of the client's datagrams that arrived, by number.
    pub(crate) arrivals: Arrivals,
    /// Record of the packets that the client received, by number.
    pub(crate) packets: Arrivals,
    pub(crate) traffic: [TrafficMeter; 2],
    pub(crate) is_playing: bool,
    /// Time of the client's newest datagram, ms, while it is not acknowledged.
    unacked_since_ms: Option<f64>,
    /// Time of the last acknowledgement to the client, ms.
    last_ack_ms: f64,
}

impl ClientReplica {
    pub(crate) fn new(rate: TickRate, settings: &Settings) -> Self {
        Self {
            join: None,
            baseline: None,
            partial: None,
            ending: None,
            starts: 0,
            budget: Budget::new(settings),
            in_flight: VecDeque::new(),
            past: VecDeque::new(),
            tick: 0,
            round_trip: RoundTrip::default(),
            inputs: InputBuffer::new(rate),
            messages: Messages::default(),
            path: PathMtu::new(settings.mtu),
            arrivals: Arrivals::default(),
            packets: Arrivals::default(),
            traffic: Default::default(),
            is_playing: false,
            unacked_since_ms: None,
            last_ack_ms: f64::MIN,
        }
    }

    /// Processes a payload of the client. `at` is the server's tick, with the elapsed part of the next one.
    pub(crate) fn receive(
        &mut self,
        now_ms: f64,
        at: f64,
        payload: &[u8],
    ) -> Result<(), RefusalReason> {
        let (number, parts) = read_to_server(payload)?;
        let number = self.arrivals.number_of(number);
        let is_new = self.arrivals.on_arrival(number);
        if is_new && self.arrivals.newest() == Some(number) {
            self.unacked_since_ms = Some(now_ms);
        }
        for part in parts {
            match part {
                Part::Inputs(list) => self.inputs.on_inputs(at, list),
                Part::Message { .. } | Part::MessageAck { .. } | Part::Say { .. } => {
                    if let Some(bytes) = self.messages.on_part(part) {
                        self.path.on_ack(now_ms, bytes);
                    }
                }
                Part::Probe {
                    bytes, found_bytes, ..
                } => self.path.on_probe(bytes, found_bytes),
                Part::ProbeAck { bytes } => self.path.on_probe_ack(bytes),
                Part::SnapshotAck { tick, before } => self.on_snapshot_ack(now_ms, tick, before),
                Part::ChunkAck {
                    tick,
                    missing,
                    after,
                } => self.on_chunk_ack(now_ms, tick, missing, after),
                // No payload of a client has these.
                Part::Packet { .. } | Part::Partial { .. } => {}
                Part::Chunk { .. } | Part::DatagramAck { .. } => {}
            }
        }
        Ok(())
    }

    pub(crate) fn figures(&self, now_ms: f64) -> Figures {
        let [sent, received] = self.traffic.map(|meter| meter.at(now_ms));
        Figures {
            round_trip_ms: self.round_trip.smoothed_ms(),
            least_round_trip_ms: self.round_trip.least_ms(),
            lost_there: self.packets.lost(),
            lost_here: self.arrivals.lost(),
            sent,
            received,
            input_margin_ticks: self.inputs.margin_ticks(),
            inputs: self.inputs.arrivals(),
            path: self.path.limits(),
            too_large: self.path.too_large(),
            budget_kbps: self.budget.kbps(),
            refused_messages: self.messages.refused()[0],
            refused_says: self.messages.refused()[1],
            ..Figures::default()
        }
    }

    /// Returns true if the client has a baseline, so that it has objects to show.
    pub(crate) fn has_joined(&self) -> bool {
        match &self.partial {
            Some(partial) => partial.has_joined(),
            None => self.baseline.is_some(),
        }
    }

    pub(crate) const fn partial(&self) -> Option<&PartialSender> {
        self.partial.as_ref()
    }

    /// The packets from which a client with a budget draws: those of its budget, and those of one that ended a moment ago.
    pub(crate) fn shown_partials(&self) -> impl Iterator<Item = &PartialSender> {
        self.partial.iter().chain(&self.ending)
    }

    /// Returns the snapshot of a tick, compared modulo 2^32; `None` if the client cannot have shown it.
    pub(crate) fn past(&self, tick: u64) -> Option<&PastSnapshot> {
        (self.past.iter()).find(|past| past.world.tick as u32 == tick as u32)
    }

    /// Adds a snapshot with all objects to those that the client may be showing.
    fn note_whole(&mut self, world: &Arc<WorldSnapshot>, seen: &Option<SlotSet>, extras: Extras) {
        let past = PastSnapshot {
            world: Arc::clone(world),
            seen: seen.clone(),
            extras,
        };
        if let Some(ending) = &mut self.ending {
            ending.on_whole(&past);
        }
        self.past.push_back(past);
    }

    /// Drops the snapshots of pictures that are too old to be judged.
    fn forget_past(&mut self, encoding: &Encoding, tick: u64) {
        let is_over = |past: &mut PastSnapshot| tick - past.world.tick > encoding.past_max;
        while self.past.take_front_if(is_over).is_some() {}
        self.ending.take_if(|ending| {
            ending.forget_old(encoding, tick);
            !ending.is_shown()
        });
    }

    fn on_snapshot_ack(&mut self, now_ms: f64, tick: u32, before: u32) {
        // A retransmission timeout, and more where there is jitter, as in RFC 6298: it delays packets and answers.
        let lost_ms = now_ms - self.round_trip.rto_ms(0.0) - 3.0 * self.budget.jitter_ms();
        if let Some(partial) = &mut self.partial {
            if let Some(acked) = partial.on_ack(lost_ms, self.tick, tick, before) {
                let took_ms = now_ms - acked.sent_ms;
                self.round_trip.on_sample(now_ms, took_ms);
                self.budget.on_ack(now_ms, took_ms, &acked);
                self.packets.on_ack(acked.number, before);
                self.path.on_ack(now_ms, acked.datagram_bytes);
            }
            return;
        }
        if let Some(ending) = &mut self.ending {
            let _of_no_budget = ending.on_ack(lost_ms, self.tick, tick, before);
        }
        let is_it = |sent: &SentSnapshot| sent.world.tick as u32 == tick;
        let since = self.tick;
        let acked = move |snapshot, is_join| ClientBaseline {
            snapshot,
            is_join,
            since,
        };
        if let Some(join) = self.join.take_if(|join| is_it(&join.snapshot)) {
            self.baseline = Some(acked(join.snapshot, true));
            self.in_flight.clear();
        } else if let Some(index) = self.in_flight.iter().position(is_it) {
            self.in_flight.drain(..index);
            if let Some(sent) = self.in_flight.pop_front() {
                self.round_trip.on_sample(now_ms, now_ms - sent.sent_ms);
                self.packets.on_ack(sent.world.number, before);
                self.path.on_ack(now_ms, sent.datagram_bytes);
                self.baseline = Some(acked(sent, false));
            }
        }
    }

    fn on_chunk_ack(&mut self, now_ms: f64, tick: u32, missing: u16, after: u32) {
        let join = self.join.as_mut();
        let Some(join) = join.filter(|join| join.snapshot.world.tick as u32 == tick) else {
            return;
        };
        for (index, chunk) in join.chunks.iter_mut().enumerate() {
            let beyond = index.checked_sub(usize::from(missing) + 1);
            let is_named = |beyond: usize| beyond < 32 && after >> beyond & 1 == 1;
            let is_there = index < usize::from(missing) || beyond.is_some_and(is_named);
            let Some(came) = chunk.take_if(|_| is_there) else {
                continue;
            };
            join.window.on_ack();
            let end = join.bytes.len().min((index + 1) * join.chunk_bytes);
            let bytes = end - index * join.chunk_bytes + CHUNK_BYTES + SEAL_BYTES;
            self.path.on_ack(now_ms, bytes);
            if came.sends == 1 {
                self.round_trip.on_sample(now_ms, now_ms - came.sent_ms);
            }
        }
    }

    /// Sends the messages, probes of the path and acknowledgements of probes that are due.
    pub(crate) fn send_messages(
        &mut self,
        now_ms: f64,
        encoding: &mut Encoding,
        mut send: impl FnMut(&[u8]),
    ) {
        let rto_ms = self.round_trip.rto_ms(encoding.interval_ms);
        let most = self
            .budget
            .datagram_bytes_max()
            .saturating_sub(HEADERS_BYTES);
        loop {
            let room = self.budget.probe_room(now_ms).saturating_sub(HEADERS_BYTES);
            let Some(probe) = self.path.next_probe(now_ms, rto_ms, room, most) else {
                break;
            };
            encoding.payload.clear();
            write_probe(probe, SEAL_BYTES + PROBE_BYTES, &mut encoding.payload);
            let bytes = probe.bytes + HEADERS_BYTES;
            self.budget.on_probe(now_ms, bytes);
            send(&encoding.payload);
        }
        let due = self.path.due_bytes();
        self.budget.probe_bytes = due.map_or(0, |due| due + HEADERS_BYTES);
        let room = self.room();
        if self.path.limits().there_bytes.is_some() {
            (self.path).count_too_large(self.messages.drop_larger(room));
        }
        loop {
            encoding.payload.clear();
            let payload = &mut encoding.payload;
            let budget = self.budget.message_room(now_ms);
            let room = room.min(budget.saturating_sub(HEADERS_BYTES + SEAL_BYTES));
            while room >= payload.len() + PROBE_ACK_BYTES
                && let Some(bytes) = self.path.next_ack()
            {
                Part::ProbeAck { bytes }.write(payload);
            }
            let room = room - payload.len();
            self.messages.write(now_ms, rto_ms, room, payload);
            if payload.is_empty() {
                return;
            }
            let bytes = payload.len() + SEAL_BYTES;
            // Nothing acknowledges a message that is sent once: it says nothing of the path.
            if self.messages.on_sent(bytes) {
                self.path.on_sent(now_ms, bytes);
            }
            (self.budget).on_sent(now_ms, Purpose::Messages, bytes + HEADERS_BYTES);
            send(payload);
        }
    }

    /// Queues a message that is sent once only.
    pub(crate) fn say(&mut self, bytes: &[u8]) -> Result<(), PayloadError> {
        let most = self.budget.datagram_bytes_max();
        let room = self
            .room()
            .min(most.saturating_sub(HEADERS_BYTES + SEAL_BYTES));
        (self.messages).say(bytes, room, self.budget.say_queue_bytes())
    }

    /// Number of bytes that a datagram to the client has for parts.
    pub(crate) fn room(&self) -> usize {
        self.path.bytes() - SEAL_BYTES
    }

    /// Returns the acknowledgement of the client's datagrams if it is due; else `None`.
    fn due_ack(&mut self, now_ms: f64) -> Option<Part<'static>> {
        let has_inputs = self.inputs.margin_ticks().is_some();
        if !has_inputs && now_ms - self.last_ack_ms < ACK_INTERVAL_MAX_MS {
            return None;
        }
        let since_ms = self.unacked_since_ms.take()?;
        self.last_ack_ms = now_ms;
        Some(Part::DatagramAck {
            number: self.arrivals.newest()? as u16,
            ack_delay_ms: (now_ms - since_ms) as u8,
            lost: (self.arrivals.lost() * 255.0) as u8,
            margin: margin_of(self.inputs.take_margin_ticks()),
        })
    }

    /// Sends the client its payloads of a tick.
    pub(crate) fn send(
        &mut self,
        now_ms: f64,
        encoding: &mut Encoding,
        world: &Arc<WorldSnapshot>,
        view: ClientView,
        mut send: impl FnMut(&[u8]),
    ) {
        self.tick = world.tick;
        if self.budget.kbps().is_some() {
            self.send_partial(now_ms, encoding, world, view, send);
            return;
        }
        let mut ack = self.due_ack(now_ms);
        if let Some(partial) = self.partial.take() {
            // A client without a budget joins anew.
            self.starts = partial.start();
            self.ending = Some(partial);
        }
        let ClientView { seen, details, .. } = view;
        // Chunks that the path does not carry never arrive.
        let chunk_bytes = self.room() - CHUNK_BYTES;
        (self.join).take_if(|join| join.chunk_bytes > chunk_bytes);
        if self.join.is_none() {
            if self.has_usable_baseline(encoding) {
                self.send_packet(now_ms, encoding, world, seen, details, &mut ack, &mut send);
            } else {
                self.join(encoding, world, seen);
            }
        }
        if let Some(ack) = ack {
            encoding.payload.clear();
            ack.write(&mut encoding.payload);
            send(&encoding.payload);
        }
        self.send_chunks(now_ms, encoding, &mut send);
    }

    /// Sends the client a partial packet, with the acknowledgement of its datagrams before it.
    fn send_partial(
        &mut self,
        now_ms: f64,
        encoding: &mut Encoding,
        world: &Arc<WorldSnapshot>,
        view: ClientView,
        mut send: impl FnMut(&[u8]),
    ) {
        let rto_ms = self.round_trip.rto_ms(encoding.interval_ms);
        let due = self.messages.due_bytes(now_ms, rto_ms);
        let reserved = due.map_or(0, |due| due + SEAL_BYTES + HEADERS_BYTES);
        let path_bytes = self.path.bytes();
        let (most, datagrams) = self.budget.datagrams(now_ms, path_bytes, reserved);
        let ack = match most >= SEAL_BYTES + ACK_BYTES {
            true => self.due_ack(now_ms),
            false => None,
        };
        self.forget_past(encoding, world.tick);
        let partial = self.partial.get_or_insert_with(|| {
            let (baseline, start) = (self.baseline.take(), self.starts.wrapping_add(1));
            (self.join, self.in_flight) = (None, VecDeque::new());
            match baseline {
                Some(ClientBaseline { snapshot, .. }) => {
                    let history = match self.ending.take() {
                        Some(ending) => ending.into_history(),
                        None => self.past.iter().map(SentPartial::whole).collect(),
                    };
                    let SentSnapshot {
                        world: base, seen, ..
                    } = snapshot;
                    PartialSender::from_snapshot(&base, &seen, start, world.tick, history)
                }
                None => PartialSender::new(world.cubes.len(), world.row_len(), start, world.tick),
            }
        });
        encoding.payload.clear();
        if let Some(ack) = ack {
            ack.write(&mut encoding.payload);
        }
        let room = PacketRoom {
            datagram_bytes: most.saturating_sub(SEAL_BYTES + encoding.payload.len()),
            datagrams,
        };
        let view = PartialView {
            seen: view.seen,
            priorities: &view.priorities,
            details: view.details,
            room,
            rto_ms,
        };
        let packet = partial.packet(now_ms, encoding, world, view);
        self.budget.are_states_waiting = partial.waiting().next().is_some();
        let Some(PartialPacket { base, bytes }) = packet else {
            if !encoding.payload.is_empty() {
                let bytes = encoding.payload.len() + SEAL_BYTES;
                self.path.on_sent(now_ms, bytes);
                (self.budget).on_sent(now_ms, Purpose::States, bytes + HEADERS_BYTES);
                send(&encoding.payload);
            }
            return;
        };
        let parts = room.parts(base.header_bytes(), &bytes);
        let last_part = parts.len() as u8 - 1;
        encoding.counts.packets += 1;
        encoding.counts.split += u64::from(last_part > 0);
        for (part, bytes) in (0..).zip(parts) {
            let part = Part::Partial {
                base,
                part,
                last_part,
                bytes,
            };
            part.write(&mut encoding.payload);
            let bytes = encoding.payload.len() + SEAL_BYTES;
            partial.on_sent(bytes);
            self.path.on_sent(now_ms, bytes);
            (self.budget).on_sent(now_ms, Purpose::States, bytes + HEADERS_BYTES);
            send(&encoding.payload);
            encoding.payload.clear();
        }
    }

    /// Returns true if the client has a baseline that a packet of this tick may name.
    fn has_usable_baseline(&self, encoding: &Encoding) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| {
            let age = baseline.age_ticks(self.tick);
            self.tick - baseline.since <= encoding.age_max && age < AGE_END.into()
        })
    }

    /// Sends the packet of a tick, encoded against the client's baseline. The first datagram holds `ack`, if there is one. A
    /// client whose packet needs too many parts joins again.
    #[expect(clippy::too_many_arguments, reason = "a tick of one client")]
    fn send_packet(
        &mut self,
        now_ms: f64,
        encoding: &mut Encoding,
        world: &Arc<WorldSnapshot>,
        seen: Option<SlotSet>,
        details: Vec<(u16, Velocities)>,
        ack: &mut Option<Part<'static>>,
        mut send: impl FnMut(&[u8]),
    ) {
        let tick = world.tick;
        let Some(mut extras) = self.told_changes(world, &seen) else {
            return;
        };
        self.note_whole(world, &seen, extras.clone());
        self.forget_past(encoding, tick);
        extras.details = details;
        let Some(baseline) = &self.baseline else {
            return;
        };
        let (base, age) = (&baseline.snapshot, baseline.age_ticks(tick) as u16);
        let (mut snapshot, mut packet) = encoding.encode(Some(base), world, seen);
        if !extras.is_empty() {
            let mut with_extras = Vec::new();
            extras.write(tick, &mut with_extras);
            with_extras.extend_from_slice(&packet);
            packet = with_extras.into();
        }
        snapshot.sent_ms = now_ms;
        encoding.counts.packets += 1;
        self.in_flight.push_back(snapshot);
        let is_late = |sent: &mut SentSnapshot| tick - sent.world.tick > encoding.age_max;
        while self.in_flight.take_front_if(is_late).is_some() {}
        let room_of_ack = ack.map_or(0, |_| ACK_BYTES);
        let payload_bytes = self.room();
        let room = if packet.len() + PACKET_BYTES + room_of_ack <= payload_bytes {
            packet.len().max(1)
        } else {
            encoding.counts.split += 1;
            payload_bytes - PART_BYTES - room_of_ack
        };
        let parts = packet.len().div_ceil(room).max(1);
        if parts > PARTS_MAX {
            self.baseline = None;
            return;
        }
        for part in 0..parts {
            let to_client = Part::Packet {
                sequence: tick as u16,
                age,
                part: part as u8,
                last_part: (parts - 1) as u8,
                has_extras: !extras.is_empty(),
                bytes: &packet[part * room..packet.len().min((part + 1) * room)],
            };
            encoding.payload.clear();
            if let Some(ack) = ack.take() {
                ack.write(&mut encoding.payload);
            }
            to_client.write(&mut encoding.payload);
            let bytes = encoding.payload.len() + SEAL_BYTES;
            self.path.on_sent(now_ms, bytes);
            if let Some(sent) = self.in_flight.back_mut() {
                sent.datagram_bytes = sent.datagram_bytes.max(bytes);
            }
            send(&encoding.payload);
        }
    }

    /// Returns the jumps and ends that a packet tells, which happened after its baseline; `None` without a baseline.
    fn told_changes(&self, world: &WorldSnapshot, seen: &Option<SlotSet>) -> Option<Extras> {
        let base = &self.baseline.as_ref()?.snapshot;
        let has_jumped =
            |&&(slot, jumped): &&(u16, u64)| jumped > base.world.tick && is_seen(seen, slot.into());
        // The client may have seen an object that ended in its baseline, or in a packet after that.
        let sent = self.in_flight.iter().chain([base]).map(|sent| &sent.seen);
        let has_ended = |&&(slot, ended): &&(u16, u64)| {
            (base.world.tick + 1..world.tick).contains(&ended)
                && sent.clone().any(|seen| is_seen(seen, slot.into()))
        };
        Some(Extras {
            jumps: world.jumps.iter().filter(has_jumped).copied().collect(),
            ends: world.ends.iter().filter(has_ended).copied().collect(),
            details: Vec::new(),
        })
    }

    /// Begins to send a joining snapshot to the client.
    fn join(&mut self, encoding: &mut Encoding, world: &Arc<WorldSnapshot>, seen: Option<SlotSet>) {
        // A client with a budget draws from it, too, and its acknowledgement may get lost.
        self.note_whole(world, &seen, Extras::NONE);
        let (snapshot, bytes) = encoding.encode(None, world, seen);
        encoding.counts.joins += 1;
        let chunk_bytes = self.room() - CHUNK_BYTES;
        let count = bytes.len().div_ceil(chunk_bytes).max(1);
        let chunks = vec![Some(Chunk::default()); count];
        self.join = Some(Join {
            snapshot,
            bytes,
            chunk_bytes,
            chunks,
            window: ChunkWindow::default(),
        });
    }

    fn send_chunks(&mut self, now_ms: f64, encoding: &mut Encoding, mut send: impl FnMut(&[u8])) {
        let rto_ms = self.round_trip.rto_ms(encoding.interval_ms);
        let Some(join) = &mut self.join else {
            return;
        };
        let room = join.chunk_bytes;
        let wait_ms = |chunk: &Chunk| match chunk.sends {
            0 => 0.0,
            sends => {
                let doubled_ms = rto_ms * f64::from(1 << (sends - 1).min(CHUNK_DOUBLINGS));
                doubled_ms.min(CHUNK_WAIT_MAX_MS.max(rto_ms))
            }
        };
        let is_due = |chunk: &Chunk| now_ms - chunk.sent_ms >= wait_ms(chunk);
        let in_flight = join.chunks.iter().flatten().filter(|chunk| !is_due(chunk));
        let room_for = join.window.chunks().saturating_sub(in_flight.count());
        let count = join.chunks.len();
        let due = join.chunks.iter_mut().enumerate();
        let due = due.filter_map(|(index, chunk)| chunk.as_mut().map(|chunk| (index, chunk)));
        for (index, chunk) in due.filter(|(_, chunk)| is_due(chunk)).take(room_for) {
            if chunk.sends > 0 {
                join.window.on_loss(now_ms, rto_ms);
            }
            chunk.sends += 1;
            chunk.sent_ms = now_ms;
            let end = join.bytes.len().min((index + 1) * room);
            let chunk = Part::Chunk {
                tick: join.snapshot.world.tick,
                index: index as u16,
                count: count as u16,
                bytes: &join.bytes[index * room..end],
            };
            encoding.payload.clear();
            chunk.write(&mut encoding.payload);
            (self.path).on_sent(now_ms, encoding.payload.len() + SEAL_BYTES);
            send(&encoding.payload);
        }
    }

    /// Bytes of allocated memory that belong to this client alone.
    pub(crate) fn held_bytes(&self) -> usize {
        let of = |sent: &SentSnapshot| {
            let chained = sent.chained.as_ref().map_or(0, Baseline::held_bytes);
            sent.seen.as_ref().map_or(0, |seen| seen.len() * 8) + chained
        };
        let sent = self
            .in_flight
            .iter()
            .chain(self.baseline.as_ref().map(|baseline| &baseline.snapshot));
        let join = self
            .join
            .as_ref()
            .map_or(0, |join| of(&join.snapshot) + join.bytes.len());
        let past =
            (self.past.iter()).map(|past| past.seen.as_ref().map_or(0, |seen| seen.len() * 8));
        let lists = self.in_flight.capacity() * size_of::<SentSnapshot>()
            + self.past.capacity() * size_of::<PastSnapshot>();
        let partial = self.partial.as_ref().map_or(0, PartialSender::held_bytes);
        let ending = self.ending.as_ref().map_or(0, PartialSender::held_bytes);
        lists + sent.map(of).chain(past).sum::<usize>() + join + partial + ending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rung;
    use crate::object::row_len;
    use snapshot_codec::{CubeState, Life};

    #[test]
    fn a_packet_of_too_many_parts_costs_no_acknowledgement() {
        let settings = Settings {
            rung: Rung::Uncompressed,
            mtu: 256,
            ..Settings::new(4096)
        };
        let format = settings.format().unwrap();
        let cube = format.quantise(&CubeState {
            life: Life::FIRST,
            ..CubeState::default()
        });
        let world = |tick: u64| {
            Arc::new(WorldSnapshot {
                tick,
                number: tick / 3,
                cubes: vec![cube; settings.objects],
                rows: vec![0; settings.objects * row_len(&format)],
                jumps: Vec::new(),
                ends: Vec::new(),
                changed: vec![0; settings.objects],
            })
        };
        let view = || ClientView {
            seen: None,
            details: Vec::new(),
            priorities: Vec::new(),
        };
        let empty = Baseline::new(&format, world(0).snapshot()).unwrap();
        let rate = settings.checked_rate().unwrap();
        let mut encoding = Encoding::new(&format, rate, &settings, empty);
        let mut replica = ClientReplica::new(rate, &settings);
        replica.send(0.0, &mut encoding, &world(3), view(), |_| {});
        let mut payload = vec![0, 1];
        Part::SnapshotAck { tick: 3, before: 0 }.write(&mut payload);
        replica.receive(50.0, 3.0, &payload).unwrap();
        assert!(replica.has_joined());
        let mut acks = 0;
        replica.send(50.0, &mut encoding, &world(6), view(), |payload| {
            let parts = Part::read_all(payload, Part::is_to_client).unwrap();
            let is_ack = |part: &&Part| matches!(part, Part::DatagramAck { number: 1, .. });
            acks += parts.iter().filter(is_ack).count();
        });
        assert!(!replica.has_joined(), "the packet has too many parts");
        assert_eq!(acks, 1);
    }
}
