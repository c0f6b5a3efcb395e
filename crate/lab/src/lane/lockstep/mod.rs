//! Deterministic lockstep: only the keys go over the wire, and the right side runs the same world with them.

mod observer;
mod receiver;
mod sender;
#[cfg(test)]
mod tests;

use crate::settings::LaneSettings;
use snapshot_physics::world::World;

pub(super) use observer::Observer;
pub(super) use receiver::Receiver;
pub(crate) use sender::Sender;

/// Inputs that wait for an acknowledgement, or for the right world, at most: half of what a sequence can tell apart, 9.1
/// minutes (FORMAT.md). With one more the sender gives up.
const MOST_QUEUED: usize = 0x7fff;

/// What lockstep did, beside what every strategy measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// What the left side did.
    pub sender: SenderFigures,
    /// What the right side did.
    pub receiver: ReceiverFigures,
    /// What is seen of both.
    pub observer: ObserverFigures,
}

/// What the left side of lockstep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderFigures {
    /// Inputs in all packets, each as often as it was sent.
    pub inputs_sent: u64,
    /// Inputs in the newest packet.
    pub newest_packet_inputs: u64,
    /// Ticks in which a packet could not hold all that was unacknowledged.
    pub window_full_ticks: u64,
    /// Its queue overflowed: it sends no more, and the right world holds for good.
    pub given_up: bool,
}

/// What the right side of lockstep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverFigures {
    /// Runs of ticks in which the right world held, though it was time for its next frame.
    pub stalls: u64,
    /// The ticks of those runs.
    pub stalled_ticks: u64,
    /// Frames stepped beyond the first of a tick, to catch up.
    pub catch_up_steps: u64,
    /// Inputs that have arrived and wait to be played.
    pub inputs_waiting: u64,
}

/// What is seen of both worlds of lockstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserverFigures {
    /// Frames whose checksums were compared.
    pub frames_checked: u64,
    /// The first frame whose checksums differ.
    pub first_desync_frame: Option<u64>,
}

/// Sender, receiver and observer, the right world in the state of `world`.
pub(super) fn ends(settings: &LaneSettings, world: &World) -> (Sender, Receiver, Observer) {
    (
        Sender::new(settings),
        Receiver::new(settings, world),
        Observer::default(),
    )
}
