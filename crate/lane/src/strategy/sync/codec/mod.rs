//! State synchronisation: packets of inputs and of the whole state of the cubes that matter most.
//!
//! Where a snapshot packet says everything, a sync packet says as much as its budget holds; the receiver simulates the
//! rest. [`SyncFormat`] is what both ends agree on, [`SyncEncoder`] and [`SyncDecoder`] are the two ends, [`SyncAck`] is what comes back.
//! `packet` describes the bytes once; `predict` is what compression expects of a cube.

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
