//! The ends of a strategy, of whatever kind.

use crate::{AckedPackets, DecodeError, PacketInfo, SenderError, World};
use snapshot_codec::{CubeState, Ledger};
use snapshot_view::{Playback, Pose, SnapshotArrival};

/// The sender of a strategy: ticks of the world in, packets out. There is one for each receiver.
pub trait Sender {
    /// Takes the input that led to a tick of the world, and the states after it. If a packet is due, `packet` is replaced by
    /// it, and `ledger` by its bits by kind. Lockstep reads no states.
    ///
    /// # Errors
    /// When the tick is not the next one, the input has more than six bits, or the number of cubes is not the format's.
    /// Nothing changes then.
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError>;

    /// Takes an acknowledgement, and says which packets it names. A stream's is empty: the stream acknowledges by itself.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    fn ack(&mut self, bytes: &[u8]) -> Result<AckedPackets, snapshot_codec::DecodeError>;

    /// Memory in bytes, without the predictor's.
    fn held_bytes(&self) -> usize;
}

/// The receiver of a strategy: packets and times in, poses out. Its times are those of its own clock.
pub trait Receiver {
    /// Takes a packet that arrived at `arrival_ms`.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its tick lies in the future. Nothing changes then, once the sender's tick is
    /// sure.
    fn packet(&mut self, arrival_ms: f64, bytes: &[u8]) -> Result<SnapshotArrival, DecodeError>;

    /// Replaces `out` by the acknowledgement to send at the end of a tick, and says whether one is due. A stream's is empty.
    fn ack(&mut self, out: &mut Vec<u8>) -> bool;

    /// Writes the pose of every cube at `now_ms`. A strategy that simulates steps `world`, which must be the same one at each
    /// call. It gives no playback before there is anything to show.
    fn show(&mut self, now_ms: f64, world: &mut dyn World, poses: &mut [Pose]) -> Option<Playback>;

    /// Memory that it takes, bytes, without the lent world's.
    fn held_bytes(&self) -> usize;
}
