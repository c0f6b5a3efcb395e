//! Recordings: all that was given to a client or a server, which a replay gives to another one.
//!
//! [`Client::recorded`](crate::Client::recorded) and [`Server::recorded`](crate::Server::recorded) record. [`replay()`] repeats, and
//! says whether all was shown and sent as in the game. A program with an end of its own records with [`Writer`], and repeats with
//! [`replay_as`]. `RECORDING.md` of this package specifies every byte.
//!
//! ```
//! use snapshot_replication::recording::{Blank, replay};
//! use snapshot_replication::{Client, Settings};
//!
//! let mut client = Client::recorded(Settings::new(40), b"a ticket", 0x1234, 1 << 20, Blank::Secrets)?;
//! for frame in 0..60 {
//!     let now_ms = f64::from(frame) * 1000.0 / 60.0;
//!     while let Some(_datagram) = client.send(now_ms) {}
//!     client.show(now_ms);
//! }
//! let recording = client.take_recording().expect("it records");
//! let replay = replay(&recording)?;
//! assert_eq!((replay.shows, replay.difference), (60, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
pub(crate) mod client;
mod error;
mod hashes;
mod interests;
mod number;
mod objects;
mod reader;
mod redact;
mod replay;
pub(crate) mod server;
#[cfg(test)]
mod tests;
mod writer;

pub use error::RecordingError;
pub use hashes::{HashPair, Hashes};
pub use reader::{Call, Reader, Record};
pub use redact::Blank;
pub use replay::{Difference, Replay, replay, replay_as};
pub use writer::{CALLS_END, EndReason, VERSION, Writer};
