//! The client's side of snapshots: a buffer, a play instant, and poses between two snapshots.
//!
//! A server sends the states of its objects some times a second. They arrive late, in bursts, in any order, or not at all.
//! This crate decides which instant a client shows, and how its objects are drawn at that instant.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | show snapshots that you decode | [`Buffer`] |
//! | show them with a constant delay, or one that follows the network | [`Playout`](playout::Playout) |
//! | fill the time between two snapshots | [`Interpolation`](interpolate::Interpolation) |
//! | find the pose between two snapshots of your own | [`interpolate::pose_at`], [`Pose::towards`] |
//! | steer the clock of any stream of packets | [`playout::Clock`] |
//!
//! # Example: a client
//!
//! ```
//! use snapshot_base::time::WORLD;
//! use snapshot_codec::{CubeState, Decoder, Encoder, Format, QuantisationBits, Rung};
//! use snapshot_view::interpolate::Interpolation;
//! use snapshot_view::playout::Playout;
//! use snapshot_view::{Buffer, BufferConfig, Pose};
//!
//! // Server and client agree on these beforehand.
//! let mut state = CubeState { position: [0.0, 0.0, 0.2], ..CubeState::default() };
//! let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 1)?;
//! let initial = [format.quantise(&state)];
//! let (mut encoder, mut decoder) = (Encoder::new(format, &initial)?, Decoder::new(format, &initial)?);
//! let mut buffer = Buffer::new(format, BufferConfig {
//!     tick_rate: WORLD,
//!     interpolation: Interpolation::Hermite,
//!     playout: Playout::Fixed { delay_ms: 100.0 },
//!     send_interval_ms: 50.0,
//! });
//!
//! let (mut packet, mut cubes, mut poses) = (Vec::new(), Vec::new(), [Pose::from(&state)]);
//! for tick in 1..=60_u16 {
//!     state.position[0] += 0.05;
//!     let now_ms = WORLD.ms_of_tick(tick.into());
//!     // A packet leaves every third tick. Here it arrives at once.
//!     if tick % 3 == 0 {
//!         encoder.encode(tick, &[format.quantise(&state)], &mut packet)?;
//!         let header = decoder.decode(&packet, tick, &mut cubes)?;
//!         encoder.ack(header.sequence);
//!         buffer.on_snapshot(now_ms, i64::from(tick), &cubes);
//!     }
//!     // At each frame the poses of the play instant are drawn.
//!     if let Some(instant) = buffer.advance(now_ms) {
//!         buffer.show(instant, &mut poses);
//!     }
//! }
//! // 100 ms are six ticks: the cube is drawn where it was then.
//! assert!((poses[0].position[0] - 54.0 * 0.05).abs() < 2e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is not in it
//!
//! No socket and no clock: times are arguments. No packets: decode them first, with `snapshot-codec` or a codec of your own.
//! No prediction of the client's own object.
//!
//! # Invariants
//!
//! - The same arrivals at the same times give the same poses.
//! - A late or repeated snapshot never moves the view backwards.
//! - Memory is bounded at any rate of packets.

#![warn(missing_docs)]

mod buffer;
pub mod interpolate;
pub mod playout;
mod pose;

pub use buffer::{Buffer, BufferConfig, Playback, SnapshotArrival};
pub use pose::Pose;
