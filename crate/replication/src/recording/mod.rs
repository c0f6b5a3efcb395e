//! Recordings: all that was given to a client or a server, which a replay gives to another one.
//!
//! `Client::recorded` and `Server::recorded` record, and `replay` repeats: the feature `recording` has them. It says whether all
//! was shown and sent as in the game. A program with an end of its own records with [`Writer`], and repeats with [`replay_as`].
//! `RECORDING.md` of this package specifies every byte.

#[cfg_attr(
    not(any(test, feature = "recording")),
    allow(dead_code, reason = "nothing records them")
)]
mod calls;
mod compare;
mod error;
mod hashes;
mod number;
#[cfg(not(any(test, feature = "recording")))]
mod off;
mod reader;
mod writer;

#[cfg(any(test, feature = "recording"))]
mod arguments;
#[cfg(any(test, feature = "recording"))]
mod client;
#[cfg(any(test, feature = "recording"))]
mod interests;
#[cfg(any(test, feature = "recording"))]
mod objects;
#[cfg(any(test, feature = "recording"))]
mod redact;
#[cfg(any(test, feature = "recording"))]
mod replay;
#[cfg(any(test, feature = "recording"))]
mod server;
#[cfg(test)]
mod tests;

pub(crate) use calls::{ClientCall, ServerCall};
#[cfg(any(test, feature = "recording"))]
pub(crate) use client::ClientRecorder;
#[cfg(not(any(test, feature = "recording")))]
pub(crate) use off::{ClientRecorder, ServerRecorder};
#[cfg(any(test, feature = "recording"))]
pub(crate) use server::ServerRecorder;

pub use compare::{Difference, Replay, replay_as};
pub use error::RecordingError;
pub use hashes::{HashPair, Hashes};
pub use reader::{Call, Reader, Record};
#[cfg(any(test, feature = "recording"))]
pub use redact::Blank;
#[cfg(any(test, feature = "recording"))]
pub use replay::replay;
pub use writer::{CALLS_END, EndReason, VERSION, Writer};
