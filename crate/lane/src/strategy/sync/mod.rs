//! State synchronisation: the receiver simulates too, with the same inputs. States of the cubes that matter most correct it.

mod budget;
mod codec;
pub(crate) mod ends;
mod receiver;
mod replica;
mod sender;
mod smooth;
#[cfg(test)]
mod tests;
mod timing;

pub use codec::{
    ACK_BYTES, Compression, INPUTS_MAX, SyncAck, SyncDecoder, SyncEncoder, SyncFormat, SyncPacket,
    UPDATES_MAX, Update, WINDOW_FRAMES,
};
pub use receiver::{SyncReceiver, SyncReceiverConfig, SyncReceiverFigures};
pub use sender::{QueuedCube, SyncSender, SyncSenderConfig};
pub use smooth::BASIC_KEPT;
pub(crate) use smooth::PoseOffset;
