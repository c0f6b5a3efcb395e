//! A client's end of a connection.

use super::datagram::{
    Datagram, Refusal, SealDirection, SealedKind, VERSION, is_genuine, seal, words,
};
use super::{PassingTime, Peer, RefusalReason, RefusedCounts, TIMEOUT_MS};
use crate::clocks::PassedMs;

/// Time between two hellos, or between two proofs of address, ms.
const ASK_MS: f64 = 250.0;
/// Time that a client waits for the server's game to judge its token, ms. It is shorter than the time for which a proof of
/// address is valid. Afterwards the client begins anew.
const PROOF_MS: f64 = 9000.0;
/// Longest time between two datagrams that a client sends without payloads, ms. It bounds the time until the client notices a
/// restart of the server.
const KEEP_MS: f64 = 200.0;
/// Time from a refusal by a full server to the next hello, ms.
const FULL_MS: f64 = 500.0;
/// Time that a client waits for a sealed datagram after a datagram that says that the server does not know it, ms. That
/// datagram may be forged. If no sealed one arrives, the client believes it.
const DOUBT_MS: f64 = 100.0;
/// Upper limit of one step of the client's time, ms, so that one wrong time does not end a connection. A client that slept
/// longer learns from the server that its connection is gone.
const STEP_MS: f64 = 4000.0;
/// Number of newest sent datagrams whose tags the client remembers. An answer of the server names a datagram by its tag.
const SENT_TAGS: usize = 64;

/// The state of a client's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The client has asked to join, and waits for an answer.
    Connecting,
    /// The server is full. The client asks again twice a second.
    Full,
    /// The server has admitted the client.
    Connected,
    /// The server refused the client, with the game's words if there are any. The client does not ask again.
    Refused(Refusal, String),
    /// The client ended the connection.
    Closed,
}

/// The content of a datagram for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEvent<'a> {
    /// A payload from the server.
    Payload(&'a [u8]),
    /// The connection begins, or begins anew. In the second case the server knows nothing of earlier payloads.
    Connected,
    /// A datagram without anything for the game.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
enum DialStage {
    Hello,
    Proof {
        stamp: u32,
        cookie: u64,
        since_ms: f64,
    },
    Full {
        since_ms: f64,
    },
    Connected {
        key: u64,
        peer: Peer,
    },
    Over,
}

/// A client's end of a connection. It connects again by itself if the server restarts or was silent for too long.
#[derive(Clone, Debug)]
pub struct Dialer {
    settings: u64,
    token: Vec<u8>,
    nonce: u64,
    stage: DialStage,
    status: Status,
    /// The server's epoch, a number that differs after each restart; `None` before the server has sent it.
    epoch: Option<u32>,
    restarts: u32,
    time: PassingTime,
    received_ms: f64,
    /// Time of the first hello, ms.
    asked_ms: Option<f64>,
    /// Round trip measured during the last join, ms.
    round_trip_ms: f64,
    /// Time at which a datagram first said that the server does not know this client, ms.
    doubt_ms: Option<f64>,
    /// Time of the last sent datagram, ms; none before the first.
    sent_ms: Option<f64>,
    tags: [u32; SENT_TAGS],
    sent: usize,
    refused: RefusedCounts,
}

impl Dialer {
    /// Creates a client that asks to join. `settings` is a hash, which must equal the server's. The token is cut at 512
    /// bytes. The nonce must be random.
    pub fn new(settings: u64, token: &[u8], nonce: u64) -> Self {
        let token = &token[..token.len().min(super::TOKEN_BYTES_MAX)];
        Self {
            settings,
            token: token.to_vec(),
            nonce,
            stage: DialStage::Hello,
            status: Status::Connecting,
            epoch: None,
            restarts: 0,
            time: PassingTime::new(STEP_MS),
            received_ms: 0.0,
            asked_ms: None,
            round_trip_ms: 0.0,
            doubt_ms: None,
            sent_ms: None,
            tags: [0; SENT_TAGS],
            sent: 0,
            refused: RefusedCounts::default(),
        }
    }

    /// The state of the connection.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The number that the server gave this client; `None` while it is not connected.
    pub fn peer(&self) -> Option<Peer> {
        match self.stage {
            DialStage::Connected { peer, .. } => Some(peer),
            _ => None,
        }
    }

    /// Round trip measured while the client joined, ms. It is too long if datagrams of both steps of joining were lost.
    pub(crate) fn round_trip_ms(&self) -> f64 {
        self.round_trip_ms
    }

    /// The key of the connection; `None` while the client is not connected.
    pub(crate) fn key(&self) -> Option<u64> {
        match self.stage {
            DialStage::Connected { key, .. } => Some(key),
            _ => None,
        }
    }

    /// Returns true if a sealed datagram with this tag is among the newest that the client sent.
    pub(crate) fn knows_tag(&self, tag: u32) -> bool {
        self.tags[..self.sent.min(SENT_TAGS)].contains(&tag)
    }

    /// Number of server restarts that the client noticed.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Numbers of refused datagrams, by reason.
    pub fn refused(&self) -> &RefusedCounts {
        &self.refused
    }

    /// Counts a payload that the caller refused for this reason.
    pub fn count_refused(&mut self, reason: RefusalReason) {
        self.refused.add(reason);
    }

    /// Processes a datagram from the server; returns its content.
    ///
    /// # Errors
    /// When the datagram is refused. It is counted, and nothing else changes.
    pub fn receive<'a>(
        &mut self,
        now_ms: f64,
        bytes: &'a [u8],
    ) -> Result<ClientEvent<'a>, RefusalReason> {
        let event = (self.time.pass(now_ms)).and_then(|now_ms| self.handle(now_ms.0, bytes));
        if let Err(reason) = event {
            self.refused.add(reason);
        }
        event
    }

    fn handle<'a>(
        &mut self,
        now_ms: f64,
        bytes: &'a [u8],
    ) -> Result<ClientEvent<'a>, RefusalReason> {
        let datagram = Datagram::read(bytes)?;
        if datagram.answers().is_some_and(|nonce| nonce != self.nonce) {
            return Err(RefusalReason::Unasked);
        }
        match datagram {
            Datagram::Challenge { stamp, cookie, .. } => self.on_challenge(now_ms, stamp, cookie),
            Datagram::Accept {
                key, epoch, peer, ..
            } => self.on_accept(now_ms, key, epoch, peer),
            Datagram::Refuse { refusal, words, .. } => self.on_refusal(now_ms, refusal, words),
            Datagram::Unknown { tag, .. } => self.on_unknown(now_ms, tag),
            Datagram::Sealed { kind, payload, .. } => self.on_sealed(now_ms, kind, payload, bytes),
            Datagram::Hello { .. } | Datagram::Proof { .. } => Err(RefusalReason::Unasked),
        }
    }

    fn on_challenge<'a>(
        &mut self,
        now_ms: f64,
        stamp: u32,
        cookie: u64,
    ) -> Result<ClientEvent<'a>, RefusalReason> {
        match self.stage {
            DialStage::Hello => self.round_trip_ms = now_ms - self.asked_ms.unwrap_or(now_ms),
            DialStage::Proof { cookie: before, .. } if before == cookie => {
                return Ok(ClientEvent::Nothing);
            }
            // The server did not believe the proof: it has started again, or the client has another address.
            DialStage::Proof { .. } => {}
            DialStage::Full { .. } | DialStage::Connected { .. } | DialStage::Over => {
                return Err(RefusalReason::Unasked);
            }
        }
        self.stage = DialStage::Proof {
            stamp,
            cookie,
            since_ms: now_ms,
        };
        self.sent_ms = None;
        Ok(ClientEvent::Nothing)
    }

    fn on_accept<'a>(
        &mut self,
        now_ms: f64,
        key: u64,
        epoch: u32,
        peer: u32,
    ) -> Result<ClientEvent<'a>, RefusalReason> {
        let since_ms = match self.stage {
            DialStage::Proof { since_ms, .. } => since_ms,
            // The server repeats it until it hears of the client.
            DialStage::Connected { .. } => return Ok(ClientEvent::Nothing),
            DialStage::Hello | DialStage::Full { .. } | DialStage::Over => {
                return Err(RefusalReason::Unasked);
            }
        };
        // A lost datagram makes one of the two too long, and a game that takes time to admit the second.
        self.round_trip_ms = self.round_trip_ms.min(now_ms - since_ms);
        if self.epoch.is_some_and(|before| before != epoch) {
            self.restarts += 1;
        }
        self.epoch = Some(epoch);
        let peer = Peer::from_number(peer);
        self.stage = DialStage::Connected { key, peer };
        self.status = Status::Connected;
        (self.received_ms, self.doubt_ms) = (now_ms, None);
        self.sent_ms = None;
        Ok(ClientEvent::Connected)
    }

    fn on_refusal<'a>(
        &mut self,
        now_ms: f64,
        refusal: Refusal,
        words: &str,
    ) -> Result<ClientEvent<'a>, RefusalReason> {
        if !matches!(self.stage, DialStage::Hello | DialStage::Proof { .. }) {
            return Err(RefusalReason::Unasked);
        }
        (self.stage, self.status) = match refusal {
            Refusal::Full => (DialStage::Full { since_ms: now_ms }, Status::Full),
            Refusal::OtherVersion | Refusal::OtherSettings | Refusal::NotAdmitted => {
                (DialStage::Over, Status::Refused(refusal, words.to_owned()))
            }
        };
        Ok(ClientEvent::Nothing)
    }

    fn on_unknown<'a>(&mut self, now_ms: f64, tag: u32) -> Result<ClientEvent<'a>, RefusalReason> {
        if !matches!(self.stage, DialStage::Connected { .. }) || !self.knows_tag(tag) {
            return Err(RefusalReason::Unasked);
        }
        self.doubt_ms.get_or_insert(now_ms);
        Ok(ClientEvent::Nothing)
    }

    fn on_sealed<'a>(
        &mut self,
        now_ms: f64,
        kind: SealedKind,
        payload: &'a [u8],
        bytes: &[u8],
    ) -> Result<ClientEvent<'a>, RefusalReason> {
        let DialStage::Connected { key, .. } = self.stage else {
            return Err(RefusalReason::Unasked);
        };
        if !is_genuine(key, SealDirection::ToClient, bytes) {
            return Err(RefusalReason::Tag);
        }
        let event = match kind {
            SealedKind::Data => ClientEvent::Payload(payload),
            SealedKind::Bye => {
                let words = words(payload).ok_or(RefusalReason::Malformed)?.to_owned();
                self.stage = DialStage::Over;
                self.status = Status::Refused(Refusal::NotAdmitted, words);
                ClientEvent::Nothing
            }
            SealedKind::Keep => ClientEvent::Nothing,
        };
        (self.received_ms, self.doubt_ms) = (now_ms, None);
        Ok(event)
    }

    /// The passed time so far.
    pub(crate) fn now_ms(&self) -> PassedMs {
        PassedMs(self.time.now_ms())
    }

    /// Returns an instant by the game's clock, ms.
    pub(crate) fn game_ms(&self, at: PassedMs) -> f64 {
        self.time.game_ms(at)
    }

    /// Advances the time of this end; returns the new time. If `now_ms` is not a finite number, no time passes.
    pub(crate) fn pass(&mut self, now_ms: f64) -> PassedMs {
        self.time.pass(now_ms).unwrap_or(self.now_ms())
    }

    /// Starts a new connection: asks to join again.
    fn begin_anew(&mut self) {
        // Another nonce, that nobody guesses who has not seen this one.
        self.nonce =
            self.nonce.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ self.nonce >> 32 ^ 0x9e37_79b9;
        self.stage = DialStage::Hello;
        if self.status == Status::Connected {
            self.status = Status::Connecting;
        }
        (self.sent_ms, self.asked_ms) = (None, None);
        self.sent = 0;
    }

    /// Returns the datagram that is due: with `payload` if there is one and the client is connected, else one of the connection
    /// itself. `None` if no datagram is due.
    pub fn send(&mut self, now_ms: f64, payload: Option<&[u8]>) -> Option<Vec<u8>> {
        let now_ms = self.pass(now_ms);
        self.send_at(now_ms, payload)
    }

    /// Returns the datagram that is due, as `send` does. The time is already checked.
    pub(crate) fn send_at(
        &mut self,
        PassedMs(now_ms): PassedMs,
        payload: Option<&[u8]>,
    ) -> Option<Vec<u8>> {
        let is_over = |since_ms: f64, ms: f64| now_ms - since_ms >= ms;
        if match self.stage {
            DialStage::Connected { .. } => {
                is_over(self.received_ms, TIMEOUT_MS)
                    || (self.doubt_ms).is_some_and(|since_ms| is_over(since_ms, DOUBT_MS))
            }
            DialStage::Proof { since_ms, .. } => is_over(since_ms, PROOF_MS),
            DialStage::Full { since_ms } => is_over(since_ms, FULL_MS),
            DialStage::Hello | DialStage::Over => false,
        } {
            self.begin_anew();
        }
        let is_due = |every_ms: f64| {
            self.sent_ms
                .is_none_or(|sent_ms| now_ms - sent_ms >= every_ms)
        };
        let (nonce, settings, version) = (self.nonce, self.settings, VERSION);
        let datagram = match self.stage {
            DialStage::Hello if is_due(ASK_MS) => {
                self.asked_ms.get_or_insert(now_ms);
                let hello = Datagram::Hello {
                    version,
                    nonce,
                    settings,
                };
                hello.bytes()
            }
            DialStage::Proof { stamp, cookie, .. } if is_due(ASK_MS) => {
                let proof = Datagram::Proof {
                    version,
                    nonce,
                    settings,
                    stamp,
                    cookie,
                    token: &self.token,
                };
                proof.bytes()
            }
            DialStage::Connected { key, .. } => match payload {
                Some(payload) => self.seal(key, SealedKind::Data, payload),
                None if is_due(KEEP_MS) => self.seal(key, SealedKind::Keep, &[]),
                None => return None,
            },
            _ => return None,
        };
        self.sent_ms = Some(now_ms);
        Some(datagram)
    }

    /// Ends the connection; returns a datagram that tells the server, which may be sent several times. `None` without a
    /// connection.
    pub fn goodbye(&mut self) -> Option<Vec<u8>> {
        let stage = std::mem::replace(&mut self.stage, DialStage::Over);
        self.status = Status::Closed;
        match stage {
            DialStage::Connected { key, .. } => Some(self.seal(key, SealedKind::Bye, &[])),
            _ => None,
        }
    }

    fn seal(&mut self, key: u64, kind: SealedKind, payload: &[u8]) -> Vec<u8> {
        let mut datagram = Vec::new();
        let tag = seal(key, SealDirection::ToServer, kind, payload, &mut datagram);
        self.tags[self.sent % SENT_TAGS] = tag;
        self.sent += 1;
        datagram
    }
}
