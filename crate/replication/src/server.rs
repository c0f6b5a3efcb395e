//! The server: receives clients' datagrams, and sends them the objects of each tick.

use crate::connection::{Listener, Peer, PeerEvent, RefusalReason, RefusedCounts, ServerEvent};
use crate::encoding::{Encoding, PacketCounts, QUANTISED, age_max_ticks};
use crate::extras::{Extras, Velocities};
use crate::figures::Figures;
use crate::object::{Interest, Object, ObjectChanges, ObjectError, Slots, TickError, row_len};
use crate::partial::{PartialSender, PlayInstant, SlotSamples};
use crate::payload::TICKS_END;
use crate::payload_error::PayloadError;
use crate::replica::ClientReplica;
use crate::settings::BUDGET_KBPS;
use crate::shown::{ReceivedPackets, ShownInstant, ShownPackets};
use crate::slot_set::{add_slot, no_slots};
use crate::sorted::SortedMap;
use crate::world::{ClientView, WorldSnapshot};
use crate::{Settings, SettingsError};
use snapshot_base::time::TickRate;
#[cfg(test)]
use snapshot_codec::Snapshot;
use snapshot_codec::{Baseline, Cube, Format, Ledger};
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Result of processing a received datagram.
#[must_use = "an answer is to be sent, and a client that joins waits"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatagramOutcome {
    /// Bytes to send back to the address from which the datagram came.
    Answer(Vec<u8>),
    /// A client with its token, which waits for the game to admit or refuse it.
    Joins(Peer, Vec<u8>),
    /// The datagram was processed; the game has nothing to do.
    Taken,
    /// The datagram was refused. It changed nothing but a counter.
    Refused(RefusalReason),
}

/// A server of objects. `A` is the type of a client's address, as the game's socket has it.
pub struct Server<A> {
    settings: Settings,
    format: Format,
    rate: TickRate,
    listener: Listener<A>,
    slots: Slots,
    replicas: SortedMap<Peer, ClientReplica>,
    encoding: Encoding,
    tick: Option<u64>,
    /// Time of the last tick, ms.
    tick_ms: f64,
    /// The quantised objects of the last tick with packets.
    world: Arc<WorldSnapshot>,
    /// Objects that were left out of the last tick, with the reasons.
    left_out: Vec<ObjectError>,
    changes: ObjectChanges,
    datagram: Vec<u8>,
    unknown_seen: AtomicU64,
    /// The client whose message the game read last.
    last_read: Option<Peer>,
}

impl<A: Clone + Ord + Hash> Server<A> {
    /// Creates a server without clients. The secret must be random, and new each time the server starts.
    ///
    /// # Errors
    /// When the settings are invalid.
    pub fn new(settings: Settings, secret: [u8; 16]) -> Result<Self, SettingsError> {
        let (rate, format) = (settings.checked_rate()?, settings.format()?);
        let world = WorldSnapshot {
            tick: 0,
            number: 0,
            cubes: vec![Cube::EMPTY; settings.objects],
            rows: vec![0; settings.objects * row_len(&format)],
            jumps: Vec::new(),
            ends: Vec::new(),
            changed: vec![0; settings.objects],
        };
        let empty =
            Baseline::new(&format, world.snapshot()).unwrap_or_else(|_| panic!("{QUANTISED}"));
        Ok(Self {
            format,
            rate,
            listener: Listener::new(settings.hash(), secret, settings.clients),
            slots: Slots::new(settings.objects),
            replicas: SortedMap::new(),
            encoding: Encoding::new(&format, rate, &settings, empty),
            tick: None,
            tick_ms: 0.0,
            world: Arc::new(world),
            left_out: Vec::new(),
            changes: ObjectChanges::default(),
            datagram: Vec::new(),
            unknown_seen: AtomicU64::new(0),
            last_read: None,
            settings,
        })
    }

    /// Processes a datagram that came from the address `from`. `now_ms` is the time of the server's clock, ms.
    pub fn receive(&mut self, now_ms: f64, from: &A, bytes: &[u8]) -> DatagramOutcome {
        self.on_datagram(now_ms, from, None, bytes)
    }

    /// Processes a datagram as [`Server::receive`] does. All addresses of a host have the same number `host`, such as an IPv4
    /// address, or the first half of an IPv6 address. At most eight clients of a host wait to be admitted, so one host keeps
    /// nobody else out.
    pub fn receive_from_host(
        &mut self,
        now_ms: f64,
        from: &A,
        host: u64,
        bytes: &[u8],
    ) -> DatagramOutcome {
        self.on_datagram(now_ms, from, Some(host), bytes)
    }

    fn on_datagram(
        &mut self,
        now_ms: f64,
        from: &A,
        host: Option<u64>,
        bytes: &[u8],
    ) -> DatagramOutcome {
        match self.listener.receive(now_ms, from, host, bytes) {
            Ok(ServerEvent::Answer(bytes)) => DatagramOutcome::Answer(bytes),
            Ok(ServerEvent::Joins(peer, token)) => DatagramOutcome::Joins(peer, token),
            Ok(ServerEvent::Taken) => DatagramOutcome::Taken,
            Ok(ServerEvent::Payload(peer, payload)) => {
                let at = self.at();
                let new = || ClientReplica::new(self.rate, &self.settings);
                let replica = self.replicas.or_insert_with(peer, new);
                let now_ms = self.listener.now_ms();
                replica.traffic[1].add(now_ms, 1, bytes.len());
                match replica.receive(now_ms, at, payload) {
                    Ok(()) => {
                        if replica.has_joined() && !std::mem::replace(&mut replica.is_playing, true)
                        {
                            self.listener.tell(PeerEvent::Playing(peer));
                        }
                        DatagramOutcome::Taken
                    }
                    Err(reason) => {
                        self.listener.count_refused(reason);
                        DatagramOutcome::Refused(reason)
                    }
                }
            }
            Err(reason) => DatagramOutcome::Refused(reason),
        }
    }

    /// The last tick, plus the elapsed part of the next one.
    fn at(&self) -> f64 {
        let passed = self.rate.tick_of_ms(self.listener.now_ms() - self.tick_ms);
        self.tick.unwrap_or_default() as f64 + passed.min(1.0)
    }

    /// Admits a waiting client; does nothing for other clients. If the server is full, it tells the client so, and the client
    /// asks again. A game that gives another client's place to it must refuse that other client first.
    pub fn admit(&mut self, peer: Peer) {
        self.listener.admit(peer);
    }

    /// Refuses a waiting client, or removes an admitted one. The server sends it the words in `why`, cut at 256 bytes.
    pub fn refuse(&mut self, peer: Peer, why: &str) {
        self.listener.refuse(peer, why);
    }

    /// Returns the next event of an admitted client: joined, playing, path or left; `None` if there is none. Four events of each
    /// client that the settings allow may wait, and at least 1,024. If there were more, the first one is
    /// [`PeerEvent::Missed`].
    #[must_use]
    pub fn next_event(&mut self) -> Option<PeerEvent> {
        self.listener.next_event()
    }

    /// Takes the objects of a tick, and sends the datagrams that are due. Call it once each tick. `sees` returns whether a
    /// client sees an object (true or false), or its [`Interest`] in the object. Returns the objects that were left out because
    /// they cannot be sent, each with the reason.
    ///
    /// # Errors
    /// When the tick is not newer than the last, or the time is not a finite number. No object is sent then. A tick that is not
    /// newer keeps the connections alive: call it so, some four times a second, while the world is paused.
    pub fn tick<I: Into<Interest>>(
        &mut self,
        now_ms: f64,
        tick: u64,
        objects: &[Object],
        mut sees: impl FnMut(Peer, &Object) -> I,
        mut send: impl FnMut(&A, &[u8]),
    ) -> Result<&[ObjectError], TickError> {
        let slots = self.settings.objects;
        let mut views = |peer: Peer, places: &[Option<usize>], has_budget: bool| {
            view(objects.iter().zip(places), slots, has_budget, |object| {
                sees(peer, object).into()
            })
        };
        self.tick_of(now_ms, tick, objects, &mut views, &mut send)?;
        Ok(&self.left_out)
    }

    /// Does the work of [`Server::tick`]. It is compiled once, whatever closures a game has.
    fn tick_of(
        &mut self,
        now_ms: f64,
        tick: u64,
        objects: &[Object],
        views: &mut Views<'_>,
        mut send: &mut dyn FnMut(&A, &[u8]),
    ) -> Result<(), TickError> {
        let passed = self.listener.advance(now_ms, &mut send);
        passed.map_err(|_| TickError::Time)?;
        if self.tick.is_some_and(|newest| tick <= newest) {
            return Err(TickError::NotNewer { tick });
        }
        if tick >= TICKS_END {
            return Err(TickError::TooLarge { tick });
        }
        let (settings, format) = (&self.settings, &self.format);
        let before = self.tick.replace(tick);
        self.tick_ms = self.listener.now_ms();
        let number = |tick| self.rate.packet_number(tick, settings.send_rate);
        let is_packet = before.is_none_or(|before| number(tick) != number(before));
        self.left_out.clear();
        let check = |object: &Object| object.check(settings, format);
        (self.slots).update(tick, objects, is_packet, check, &mut self.left_out);
        let placed = objects.iter().zip(self.slots.places());
        let placed = placed.filter_map(|(object, slot)| slot.and(Some(object)));
        self.changes.update(placed);
        if is_packet {
            self.world = Arc::new(self.quantised(tick, objects));
            self.encoding.begin();
        }
        let connected: Vec<Peer> = self.listener.connected().collect();
        self.replicas
            .retain(|peer| connected.binary_search(peer).is_ok());
        for peer in connected {
            let (listener, datagram) = (&mut self.listener, &mut self.datagram);
            let new = || ClientReplica::new(self.rate, &self.settings);
            let replica = self.replicas.or_insert_with(peer, new);
            let has_budget = replica.budget.kbps().is_some();
            let view = is_packet.then(|| views(peer, self.slots.places(), has_budget));
            if let Some(round_trip_ms) = listener.round_trip_ms(peer) {
                replica.round_trip.begin(round_trip_ms);
            }
            if let Some(received_ms) = listener.received_ms(peer) {
                replica.path.on_datagram(received_ms);
            }
            let (now_ms, encoding) = (listener.now_ms(), &mut self.encoding);
            (replica.budget).count(now_ms, listener.taken_bytes(peer));
            let (mut datagrams, mut bytes) = (0, 0);
            let mut send = |payload: &[u8]| {
                if let Some(address) = listener.seal(peer, payload, datagram) {
                    send(address, datagram);
                    (datagrams, bytes) = (datagrams + 1, bytes + datagram.len());
                }
            };
            if let Some(view) = view {
                replica.send(now_ms, encoding, &self.world, view, &mut send);
            }
            replica.send_messages(now_ms, encoding, send);
            if let Some(limits) = replica.path.next_limits() {
                self.listener.tell(PeerEvent::Path(peer, limits));
            }
            replica.traffic[0].add(now_ms, datagrams, bytes);
        }
        Ok(())
    }

    /// Returns a client's input for a tick; `None` if it is missing, and the game may repeat the last one. Ask for each tick
    /// in order, before calling `tick`: inputs of earlier ticks are dropped.
    #[must_use]
    pub fn input(&mut self, peer: Peer, tick: u64) -> Option<Vec<u8>> {
        let at = self.at();
        self.replicas.get_mut(&peer)?.inputs.next(at, tick)
    }

    /// Queues a message to a client, of at most 1,000 bytes. It arrives once, after all earlier messages.
    ///
    /// # Errors
    /// When the message is too long, the queue is full, or the client is not connected. The queue holds
    /// [`crate::MESSAGE_QUEUE_BYTES`].
    pub fn message(&mut self, peer: Peer, bytes: &[u8]) -> Result<(), PayloadError> {
        self.replica(peer)?.messages.push(bytes)
    }

    /// Queues a message of at most 1,000 bytes that is sent to a client once only. It may be lost, or arrive out of order.
    ///
    /// # Errors
    /// When the message is not sent: it is too long for this limit or for a datagram on the client's path, the queue is full,
    /// the client's budget has no room for it soon, or the client is not connected.
    pub fn say(&mut self, peer: Peer, bytes: &[u8]) -> Result<(), PayloadError> {
        self.replica(peer)?.say(bytes)
    }

    fn replica(&mut self, peer: Peer) -> Result<&mut ClientReplica, PayloadError> {
        if !self.listener.is_connected(peer) {
            return Err(PayloadError::NotConnected);
        }
        let new = || ClientReplica::new(self.rate, &self.settings);
        Ok(self.replicas.or_insert_with(peer, new))
    }

    /// Returns the next message of any client; `None` if there is none.
    #[must_use]
    pub fn next_message(&mut self) -> Option<(Peer, Vec<u8>)> {
        // Clients take turns: one of many messages keeps no other's unread.
        let last = self.last_read;
        let mut next = None;
        for is_second_round in [false, true] {
            let mut replicas = self
                .replicas
                .iter_mut()
                .filter(|(peer, _)| is_second_round || last.is_none_or(|last| **peer > last));
            next = replicas.find_map(|(&peer, replica)| Some((peer, replica.messages.next()?)));
            if next.is_some() {
                break;
            }
        }
        let next = next?;
        self.last_read = Some(next.0);
        Some(next)
    }

    /// Makes the server count the bits of each snapshot that it encodes.
    pub fn count_bits(&mut self) {
        self.encoding.ledger = Some(Ledger::new());
    }

    /// Returns the bits by kind of the last encoded snapshot, and the number of objects that differ from its baseline. `None`
    /// unless [`Server::count_bits`] was called.
    pub fn encoded(&self) -> Option<(&Ledger, usize)> {
        let encoding = &self.encoding;
        encoding
            .ledger
            .as_ref()
            .map(|ledger| (ledger, encoding.changed))
    }

    /// Returns the last tick's quantised objects and the encoder, for the fuzz target.
    #[cfg(any(test, feature = "fuzz"))]
    pub(crate) fn parts(&mut self) -> (Arc<WorldSnapshot>, &mut Encoding) {
        (Arc::clone(&self.world), &mut self.encoding)
    }

    fn quantised(&self, tick: u64, objects: &[Object]) -> WorldSnapshot {
        let row_len = row_len(&self.format);
        let mut cubes = vec![Cube::EMPTY; self.settings.objects];
        let mut rows = vec![0; self.settings.objects * row_len];
        for (object, slot) in objects.iter().zip(self.slots.places()) {
            let &Some(slot) = slot else {
                continue;
            };
            let velocity = (self.slots.way(slot)).map(|way| way * self.rate.hz() as f32);
            let state = object.state(self.slots.life(slot), velocity);
            cubes[slot] = self.format.quantise(&state);
            let row = &mut rows[slot * row_len..][..row_len];
            (row[0], row[1]) = (object.id, object.kind);
            row[2..].copy_from_slice(&object.fields[..row_len - 2]);
        }
        let number = self.rate.packet_number(tick, self.settings.send_rate);
        let mut changed = self.world.changed.clone();
        for (slot, (cube, row)) in cubes.iter().zip(rows.chunks(row_len)).enumerate() {
            if *cube != self.world.cubes[slot] || row != self.world.row(slot) {
                changed[slot] = tick;
            }
        }
        let oldest = tick.saturating_sub(2 * age_max_ticks(self.rate.hz()));
        WorldSnapshot {
            tick,
            number,
            cubes,
            rows,
            changed,
            jumps: self.slots.jumps(oldest),
            ends: self.slots.ends(oldest),
        }
    }

    /// Sets a client's budget, 8 to 1,000,000 kbit/s with the headers of IP and UDP; `None` for no limit. Before the first call,
    /// the budget of the settings applies. A client whose budget is removed joins anew.
    ///
    /// # Errors
    /// When the budget is outside these bounds or no number, or the client is not connected.
    pub fn set_budget(&mut self, peer: Peer, kbps: Option<f64>) -> Result<(), PayloadError> {
        if kbps.is_some_and(|kbps| !BUDGET_KBPS.contains(&kbps)) {
            return Err(PayloadError::Budget);
        }
        self.replica(peer)?.budget.set_limit(kbps);
        Ok(())
    }

    /// Returns the objects that a client drew at an instant, exact to the bit, for judging a shot. `None` after 1.5 s, if the
    /// server did not send the client the named snapshots. Velocities are those that all clients get. An object of a client with
    /// a budget is left out where the server does not know which state the client had, see [`Server::unknown_seen`].
    pub fn seen(&self, peer: Peer, shown: &ShownInstant) -> Option<Vec<Object>> {
        let replica = self.replicas.get(&peer)?;
        if shown.play_tick.abs() >= TICKS_END as f64 {
            return None;
        }
        let around = match shown.packets {
            ShownPackets::Around(around) => around,
            ShownPackets::Received(received) => {
                return self.seen_of_partial(replica, received, shown);
            }
        };
        let past = around.map(|tick| tick.map(|tick| replica.past(tick)));
        if past.iter().any(|it| matches!(it, Some(None))) {
            return None;
        }
        let past = past.map(Option::flatten);
        let from_tick = past[1]?.world.tick;
        let play = PlayInstant::near(from_tick, shown.play_tick);
        let object = |slot: usize| {
            let samples = past.map(|it| it.map(|it| it.sample(slot)));
            let [before, from, to, after] = samples;
            let from = from.filter(|from| !from.cube.life.is_empty())?;
            let samples = SlotSamples {
                before,
                from,
                to,
                after,
                has_jumped: past[2].is_some_and(|to| to.extras.has_jumped(slot, from_tick)),
                ended: past[2].and_then(|to| to.extras.ended(slot)),
            };
            samples.object(&self.format, self.rate, play, shown.interpolation)
        };
        Some((0..self.settings.objects).filter_map(object).collect())
    }

    fn seen_of_partial(
        &self,
        replica: &ClientReplica,
        received: ReceivedPackets,
        shown: &ShownInstant,
    ) -> Option<Vec<Object>> {
        let (play_tick, mode) = (shown.play_tick, shown.interpolation);
        let (drawn, unknown) = replica
            .shown_partials()
            .find_map(|partial| partial.drawn(&self.encoding, received, play_tick, mode))?;
        self.unknown_seen.fetch_add(unknown, Ordering::Relaxed);
        Some(drawn)
    }

    /// Returns the objects that the last packet to a client had no room for. Each has its id, and its priority times the
    /// seconds since its last state was sent. Objects that ended are not listed, nor are those whose state the client has or is
    /// being sent. Empty for a client without a budget.
    pub fn waiting(&self, peer: Peer) -> impl Iterator<Item = (u32, f32)> {
        let sender = self.replicas.get(&peer).and_then(ClientReplica::partial);
        let waiting = sender.into_iter().flat_map(PartialSender::waiting);
        waiting.filter_map(|(slot, score)| {
            let is_there = !self.world.cubes[slot].life.is_empty();
            is_there.then(|| (self.world.row(slot)[0], score))
        })
    }

    /// Number of objects that [`Server::seen`] left out, because the server did not know which state of them the client had.
    pub fn unknown_seen(&self) -> u64 {
        self.unknown_seen.load(Ordering::Relaxed)
    }

    /// Returns tick and objects of the last snapshot, as a client that sees all objects receives them.
    pub fn newest(&self) -> (u64, impl Iterator<Item = Object>) {
        const NONE: &Extras = &Extras::NONE;
        let objects = Object::all(&self.format, self.world.snapshot(), NONE);
        (self.world.tick, objects)
    }

    /// The text of all lists of connections and clients.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String
    where
        A: fmt::Debug,
    {
        format!("{:?} {:?}", self.listener, self.replicas)
    }

    #[cfg(test)]
    pub(crate) fn snapshot(&self) -> (u64, Snapshot<'_>) {
        (self.world.tick, self.world.snapshot())
    }

    /// Returns the connected clients, by rising number.
    pub fn peers(&self) -> impl Iterator<Item = Peer> {
        self.listener.connected()
    }

    /// Objects that appeared or ended in the last tick.
    pub fn changes(&self) -> &ObjectChanges {
        &self.changes
    }

    /// Returns the measurements of the connection to a client; `None` if it is not connected.
    pub fn figures(&self, peer: Peer) -> Option<Figures> {
        let now_ms = self.listener.now_ms();
        Some(self.replicas.get(&peer)?.figures(now_ms))
    }

    /// Returns the client at an address, admitted or not; `None` if there is none.
    pub fn peer(&self, address: &A) -> Option<Peer> {
        self.listener.peer(address)
    }

    /// Returns the address of a client; `None` if the client is unknown.
    pub fn address(&self, peer: Peer) -> Option<&A> {
        self.listener.address(peer)
    }

    /// Numbers of packets that the server has sent.
    pub fn counts(&self) -> PacketCounts {
        self.encoding.counts
    }

    /// Numbers of refused datagrams, by reason.
    pub fn refused(&self) -> &RefusedCounts {
        self.listener.refused()
    }

    /// Bytes of allocated memory that belong to a client alone.
    pub fn held_bytes(&self, peer: Peer) -> usize {
        self.replicas
            .get(&peer)
            .map_or(0, ClientReplica::held_bytes)
    }
}

/// Function that returns the objects that a client sees, given the slot of each object. Its last argument is true for a client
/// with a budget.
type Views<'a> = dyn FnMut(Peer, &[Option<usize>], bool) -> ClientView + 'a;

/// Returns the part of the objects that a client sees, given each object's slot. It lists priorities for a client with a budget
/// only.
fn view<'a>(
    placed: impl Iterator<Item = (&'a Object, &'a Option<usize>)>,
    slots: usize,
    has_budget: bool,
    mut sees: impl FnMut(&Object) -> Interest,
) -> ClientView {
    let mut details = Vec::new();
    let mut seen = no_slots(slots);
    let mut priorities = vec![0.0; if has_budget { slots } else { 0 }];
    let mut count = 0;
    let mut all = 0;
    for (object, slot) in placed {
        let &Some(slot) = slot else {
            continue;
        };
        all += 1;
        let (priority, is_detailed) = match sees(object) {
            Interest::Unseen => continue,
            Interest::Priority(priority) => (priority, false),
            Interest::Detail(priority) => (priority, true),
        };
        add_slot(&mut seen, slot);
        count += 1;
        if has_budget {
            priorities[slot] = priority;
        }
        let velocities = Velocities {
            linear: object.velocity,
            angular: object.angular_velocity,
        };
        if is_detailed && velocities != Velocities::default() {
            let at = details.partition_point(|&(other, _)| usize::from(other) < slot);
            details.insert(at, (slot as u16, velocities));
        }
    }
    ClientView {
        seen: (count < all).then_some(seen),
        details,
        priorities,
    }
}

impl<A> fmt::Debug for Server<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Server");
        debug.field("tick", &self.tick).finish_non_exhaustive()
    }
}
