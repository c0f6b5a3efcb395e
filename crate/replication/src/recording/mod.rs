//! Recordings: all calls of a client's or a server's functions, with their arguments. A replay makes the same calls on a new
//! client or server.
//!
//! `Client::recorded` and `Server::recorded` record; `replay` repeats the calls, and says whether the replay showed and sent
//! the same. The feature `recording` has them. A program with an end of its own records its own type of calls with
//! [`Writer`], and repeats them with [`replay_as`]. `RECORDING.md` of this package specifies every byte.

#![cfg_attr(
    not(any(test, feature = "recording")),
    allow(dead_code, unreachable_pub, reason = "nothing records")
)]

mod calls;
mod client;
mod compare;
mod error;
mod hashes;
mod objects;
mod reader;
mod recorded_settings;
mod redact;
#[cfg(any(test, feature = "recording"))]
mod replay;
mod server;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use calls::{ClientCall, ServerCall};
pub(crate) use client::ClientRecorder;
pub(crate) use server::ServerRecorder;

pub use compare::{Difference, Replay, replay_as};
pub use error::RecordingError;
pub use hashes::{HashPair, Hashes};
pub use reader::Reader;
#[cfg(any(test, feature = "recording"))]
pub use replay::replay;
pub use writer::{EndReason, Record, VERSION, Writer};

/// True if clients and servers can record. If not, calls of a recorder are behind this constant, and take no code.
pub(crate) const RECORDS: bool = cfg!(any(test, feature = "recording"));

/// Returns the recorder of a client or server, if it records.
#[inline]
pub(crate) fn recorder_of<R>(slot: &mut Option<Box<R>>) -> Option<&mut R> {
    match RECORDS {
        true => slot.as_deref_mut(),
        false => None,
    }
}
