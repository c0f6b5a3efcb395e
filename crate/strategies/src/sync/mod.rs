//! State synchronisation: the receiver simulates too, with the same inputs. States of the cubes that matter most correct it.

mod budget;
mod codec;
mod receiver;
mod sender;
mod smooth;
mod timing;

pub use budget::Adaptation;
pub use codec::{
    ACK_BYTES, Compression, INPUTS_MAX, SyncAck, SyncBody, SyncDecoder, SyncEncoder, SyncFormat,
    SyncPacket, UPDATES_MAX, Update, WINDOW_FRAMES,
};
pub use receiver::{SyncReceiver, SyncReceiverConfig, SyncReceiverFigures};
pub use sender::{SyncSender, SyncSenderConfig};
pub(crate) use smooth::PoseOffset;
pub use smooth::Smoothing;
