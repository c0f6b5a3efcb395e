//! The left side of snapshot interpolation: snapshots in, packets out, each against the newest snapshot that is acknowledged.

use super::QUANTISED;
use super::cached::Quantised;
use crate::foresight::Simulation;
use crate::lane::Frame;
use crate::lane::wire::{Contents, Heard};
use crate::settings::LaneSettings;
use snapshot_base::time::{
    TICKS_PER_S, sends_at, sequence_of_tick, tick_of_sequence, ticks_until_send,
};
use snapshot_codec::{
    Ahead, Cube, CubeState, DecodeError, Encoder, Format, Ledger, Rung, SENT_HISTORY_TICKS,
    decode_ack,
};
use snapshot_physics::input::Input;

/// Halved when it is full, it still holds those of all ticks from the oldest baseline on.
const INPUTS_MAX: usize = 2 * SENT_HISTORY_TICKS;

/// The sender of snapshots: of a lane, and of each rung of the ladder.
#[derive(Clone)]
pub(crate) struct Sender {
    format: Format,
    encoder: Encoder,
    simulation: Box<Simulation>,
    /// Of the last ticks, newest last.
    inputs: Vec<u8>,
    /// What left last.
    snapshot: Quantised,
    now_tick: u64,
}

impl Sender {
    /// A sender that has sent nothing yet. `initial` is the scene's starting grid, quantised, known to both sides.
    pub(crate) fn new(format: Format, initial: &[Cube], simulation: Simulation) -> Sender {
        Sender {
            format,
            encoder: Encoder::new(format, initial).expect(QUANTISED),
            simulation: Box::new(simulation),
            inputs: Vec::with_capacity(INPUTS_MAX),
            snapshot: Quantised::default(),
            now_tick: 0,
        }
    }

    /// What it sends.
    pub(crate) fn format(&self) -> &Format {
        &self.format
    }

    /// Takes an acknowledgement, and says of which packet it is.
    ///
    /// # Errors
    /// When it is none; nothing changes then.
    pub(crate) fn ack(&mut self, ack: &[u8]) -> Result<Heard, DecodeError> {
        let sequence = decode_ack(ack)?;
        self.acked(sequence);
        let tick = tick_of_sequence(sequence, self.now_tick as i64);
        Ok(Heard::of(tick as u64))
    }

    /// One tick: replaces `packet` and `ledger` by what leaves, if a snapshot is due.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        settings: &LaneSettings,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Option<Contents> {
        self.now_tick = frame.tick;
        self.press(frame.input);
        if !sends_at(frame.tick, settings.send_rate_hz()) {
            self.begin_to_foresee(frame.tick, settings.send_rate_hz());
            return None;
        }
        let mut snapshot = std::mem::take(&mut self.snapshot);
        snapshot.update(&self.format, frame.truth);
        let contents = self.send(frame.tick, snapshot.cubes(), packet, ledger);
        self.snapshot = snapshot;
        Some(contents)
    }

    /// Simulates towards the next packet. Before the second half of the wait an acknowledgement may well come that gives the
    /// packet a newer baseline.
    fn begin_to_foresee(&mut self, tick: u64, hz: u32) {
        let due_ticks = ticks_until_send(tick, hz);
        let is_late = due_ticks * u64::from(hz) * 2 <= u64::from(TICKS_PER_S);
        if self.format.rung() != Rung::Simulated || !is_late {
            return;
        }
        let sequence = sequence_of_tick(tick + due_ticks);
        let Some(baseline) = self.encoder.baseline(sequence) else {
            return;
        };
        let due_ticks = due_ticks as usize;
        let pressed = usize::from(sequence.wrapping_sub(baseline)).checked_sub(due_ticks);
        let from = pressed.and_then(|pressed| self.inputs.len().checked_sub(pressed));
        if let Some(inputs) = from.and_then(|from| self.inputs.get(from..)) {
            let cubes = || self.encoder.foreseen_from(sequence);
            self.simulation.begin(baseline, inputs, due_ticks, cubes);
        }
    }

    /// The input of the next tick.
    pub(crate) fn press(&mut self, input: Input) {
        if self.inputs.len() == INPUTS_MAX {
            self.inputs.drain(..INPUTS_MAX / 2);
        }
        self.inputs.push(input.bits());
    }

    /// Cube by cube what the last packet's differences were told against, or would have been, and what left.
    pub(crate) fn last_told(&self) -> impl Iterator<Item = (&Cube, &Cube)> {
        let before = self.encoder.baseline_cubes(sequence_of_tick(self.now_tick));
        before.iter().zip(self.snapshot.cubes())
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.encoder.held_bytes() + self.snapshot.held_bytes()
    }

    /// The other side has the snapshot of that sequence.
    pub(crate) fn acked(&mut self, sequence: u16) {
        self.encoder.ack(sequence);
    }

    /// Replaces `packet` and `ledger` by the snapshot of a tick, which is newer than all that were sent before.
    pub(crate) fn send(
        &mut self,
        tick: u64,
        snapshot: &[Cube],
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Contents {
        let sequence = sequence_of_tick(tick);
        let is_delta = self.format.rung().is_delta();
        let baseline = self.encoder.baseline(sequence).filter(|_| is_delta);
        ledger.clear();
        let ahead = Ahead {
            sequence,
            inputs: &self.inputs,
            foresight: &mut *self.simulation,
        };
        self.encoder
            .encode_ahead(snapshot, ahead, packet, ledger)
            .expect("ticks rise by one, and the format quantised the snapshot itself");
        let changed_cubes = self.encoder.changed_cubes();
        Contents {
            sequence,
            baseline_tick: baseline.map(|baseline| tick_of_sequence(baseline, tick as i64) as u64),
            changed_cubes,
            cargo: if is_delta {
                changed_cubes
            } else {
                snapshot.len()
            },
        }
    }
}

/// Replaces `snapshot` by what a format sends of these cubes.
pub(crate) fn quantise(format: &Format, truth: &[CubeState], snapshot: &mut Vec<Cube>) {
    snapshot.clear();
    snapshot.extend(truth.iter().map(|cube| format.quantise(cube)));
}
