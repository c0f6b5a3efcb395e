//! Both ends of a lane, the world that its receiver is lent, and the observer, for each strategy.

use super::sides::Sides;
use super::truth::Truth;
use super::wire::Outcome;
use super::{Frame, lockstep, snapshot, sync};
use crate::measure::metrics::{LockstepFigures, Metrics, SyncMetrics};
use crate::record::agreed::Agreed;
use crate::settings::{LaneSettings, Strategy};
use snapshot_base::time::tick_of_sequence;
use snapshot_codec::{DecodeError, Ledger};
use snapshot_netsim::channel::Delivery;
use snapshot_physics::world::World;
use snapshot_session::interpolate::Tangents;
use snapshot_session::{AckedPackets, Arrival, PacketInfo, Playback, Pose};

/// A sender of any strategy.
#[derive(Clone)]
pub(crate) enum Sender {
    Snapshot(snapshot::Sender),
    Sync(snapshot_session::sync::Sender),
    Lockstep(snapshot_session::lockstep::Sender),
}

impl Sender {
    /// Takes an acknowledgement, and says which packets it names.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    pub(crate) fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        match self {
            Sender::Snapshot(sender) => sender.ack(ack),
            Sender::Sync(sender) => sender.ack(ack),
            Sender::Lockstep(sender) => sender.ack(ack),
        }
    }

    /// Takes a tick. If a packet is due, `packet` and `ledger` are replaced by it.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Option<PacketInfo> {
        let (tick, input) = (frame.tick, frame.input.bits());
        match self {
            Sender::Snapshot(sender) => sender.tick(tick, input, frame.truth, packet, ledger),
            Sender::Sync(sender) => sender.tick(tick, input, frame.truth, packet, ledger),
            Sender::Lockstep(sender) => sender.tick(tick, input, packet, ledger),
        }
    }

    /// The accumulated priority of each cube, with a strategy that has priorities.
    pub(crate) fn priorities(&self) -> Option<&[u64]> {
        match self {
            Sender::Sync(sender) => Some(sender.priorities()),
            Sender::Snapshot(_) | Sender::Lockstep(_) => None,
        }
    }

    /// Memory that it takes, bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Sender::Snapshot(sender) => sender.held_bytes(),
            Sender::Sync(sender) => sender.held_bytes(),
            Sender::Lockstep(sender) => sender.held_bytes(),
        }
    }
}

type SnapshotSides = Sides<snapshot::Sender, snapshot::Receiver, (), snapshot::Observer>;
type SyncSides = Sides<
    snapshot_session::sync::Sender,
    snapshot_session::sync::Receiver,
    sync::Replica,
    sync::Observer,
>;
type LockstepSides = Sides<
    snapshot_session::lockstep::Sender,
    snapshot_session::lockstep::Receiver,
    lockstep::RightWorld,
    lockstep::Observer,
>;

/// Both ends of a strategy.
pub(super) enum Ends {
    Snapshot(Box<SnapshotSides>),
    Sync(Box<SyncSides>),
    Lockstep(Box<LockstepSides>),
}

impl Ends {
    /// Both ends, with nothing sent yet, over that world.
    pub(super) fn new(settings: &LaneSettings, world: &World, agreed: &Agreed) -> Ends {
        match settings.strategy() {
            Strategy::Snapshot => Ends::of_snapshots(settings, agreed),
            Strategy::Sync => Ends::Sync(Box::new(sync::ends(settings, world))),
            Strategy::Lockstep => Ends::Lockstep(Box::new(lockstep::ends(settings, world))),
        }
    }

    /// Both ends of snapshots, which need no world.
    pub(super) fn of_snapshots(settings: &LaneSettings, agreed: &Agreed) -> Ends {
        Ends::Snapshot(Box::new(snapshot::ends(settings, agreed)))
    }

    /// A copy of the sender.
    pub(super) fn sender(&self) -> Sender {
        match self {
            Ends::Snapshot(sides) => Sender::Snapshot(sides.sender.clone()),
            Ends::Sync(sides) => Sender::Sync(sides.sender.clone()),
            Ends::Lockstep(sides) => Sender::Lockstep(sides.sender.clone()),
        }
    }

    /// Gives the sender an acknowledgement.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    pub(super) fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        match self {
            Ends::Snapshot(sides) => sides.sender.ack(ack),
            Ends::Sync(sides) => sides.sender.ack(ack),
            Ends::Lockstep(sides) => sides.sender.ack(ack),
        }
    }

    /// Gives the sender a tick. If a packet is due, `packet` and `ledger` are replaced by it.
    pub(super) fn send(
        &mut self,
        frame: &Frame<'_>,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
        metrics: &mut Metrics,
    ) -> Option<PacketInfo> {
        let (tick, input) = (frame.tick, frame.input.bits());
        match self {
            Ends::Snapshot(sides) => sides.sender.tick(tick, input, frame.truth, packet, ledger),
            Ends::Sync(sides) => {
                let info = sides.sender.tick(tick, input, frame.truth, packet, ledger);
                metrics.sync.budget_kbps = sides.sender.budget_kbps();
                info
            }
            Ends::Lockstep(sides) => {
                let info = sides.sender.tick(tick, input, packet, ledger);
                if !sides.sender.figures().given_up {
                    sides.observer.stepped_left(frame);
                }
                info
            }
        }
    }

    /// Gives the receiver a packet, and has the observer compare it with what was sent.
    pub(super) fn receive(
        &mut self,
        frame: &Frame<'_>,
        delivery: &Delivery,
        packet: &[u8],
        metrics: &mut Metrics,
    ) -> Outcome {
        let arrival_ms = delivery.arrival_ms;
        let (arrival, as_sent) = match self {
            Ends::Snapshot(sides) => {
                let arrival = sides.receiver.accept(arrival_ms, packet);
                let is_new = matches!(arrival, Ok(Arrival::Accepted | Arrival::Late));
                let as_sent = if is_new {
                    let (sequence, decoded) = sides.receiver.decoded();
                    let tick = tick_of_sequence(sequence, frame.tick as i64) as u64;
                    sides.observer.is_as_sent(tick, frame.tape.truth(), decoded)
                } else {
                    Some(true)
                };
                (arrival, as_sent)
            }
            Ends::Sync(sides) => {
                let arrival = sides.receiver.accept(arrival_ms, packet);
                let is_new = matches!(arrival, Ok(Arrival::Accepted | Arrival::Late));
                let (sender, decoded) = (&sides.sender, sides.receiver.decoded());
                let as_sent = !is_new || sides.observer.is_as_sent(sender, decoded);
                (arrival, Some(as_sent))
            }
            Ends::Lockstep(sides) => {
                // A packet that is passed over leaves a gap: a later one, which tells all again, fills it.
                let arrival = match sides.receiver.accept(arrival_ms, packet) {
                    Ok(Arrival::Accepted) if delivery.copy => Ok(Arrival::Duplicate),
                    arrival => arrival,
                };
                (arrival, Some(true))
            }
        };
        metrics.mismatches += u64::from(as_sent == Some(false));
        metrics.not_compared += u64::from(as_sent.is_none());
        arrival.map_or(Outcome::Refused, Outcome::from)
    }

    /// Gives the acknowledgement that the receiver sends at the end of a tick, if any.
    pub(super) fn answer(&mut self, ledger: &mut Ledger) -> Option<&[u8]> {
        match self {
            Ends::Snapshot(sides) => sides.receiver.ack(ledger),
            Ends::Sync(sides) => sides.receiver.ack(),
            Ends::Lockstep(sides) => sides.receiver.ack(ledger),
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
        match self {
            Ends::Snapshot(sides) => sides.receiver.show(now_ms, poses),
            Ends::Sync(sides) => {
                let mut world = sides.world.lend(frame.tape);
                let playback = sides.receiver.show(now_ms, &mut world, poses);
                metrics.sync.note(playback, &sides.receiver);
                playback
            }
            Ends::Lockstep(sides) => {
                let mismatches = &mut metrics.mismatches;
                let mut world = sides.world.lend(&mut sides.observer, mismatches);
                sides.receiver.show(now_ms, &mut world, poses)
            }
        }
    }

    /// Compares the right world, before smoothing, with the truth of that instant.
    pub(super) fn measure(&self, truth: &Truth<'_>, is_cut: bool, metrics: &mut SyncMetrics) {
        if let Ends::Sync(sides) = self {
            sides.observer.measure(&sides.world, truth, is_cut, metrics);
        }
    }

    /// Memory that it takes, bytes.
    pub(super) fn held_bytes(&self) -> usize {
        match self {
            Ends::Snapshot(sides) => {
                let both = sides.sender.held_bytes() + sides.receiver.held_bytes();
                both + sides.observer.held_bytes()
            }
            Ends::Sync(sides) => {
                let both = sides.sender.held_bytes() + sides.receiver.held_bytes();
                both + sides.world.held_bytes()
            }
            Ends::Lockstep(sides) => {
                let both = sides.sender.held_bytes() + sides.receiver.held_bytes();
                both + sides.world.held_bytes() + sides.observer.held_bytes()
            }
        }
    }

    /// The tick of the receiver's newest state of each cube, with a strategy that updates some later than others.
    pub(super) fn updated(&self) -> Option<&[u64]> {
        match self {
            Ends::Sync(sides) => Some(sides.receiver.updated()),
            Ends::Snapshot(_) | Ends::Lockstep(_) => None,
        }
    }

    /// The source of hermite's tangents, with a strategy that interpolates.
    pub(super) fn tangents(&self) -> Option<Tangents> {
        match self {
            Ends::Snapshot(sides) => Some(sides.receiver.tangents()),
            Ends::Lockstep(_) | Ends::Sync(_) => None,
        }
    }

    /// Measures that lockstep alone has.
    pub(super) fn lockstep(&self) -> Option<LockstepFigures> {
        match self {
            Ends::Lockstep(sides) => Some(LockstepFigures {
                sender: *sides.sender.figures(),
                receiver: *sides.receiver.figures(),
                observer: *sides.observer.figures(),
            }),
            Ends::Snapshot(_) | Ends::Sync(_) => None,
        }
    }
}
