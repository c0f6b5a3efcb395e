//! A codec for snapshots of a world of cubes. It quantises them, encodes them into packets against a baseline that the
//! receiver has, and decodes them bit for bit. On request, it counts every bit of a packet by its purpose.
//!
//! A [`Format`] says what both ends know before any packet. An [`Encoder`] turns snapshots into packets, and a [`Decoder`]
//! turns packets into snapshots. These three types suffice for a first program.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | choose the sent values and their precision | [`Format`] with a [`Rung`], [`QuantisationBits`] and [`Bounds`] |
//! | turn floats into sent integers, and back | [`Format::quantise`] and [`Format::dequantise`], from [`CubeState`] to [`Cube`] |
//! | send over a network that loses packets | [`Encoder`] and [`Decoder`]; acknowledgements by [`encode_ack`] and [`decode_ack`] |
//! | keep the baselines yourself: a recording, a saved game | [`SnapshotCoder`] and [`Baseline`] |
//! | let objects come, go and jump | [`Format::with_slots`] and [`Life`] |
//! | send ids, kinds and fields of your own | [`Format::with_fields`], [`Fields`] and [`Snapshot`] |
//! | count the bits by purpose | [`Ledger`], and `encode_ahead` |
//! | choose a rung | its [`RungRow`], and the README |
//!
//! Rungs 13 (`predicted`) and 14 (`simulated`), and `ledger`, are features that are on unless they are switched off. Without
//! `ledger` no bits of packets are counted, and a program is smaller.
//!
//! # Example
//!
//! ```
//! use snapshot_codec::{CubeState, Decoder, Encoder, Format, QuantisationBits, Rung};
//!
//! let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 2)?;
//! let mut state = CubeState { position: [0.0, 0.0, 0.2], ..CubeState::default() };
//! let initial = [format.quantise(&state); 2];
//! let (mut encoder, mut decoder) = (Encoder::new(format, &initial)?, Decoder::new(format, &initial)?);
//!
//! state.position[0] += 0.1;
//! let truth = [format.quantise(&state), initial[1]];
//! let (mut packet, mut received) = (Vec::new(), Vec::new());
//! encoder.encode(7, &truth, &mut packet)?;
//! let header = decoder.decode(&packet, 7, &mut received)?;
//! assert_eq!((header.sequence, &received[..]), (7, &truth[..]));
//! encoder.ack(header.sequence);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is not in it
//!
//! No socket, no clock and no connection: `snapshot-replication` has connections. No interpolation between snapshots:
//! `snapshot-view` has it. No physics: rung 14 is lent a simulation, a `Foresight`. Packets are not authenticated.
//!
//! # Invariants
//!
//! - A decoded snapshot equals the encoded one bit for bit, whatever packets were lost.
//! - Any bytes are decoded, or refused with a named error. Each error has a number, by `number()`, for programs in other
//!   languages.
//! - A snapshot has exactly one packet for a sequence and a baseline.
//!
//! The module `specification` has `FORMAT.md`, which specifies every byte.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod ack;
pub mod bits;
mod buffers;
mod cube;
mod declared;
mod endpoint;
mod error;
mod format;
mod grid;
mod history;
mod ledger;
// Rungs that are left out leave their helpers unused.
#[cfg_attr(
    not(feature = "simulated"),
    allow(dead_code, unused_variables, unreachable_pub)
)]
#[allow(
    missing_docs,
    reason = "its public items are for training alone, and hidden"
)]
mod model;
mod packed;
pub mod quantise;
mod ranges;
mod rows;
mod rungs;
/// The specification of every byte, `FORMAT.md` of this package.
#[cfg(doc)]
#[doc = include_str!("../FORMAT.md")]
pub mod specification {}
pub mod sequence;
mod single;
mod slots;
mod snapshot;
mod space;
mod stream;

pub use ack::{decode_ack, encode_ack};
pub use cube::{Cube, CubeState, Life};
pub use declared::{FIELDS_MAX, Fields, Snapshot};
pub use endpoint::{Decoder, Encoder};
pub use error::{ConfigError, CubeField, DecodeError, EncodeError, SnapshotError};
pub use format::Format;
pub use grid::{Grid, GridState};
pub use history::{RECEIVED_HISTORY_TICKS, SENT_HISTORY_TICKS};
pub use ledger::{BIT_65536THS, Decision, Kind, Ledger, Span};
pub use model::simulated::{DeadReckoning, Foresight, Lookahead};
#[cfg(feature = "simulated")]
#[doc(hidden)]
pub use model::training;
pub use packed::{MIDDLE_GAPS, NEAR_GAPS};
pub use ranges::Widths;
pub use rungs::{Class, CubesCoding, Rung, RungRow, ValueCoding};
pub use single::{Baseline, SnapshotCoder};
pub use snapshot::Header;
pub use space::{Bounds, QuantisationBits};

/// The README, whose example runs as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
