//! Snapshot interpolation: the whole state goes over the wire, and the receiver shows it a little later. Each packet is encoded
//! against the newest acknowledged snapshot.

use crate::strategy::interface::Ticks;
use crate::strategy::{AckedPackets, PacketInfo, SenderError, World};
use snapshot_base::cache::ResultCache;
use snapshot_base::time::{TickRate, sequence_of_tick, tick_of_sequence};
use snapshot_codec::sequence::is_newer;
use snapshot_codec::{
    Cube, CubeState, DecodeError, Decoder, Encoder, Foresight, Format, Ledger, Lookahead,
    SENT_HISTORY_TICKS, decode_ack, encode_ack,
};
use snapshot_view::interpolate::Tangents;
use snapshot_view::{Buffer, BufferConfig, Playback, Pose, SnapshotArrival};

const QUANTISED: &str = "a snapshot that the format itself quantised is one of that format";

/// Upper limit of the number of stored inputs. When a full buffer is halved, all ticks from the oldest baseline on stay.
const INPUTS_MAX: usize = 2 * SENT_HISTORY_TICKS;

#[derive(Clone)]
pub struct SnapshotSender<F> {
    format: Format,
    tick_rate: TickRate,
    send_rate_hz: u32,
    encoder: Encoder,
    predictor: F,
    /// Inputs of the newest ticks, six bits each, newest last.
    inputs: Vec<u8>,
    /// The last snapshot sent.
    snapshot: Quantised,
    ticks: Ticks,
}

impl<F: Foresight> SnapshotSender<F> {
    /// Creates a sender that has sent nothing yet. `initial` is the scene's starting grid, quantised by `format`; both ends
    /// know it. `send_rate_hz` is at least 1, and at most one packet each tick.
    pub fn new(
        format: Format,
        tick_rate: TickRate,
        send_rate_hz: u32,
        initial: &[Cube],
        predictor: F,
    ) -> SnapshotSender<F> {
        SnapshotSender {
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

    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Starts the prediction for the next packet, in the second half of the send interval only: before that, an
    /// acknowledgement may still give the packet a newer baseline.
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

    /// Records the input of the next tick.
    pub fn press(&mut self, input: u8) {
        if self.inputs.len() == INPUTS_MAX {
            self.inputs.drain(..INPUTS_MAX / 2);
        }
        self.inputs.push(input);
    }

    /// Iterates over the cubes of the last packet: each cube's value in the baseline, and its sent value.
    pub fn last_sent(&self) -> impl Iterator<Item = (&Cube, &Cube)> {
        let before = self
            .encoder
            .baseline_cubes(sequence_of_tick(self.ticks.now()));
        before.iter().zip(self.snapshot.cubes())
    }

    /// Records that the receiver has the snapshot with this sequence.
    pub fn acked(&mut self, sequence: u16) {
        self.encoder.ack(sequence);
    }

    /// Replaces `packet` and `ledger` by the snapshot of a tick.
    ///
    /// # Errors
    /// When the tick is not newer than all sent ticks, or the snapshot does not fit the format.
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
        let ahead = Lookahead {
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

impl<F: Foresight> crate::strategy::Sender for SnapshotSender<F> {
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError> {
        let expected = self.format.cube_count();
        self.ticks.advance(tick, input, states.len(), expected)?;
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

pub fn quantise(format: &Format, states: &[CubeState], snapshot: &mut Vec<Cube>) {
    snapshot.clear();
    snapshot.extend(states.iter().map(|cube| format.quantise(cube)));
}

/// Cache of the quantised snapshot. Only cubes whose states have changed are quantised again.
#[derive(Clone, Debug, Default)]
pub struct Quantised(ResultCache<CubeState, Cube>);

impl Quantised {
    /// Updates the snapshot to these states. The format must stay the same.
    pub fn update(&mut self, format: &Format, truth: &[CubeState]) {
        let quantise = |cube: &CubeState| format.quantise(cube);
        self.0.update(truth, CubeState::same_bits, quantise);
    }

    /// The quantised cubes of the last update, in the integers that are sent.
    pub fn cubes(&self) -> &[Cube] {
        self.0.results()
    }

    pub fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}

pub struct SnapshotReceiver<F> {
    format: Format,
    tick_rate: TickRate,
    decoder: Decoder,
    predictor: F,
    acknowledger: Acknowledger,
    buffer: Buffer,
    /// The initial snapshot, shown until the first received one is due.
    initial: Vec<Cube>,
    decoded: Vec<Cube>,
    decoded_sequence: u16,
}

impl<F: Foresight> SnapshotReceiver<F> {
    /// Creates a receiver that has received nothing yet. `initial` is the scene's starting grid, quantised by `format`.
    pub fn new(
        format: Format,
        config: BufferConfig,
        initial: &[Cube],
        predictor: F,
    ) -> SnapshotReceiver<F> {
        SnapshotReceiver {
            format,
            tick_rate: config.tick_rate,
            decoder: Decoder::new(format, initial).expect(QUANTISED),
            predictor,
            acknowledger: Acknowledger::default(),
            buffer: Buffer::new(format, config),
            initial: initial.to_vec(),
            decoded: Vec::with_capacity(initial.len()),
            decoded_sequence: 0,
        }
    }

    /// Decodes a packet; returns its tick.
    fn decode(&mut self, arrival_ms: f64, packet: &[u8]) -> Result<i64, DecodeError> {
        let arrival_tick = self.tick_rate.tick_of_ms(arrival_ms);
        let horizon = sequence_of_tick(self.tick_rate.horizon_tick(arrival_tick) as u64);
        let header =
            self.decoder
                .decode_ahead(packet, horizon, &mut self.predictor, &mut self.decoded)?;
        self.decoded_sequence = header.sequence;
        Ok(tick_of_sequence(header.sequence, arrival_tick as i64))
    }

    /// Sequence and cubes of the last decoded snapshot.
    pub fn decoded(&self) -> (u16, &[Cube]) {
        (self.decoded_sequence, &self.decoded)
    }

    /// The source of tangents for Hermite interpolation on this rung.
    pub fn tangents(&self) -> Tangents {
        self.buffer.tangents()
    }

    /// Returns the tick of the last shown snapshot, and the number of snapshots that were shown; `None` before the first.
    pub fn shown(&self) -> Option<(u64, u64)> {
        let tick = u64::try_from(self.buffer.shown_tick()?).ok()?;
        Some((tick, self.buffer.drawn()))
    }
}

impl<F: Foresight> crate::strategy::Receiver for SnapshotReceiver<F> {
    fn packet(
        &mut self,
        arrival_ms: f64,
        packet: &[u8],
    ) -> Result<SnapshotArrival, crate::strategy::DecodeError> {
        let tick = self.decode(arrival_ms, packet)?;
        let arrival = self.buffer.on_snapshot(arrival_ms, tick, &self.decoded);
        if arrival != SnapshotArrival::Duplicate {
            self.acknowledger.arrived(self.decoded_sequence);
        }
        Ok(arrival)
    }

    fn ack(&mut self, ack: &mut Vec<u8>) -> bool {
        let due = self.acknowledger.due();
        if let Some(sequence) = due {
            encode_ack(sequence, ack, None);
        }
        due.is_some()
    }

    fn show(&mut self, now_ms: f64, _: &mut dyn World, poses: &mut [Pose]) -> Option<Playback> {
        let instant = self.buffer.advance(now_ms);
        let playback = instant.and_then(|instant| self.buffer.show(instant, poses));
        if playback.is_none() {
            for (pose, cube) in poses.iter_mut().zip(&self.initial) {
                *pose = Pose::from(&self.format.dequantise(cube));
            }
        }
        playback
    }
}

/// Acknowledges the newest snapshot: once after each tick in which a newer one has arrived.
#[derive(Debug, Default)]
pub struct Acknowledger {
    newest: Option<u16>,
    is_news: bool,
}

impl Acknowledger {
    /// Records that a snapshot has arrived, even if it is late.
    pub fn arrived(&mut self, sequence: u16) {
        if self.newest.is_none_or(|newest| is_newer(sequence, newest)) {
            self.newest = Some(sequence);
            self.is_news = true;
        }
    }

    /// Returns the sequence to acknowledge at the end of a tick; `None` if no acknowledgement is due.
    pub fn due(&mut self) -> Option<u16> {
        self.newest.filter(|_| std::mem::take(&mut self.is_news))
    }
}
