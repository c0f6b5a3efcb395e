//! A sender and a receiver for all three strategies.

use crate::{AckedPackets, DecodeError, PacketInfo, SenderError, World, lockstep, snapshot, sync};
use snapshot_codec::{CubeState, DeadReckoning, Foresight, Ledger};
use snapshot_view::{Arrival, Playback, Pose};

/// A sender of any strategy: ticks of the world in, packets out. There is one for each receiver.
///
/// `P` is the predictor of rung 14. All other rungs, and the other strategies, do without.
#[derive(Clone)]
pub enum Sender<P = DeadReckoning> {
    /// Compressed states.
    Snapshot(Box<snapshot::Sender<P>>),
    /// Inputs, and the states of some cubes.
    Sync(Box<sync::Sender>),
    /// Inputs alone.
    Lockstep(lockstep::Sender),
}

impl<P: Foresight> Sender<P> {
    /// Takes the input that led to a tick of the world, and the states after it. If a packet is due, `packet` is replaced by
    /// it. Lockstep reads no states.
    ///
    /// # Errors
    /// When the tick is not the next one, the input has more than six bits, or the number of cubes is not the format's.
    /// Nothing changes then.
    pub fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
    ) -> Result<Option<PacketInfo>, SenderError> {
        self.take(tick, input, states, packet, None)
    }

    /// Does the same, and replaces `ledger` by the packet's bits by kind.
    ///
    /// # Errors
    /// Those of [`Sender::tick`].
    pub fn tick_traced(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Result<Option<PacketInfo>, SenderError> {
        self.take(tick, input, states, packet, Some(ledger))
    }

    fn take(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError> {
        match self {
            Sender::Snapshot(sender) => sender.tick(tick, input, states, packet, ledger),
            Sender::Sync(sender) => sender.tick(tick, input, states, packet, ledger),
            Sender::Lockstep(sender) => sender.tick(tick, input, packet, ledger),
        }
    }

    /// Takes an acknowledgement, and says which packets it names.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    pub fn ack(&mut self, bytes: &[u8]) -> Result<AckedPackets, snapshot_codec::DecodeError> {
        match self {
            Sender::Snapshot(sender) => sender.ack(bytes),
            Sender::Sync(sender) => sender.ack(bytes),
            Sender::Lockstep(sender) => sender.ack(bytes),
        }
    }

    /// Memory in bytes, without the predictor's.
    pub fn held_bytes(&self) -> usize {
        match self {
            Sender::Snapshot(sender) => sender.held_bytes(),
            Sender::Sync(sender) => sender.held_bytes(),
            Sender::Lockstep(sender) => sender.held_bytes(),
        }
    }
}

/// A receiver of any strategy: packets and times in, poses out. Its times are those of its own clock.
///
/// `P` is the predictor of rung 14.
pub enum Receiver<P = DeadReckoning> {
    /// Interpolates between states. [`NoWorld`](crate::NoWorld) is world enough for it.
    Snapshot(Box<snapshot::Receiver<P>>),
    /// Simulates with the sender's inputs, and is corrected by states.
    Sync(Box<sync::Receiver>),
    /// Simulates with the sender's inputs alone.
    Lockstep(Box<lockstep::Receiver>),
}

impl<P: Foresight> Receiver<P> {
    /// Takes a packet that arrived at `arrival_ms`.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its tick lies in the future. Nothing changes then, once the sender's tick is
    /// sure.
    pub fn packet(&mut self, arrival_ms: f64, bytes: &[u8]) -> Result<Arrival, DecodeError> {
        match self {
            Receiver::Snapshot(receiver) => Ok(receiver.accept(arrival_ms, bytes)?),
            Receiver::Sync(receiver) => receiver.accept(arrival_ms, bytes),
            Receiver::Lockstep(receiver) => receiver.accept(arrival_ms, bytes),
        }
    }

    /// Replaces `out` by the acknowledgement to send at the end of a tick, and says whether one is due.
    pub fn ack(&mut self, out: &mut Vec<u8>) -> bool {
        match self {
            Receiver::Snapshot(receiver) => receiver.ack(out),
            Receiver::Sync(receiver) => receiver.ack(out),
            Receiver::Lockstep(receiver) => receiver.ack(out),
        }
    }

    /// Writes the pose of every cube at `now_ms`. A strategy that simulates steps `world`, which must be the same one at each
    /// call. It gives no playback before there is anything to show.
    pub fn show<W: World>(
        &mut self,
        now_ms: f64,
        world: &mut W,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        match self {
            Receiver::Snapshot(receiver) => receiver.show(now_ms, poses),
            Receiver::Sync(receiver) => receiver.show(now_ms, world, poses),
            Receiver::Lockstep(receiver) => receiver.show(now_ms, world, poses),
        }
    }

    /// Memory that it takes, bytes, without the lent world's.
    pub fn held_bytes(&self) -> usize {
        match self {
            Receiver::Snapshot(receiver) => receiver.held_bytes(),
            Receiver::Sync(receiver) => receiver.held_bytes(),
            Receiver::Lockstep(receiver) => receiver.held_bytes(),
        }
    }
}

impl<P> From<snapshot::Sender<P>> for Sender<P> {
    fn from(sender: snapshot::Sender<P>) -> Sender<P> {
        Sender::Snapshot(Box::new(sender))
    }
}

impl<P> From<sync::Sender> for Sender<P> {
    fn from(sender: sync::Sender) -> Sender<P> {
        Sender::Sync(Box::new(sender))
    }
}

impl<P> From<lockstep::Sender> for Sender<P> {
    fn from(sender: lockstep::Sender) -> Sender<P> {
        Sender::Lockstep(sender)
    }
}

impl<P> From<snapshot::Receiver<P>> for Receiver<P> {
    fn from(receiver: snapshot::Receiver<P>) -> Receiver<P> {
        Receiver::Snapshot(Box::new(receiver))
    }
}

impl<P> From<sync::Receiver> for Receiver<P> {
    fn from(receiver: sync::Receiver) -> Receiver<P> {
        Receiver::Sync(Box::new(receiver))
    }
}

impl<P> From<lockstep::Receiver> for Receiver<P> {
    fn from(receiver: lockstep::Receiver) -> Receiver<P> {
        Receiver::Lockstep(Box::new(receiver))
    }
}
