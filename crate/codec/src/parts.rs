//! Parts of packets, for the laboratory's packets beside snapshots. They are no part of the public interface.

pub use crate::bits::BitReader;
pub use crate::fields::{Vector, orientation};
pub use crate::ledger::{BitCounter, PacketWriter, Sink};
pub use crate::space::Space;
pub use crate::stream::{Reading, Stream, WRITING, Writing};
