//! The sender of snapshots: states in, packets out, each encoded against the newest acknowledged snapshot.

use super::QUANTISED;
use crate::exchange::Ticks;
use crate::{AckedPackets, PacketInfo, SenderError};
use snapshot_base::time::{TickRate, sequence_of_tick, tick_of_sequence};
use snapshot_codec::{
    Ahead, Cube, CubeState, DecodeError, Encoder, Foresight, Format, Ledger, SENT_HISTORY_TICKS,
    decode_ack,
};
use snapshot_view::parts::ResultCache;

/// Capacity for inputs. After a full buffer is halved, all ticks from the oldest baseline on are still held.
const INPUTS_MAX: usize = 2 * SENT_HISTORY_TICKS;

/// The sender of snapshots.
#[derive(Clone)]
pub struct Sender<F> {
    format: Format,
    tick_rate: TickRate,
    send_rate_hz: u32,
    encoder: Encoder,
    predictor: F,
    /// Six bits of each of the last ticks, newest last.
    inputs: Vec<u8>,
    /// The snapshot that left last.
    snapshot: Quantised,
    ticks: Ticks,
}

impl<F: Foresight> Sender<F> {
    /// Creates a sender that has sent nothing yet. `initial` is the scene's starting grid, quantised by `format`; both ends
    /// know it. `send_rate_hz` is 1 packet a second up to one each tick.
    pub fn new(
        format: Format,
        tick_rate: TickRate,
        send_rate_hz: u32,
        initial: &[Cube],
        predictor: F,
    ) -> Sender<F> {
        Sender {
            format,
            tick_rate,
            send_rate_hz,
            encoder: Encoder::new(format, initial).expect(QUANTISED),
            predictor,
            inputs: Vec::with_capacity(INPUTS_MAX),
            snapshot: Quantised::default(),
            ticks: Ticks::default(),
        }
    }

    /// The format of its snapshots.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Predicts towards the next packet, in the second half of the wait. Before that an acknowledgement may well give the packet
    /// a newer baseline.
    fn begin_prediction(&mut self, tick: u64) {
        let hz = self.send_rate_hz;
        let due_ticks = self.tick_rate.ticks_until_send(tick, hz);
        let is_late = due_ticks * u64::from(hz) * 2 <= u64::from(self.tick_rate.hz());
        if !self.format.rung().needs_simulation() || !is_late {
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
            let mut cubes = || self.encoder.foreseen_from(sequence);
            self.predictor
                .begin(baseline, inputs, due_ticks, &mut cubes);
        }
    }

    /// Takes the input of the next tick.
    pub fn press(&mut self, input: u8) {
        if self.inputs.len() == INPUTS_MAX {
            self.inputs.drain(..INPUTS_MAX / 2);
        }
        self.inputs.push(input);
    }

    /// The baseline of the last packet, and the snapshot in it, cube by cube.
    pub fn last_told(&self) -> impl Iterator<Item = (&Cube, &Cube)> {
        let before = self
            .encoder
            .baseline_cubes(sequence_of_tick(self.ticks.now()));
        before.iter().zip(self.snapshot.cubes())
    }

    /// Notes that the receiver has the snapshot of that sequence.
    pub fn acked(&mut self, sequence: u16) {
        self.encoder.ack(sequence);
    }

    /// Replaces `packet` and `ledger` by the snapshot of a tick.
    ///
    /// # Errors
    /// When the tick is not newer than all that were sent, or the snapshot is not of the format.
    pub fn send(
        &mut self,
        tick: u64,
        snapshot: &[Cube],
        packet: &mut Vec<u8>,
        mut ledger: Option<&mut Ledger>,
    ) -> Result<PacketInfo, SenderError> {
        let sequence = sequence_of_tick(tick);
        let is_delta = self.format.rung().is_delta();
        let baseline = self.encoder.baseline(sequence).filter(|_| is_delta);
        if let Some(ledger) = &mut ledger {
            ledger.clear();
        }
        let ahead = Ahead {
            sequence,
            inputs: &self.inputs,
            foresight: &mut self.predictor,
        };
        self.encoder.encode_ahead(snapshot, ahead, packet, ledger)?;
        let changed_cubes = self.encoder.changed_cubes();
        Ok(PacketInfo {
            sequence,
            baseline_tick: baseline.map(|baseline| tick_of_sequence(baseline, tick as i64) as u64),
            changed_cubes,
            items: if is_delta {
                changed_cubes
            } else {
                snapshot.len()
            },
        })
    }
}

impl<F: Foresight> crate::Sender for Sender<F> {
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError> {
        let expected = self.format.cube_count();
        self.ticks.take(tick, input, states.len(), expected)?;
        self.press(input);
        if !self.tick_rate.sends_at(tick, self.send_rate_hz) {
            self.begin_prediction(tick);
            return Ok(None);
        }
        let mut snapshot = std::mem::take(&mut self.snapshot);
        snapshot.update(&self.format, states);
        let info = self.send(tick, snapshot.cubes(), packet, ledger);
        self.snapshot = snapshot;
        info.map(Some)
    }

    fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        let sequence = decode_ack(ack)?;
        self.acked(sequence);
        let tick = tick_of_sequence(sequence, self.ticks.now() as i64);
        Ok(AckedPackets::one(tick as u64))
    }

    fn held_bytes(&self) -> usize {
        self.encoder.held_bytes() + self.snapshot.held_bytes()
    }
}

/// Replaces `snapshot` by these cubes, quantised.
pub fn quantise(format: &Format, states: &[CubeState], snapshot: &mut Vec<Cube>) {
    snapshot.clear();
    snapshot.extend(states.iter().map(|cube| format.quantise(cube)));
}

/// A snapshot, quantised by a format. Only changed cubes are quantised anew.
#[derive(Clone, Debug, Default)]
pub struct Quantised(ResultCache<CubeState, Cube>);

impl Quantised {
    /// Replaces the snapshot by these cubes. The format must stay the same.
    pub fn update(&mut self, format: &Format, truth: &[CubeState]) {
        let quantise = |cube: &CubeState| format.quantise(cube);
        self.0.update(truth, CubeState::same_bits, quantise);
    }

    /// The cubes as they are sent.
    pub fn cubes(&self) -> &[Cube] {
        self.0.results()
    }

    /// Memory that it takes, bytes.
    pub fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}
