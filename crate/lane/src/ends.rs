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

/// Panic message: the sender's ticks come from a tape.
pub const TAPE_TICKS: &str = "a tape's ticks rise by one, and it has the format's cubes";

/// Creates both ends of the settings' strategy over `world`, before anything is sent.
pub(crate) fn begin(settings: &LaneSettings, world: &World, agreed: &Agreed) -> Box<dyn Ends> {
    match settings.strategy() {
        Strategy::Snapshot => Box::new(snapshot::SnapshotEnds::new(settings, agreed)),
        Strategy::Sync => Box::new(sync::SyncEnds::new(settings, world)),
        Strategy::Lockstep => Box::new(lockstep::LockstepEnds::new(settings, world)),
    }
}

/// Sender and receiver of a strategy, and the observer, which alone sees both sides and only compares.
pub(crate) trait Ends: Any {
    /// The sender, which knows the left world's states, inputs and ticks.
    fn sender(&self) -> &dyn LaneSender;

    /// The sender, to pass ticks and acknowledgements to.
    fn sender_mut(&mut self) -> &mut dyn LaneSender;

    /// The receiver, which knows only bytes and arrival times.
    fn receiver_mut(&mut self) -> &mut dyn Receiver;

    /// Tells the observer that the sender has processed a tick.
    fn observe_tick(&mut self, _: &Frame<'_>) {}

    /// Compares the newest decoded packet with the sent one. Returns none if the sent state is no longer held.
    fn is_as_sent(&mut self, _: &Frame<'_>) -> Option<bool> {
        Some(true)
    }

    /// Has the receiver write the poses due at an instant of its clock. Returns none before any state can be shown.
    fn show(
        &mut self,
        frame: &Frame<'_>,
        now_ms: f64,
        metrics: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback>;

    /// Compares the right world, before smoothing, with the truth of that instant.
    fn measure(&mut self, _: &Truth<'_>, _is_cut: bool) {}

    /// Memory of both ends and the observer, bytes.
    fn held_bytes(&self) -> usize;

    /// Name of the items that share a packet's bits: cubes, updates or inputs.
    fn item(&self) -> &'static str;

    /// Tick of the receiver's newest state of each cube, by cube; only with a strategy that updates cubes at different times.
    fn updated(&self) -> Option<&[u64]> {
        None
    }

    /// Source of the velocities for Hermite interpolation; only with a strategy that interpolates.
    fn tangents(&self) -> Option<Tangents> {
        None
    }

    /// Figures that only lockstep has.
    fn lockstep(&self) -> Option<LockstepFigures> {
        None
    }

    /// Figures that only state synchronisation has.
    fn sync(&self) -> Option<&SyncMetrics> {
        None
    }

    /// Passes an acknowledgement to the sender.
    ///
    /// # Errors
    /// Fails if the bytes are no acknowledgement. Nothing changes then.
    fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        self.sender_mut().ack(ack)
    }

    /// Passes a tick to the sender. If a packet is due, the sender writes it to `packet`, and its bits to `ledger`.
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

    /// Passes a packet to the receiver, and has the observer compare it with the sent state.
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

/// A strategy's sender as a lane's history and inspector use it.
pub(crate) trait LaneSender: Sender {
    /// Copies the sender in its present state.
    fn copy(&self) -> Box<dyn LaneSender>;

    /// Accumulated priority of each cube; only with a strategy that has priorities.
    fn priorities(&self) -> Option<&[u64]> {
        None
    }

    /// Cubes in the order of the last packet's priority queue: index, priority, and whether it was sent.
    fn queue(&self) -> Vec<(usize, u64, bool)> {
        Vec::new()
    }

    /// Cubes whose position or orientation in the last packet differs from the baseline.
    fn changes(&self) -> Vec<Change> {
        Vec::new()
    }
}

/// Passes a tick of the tape to a sender. If a packet is due, the sender writes it to `packet`, and its bits to `ledger`.
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
