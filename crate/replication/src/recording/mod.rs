//! Recordings: all calls of a client's functions, with their arguments. A replay makes the same calls on a new client.
//!
//! `Client::recorded` records, with the feature `recording`. `replay` repeats the calls, and says whether the replay showed and
//! sent the same. A program with an end of its own records its own type of calls with [`Writer`], and repeats them with
//! [`replay_as`]. `RECORDING.md` of this package specifies every byte.

#![cfg_attr(
    not(any(test, feature = "recording")),
    allow(dead_code, unreachable_pub, reason = "nothing records")
)]

mod client;
mod error;
mod hashes;
mod reader;
mod recorded_settings;
mod redact;
mod replay;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use client::{ClientCall, ClientRecorder};

pub use error::RecordingError;
pub use hashes::Hashes;
pub use reader::Reader;
pub use replay::{Difference, Replay, replay, replay_as};
pub use writer::{EndReason, Record, VERSION, Writer};

/// Returns the recorder of a client, if it records. Without the feature, calls of a recorder are behind this constant, and take
/// no code.
#[inline]
pub(crate) fn recorder_of(slot: &mut Option<Box<ClientRecorder>>) -> Option<&mut ClientRecorder> {
    match cfg!(any(test, feature = "recording")) {
        true => slot.as_deref_mut(),
        false => None,
    }
}
