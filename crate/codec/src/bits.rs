//! Streams of bits for packets of one's own, with the same walk for writer and reader, and the same account of bits.
//!
//! A game needs none of this to send snapshots. The laboratory writes its packets of inputs and of state synchronisation by it.
//! Names here may change between two versions.

pub use crate::ledger::{BitCounter, PacketWriter, Sink};
pub use crate::stream::BitReader;
pub use crate::stream::{PacketStream, Reading, WRITING, Writing};
pub use crate::stream::{Vector, orientation};
