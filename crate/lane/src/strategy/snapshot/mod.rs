//! Snapshot interpolation: packets hold the whole state, compressed, and the receiver shows it a little later.

mod endpoints;
mod ends;

pub use endpoints::{Acknowledger, Quantised, SnapshotReceiver, SnapshotSender, quantise};
pub(crate) use ends::SnapshotEnds;
#[cfg(test)]
pub(crate) use ends::receiver_config;
