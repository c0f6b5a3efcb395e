//! Streams of bits for a program's own packets. One description of a packet writes and reads it, and counts its bits by kind.
//!
//! A game needs none of this to send snapshots. The laboratory uses these streams for its packets of inputs and of state
//! synchronisation. Names here may change between two versions.

pub use crate::ledger::{BitCounter, PacketWriter, Sink};
pub use crate::stream::BitReader;
pub use crate::stream::{PacketStream, Reading, WRITING, Writing};
pub use crate::stream::{Vector, orientation};
