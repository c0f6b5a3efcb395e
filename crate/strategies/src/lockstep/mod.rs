//! Deterministic lockstep: only the inputs go over the wire, and the receiver runs the same world with them.

mod packet;
mod receiver;
mod sender;
#[cfg(test)]
mod tests;

pub use packet::{INPUT_BITS, MOST_INPUTS, MOST_INPUTS_BYTES, decode_inputs, encode_inputs};
pub use receiver::{LockstepReceiver, LockstepReceiverConfig};
pub use sender::{LockstepSender, LockstepSenderConfig};

/// Inputs that wait for an acknowledgement, or for their frame, at most: half of what a sequence can tell apart, 9.1 minutes
/// (FORMAT.md). With one more the sender gives up.
pub(crate) const MOST_QUEUED: usize = 0x7fff;

/// Measures of a sender of inputs since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderFigures {
    /// Inputs in all packets, each as often as it was sent.
    pub inputs_sent: u64,
    /// Inputs in the newest packet.
    pub newest_packet_inputs: u64,
    /// Ticks in which a packet could not hold all unacknowledged inputs.
    pub window_full_ticks: u64,
    /// True once the sender's queue overflowed: no more packets leave, and the receiver is frozen for good.
    pub given_up: bool,
}

/// Measures of a receiver of inputs since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockstepReceiverFigures {
    /// Runs of ticks in which the world was frozen, though its next frame was due.
    pub stalls: u64,
    /// The ticks of those runs.
    pub stalled_ticks: u64,
    /// Frames stepped beyond the first of a tick, to catch up.
    pub catch_up_steps: u64,
    /// Inputs that have arrived and wait to be played.
    pub inputs_waiting: u64,
}
