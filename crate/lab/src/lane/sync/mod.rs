//! State synchronisation: the right side simulates too, from the same inputs, and is corrected by the state of the cubes
//! that matter most.

mod receiver;
mod sender;
mod smooth;

use super::Frame;
use super::Playback;
use super::truth::Truth;
use super::wire::{Contents, Outcome, Wire};
use crate::metrics::{Metrics, SyncMetrics};
use crate::settings::Settings;
use crate::time::sequence_of_tick;
use crate::view::View;
use crate::world::World;
use glam::Vec3;
use receiver::{Arrival, Receiver};
use sender::Sender;
use snapshot_codec::Ledger;
use snapshot_codec::sync::{Ack, Packet};

/// The sender and the receiver of inputs and states.
pub(crate) struct Ends {
    sender: Sender,
    receiver: Receiver,
    decoded: Packet,
    packet: Vec<u8>,
    ledger: Ledger,
}

impl Ends {
    /// Both ends, with nothing sent yet. The right side begins with the world as it is.
    pub(crate) fn new(settings: &Settings, world: &World) -> Ends {
        let format = settings.sync_format();
        Ends {
            sender: Sender::new(format),
            receiver: Receiver::new(format, world.fork()),
            decoded: Packet::default(),
            packet: Vec::new(),
            ledger: Ledger::new(),
        }
    }

    /// One tick: acknowledgements arrive, a packet leaves if one is due, packets arrive, the right world goes on.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
        view: &mut View,
    ) -> Option<Playback> {
        let now_ms = frame.now_ms();
        wire.receive_acks(now_ms, &mut self.packet, metrics, |ack| {
            Ack::from_bytes(ack).map(|ack| self.sender.ack(ack))
        });
        if let Some(updates) = self
            .sender
            .tick(frame, settings, &mut self.packet, &mut self.ledger)
        {
            let contents = Contents {
                sequence: sequence_of_tick(frame.tick),
                // Each update has one of its own.
                baseline_tick: None,
                changed_cubes: updates,
                cargo: updates,
            };
            let (packet, ledger) = (&self.packet, &mut self.ledger);
            wire.send(frame.tick, packet, &contents, ledger, settings, metrics);
        }
        self.receive(frame, settings, wire, metrics);
        let played = self
            .receiver
            .tick(frame.tick, settings, &mut metrics.sync, view);
        metrics.sync.budget_kbps = self.sender.budget_kbps(settings);
        played
    }

    /// Compares the right world, before smoothing, with the truth of the instant that it is at.
    pub(crate) fn measure(&self, truth: &Truth<'_>, is_cut: bool, sync: &mut SyncMetrics) {
        sync.divergence_now = Default::default();
        sync.apart_ticks
            .resize(self.receiver.world().cube_count(), 0);
        let now = &mut sync.divergence_now;
        for (index, cube) in self.receiver.world().truth().iter().enumerate() {
            let pose = truth.pose(index);
            let apart_mm =
                f64::from(pose.position.distance(Vec3::from_array(cube.position))) * 1000.0;
            if pose.interacting {
                sync.divergence_mm.add(apart_mm);
                now.interacting_cubes += 1;
                now.rms_mm += apart_mm * apart_mm;
                now.max_mm = now.max_mm.max(apart_mm);
            }
            let is_there = apart_mm == 0.0 && pose.orientation.to_array() == cube.orientation;
            let apart_at_rest = truth.is_at_rest(index) && !is_there;
            if apart_at_rest {
                now.at_rest_max_mm = now.at_rest_max_mm.max(apart_mm);
                now.at_rest_apart += 1;
            }
            let apart_ticks = &mut sync.apart_ticks[index];
            *apart_ticks = if apart_at_rest && !is_cut {
                *apart_ticks + 1
            } else {
                0
            };
            sync.apart_ticks_max = sync.apart_ticks_max.max(*apart_ticks);
        }
        now.rms_mm = (now.rms_mm / f64::from(now.interacting_cubes.max(1))).sqrt();
    }

    fn receive(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
    ) {
        let now_ms = frame.now_ms();
        let mut news = false;
        while let Some(delivery) = wire.receive(now_ms, &mut self.packet) {
            let arrival = self
                .receiver
                .accept(frame.tick, &self.packet, &mut self.decoded);
            let outcome = match arrival {
                Ok(Arrival::Accepted) => Outcome::Accepted,
                Ok(Arrival::Late) => Outcome::Late,
                Ok(Arrival::Duplicate) => Outcome::Duplicate,
                Err(_) => Outcome::Refused,
            };
            wire.note(delivery, outcome, metrics);
            if matches!(outcome, Outcome::Duplicate | Outcome::Refused) {
                continue;
            }
            news |= outcome == Outcome::Accepted;
            let sent = self.sender.sent(self.decoded.sequence);
            metrics.mismatches += u64::from(sent != Some(&self.decoded.updates[..]));
        }
        if let Some(ack) = self.receiver.ack().filter(|_| news) {
            wire.send_ack(frame.tick, &ack.to_bytes(), settings, metrics);
        }
    }
}
