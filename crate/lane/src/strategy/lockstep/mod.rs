//! Deterministic lockstep: only the inputs go over the wire, and the receiver steps an identical world with them.

pub(crate) mod ends;
mod packet;
mod receiver;
mod sender;
#[cfg(test)]
mod tests;

pub use packet::{INPUT_BITS, MOST_INPUTS, MOST_INPUTS_BYTES, decode_inputs, encode_inputs};
pub use receiver::{LockstepReceiver, LockstepReceiverConfig};
pub use sender::{LockstepSender, LockstepSenderConfig};

/// Upper limit of the number of inputs in a queue: half the sequence range, 9.1 minutes (FORMAT.md). With one more
/// unacknowledged input the sender gives up.
pub(crate) const MOST_QUEUED: usize = 0x7fff;

/// Statistics of a lockstep sender since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderFigures {
    /// Number of inputs in all packets; repeated inputs count each time.
    pub inputs_sent: u64,
    pub newest_packet_inputs: u64,
    /// Number of ticks in which a packet could not hold all unacknowledged inputs.
    pub window_full_ticks: u64,
    /// True once the sender's queue overflowed: it sends no more packets, and the receiver stays frozen.
    pub given_up: bool,
}

/// Statistics of a lockstep receiver since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockstepReceiverFigures {
    /// Number of stalls: runs of ticks in which the world was frozen, though its next frame was due.
    pub stalls: u64,
    /// Total length of all stalls, ticks.
    pub stalled_ticks: u64,
    /// Number of frames that were simulated to catch up, beyond the first of each tick.
    pub catch_up_steps: u64,
    /// Number of inputs that have arrived, but are not played yet.
    pub inputs_waiting: u64,
}
