//! State synchronisation: packets of inputs and of the whole state of the cubes that matter most.
//!
//! Where a snapshot packet says everything, a sync packet says as much as its budget holds; the receiver simulates the
//! rest. [`Format`] is what both ends agree on, [`Sender`] and [`Receiver`] are the two ends, [`Ack`] is what comes back.
//! `packet` describes the bytes once; `predict` is what compression expects of a cube.

mod ack;
mod body;
mod endpoint;
mod format;
mod packet;
mod predict;
mod window;

pub use ack::{ACK_BYTES, Ack};
pub use body::{Body, Update};
pub use endpoint::{Receiver, Sender};
pub use format::{Compression, Format};
pub use packet::Packet;
pub use window::WINDOW_FRAMES;

/// Most updates in a packet (the article's figure).
pub const UPDATES_MAX: usize = 64;
/// Most inputs in a packet (the article's figure): half a second of them at 60 a second.
pub const INPUTS_MAX: usize = 32;
/// Bits of an input: six keys.
pub const INPUT_BITS: u32 = 6;
