//! The strategies. A strategy defines the data that a server sends, and how a client shows it. Each is a folder with its
//! packets, its sender and receiver, and both its ends in a lane.
//!
//! A [`Sender`] receives ticks of the world (number, input and states) and returns packets. A [`Receiver`] receives packets,
//! with times of its own clock, and returns poses to draw. Neither has a clock, a socket or a thread.
//!
//! - [`snapshot`]: packets hold the states of all cubes, compressed. The receiver shows them a little later, interpolated.
//!   It needs no physics, and nothing that it shows is wrong. It costs the most bandwidth.
//! - [`sync`]: packets hold inputs, and the states of the cubes that matter most. The receiver simulates in between, on a
//!   [`World`] that it is lent. Errors are corrected, and smoothed.
//! - [`lockstep`]: packets hold inputs alone. The receiver simulates all, and needs the same bits as the sender.
//! - [`game`]: inputs go to a server and states come back, by `snapshot-replication`. The client may predict. Its ends send both
//!   ways, so they are no [`Sender`] and [`Receiver`].
//!
//! The reasons are in `docs/decisions/0004-session-with-a-lent-world.md`.

pub(crate) mod ends;
mod error;
mod frames;
pub mod game;
mod interface;
pub mod lockstep;
pub mod snapshot;
pub(crate) mod strategy_ends;
pub mod sync;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod without_lane;

pub use error::{DecodeError, InputsError, SenderError, SyncEncodeError};
pub use interface::{
    AckedPackets, Change, NoWorld, PacketInfo, Receiver, Sender, World, fragments,
};
