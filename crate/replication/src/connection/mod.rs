//! Connections over datagrams, with payloads of any kind: a [`Listener`] at the server, a [`Dialer`] at each client.
//!
//! Neither of them has a socket or a clock. A server stores nothing about an address that has not proved itself. It answers a
//! datagram from there with no more bytes than it received. `FORMAT.md` specifies every byte.
//!
//! `Left` has a reason: goodbye, silence for 5 s, replaced or refused. Clients that wait or were refused take no seat;
//! `Settings::clients` says how many seats there are, 64 at first. A game that judges tickets slowly gives the host of each
//! datagram to `receive_from_host`: at most eight clients of a host wait then. Up to 1,024 wait in all; the newest is
//! turned away, and asks again. The client of a full server asks again twice a second, so `Joins` comes there too, each
//! time with a new [`Peer`]: a game may `refuse` a player's ghost and `admit` him at his new address.
//!
//! ```
//! use snapshot_replication::connection::{Dialer, ClientEvent, ServerEvent, Listener, Status};
//!
//! // Both ends agree on a number; secret and nonce are random in a game.
//! let mut listener = Listener::new(2024, [7; 16], 8);
//! let mut dialer = Dialer::new(2024, b"ticket", 0x5eed);
//! let mut answer = None;
//! for frame in 0..10 {
//!     let now_ms = f64::from(frame) * 100.0;
//!     while let Some(bytes) = dialer.send(now_ms, answer.take()) {
//!         match listener.receive(now_ms, &"its address", None, &bytes)? {
//!             ServerEvent::Answer(bytes) => drop(dialer.receive(now_ms, &bytes)?),
//!             ServerEvent::Joins(peer, _token) => listener.admit(peer),
//!             ServerEvent::Payload(_peer, payload) => assert_eq!(payload, b"pong"),
//!             ServerEvent::Taken => {}
//!         }
//!     }
//!     listener.advance(now_ms, |_address, bytes| drop(dialer.receive(now_ms, bytes)))?;
//!     let (mut datagram, peers) = (Vec::new(), listener.connected().collect::<Vec<_>>());
//!     for peer in peers {
//!         listener.seal(peer, b"ping", &mut datagram);
//!         answer = match dialer.receive(now_ms, &datagram)? {
//!             ClientEvent::Payload(b"ping") => Some(b"pong"),
//!             _ => None,
//!         };
//!     }
//! }
//! assert_eq!(*dialer.status(), Status::Connected);
//! # Ok::<(), snapshot_replication::RefusalReason>(())
//! ```

mod clock;
mod datagram;
mod dialer;
#[cfg(test)]
pub(crate) mod golden;
mod listener;

pub(crate) use clock::PassingTime;
pub(crate) use datagram::{Datagram, SealDirection, is_genuine, tag};
pub use datagram::{HELLO_BYTES, Refusal, SEAL_BYTES, TOKEN_BYTES_MAX, VERSION, WORDS_BYTES_MAX};
pub use dialer::{ClientEvent, Dialer, Status};
pub use listener::{LeaveReason, Listener, Peer, PeerEvent, ServerEvent};

use crate::error_name::named;
use std::fmt;

/// Silence after which the other end counts as gone, ms.
pub const TIMEOUT_MS: f64 = 5000.0;

/// Reason why received bytes were refused. They changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// The bytes are not a datagram of this protocol.
    Malformed = 141,
    /// The client uses another version. The server tells it so.
    OtherVersion = 142,
    /// The client has other settings. The server tells it so.
    OtherSettings = 143,
    /// The cookie by which a client proves its address is too old or forged.
    Cookie = 145,
    /// A sealed datagram came from an address without a connection. The server tells the sender so.
    Unknown = 146,
    /// A sealed datagram is forged or damaged.
    Tag = 147,
    /// The datagram answers no datagram that this end has sent.
    Unasked = 148,
    /// The payload has a layout that this end does not know.
    Payload = 149,
    /// The decoder refused the packet.
    Packet = 150,
    /// The tick or the baseline of the packet is no longer stored.
    TooOld = 151,
    /// The time is not a finite number.
    Time = 152,
}

impl RefusalReason {
    const ALL: [Self; 11] = [
        Self::Malformed,
        Self::OtherVersion,
        Self::OtherSettings,
        Self::Cookie,
        Self::Unknown,
        Self::Tag,
        Self::Unasked,
        Self::Payload,
        Self::Packet,
        Self::TooOld,
        Self::Time,
    ];

    /// The reason's number, for programs in other languages.
    pub const fn number(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(named(self.number()))
    }
}

impl std::error::Error for RefusalReason {}

/// Numbers of refused datagrams, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedCounts([u64; RefusalReason::ALL.len()]);

fn place(reason: RefusalReason) -> Option<usize> {
    RefusalReason::ALL.iter().position(|other| *other == reason)
}

impl RefusedCounts {
    /// Counts one refused datagram for this reason.
    pub(crate) fn add(&mut self, reason: RefusalReason) {
        if let Some(at) = place(reason) {
            self.0[at] += 1;
        }
    }

    /// Number of datagrams that were refused for this reason.
    pub fn count(&self, reason: RefusalReason) -> u64 {
        place(reason).map_or(0, |at| self.0[at])
    }

    /// Iterates over all reasons, each with its number of refused datagrams.
    pub fn iter(&self) -> impl Iterator<Item = (RefusalReason, u64)> {
        RefusalReason::ALL.into_iter().zip(self.0)
    }

    /// Number of all refused datagrams.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
