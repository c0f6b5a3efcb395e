//! The left side, the right side, and who sees both, for each strategy.

use super::truth::Truth;
use super::wire::{Contents, Heard, Outcome};
use super::{Frame, Playback, lockstep, snapshot, sync};
use crate::agreed::Agreed;
use crate::interpolate::Tangents;
use crate::metrics::{Metrics, SyncMetrics};
use crate::settings::{LaneSettings, Strategy};
use crate::view::View;
use snapshot_base::time::tick_of_sequence;
use snapshot_codec::{DecodeError, Ledger};
use snapshot_netsim::channel::Delivery;
use snapshot_physics::world::World;

/// The left side: it knows the world, the inputs and the time, and hears acknowledgements.
#[derive(Clone)]
pub(crate) enum Sender {
    Snapshot(snapshot::Sender),
    Sync(sync::Sender),
    Lockstep(lockstep::Sender),
}

impl Sender {
    /// Takes an acknowledgement, and says of which packets it is.
    ///
    /// # Errors
    /// When it is none; nothing changes then.
    pub(crate) fn ack(&mut self, ack: &[u8]) -> Result<Heard, DecodeError> {
        match self {
            Sender::Snapshot(sender) => sender.ack(ack),
            Sender::Sync(sender) => sender.ack(ack),
            Sender::Lockstep(sender) => sender.ack(ack),
        }
    }

    /// One tick: replaces `packet` and `ledger` by what leaves, if a packet is due.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        settings: &LaneSettings,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Option<Contents> {
        match self {
            Sender::Snapshot(sender) => sender.tick(frame, settings, packet, ledger),
            Sender::Sync(sender) => sender.tick(frame, settings, packet, ledger),
            Sender::Lockstep(sender) => sender.tick(frame, settings, packet, ledger),
        }
    }

    /// What each cube's claim to be sent has come to, where cubes have such.
    pub(crate) fn priorities(&self) -> Option<&[u64]> {
        match self {
            Sender::Sync(sender) => Some(sender.priorities()),
            Sender::Snapshot(_) | Sender::Lockstep(_) => None,
        }
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Sender::Snapshot(sender) => sender.held_bytes(),
            Sender::Sync(sender) => sender.held_bytes(),
            Sender::Lockstep(sender) => sender.held_bytes(),
        }
    }
}

/// Both sides of one strategy, and who sees both.
pub(super) struct Sides<S, R, O> {
    /// Knows the world, the inputs and the time, and hears acknowledgements.
    pub(super) sender: S,
    /// Knows bytes, times and what was agreed on.
    pub(super) receiver: R,
    /// Alone sees the truth of the right side, and only compares.
    pub(super) observer: O,
}

impl<S, R, O> From<(S, R, O)> for Box<Sides<S, R, O>> {
    fn from((sender, receiver, observer): (S, R, O)) -> Self {
        Box::new(Sides {
            sender,
            receiver,
            observer,
        })
    }
}

/// Both sides of a strategy.
pub(super) enum Ends {
    Snapshot(Box<Sides<snapshot::Sender, snapshot::Receiver, snapshot::Observer>>),
    Sync(Box<Sides<sync::Sender, sync::Receiver, sync::Observer>>),
    Lockstep(Box<Sides<lockstep::Sender, lockstep::Receiver, lockstep::Observer>>),
}

impl Ends {
    /// Both sides, with nothing sent yet, over that world.
    pub(super) fn new(settings: &LaneSettings, world: &World, agreed: &Agreed) -> Ends {
        match settings.strategy() {
            Strategy::Snapshot => Ends::of_snapshots(settings, agreed),
            Strategy::Sync => Ends::Sync(sync::ends(settings, world).into()),
            Strategy::Lockstep => Ends::Lockstep(lockstep::ends(settings, world).into()),
        }
    }

    /// Both sides of snapshots, which need no world.
    pub(super) fn of_snapshots(settings: &LaneSettings, agreed: &Agreed) -> Ends {
        Ends::Snapshot(snapshot::ends(settings, agreed).into())
    }

    /// A copy of the left side.
    pub(super) fn sender(&self) -> Sender {
        match self {
            Ends::Snapshot(sides) => Sender::Snapshot(sides.sender.clone()),
            Ends::Sync(sides) => Sender::Sync(sides.sender.clone()),
            Ends::Lockstep(sides) => Sender::Lockstep(sides.sender.clone()),
        }
    }

    /// The left side takes an acknowledgement.
    ///
    /// # Errors
    /// When it is none; nothing changes then.
    pub(super) fn ack(&mut self, ack: &[u8]) -> Result<Heard, DecodeError> {
        match self {
            Ends::Snapshot(sides) => sides.sender.ack(ack),
            Ends::Sync(sides) => sides.sender.ack(ack),
            Ends::Lockstep(sides) => sides.sender.ack(ack),
        }
    }

    /// The left side's tick: replaces `packet` and `ledger` by what leaves, if a packet is due.
    pub(super) fn send(
        &mut self,
        frame: &Frame<'_>,
        settings: &LaneSettings,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
        metrics: &mut Metrics,
    ) -> Option<Contents> {
        match self {
            Ends::Snapshot(sides) => sides.sender.tick(frame, settings, packet, ledger),
            Ends::Sync(sides) => {
                let contents = sides.sender.tick(frame, settings, packet, ledger);
                metrics.sync.budget_kbps = sides.sender.budget_kbps(settings);
                contents
            }
            Ends::Lockstep(sides) => {
                let contents = sides.sender.tick(frame, settings, packet, ledger);
                if !sides.sender.figures().given_up {
                    sides.observer.stepped_left(frame);
                }
                contents
            }
        }
    }

    /// The right side takes a packet.
    pub(super) fn receive(
        &mut self,
        frame: &Frame<'_>,
        delivery: &Delivery,
        packet: &[u8],
        settings: &LaneSettings,
        metrics: &mut Metrics,
    ) -> Outcome {
        let (outcome, as_sent) = match self {
            Ends::Snapshot(sides) => {
                let arrival = sides.receiver.accept(delivery.arrival_ms, packet);
                let (outcome, sequence) = match arrival {
                    Ok(snapshot::Arrival::Accepted { sequence }) => {
                        (Outcome::Accepted, Some(sequence))
                    }
                    Ok(snapshot::Arrival::Late { sequence }) => (Outcome::Late, Some(sequence)),
                    Ok(snapshot::Arrival::Duplicate) => (Outcome::Duplicate, None),
                    Err(_) => (Outcome::Refused, None),
                };
                let decoded = sides.receiver.decoded();
                let is_as_sent = |sequence| {
                    let tick = tick_of_sequence(sequence, frame.tick as i64) as u64;
                    sides.observer.is_as_sent(tick, frame.tape.truth(), decoded)
                };
                (outcome, sequence.is_none_or(is_as_sent))
            }
            Ends::Sync(sides) => match sides.receiver.accept(frame.tick, packet) {
                Ok(sync::Arrival::Duplicate) => (Outcome::Duplicate, true),
                Ok(arrival) => {
                    let decoded = sides.receiver.decoded();
                    let as_sent = sides.observer.is_as_sent(&sides.sender, decoded);
                    let outcome = match arrival {
                        sync::Arrival::Late => Outcome::Late,
                        _ => Outcome::Accepted,
                    };
                    (outcome, as_sent)
                }
                Err(_) => (Outcome::Refused, true),
            },
            Ends::Lockstep(sides) => {
                // One that is passed over leaves a gap: a later packet, which tells all again, fills it.
                let accepted = sides.receiver.accept(delivery.arrival_ms, packet, settings);
                let outcome = match accepted {
                    Ok(Some(_)) if delivery.copy => Outcome::Duplicate,
                    Ok(Some(_)) => Outcome::Accepted,
                    Ok(None) => Outcome::PassedOver,
                    Err(_) => Outcome::Refused,
                };
                (outcome, true)
            }
        };
        metrics.mismatches += u64::from(!as_sent);
        outcome
    }

    /// What the right side sends back at the end of a tick, if anything.
    pub(super) fn answer(&mut self, ledger: &mut Ledger) -> Option<&[u8]> {
        match self {
            Ends::Snapshot(sides) => sides.receiver.ack(ledger),
            Ends::Sync(sides) => sides.receiver.ack(),
            Ends::Lockstep(sides) => sides.receiver.ack(ledger),
        }
    }

    /// The right side shows what is due. None before there is anything.
    pub(super) fn show(
        &mut self,
        frame: &Frame<'_>,
        settings: &LaneSettings,
        metrics: &mut Metrics,
        view: &mut View,
    ) -> Option<Playback> {
        match self {
            Ends::Snapshot(sides) => sides.receiver.show(frame.now_ms(), settings, view),
            Ends::Sync(sides) => {
                let sync = &mut metrics.sync;
                sides
                    .receiver
                    .tick(frame.tick, settings, frame.tape, sync, view)
            }
            Ends::Lockstep(sides) => {
                let (receiver, observer) = (&mut sides.receiver, &mut sides.observer);
                receiver.tick(frame.tick, settings, view, |frame, input, world| {
                    let as_pressed = observer.stepped_right(frame, input, world);
                    metrics.mismatches += u64::from(!as_pressed);
                })
            }
        }
    }

    /// Compares what the right side works with, before it is smoothed, with the truth of that instant.
    pub(super) fn measure(&self, truth: &Truth<'_>, is_cut: bool, metrics: &mut SyncMetrics) {
        if let Ends::Sync(sides) = self {
            let world = sides.receiver.world();
            sides.observer.measure(world, truth, is_cut, metrics);
        }
    }

    /// Memory that what both sides remember takes.
    pub(super) fn held_bytes(&self) -> usize {
        match self {
            Ends::Snapshot(sides) => {
                let both = sides.sender.held_bytes() + sides.receiver.held_bytes();
                both + sides.observer.held_bytes()
            }
            Ends::Sync(sides) => sides.sender.held_bytes() + sides.receiver.held_bytes(),
            Ends::Lockstep(sides) => {
                let both = sides.sender.held_bytes() + sides.receiver.held_bytes();
                both + sides.observer.held_bytes()
            }
        }
    }

    /// The tick of what the right side knows of each cube, where it knows some later than others.
    pub(super) fn updated(&self) -> Option<&[u64]> {
        match self {
            Ends::Sync(sides) => Some(sides.receiver.updated()),
            Ends::Snapshot(_) | Ends::Lockstep(_) => None,
        }
    }

    /// Where hermite's tangents come from, with a strategy that interpolates.
    pub(super) fn tangents(&self) -> Option<Tangents> {
        match self {
            Ends::Snapshot(sides) => Some(sides.receiver.tangents()),
            Ends::Lockstep(_) | Ends::Sync(_) => None,
        }
    }

    /// What lockstep alone measures.
    pub(super) fn lockstep(&self) -> Option<lockstep::Figures> {
        match self {
            Ends::Lockstep(sides) => Some(lockstep::Figures {
                sender: *sides.sender.figures(),
                receiver: *sides.receiver.figures(),
                observer: *sides.observer.figures(),
            }),
            Ends::Snapshot(_) | Ends::Sync(_) => None,
        }
    }
}
