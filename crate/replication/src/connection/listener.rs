//! The server's end of all its connections.

use super::datagram::{
    BLANK, Datagram, Refusal, SealDirection, SealedKind, VERSION, is_genuine, seal,
};
use super::{PassingTime, RefusalReason, RefusedCounts, TIMEOUT_MS, WORDS_BYTES_MAX};
use crate::path_limits::PathLimits;
use crate::payload::HEADERS_BYTES;
use crate::sorted::SortedMap;
use siphasher::sip::SipHasher24;
use snapshot_base::text::beginning;
use std::collections::VecDeque;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Least time for which a proof of address stays valid, ms. The greatest is twice as long.
const STAMP_MS: f64 = 10_000.0;
/// Silence after which another connection from the same address may replace a client, ms.
const REPLACE_MS: f64 = 1000.0;
/// Upper limit of one step of the server's time, ms. So a server that stood still does not remove its clients.
const STEP_MS: f64 = 1000.0;
/// Silence of the server towards a connected client after which a datagram keeps the connection alive, ms. A server whose
/// world stands still sends nothing else.
const KEEP_MS: f64 = 1000.0;
/// Upper limit of the number of addresses that have proved themselves, but whose clients are not admitted. A refused client
/// makes room for a new one. If all wait for the game, the newest is turned away. All of them take some 150 kB.
const GUESTS_MOST: usize = 1024;
/// Upper limit of the number of such addresses of one host.
const HOST_GUESTS_MOST: usize = 8;
/// Silence of a client after which a datagram from its address with a wrong tag may come from another client, ms. A client
/// sends a datagram at least each 200 ms.
const STRANGER_MS: f64 = 300.0;
/// Length of a challenge, which each client was sent before it joined, bytes.
const CHALLENGE_BYTES: usize = 21;
/// Least of the upper limit of the number of events that wait for the game.
const EVENTS_MOST: usize = 1024;
/// Number of events that each client may have at a time, so that all of them fit: joined, playing, path and left.
const EVENTS_A_CLIENT: usize = 4;

/// The number of a client, which no other client of the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer(u32);

impl Peer {
    /// The number as an integer; clients are counted from 1.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Makes a client's number from an integer.
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "peer {}", self.0)
    }
}

/// The content of a datagram for the server.
#[derive(Debug, PartialEq, Eq)]
pub enum ServerEvent<'a> {
    /// Bytes to send back to the address from which the datagram came.
    Answer(Vec<u8>),
    /// A client with its token; it waits for 9 s to be admitted or refused.
    Joins(Peer, Vec<u8>),
    /// A payload from a client.
    Payload(Peer, &'a [u8]),
    /// A datagram without anything for the game.
    Taken,
}

/// Reason why a client is no longer connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeaveReason {
    /// The client said goodbye.
    Goodbye,
    /// The server heard nothing from the client for too long.
    Silence,
    /// The client connected again from the same address.
    Replaced,
    /// The game removed the client.
    Refused,
}

/// A change of an admitted client's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeerEvent {
    /// The client is connected.
    Joined(Peer),
    /// The client has received its first snapshot of the objects that it sees. Only a server of objects reports it, not a
    /// connection by itself.
    Playing(Peer),
    /// The path to the client carries no datagrams beyond these sizes, or carries them again. Only a server of objects reports
    /// it.
    Path(Peer, PathLimits),
    /// The client has left. A client that never answered its admission leaves without having joined.
    Left(Peer, LeaveReason),
    /// The game did not ask for its events for so long that the oldest were dropped. A game compares its players with
    /// `Server::peers` or [`Listener::connected`]. Events that follow are newer than the dropped ones.
    Missed,
}

impl PeerEvent {
    /// The client that the event is about; `None` for missed events.
    pub const fn peer(self) -> Option<Peer> {
        match self {
            Self::Joined(peer)
            | Self::Playing(peer)
            | Self::Path(peer, _)
            | Self::Left(peer, _) => Some(peer),
            Self::Missed => None,
        }
    }

    /// The event's number: 1 joined, 2 playing. A client that left has a number for its reason: 3 goodbye, 4 silence, 5
    /// another client from its address, 6 removed by the game. 7 is the path, 8 missed events.
    pub const fn number(self) -> u32 {
        match self {
            Self::Joined(_) => 1,
            Self::Playing(_) => 2,
            Self::Left(_, why) => 3 + why as u32,
            Self::Path(..) => 7,
            Self::Missed => 8,
        }
    }
}

#[derive(Clone, Debug)]
enum PeerStage {
    /// The client waits: the game has not judged its token yet.
    Waiting,
    /// The game admitted the client; the client may not know that yet.
    Admitted,
    /// The client has proved that it has the key of the connection.
    Connected,
    /// The game or the server refused the client. The refusal is sent each time the client asks.
    Refused(Refusal, String),
    /// The game removed the client. A sealed goodbye with these words tells the client.
    ThrownOut(String),
}

impl PeerStage {
    /// Returns true if the client counts towards the limit of clients.
    const fn is_seated(&self) -> bool {
        matches!(self, Self::Admitted | Self::Connected)
    }
}

#[derive(Clone, Debug)]
struct Connection<A> {
    address: A,
    /// The number of the address's host, if the game names hosts.
    host: Option<u64>,
    nonce: u64,
    key: u64,
    stage: PeerStage,
    received_ms: f64,
    /// Time of the newest sealed datagram to the client, ms.
    sent_ms: f64,
    /// Time of the first datagram that told the client of its admission, ms.
    accepted_ms: Option<f64>,
    /// Time from the first datagram with the admission to the client's first sealed datagram, ms: at most a round trip if
    /// nothing is lost.
    round_trip_ms: f64,
    /// True once the client was sent its refusal.
    is_notified: bool,
    /// Bytes of the challenge, admissions and keeps that were sent since [`Listener::taken_bytes`], with the headers of IP and UDP.
    own_bytes: usize,
}

/// The server's end of all connections. `A` is the type of an address, as the socket has it.
#[derive(Clone, Debug)]
pub struct Listener<A> {
    settings: u64,
    secret: [u8; 16],
    epoch: u32,
    clients_max: usize,
    time: PassingTime,
    connections: SortedMap<Peer, Connection<A>>,
    peers: SortedMap<A, Peer>,
    next: u32,
    events: VecDeque<PeerEvent>,
    /// True if events were dropped since the game last asked.
    has_missed: bool,
    refused: RefusedCounts,
}

/// Uses of the server's secret. The input of each hash begins with its use, so that no hash can replace another.
#[derive(Clone, Copy)]
enum SecretUse {
    Cookie = 1,
    Key = 2,
    Epoch = 3,
}

impl<A: Clone + Ord + Hash> Listener<A> {
    /// Creates a server without clients. `settings` is a hash of all settings that both ends must agree on. The secret must be
    /// random, and new each time the server starts.
    pub fn new(settings: u64, secret: [u8; 16], clients_max: usize) -> Self {
        let mut listener = Self {
            settings,
            secret,
            epoch: 0,
            clients_max,
            time: PassingTime::new(STEP_MS),
            connections: SortedMap::new(),
            peers: SortedMap::new(),
            next: 1,
            events: VecDeque::new(),
            has_missed: false,
            refused: RefusedCounts::default(),
        };
        listener.epoch = listener.keyed(SecretUse::Epoch, 0, 0, None) as u32;
        listener
    }

    fn keyed(&self, usage: SecretUse, stamp: u32, nonce: u64, from: Option<&A>) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.secret);
        hasher.write_u8(usage as u8);
        hasher.write_u32(stamp);
        hasher.write_u64(nonce);
        // As `Option` hashes itself where a word has 64 bits: on all machines the same secret makes the same numbers.
        hasher.write_u64(from.is_some().into());
        if let Some(from) = from {
            from.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the cookie of an address, which a client must send back to prove its address.
    fn cookie(&self, stamp: u32, nonce: u64, from: &A) -> u64 {
        self.keyed(SecretUse::Cookie, stamp, nonce, Some(from))
    }

    /// Returns the key of a new connection.
    fn key(&self, nonce: u64, from: &A) -> u64 {
        self.keyed(SecretUse::Key, 0, nonce, Some(from))
    }

    /// Numbers of refused datagrams, by reason.
    pub fn refused(&self) -> &RefusedCounts {
        &self.refused
    }

    /// Counts a payload that the caller refused for this reason.
    pub fn count_refused(&mut self, reason: RefusalReason) {
        self.refused.add(reason);
    }

    /// Processes a datagram; returns its content. The time may come from any clock that does not go backwards. `host` is the
    /// same for all addresses of a host, such as its IP address: at most eight of them wait to be admitted. With `None` the
    /// addresses have nothing in common.
    ///
    /// # Errors
    /// When the datagram is refused. It is counted, and nothing else changes.
    pub fn receive<'a>(
        &mut self,
        now_ms: f64,
        from: &A,
        host: Option<u64>,
        bytes: &'a [u8],
    ) -> Result<ServerEvent<'a>, RefusalReason> {
        let taken = (self.time.pass(now_ms)).and_then(|_| self.handle(from, host, bytes));
        if let Err(reason) = &taken {
            self.refused.add(*reason);
        }
        match taken {
            Err(reason @ (RefusalReason::Unknown | RefusalReason::Tag)) => {
                match Datagram::read(bytes)? {
                    Datagram::Sealed { tag, .. }
                        if bytes.len() >= 9
                            && (reason == RefusalReason::Unknown || self.is_silent(from)) =>
                    {
                        let epoch = self.epoch;
                        Ok(ServerEvent::Answer(
                            Datagram::Unknown { tag, epoch }.bytes(),
                        ))
                    }
                    _ => taken,
                }
            }
            // The server has started again since the challenge, or the client has another address.
            Err(RefusalReason::Cookie) => match Datagram::read(bytes)? {
                Datagram::Proof { nonce, .. } => Ok(self.challenge(nonce, from)),
                _ => taken,
            },
            Err(reason) => match (refusal_for(reason), Datagram::read(bytes)) {
                (
                    Some(refusal),
                    Ok(Datagram::Hello { nonce, .. } | Datagram::Proof { nonce, .. }),
                ) => Ok(ServerEvent::Answer(refusal_bytes(nonce, refusal, ""))),
                _ => taken,
            },
            taken => taken,
        }
    }

    /// Returns true if the client at an address has been silent for so long that another client may replace it.
    fn is_silent(&self, from: &A) -> bool {
        let peer = self.peers.get(from);
        let connection = peer.and_then(|peer| self.connections.get(peer));
        connection.is_none_or(|it| self.time.now_ms() - it.received_ms >= STRANGER_MS)
    }

    fn challenge<'a>(&self, nonce: u64, from: &A) -> ServerEvent<'a> {
        let stamp = self.stamp();
        let cookie = self.cookie(stamp, nonce, from);
        let challenge = Datagram::Challenge {
            nonce,
            stamp,
            cookie,
        };
        ServerEvent::Answer(challenge.bytes())
    }

    fn handle<'a>(
        &mut self,
        from: &A,
        host: Option<u64>,
        bytes: &'a [u8],
    ) -> Result<ServerEvent<'a>, RefusalReason> {
        match Datagram::read(bytes)? {
            Datagram::Hello {
                version,
                nonce,
                settings,
            } => {
                self.check(version, settings)?;
                Ok(self.challenge(nonce, from))
            }
            Datagram::Proof {
                version,
                nonce,
                settings,
                stamp,
                cookie,
                token,
            } => {
                self.check(version, settings)?;
                let is_fresh = stamp <= self.stamp() && stamp.saturating_add(1) >= self.stamp();
                if !is_fresh || cookie != self.cookie(stamp, nonce, from) {
                    return Err(RefusalReason::Cookie);
                }
                self.join(from, host, nonce, token)
            }
            Datagram::Sealed { kind, payload, .. } => {
                let peer = *self.peers.get(from).ok_or(RefusalReason::Unknown)?;
                let connection = self
                    .connections
                    .get_mut(&peer)
                    .ok_or(RefusalReason::Unknown)?;
                if !is_genuine(connection.key, SealDirection::ToServer, bytes) {
                    return Err(RefusalReason::Tag);
                }
                if kind == SealedKind::Bye && payload != BLANK {
                    return Err(RefusalReason::Malformed);
                }
                let now_ms = self.time.now_ms();
                let mut has_joined = false;
                match &connection.stage {
                    PeerStage::Waiting | PeerStage::Refused(..) => {
                        return Err(RefusalReason::Unasked);
                    }
                    PeerStage::ThrownOut(words) => {
                        return Ok(ServerEvent::Answer(bye_bytes(connection.key, words)));
                    }
                    PeerStage::Admitted => {
                        connection.stage = PeerStage::Connected;
                        connection.round_trip_ms =
                            now_ms - connection.accepted_ms.unwrap_or(now_ms);
                        has_joined = true;
                    }
                    PeerStage::Connected => {}
                }
                connection.received_ms = now_ms;
                if has_joined {
                    self.tell(PeerEvent::Joined(peer));
                }
                Ok(match kind {
                    SealedKind::Data => ServerEvent::Payload(peer, payload),
                    SealedKind::Keep => ServerEvent::Taken,
                    SealedKind::Bye => {
                        self.forget(peer, Some(LeaveReason::Goodbye));
                        ServerEvent::Taken
                    }
                })
            }
            Datagram::Challenge { .. }
            | Datagram::Accept { .. }
            | Datagram::Refuse { .. }
            | Datagram::Unknown { .. } => Err(RefusalReason::Unasked),
        }
    }

    fn check(&self, version: u8, settings: u64) -> Result<(), RefusalReason> {
        if version != VERSION {
            return Err(RefusalReason::OtherVersion);
        }
        if settings != self.settings {
            return Err(RefusalReason::OtherSettings);
        }
        Ok(())
    }

    fn stamp(&self) -> u32 {
        (self.time.now_ms() / STAMP_MS) as u32
    }

    /// Handles a client that has proved its address: adds it as a waiting client, or repeats the answer to it.
    fn join<'a>(
        &mut self,
        from: &A,
        host: Option<u64>,
        nonce: u64,
        token: &[u8],
    ) -> Result<ServerEvent<'a>, RefusalReason> {
        let now_ms = self.time.now_ms();
        if let Some(&peer) = self.peers.get(from)
            && let Some(connection) = self.connections.get_mut(&peer)
        {
            let is_same = connection.nonce == nonce;
            let is_silent = now_ms - connection.received_ms >= REPLACE_MS;
            match &connection.stage {
                PeerStage::Refused(refusal, words) if is_same => {
                    return Ok(ServerEvent::Answer(refusal_bytes(nonce, *refusal, words)));
                }
                // Another client may have the nonce of one that was thrown out. A late copy of that one's proof comes sooner.
                PeerStage::ThrownOut(words) if is_same && !is_silent => {
                    let refusal = Refusal::NotAdmitted;
                    return Ok(ServerEvent::Answer(refusal_bytes(nonce, refusal, words)));
                }
                PeerStage::Refused(..) | PeerStage::ThrownOut(_) => self.forget(peer, None),
                _ if is_same => {
                    connection.received_ms = now_ms;
                    return Ok(ServerEvent::Taken);
                }
                // A late copy of an old proof must not end a connection that works.
                _ if !is_silent => return Ok(ServerEvent::Taken),
                _ => self.forget(peer, Some(LeaveReason::Replaced)),
            }
        }
        let is_full = host.is_some() && !self.make_room(HOST_GUESTS_MOST, |it| it.host == host)
            || !self.make_room(GUESTS_MOST, |_| true);
        if is_full {
            return Ok(ServerEvent::Answer(refusal_bytes(nonce, Refusal::Full, "")));
        }
        let peer = Peer(self.next);
        self.next = self.next.wrapping_add(1).max(1);
        let connection = Connection {
            address: from.clone(),
            host,
            nonce,
            key: self.key(nonce, from),
            stage: PeerStage::Waiting,
            received_ms: now_ms,
            sent_ms: now_ms,
            accepted_ms: None,
            round_trip_ms: 0.0,
            is_notified: false,
            own_bytes: CHALLENGE_BYTES + HEADERS_BYTES,
        };
        self.connections.insert(peer, connection);
        self.peers.insert(from.clone(), peer);
        Ok(ServerEvent::Joins(peer, token.to_vec()))
    }

    /// Makes room for another waiting client among those that `is_kind` selects, by removing the oldest refused one. Returns
    /// false if all of them wait.
    fn make_room(&mut self, most: usize, is_kind: impl Fn(&Connection<A>) -> bool) -> bool {
        let (mut count, mut oldest) = (0, None);
        for (&peer, connection) in self.connections.iter() {
            if connection.stage.is_seated() || !is_kind(connection) {
                continue;
            }
            count += 1;
            if !matches!(connection.stage, PeerStage::Waiting) {
                oldest = oldest.or(Some(peer));
            }
        }
        if count < most {
            return true;
        }
        let Some(oldest) = oldest else {
            return false;
        };
        self.forget(oldest, None);
        true
    }

    fn seated(&self) -> usize {
        let seated = |it: &&Connection<A>| it.stage.is_seated();
        self.connections.values().filter(seated).count()
    }

    /// Admits a waiting client; does nothing for a client that does not wait. If the server is full, it tells the client so,
    /// and the client asks again.
    pub fn admit(&mut self, peer: Peer) {
        let has_room = self.seated() < self.clients_max;
        if let Some(connection) = self.connections.get_mut(&peer)
            && matches!(connection.stage, PeerStage::Waiting)
        {
            connection.stage = match has_room {
                true => PeerStage::Admitted,
                false => PeerStage::Refused(Refusal::Full, String::new()),
            };
        }
    }

    /// Refuses a waiting client, or removes an admitted one. The server sends it the words in `why`, cut at 256 bytes.
    pub fn refuse(&mut self, peer: Peer, why: &str) {
        if let Some(connection) = self.connections.get_mut(&peer) {
            let words = beginning(why, WORDS_BYTES_MAX).to_owned();
            let is_seated = connection.stage.is_seated();
            connection.stage = match is_seated {
                true => PeerStage::ThrownOut(words),
                false => PeerStage::Refused(Refusal::NotAdmitted, words),
            };
            (connection.received_ms, connection.is_notified) = (self.time.now_ms(), false);
            if is_seated {
                self.tell(PeerEvent::Left(peer, LeaveReason::Refused));
            }
        }
    }

    /// Advances the time. Removes clients that were silent for too long. Sends again the admissions and refusals that clients
    /// may not have received yet. Keeps the connections alive to which nothing was sent for 1 s.
    ///
    /// # Errors
    /// When the time is not a finite number. No time passes then.
    pub fn advance(
        &mut self,
        now_ms: f64,
        mut send: impl FnMut(&A, &[u8]),
    ) -> Result<(), RefusalReason> {
        let now_ms = self.time.pass(now_ms)?.0;
        let is_silent = |connection: &Connection<A>| now_ms - connection.received_ms >= TIMEOUT_MS;
        let silent = self.connections.iter().filter(|(_, it)| is_silent(it));
        let silent: Vec<Peer> = silent.map(|(&peer, _)| peer).collect();
        for peer in silent {
            self.forget(peer, Some(LeaveReason::Silence));
        }
        for (peer, connection) in self.connections.iter_mut() {
            let (nonce, key, epoch) = (connection.nonce, connection.key, self.epoch);
            let is_notified = std::mem::replace(&mut connection.is_notified, true);
            let bytes = match &connection.stage {
                PeerStage::Admitted => {
                    connection.accepted_ms.get_or_insert(now_ms);
                    let accept = Datagram::Accept {
                        nonce,
                        key,
                        epoch,
                        peer: peer.0,
                    };
                    accept.bytes()
                }
                PeerStage::Refused(refusal, words) if !is_notified => {
                    refusal_bytes(nonce, *refusal, words)
                }
                PeerStage::ThrownOut(words) if !is_notified => bye_bytes(key, words),
                PeerStage::Connected if now_ms - connection.sent_ms >= KEEP_MS => {
                    connection.sent_ms = now_ms;
                    sealed_bytes(key, SealedKind::Keep, &[])
                }
                PeerStage::Waiting => {
                    connection.is_notified = false;
                    continue;
                }
                _ => continue,
            };
            connection.own_bytes += bytes.len() + HEADERS_BYTES;
            send(&connection.address, &bytes);
        }
        Ok(())
    }

    /// Takes the number of bytes that [`Listener::advance`] sent a client since the last call, with the headers of IP and UDP.
    pub(crate) fn taken_bytes(&mut self, peer: Peer) -> usize {
        let connection = self.connections.get_mut(&peer);
        connection.map_or(0, |it| std::mem::take(&mut it.own_bytes))
    }

    fn forget(&mut self, peer: Peer, left: Option<LeaveReason>) {
        if let Some(connection) = self.connections.remove(&peer) {
            self.peers.remove(&connection.address);
            if let Some(left) = left.filter(|_| connection.stage.is_seated()) {
                self.tell(PeerEvent::Left(peer, left));
            }
        }
    }

    pub(crate) fn tell(&mut self, event: PeerEvent) {
        if self.events.len() >= EVENTS_MOST.max(EVENTS_A_CLIENT * self.clients_max) {
            self.events.pop_front();
            self.has_missed = true;
        }
        self.events.push_back(event);
    }

    /// Returns the next change of an admitted client; `None` if there is none. Four changes of each client that the server has
    /// a seat for may wait, and at least 1,024. If there were more, the first event is [`PeerEvent::Missed`].
    pub fn next_event(&mut self) -> Option<PeerEvent> {
        match std::mem::take(&mut self.has_missed) {
            true => Some(PeerEvent::Missed),
            false => self.events.pop_front(),
        }
    }

    /// Returns the connected clients, by rising number.
    pub fn connected(&self) -> impl Iterator<Item = Peer> {
        let connected = |it: &Connection<A>| matches!(it.stage, PeerStage::Connected);
        let connections = self.connections.iter();
        connections.filter_map(move |(&peer, it)| connected(it).then_some(peer))
    }

    /// Returns true if a client is connected.
    pub fn is_connected(&self, peer: Peer) -> bool {
        let connection = self.connections.get(&peer);
        connection.is_some_and(|it| matches!(it.stage, PeerStage::Connected))
    }

    /// Returns the client at an address, admitted or not; `None` if there is none.
    pub fn peer(&self, address: &A) -> Option<Peer> {
        self.peers.get(address).copied()
    }

    /// Returns the address of a client; `None` if the client is unknown.
    pub fn address(&self, peer: Peer) -> Option<&A> {
        self.connections.get(&peer).map(|it| &it.address)
    }

    /// The passed time so far, ms.
    pub(crate) fn now_ms(&self) -> f64 {
        self.time.now_ms()
    }

    /// Returns the time of a client's last datagram, ms; `None` if the client is unknown.
    pub(crate) fn received_ms(&self, peer: Peer) -> Option<f64> {
        self.connections.get(&peer).map(|it| it.received_ms)
    }

    /// Returns the round trip to a client as measured while it joined, ms: a little too long, or more if a datagram was lost.
    /// `None` if the client is unknown.
    pub fn round_trip_ms(&self, peer: Peer) -> Option<f64> {
        self.connections.get(&peer).map(|it| it.round_trip_ms)
    }

    /// Replaces `datagram` by a payload sealed for a client; returns the client's address. `None` if the client is not
    /// connected.
    pub fn seal(&mut self, peer: Peer, payload: &[u8], datagram: &mut Vec<u8>) -> Option<&A> {
        let connection = self.connections.get_mut(&peer)?;
        if !matches!(connection.stage, PeerStage::Connected) {
            return None;
        }
        connection.sent_ms = self.time.now_ms();
        seal(
            connection.key,
            SealDirection::ToClient,
            SealedKind::Data,
            payload,
            datagram,
        );
        Some(&connection.address)
    }
}

/// Returns the refusal that a client is sent for this reason; `None` if it is sent none.
fn refusal_for(reason: RefusalReason) -> Option<Refusal> {
    match reason {
        RefusalReason::OtherVersion => Some(Refusal::OtherVersion),
        RefusalReason::OtherSettings => Some(Refusal::OtherSettings),
        _ => None,
    }
}

fn bye_bytes(key: u64, words: &str) -> Vec<u8> {
    sealed_bytes(key, SealedKind::Bye, words.as_bytes())
}

fn sealed_bytes(key: u64, kind: SealedKind, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    seal(key, SealDirection::ToClient, kind, payload, &mut bytes);
    bytes
}

fn refusal_bytes(nonce: u64, refusal: Refusal, words: &str) -> Vec<u8> {
    let refuse = Datagram::Refuse {
        nonce,
        refusal,
        words,
    };
    refuse.bytes()
}
