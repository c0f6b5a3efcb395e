//! The host's end of a shared world: it serves the objects of a world to its guests. Each guest has a
//! connection, numbered by the caller. The *second hand* is the guest who steers the second cube.

use super::connection_log::ConnectionLog;
use super::delay_meter::DelayMeter;
use super::name::name_of;
use super::report::{HostWord, KeyCounts, Report};
use super::{GUESTS_MAX, ShareError, connection_of, snapshot_hash};
use crate::strategy::game::server::{SteeredKeys, write_objects};
use crate::strategy::game::{InterestRule, keys_of_tick};
use serde::Serialize;
use snapshot_codec::CubeState;
use snapshot_netsim::proxy::{Heading, Proxy, ProxyLink};
use snapshot_replication::{
    DatagramOutcome, Interest, Object, Peer, PeerEvent, Server, SettingsError,
};
use snapshot_settings::{MissingKeys, Settings, WEBRTC_BYTES};
use std::collections::{BTreeMap, VecDeque};

/// Silence after which a guest counts as gone, ms.
const GONE_MS: f64 = 5_000.0;
/// Time without a tick of the host's world after which connections keep themselves alive, ms.
const QUIET_MS: f64 = 250.0;
/// Ticks between two messages of the host to each guest.
const WORD_TICKS: u64 = 30;
/// Number of the newest datagrams to a guest of which the left out ones are counted, as many as the figure of losses is of.
const LEFT_OUT_OF: usize = 120;
/// Number of sent snapshots that are kept, so that even a late report of a guest can be compared.
const SENT_MAX: usize = 1_024;
/// Reason for which a silent guest is refused.
const SILENT: &str = "The host heard nothing for 5 s.";
/// Index of the cube that the host's own hand steers.
const HOST_CUBE: usize = 0;

/// State of a guest in the host's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RowStatus {
    /// The guest is connected, and does not have all objects yet.
    Joining,
    Playing,
    /// Nothing has come from the guest for 5 s, or it has left.
    Gone,
}

/// Row of the host's list of guests: a guest's state and figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GuestRow {
    /// Number of the guest's connection, given by the caller.
    pub connection: u32,
    pub name: String,
    pub status: RowStatus,
    /// True if the guest steers the second cube.
    pub has_hand: bool,
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
    pub keys_late: u64,
    /// Number of ticks whose keys never came.
    pub keys_lost: u64,
    /// Age of the guest's picture, as the guest measures it, ms.
    pub screen_age_ms: Option<f32>,
    /// Total time within the last minute in which the guest's picture stood still, ms.
    pub still_ms: Option<f32>,
    pub corrections: Option<u32>,
    /// Number of decoded snapshots, as the guest counts them.
    pub snapshots: Option<u32>,
    /// Number of decoded snapshots whose hashes were compared with the hashes of the sent snapshots.
    pub compared: u64,
    /// Number of decoded snapshots that differ from the sent ones.
    pub mismatches: u64,
}

struct GuestState {
    peer: Option<Peer>,
    name: String,
    status: RowStatus,
    received_ms: f64,
    report: Option<Report>,
    compared: u64,
    mismatches: u64,
    log: ConnectionLog,
    delays: DelayMeter,
    /// True for each of the newest datagrams that the caller left out, oldest first.
    left_out: VecDeque<bool>,
    /// Number of messages to the guest, and whether the newest reliable one said that the guest steers.
    words: u32,
    told_to_steer: Option<bool>,
}

impl GuestState {
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

/// A snapshot that was sent to all guests.
#[derive(Clone, Copy, Debug)]
struct SentTick {
    tick: u64,
    hash: u64,
    sent_ms: f64,
}

/// A link that is simulated in front of the real one.
struct SimulatedLink {
    proxy: Proxy<u32>,
    /// Connections by slot of the proxy.
    connections: BTreeMap<usize, u32>,
}

/// The host of a shared world.
///
/// In each tick, [`Host::second_hand`] returns the guest's keys, the caller's world steps, and [`Host::tick`] sends the
/// states. After each call that takes a time, call [`Host::next_datagram`] until it returns `None`.
pub struct Host {
    server: Server<u32>,
    rival: usize,
    rule: InterestRule,
    missing: MissingKeys,
    /// Keys of the second hand in the last tick.
    keys: u8,
    second_hand: Option<u32>,
    guests: BTreeMap<u32, GuestState>,
    outbox: VecDeque<(u32, Vec<u8>)>,
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
    has_ended: bool,
}

impl Host {
    /// Makes a host of a scene without guests. The secret must be random.
    ///
    /// # Errors
    /// When the scene has no second cube, or the settings make no connection.
    pub fn new(settings: &Settings, secret: [u8; 16]) -> Result<Host, ShareError> {
        Host::with_server(settings, |game| Server::new(game, secret))
    }

    /// Makes a host as [`Host::new`] does, with a server made by `make`, for example a server that records.
    ///
    /// # Errors
    /// When the scene has no second cube, or the settings make no connection.
    pub fn with_server(
        settings: &Settings,
        make: impl FnOnce(snapshot_replication::Settings) -> Result<Server<u32>, SettingsError>,
    ) -> Result<Host, ShareError> {
        let (game, lane) = connection_of(settings)?;
        let cube_count = settings.cube_count();
        let rival = settings.world().rival_among(cube_count);
        let (rival, settings) = (rival.ok_or(ShareError::NoSecondCube)?, &lane);
        Ok(Host {
            server: make(game)?,
            rival,
            rule: InterestRule::new(settings),
            missing: settings.missing_keys(),
            keys: 0,
            second_hand: None,
            guests: BTreeMap::new(),
            outbox: VecDeque::new(),
            link: None,
            header_bytes: settings.header_bytes(),
            sent: VecDeque::new(),
            objects: Vec::with_capacity(cube_count),
            now_ms: 0.0,
            sent_ms: 0.0,
            tick: None,
            ticks_ahead: 0,
            has_ended: false,
        })
    }

    pub fn server(&self) -> &Server<u32> {
        &self.server
    }

    /// Receives a datagram that came over a connection. Use a connection's number for one guest only.
    pub fn receive(&mut self, now_ms: f64, connection: u32, datagram: &[u8]) {
        self.now_ms = self.now_ms.max(now_ms);
        if let Some(guest) = self.guests.get_mut(&connection) {
            guest.log.on_received(self.now_ms, datagram);
        }
        let header_bytes = self.header_bytes;
        match &mut self.link {
            Some(link) => {
                let bytes = datagram.len() as u32 + header_bytes;
                let sent = (link.proxy).from_client(self.now_ms, connection, datagram, 1, bytes);
                if let Some(sent) = sent {
                    link.connections.insert(sent.slot, connection);
                }
                self.pass(now_ms);
            }
            None => self.on_datagram(connection, datagram),
        }
    }

    /// Lets time pass: datagrams that the simulated link holds arrive, and silent guests count as gone.
    pub fn pass(&mut self, now_ms: f64) {
        self.now_ms = self.now_ms.max(now_ms);
        let mut datagram = Vec::new();
        while let Some(link) = &mut self.link
            && let Some(delivery) = link.proxy.deliver(self.now_ms, &mut datagram)
        {
            match delivery.heading {
                Heading::ToServer => self.on_datagram(delivery.address, &datagram),
                Heading::ToClient => self.outbox.push_back((delivery.address, datagram.clone())),
            }
        }
        let silent_since_ms = self.now_ms - GONE_MS;
        let is_silent = |guest: &GuestState| {
            guest.status != RowStatus::Gone && guest.received_ms < silent_since_ms
        };
        let silent: Vec<u32> = (self.guests.iter())
            .filter(|(_, guest)| is_silent(guest))
            .map(|(connection, _)| *connection)
            .collect();
        silent
            .into_iter()
            .for_each(|connection| self.leave(connection, SILENT));
        if self.now_ms >= self.sent_ms + QUIET_MS {
            self.connections_go_on();
        }
    }

    /// Returns the keys of the second hand for the next tick. Call this before the caller's world steps. `tick` is the tick
    /// of that world, which may have gone back to an earlier tick.
    #[must_use]
    pub fn second_hand(&mut self, tick: u64) -> u8 {
        let tick = self.sent_tick(tick);
        let mut came = None;
        for (connection, guest) in &self.guests {
            let input = guest.peer.and_then(|peer| self.server.input(peer, tick));
            if self.second_hand == Some(*connection) {
                came = input.and_then(|input| input.first().copied());
            }
        }
        self.keys = match self.second_hand {
            Some(_) => keys_of_tick(came, self.missing, self.keys),
            None => 0,
        };
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
        self.send_words(tick.is_multiple_of(WORD_TICKS));
        self.keep_sent();
        self.on_events();
        self.read_reports();
    }

    /// Number that is added to the caller's ticks on the wire; it grows when the caller's world goes back to an earlier tick.
    pub fn ticks_ahead(&self) -> u64 {
        self.ticks_ahead
    }

    /// Returns the next datagram with its connection; `None` if none is due.
    #[must_use]
    pub fn next_datagram(&mut self) -> Option<(u32, Vec<u8>)> {
        let (connection, datagram) = self.outbox.pop_front()?;
        if let Some(guest) = self.guests.get_mut(&connection) {
            guest.log.on_sent(self.now_ms, &datagram);
            if guest.left_out.len() == LEFT_OUT_OF {
                guest.left_out.pop_front();
            }
            guest.left_out.push_back(false);
        }
        Some((connection, datagram))
    }

    /// Says that the caller left out the datagram that [`Host::next_datagram`] returned last for a connection: it is not lost on
    /// its way.
    pub fn leave_out(&mut self, connection: u32) {
        if let Some(guest) = self.guests.get_mut(&connection) {
            guest.log.forget_sent();
            if let Some(newest) = guest.left_out.back_mut() {
                *newest = true;
            }
        }
    }

    /// Makes the guest of a connection the second hand; does nothing if that guest is gone.
    pub fn give_second_hand(&mut self, connection: u32) {
        if self.is_here(connection) {
            self.second_hand = Some(connection);
        }
    }

    /// Ends a connection that was closed, and removes its guest from the list.
    pub fn close(&mut self, connection: u32) {
        self.send_away(connection, SILENT);
    }

    /// Ends the connection of a guest, tells the guest the reason `why`, and removes the guest from the list. The last
    /// datagrams have to be sent after this call.
    pub fn send_away(&mut self, connection: u32, why: &str) {
        self.leave(connection, why);
        self.guests.remove(&connection);
        self.connections_go_on();
    }

    /// Removes all guests, and tells them the reason `why`. Nobody can join after this call.
    pub fn end(&mut self, why: &str) {
        let peers: Vec<Peer> = self
            .guests
            .values()
            .filter_map(|guest| guest.peer)
            .collect();
        peers
            .into_iter()
            .for_each(|peer| self.server.refuse(peer, why));
        self.has_ended = true;
        self.connections_go_on();
    }

    /// Puts a simulated link in front of the real one, in both directions; `None` removes it.
    pub fn simulate(&mut self, link: Option<ProxyLink>) {
        self.link = link.map(|link| SimulatedLink {
            proxy: Proxy::new(link, false),
            connections: BTreeMap::new(),
        });
    }

    /// Returns the list of guests, by rising number of the connection.
    pub fn guests(&self) -> Vec<GuestRow> {
        self.guests
            .iter()
            .map(|(connection, guest)| self.row(*connection, guest))
            .collect()
    }

    /// Log of the datagrams of a guest that passed this end, before the simulated link; `None` for an unknown connection.
    pub fn log(&self, connection: u32) -> Option<&ConnectionLog> {
        self.guests.get(&connection).map(|guest| &guest.log)
    }

    /// Returns true if one more guest can join.
    pub fn has_room(&self) -> bool {
        let here = self
            .guests
            .keys()
            .filter(|connection| self.is_here(**connection))
            .count();
        !self.has_ended && here < GUESTS_MAX
    }

    /// Returns the number on the wire of the caller's next tick.
    fn sent_tick(&mut self, tick: u64) -> u64 {
        let least = self.tick.map_or(0, |tick| tick + 1);
        self.ticks_ahead = self.ticks_ahead.max(least.saturating_sub(tick));
        tick + self.ticks_ahead
    }

    fn row(&self, connection: u32, guest: &GuestState) -> GuestRow {
        let figures = guest
            .peer
            .and_then(|peer| self.server.figures(peer))
            .unwrap_or_default();
        let report = guest.report.as_ref();
        let keys = KeyCounts::from(figures.inputs);
        GuestRow {
            connection,
            name: guest.name.clone(),
            status: guest.status,
            has_hand: self.second_hand == Some(connection),
            round_trip_ms: figures.round_trip_ms,
            lost_percent: lost_of_sent(figures.lost_there, guest.left_out()) * 100.0,
            kbps: figures.sent.bytes * 0.008,
            kbps_with_headers: 0.008
                * (figures.sent.bytes + f64::from(WEBRTC_BYTES) * figures.sent.datagrams),
            one_way_ms: (figures.least_round_trip_ms)
                .and_then(|least_ms| guest.delays.delays_ms(least_ms / 2.0)),
            keys_late: keys.late.into(),
            keys_lost: keys.lost.into(),
            screen_age_ms: report.map(|report| report.screen_age_ms),
            still_ms: report.map(|report| report.still_ms),
            corrections: report.map(|report| report.corrections),
            snapshots: report.map(|report| report.snapshots),
            compared: guest.compared,
            mismatches: guest.mismatches,
        }
    }

    fn is_here(&self, connection: u32) -> bool {
        let guest = self.guests.get(&connection);
        guest.is_some_and(|guest| guest.status != RowStatus::Gone)
    }

    fn on_datagram(&mut self, connection: u32, datagram: &[u8]) {
        let outcome = self.server.receive(self.now_ms, &connection, datagram);
        let is_sound = !matches!(outcome, DatagramOutcome::Refused(_));
        if let Some(guest) = self.guests.get_mut(&connection).filter(|_| is_sound) {
            guest.received_ms = self.now_ms;
        }
        match outcome {
            DatagramOutcome::Answer(answer) => self.depart(connection, answer),
            DatagramOutcome::Joins(peer, token) => self.admit(connection, peer, &token),
            DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
        }
        self.on_events();
    }

    /// Admits a guest, who may have been here before by the same connection.
    fn admit(&mut self, connection: u32, peer: Peer, token: &[u8]) {
        if self.has_ended || !(self.is_here(connection) || self.has_room()) {
            self.server.refuse(peer, "The room is full.");
            return;
        }
        let names = self
            .guests
            .iter()
            .filter(|(other, _)| **other != connection);
        let names = names.map(|(_, guest)| guest.name.as_str());
        let name = name_of(token, names);
        self.server.admit(peer);
        let guest = GuestState {
            peer: Some(peer),
            name,
            status: RowStatus::Joining,
            received_ms: self.now_ms,
            report: None,
            compared: 0,
            mismatches: 0,
            log: ConnectionLog::default(),
            delays: DelayMeter::default(),
            left_out: VecDeque::new(),
            words: 0,
            told_to_steer: None,
        };
        self.guests.insert(connection, guest);
        if self.second_hand.is_none() {
            self.second_hand = Some(connection);
        }
    }

    fn on_events(&mut self) {
        while let Some(event) = self.server.next_event() {
            let is_its =
                |guest: &&mut GuestState| guest.peer.is_some() && guest.peer == event.peer();
            let Some(guest) = self.guests.values_mut().find(is_its) else {
                continue;
            };
            match event {
                PeerEvent::Playing(_) => guest.status = RowStatus::Playing,
                PeerEvent::Left(_, _) => {
                    (guest.status, guest.peer) = (RowStatus::Gone, None);
                }
                // Neither changes the list; nor does an event of a later version.
                PeerEvent::Joined(_) | PeerEvent::Path(_, _) | PeerEvent::Missed | _ => {}
            }
        }
        self.pass_on_the_hand();
    }

    /// Removes a guest's connection. The guest stays in the list as one who is gone.
    fn leave(&mut self, connection: u32, why: &str) {
        let Some(guest) = self.guests.get_mut(&connection) else {
            return;
        };
        guest.status = RowStatus::Gone;
        if let Some(peer) = guest.peer.take() {
            self.server.refuse(peer, why);
        }
        self.pass_on_the_hand();
    }

    /// Gives the hand of a guest who is gone to the first one who is here.
    fn pass_on_the_hand(&mut self) {
        if self
            .second_hand
            .is_some_and(|connection| self.is_here(connection))
        {
            return;
        }
        let here = self
            .guests
            .keys()
            .find(|connection| self.is_here(**connection))
            .copied();
        if self.second_hand != here {
            (self.second_hand, self.keys) = (here, 0);
        }
    }

    /// Sends a datagram of the server: at once, or over the simulated link.
    fn depart(&mut self, connection: u32, datagram: Vec<u8>) {
        let bytes = datagram.len() as u32 + self.header_bytes;
        if let Some(link) = &mut self.link {
            let slot = link
                .connections
                .iter()
                .find(|(_, other)| **other == connection);
            let slot = slot.map(|(slot, _)| *slot);
            // A connection that sent nothing since the link is there is not behind it.
            if let Some(slot) = slot {
                let _ = link
                    .proxy
                    .from_server(self.now_ms, slot, &datagram, 1, bytes);
                return;
            }
        }
        self.outbox.push_back((connection, datagram));
    }

    /// Sends the datagrams that connections need while no new tick comes.
    fn connections_go_on(&mut self) {
        let Some(tick) = self.tick else {
            return;
        };
        self.sent_ms = self.now_ms;
        let mut sent = Vec::new();
        let _ = (self.server).tick(
            self.now_ms,
            tick,
            &[],
            |_, _| false,
            |connection, datagram| {
                sent.push((*connection, datagram.to_vec()));
            },
        );
        // Past a simulated link. A farewell would never leave the link; and its bursts of loss are of packets, so at one sign of
        // life a second they would last for longer than the silence after which a guest gives up.
        self.outbox.extend(sent);
    }

    /// Tells each guest whether the guest steers the second cube, reliably once this changes. If `is_due`, every guest is told
    /// again, with the counts of its keys.
    fn send_words(&mut self, is_due: bool) {
        let second_hand = self.second_hand;
        for (connection, guest) in &mut self.guests {
            let Some(peer) = guest.peer else {
                continue;
            };
            let steers = second_hand == Some(*connection);
            let is_new = guest.told_to_steer != Some(steers);
            if !(is_new || is_due) {
                continue;
            }
            guest.words += 1;
            let word = HostWord {
                number: guest.words,
                steers,
                left_out: (guest.left_out() * 255.0) as u8,
                keys: KeyCounts::from(self.server.figures(peer).unwrap_or_default().inputs),
            };
            if is_new && self.server.message(peer, &word.to_bytes()).is_ok() {
                guest.told_to_steer = Some(steers);
            } else if is_due {
                // A message that finds no room is followed by the next one.
                let _ = self.server.say(peer, &word.to_bytes());
            }
        }
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
            let is_its = |guest: &&mut GuestState| guest.peer == Some(peer);
            let guest = self.guests.values_mut().find(is_its);
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
