//! Snapshot interpolation: the whole state goes over the wire, and the right side shows what arrives a little later.

use super::receiver::{Arrival, Playback, Receiver};
use super::wire::{Outcome, Outgoing, Wire};
use super::{Frame, QUANTISED};
use crate::interpolate::Tangents;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::time::{sends_at, sequence_of_tick, tick_of_sequence};
use crate::view::View;
use snapshot_codec::sequence::is_newer;
use snapshot_codec::{
    Cube, CubeState, Encoder, Format, History, Ledger, RECEIVED_HISTORY_TICKS, decode_ack,
    encode_ack,
};

/// The sender and the receiver of snapshots.
pub(crate) struct Ends {
    format: Format,
    encoder: Encoder,
    receiver: Receiver,
    /// What was sent, to compare with what is decoded.
    sent: History,
    newest_received: Option<u16>,
    snapshot: Vec<Cube>,
    packet: Vec<u8>,
    /// Apart from `packet`, which has room for the largest one: what arrives goes back to the wire's spare buffers.
    arrived: Vec<u8>,
    ledger: Ledger,
}

impl Ends {
    /// Both ends, with nothing sent yet. `initial` is the scene's starting grid, known to both.
    pub(crate) fn new(settings: &Settings, initial: &[CubeState]) -> Ends {
        let format = super::format(settings.rung(), settings, initial.len());
        let first: Vec<Cube> = initial.iter().map(|cube| format.quantise(cube)).collect();
        Ends {
            format,
            encoder: Encoder::new(format, &first).expect(QUANTISED),
            receiver: Receiver::new(format, &first).expect(QUANTISED),
            sent: History::new(RECEIVED_HISTORY_TICKS, initial.len()),
            newest_received: None,
            snapshot: Vec::with_capacity(initial.len()),
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
            decode_ack(ack).map(|sequence| self.encoder.ack(sequence))
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
        let sequence = sequence_of_tick(frame.tick);
        self.snapshot.clear();
        self.snapshot
            .extend(frame.truth.iter().map(|cube| self.format.quantise(cube)));
        self.ledger.clear();
        let is_delta = self.format.rung().is_delta();
        let baseline = self.encoder.baseline(sequence).filter(|_| is_delta);
        self.encoder
            .encode(sequence, &self.snapshot, &mut self.packet, &mut self.ledger)
            .expect("ticks rise by one, and the format quantised the snapshot itself");
        self.sent.insert(sequence, &self.snapshot);
        let changed_cubes = self.encoder.changed_cubes();
        wire.send(
            &Outgoing {
                tick: frame.tick,
                packet: &self.packet,
                sequence,
                baseline_tick: baseline
                    .map(|baseline| tick_of_sequence(baseline, frame.tick as i64) as u64),
                changed_cubes,
                cargo: if is_delta {
                    changed_cubes
                } else {
                    self.snapshot.len()
                },
            },
            &mut self.ledger,
            settings,
            metrics,
        );
    }

    fn receive(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
    ) {
        let mut news = false;
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
            if self
                .newest_received
                .is_none_or(|newest| is_newer(sequence, newest))
            {
                self.newest_received = Some(sequence);
                news = true;
            }
        }
        if let (true, Some(newest)) = (news, self.newest_received) {
            encode_ack(newest, &mut self.packet, &mut self.ledger);
            wire.send_ack(frame.tick, &self.packet, settings, metrics);
        }
    }
}
