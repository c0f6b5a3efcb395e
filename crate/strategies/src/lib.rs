//! Senders and receivers of the three strategies: a server's packets, and a client's view of them.
//!
//! A [`Sender`] receives ticks of the world (number, input and states) and returns packets. A [`Receiver`] receives packets,
//! with times of its own clock, and returns poses to draw. Neither has a clock, a socket or a thread: the game provides them.
//!
//! # Which strategy
//!
//! - [`snapshot`]: packets hold the states of all cubes, compressed. The receiver shows them a little later, interpolated.
//!   It needs no physics, and nothing that it shows is wrong. It costs the most bandwidth.
//! - [`sync`]: packets hold inputs, and the states of the cubes that matter most. The receiver simulates in between, on a
//!   [`World`] that it is lent. Errors are corrected, and smoothed.
//! - [`lockstep`]: packets hold inputs alone. The receiver simulates all, and needs the same bits as the sender.
//! - [`game`]: inputs go to a server and states come back, by `snapshot-replication`. The client may predict. Its ends send both
//!   ways, so they are no [`Sender`] and [`Receiver`].
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | send and show, by any strategy | the traits [`Sender`] and [`Receiver`], and those of the strategy's module |
//! | read and write packets alone | [`sync::SyncEncoder`] and [`sync::SyncDecoder`], [`lockstep::encode_inputs`] and [`lockstep::decode_inputs`] |
//! | show snapshots alone | crate `snapshot-view` |
//! | lend a simulation to a receiver | [`World`] |
//!
//! # A game loop
//!
//! ```
//! use snapshot_base::time::WORLD;
//! use snapshot_codec::{CubeState, DeadReckoning, Format, Life, QuantisationBits, Rung};
//! use snapshot_strategies::{NoWorld, Receiver, Sender, snapshot};
//! use snapshot_view::interpolate::Interpolation;
//! use snapshot_view::playout::Playout;
//! use snapshot_view::{BufferConfig, Pose};
//!
//! // Server and client agree on these beforehand.
//! let still = CubeState { position: [0.0, 0.0, 0.2], orientation: [0.0, 0.0, 0.0, 1.0], linear_velocity: [0.0; 3],
//!     angular_velocity: [0.0; 3], interacting: false, at_rest: false, life: Life::FIRST };
//! let format = Format::new(Rung::Predicted, QuantisationBits::DEFAULT, 2)?;
//! let initial = [format.quantise(&still); 2];
//!
//! // The server has a sender for each client.
//! let mut states = [still; 2];
//! let mut sender = snapshot::SnapshotSender::new(format, WORLD, 20, &initial, DeadReckoning);
//! let config = BufferConfig {
//!     tick_rate: WORLD,
//!     interpolation: Interpolation::Hermite,
//!     playout: Playout::Fixed { delay_ms: 100.0 },
//!     send_interval_ms: 50.0,
//! };
//! let mut receiver = snapshot::SnapshotReceiver::new(format, config, &initial, DeadReckoning);
//!
//! let (mut packet, mut ack, mut poses) = (Vec::new(), Vec::new(), [still; 2].map(|cube| Pose::from(&cube)));
//! for tick in 1..61 {
//!     // Server: the world is stepped, and a packet leaves every third tick.
//!     states[0].position[0] += 0.05;
//!     let leaves = sender.tick(tick, 0, &states, &mut packet, None)?.is_some();
//!     // Client: packets arrive with the time of its own clock, here at once. Its acknowledgement goes back.
//!     let now_ms = WORLD.ms_of_tick(tick as f64);
//!     if leaves {
//!         receiver.packet(now_ms, &packet)?;
//!     }
//!     if receiver.ack(&mut ack) {
//!         sender.ack(&ack)?;
//!     }
//!     // At each frame the poses of the play instant are drawn.
//!     receiver.show(now_ms, &mut NoWorld, &mut poses);
//! }
//! // 100 ms are six ticks: the cube is drawn where it was then.
//! assert!((poses[0].position[0] - 54.0 * 0.05).abs() < 2e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The same start
//!
//! Sequences on the wire are short. So both ends count ticks and milliseconds from the same start. Crate
//! `snapshot-replication` has clients that join a running game.
//!
//! A rung that predicts is given its [`Foresight`](snapshot_codec::Foresight) at construction.
//! The reasons are in `docs/decisions/0004-session-with-a-lent-world.md`.

mod door;
mod error;
mod frames;
pub mod game;
pub mod lockstep;
pub mod snapshot;
pub mod sync;
#[cfg(test)]
mod tests;

pub use door::{AckedPackets, NoWorld, PacketInfo, Receiver, Sender, World, fragments};
pub use error::{DecodeError, InputsError, SenderError, SyncEncodeError};
