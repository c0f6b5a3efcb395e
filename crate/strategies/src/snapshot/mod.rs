//! Snapshot interpolation: the whole state goes over the wire, and the receiver shows it a little later.

mod receiver;
mod sender;

pub use receiver::{Acknowledger, Receiver, ReceiverConfig};
pub use sender::{Quantised, Sender, quantise};

const QUANTISED: &str = "a snapshot that the format itself quantised is one of that format";
