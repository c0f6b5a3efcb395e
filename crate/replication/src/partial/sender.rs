//! The server's end of one client's partial packets: which objects to send, and which states the client has.

use super::base::{NAMED_PACKETS, PartialBase};
use super::notes::RESTED_MAX;
use super::priority::{Candidate, Chooser};
use super::sample::{LATE_PACKETS, PlayInstant, Unknown};
use super::unseen::{UnseenObject, UnseenObjects, life_in, unseen_in};
use super::{
    ComposedBaseline, Floor, PacketRoom, PartialNotes, ReceivedPacket, SampleWindow, SlotSample,
    WINDOW_PACKETS, remove_older_twins,
};
use crate::congestion::AckedPartial;
use crate::encoding::{Encoding, QUANTISED, TICKS_MAX};
use crate::extras::{Extras, Velocities};
use crate::object::Object;
use crate::payload::{AGE_END, HEADERS_BYTES};
use crate::replica::PastSnapshot;
use crate::shown::ReceivedPackets;
use crate::slot_set::{SlotSet, add_slot, has_slot, no_slots, slots_of};
use crate::sorted::SortedMap;
use crate::world::WorldSnapshot;
use snapshot_base::queue::TakeFront;
use snapshot_base::time::TickRate;
use snapshot_codec::{Cube, Life};
use snapshot_view::interpolate::Interpolation;
use std::collections::VecDeque;
use std::sync::Arc;

/// Number of packets by which a missing packet must be older than an arrived one to count as lost, as in RFC 9002, 6.1.1.
const LOST_AFTER_PACKETS: u64 = 3;
/// Time without a sent state up to which an object's score grows, s. Beyond it, priorities alone decide.
const WAIT_MAX_S: f32 = 10.0;
/// Time for which an object that came or ended is repeated in each packet, until the client has acknowledged it, ms. Later on
/// it is sent again once a packet is lost.
const REPEATED_MS: u64 = 200;
/// Estimate of the size of an object in a packet, before the first packet, bits.
const OBJECT_BITS: f64 = 80.0;
/// Weight of the newest packet in the estimate of an object's size.
const SMOOTHING: f64 = 0.25;
/// Share of a packet's room that is filled by the estimate. A packet that does not fit is encoded again; objects left over go
/// to later packets.
const FILL: f64 = 0.95;
/// Upper limit of the number of times that a packet is encoded to make it fit.
const ATTEMPTS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    InFlight,
    /// No acknowledgement of the packet counts: it left before the present start, or has all objects.
    Untracked,
    Received,
    /// The client never used the packet: it was lost, or came too late.
    Lost,
}

/// A partial packet that was sent to a client.
#[derive(Debug)]
pub(crate) struct SentPartial {
    world: Arc<WorldSnapshot>,
    /// Slots that the client sees; none if it sees every object.
    seen: Option<SlotSet>,
    /// Slots whose states are encoded in the packet.
    slots: SlotSet,
    /// Slots whose states at the packet's tick the client knows from it: the encoded ones, and those that it proves unchanged.
    fresh: SlotSet,
    notes: PartialNotes,
    /// Number of packets that had been merged into the known states when this one was sent.
    merges: u64,
    sent_ms: f64,
    /// Size of the packet's largest datagram, bytes.
    datagram_bytes: usize,
    /// Size of all datagrams of the packet, bytes, with the headers of IP and UDP.
    sent_bytes: usize,
    fate: Fate,
    /// Objects that ended before, and that the packet shows all the same.
    unseen: Vec<UnseenObject>,
    /// True once the packet's objects count as not sent, so that they are sent again.
    is_reverted: bool,
    /// True once the packet counts as lost.
    is_lost: bool,
}

impl SentPartial {
    /// Makes the record of a snapshot with all objects that the client sees.
    pub(crate) fn whole(past: &PastSnapshot) -> Self {
        let PastSnapshot {
            world,
            seen,
            extras,
        } = past;
        let count = world.cubes.len();
        let mut fresh = no_slots(count);
        (0..count).for_each(|slot| add_slot(&mut fresh, slot));
        let notes = PartialNotes {
            extras: extras.clone(),
            ..PartialNotes::default()
        };
        Self {
            world: Arc::clone(world),
            seen: seen.clone(),
            slots: no_slots(count),
            fresh,
            notes,
            merges: 0,
            sent_ms: 0.0,
            datagram_bytes: 0,
            sent_bytes: 0,
            fate: Fate::Untracked,
            unseen: Vec::new(),
            is_reverted: true,
            is_lost: false,
        }
    }

    pub(super) fn slots(&self) -> &SlotSet {
        &self.slots
    }

    pub(super) fn life(&self, slot: usize) -> Life {
        self.cube(slot).life
    }

    pub(super) fn is_received(&self) -> bool {
        self.fate == Fate::Received
    }

    /// Returns true if the packet may still arrive in time, as far as the server knows.
    pub(super) fn may_arrive(&self) -> bool {
        self.fate == Fate::InFlight && !self.is_reverted
    }
}

impl ReceivedPacket for SentPartial {
    fn tick(&self) -> u64 {
        self.world.tick
    }

    fn is_fresh(&self, slot: usize) -> bool {
        has_slot(&self.fresh, slot)
    }

    fn cube(&self, slot: usize) -> &Cube {
        let world = || self.world.seen_cube(&self.seen, slot);
        unseen_in(&self.unseen, slot).map_or_else(world, |own| &own.cube)
    }

    fn row(&self, slot: usize) -> &[u32] {
        let world = || self.world.seen_row(&self.seen, slot);
        unseen_in(&self.unseen, slot).map_or_else(world, |own| &own.row)
    }

    fn rested_until(&self, slot: usize) -> Option<u64> {
        self.notes.rested_until(slot)
    }

    fn has_jumped(&self, slot: usize, since: u64) -> bool {
        self.notes.extras.has_jumped(slot, since)
    }

    fn ended(&self, slot: usize) -> Option<u64> {
        self.notes.extras.ended(slot)
    }
}

/// The newest packet that the client acknowledged.
#[derive(Clone, Copy, Debug)]
struct NewestAcked {
    number: u64,
    tick: u64,
    /// Number of packets that had been merged into the known states when it was sent.
    merges: u64,
}

/// The objects that a client sees in a tick, and the limits of its packet.
pub(crate) struct PartialView<'a> {
    pub(crate) seen: Option<SlotSet>,
    /// Priority a second of each slot's object.
    pub(crate) priorities: &'a [f32],
    /// Velocities of the objects that the client predicts, by rising slot.
    pub(crate) details: Vec<(u16, Velocities)>,
    pub(crate) room: PacketRoom,
    /// Time after which a packet without an acknowledgement counts as lost, ms.
    pub(crate) rto_ms: f64,
}

pub(crate) struct PartialPacket {
    pub(crate) base: PartialBase,
    /// Notes, followed by the encoded objects.
    pub(crate) bytes: Vec<u8>,
}

/// The server's record of one client's partial packets.
#[derive(Debug)]
pub(crate) struct PartialSender {
    /// The newest state of each slot that the client acknowledged: the composed baseline of the next packet.
    known: ComposedBaseline,
    newest: Option<NewestAcked>,
    /// Packets merged into the known states after the newest acknowledged packet was sent: the number of merges before each,
    /// and its number. The newest acknowledged packet was encoded against all earlier merges. So that packet and these make up
    /// the known states.
    merged: VecDeque<(u64, u64)>,
    merges: u64,
    /// Packets that the client may be showing, oldest first.
    sent: VecDeque<SentPartial>,
    /// States that the client had before the packets in `sent`.
    floor: Floor,
    /// Number of the newest packet whose states are in the floor.
    floor_number: Option<u64>,
    /// For each slot, the tick of the newest packet with the slot's state that may still arrive; 0 if there is none.
    sent_ticks: Vec<u64>,
    /// For each slot, the tick of the newest packet at which its state equalled the one that the client knows; 0 if there was
    /// none.
    equal_ticks: Vec<u64>,
    /// Velocities of the objects that the client predicts, by slot: as it knows them, and as they were sent last.
    known_velocities: SortedMap<u16, Velocities>,
    sent_velocities: SortedMap<u16, Velocities>,
    /// Slots that the client saw at the last packet.
    seen: Option<SlotSet>,
    /// Number of times that partial packets began from empty slots, modulo 256.
    start: u8,
    /// The tick of the last acknowledgement that counted, or of the start.
    alive_tick: u64,
    /// Index of the next group of 64 slots for the notes to prove current.
    window: usize,
    /// Estimate of the size of an object in a packet, bits.
    object_bits: f64,
    candidates: Vec<Candidate>,
    chooser: Chooser,
    /// For each slot, its life as the client was to see it at the last packet, and the tick since which it has this life.
    lives: Vec<(Life, u64)>,
    /// The world of the last packet; `None` before the first.
    world: Option<Arc<WorldSnapshot>>,
    unseen: UnseenObjects,
    /// Number of candidates, at the front of the list, whose states are in the last packet.
    chosen: usize,
    /// Number of objects that the client sees, and of which it has acknowledged no state.
    missing: usize,
}

impl PartialSender {
    /// Begins from empty slots. `start` must differ from that of the connection's last start.
    pub(crate) fn new(count: usize, row_len: usize, start: u8, tick: u64) -> Self {
        let empty = ComposedBaseline::empty(count, row_len);
        Self {
            floor: Floor::empty(count, row_len),
            known: empty,
            newest: None,
            merged: VecDeque::new(),
            merges: 0,
            sent: VecDeque::new(),
            floor_number: None,
            sent_ticks: vec![0; count],
            equal_ticks: vec![0; count],
            known_velocities: SortedMap::new(),
            sent_velocities: SortedMap::new(),
            seen: None,
            start,
            alive_tick: tick,
            window: 0,
            object_bits: OBJECT_BITS,
            candidates: Vec::with_capacity(count),
            chooser: Chooser::default(),
            lives: vec![(Life::EMPTY, 0); count],
            world: None,
            unseen: UnseenObjects::default(),
            chosen: 0,
            missing: 0,
        }
    }

    /// Begins from a whole snapshot that the client acknowledged. `history` has the packets that the client may be showing.
    pub(crate) fn from_snapshot(
        world: &WorldSnapshot,
        seen: &Option<SlotSet>,
        start: u8,
        tick: u64,
        history: VecDeque<SentPartial>,
    ) -> Self {
        let mut sender = Self::new(world.cubes.len(), world.row_len(), start, tick);
        for slot in 0..world.cubes.len() {
            let (cube, row) = (world.seen_cube(seen, slot), world.seen_row(seen, slot));
            sender.known.set(slot, world.tick, cube, row);
        }
        sender.floor = Floor::unknown(world.cubes.len(), world.row_len());
        sender.sent = history;
        sender.seen = seen.clone();
        sender.newest = Some(NewestAcked {
            number: world.number,
            tick: world.tick,
            merges: 0,
        });
        sender
    }

    /// Ends the budget's packets; returns those that the client may be showing. No acknowledgement of them counts any more, and
    /// the client may have forgotten the states of those that it received.
    pub(crate) fn into_history(mut self) -> VecDeque<SentPartial> {
        for sent in &mut self.sent {
            if sent.fate != Fate::Lost {
                sent.fate = Fate::Untracked;
            }
        }
        self.sent
    }

    /// Adds a snapshot with all objects to the packets that the client may be showing: the client's budget has ended.
    pub(crate) fn on_whole(&mut self, past: &PastSnapshot) {
        self.sent.push_back(SentPartial::whole(past));
    }

    /// Returns true if the client may be showing a partial packet.
    pub(crate) fn is_shown(&self) -> bool {
        self.sent.iter().any(|sent| sent.notes.current.is_some())
    }

    pub(crate) fn has_joined(&self) -> bool {
        self.newest.is_some()
    }

    pub(crate) fn start(&self) -> u8 {
        self.start
    }

    /// Processes the acknowledgement of a packet and of packets before it; returns the facts about it if it was in flight.
    /// Packets that left before `lost_ms` may be lost.
    pub(crate) fn on_ack(
        &mut self,
        lost_ms: f64,
        tick: u64,
        acked: u32,
        before: u32,
    ) -> Option<AckedPartial> {
        let at = (self.sent)
            .iter()
            .rposition(|sent| sent.world.tick as u32 == acked)?;
        let newest = self.sent[at].world.number;
        let (mut lost, mut arrived, mut delivered_bytes) = (0, 1, 0);
        for earlier in 0..at {
            let ago = newest - self.sent[earlier].world.number;
            let Some(bit) = (1..=32).contains(&ago).then(|| before >> (ago - 1) & 1) else {
                continue;
            };
            if self.sent[earlier].fate != Fate::InFlight {
                continue;
            }
            if bit == 1 {
                delivered_bytes += self.sent[earlier].sent_bytes;
                arrived += 1;
                self.on_received(tick, earlier);
                continue;
            }
            if ago >= LATE_PACKETS {
                self.sent[earlier].fate = Fate::Lost;
            }
            if ago >= LOST_AFTER_PACKETS {
                self.revert(earlier);
                let sent = &mut self.sent[earlier];
                if sent.sent_ms < lost_ms && !std::mem::replace(&mut sent.is_lost, true) {
                    lost += 1;
                }
            }
        }
        let sent = &self.sent[at];
        let acked = AckedPartial {
            number: newest,
            sent_ms: sent.sent_ms,
            datagram_bytes: sent.datagram_bytes,
            lost,
            arrived,
            delivered_bytes: delivered_bytes + sent.sent_bytes,
        };
        let is_new = sent.fate == Fate::InFlight;
        is_new.then(|| self.on_received(tick, at))?;
        Some(acked)
    }

    /// Merges a received packet into the known states, if later packets can still name it.
    fn on_received(&mut self, tick: u64, at: usize) {
        self.sent[at].fate = Fate::Received;
        let sent = &self.sent[at];
        let own = NewestAcked {
            number: sent.world.number,
            tick: sent.world.tick,
            merges: sent.merges,
        };
        let newest = match self.newest {
            Some(newest) if newest.number > own.number => newest,
            _ => own,
        };
        let is_named = |merged: &&(u64, u64)| merged.0 >= newest.merges;
        let mut named = self.merged.iter().filter(is_named).map(|merged| merged.1);
        let oldest = newest.number.saturating_sub(NAMED_PACKETS);
        if own.number < oldest || named.any(|number| number < oldest) {
            // No later packet is encoded against it, so its objects are sent again.
            self.revert(at);
            return;
        }
        self.merged.push_back((self.merges, own.number));
        self.merges += 1;
        self.merged.retain(|merged| merged.0 >= newest.merges);
        self.newest = Some(newest);
        self.alive_tick = tick;
        for slot in slots_of(&sent.slots) {
            if own.tick >= self.known.ticks[slot] {
                self.known
                    .set(slot, own.tick, sent.cube(slot), sent.row(slot));
                self.equal_ticks[slot] = 0;
                let sent = velocities_of(&sent.notes.extras.details, slot);
                set_velocities(&mut self.known_velocities, slot, sent);
            }
        }
    }

    /// Makes the objects of a packet count as not sent, so that they are sent again.
    fn revert(&mut self, at: usize) {
        let sent = &mut self.sent[at];
        if !std::mem::replace(&mut sent.is_reverted, true) {
            for slot in slots_of(&sent.slots) {
                if self.sent_ticks[slot] == sent.world.tick {
                    self.sent_ticks[slot] = 0;
                }
            }
        }
    }

    /// Returns the client's packet of a tick, with the objects that fit; `None` if no packet can be made.
    pub(crate) fn packet(
        &mut self,
        now_ms: f64,
        encoding: &mut Encoding,
        world: &Arc<WorldSnapshot>,
        view: PartialView<'_>,
    ) -> Option<PartialPacket> {
        let tick = world.tick;
        // A tick has one packet: the age of a baseline is never 0.
        if (self.sent.back()).is_some_and(|sent| sent.world.tick >= tick) {
            return None;
        }
        let is_lost = tick - self.alive_tick > encoding.age_max
            || (self.newest).is_some_and(|newest| tick - newest.tick >= AGE_END.into());
        if is_lost {
            let start = self.start.wrapping_add(1);
            *self = Self::new(world.cubes.len(), world.row_len(), start, tick);
        }
        for at in 0..self.sent.len() {
            let sent = &self.sent[at];
            if sent.fate == Fate::InFlight && now_ms - sent.sent_ms > view.rto_ms {
                self.revert(at);
            }
        }
        self.forget_changed_sight(view.seen.as_ref());
        self.find_lives(world, &view);
        let hz = encoding.tick_rate.hz();
        let unseen = self.unseen.due(hz, world, &self.sent);
        let equal = self.find_candidates(world, &view, &unseen, encoding);
        let (packet, slots, notes) = self.encode(encoding, world, &view, &unseen, &equal)?;
        let mut fresh = slots.clone();
        if let Some((first, current)) = notes.current {
            fresh[usize::from(first) / 64] |= current;
        }
        for slot in slots_of(&slots) {
            self.sent_ticks[slot] = tick;
            let sent = velocities_of(&notes.extras.details, slot);
            set_velocities(&mut self.sent_velocities, slot, sent);
        }
        self.seen = view.seen.clone();
        self.window += 1;
        self.sent.push_back(SentPartial {
            world: Arc::clone(world),
            seen: view.seen,
            slots,
            fresh,
            notes,
            merges: self.merges,
            sent_ms: now_ms,
            datagram_bytes: 0,
            sent_bytes: 0,
            fate: Fate::InFlight,
            unseen,
            is_reverted: false,
            is_lost: false,
        });
        self.forget_old(encoding, tick);
        Some(packet)
    }

    /// Drops the packets that no picture needs that is young enough to be judged.
    pub(crate) fn forget_old(&mut self, encoding: &Encoding, tick: u64) {
        let oldest = tick.saturating_sub(encoding.past_max);
        let oldest = (encoding.tick_rate)
            .packet_number(oldest, encoding.send_rate)
            .saturating_sub(WINDOW_PACKETS);
        let is_old = |sent: &mut SentPartial| sent.world.number < oldest;
        while let Some(sent) = self.sent.take_front_if(is_old) {
            let is_received = match sent.fate {
                Fate::InFlight | Fate::Untracked => None,
                Fate::Received => Some(true),
                Fate::Lost => Some(false),
            };
            self.floor.fold(&sent, is_received);
            self.floor_number = Some(sent.world.number);
        }
    }

    /// Adds the size of a datagram of the last packet, bytes.
    pub(crate) fn on_sent(&mut self, datagram_bytes: usize) {
        if let Some(sent) = self.sent.back_mut() {
            sent.datagram_bytes = sent.datagram_bytes.max(datagram_bytes);
            sent.sent_bytes += datagram_bytes + HEADERS_BYTES;
        }
    }

    /// Makes the slots count as not sent that the client begins or ceases to see in this tick.
    fn forget_changed_sight(&mut self, seen: Option<&SlotSet>) {
        let word = |set: Option<&SlotSet>, at: usize| set.map_or(u64::MAX, |set| set[at]);
        for at in 0..self.sent_ticks.len().div_ceil(64) {
            let mut changed = word(seen, at) ^ word(self.seen.as_ref(), at);
            while changed != 0 {
                let slot = at * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                if let Some(sent_tick) = self.sent_ticks.get_mut(slot) {
                    *sent_tick = 0;
                }
            }
        }
    }

    /// Notes which objects came and ended since the last packet.
    fn find_lives(&mut self, world: &Arc<WorldSnapshot>, view: &PartialView<'_>) {
        let before = self.world.replace(Arc::clone(world));
        for slot in 0..world.cubes.len() {
            let life = life_in(world, &view.seen, slot);
            let (last, since) = self.lives[slot];
            if life == last {
                continue;
            }
            self.lives[slot] = (life, world.tick);
            // An object that the client ceases to see without an end is not shown again.
            let has_ended =
                world.cubes[slot].life.is_empty() && self.known.cubes[slot].life != last;
            if let Some(before) = before.as_ref().filter(|_| has_ended) {
                self.unseen.add(slot, since, world.tick, before);
            }
        }
    }

    /// Lists the objects whose newest state the client lacks. Returns the slots whose known state is the newest.
    fn find_candidates(
        &mut self,
        world: &WorldSnapshot,
        view: &PartialView<'_>,
        unseen: &[UnseenObject],
        encoding: &Encoding,
    ) -> SlotSet {
        let (tick, rate) = (world.tick, encoding.tick_rate);
        // An object that came or ended just now is sent in each packet until the client has it: a loss must not delay it.
        let young = REPEATED_MS * u64::from(rate.hz()) / 1000;
        let mut equal = no_slots(world.cubes.len());
        self.candidates.clear();
        self.chosen = 0;
        self.missing = 0;
        for (slot, cube) in world.cubes.iter().enumerate() {
            let (known, known_tick) = (&self.known.cubes[slot], self.known.ticks[slot]);
            let (life, since) = self.lives[slot];
            let ended = unseen_in(unseen, slot);
            if ended.is_some() {
                self.candidates.push(Candidate {
                    slot: slot as u16,
                    urgency: 1,
                    score: f32::INFINITY,
                    age_ticks: (tick - since) as u32,
                });
                continue;
            }
            let is_empty = life.is_empty();
            let is_gone = is_empty != known.life.is_empty();
            let changed = world.changed[slot];
            let is_same = || known == cube && self.known.row(slot) == world.row(slot);
            let velocities = velocities_of(&view.details, slot);
            let has = |map: &SortedMap<u16, Velocities>| {
                velocities.is_none() || map.get(&(slot as u16)) == velocities.as_ref()
            };
            if !is_gone && (is_empty || changed <= known_tick || is_same()) {
                add_slot(&mut equal, slot);
                self.equal_ticks[slot] = tick;
                if is_empty || has(&self.known_velocities) {
                    continue;
                }
            }
            self.missing += usize::from(is_gone && !is_empty);
            let sent_tick = self.sent_ticks[slot];
            let is_sent = sent_tick > known_tick && changed <= sent_tick;
            let is_young = is_gone && tick - since < young;
            if is_sent && !is_young && has(&self.sent_velocities) {
                continue;
            }
            let priority = view.priorities[slot].max(0.0);
            let waited_ticks = tick - sent_tick.max(known_tick);
            let waited_s = (rate.ms_of_tick(waited_ticks as f64) / 1000.0) as f32;
            let urgency = match is_gone || known.life != cube.life {
                _ if priority == f32::INFINITY => 2,
                true => 1,
                false => 0,
            };
            let score = match is_empty {
                true => f32::INFINITY,
                false => priority * waited_s.min(WAIT_MAX_S),
            };
            let age_ticks = waited_ticks.min(tick - since) as u32;
            self.candidates.push(Candidate {
                slot: slot as u16,
                urgency,
                score,
                age_ticks: match is_empty || priority > 0.0 {
                    true => age_ticks.saturating_add(1),
                    false => 0,
                },
            });
        }
        equal
    }

    /// Encodes the candidates that come first and fit; returns the packet, its slots and its notes.
    fn encode(
        &mut self,
        encoding: &mut Encoding,
        world: &WorldSnapshot,
        view: &PartialView<'_>,
        unseen: &[UnseenObject],
        equal: &SlotSet,
    ) -> Option<(PartialPacket, SlotSet, PartialNotes)> {
        let tick = world.tick;
        let base = self.base(tick);
        let header_bytes = base.header_bytes();
        let room = view.room.packet_bytes(header_bytes) + header_bytes;
        let ticks = self
            .newest
            .map_or(1, |newest| (tick - newest.tick).clamp(1, TICKS_MAX));
        let mut count = (FILL * (room * 8) as f64 / self.object_bits) as usize;
        for _ in 0..ATTEMPTS {
            let chosen = self.chooser.choose(&mut self.candidates, count.max(1));
            count = chosen.len();
            let mut slots = no_slots(world.cubes.len());
            chosen
                .iter()
                .for_each(|it| add_slot(&mut slots, it.slot.into()));
            let notes = self.notes(world, view, &slots, equal, encoding.tick_rate);
            let after = &mut encoding.composed;
            after.cubes.copy_from_slice(&self.known.cubes);
            after.rows.copy_from_slice(&self.known.rows);
            for slot in slots_of(&slots) {
                let (cube, row) = match unseen_in(unseen, slot) {
                    Some(own) => (&own.cube, &own.row[..]),
                    None => {
                        let seen = &view.seen;
                        (world.seen_cube(seen, slot), world.seen_row(seen, slot))
                    }
                };
                after.rows[slot * row.len()..][..row.len()].copy_from_slice(row);
                after.cubes[slot] = *cube;
            }
            let mut ledger = encoding.ledger.as_mut();
            if let Some(ledger) = &mut ledger {
                ledger.clear();
            }
            let (packet, snapshot) = (&mut encoding.packet, encoding.composed.snapshot());
            let known = self.known.snapshot();
            (encoding.coder)
                .encode_between(known, ticks as u16, snapshot, packet, ledger)
                .unwrap_or_else(|_| panic!("{QUANTISED}"));
            encoding.counts.encoded += 1;
            let mut bytes = Vec::with_capacity(room);
            notes.write(tick, &mut bytes);
            bytes.extend_from_slice(&encoding.packet);
            let written = header_bytes + bytes.len();
            let own_bits = (bytes.len() * 8) as f64 / count.max(1) as f64;
            if written <= room {
                if count > 0 {
                    self.object_bits += (own_bits - self.object_bits) * SMOOTHING;
                }
                encoding.changed = count;
                self.chosen = count;
                self.chooser.on_sent(count, self.candidates.len());
                return Some((PartialPacket { base, bytes }, slots, notes));
            }
            if count <= 1 {
                return None;
            }
            self.object_bits = own_bits;
            count = (count * room / written * 31 / 32).clamp(1, count - 1);
        }
        None
    }

    fn base(&self, tick: u64) -> PartialBase {
        let Some(newest) = self.newest else {
            let start = self.start;
            return PartialBase::Empty { tick, start };
        };
        let before = self
            .merged
            .iter()
            .filter(|merged| merged.1 != newest.number);
        PartialBase::Named {
            sequence: tick as u16,
            age: (tick - newest.tick) as u16,
            before: before.fold(0, |bits, merged| bits | 1 << (newest.number - 1 - merged.1)),
        }
    }

    fn notes(
        &self,
        world: &WorldSnapshot,
        view: &PartialView<'_>,
        slots: &SlotSet,
        equal: &SlotSet,
        tick_rate: TickRate,
    ) -> PartialNotes {
        let words = slots.len();
        let at = self.window % words;
        let rested = slots_of(slots).filter_map(|slot| {
            let until = self.equal_ticks[slot];
            let is_news = (self.known.ticks[slot] + 1..world.tick).contains(&until)
                && !self.known.cubes[slot].life.is_empty();
            let is_near = world.tick - until <= u64::from(u16::MAX);
            (is_news && is_near).then_some((slot as u16, until))
        });
        let has_jumped = |&&(slot, jumped): &&(u16, u64)| {
            has_slot(slots, slot.into()) && jumped > self.known.ticks[usize::from(slot)]
        };
        // An object that lives for less than a round trip has no known state: its slot is proved current, and empty.
        let late = REPEATED_MS * u64::from(tick_rate.hz()) / 1000;
        let is_told = |slot: usize, ended: u64| {
            let is_current = slot / 64 == at && has_slot(equal, slot);
            has_slot(slots, slot) || is_current && world.tick - ended <= late
        };
        let has_ended = |&&(slot, ended): &&(u16, u64)| {
            let slot = usize::from(slot);
            (self.known.ticks[slot] + 1..world.tick).contains(&ended) && is_told(slot, ended)
        };
        let is_here = |detail: &&(u16, Velocities)| has_slot(slots, detail.0.into());
        PartialNotes {
            current: Some(((at * 64) as u16, slots[at] | equal[at])),
            rested: rested.take(RESTED_MAX).collect(),
            missing: self.missing as u16,
            extras: Extras {
                jumps: world.jumps.iter().filter(has_jumped).copied().collect(),
                ends: world.ends.iter().filter(has_ended).copied().collect(),
                details: view.details.iter().filter(is_here).copied().collect(),
            },
        }
    }

    /// Returns the slots whose states the last packet had no room for, each with its score: priority times waiting seconds.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (usize, f32)> {
        let waiting = self.candidates.iter().skip(self.chosen);
        waiting.map(|candidate| (candidate.slot.into(), candidate.score))
    }

    /// Returns the objects that the client drew; `None` if the server no longer knows the packets. The number counts the
    /// objects that are left out, because the server does not know which state of them the client had.
    pub(crate) fn drawn(
        &self,
        encoding: &Encoding,
        received: ReceivedPackets,
        play_tick: f64,
        interpolation: Interpolation,
    ) -> Option<(Vec<Object>, u64)> {
        let is_newest = |sent: &SentPartial| sent.world.tick as u32 == received.newest;
        let newest = self.sent.iter().rposition(is_newest)?;
        let (number, tick) = (self.sent[newest].world.number, self.sent[newest].world.tick);
        let first = (number + 1).saturating_sub(WINDOW_PACKETS);
        if self.floor_number.is_some_and(|floor| floor >= first) {
            return None;
        }
        let begin = self.sent.partition_point(|sent| sent.world.number < first);
        let is_received = |sent: &&SentPartial| {
            let ago = number - sent.world.number;
            ago == 0 || received.before >> (ago - 1) & 1 == 1
        };
        let packets: Vec<_> = (self.sent.range(begin..=newest).filter(is_received)).collect();
        // A picture of a packet that is not known here may differ.
        if packets.len() != 1 + received.before.count_ones() as usize {
            return None;
        }
        let play = PlayInstant::near(tick, play_tick);
        let window = SampleWindow::new(packets, play);
        let older = |slot: usize| -> Result<SlotSample<'_>, Unknown> {
            let mut older = self.sent.range(..begin).rev();
            let older = older.find(|sent| sent.fate != Fate::Lost && sent.is_fresh(slot));
            match older {
                Some(sent) if sent.fate == Fate::Received => Ok(SlotSample {
                    tick: sent.world.tick,
                    cube: sent.cube(slot),
                    row: sent.row(slot),
                }),
                Some(_) => Err(Unknown),
                None => self.floor.sample(slot),
            }
        };
        let (mut drawn, mut ticks) = (Vec::new(), Vec::new());
        let mut unknown = 0;
        for slot in 0..self.known.cubes.len() {
            match window.around(slot, || older(slot)) {
                Ok(None) => {}
                Ok(Some(samples)) => {
                    let (format, rate) = (&encoding.format, encoding.tick_rate);
                    if let Some(object) = samples.object(format, rate, play, interpolation) {
                        ticks.push(samples.from.tick);
                        drawn.push(object);
                    }
                }
                Err(Unknown) => unknown += 1,
            }
        }
        remove_older_twins(&mut drawn, &ticks);
        Some((drawn, unknown))
    }

    /// Bytes of allocated memory that belong to this client alone.
    pub(crate) fn held_bytes(&self) -> usize {
        let sent = self.sent.iter().map(|sent| {
            let sets = [Some(&sent.slots), Some(&sent.fresh), sent.seen.as_ref()];
            let sets: usize = sets.into_iter().flatten().map(|set| set.len() * 8).sum();
            sets + sent.notes.rested.capacity() * size_of::<(u16, u64)>()
        });
        self.known.held_bytes()
            + self.floor.held_bytes()
            + (self.sent_ticks.len() + self.equal_ticks.len()) * size_of::<u64>()
            + self.sent.capacity() * size_of::<SentPartial>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.lives.len() * size_of::<(Life, u64)>()
            + sent.sum::<usize>()
    }
}

/// Returns the velocities of a slot's object as they are sent, from a list by rising slot.
fn velocities_of(details: &[(u16, Velocities)], slot: usize) -> Option<Velocities> {
    let at = details.binary_search_by_key(&slot, |detail| detail.0.into());
    at.ok().map(|at| details[at].1.as_sent())
}

fn set_velocities(map: &mut SortedMap<u16, Velocities>, slot: usize, sent: Option<Velocities>) {
    match sent {
        Some(sent) => map.insert(slot as u16, sent),
        None => drop(map.remove(&(slot as u16))),
    }
}
