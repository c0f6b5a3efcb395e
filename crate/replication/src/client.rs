//! The client of a game: joins a server, receives snapshots, shows objects.

use crate::budget::{Budget, Purpose};
use crate::clocks::{PacedMs, PassedMs};
use crate::connection::{
    ClientEvent, Dialer, Peer, Refusal, RefusalReason, RefusedCounts, SEAL_BYTES, Status,
    TOKEN_BYTES_MAX,
};
use crate::encoding::{QUANTISED, TICKS_MAX, age_max_ticks};
use crate::extras::Extras;
use crate::figures::{Arrivals, Figures, RoundTrip, TrafficMeter};
use crate::held::{HeldPartial, HeldSnapshot, find};
use crate::inputs::InputQueue;
use crate::joining::Pieces;
use crate::messages::Messages;
use crate::object::{Object, ObjectChanges, row_len};
use crate::pace::PacedClock;
use crate::partial::{PlayInstant, ReceivedPacket, has_ended};
use crate::path_limits::PathLimits;
use crate::path_mtu::PathMtu;
use crate::payload::{
    CHUNK_BYTES, HEADERS_BYTES, INPUTS, NUMBER_BYTES, PROBE_BYTES, Part, epoch_of, ticks_of,
    write_probe,
};
use crate::payload_error::PayloadError;
use crate::recording::{ClientCall, ClientRecorder, recorder_of};
use crate::settings::MTU_MIN;
use crate::shown::{ShownInstant, ShownPackets, ShownSlot};
use crate::{Settings, SettingsError};
use partial::PartialSession;
use snapshot_base::queue::TakeFront;
use snapshot_base::time::{TickRate, tick_of_sequence};
use snapshot_codec::{Baseline, Cube, CubeState, Format, Snapshot, SnapshotCoder};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::Playout;
use snapshot_view::{Buffer, BufferConfig, Pose};
use std::collections::VecDeque;
use std::fmt;

mod partial;

/// Upper limit of the memory for a client's snapshots, bytes. It does not apply to the newest `HELD_LEAST` snapshots, which a
/// client always keeps.
const HELD_BYTES: usize = 64 << 20;
/// Least number of snapshots that a client keeps.
const HELD_LEAST: usize = 16;
/// Upper limit of the number of sent datagrams that the client remembers, for the server's acknowledgements.
const SENT_MOST: usize = 256;
/// Time beyond a round trip after which a message is sent again, ms. It covers the server's interval between two packets.
const WAIT_MS: f64 = 100.0;
/// Least room of a payload with inputs and acknowledgements, bytes. Where a budget has less, they wait for a fuller datagram,
/// and their headers are spent once.
const INPUTS_ROOM_BYTES: usize = 128;
/// Time for which a client keeps baselines after newer packets have stopped using them, ms: older packets may arrive later.
const LATE_MS: u64 = 530;

/// A change of a client's connection.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ConnectionEvent {
    /// The connection begins, or begins anew. The client has this number; the server knows nothing of the client's earlier
    /// messages.
    Connected(Peer),
    /// The path carries no datagrams beyond these sizes, or carries them again.
    Path(PathLimits),
    /// The server runs at another tick rate than before, by more than 15 %. Play goes on at that rate. Rates are in ticks a
    /// second.
    TickRate {
        /// The server's tick rate in the settings.
        agreed: u32,
        /// The rate at which the server's ticks arrive.
        measured: f64,
    },
}

impl ConnectionEvent {
    /// The event's number: 1 connected, 2 path, 3 tick rate.
    pub const fn number(self) -> u32 {
        match self {
            Self::Connected(_) => 1,
            Self::Path(_) => 2,
            Self::TickRate { .. } => 3,
        }
    }
}

/// A datagram with a payload that was sent to the server.
#[derive(Clone, Copy, Debug)]
struct SentDatagram {
    number: u16,
    sent_ms: PassedMs,
    bytes: usize,
}

/// The client's state of one connection. A new connection begins with an empty state.
#[derive(Default)]
struct ConnectionState {
    joining: Option<Pieces>,
    /// The parts received so far of the newest packet that the server split over several datagrams.
    split: Pieces,
    /// Tick of the snapshot with which the client joined.
    joined: Option<u64>,
    /// The epoch: the tick from which `show` counts ticks.
    epoch: u64,
    /// Stored snapshots, oldest tick first.
    held: VecDeque<HeldSnapshot>,
    /// The oldest tick whose snapshot a packet may still name as its baseline.
    needed: u64,
    /// The state of partial packets, which a client with a budget receives; `None` before the first.
    partial: Option<PartialSession>,
    is_ack_due: bool,
    /// Record of the server's packets that arrived, by number.
    arrivals: Arrivals,
    is_input_due: bool,
    /// The last datagrams with payloads, oldest first.
    sent: VecDeque<SentDatagram>,
    round_trip: RoundTrip,
    /// Share of the client's datagrams that were lost on the way to the server, 0 to 1, as the server reports it.
    lost_there: f64,
    /// Tick of the snapshot that was shown last.
    shown_from: Option<u64>,
    /// Time of the last call of `show`.
    shown_ms: Option<PassedMs>,
    /// Number of this client that the game has not learned yet from an event.
    connected: Option<Peer>,
    /// True if the server's tick rate has changed, and the game has not learned it yet from an event.
    is_rate_due: bool,
}

/// The client's end: it joins a server, receives its objects and returns them for drawing.
///
/// # What is shown
///
/// The usual delay follows the network, and aims at one freeze a minute. A fixed delay counts from the fastest packets. Both
/// follow the server's real tick rate, and are in their place 3 s after a pause or a break. `Aim::most_delay_ms` bounds the
/// delay beyond the fastest packets. `go_live` takes a client to the delay that the way needs now, and forgets what it needed
/// before. A server that stood still may run the ticks that it missed at once, or leave them out.
///
/// `Interpolation::Hermite` overshoots where an object stops at once: 35 mm into a wall at 20 packets a second, 74 at 10.
/// `Linear` stays between the snapshots. An id that is used again at once, with the same kind, is the same object to a
/// client: it glides to its new place.
pub struct Client {
    settings: Settings,
    format: Format,
    dialer: Dialer,
    coder: SnapshotCoder,
    empty: Baseline,
    session: ConnectionState,
    inputs: InputQueue,
    messages: Messages,
    path: PathMtu,
    budget: Budget,
    /// Sequence number of the next datagram.
    number: u16,
    /// Traffic of sent datagrams, and of received ones.
    traffic: [TrafficMeter; 2],
    rate: TickRate,
    /// The clock of playout and inputs, paced so that the server's ticks run at the agreed rate.
    clock: PacedClock,
    buffer: Buffer,
    poses: Vec<Pose>,
    /// The object that each slot showed last. An object that ended stays until another one comes into its slot.
    shown: Vec<ShownSlot>,
    objects: Vec<Object>,
    changes: ObjectChanges,
    delay_ms: Option<f64>,
    freezes: u64,
    is_frozen: bool,
    shown_tick: Option<f64>,
    shown_instant: Option<ShownInstant>,
    recorder: Option<Box<ClientRecorder>>,
}

impl Client {
    /// Creates a client that asks to join. The server's game judges the token, of at most 512 bytes. The nonce must be random.
    ///
    /// # Errors
    /// When the settings are invalid, or the token is too long.
    pub fn new(settings: Settings, token: &[u8], nonce: u64) -> Result<Self, SettingsError> {
        let (tick_rate, format) = (settings.checked_rate()?, settings.format()?);
        if token.len() > TOKEN_BYTES_MAX {
            return Err(SettingsError::Token(token.len()));
        }
        let config = buffer_config(&settings, tick_rate);
        let cubes = vec![Cube::EMPTY; settings.objects];
        let rows = vec![0; settings.objects * row_len(&format)];
        let (cubes, rows) = (&cubes[..], &rows[..]);
        Ok(Self {
            format,
            dialer: Dialer::new(settings.hash(), token, nonce),
            coder: SnapshotCoder::new(&format),
            empty: Baseline::new(&format, Snapshot { cubes, rows })
                .unwrap_or_else(|_| panic!("{QUANTISED}")),
            session: ConnectionState::default(),
            inputs: inputs_of(&settings, tick_rate),
            messages: Messages::default(),
            path: PathMtu::new(settings.mtu),
            budget: Budget::upload(settings.upload_kbps),
            number: 0,
            traffic: Default::default(),
            rate: tick_rate,
            clock: PacedClock::new(settings.tick_rate),
            buffer: Buffer::new(format, config),
            poses: vec![Pose::from(&CubeState::EMPTY); settings.objects],
            shown: vec![ShownSlot::EMPTY; settings.objects],
            objects: Vec::with_capacity(settings.objects),
            changes: ObjectChanges::default(),
            delay_ms: None,
            freezes: 0,
            is_frozen: false,
            shown_tick: None,
            shown_instant: None,
            recorder: None,
            settings,
        })
    }

    fn record(&mut self, now_ms: Option<f64>, call: ClientCall<'_>) {
        if let Some(recorder) = recorder_of(&mut self.recorder) {
            recorder.call(now_ms, call);
        }
    }

    /// Processes a datagram that came from the server. `now_ms` is the time of the client's own clock, ms.
    ///
    /// # Errors
    /// When the datagram is refused. It changed nothing but a counter; most games ignore the error and look at the counters.
    pub fn receive(&mut self, now_ms: f64, bytes: &[u8]) -> Result<(), RefusalReason> {
        if let Some(recorder) = recorder_of(&mut self.recorder) {
            recorder.receive(now_ms, &self.dialer, bytes);
        }
        let event = self.dialer.receive(now_ms, bytes)?;
        let now_ms = self.dialer.now_ms();
        self.traffic[1].add(now_ms.0, 1, bytes.len());
        let taken = match event {
            ClientEvent::Nothing => Ok(()),
            ClientEvent::Connected => {
                self.begin_anew();
                Ok(())
            }
            ClientEvent::Payload(payload) => {
                self.path.on_datagram(now_ms.0);
                let parts = Part::read_all(payload, Part::is_to_client);
                parts.and_then(|parts| self.on_parts(now_ms, &parts))
            }
        };
        if let Err(reason) = taken {
            self.dialer.count_refused(reason);
        }
        taken
    }

    fn begin_anew(&mut self) {
        self.session = ConnectionState::default();
        self.session.round_trip.begin(self.dialer.round_trip_ms());
        self.inputs = inputs_of(&self.settings, self.rate);
        self.messages.begin_anew();
        self.path = PathMtu::new(self.settings.mtu);
        self.session.connected = self.dialer.peer();
        self.clock.begin_anew();
        self.buffer.clear();
        self.shown.fill(ShownSlot::EMPTY);
    }

    pub(crate) fn on_parts(
        &mut self,
        now_ms: PassedMs,
        parts: &[Part<'_>],
    ) -> Result<(), RefusalReason> {
        parts
            .iter()
            .try_for_each(|part| self.on_part(now_ms, *part))
    }

    fn on_part(&mut self, now_ms: PassedMs, part: Part<'_>) -> Result<(), RefusalReason> {
        match part {
            Part::DatagramAck {
                number,
                ack_delay_ms,
                lost,
                margin,
            } => {
                let position = self.session.sent.iter().position(|it| it.number == number);
                if let Some(at) = position {
                    let sent = self.session.sent[at];
                    let took_ms = now_ms.since(sent.sent_ms) - f64::from(ack_delay_ms);
                    self.session
                        .round_trip
                        .on_sample(now_ms.0, took_ms.max(0.0));
                    self.path.on_ack(now_ms.0, sent.bytes);
                    self.session.sent.drain(..=at);
                    self.session.lost_there = f64::from(lost) / 255.0;
                }
                let PacedMs(paced_ms) = self.clock.at(now_ms);
                (self.inputs).on_ack(paced_ms, number, ticks_of(margin), self.session.lost_there);
                Ok(())
            }
            Part::Message { .. } | Part::MessageAck { .. } | Part::Say { .. } => {
                // The client learns of its datagrams from the server's acknowledgements of them.
                let _datagram = self.messages.on_part(part);
                Ok(())
            }
            Part::Probe {
                bytes, found_bytes, ..
            } => {
                self.path.on_probe(bytes, found_bytes);
                Ok(())
            }
            Part::ProbeAck { bytes } => {
                self.path.on_probe_ack(bytes);
                Ok(())
            }
            Part::SnapshotAck { .. } | Part::ChunkAck { .. } | Part::Inputs(_) => Ok(()),
            Part::Partial {
                base,
                part,
                last_part,
                bytes,
            } => self.on_partial(now_ms, base, [part, last_part], bytes),
            Part::Chunk {
                tick,
                index,
                count,
                bytes,
            } => self.on_chunk(tick, [index, count], bytes),
            Part::Packet {
                sequence,
                age,
                part,
                last_part,
                has_extras,
                bytes,
            } => {
                let newest = self.newest_tick().ok_or(RefusalReason::TooOld)?;
                let tick = tick_of_sequence(sequence, newest as i64);
                let tick = u64::try_from(tick).map_err(|_| RefusalReason::TooOld)?;
                if last_part == 0 {
                    return self.on_packet(now_ms, tick, age, has_extras, bytes);
                }
                match self.session.split.insert_part(tick, part, last_part, bytes) {
                    Some(whole) => self.on_packet(now_ms, tick, age, has_extras, &whole),
                    None => Ok(()),
                }
            }
        }
    }

    fn newest_tick(&self) -> Option<u64> {
        self.session.held.back().map(|held| held.tick)
    }

    fn on_chunk(
        &mut self,
        tick: u64,
        [index, count]: [u16; 2],
        bytes: &[u8],
    ) -> Result<(), RefusalReason> {
        let is_newer = |than: Option<u64>| than.is_none_or(|than| tick > than);
        if !is_newer(self.session.joined) {
            // The server may not know that the client has it.
            self.session.is_ack_due |= self.session.joined == Some(tick);
            return Ok(());
        }
        let most = (self.format.packet_bytes_max()).div_ceil(MTU_MIN - SEAL_BYTES - CHUNK_BYTES);
        if usize::from(count) > most {
            return Err(RefusalReason::Payload);
        }
        if is_newer(self.session.joining.as_ref().map(|joining| joining.tick)) {
            self.session.joining = Some(Pieces::new(tick, count));
        }
        let Some(joining) = self
            .session
            .joining
            .as_mut()
            .filter(|joining| joining.tick == tick)
        else {
            return Err(RefusalReason::TooOld);
        };
        let whole = joining.insert(index, count, bytes);
        self.session.is_ack_due = true;
        let Some(whole) = whole else {
            return Ok(());
        };
        self.session.joining = None;
        let mut baseline = self.empty.clone();
        let decoded = self.coder.decode(&mut baseline, 1, &whole);
        decoded.map_err(|_| RefusalReason::Packet)?;
        if self.session.joined.replace(tick).is_none() {
            self.session.epoch = epoch_of(tick);
        }
        self.session.needed = tick;
        // It is a baseline, and not shown: play begins with the next packet. Its way of several round trips would pass for
        // a delay of packets.
        self.hold(tick, baseline, Extras::NONE, None);
        Ok(())
    }

    fn on_packet(
        &mut self,
        now_ms: PassedMs,
        tick: u64,
        age: u16,
        has_extras: bool,
        packet: &[u8],
    ) -> Result<(), RefusalReason> {
        let base_tick = match age {
            0 => self.session.joined.ok_or(RefusalReason::TooOld)?,
            _ => tick.checked_sub(age.into()).ok_or(RefusalReason::TooOld)?,
        };
        if tick <= base_tick {
            return Err(RefusalReason::TooOld);
        }
        if find(&self.session.held, tick).is_some() {
            return Ok(());
        }
        let base = find(&self.session.held, base_tick).ok_or(RefusalReason::TooOld)?;
        let base = &base.baseline;
        let (extras, packet) = match has_extras {
            true => Extras::read(tick, packet)?,
            false => (Extras::NONE, packet),
        };
        if !extras.are_within(self.settings.objects) {
            return Err(RefusalReason::Payload);
        }
        let mut baseline = base.clone();
        let ticks = (tick - base_tick).min(TICKS_MAX) as u16;
        let decoded = self.coder.decode(&mut baseline, ticks, packet);
        decoded.map_err(|_| RefusalReason::Packet)?;
        if self.newest_tick().is_none_or(|newest| tick > newest) {
            self.session.needed = base_tick;
            if let Some(partial) = &mut self.session.partial {
                let number = self.rate.packet_number(base_tick, self.settings.send_rate);
                partial.needed = partial.needed.max(number);
            }
        }
        self.on_decoded(now_ms, tick, &baseline);
        self.hold(tick, baseline, extras, None);
        Ok(())
    }

    /// Notes the arrival of a decoded packet: for its acknowledgement, and for the clocks of playout and inputs.
    fn on_decoded(&mut self, now_ms: PassedMs, tick: u64, baseline: &Baseline) {
        if self.newest_tick().is_none_or(|newest| tick > newest) {
            self.session.is_ack_due = true;
            let round_trip_ms = self.session.round_trip.latest_ms();
            if self.clock.on_packet(now_ms, tick, round_trip_ms) {
                self.session.is_rate_due = true;
                self.buffer.clear();
                self.inputs.forget_times();
            }
            let round_trip_ms = self.session.round_trip.smoothed_ms().unwrap_or_default();
            let round_trip_ticks = self.rate.tick_of_ms(round_trip_ms) * self.clock.pace();
            let PacedMs(paced_ms) = self.clock.at(now_ms);
            self.inputs.follow(paced_ms, tick as f64, round_trip_ticks);
        }
        let send_rate = self.settings.send_rate;
        (self.session.arrivals).on_arrival(self.rate.packet_number(tick, send_rate));
        let shown_tick = tick as i64 - self.session.epoch as i64;
        (self.buffer).on_snapshot(self.clock.at(now_ms).0, shown_tick, baseline.cubes());
    }

    fn hold(
        &mut self,
        tick: u64,
        baseline: Baseline,
        extras: Extras,
        partial: Option<HeldPartial>,
    ) {
        let at = self.session.held.partition_point(|held| held.tick < tick);
        let held = HeldSnapshot {
            tick,
            number: self.rate.packet_number(tick, self.settings.send_rate),
            baseline,
            extras,
            partial,
        };
        self.session.held.insert(at, held);
        if self.session.partial.is_some() {
            self.drop_unnamed();
            return;
        }
        let shown = self.buffer.shown_tick();
        let shown = shown.map_or(0, |shown| self.session.epoch + shown as u64);
        let newest = self.newest_tick().unwrap_or(tick);
        let rate = self.settings.tick_rate;
        let late = u64::from(rate) * LATE_MS / 1000;
        let needed = self.session.needed.saturating_sub(late).min(shown);
        // The server's packets name no older baseline, but for the one with which the client joined.
        let old = newest.saturating_sub(age_max_ticks(rate));
        let of_packets = self.session.needed;
        let is_spare = |tick: u64| tick < needed || tick < old && tick != of_packets;
        while self
            .session
            .held
            .take_front_if(|held| is_spare(held.tick))
            .is_some()
        {}
        if self.session.held.len() > self.held_most() {
            let is_base = self
                .session
                .held
                .front()
                .is_some_and(|held| held.tick == of_packets);
            self.session.held.remove(usize::from(is_base));
        }
    }

    /// Upper limit of the number of stored snapshots. A server that breaks the protocol cannot make the client store more.
    fn held_most(&self) -> usize {
        let held = self.session.held.iter().map(HeldSnapshot::held_bytes);
        let bytes = held
            .max()
            .unwrap_or_default()
            .max(self.empty.held_bytes())
            .max(1);
        let ticks = age_max_ticks(self.settings.tick_rate) as usize;
        (HELD_BYTES / bytes).clamp(HELD_LEAST, ticks + HELD_LEAST)
    }

    /// Returns the next tick for which the game must give an input; `None` if no input is due. Call it at each frame until it
    /// returns `None`. These ticks run ahead of the server's, so that inputs arrive in time. It returns `None` before the
    /// first packet.
    ///
    /// The client's ticks run ahead by way and buffer. They follow the server's real rate, and steer by at most 3 % more.
    /// Inputs that come too late move them at once. A client of few frames gives the inputs of all ticks of a frame, up to
    /// half a second. On a way that grows faster than acknowledgements come back, inputs come too late; figures count them.
    /// `None` is due while the server is silent for a second. `Settings::input_lead_ms` sets how early they shall come,
    /// [`Client::input_ms`] says when one is due, and `datagram_parts` what each byte of a datagram is.
    #[must_use]
    pub fn next_input(&mut self, now_ms: f64) -> Option<u64> {
        self.record(Some(now_ms), ClientCall::NextInput);
        let now_ms = self.dialer.pass(now_ms);
        self.inputs.due(self.clock.at(now_ms).0)
    }

    /// Returns the time at which the input of a tick will be due, as far as the client knows now, ms by the game's clock. `None`
    /// while no input is due at all.
    #[must_use]
    pub fn input_ms(&self, tick: u64) -> Option<f64> {
        let due_ms = PacedMs(self.inputs.due_ms(tick)?);
        Some(self.dialer.game_ms(self.clock.passed_ms(due_ms)))
    }

    /// Returns the share by which the client's input clock now runs faster than the server's, so that inputs arrive early
    /// enough.
    #[must_use]
    pub fn input_steering(&self) -> f64 {
        self.inputs.steering()
    }

    /// Takes the player's input for a tick, of at most 64 bytes. The client sends it repeatedly until the server has it.
    ///
    /// # Errors
    /// When the input is too long, or the tick is not due.
    pub fn input(&mut self, tick: u64, bytes: &[u8]) -> Result<(), PayloadError> {
        self.inputs.push(tick, bytes)?;
        self.session.is_input_due = true;
        self.record(None, ClientCall::Input { tick, input: bytes });
        Ok(())
    }

    /// Returns the tick of the client's input clock, with its fraction.
    #[cfg(test)]
    pub(crate) fn input_at(&self) -> f64 {
        self.inputs.at()
    }

    /// Queues a message to the server, of at most 1,000 bytes. It arrives once, after all earlier messages. If the connection
    /// begins anew, messages that were sent before are not sent again.
    ///
    /// # Errors
    /// When the message is too long, or the queue is full. The queue holds [`crate::MESSAGE_QUEUE_BYTES`].
    pub fn message(&mut self, bytes: &[u8]) -> Result<(), PayloadError> {
        self.messages.push(bytes)?;
        self.record(None, ClientCall::Message(bytes));
        Ok(())
    }

    /// Queues a message of at most 1,000 bytes that is sent to the server once only. It may be lost, or arrive out of order.
    ///
    /// # Errors
    /// When the message is not sent: it is too long for this limit or for a datagram on this path, the queue is full, or the
    /// budget has no room for it soon.
    pub fn say(&mut self, bytes: &[u8]) -> Result<(), PayloadError> {
        let most = self.budget.datagram_bytes_max();
        let most = most.saturating_sub(HEADERS_BYTES + SEAL_BYTES + NUMBER_BYTES);
        let queue_bytes = self.budget.say_queue_bytes();
        self.messages
            .say(bytes, self.room().min(most), queue_bytes)?;
        self.record(None, ClientCall::Say(bytes));
        Ok(())
    }

    /// Returns the server's next message; `None` if there is none.
    #[must_use]
    pub fn next_message(&mut self) -> Option<Vec<u8>> {
        let message = self.messages.next()?;
        self.record(None, ClientCall::NextMessage);
        Some(message)
    }

    /// Number of bytes that a datagram has for the parts after its number.
    fn room(&self) -> usize {
        self.path.bytes() - SEAL_BYTES - NUMBER_BYTES
    }

    /// Returns the next datagram that is due for the server; `None` if no datagram is due. Call it at each frame until it
    /// returns `None`.
    #[must_use]
    pub fn send(&mut self, now_ms: f64) -> Option<Vec<u8>> {
        self.record(Some(now_ms), ClientCall::Send);
        let now_ms = self.dialer.pass(now_ms);
        let datagram = self.next_datagram(now_ms)?;
        if let Some(recorder) = recorder_of(&mut self.recorder) {
            recorder.sent(&datagram);
        }
        self.traffic[0].add(now_ms.0, 1, datagram.len());
        Some(datagram)
    }

    fn next_datagram(&mut self, now_ms: PassedMs) -> Option<Vec<u8>> {
        let payload = match *self.dialer.status() == Status::Connected {
            true => self.next_payload(now_ms),
            false => None,
        };
        let is_own = payload.is_none();
        let datagram = self.dialer.send_at(now_ms, payload.as_deref())?;
        if is_own {
            (self.budget).count(now_ms.0, datagram.len() + HEADERS_BYTES);
        }
        Some(datagram)
    }

    /// Returns the payload that is due, as far as the budget has room for it.
    fn next_payload(&mut self, now_ms: PassedMs) -> Option<Vec<u8>> {
        const HEAD_BYTES: usize = HEADERS_BYTES + SEAL_BYTES + NUMBER_BYTES;
        let PassedMs(at_ms) = now_ms;
        let rto_ms = self.session.round_trip.smoothed_ms().unwrap_or_default() * 1.25 + WAIT_MS;
        let mut payload = self.number.to_be_bytes().to_vec();
        let [room, most] = [
            self.budget.probe_room(at_ms),
            self.budget.datagram_bytes_max(),
        ]
        .map(|bytes| bytes.saturating_sub(HEADERS_BYTES));
        if let Some(probe) = self.path.next_probe(at_ms, rto_ms, room, most) {
            write_probe(probe, SEAL_BYTES + NUMBER_BYTES + PROBE_BYTES, &mut payload);
            self.number = self.number.wrapping_add(1);
            let bytes = probe.bytes + HEADERS_BYTES;
            self.budget.on_probe(at_ms, bytes);
            return Some(payload);
        }
        let due = self.path.due_bytes();
        self.budget.probe_bytes = due.map_or(0, |due| due + HEADERS_BYTES);
        let end = self.room() + NUMBER_BYTES;
        let due = self.messages.due_bytes(at_ms, rto_ms);
        let reserved = due.map_or(0, |due| due + HEAD_BYTES);
        let (most, _) = (self.budget).datagrams(at_ms, self.path.bytes(), reserved);
        let states = most.saturating_sub(SEAL_BYTES).min(end);
        if states >= INPUTS_ROOM_BYTES {
            self.write_states(states, &mut payload);
        }
        self.budget.are_states_waiting = self.session.is_input_due || self.session.is_ack_due;
        let has_states = payload.len() > NUMBER_BYTES;
        if has_states {
            let bytes = payload.len() + SEAL_BYTES + HEADERS_BYTES;
            self.budget.on_sent(at_ms, Purpose::States, bytes);
        }
        if self.path.limits().there_bytes.is_some() {
            let dropped = self.messages.drop_larger(self.room());
            self.path.count_too_large(dropped);
        }
        let mut room = self.budget.message_room(at_ms);
        if !has_states {
            room = room.saturating_sub(HEAD_BYTES);
        }
        let (room, before) = (room.min(end - payload.len()), payload.len());
        self.messages.write(at_ms, rto_ms, room, &mut payload);
        if payload.len() == NUMBER_BYTES {
            return None;
        }
        let more = if has_states { 0 } else { HEAD_BYTES };
        let bytes = payload.len() - before;
        if bytes > 0 {
            (self.budget).on_sent(at_ms, Purpose::Messages, bytes + more);
        }
        if self.session.sent.len() == SENT_MOST {
            self.session.sent.pop_front();
        }
        let sent = SentDatagram {
            number: self.number,
            sent_ms: now_ms,
            bytes: payload.len() + SEAL_BYTES,
        };
        self.session.sent.push_back(sent);
        self.path.on_sent(at_ms, sent.bytes);
        self.number = self.number.wrapping_add(1);
        Some(payload)
    }

    /// Appends the acknowledgements and inputs that are due. The payload may have up to `end` bytes.
    fn write_states(&mut self, end: usize, payload: &mut Vec<u8>) {
        while let Some(bytes) = self.path.next_ack() {
            Part::ProbeAck { bytes }.write(payload);
        }
        if std::mem::take(&mut self.session.is_ack_due) {
            match (&self.session.joining, self.newest_tick()) {
                (Some(joining), _) => joining.ack().write(payload),
                (None, Some(newest)) => {
                    let (tick, before) = (newest as u32, self.session.arrivals.before());
                    Part::SnapshotAck { tick, before }.write(payload);
                }
                (None, None) => {}
            }
        }
        if std::mem::take(&mut self.session.is_input_due) {
            payload.push(INPUTS);
            let room = end - payload.len();
            if !self.inputs.write(self.number, room, payload) {
                payload.pop();
            }
        }
    }

    /// Returns the objects to draw now. They are shown as they were a little earlier at the server, interpolated between two
    /// snapshots. A second call with the same time returns the same objects.
    pub fn show(&mut self, now_ms: f64) -> &[Object] {
        self.record(Some(now_ms), ClientCall::Show);
        self.show_at(now_ms);
        if let Some(recorder) = recorder_of(&mut self.recorder) {
            recorder.shown(self.shown_tick, &self.objects);
        }
        &self.objects
    }

    fn show_at(&mut self, now_ms: f64) {
        let now_ms = self.dialer.pass(now_ms);
        if self.session.shown_ms.replace(now_ms) == Some(now_ms) {
            return;
        }
        let instant = self.buffer.advance(self.clock.at(now_ms).0);
        let playback = instant.and_then(|instant| self.buffer.show(instant, &mut self.poses));
        let epoch = self.session.epoch;
        self.shown_tick = playback.map(|playback| epoch as f64 + playback.shown_tick);
        self.delay_ms = playback.map(|playback| playback.delay_ms / self.clock.pace());
        let is_frozen = playback.is_some_and(|playback| playback.hitch);
        let was_frozen = std::mem::replace(&mut self.is_frozen, is_frozen);
        self.freezes += u64::from(is_frozen && !was_frozen);
        let shown = instant.filter(|_| playback.is_some());
        if self.session.partial.is_some() {
            if let Some(instant) = shown {
                self.show_partial(instant.play_tick);
            }
            return self.changes.update(self.objects.iter());
        }
        let around = self
            .buffer
            .around()
            .map(|tick| tick.map(|tick| epoch.wrapping_add_signed(tick)));
        self.shown_instant = shown.map(|instant| ShownInstant {
            interpolation: self.settings.interpolation,
            play_tick: instant.play_tick,
            packets: ShownPackets::Around(around),
        });
        let tick = around[1].filter(|_| playback.is_some()).unwrap_or(u64::MAX);
        let Ok(at) = self
            .session
            .held
            .binary_search_by_key(&tick, |held| held.tick)
        else {
            return self.changes.update(self.objects.iter());
        };
        let teleported = self.teleported(at);
        let play = PlayInstant {
            epoch,
            play_tick: instant.map_or(0.0, |instant| instant.play_tick),
        };
        let held = &self.session.held[at];
        let next = around[2].and_then(|tick| find(&self.session.held, tick));
        self.objects.clear();
        for (slot, pose) in self.poses.iter().enumerate() {
            let cube = held.cube(slot);
            let ended = next.and_then(|next| next.extras.ended(slot));
            if cube.life.is_empty() || has_ended(ended, held.tick, play) {
                continue;
            }
            let mut object = Object::dequantised(&self.format, cube, held.row(slot));
            object.teleported = teleported.binary_search(&slot).is_ok();
            let goes_on = |next: &HeldSnapshot| {
                let (own, other) = (held.shown(slot), next.shown(slot));
                own.goes_on(other, next.extras.has_jumped(slot, held.tick))
            };
            object.add(held.extras.velocities(slot));
            if next.is_none_or(goes_on) {
                object.move_to(*pose);
            }
            self.objects.push(object);
        }
        self.changes.update(self.objects.iter());
    }

    /// Makes the stored snapshot with the index `at` the shown one. Returns the slots, rising, whose objects were shown
    /// elsewhere before, as they jumped or changed their slot.
    fn teleported(&mut self, at: usize) -> Vec<usize> {
        let tick = self.session.held[at].tick;
        let before = self.session.shown_from.replace(tick);
        if before == Some(tick) {
            return Vec::new();
        }
        let is_elsewhere = |&slot: &usize| {
            let (shown, own) = (self.shown[slot], self.session.held[at].shown(slot));
            if shown.life.is_empty() || shown.id != own.id {
                let is_it = |other: &ShownSlot| !other.life.is_empty() && other.id == own.id;
                return before.is_some() && !own.life.is_empty() && self.shown.iter().any(is_it);
            }
            // Each snapshot counts, also one that no frame showed.
            let passed = self.session.held.range(..=at).rev();
            let mut passed =
                passed.take_while(|held| before.is_none_or(|before| held.tick > before));
            let has_jumped = |held: &HeldSnapshot| {
                let other = held.shown(slot);
                let is_announced =
                    before.is_some_and(|before| held.extras.has_jumped(slot, before));
                !other.life.is_empty() && (other != shown || is_announced)
            };
            !own.life.is_empty() && passed.any(has_jumped)
        };
        let teleported = (0..self.shown.len()).filter(is_elsewhere).collect();
        for (slot, shown) in self.shown.iter_mut().enumerate() {
            let own = self.session.held[at].shown(slot);
            if !own.life.is_empty() {
                *shown = own;
            }
        }
        teleported
    }

    /// Returns the next change of the connection; `None` if there is none.
    #[must_use]
    pub fn next_event(&mut self) -> Option<ConnectionEvent> {
        let event = self.taken_event()?;
        self.record(None, ClientCall::NextEvent);
        Some(event)
    }

    fn taken_event(&mut self) -> Option<ConnectionEvent> {
        if let Some(peer) = self.session.connected.take() {
            return Some(ConnectionEvent::Connected(peer));
        }
        if let Some(limits) = self.path.next_limits() {
            return Some(ConnectionEvent::Path(limits));
        }
        let agreed = self.settings.tick_rate;
        let measured = self.clock.measured_hz()?;
        let event = ConnectionEvent::TickRate { agreed, measured };
        std::mem::take(&mut self.session.is_rate_due).then_some(event)
    }

    /// Objects that appeared or ended in the last call of `show`.
    pub fn changes(&self) -> &ObjectChanges {
        &self.changes
    }

    /// Measurements of the connection to the server.
    pub fn figures(&self) -> Figures {
        let PassedMs(now_ms) = self.dialer.now_ms();
        let [sent, received] = self.traffic.map(|meter| meter.at(now_ms));
        Figures {
            round_trip_ms: self.session.round_trip.smoothed_ms(),
            least_round_trip_ms: self.session.round_trip.least_ms(),
            lost_there: self.session.lost_there,
            lost_here: self.session.arrivals.lost(),
            sent,
            received,
            delay_ms: self.delay_ms,
            freezes: self.freezes,
            input_margin_ticks: self.inputs.margin_ticks(),
            path: self.path.limits(),
            too_large: self.path.too_large(),
            budget_kbps: self.budget.kbps(),
            refused_messages: self.messages.refused()[0],
            refused_says: self.messages.refused()[1],
            server_tick_rate: self.clock.measured_hz(),
            missing_objects: (self.session.held.back())
                .and_then(|newest| Some(newest.partial.as_ref()?.notes.missing.into()))
                .unwrap_or(0),
            ..Figures::default()
        }
    }

    /// Tick of the server that the last `show` showed, with its fraction; `None` before the first snapshot.
    pub fn shown_tick(&self) -> Option<f64> {
        self.shown_tick
    }

    /// Changes how the client fills the time between two snapshots, and how it chooses the instant that it shows. Play begins
    /// anew with the next packets.
    pub fn set_playout(&mut self, interpolation: Interpolation, playout: Playout) {
        (self.settings.interpolation, self.settings.playout) = (interpolation, playout);
        self.buffer = Buffer::new(self.format, buffer_config(&self.settings, self.rate));
        if let Some(recorder) = recorder_of(&mut self.recorder) {
            recorder.set_playout(&self.settings);
        }
    }

    /// Makes the next `show` jump to its proper time if play lags behind: for use after a menu or a loading screen.
    pub fn go_live(&mut self) {
        self.record(None, ClientCall::GoLive);
        self.buffer.go_live();
    }

    /// Identifies the picture that the last `show` returned, for `Server::seen`: a server that judges a shot needs it.
    pub fn shown_instant(&self) -> Option<ShownInstant> {
        self.shown_instant
    }

    /// Returns tick and objects of the newest snapshot, for games that predict from it; `None` before the first one.
    ///
    /// A snapshot of tick T has the inputs up to T: at each newer snapshot take your object from here, step it again with
    /// your inputs after T, and draw it there; `show` has it too, in the past. The game gives it an id, such as that of
    /// [`Client::peer`], which is a new one after each join. Forget your inputs at [`ConnectionEvent::Connected`]: after a
    /// restart ticks begin again at 1.
    pub fn newest(&self) -> Option<(u64, impl Iterator<Item = Object>)> {
        let held = &self.session.held;
        let newest = held.back()?;
        Some((newest.tick, self.newest_objects(newest).into_iter()))
    }

    /// The text of all lists but the stored snapshots.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        let ConnectionState {
            joining,
            split,
            sent,
            ..
        } = &self.session;
        let session = (joining, split, sent);
        format!(
            "{session:?} {:?} {:?} {:?}",
            self.inputs, self.messages, self.path
        )
    }

    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.session.held.len()
    }

    /// Memory that the stored snapshots take, bytes.
    pub fn held_bytes(&self) -> usize {
        let held = self.session.held.iter().map(HeldSnapshot::held_bytes);
        let partial = self.session.partial.as_ref();
        let floor = partial.map_or(0, |partial| partial.floor.held_bytes());
        held.sum::<usize>() + floor + self.buffer.held_bytes()
    }

    /// The number that the server gave this client; `None` while it is not connected.
    pub fn peer(&self) -> Option<Peer> {
        self.dialer.peer()
    }

    #[cfg(test)]
    pub(crate) fn snapshot(&self) -> Option<(u64, Snapshot<'_>)> {
        self.session
            .held
            .back()
            .map(|newest| (newest.tick, newest.baseline.snapshot()))
    }

    #[cfg(test)]
    pub(crate) fn is_partial(&self) -> bool {
        self.session.partial.is_some()
    }

    /// Returns true if the newest snapshot has the state that a slot's object had at the snapshot's own tick.
    #[cfg(test)]
    pub(crate) fn is_fresh(&self, slot: usize) -> bool {
        (self.session.held.back()).is_some_and(|newest| newest.is_fresh(slot))
    }

    /// The state of the connection.
    pub fn status(&self) -> &Status {
        self.dialer.status()
    }

    /// Returns why the client was refused: the game's words, or else the reason in words. `None` if it was not refused.
    pub fn refusal(&self) -> Option<String> {
        match self.status() {
            Status::Refused(reason, words) if words.is_empty() => Some(reason.to_string()),
            Status::Refused(_, words) => Some(words.clone()),
            Status::Full => Some(Refusal::Full.to_string()),
            Status::Connecting | Status::Connected | Status::Closed => None,
        }
    }

    /// Number of server restarts that the client noticed.
    pub fn restarts(&self) -> u32 {
        self.dialer.restarts()
    }

    /// Numbers of refused datagrams, by reason.
    pub fn refused(&self) -> &RefusedCounts {
        self.dialer.refused()
    }

    /// Ends the connection; returns a datagram that tells the server, or `None` if there is no connection.
    #[must_use]
    pub fn goodbye(&mut self) -> Option<Vec<u8>> {
        self.record(None, ClientCall::Goodbye);
        let datagram = self.dialer.goodbye()?;
        if let Some(recorder) = recorder_of(&mut self.recorder) {
            recorder.sent(&datagram);
        }
        Some(datagram)
    }
}

#[cfg(any(test, feature = "recording"))]
impl Client {
    /// Creates a client as [`Client::new`] does, which records all calls and datagrams that it gets, in up to `bytes_max`
    /// bytes.
    ///
    /// Tokens, messages and words are zeros in it, and keys are never in it. Inputs, nonces, objects and settings are. The feature
    /// `recording` has this function, and is on by default. The usual build of the package for JavaScript is without it.
    ///
    /// # Errors
    /// When the settings are invalid, the token is too long, or a recording cannot hold a setting.
    pub fn recorded(
        settings: Settings,
        token: &[u8],
        nonce: u64,
        bytes_max: usize,
    ) -> Result<Self, SettingsError> {
        let mut client = Self::new(settings, token, nonce)?;
        let recorder = ClientRecorder::new(&client.settings, token, nonce, bytes_max)?;
        client.recorder = Some(Box::new(recorder));
        Ok(client)
    }

    /// The recording so far, which may be copied at any time; `None` if the client does not record.
    pub fn recording(&self) -> Option<&[u8]> {
        self.recorder
            .as_ref()
            .map(|recorder| recorder.writer.bytes())
    }

    /// Ends the recording; returns its bytes. `None` if the client does not record.
    pub fn take_recording(&mut self) -> Option<Vec<u8>> {
        self.recorder
            .take()
            .map(|recorder| recorder.writer.finish())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Client");
        debug.field("status", self.status()).finish_non_exhaustive()
    }
}

fn buffer_config(settings: &Settings, tick_rate: TickRate) -> BufferConfig {
    BufferConfig {
        tick_rate,
        interpolation: settings.interpolation,
        playout: settings.playout,
        send_interval_ms: 1000.0 / f64::from(settings.send_rate),
    }
}

fn inputs_of(settings: &Settings, rate: TickRate) -> InputQueue {
    InputQueue::new(rate, settings.input_repeats).with_lead(settings.input_lead_ms)
}
