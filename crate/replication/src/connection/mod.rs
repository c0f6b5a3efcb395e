//! Connections over datagrams, with payloads of any kind: a [`Listener`] at the server, a [`Dialer`] at each client.
//!
//! Both have no socket and no clock. A server keeps nothing of an address that has not proved itself, and answers it with no
//! more bytes than it sent. `FORMAT.md` specifies every byte.

mod datagram;
mod dialer;
#[cfg(test)]
pub(crate) mod golden;
mod listener;

pub use datagram::{HELLO_BYTES, Refusal, SEAL_BYTES, TOKEN_BYTES_MAX, VERSION, WORDS_BYTES_MAX};
pub use dialer::{Dialer, Heard, Status};
pub use listener::{Incoming, Left, Listener, Peer};

use std::fmt;

/// Silence after which an end counts as gone, ms.
pub const TIMEOUT_MS: f64 = 5000.0;

/// A reason for which received bytes were refused. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No datagram of a connection.
    Malformed = 141,
    /// A client of another version. It is told.
    OtherVersion = 142,
    /// A client with other settings. It is told.
    OtherSettings = 143,
    /// A client that finds the server full. It is told.
    Full = 144,
    /// A proof of an address that is too old or forged.
    Cookie = 145,
    /// A sealed datagram from an address without a connection. It is told.
    Unknown = 146,
    /// A sealed datagram that was forged or damaged.
    Tag = 147,
    /// A datagram that answers nothing this end said.
    Unasked = 148,
    /// A payload of another layout than the server's or client's.
    Payload = 149,
    /// A packet that its decoder refused.
    Packet = 150,
    /// A packet whose tick or baseline is gone.
    TooOld = 151,
}

impl Refused {
    const ALL: [Self; 11] = [
        Self::Malformed,
        Self::OtherVersion,
        Self::OtherSettings,
        Self::Full,
        Self::Cookie,
        Self::Unknown,
        Self::Tag,
        Self::Unasked,
        Self::Payload,
        Self::Packet,
        Self::TooOld,
    ];

    /// The number of the reason.
    pub const fn number(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "no datagram of a connection",
            Self::OtherVersion => "another version",
            Self::OtherSettings => "other settings",
            Self::Full => "no room for another client",
            Self::Cookie => "a proof of address that is too old or forged",
            Self::Unknown => "no connection with that address",
            Self::Tag => "forged or damaged",
            Self::Unasked => "an answer to nothing",
            Self::Payload => "a payload of another layout",
            Self::Packet => "a packet that cannot be decoded",
            Self::TooOld => "a packet whose tick or baseline is gone",
        })
    }
}

impl std::error::Error for Refused {}

/// Numbers of refused datagrams, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedCounts([u64; Refused::ALL.len()]);

impl RefusedCounts {
    /// Counts one.
    pub(crate) fn add(&mut self, reason: Refused) {
        self.0[reason as usize - Refused::Malformed as usize] += 1;
    }

    /// Number of datagrams that were refused for that reason.
    pub fn of(&self, reason: Refused) -> u64 {
        self.0[reason as usize - Refused::Malformed as usize]
    }

    /// Numbers of refused datagrams by reason.
    pub fn iter(&self) -> impl Iterator<Item = (Refused, u64)> {
        Refused::ALL.into_iter().zip(self.0)
    }

    /// Number of all refused datagrams.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
