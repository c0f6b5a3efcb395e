//! The receiver of snapshots: bytes and arrival times in, poses out.
//!
//! Decoded snapshots wait in an interpolation buffer until the play instant reaches them.

use super::cached::Dequantised;
use super::{Acknowledger, QUANTISED};
use crate::interpolate::{Around, EXTRAPOLATION_MS, Interpolation, Sample, Tangents, pose_at};
use crate::playout::{Clock, Instant, Playout};
use crate::{Arrival, Playback, Pose, SenderClock};
use snapshot_base::time::{TICKS_PER_S, TickRate, sequence_of_tick, tick_of_sequence};
use snapshot_codec::{
    Cube, CubeState, DecodeError, Decoder, Foresight, Format, RECEIVED_HISTORY_TICKS, encode_ack,
};
use std::collections::VecDeque;

/// Snapshots that wait or are shown, for each 60 ticks a second. At 60 a second these are 4 s, twice the longest playout
/// delay at that rate.
const MOST_BUFFERED: usize = 256;

/// The settings of a receiver of snapshots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceiverConfig {
    /// Ticks a second of the sender.
    pub tick_rate: TickRate,
    /// The way in which the time between two snapshots is filled.
    pub interpolation: Interpolation,
    /// The choice of the play instant.
    pub playout: Playout,
    /// Time between two snapshots of the sender.
    pub send_interval_ms: f64,
    /// The sender's tick, where the connection tells it.
    pub sender_clock: SenderClock,
}

impl ReceiverConfig {
    fn most_buffered(&self) -> usize {
        MOST_BUFFERED * self.tick_rate.hz().div_ceil(TICKS_PER_S) as usize
    }
}

/// The receiver of snapshots.
pub struct Receiver<F> {
    format: Format,
    config: ReceiverConfig,
    sender_clock: SenderClock,
    decoder: Decoder,
    predictor: F,
    acknowledger: Acknowledger,
    /// By tick, oldest first.
    buffer: VecDeque<Buffered>,
    spare: Vec<Vec<CubeState>>,
    /// Shown until the first snapshot is due.
    initial: Vec<Cube>,
    timing: Timing,
    /// The snapshot that was shown last.
    shown_tick: Option<i64>,
    /// The tick that was received last of those that share a slot, to tell a second copy.
    received_ticks: Vec<Option<i64>>,
    decoded: Vec<Cube>,
    decoded_sequence: u16,
    /// The newest snapshot that went into the buffer.
    newest: Dequantised,
}

enum Timing {
    Fixed {
        delay_ms: f64,
        /// Arrival of the first packet less the instant of its snapshot.
        offset_ticks: Option<f64>,
    },
    Adaptive(Clock),
    AtOnce {
        /// Least arrival of a packet less the instant of its snapshot.
        least_ticks: Option<f64>,
    },
}

impl Timing {
    fn new(config: &ReceiverConfig) -> Timing {
        let interval_ms = config.send_interval_ms;
        // `none` shows each snapshot for an interval before it needs the next.
        let (held_ms, goes_on_ms) = match config.interpolation {
            Interpolation::None => (interval_ms, interval_ms),
            Interpolation::Extrapolate => (0.0, EXTRAPOLATION_MS),
            _ => (0.0, 0.0),
        };
        match config.playout {
            Playout::Fixed { delay_ms } => Timing::Fixed {
                delay_ms,
                offset_ticks: None,
            },
            Playout::AtOnce => Timing::AtOnce { least_ticks: None },
            Playout::Adaptive(aim) => Timing::Adaptive(Clock::new(
                config.tick_rate,
                aim,
                interval_ms,
                held_ms,
                goes_on_ms,
            )),
        }
    }

    fn packet(&mut self, tick_rate: TickRate, arrival_ms: f64, tick: i64, is_new: bool) {
        match self {
            Timing::Fixed { offset_ticks, .. } => {
                offset_ticks.get_or_insert(tick_rate.tick_of_ms(arrival_ms) - tick as f64);
            }
            Timing::Adaptive(clock) if is_new => clock.packet(arrival_ms, tick),
            Timing::Adaptive(_) => {}
            Timing::AtOnce { least_ticks } => {
                let took_ticks = tick_rate.tick_of_ms(arrival_ms) - tick as f64;
                *least_ticks = Some(least_ticks.map_or(took_ticks, |least| least.min(took_ticks)));
            }
        }
    }

    fn advance(&mut self, tick_rate: TickRate, now_ms: f64) -> Option<Instant> {
        match self {
            Timing::Fixed {
                delay_ms,
                offset_ticks,
            } => Some(Instant {
                play_tick: tick_rate.tick_of_ms(now_ms - *delay_ms) - (*offset_ticks)?,
                delay_ms: *delay_ms,
                speed: 1.0,
                waits: false,
            }),
            Timing::Adaptive(clock) => clock.advance(now_ms),
            Timing::AtOnce { least_ticks } => Some(Instant {
                play_tick: tick_rate.tick_of_ms(now_ms) - (*least_ticks)?,
                delay_ms: 0.0,
                speed: 1.0,
                waits: false,
            }),
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            Timing::Fixed { .. } | Timing::AtOnce { .. } => 0,
            Timing::Adaptive(clock) => clock.held_bytes(),
        }
    }
}

struct Buffered {
    tick: i64,
    cubes: Vec<CubeState>,
}

impl Buffered {
    fn sample(&self, index: usize) -> Sample<'_> {
        Sample {
            tick: self.tick,
            cube: &self.cubes[index],
        }
    }
}

impl<F: Foresight> Receiver<F> {
    /// Creates a receiver that has received nothing yet. `initial` is the scene's starting grid, quantised by `format`.
    pub fn new(
        format: Format,
        config: ReceiverConfig,
        initial: &[Cube],
        predictor: F,
    ) -> Receiver<F> {
        Receiver {
            format,
            config,
            sender_clock: config.sender_clock,
            decoder: Decoder::new(format, initial).expect(QUANTISED),
            predictor,
            acknowledger: Acknowledger::default(),
            buffer: VecDeque::with_capacity(config.most_buffered() + 1),
            spare: Vec::new(),
            initial: initial.to_vec(),
            timing: Timing::new(&config),
            shown_tick: None,
            received_ticks: vec![None; RECEIVED_HISTORY_TICKS],
            decoded: Vec::with_capacity(initial.len()),
            decoded_sequence: 0,
            newest: Dequantised::default(),
        }
    }

    /// Takes a packet that arrived at `arrival_ms`. [`Receiver::decoded`] is then the snapshot in it.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its tick lies in the future. Nothing changes then.
    pub fn accept(&mut self, arrival_ms: f64, packet: &[u8]) -> Result<Arrival, DecodeError> {
        let tick_rate = self.config.tick_rate;
        let tick = self.decode(arrival_ms, packet)?;
        let sequence = self.decoded_sequence;
        let slot = tick.rem_euclid(RECEIVED_HISTORY_TICKS as i64) as usize;
        let is_new = self.received_ticks[slot].replace(tick) != Some(tick);
        self.timing.packet(tick_rate, arrival_ms, tick, is_new);
        if !is_new {
            return Ok(Arrival::Duplicate);
        }
        self.acknowledger.arrived(sequence);
        let at_once = matches!(self.timing, Timing::AtOnce { .. });
        let is_overtaken = |newest: &Buffered| at_once && tick < newest.tick;
        if self.buffer.back().is_some_and(is_overtaken) {
            return Ok(Arrival::Overtaken);
        }
        if self.shown_tick.is_some_and(|shown| tick <= shown) {
            return Ok(Arrival::Late);
        }
        let at = self.buffer.partition_point(|buffered| buffered.tick < tick);
        let mut cubes = self
            .spare
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(self.decoded.len()));
        self.newest.update(&self.format, &self.decoded);
        cubes.clear();
        cubes.extend_from_slice(self.newest.states());
        self.buffer.insert(at, Buffered { tick, cubes });
        if self.buffer.len() > self.config.most_buffered() {
            self.spare
                .extend(self.buffer.pop_front().map(|oldest| oldest.cubes));
        }
        Ok(Arrival::Accepted)
    }

    /// Decodes a packet, and gives its tick. Before the sender's tick is sure, a packet may begin everything anew.
    fn decode(&mut self, arrival_ms: f64, packet: &[u8]) -> Result<i64, DecodeError> {
        let sequence = match self.decode_once(arrival_ms, packet) {
            Err(DecodeError::TooFarAhead { sequence, .. }) if !self.sender_clock.is_sure() => {
                sequence as u16
            }
            decoded => decoded?,
        };
        let rate = self.config.tick_rate;
        let tick_of = |clock: &SenderClock| {
            let now = clock.tick_at(rate, rate.tick_of_ms(arrival_ms));
            tick_of_sequence(sequence, now as i64)
        };
        let tick = tick_of(&self.sender_clock);
        if !self.sender_clock.begins_anew(rate, arrival_ms, tick) {
            return Ok(tick);
        }
        self.begin_anew();
        self.sender_clock.begin(arrival_ms, sequence.into());
        self.decode_once(arrival_ms, packet)?;
        Ok(tick_of(&self.sender_clock))
    }

    fn decode_once(&mut self, arrival_ms: f64, packet: &[u8]) -> Result<u16, DecodeError> {
        let rate = self.config.tick_rate;
        let horizon_tick = (self.sender_clock).horizon_tick(rate, rate.tick_of_ms(arrival_ms));
        let horizon = sequence_of_tick(horizon_tick as u64);
        let header =
            self.decoder
                .decode_ahead(packet, horizon, &mut self.predictor, &mut self.decoded)?;
        self.decoded_sequence = header.sequence;
        Ok(header.sequence)
    }

    /// Forgets all packets.
    fn begin_anew(&mut self) {
        self.decoder = Decoder::new(self.format, &self.initial).expect(QUANTISED);
        self.acknowledger = Acknowledger::default();
        self.spare
            .extend(self.buffer.drain(..).map(|buffered| buffered.cubes));
        self.timing = Timing::new(&self.config);
        self.received_ticks.fill(None);
    }

    /// Replaces `ack` by the acknowledgement to send at the end of a tick, and says whether one is due.
    pub fn ack(&mut self, ack: &mut Vec<u8>) -> bool {
        if !self.sender_clock.is_sure() {
            return false;
        }
        let due = self.acknowledger.due();
        if let Some(sequence) = due {
            encode_ack(sequence, ack, None);
        }
        due.is_some()
    }

    /// Memory that it takes, bytes.
    pub fn held_bytes(&self) -> usize {
        let buffered = self.buffer.iter().map(|buffered| &buffered.cubes);
        let cubes: usize = buffered.chain(&self.spare).map(Vec::capacity).sum();
        let cubes_bytes = cubes * size_of::<CubeState>();
        let predictor_bytes = self.predictor.held_bytes();
        let codec_bytes = self.decoder.held_bytes() + predictor_bytes;
        codec_bytes + self.newest.held_bytes() + cubes_bytes + self.timing.held_bytes()
    }

    /// Sequence and cubes of the snapshot that was decoded last.
    pub fn decoded(&self) -> (u16, &[Cube]) {
        (self.decoded_sequence, &self.decoded)
    }

    /// The source of hermite's tangents on this rung.
    pub fn tangents(&self) -> Tangents {
        if self.format.rung().sends_velocity() {
            Tangents::Sent
        } else {
            Tangents::Neighbours
        }
    }

    /// Writes the pose of every cube at `now_ms`. It gives none before the first snapshot is due: the poses are the starting
    /// grid's until then.
    pub fn show(&mut self, now_ms: f64, poses: &mut [Pose]) -> Option<Playback> {
        let (tick_rate, interpolation) = (self.config.tick_rate, self.config.interpolation);
        let instant = self.timing.advance(tick_rate, now_ms);
        let instant = instant.filter(|_| self.sender_clock.is_sure());
        let at_once = matches!(self.timing, Timing::AtOnce { .. });
        let due = instant.map_or(0, |instant| {
            self.buffer
                .partition_point(|buffered| at_once || buffered.tick as f64 <= instant.play_tick)
        });
        let (Some(instant), 1..) = (instant, due) else {
            for (pose, cube) in poses.iter_mut().zip(&self.initial) {
                *pose = Pose::from(&self.format.dequantise(cube));
            }
            return None;
        };
        let play_tick = instant.play_tick;
        // One snapshot before the one that is shown stays, for tangents.
        for _ in 2..due {
            self.spare
                .extend(self.buffer.pop_front().map(|played| played.cubes));
        }
        let from = due.min(2) - 1;
        self.shown_tick = Some(self.buffer[from].tick);
        self.show_around(play_tick, from, poses);
        let newest_tick = self.buffer[self.buffer.len() - 1].tick as f64;
        // `none` holds each snapshot for an interval, and so do all without a clock; the others need a next one at once.
        let held_ticks = if at_once || interpolation == Interpolation::None {
            tick_rate.tick_of_ms(self.config.send_interval_ms)
        } else {
            0.0
        };
        let hitch = instant.waits || play_tick > newest_tick + held_ticks;
        let goes_on_ticks = if interpolation == Interpolation::Extrapolate {
            tick_rate.tick_of_ms(EXTRAPOLATION_MS)
        } else {
            held_ticks
        };
        let is_held = interpolation == Interpolation::None
            || at_once && interpolation != Interpolation::Extrapolate;
        let shown_tick = if is_held {
            self.buffer[from].tick as f64
        } else {
            play_tick.min(newest_tick + goes_on_ticks)
        };
        Some(Playback {
            play_tick,
            shown_tick,
            stepped_tick: play_tick,
            delay_ms: instant.delay_ms,
            speed: instant.speed,
            hitch,
            frozen: instant.waits || play_tick > newest_tick + goes_on_ticks,
        })
    }

    fn show_around(&self, play_tick: f64, from: usize, poses: &mut [Pose]) {
        let (interpolation, tangents) = (self.config.interpolation, self.tangents());
        let before = from.checked_sub(1).and_then(|i| self.buffer.get(i));
        let (to, after) = (self.buffer.get(from + 1), self.buffer.get(from + 2));
        let from = &self.buffer[from];
        for (index, pose) in poses.iter_mut().enumerate() {
            let around = Around {
                tick_rate: self.config.tick_rate,
                before: before.map(|snapshot| snapshot.sample(index)),
                from: from.sample(index),
                to: to.map(|snapshot| snapshot.sample(index)),
                after: after.map(|snapshot| snapshot.sample(index)),
            };
            *pose = pose_at(play_tick, &around, interpolation, tangents);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_base::time::WORLD;
    use snapshot_codec::{DeadReckoning, Encoder, QuantisationBits, Rung};

    #[test]
    fn forged_packets_of_ticks_that_cannot_be_yet_are_refused_and_the_genuine_go_on() {
        let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 2).unwrap();
        let config = ReceiverConfig {
            tick_rate: WORLD,
            interpolation: Interpolation::Hermite,
            playout: Playout::Fixed { delay_ms: 100.0 },
            send_interval_ms: 100.0,
            sender_clock: SenderClock::TOGETHER,
        };
        let initial = [Cube::default(); 2];
        let mut receiver = Receiver::new(format, config, &initial, DeadReckoning);
        let mut encoder = Encoder::new(format, &initial).unwrap();
        let mut accept = |tick: u64, encoder: &mut Encoder, sequence: u16| {
            let mut packet = Vec::new();
            encoder.encode(sequence, &initial, &mut packet).unwrap();
            receiver.accept(WORLD.ms_of_tick(tick as f64), &packet)
        };
        let forger = || Encoder::new(format, &initial).unwrap();
        let refused =
            |sequence: u32, horizon: u32| Err(DecodeError::TooFarAhead { sequence, horizon });
        assert_eq!(accept(9, &mut forger(), 0x7000), refused(0x7000, 69));
        assert_eq!(accept(9, &mut encoder, 5), Ok(Arrival::Accepted));
        encoder.ack(5);
        assert_eq!(accept(9, &mut forger(), 0x7005), refused(0x7005, 69));
        // Against packet 5, which is still held; and after a cut of 10 s, when nothing is.
        for sequence in [11, 605] {
            assert_eq!(
                accept(sequence.into(), &mut encoder, sequence),
                Ok(Arrival::Accepted)
            );
        }
    }
}
