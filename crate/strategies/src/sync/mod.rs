//! State synchronisation: the receiver simulates too, with the same inputs, and is corrected by the states of the cubes that
//! matter most.

mod budget;
mod codec;
mod receiver;
mod sender;
mod smooth;
mod timing;

pub use budget::Adaptation;
pub use codec::{
    ACK_BYTES, Ack, Body, Compression, Decoder, Encoder, Format, INPUTS_MAX, Packet, UPDATES_MAX,
    Update, WINDOW_FRAMES,
};
pub use receiver::{Receiver, ReceiverConfig, ReceiverFigures};
pub use sender::{Sender, SenderConfig};
pub use smooth::Smoothing;
