//! Snapshot interpolation: the whole state goes over the wire, and the right side shows what arrives a little later.

mod acknowledger;
mod receiver;
mod sender;

use super::Frame;
use super::wire::{Outcome, Wire};
use crate::interpolate::Tangents;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::time::sends_at;
use crate::view::View;
use receiver::{Arrival, Receiver};
use snapshot_codec::{Cube, CubeState, History, Ledger, RECEIVED_HISTORY_TICKS};

pub(crate) use acknowledger::Acknowledger;
pub use receiver::Playback;
pub(crate) use sender::{Sender, quantise};

/// The sender and the receiver of snapshots.
pub(crate) struct Ends {
    sender: Sender,
    receiver: Receiver,
    /// What was sent, to compare with what is decoded.
    sent: History,
    snapshot: Vec<Cube>,
    packet: Vec<u8>,
    /// Apart from `packet`, which has room for the largest one: what arrives goes back to the wire's spare buffers.
    arrived: Vec<u8>,
    ledger: Ledger,
}

impl Ends {
    /// Both ends, with nothing sent yet. `initial` is the scene's starting grid, known to both.
    pub(crate) fn new(settings: &Settings, initial: &[CubeState]) -> Ends {
        let format = crate::lane::format(settings.rung(), settings, initial.len());
        let mut first = Vec::with_capacity(initial.len());
        quantise(&format, initial, &mut first);
        Ends {
            sender: Sender::new(format, &first),
            receiver: Receiver::new(format, &first),
            sent: History::new(RECEIVED_HISTORY_TICKS, initial.len()),
            snapshot: first,
            packet: Vec::new(),
            arrived: Vec::new(),
            ledger: Ledger::new(),
        }
    }

    /// One tick: acknowledgements arrive, a snapshot leaves if one is due, snapshots arrive, and what is due is shown.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
        view: &mut View,
    ) -> Option<Playback> {
        let now_ms = frame.now_ms();
        wire.receive_acks(now_ms, &mut self.arrived, metrics, |ack| {
            self.sender.ack(ack)
        });
        if sends_at(frame.tick, settings.send_rate_hz()) {
            self.send(frame, settings, wire, metrics);
        }
        self.receive(frame, settings, wire, metrics);
        self.receiver.show(now_ms, settings, view)
    }

    /// Where the receiver's tangents come from on this rung.
    pub(crate) fn tangents(&self) -> Tangents {
        self.receiver.tangents()
    }

    fn send(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
    ) {
        quantise(self.sender.format(), frame.truth, &mut self.snapshot);
        let (packet, ledger) = (&mut self.packet, &mut self.ledger);
        let contents = self.sender.send(frame.tick, &self.snapshot, packet, ledger);
        self.sent.insert(contents.sequence, &self.snapshot);
        wire.send(frame.tick, packet, &contents, ledger, settings, metrics);
    }

    fn receive(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
    ) {
        while let Some(delivery) = wire.receive(frame.now_ms(), &mut self.arrived) {
            let arrival = self.receiver.accept(delivery.arrival_ms, &self.arrived);
            let outcome = match arrival {
                Ok(Arrival::Accepted { .. }) => Outcome::Accepted,
                Ok(Arrival::Late { .. }) => Outcome::Late,
                Ok(Arrival::Duplicate) => Outcome::Duplicate,
                Err(_) => Outcome::Refused,
            };
            wire.note(delivery, outcome, metrics);
            let Ok(Arrival::Accepted { sequence } | Arrival::Late { sequence }) = arrival else {
                continue;
            };
            metrics.mismatches +=
                u64::from(self.sent.get(sequence) != Some(self.receiver.decoded()));
        }
        if let Some(ack) = self.receiver.ack(&mut self.ledger) {
            wire.send_ack(frame.tick, ack, settings, metrics);
        }
    }
}
