//! State synchronisation: packets of inputs and of the whole state of the cubes that matter most.
//!
//! Where a snapshot packet says everything, a sync packet says as much as its budget holds; the receiver simulates the
//! rest. [`SyncFormat`] is what both ends agree on, [`SyncEncoder`] and [`SyncDecoder`] are the two ends, [`SyncAck`] is what comes back.
//! `packet` describes the bytes once; `predict` is what compression expects of a cube.
//!
//! ```
//! use crate::strategy::sync::{Compression, SyncAck, SyncDecoder, SyncEncoder, SyncFormat, SyncPacket};
//! use snapshot_codec::{CubeState, Life, QuantisationBits};
//!
//! let compression = Compression { relative: true, delta: true };
//! let format = SyncFormat::new(QuantisationBits::new(12, 15, 12)?, 901, compression, true)?;
//! let (mut encoder, mut decoder) = (SyncEncoder::new(format), SyncDecoder::new(format));
//! let state = CubeState { position: [1.0, 2.0, 0.5], orientation: [0.0, 0.0, 0.0, 1.0], linear_velocity: [3.0, 0.0, 0.0],
//!                         angular_velocity: [0.0; 3], interacting: true, at_rest: false, life: Life::default() };
//! // By priority, the player first: those that fit into 75 bytes.
//! let candidates = (0..901).map(|index| (index, format.grid.quantise(&state)));
//! let mut bytes = Vec::new();
//! let sent = encoder.encode(1, &[0b00_1000], candidates, 75 * 8, &mut bytes, None)?;
//! let indices: Vec<usize> = sent.updates.iter().map(|update| update.index).collect();
//! assert!(bytes.len() <= 75 && indices.starts_with(&[0, 1]));
//!
//! let mut packet = SyncPacket::default();
//! decoder.decode(&bytes, 1, &mut packet)?;
//! assert_eq!((&packet.inputs[..], packet.updates.len()), (&[0b00_1000][..], indices.len()));
//! // Used: from now on it is a baseline, and acknowledged.
//! decoder.accept(&packet);
//! let ack = decoder.ack().map(SyncAck::to_bytes).unwrap_or_default();
//! encoder.ack(SyncAck::from_bytes(&ack)?, |_sequence, _updates| ());
//! assert!(encoder.has_arrived(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
/// Number of bits of an input, one for each key.
const INPUT_BITS: u32 = 6;
