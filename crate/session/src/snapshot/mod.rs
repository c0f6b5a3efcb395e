//! Snapshot interpolation: the whole state goes over the wire, and the receiver shows it a little later.

mod acknowledger;
mod buffer;
mod cached;
mod receiver;
mod sender;

pub use acknowledger::Acknowledger;
pub use buffer::Buffer;
pub use cached::Quantised;
pub use receiver::{Receiver, ReceiverConfig};
pub use sender::{Sender, quantise};

const QUANTISED: &str = "a snapshot that the format itself quantised is one of that format";
