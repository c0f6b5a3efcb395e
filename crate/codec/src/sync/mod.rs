//! State synchronisation: packets of inputs and of the whole state of the cubes that matter most.
//!
//! Where a snapshot packet says everything, a sync packet says as much as its budget holds; the receiver simulates the
//! rest. [`Format`] is what both ends agree on, [`Sender`] and [`Receiver`] are the two ends, [`Ack`] is what comes back.
//! `packet` describes the bytes once, for both directions ([`stream`]); `predict` is what compression expects of a cube.

mod ack;
mod endpoint;
mod format;
mod packet;
mod predict;
mod stream;
mod window;

pub use ack::{ACK_BYTES, Ack};
pub use endpoint::{Receiver, Sender};
pub use format::{Compression, Format};
pub use packet::{Packet, Update};
pub use window::WINDOW_FRAMES;

/// Most updates in a packet (the article's figure).
pub const UPDATES_MAX: usize = 64;
/// Most inputs in a packet (the article's figure): half a second of them at 60 a second.
pub const INPUTS_MAX: usize = 32;
/// Bits of an input: six keys.
pub const INPUT_BITS: u32 = 6;

/// The integers of a cube's whole state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// Fixed point.
    pub position: [i32; 3],
    /// Smallest three: which component is the largest, then the codes of the others.
    pub orientation: [i32; 4],
    /// Fixed point; 0 at rest, and where the format sends no velocities.
    pub linear_velocity: [i32; 3],
    /// As the linear one.
    pub angular_velocity: [i32; 3],
    /// The simulation has put the cube to sleep.
    pub at_rest: bool,
}
