//! Both ends of a lane, of any strategy: sender, receiver, the world that it is lent, and the observer.
//!
//! A strategy is a module that implements [`Ends`], and an arm of [`begin`]. Its facts for others are a row of
//! [`Strategy`].

use super::view::Truth;
use super::wire::ReceiveOutcome;
use super::{Frame, lockstep, snapshot, sync};
use crate::inspect::Change;
use crate::measure::metrics::{LockstepFigures, Metrics, SyncMetrics};
use snapshot_codec::{DecodeError, Ledger};
use snapshot_netsim::channel::Delivery;
use snapshot_physics::world::World;
use snapshot_record::agreed::Agreed;
use snapshot_settings::{LaneSettings, Strategy};
use snapshot_strategies::{AckedPackets, PacketInfo, Receiver, Sender};
use snapshot_view::interpolate::Tangents;
use snapshot_view::{Playback, Pose, SnapshotArrival};
use std::any::Any;

/// The sender's ticks are those of a tape.
pub const TAPE_TICKS: &str = "a tape's ticks rise by one, and it has the format's cubes";

/// Both ends with nothing sent yet, over that world.
pub(crate) fn begin(settings: &LaneSettings, world: &World, agreed: &Agreed) -> Box<dyn Ends> {
    match settings.strategy() {
        Strategy::Snapshot => Box::new(snapshot::SnapshotEnds::new(settings, agreed)),
        Strategy::Sync => Box::new(sync::SyncEnds::new(settings, world)),
        Strategy::Lockstep => Box::new(lockstep::LockstepEnds::new(settings, world)),
    }
}

/// Both ends of a strategy, and the observer, which alone sees both sides and only compares.
pub(crate) trait Ends: Any {
    /// The sender, which knows the left world's states, the inputs and the ticks.
    fn sender(&self) -> &dyn LaneSender;

    /// The sender, to be given ticks and acknowledgements.
    fn sender_mut(&mut self) -> &mut dyn LaneSender;

    /// The receiver, which knows bytes and times.
    fn receiver_mut(&mut self) -> &mut dyn Receiver;

    /// Observes that the sender took a tick.
    fn observe_tick(&mut self, _: &Frame<'_>) {}

    /// Compares the newest decoded packet with the sent one. It gives none where the sent one is no longer held.
    fn is_as_sent(&mut self, _: &Frame<'_>) -> Option<bool> {
        Some(true)
    }

    /// Has the receiver write the poses that are due at an instant of its clock. It gives none before there is anything.
    fn show(
        &mut self,
        frame: &Frame<'_>,
        now_ms: f64,
        metrics: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback>;

    /// Compares the right world, before smoothing, with the truth of that instant.
    fn measure(&mut self, _: &Truth<'_>, _is_cut: bool) {}

    /// Memory that it takes, bytes.
    fn held_bytes(&self) -> usize;

    /// Items that share a packet's bits.
    fn item(&self) -> &'static str;

    /// The tick of the receiver's newest state of each cube, with a strategy that updates some later than others.
    fn updated(&self) -> Option<&[u64]> {
        None
    }

    /// The source of hermite's tangents, with a strategy that interpolates.
    fn tangents(&self) -> Option<Tangents> {
        None
    }

    /// Measures that lockstep alone has.
    fn lockstep(&self) -> Option<LockstepFigures> {
        None
    }

    /// Measures that state synchronisation alone has.
    fn sync(&self) -> Option<&SyncMetrics> {
        None
    }

    /// Gives the sender an acknowledgement.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        self.sender_mut().ack(ack)
    }

    /// Gives the sender a tick. If a packet is due, `packet` and `ledger` are replaced by it.
    fn send(
        &mut self,
        frame: &Frame<'_>,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Option<PacketInfo> {
        let info = tick(self.sender_mut(), frame, packet, ledger);
        self.observe_tick(frame);
        info
    }

    /// Gives the receiver a packet, and has the observer compare it with what was sent.
    fn receive(
        &mut self,
        frame: &Frame<'_>,
        delivery: &Delivery,
        packet: &[u8],
        metrics: &mut Metrics,
    ) -> ReceiveOutcome {
        let arrival = self.receiver_mut().packet(delivery.arrival_ms, packet);
        if let Ok(SnapshotArrival::Accepted | SnapshotArrival::Late | SnapshotArrival::Overtaken) =
            arrival
        {
            let as_sent = self.is_as_sent(frame);
            metrics.mismatches += u64::from(as_sent == Some(false));
            metrics.not_compared += u64::from(as_sent.is_none());
        }
        arrival.map_or(ReceiveOutcome::Refused, ReceiveOutcome::from)
    }
}

/// The sender of a strategy, as a lane's history and inspector look at it.
pub(crate) trait LaneSender: Sender {
    /// A copy of it as it is now.
    fn copy(&self) -> Box<dyn LaneSender>;

    /// The accumulated priority of each cube, with a strategy that has priorities.
    fn priorities(&self) -> Option<&[u64]> {
        None
    }

    /// The cubes in the order of the last packet's queue: index, priority, and whether it was sent.
    fn queue(&self) -> Vec<(usize, u64, bool)> {
        Vec::new()
    }

    /// The cubes whose position or orientation in the last packet is not the baseline's.
    fn changes(&self) -> Vec<Change> {
        Vec::new()
    }
}

/// Gives a sender a tick of the tape. If a packet is due, `packet` and `ledger` are replaced by it.
pub(crate) fn tick(
    sender: &mut dyn LaneSender,
    frame: &Frame<'_>,
    packet: &mut Vec<u8>,
    ledger: &mut Ledger,
) -> Option<PacketInfo> {
    let (tick, input) = (frame.tick, frame.input.bits());
    sender
        .tick(tick, input, frame.truth, packet, Some(ledger))
        .expect(TAPE_TICKS)
}
