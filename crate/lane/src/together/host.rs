//! The host's end of a shared world: it serves the objects of a world to one guest, who steers the second cube.

use super::connection_log::ConnectionLog;
use super::delay_meter::DelayMeter;
use super::report::{HostWord, KeyCounts, Report};
use super::{ShareError, connection_of, snapshot_hash};
use crate::strategy::game::server::{SteeredKeys, write_objects};
use crate::strategy::game::{InterestRule, keys_of_tick};
use serde::Serialize;
use snapshot_codec::CubeState;
use snapshot_netsim::proxy::{Heading, Proxy, ProxyLink};
use snapshot_replication::{DatagramOutcome, Interest, Object, Peer, PeerEvent, Server};
use snapshot_settings::{MissingKeys, Settings, WEBRTC_BYTES};
use std::collections::VecDeque;

/// Silence after which the guest counts as gone, ms.
const GONE_MS: f64 = 5_000.0;
/// Time without a tick of the host's world after which the connection keeps itself alive, ms.
const QUIET_MS: f64 = 250.0;
/// Ticks between two messages of the host to the guest.
const WORD_TICKS: u64 = 30;
/// Number of the newest datagrams to the guest of which the left out ones are counted, as many as the figure of losses is of.
const LEFT_OUT_OF: usize = 120;
/// Number of sent snapshots that are kept, so that even a late report of the guest can be compared.
const SENT_MAX: usize = 1_024;
/// Reason for which a silent guest is refused.
const SILENT: &str = "The host heard nothing for 5 s.";
/// Index of the cube that the host's own hand steers.
const HOST_CUBE: usize = 0;

/// The guest as the host knows it: its state and its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HostedGuest {
    /// False until the guest has all objects.
    pub is_playing: bool,
    pub round_trip_ms: Option<f64>,
    /// Share of the newest packets to the guest that were lost on the way, percent. Datagrams that the host left out itself
    /// are not lost.
    pub lost_percent: f64,
    /// Rate of the datagrams to the guest, without headers, kbit/s.
    pub kbps: f64,
    /// Rate of the datagrams to the guest with the headers that a data channel adds (SCTP, DTLS, UDP, IPv4), kbit/s.
    pub kbps_with_headers: f64,
    /// Median and 95th percentile of the snapshots' delays on the way to the guest over 10 s, ms. The fastest snapshot is
    /// assumed to need half of the least round trip.
    pub one_way_ms: Option<[f64; 2]>,
    /// Number of ticks whose keys came too late.
    pub keys_late: u32,
    /// Number of ticks whose keys never came.
    pub keys_lost: u32,
    /// Age of the guest's picture, as the guest measures it, ms.
    pub screen_age_ms: Option<f32>,
    pub corrections: Option<u32>,
    /// Number of decoded snapshots whose hashes were compared with the hashes of the sent snapshots.
    pub compared: u64,
    /// Number of decoded snapshots that differ from the sent ones.
    pub mismatches: u64,
}

/// A connection, and the guest at its other end.
struct GuestState {
    /// The guest's number at the server; `None` until it has asked to join.
    peer: Option<Peer>,
    is_playing: bool,
    received_ms: f64,
    report: Option<Report>,
    compared: u64,
    mismatches: u64,
    log: ConnectionLog,
    delays: DelayMeter,
    /// True for each of the newest datagrams that the caller left out, oldest first.
    left_out: VecDeque<bool>,
    /// Number of messages to the guest.
    words: u32,
}

impl GuestState {
    fn new(now_ms: f64) -> GuestState {
        GuestState {
            peer: None,
            is_playing: false,
            received_ms: now_ms,
            report: None,
            compared: 0,
            mismatches: 0,
            log: ConnectionLog::default(),
            delays: DelayMeter::default(),
            left_out: VecDeque::new(),
            words: 0,
        }
    }

    /// Share of the newest datagrams that the caller left out, 0 to 1.
    fn left_out(&self) -> f64 {
        let count = self.left_out.iter().filter(|is_left_out| **is_left_out);
        count.count() as f64 / self.left_out.len().max(1) as f64
    }
}

/// Returns the share of the sent datagrams that were lost, from the share of all numbered ones that did not arrive and the
/// share of all that were left out, 0 to 1.
pub(super) fn lost_of_sent(missing: f64, left_out: f64) -> f64 {
    match left_out < 1.0 {
        true => ((missing - left_out) / (1.0 - left_out)).max(0.0),
        false => 0.0,
    }
}

/// A snapshot that was sent.
#[derive(Clone, Copy, Debug)]
struct SentTick {
    tick: u64,
    hash: u64,
    sent_ms: f64,
}

/// A link that is simulated in front of the real one.
struct SimulatedLink {
    proxy: Proxy<u32>,
    /// Slot of the connection in the proxy; `None` until something came over it.
    slot: Option<usize>,
}

/// The host of a shared world.
///
/// [`Host::connect`] begins a connection. In each tick, [`Host::guest_keys`] returns the guest's keys, the caller's world
/// steps, and [`Host::tick`] sends the states. After each call that takes a time, call [`Host::next_datagram`] until it
/// returns `None`.
pub struct Host {
    server: Server<u32>,
    rival: usize,
    rule: InterestRule,
    missing: MissingKeys,
    /// Keys of the guest in the last tick.
    keys: u8,
    /// Number of the newest connection, from 1. The number keeps late datagrams of an earlier connection from the guest.
    connection: u32,
    guest: Option<GuestState>,
    outbox: VecDeque<Vec<u8>>,
    link: Option<SimulatedLink>,
    header_bytes: u32,
    /// The newest sent snapshots, oldest first.
    sent: VecDeque<SentTick>,
    objects: Vec<Object>,
    now_ms: f64,
    /// Time of the last tick, or of the last sign of life without one, ms.
    sent_ms: f64,
    tick: Option<u64>,
    /// Number that is added to the caller's ticks on the wire, so that these rise even after the caller's world went back.
    ticks_ahead: u64,
}

impl Host {
    /// Makes a host of a scene without a guest. The secret must be random.
    ///
    /// # Errors
    /// When the scene has no second cube, or the settings make no connection.
    pub fn new(settings: &Settings, secret: [u8; 16]) -> Result<Host, ShareError> {
        let (game, lane) = connection_of(settings)?;
        let cube_count = settings.cube_count();
        let rival = settings.world().rival_among(cube_count);
        let (rival, settings) = (rival.ok_or(ShareError::NoSecondCube)?, &lane);
        Ok(Host {
            server: Server::new(game, secret)?,
            rival,
            rule: InterestRule::new(settings),
            missing: settings.missing_keys(),
            keys: 0,
            connection: 0,
            guest: None,
            outbox: VecDeque::new(),
            link: None,
            header_bytes: settings.header_bytes(),
            sent: VecDeque::new(),
            objects: Vec::with_capacity(cube_count),
            now_ms: 0.0,
            sent_ms: 0.0,
            tick: None,
            ticks_ahead: 0,
        })
    }

    /// Begins a connection, over which a guest may join. The guest of the connection before is gone.
    pub fn connect(&mut self, now_ms: f64) {
        self.now_ms = self.now_ms.max(now_ms);
        self.leave(SILENT);
        self.outbox.clear();
        if let Some(link) = &mut self.link {
            link.slot = None;
        }
        self.connection += 1;
        self.keys = 0;
        self.guest = Some(GuestState::new(self.now_ms));
    }

    /// Receives a datagram that came over the connection.
    pub fn receive(&mut self, now_ms: f64, datagram: &[u8]) {
        self.now_ms = self.now_ms.max(now_ms);
        let Some(guest) = &mut self.guest else {
            return;
        };
        guest.log.on_received(self.now_ms, datagram);
        let (connection, header_bytes) = (self.connection, self.header_bytes);
        match &mut self.link {
            Some(link) => {
                let bytes = datagram.len() as u32 + header_bytes;
                let sent = (link.proxy).from_client(self.now_ms, connection, datagram, 1, bytes);
                if let Some(sent) = sent {
                    link.slot = Some(sent.slot);
                }
                self.pass(now_ms);
            }
            None => self.on_datagram(datagram),
        }
    }

    /// Lets time pass: datagrams that the simulated link holds arrive, and a silent guest counts as gone.
    pub fn pass(&mut self, now_ms: f64) {
        self.now_ms = self.now_ms.max(now_ms);
        let mut datagram = Vec::new();
        while let Some(link) = &mut self.link
            && let Some(delivery) = link.proxy.deliver(self.now_ms, &mut datagram)
        {
            if delivery.address != self.connection {
                continue;
            }
            match delivery.heading {
                Heading::ToServer => self.on_datagram(&datagram),
                Heading::ToClient => self.outbox.push_back(datagram.clone()),
            }
        }
        let silent_since_ms = self.now_ms - GONE_MS;
        let guest = self.guest.as_ref();
        if guest.is_some_and(|guest| guest.received_ms < silent_since_ms) {
            self.leave(SILENT);
        }
        if self.now_ms >= self.sent_ms + QUIET_MS {
            self.connection_goes_on();
        }
    }

    /// Returns the guest's keys for the next tick. Call this before the caller's world steps. `tick` is the tick of that
    /// world, which may have gone back to an earlier tick.
    #[must_use]
    pub fn guest_keys(&mut self, tick: u64) -> u8 {
        let tick = self.sent_tick(tick);
        self.keys = self.guest.as_ref().map_or(0, |guest| {
            let input = guest.peer.and_then(|peer| self.server.input(peer, tick));
            let came = input.and_then(|input| input.first().copied());
            keys_of_tick(came, self.missing, self.keys)
        });
        self.keys
    }

    /// Sends the states after a tick of the caller's world.
    pub fn tick(&mut self, now_ms: f64, tick: u64, states: &[CubeState], hand_keys: u8) {
        self.pass(now_ms);
        let tick = self.sent_tick(tick);
        let hands = [(Some(HOST_CUBE), hand_keys), (Some(self.rival), self.keys)];
        let steered = SteeredKeys(hands);
        write_objects(states, steered, &mut self.objects);
        let place = states
            .get(self.rival)
            .map_or([0.0; 3], |state| state.position);
        let rule = self.rule;
        let sees = |_: Peer, object: &Object| match steered.keys(object.id as usize) {
            Some(_) => Interest::Detail(f32::INFINITY),
            None => rule.interest(place, object),
        };
        let mut sent = Vec::new();
        // Only a tick beyond all numbers is refused.
        let _ = (self.server).tick(
            self.now_ms,
            tick,
            &self.objects,
            sees,
            |connection, datagram| {
                sent.push((*connection, datagram.to_vec()));
            },
        );
        self.tick = self.tick.max(Some(tick));
        for (connection, datagram) in sent {
            self.depart(connection, datagram);
        }
        self.sent_ms = self.now_ms;
        if tick.is_multiple_of(WORD_TICKS) {
            self.send_word();
        }
        self.keep_sent();
        self.on_events();
        self.read_reports();
    }

    /// Number that is added to the caller's ticks on the wire; it grows when the caller's world goes back to an earlier tick.
    pub fn ticks_ahead(&self) -> u64 {
        self.ticks_ahead
    }

    /// Returns the next datagram for the guest; `None` if none is due.
    #[must_use]
    pub fn next_datagram(&mut self) -> Option<Vec<u8>> {
        let datagram = self.outbox.pop_front()?;
        if let Some(guest) = &mut self.guest {
            guest.log.on_sent(self.now_ms, &datagram);
            if guest.left_out.len() == LEFT_OUT_OF {
                guest.left_out.pop_front();
            }
            guest.left_out.push_back(false);
        }
        Some(datagram)
    }

    /// Says that the caller left out the newest `count` datagrams that [`Host::next_datagram`] returned: they are not lost on
    /// their way.
    pub fn leave_out(&mut self, count: usize) {
        if let Some(guest) = &mut self.guest {
            for newest in guest.left_out.iter_mut().rev().take(count) {
                guest.log.forget_sent();
                *newest = true;
            }
        }
    }

    /// Ends the connection, and tells the guest the reason `why`. The last datagrams have to be sent after this call.
    pub fn send_away(&mut self, why: &str) {
        self.leave(why);
        self.connection_goes_on();
    }

    /// Puts a simulated link in front of the real one, in both directions; `None` removes it.
    pub fn simulate(&mut self, link: Option<ProxyLink>) {
        self.link = link.map(|link| SimulatedLink {
            proxy: Proxy::new(link, false),
            slot: None,
        });
    }

    /// Returns the guest with its figures; `None` without a connection, and once the guest is gone.
    pub fn guest(&self) -> Option<HostedGuest> {
        let guest = self.guest.as_ref()?;
        let figures = guest
            .peer
            .and_then(|peer| self.server.figures(peer))
            .unwrap_or_default();
        let report = guest.report.as_ref();
        let keys = KeyCounts::from(figures.inputs);
        Some(HostedGuest {
            is_playing: guest.is_playing,
            round_trip_ms: figures.round_trip_ms,
            lost_percent: lost_of_sent(figures.lost_there, guest.left_out()) * 100.0,
            kbps: figures.sent.bytes * 0.008,
            kbps_with_headers: 0.008
                * (figures.sent.bytes + f64::from(WEBRTC_BYTES) * figures.sent.datagrams),
            one_way_ms: (figures.least_round_trip_ms)
                .and_then(|least_ms| guest.delays.delays_ms(least_ms / 2.0)),
            keys_late: keys.late,
            keys_lost: keys.lost,
            screen_age_ms: report.map(|report| report.screen_age_ms),
            corrections: report.map(|report| report.corrections),
            compared: guest.compared,
            mismatches: guest.mismatches,
        })
    }

    /// Log of the datagrams that passed this end, before the simulated link; `None` without a guest.
    pub fn log(&self) -> Option<&ConnectionLog> {
        self.guest.as_ref().map(|guest| &guest.log)
    }

    #[cfg(test)]
    pub(super) fn server(&self) -> &Server<u32> {
        &self.server
    }

    /// Returns the number on the wire of the caller's next tick.
    fn sent_tick(&mut self, tick: u64) -> u64 {
        let least = self.tick.map_or(0, |tick| tick + 1);
        self.ticks_ahead = self.ticks_ahead.max(least.saturating_sub(tick));
        tick + self.ticks_ahead
    }

    fn on_datagram(&mut self, datagram: &[u8]) {
        let outcome = (self.server).receive(self.now_ms, &self.connection, datagram);
        let is_sound = !matches!(outcome, DatagramOutcome::Refused(_));
        if let Some(guest) = self.guest.as_mut().filter(|_| is_sound) {
            guest.received_ms = self.now_ms;
        }
        match outcome {
            DatagramOutcome::Answer(answer) => self.depart(self.connection, answer),
            DatagramOutcome::Joins(peer, _) => self.admit(peer),
            DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
        }
        self.on_events();
    }

    /// Admits the guest, who may have joined before over the same connection.
    fn admit(&mut self, peer: Peer) {
        let Some(guest) = &mut self.guest else {
            self.server.refuse(peer, SILENT);
            return;
        };
        if let Some(before) = guest.peer.filter(|before| *before != peer) {
            self.server.refuse(before, SILENT);
        }
        self.server.admit(peer);
        *guest = GuestState {
            peer: Some(peer),
            log: std::mem::take(&mut guest.log),
            ..GuestState::new(self.now_ms)
        };
    }

    fn on_events(&mut self) {
        while let Some(event) = self.server.next_event() {
            let guest = self.guest.as_mut();
            let Some(guest) = guest.filter(|it| it.peer.is_some() && it.peer == event.peer())
            else {
                continue;
            };
            match event {
                PeerEvent::Playing(_) => guest.is_playing = true,
                PeerEvent::Left(_, _) => self.guest = None,
                // None of these changes the guest; nor does an event of a later version.
                PeerEvent::Joined(_) | PeerEvent::Path(_, _) | PeerEvent::Missed | _ => {}
            }
        }
    }

    /// Removes the guest, and has the server tell it the reason `why`.
    fn leave(&mut self, why: &str) {
        if let Some(peer) = self.guest.take().and_then(|guest| guest.peer) {
            self.server.refuse(peer, why);
        }
    }

    /// Sends a datagram of the server: at once, or over the simulated link.
    fn depart(&mut self, connection: u32, datagram: Vec<u8>) {
        if connection != self.connection {
            return;
        }
        let bytes = datagram.len() as u32 + self.header_bytes;
        // A connection that sent nothing since the link is there is not behind it.
        if let Some(link) = &mut self.link
            && let Some(slot) = link.slot
        {
            let _ = (link.proxy).from_server(self.now_ms, slot, &datagram, 1, bytes);
            return;
        }
        self.outbox.push_back(datagram);
    }

    /// Sends the datagrams that the connection needs while no new tick comes.
    fn connection_goes_on(&mut self) {
        let Some(tick) = self.tick else {
            return;
        };
        self.sent_ms = self.now_ms;
        let (own, outbox) = (self.connection, &mut self.outbox);
        // Past a simulated link. A farewell would never leave the link; and its bursts of loss are of packets, so at one sign of
        // life a second they would last for longer than the silence after which a guest gives up.
        let _ = (self.server).tick(
            self.now_ms,
            tick,
            &[],
            |_, _| false,
            |connection, datagram| {
                if *connection == own {
                    outbox.push_back(datagram.to_vec());
                }
            },
        );
    }

    /// Tells the guest the counts of its keys, and the share of left out datagrams.
    fn send_word(&mut self) {
        let Some(guest) = &mut self.guest else {
            return;
        };
        let Some(peer) = guest.peer else {
            return;
        };
        guest.words += 1;
        let word = HostWord {
            number: guest.words,
            left_out: (guest.left_out() * 255.0) as u8,
            keys: KeyCounts::from(self.server.figures(peer).unwrap_or_default().inputs),
        };
        // A message that finds no room is followed by the next one.
        let _ = self.server.say(peer, &word.to_bytes());
    }

    /// Keeps hash and time of the newest snapshot.
    fn keep_sent(&mut self) {
        let (newest, objects) = self.server.newest();
        if self.sent.back().is_none_or(|last| last.tick < newest) {
            self.sent.push_back(SentTick {
                tick: newest,
                hash: snapshot_hash(objects),
                sent_ms: self.now_ms,
            });
        }
        if self.sent.len() > SENT_MAX {
            self.sent.pop_front();
        }
    }

    fn read_reports(&mut self) {
        while let Some((peer, bytes)) = self.server.next_message() {
            let guest = self.guest.as_mut().filter(|it| it.peer == Some(peer));
            let (Some(guest), Some(report)) = (guest, Report::of_bytes(&bytes)) else {
                continue;
            };
            if let Some((tick, hash)) = report.decoded {
                let sent = self.sent.iter().find(|sent| sent.tick == tick);
                guest.compared += u64::from(sent.is_some());
                guest.mismatches += u64::from(sent.is_some_and(|sent| sent.hash != hash));
            }
            for (tick, arrival_ms) in report.arrivals.iter() {
                if let Ok(place) = self.sent.binary_search_by_key(&tick, |sent| sent.tick) {
                    guest
                        .delays
                        .on_arrival(arrival_ms, self.sent[place].sent_ms);
                }
            }
            guest.report = Some(report);
        }
    }
}
