//! Both ends of a lane, the world that its receiver is lent, and the observer.

use super::predictor::SharedPredictor;
use super::truth::Truth;
use super::wire::Outcome;
use super::{Frame, lockstep, snapshot, sync};
use crate::measure::metrics::{LockstepFigures, Metrics, SyncMetrics};
use snapshot_base::time::tick_of_sequence;
use snapshot_codec::{DecodeError, Ledger};
use snapshot_netsim::channel::Delivery;
use snapshot_physics::world::World;
use snapshot_record::agreed::Agreed;
use snapshot_settings::{LaneSettings, Strategy};
use snapshot_strategies::{AckedPackets, NoWorld, PacketInfo};
use snapshot_view::interpolate::Tangents;
use snapshot_view::{Arrival, Playback, Pose};

/// The sender of a lane.
pub(crate) type Sender = snapshot_strategies::Sender<SharedPredictor>;
/// The receiver of a lane.
pub(crate) type Receiver = snapshot_strategies::Receiver<SharedPredictor>;

/// The sender's ticks are those of a tape.
pub const TAPE_TICKS: &str = "a tape's ticks rise by one, and it has the format's cubes";

/// Both ends of a strategy, and the right world under the observer's eyes.
pub(super) struct Endpoints {
    /// The sender, which knows the left world's states, the inputs and the ticks.
    pub(super) sender: Sender,
    /// The receiver, which knows bytes and times.
    pub(super) receiver: Receiver,
    pub(super) right: Right,
}

/// The world that a receiver is lent, and the observer, which alone sees both sides and only compares.
pub(super) enum Right {
    Snapshot(Box<snapshot::Observer>),
    Sync(sync::Replica, sync::Observer),
    Lockstep(Box<(lockstep::RightWorld, lockstep::Observer)>),
}

/// Gives a sender a tick of the tape. If a packet is due, `packet` and `ledger` are replaced by it.
pub(crate) fn tick(
    sender: &mut Sender,
    frame: &Frame<'_>,
    packet: &mut Vec<u8>,
    ledger: &mut Ledger,
) -> Option<PacketInfo> {
    let (tick, input) = (frame.tick, frame.input.bits());
    sender
        .tick_traced(tick, input, frame.truth, packet, ledger)
        .expect(TAPE_TICKS)
}

/// Gives the accumulated priority of each cube, with a strategy that has priorities.
pub(crate) fn priorities(sender: &Sender) -> Option<&[u64]> {
    match sender {
        Sender::Sync(sender) => Some(sender.priorities()),
        Sender::Snapshot(_) | Sender::Lockstep(_) => None,
    }
}

impl Endpoints {
    /// Both ends, with nothing sent yet, over that world.
    pub(super) fn new(settings: &LaneSettings, world: &World, agreed: &Agreed) -> Endpoints {
        match settings.strategy() {
            Strategy::Snapshot => Endpoints::of_snapshots(settings, agreed),
            Strategy::Sync => {
                let (sender, receiver, replica, observer) = sync::endpoints(settings, world);
                Endpoints {
                    sender: sender.into(),
                    receiver: receiver.into(),
                    right: Right::Sync(replica, observer),
                }
            }
            Strategy::Lockstep => {
                let (sender, receiver, world, observer) = lockstep::endpoints(settings, world);
                Endpoints {
                    sender: sender.into(),
                    receiver: receiver.into(),
                    right: Right::Lockstep(Box::new((world, observer))),
                }
            }
        }
    }

    /// Both ends of snapshots, which need no world.
    pub(super) fn of_snapshots(settings: &LaneSettings, agreed: &Agreed) -> Endpoints {
        let (sender, receiver, observer) = snapshot::endpoints(settings, agreed);
        Endpoints {
            sender: sender.into(),
            receiver: receiver.into(),
            right: Right::Snapshot(Box::new(observer)),
        }
    }

    /// Gives the sender an acknowledgement.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    pub(super) fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        self.sender.ack(ack)
    }

    /// Gives the sender a tick. If a packet is due, `packet` and `ledger` are replaced by it.
    pub(super) fn send(
        &mut self,
        frame: &Frame<'_>,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
        metrics: &mut Metrics,
    ) -> Option<PacketInfo> {
        let info = tick(&mut self.sender, frame, packet, ledger);
        match (&self.sender, &mut self.right) {
            (Sender::Sync(sender), _) => metrics.sync.budget_kbps = sender.budget_kbps(),
            (Sender::Lockstep(sender), Right::Lockstep(right)) if !sender.figures().given_up => {
                right.1.stepped_left(frame);
            }
            _ => {}
        }
        info
    }

    /// Gives the receiver a packet, and has the observer compare it with what was sent.
    pub(super) fn receive(
        &mut self,
        frame: &Frame<'_>,
        delivery: &Delivery,
        packet: &[u8],
        metrics: &mut Metrics,
    ) -> Outcome {
        let arrival = self.receiver.packet(delivery.arrival_ms, packet);
        let is_new = matches!(
            arrival,
            Ok(Arrival::Accepted | Arrival::Late | Arrival::Overtaken)
        );
        let as_sent = match (&mut self.right, &self.receiver, &self.sender) {
            (Right::Snapshot(observer), Receiver::Snapshot(receiver), _) if is_new => {
                let (sequence, decoded) = receiver.decoded();
                let tick = tick_of_sequence(sequence, frame.tick as i64) as u64;
                observer.is_as_sent(tick, frame.tape.truth(), decoded)
            }
            (Right::Sync(_, observer), Receiver::Sync(receiver), Sender::Sync(sender))
                if is_new =>
            {
                Some(observer.is_as_sent(sender, receiver.decoded()))
            }
            _ => Some(true),
        };
        metrics.mismatches += u64::from(as_sent == Some(false));
        metrics.not_compared += u64::from(as_sent.is_none());
        // With lockstep a packet that is passed over leaves a gap: a later one, which tells all again, fills it.
        match arrival {
            Ok(Arrival::Accepted)
                if delivery.copy && matches!(self.receiver, Receiver::Lockstep(_)) =>
            {
                Outcome::Duplicate
            }
            arrival => arrival.map_or(Outcome::Refused, Outcome::from),
        }
    }

    /// Has the receiver write the poses that are due at an instant of its clock. It gives none before there is anything.
    pub(super) fn show(
        &mut self,
        frame: &Frame<'_>,
        now_ms: f64,
        metrics: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let receiver = &mut self.receiver;
        match &mut self.right {
            Right::Snapshot(_) => receiver.show(now_ms, &mut NoWorld, poses),
            Right::Sync(world, _) => {
                let playback = receiver.show(now_ms, &mut world.lend(frame.tape), poses);
                if let Receiver::Sync(receiver) = receiver {
                    metrics.sync.note(playback, receiver);
                }
                playback
            }
            Right::Lockstep(right) => {
                let (world, observer) = &mut **right;
                let mut world = world.lend(observer, &mut metrics.mismatches);
                receiver.show(now_ms, &mut world, poses)
            }
        }
    }

    /// Compares the right world, before smoothing, with the truth of that instant.
    pub(super) fn measure(&self, truth: &Truth<'_>, is_cut: bool, metrics: &mut SyncMetrics) {
        if let Right::Sync(world, observer) = &self.right {
            observer.measure(world, truth, is_cut, metrics);
        }
    }

    /// Memory that it takes, bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let right_bytes = match &self.right {
            Right::Snapshot(observer) => observer.held_bytes(),
            Right::Sync(world, _) => world.held_bytes(),
            Right::Lockstep(right) => right.0.held_bytes() + right.1.held_bytes(),
        };
        self.sender.held_bytes() + self.receiver.held_bytes() + right_bytes
    }

    /// The tick of the receiver's newest state of each cube, with a strategy that updates some later than others.
    pub(super) fn updated(&self) -> Option<&[u64]> {
        match &self.receiver {
            Receiver::Sync(receiver) => Some(receiver.updated()),
            Receiver::Snapshot(_) | Receiver::Lockstep(_) => None,
        }
    }

    /// The source of hermite's tangents, with a strategy that interpolates.
    pub(super) fn tangents(&self) -> Option<Tangents> {
        match &self.receiver {
            Receiver::Snapshot(receiver) => Some(receiver.tangents()),
            Receiver::Lockstep(_) | Receiver::Sync(_) => None,
        }
    }

    /// Measures that lockstep alone has.
    pub(super) fn lockstep(&self) -> Option<LockstepFigures> {
        match (&self.sender, &self.receiver, &self.right) {
            (Sender::Lockstep(sender), Receiver::Lockstep(receiver), Right::Lockstep(right)) => {
                Some(LockstepFigures {
                    sender: *sender.figures(),
                    receiver: *receiver.figures(),
                    observer: *right.1.figures(),
                })
            }
            _ => None,
        }
    }
}
