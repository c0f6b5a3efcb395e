//! Building blocks for the laboratory's other packets, not part of the public interface.

pub use crate::ledger::{BitCounter, PacketWriter, Sink};
pub use crate::space::Space;
pub use crate::stream::BitReader;
pub use crate::stream::{PacketStream, Reading, WRITING, Writing};
pub use crate::stream::{Vector, orientation};
