//! Deterministic tools that all other crates share: seeded random numbers, stable hashes, vectors and quaternions, ticks and
//! milliseconds.
//!
//! A simulation that must repeat itself cannot take these from the standard library or the machine. The order of a `HashMap`
//! changes from run to run, a sine differs in its last bits, and a clock gives another time in each run.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | draw random numbers one after the other | [`random::Stream`] |
//! | draw a number that depends on its key alone, such as a packet's number | [`random::KeyedDraw`] |
//! | compare two states by one number | [`hash::Fnv`] |
//! | convert ticks, milliseconds and 16-bit sequences | [`time::TickRate`], [`time::sequence_of_tick`], [`time::tick_of_sequence`] |
//! | calculate with positions and orientations | [`math::Vec3`], [`math::Quat`] |
//! | sort numbers, and build sorted maps | [`order`] |
//!
//! The other modules are helpers: [`cache`] for results that stay while their input stays, [`queue`] and [`text`]. [`clock`]
//! parses times that a text names.
//!
//! # Example
//!
//! ```
//! use snapshot_base::random::{KeyedDraw, Stream};
//! use snapshot_base::time::WORLD;
//!
//! // Two streams of one seed and one use give the same numbers.
//! let (mut dice, mut again) = (Stream::new(7, 1), Stream::new(7, 1));
//! assert_eq!([dice.integer(1, 6), dice.integer(1, 6)], [again.integer(1, 6), again.integer(1, 6)]);
//!
//! // A keyed draw does not depend on earlier draws: packet 4 may be drawn before packet 3.
//! let loss = KeyedDraw::new(7, 2);
//! let (fourth, third) = (loss.with(4).unit(), loss.with(3).unit());
//! assert_eq!([third, fourth], [3, 4].map(|packet| loss.with(packet).unit()));
//!
//! // At 60 ticks and 20 packets a second, every third tick sends a packet.
//! let sent: Vec<u64> = (1..=9).filter(|&tick| WORLD.sends_at(tick, 20)).collect();
//! assert_eq!(sent, [3, 6, 9]);
//! ```
//!
//! # What is not in it
//!
//! No clock, no file and no socket; no packets and no objects. Quantising belongs to `snapshot-codec`.
//!
//! # Invariant
//!
//! Equal arguments give equal bits on every machine, native and in wasm.

#![warn(missing_docs)]

pub mod cache;
pub mod clock;
pub mod hash;
pub mod math;
pub mod order;
pub mod queue;
pub mod random;
pub mod text;
pub mod time;
