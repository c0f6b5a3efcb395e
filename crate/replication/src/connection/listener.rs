//! The server's end of all connections.

use super::datagram::{Datagram, Refusal, SealDirection, SealedKind, VERSION, is_genuine, seal};
use super::{RefusalReason, RefusedCounts, TIMEOUT_MS, WORDS_BYTES_MAX};
use crate::sorted::SortedMap;
use siphasher::sip::SipHasher24;
use std::collections::VecDeque;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Least time in ms for which a proof of address is valid. It is valid for at most twice as long.
const STAMP_MS: f64 = 10_000.0;
/// Silence after which a client's address may begin another connection, ms.
const REPLACE_MS: f64 = 1000.0;

/// A client of a server. No two have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer(u32);

impl Peer {
    /// The number: clients are counted from 0 on.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The client of that number.
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
    /// Bytes to be sent back to the address from which the datagram came.
    Answer(Vec<u8>),
    /// A client that waits to be admitted or refused, and its token. It waits for 9 s.
    Joins(Peer, Vec<u8>),
    /// A payload from a client.
    Payload(Peer, &'a [u8]),
    /// A datagram with nothing for the game.
    Taken,
}

/// A reason for which a client is no longer connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveReason {
    /// The client said goodbye.
    Goodbye,
    /// The client was silent for too long.
    Silence,
    /// The client connected again from the same address.
    Replaced,
    /// The game refused it.
    Refused,
}

#[derive(Clone, Debug)]
enum PeerStage {
    /// The game has not judged the client's token yet.
    Waiting,
    /// The game admitted the client, which may not know yet.
    Admitted,
    /// The client has the key of the connection.
    Connected,
    Refused(String),
}

#[derive(Clone, Debug)]
struct Connection<A> {
    address: A,
    nonce: u64,
    key: u64,
    stage: PeerStage,
    heard_ms: f64,
}

/// The server's end of all connections. `A` is an address, as the socket has it.
#[derive(Clone, Debug)]
pub struct Listener<A> {
    settings: u64,
    secret: [u8; 16],
    epoch: u32,
    clients_max: usize,
    now_ms: f64,
    connections: SortedMap<Peer, Connection<A>>,
    peers: SortedMap<A, Peer>,
    next: u32,
    left: VecDeque<(Peer, LeaveReason)>,
    refused: RefusedCounts,
}

/// Purposes of the secret. Each hash begins with its purpose, so that none can stand for another.
#[derive(Clone, Copy)]
enum SecretUse {
    Cookie = 1,
    Key = 2,
    Epoch = 3,
}

impl<A: Clone + Ord + Hash> Listener<A> {
    /// Creates a server without clients. `settings` is the hash of what both ends must agree on. The secret must be random,
    /// and another one each time the server starts.
    pub fn new(settings: u64, secret: [u8; 16], clients_max: usize) -> Self {
        let mut listener = Self {
            settings,
            secret,
            epoch: 0,
            clients_max,
            now_ms: 0.0,
            connections: SortedMap::new(),
            peers: SortedMap::new(),
            next: 0,
            left: VecDeque::new(),
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
        from.hash(&mut hasher);
        hasher.finish()
    }

    /// The number of this start of the server. Each start has another number.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Numbers of refused datagrams.
    pub fn refused(&self) -> &RefusedCounts {
        &self.refused
    }

    /// Counts a payload that the caller refused.
    pub fn count_refused(&mut self, reason: RefusalReason) {
        self.refused.add(reason);
    }

    /// Takes a datagram. The time may be any clock's that does not go backwards.
    ///
    /// # Errors
    /// When the bytes are refused. They are counted, and nothing else changes.
    pub fn receive<'a>(
        &mut self,
        now_ms: f64,
        from: &A,
        bytes: &'a [u8],
    ) -> Result<ServerEvent<'a>, RefusalReason> {
        self.now_ms = self.now_ms.max(now_ms);
        let taken = self.take(from, bytes);
        if let Err(reason) = &taken {
            self.refused.add(*reason);
        }
        match taken {
            Err(RefusalReason::Unknown) => match Datagram::read(bytes)? {
                Datagram::Sealed { tag, .. } if bytes.len() >= 9 => {
                    let epoch = self.epoch;
                    Ok(ServerEvent::Answer(
                        Datagram::Unknown { tag, epoch }.bytes(),
                    ))
                }
                _ => taken,
            },
            Err(reason) => match (told(reason), Datagram::read(bytes)?) {
                (Some(refusal), Datagram::Hello { nonce, .. } | Datagram::Proof { nonce, .. }) => {
                    Ok(ServerEvent::Answer(refusal_bytes(nonce, refusal, "")))
                }
                _ => taken,
            },
            taken => taken,
        }
    }

    fn take<'a>(&mut self, from: &A, bytes: &'a [u8]) -> Result<ServerEvent<'a>, RefusalReason> {
        match Datagram::read(bytes)? {
            Datagram::Hello {
                version,
                nonce,
                settings,
            } => {
                self.check(version, settings)?;
                let stamp = self.stamp();
                let cookie = self.keyed(SecretUse::Cookie, stamp, nonce, Some(from));
                let challenge = Datagram::Challenge {
                    nonce,
                    stamp,
                    cookie,
                };
                Ok(ServerEvent::Answer(challenge.bytes()))
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
                let is_fresh = stamp <= self.stamp() && stamp + 1 >= self.stamp();
                if !is_fresh || cookie != self.keyed(SecretUse::Cookie, stamp, nonce, Some(from)) {
                    return Err(RefusalReason::Cookie);
                }
                self.join(from, nonce, token)
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
                match &connection.stage {
                    PeerStage::Waiting => return Err(RefusalReason::Unasked),
                    PeerStage::Refused(words) => {
                        let (nonce, refusal) = (connection.nonce, Refusal::NotAdmitted);
                        return Ok(ServerEvent::Answer(refusal_bytes(nonce, refusal, words)));
                    }
                    PeerStage::Admitted => connection.stage = PeerStage::Connected,
                    PeerStage::Connected => {}
                }
                connection.heard_ms = self.now_ms;
                Ok(match kind {
                    SealedKind::Data => ServerEvent::Payload(peer, payload),
                    SealedKind::Keep => ServerEvent::Taken,
                    SealedKind::Bye => {
                        self.forget(peer, Some(LeaveReason::Goodbye));
                        ServerEvent::Taken
                    }
                })
            }
            _ => Err(RefusalReason::Unasked),
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
        (self.now_ms / STAMP_MS) as u32
    }

    /// Takes in a client that has proved its address.
    fn join<'a>(
        &mut self,
        from: &A,
        nonce: u64,
        token: &[u8],
    ) -> Result<ServerEvent<'a>, RefusalReason> {
        if let Some(&peer) = self.peers.get(from)
            && let Some(connection) = self.connections.get_mut(&peer)
        {
            let is_same = connection.nonce == nonce;
            let is_silent = self.now_ms - connection.heard_ms >= REPLACE_MS;
            match &connection.stage {
                PeerStage::Refused(words) if is_same => {
                    let refusal = Refusal::NotAdmitted;
                    return Ok(ServerEvent::Answer(refusal_bytes(nonce, refusal, words)));
                }
                _ if is_same => {
                    connection.heard_ms = self.now_ms;
                    return Ok(ServerEvent::Taken);
                }
                PeerStage::Refused(_) => self.forget(peer, None),
                // A late copy of an old proof must not end a connection that works.
                _ if !is_silent => return Ok(ServerEvent::Taken),
                _ => self.forget(peer, Some(LeaveReason::Replaced)),
            }
        }
        let is_refused =
            |connection: &&Connection<A>| matches!(connection.stage, PeerStage::Refused(_));
        let refused = self.connections.values().filter(is_refused).count();
        if self.connections.len() - refused >= self.clients_max || refused > self.clients_max {
            return Err(RefusalReason::Full);
        }
        let peer = Peer(self.next);
        self.next = self.next.wrapping_add(1);
        let connection = Connection {
            address: from.clone(),
            nonce,
            key: self.keyed(SecretUse::Key, 0, nonce, Some(from)),
            stage: PeerStage::Waiting,
            heard_ms: self.now_ms,
        };
        self.connections.insert(peer, connection);
        self.peers.insert(from.clone(), peer);
        Ok(ServerEvent::Joins(peer, token.to_vec()))
    }

    /// Admits a waiting client. It does nothing for a client that does not wait.
    pub fn admit(&mut self, peer: Peer) {
        if let Some(connection) = self.connections.get_mut(&peer)
            && matches!(connection.stage, PeerStage::Waiting)
        {
            connection.stage = PeerStage::Admitted;
        }
    }

    /// Refuses a waiting client, or throws out a playing one. The client is told these words, cut at 256 bytes.
    pub fn refuse(&mut self, peer: Peer, why: &str) {
        if let Some(connection) = self.connections.get_mut(&peer) {
            let mut words = why.to_owned();
            words.truncate(why.floor_char_boundary(WORDS_BYTES_MAX));
            if matches!(connection.stage, PeerStage::Connected | PeerStage::Admitted) {
                self.left.push_back((peer, LeaveReason::Refused));
            }
            connection.stage = PeerStage::Refused(words);
            connection.heard_ms = self.now_ms;
        }
    }

    /// Lets time pass. Clients that were silent for too long leave. The others who may not know it are told again that they
    /// are admitted or refused.
    pub fn advance(&mut self, ms: f64, mut send: impl FnMut(&A, &[u8])) {
        self.now_ms += ms;
        let now_ms = self.now_ms;
        let is_silent = |connection: &Connection<A>| now_ms - connection.heard_ms >= TIMEOUT_MS;
        let silent = self.connections.iter().filter(|(_, it)| is_silent(it));
        let silent: Vec<Peer> = silent.map(|(&peer, _)| peer).collect();
        for peer in silent {
            self.forget(peer, Some(LeaveReason::Silence));
        }
        for connection in self.connections.values() {
            let nonce = connection.nonce;
            match &connection.stage {
                PeerStage::Admitted => {
                    let (key, epoch) = (connection.key, self.epoch);
                    let accept = Datagram::Accept { nonce, key, epoch };
                    send(&connection.address, &accept.bytes());
                }
                PeerStage::Refused(words) if connection.heard_ms + ms >= now_ms => {
                    let refusal = refusal_bytes(nonce, Refusal::NotAdmitted, words);
                    send(&connection.address, &refusal);
                }
                _ => {}
            }
        }
    }

    fn forget(&mut self, peer: Peer, left: Option<LeaveReason>) {
        if let Some(connection) = self.connections.remove(&peer) {
            self.peers.remove(&connection.address);
            let was_refused = matches!(connection.stage, PeerStage::Refused(_));
            self.left
                .extend(left.filter(|_| !was_refused).map(|left| (peer, left)));
        }
    }

    /// Takes the next client that has left, with the reason.
    pub fn next_left(&mut self) -> Option<(Peer, LeaveReason)> {
        self.left.pop_front()
    }

    /// Clients that are connected, by number.
    pub fn connected(&self) -> impl Iterator<Item = Peer> {
        let connected = |it: &Connection<A>| matches!(it.stage, PeerStage::Connected);
        let connections = self.connections.iter();
        connections.filter_map(move |(&peer, it)| connected(it).then_some(peer))
    }

    /// The address of a client.
    pub fn address(&self, peer: Peer) -> Option<&A> {
        self.connections.get(&peer).map(|it| &it.address)
    }

    /// Replaces `datagram` by a sealed payload for a client, and gives the client's address; none where the client is not connected.
    pub fn seal(&self, peer: Peer, payload: &[u8], datagram: &mut Vec<u8>) -> Option<&A> {
        let connection = self.connections.get(&peer)?;
        if !matches!(connection.stage, PeerStage::Connected) {
            return None;
        }
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

/// The refusal that is sent to a client, for a reason.
fn told(reason: RefusalReason) -> Option<Refusal> {
    match reason {
        RefusalReason::OtherVersion => Some(Refusal::OtherVersion),
        RefusalReason::OtherSettings => Some(Refusal::OtherSettings),
        RefusalReason::Full => Some(Refusal::Full),
        _ => None,
    }
}

fn refusal_bytes(nonce: u64, refusal: Refusal, words: &str) -> Vec<u8> {
    let refuse = Datagram::Refuse {
        nonce,
        refusal,
        words,
    };
    refuse.bytes()
}
