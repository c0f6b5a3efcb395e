//! Senders and receivers of the three strategies, and what a receiver shows.
//!
//! A sender gets the world's states, inputs and ticks, and gives bytes. A receiver gets times and bytes, and gives poses.
//! Neither knows a clock, a tape, the other end, or the page's settings. So the same ends run in the lab, in two
//! processes and in two browsers.
//!
//! A receiver that simulates is lent its [`World`] at each tick. A rung that predicts is given its
//! [`Foresight`](snapshot_codec::Foresight) at construction.
//!
//! The reasons are in `docs/decisions/0004-session-with-a-lent-world.md`.

mod ends;
pub mod interpolate;
pub mod lockstep;
pub mod playout;
mod pose;
pub mod snapshot;
pub mod sync;
mod world;

pub use ends::{AckedPackets, Arrival, PacketInfo, Playback, fragments};
pub use pose::Pose;
pub use world::World;
