//! The interface of both ends of a lane: the sender, the receiver, the world lent to the receiver, and the observer, which
//! compares both ends.
//!
//! A strategy is a module that implements [`Ends`], and a variant of `StrategyEnds`. The facts that other crates need about
//! a strategy are a row of `StrategyRow`.

use crate::measure::metrics::Metrics;
use crate::strategy::sync::QueuedCube;
use crate::strategy::{Change, PacketInfo, Receiver, Sender};
use crate::view::Truth;
use crate::wire::{Direction, Wire};
use snapshot_codec::Ledger;
use snapshot_netsim::channel::Delivery;
use snapshot_record::tape::Frame;
use snapshot_settings::LaneSettings;
use snapshot_view::{Playback, Pose, SnapshotArrival};

/// Panic message: a tape cannot give the sender a wrong tick.
pub const TAPE_TICKS: &str = "a tape's ticks rise by one, and it has the format's cubes";

/// Both ends of a strategy, and an observer, which alone sees both ends, and only compares them.
pub(crate) trait Ends {
    /// Runs a tick: sends due packets, receives arrived packets, and writes the poses to show. Returns `None` before any
    /// state can be shown.
    fn exchange(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback>;

    /// The sender, which knows the simulated world's states, inputs and ticks; `None` if it cannot be copied.
    fn sender(&self) -> Option<&dyn LaneSender>;

    /// Compares the receiver's world, before smoothing, with the true states of the shown instant.
    fn measure(&mut self, _: &Truth<'_>, _is_cut: bool) {}

    /// Name of the items among which a packet's bits are divided: cubes, updates or inputs.
    fn item(&self) -> &'static str;

    /// Discards records of the ticks before `tick`.
    fn forget_before(&mut self, _tick: u64) {}
}

pub(crate) struct Exchange<'a> {
    pub(crate) settings: &'a LaneSettings,
    pub(crate) wire: &'a mut Wire,
    pub(crate) metrics: &'a mut Metrics,
    pub(crate) buffers: &'a mut Buffers,
    pub(crate) poses: &'a mut [Pose],
    /// True if the receiver's view stands still because it lacks a packet.
    pub(crate) waits: bool,
}

#[derive(Default)]
pub(crate) struct Buffers {
    pub(crate) packet: Vec<u8>,
    /// Buffer for an arrived packet. It is separate from `packet`, whose memory holds the largest packet, because the wire
    /// reuses buffers of arrived packets.
    arrived: Vec<u8>,
    ack: Vec<u8>,
    pub(crate) ledger: Ledger,
}

/// Sender and receiver of a strategy whose packets go one way, and whose acknowledgements go back.
pub(crate) trait OneWay: Ends {
    fn sender_mut(&mut self) -> &mut dyn LaneSender;

    /// The receiver, which knows only bytes and arrival times.
    fn receiver_mut(&mut self) -> &mut dyn Receiver;

    /// Tells the observer that the sender has processed a tick.
    fn observe_tick(&mut self, _: &Frame<'_>) {}

    /// Returns true if the newest decoded packet has the sent state. `None` if the sent state is no longer stored.
    fn is_as_sent(&mut self, frame: &Frame<'_>) -> Option<bool>;

    /// Makes the receiver write the poses to show at a time of its clock. Returns `None` before any state can be shown.
    fn show(
        &mut self,
        frame: &Frame<'_>,
        now_ms: f64,
        metrics: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback>;

    /// Passes a packet to the receiver, and has the observer compare it with the sent state. Returns `None` if it is refused.
    fn receive(
        &mut self,
        frame: &Frame<'_>,
        delivery: &Delivery,
        packet: &[u8],
        metrics: &mut Metrics,
    ) -> Option<SnapshotArrival> {
        let arrival = self.receiver_mut().packet(delivery.arrival_ms, packet);
        if let Ok(SnapshotArrival::Accepted | SnapshotArrival::Late | SnapshotArrival::Overtaken) =
            arrival
        {
            let as_sent = self.is_as_sent(frame);
            metrics.mismatches += u64::from(as_sent == Some(false));
            metrics.not_compared += u64::from(as_sent.is_none());
        }
        arrival.ok()
    }

    /// Runs a tick: the sender first, then the receiver.
    fn one_way(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback> {
        let Exchange {
            settings,
            wire,
            metrics,
            buffers,
            poses,
            waits,
        } = exchange;
        let ack = &mut buffers.ack;
        while wire.receive_back(frame.now_ms(), ack, metrics).is_some() {
            match self.sender_mut().ack(ack) {
                Ok(acked) => wire.note_acked(acked, ack),
                Err(_) => metrics.refused += 1,
            }
        }
        let (packet, ledger) = (&mut buffers.packet, &mut buffers.ledger);
        let info = tick(self.sender_mut(), frame, packet, ledger);
        self.observe_tick(frame);
        if let Some(info) = info {
            let at = wire.network.departure(Direction::Forward, frame.tick);
            wire.send(at, packet, &info, ledger, settings, metrics);
        }
        // The receiver's times are those of its own clock, which may drift.
        let clock = settings.receiver_clock();
        while let Some(delivery) = wire.receive(frame.now_ms(), &mut buffers.arrived) {
            let on_its_clock = Delivery {
                arrival_ms: delivery.arrival_ms * clock,
                ..delivery
            };
            let outcome = self.receive(frame, &on_its_clock, &buffers.arrived, metrics);
            metrics.awaited += u64::from(*waits && outcome == Some(SnapshotArrival::Accepted));
            wire.note(delivery, outcome, metrics);
        }
        if self.receiver_mut().ack(&mut buffers.ack) {
            let at = wire.network.departure(Direction::Back, frame.tick);
            wire.send_back(at, &buffers.ack, settings, metrics);
        }
        self.show(frame, frame.now_ms() * clock, metrics, poses)
    }
}

/// A strategy's sender as a lane's history and inspector use it.
pub(crate) trait LaneSender: Sender {
    fn copy(&self) -> Box<dyn LaneSender>;

    /// Accumulated priority of each cube; `None` with a strategy without priorities.
    fn priorities(&self) -> Option<&[u64]> {
        None
    }

    /// Cubes in the order of the last packet's priority queue.
    fn queue(&self) -> Vec<QueuedCube> {
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
