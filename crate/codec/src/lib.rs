//! Snapshots of a world of cubes as packets. They are quantised, encoded against a baseline that the other side has, and
//! decoded bit for bit. Every bit is accounted for where that is asked for.
//!
//! The layers, bottom up:
//!
//! * `bits` reads and writes bits, and the [`Ledger`] counts them by kind.
//! * [`quantise`] turns floats into the integers of a cube.
//! * [`Format`] holds the settings that both ends agree on.
//! * [`Rung`] and its [`RungRow`] are the table of the ladder.
//! * `changed`, `ranges`, `fields`, `packed` and `snapshot` are the ladder of encodings.
//! * `model` is its last three rungs, which code with probabilities. The feature `train` makes the tables of the last two.
//! * [`History`] is the bounded memory of snapshots that both ends keep as baselines.
//! * [`Encoder`] and [`Decoder`] are the two ends. [`SnapshotCoder`] is for those who keep their baselines themselves.
//! * [`lockstep`] sends inputs alone.
//! * [`sync`] sends inputs and the state of some cubes at a time, for a receiver that simulates.
//!
//! `FORMAT.md` specifies every byte.
//!
//! ```
//! use snapshot_codec::{CubeState, Decoder, Encoder, Format, Life, QuantisationBits, Rung};
//!
//! let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 2)?;
//! let mut state = CubeState { position: [0.0, 0.0, 0.2], orientation: [0.0, 0.0, 0.0, 1.0], linear_velocity: [0.0; 3],
//!                             angular_velocity: [0.0; 3], interacting: false, at_rest: true, life: Life::default() };
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
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod ack;
mod bits;
mod changed;
mod cube;
mod declared;
mod endpoint;
mod error;
mod fields;
mod format;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod header;
mod history;
mod ledger;
pub mod lockstep;
mod model;
mod packed;
pub mod quantise;
mod ranges;
mod rows;
mod rungs;
pub mod sequence;
mod single;
mod size;
mod slots;
mod snapshot;
mod space;
mod sqrt;
mod stream;
pub mod sync;

pub use ack::{decode_ack, encode_ack};
pub use changed::{MIDDLE_GAPS, NEAR_GAPS};
pub use cube::{Cube, CubeState, Life};
pub use declared::{FIELDS_MAX, Fields, Snapshot};
pub use endpoint::{Decoder, Encoder};
pub use error::{ConfigError, DecodeError, EncodeError, Field, SnapshotError, SyncEncodeError};
pub use format::Format;
pub use header::Header;
pub use history::{History, RECEIVED_HISTORY_TICKS, SENT_HISTORY_TICKS};
pub use ledger::{BIT_65536THS, Decision, Kind, Ledger, Span};
pub use model::simulated::{Ahead, DeadReckoning, Foresight};
#[cfg(feature = "train")]
pub use model::train;
pub use ranges::Widths;
pub use rungs::{Class, CubesCoding, Rung, RungRow, ValueCoding};
pub use single::{Baseline, SnapshotCoder};
pub use space::{Bounds, QuantisationBits};

/// Its example is run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
