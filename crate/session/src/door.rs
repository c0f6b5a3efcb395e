//! A sender and a receiver for all three strategies.

#[cfg(feature = "lockstep")]
use crate::lockstep;
#[cfg(feature = "sync")]
use crate::sync;
use crate::{AckedPackets, Arrival, PacketInfo, Playback, Pose, SenderError, World, snapshot};
use snapshot_codec::{CubeState, DeadReckoning, DecodeError, Foresight, Ledger};

/// A sender of any strategy: ticks of the world in, packets out. There is one for each receiver.
///
/// `P` is the predictor of rung 14. All other rungs, and the other strategies, do without.
#[derive(Clone)]
pub enum Sender<P = DeadReckoning> {
    /// Compressed states.
    Snapshot(Box<snapshot::Sender<P>>),
    /// Inputs, and the states of some cubes.
    #[cfg(feature = "sync")]
    Sync(Box<sync::Sender>),
    /// Inputs alone.
    #[cfg(feature = "lockstep")]
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
    #[cfg(feature = "ledger")]
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
            #[cfg(feature = "sync")]
            Sender::Sync(sender) => sender.tick(tick, input, states, packet, ledger),
            #[cfg(feature = "lockstep")]
            Sender::Lockstep(sender) => sender.tick(tick, input, packet, ledger),
        }
    }

    /// Takes an acknowledgement, and says which packets it names.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    pub fn ack(&mut self, bytes: &[u8]) -> Result<AckedPackets, DecodeError> {
        match self {
            Sender::Snapshot(sender) => sender.ack(bytes),
            #[cfg(feature = "sync")]
            Sender::Sync(sender) => sender.ack(bytes),
            #[cfg(feature = "lockstep")]
            Sender::Lockstep(sender) => sender.ack(bytes),
        }
    }

    /// Memory in bytes, without the predictor's.
    pub fn held_bytes(&self) -> usize {
        match self {
            Sender::Snapshot(sender) => sender.held_bytes(),
            #[cfg(feature = "sync")]
            Sender::Sync(sender) => sender.held_bytes(),
            #[cfg(feature = "lockstep")]
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
    #[cfg(feature = "sync")]
    Sync(Box<sync::Receiver>),
    /// Simulates with the sender's inputs alone.
    #[cfg(feature = "lockstep")]
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
            Receiver::Snapshot(receiver) => receiver.accept(arrival_ms, bytes),
            #[cfg(feature = "sync")]
            Receiver::Sync(receiver) => receiver.accept(arrival_ms, bytes),
            #[cfg(feature = "lockstep")]
            Receiver::Lockstep(receiver) => receiver.accept(arrival_ms, bytes),
        }
    }

    /// Replaces `out` by the acknowledgement to send at the end of a tick, and says whether one is due.
    pub fn ack(&mut self, out: &mut Vec<u8>) -> bool {
        match self {
            Receiver::Snapshot(receiver) => receiver.ack(out),
            #[cfg(feature = "sync")]
            Receiver::Sync(receiver) => receiver.ack(out),
            #[cfg(feature = "lockstep")]
            Receiver::Lockstep(receiver) => receiver.ack(out),
        }
    }

    /// Writes the pose of every cube at `now_ms`. A strategy that simulates steps `world`, which must be the same one at each
    /// call. It gives no playback before there is anything to show.
    #[cfg_attr(
        not(any(feature = "sync", feature = "lockstep")),
        allow(unused_variables)
    )]
    pub fn show<W: World>(
        &mut self,
        now_ms: f64,
        world: &mut W,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        match self {
            Receiver::Snapshot(receiver) => receiver.show(now_ms, poses),
            #[cfg(feature = "sync")]
            Receiver::Sync(receiver) => receiver.show(now_ms, world, poses),
            #[cfg(feature = "lockstep")]
            Receiver::Lockstep(receiver) => receiver.show(now_ms, world, poses),
        }
    }

    /// Memory that it takes, bytes, without the lent world's.
    pub fn held_bytes(&self) -> usize {
        match self {
            Receiver::Snapshot(receiver) => receiver.held_bytes(),
            #[cfg(feature = "sync")]
            Receiver::Sync(receiver) => receiver.held_bytes(),
            #[cfg(feature = "lockstep")]
            Receiver::Lockstep(receiver) => receiver.held_bytes(),
        }
    }
}

impl<P> From<snapshot::Sender<P>> for Sender<P> {
    fn from(sender: snapshot::Sender<P>) -> Sender<P> {
        Sender::Snapshot(Box::new(sender))
    }
}

#[cfg(feature = "sync")]
impl<P> From<sync::Sender> for Sender<P> {
    fn from(sender: sync::Sender) -> Sender<P> {
        Sender::Sync(Box::new(sender))
    }
}

#[cfg(feature = "lockstep")]
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

#[cfg(feature = "sync")]
impl<P> From<sync::Receiver> for Receiver<P> {
    fn from(receiver: sync::Receiver) -> Receiver<P> {
        Receiver::Sync(Box::new(receiver))
    }
}

#[cfg(feature = "lockstep")]
impl<P> From<lockstep::Receiver> for Receiver<P> {
    fn from(receiver: lockstep::Receiver) -> Receiver<P> {
        Receiver::Lockstep(Box::new(receiver))
    }
}
