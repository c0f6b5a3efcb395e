//! State synchronisation: packets of inputs and of the whole state of the cubes that matter most.
//!
//! A snapshot packet has the states of all cubes; a sync packet has as many as its budget allows. The receiver simulates
//! the rest. Both ends agree on a [`SyncFormat`]. [`SyncEncoder`] writes packets, [`SyncDecoder`] reads them, and
//! [`SyncAck`] acknowledges them. `packet` describes the bytes once for both directions; `predict` predicts a cube's fields
//! for compression.

mod ack;
mod body;
mod endpoint;
mod format;
mod packet;
mod predict;
mod window;

pub use ack::{ACK_BYTES, SyncAck};
pub use body::Update;
pub use endpoint::{SyncDecoder, SyncEncoder};
pub use format::{Compression, SyncFormat};
pub use packet::SyncPacket;
pub use window::WINDOW_FRAMES;

/// Upper limit of the number of updates in a packet, as in the article "State Synchronization".
pub const UPDATES_MAX: usize = 64;
/// Upper limit of the number of inputs in a packet, as in the article "State Synchronization": half a second of them.
pub const INPUTS_MAX: usize = 32;
