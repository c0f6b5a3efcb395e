//! The receiver of state synchronisation: packets wait in the jitter buffer, inputs step the lent world, and updates overwrite
//! its states.

use super::codec::{SyncDecoder, SyncFormat, SyncPacket, WINDOW_FRAMES};
use super::smooth::PoseOffset;
use super::timing::BufferTiming;
use crate::strategy::World;
use crate::strategy::error::DecodeError;
use crate::strategy::frames::MOST_STEPS_PER_TICK;
use snapshot_base::math::Vec3;
use snapshot_base::time::WORLD;
use snapshot_codec::CubeState;
use snapshot_settings::Smoothing;
use snapshot_view::playout::{Instant, Playout};
use snapshot_view::{Playback, Pose, SnapshotArrival};
use std::collections::BTreeMap;

/// A jump of a shown cube by a correction counts as a pop above this distance, m.
const POP_M: f32 = 0.1;
/// Least shown error whose smoothing speed is measured, m: nobody sees smaller ones.
const GLIDE_M: f32 = 0.01;
const NOTHING_PRESSED: u8 = 0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SyncReceiverConfig {
    /// The playout policy: how long a packet waits in the jitter buffer. A fixed delay is rounded to whole ticks.
    pub playout: Playout,
    /// Time between two packets of the sender, ms.
    pub send_interval_ms: f64,
    pub smoothing: Smoothing,
}

/// Statistics of a receiver of state synchronisation since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SyncReceiverFigures {
    /// Number of pops: a shown cube that jumped by over 10 cm in a tick with an update.
    pub pops: u64,
    /// Greatest share of a shown error of over 1 cm that smoothing removed in one frame.
    pub glide_max: f64,
}

pub struct SyncReceiver {
    decoder: SyncDecoder,
    format: SyncFormat,
    smoothing: Smoothing,
    /// The newest frame that the receiver has simulated in its world.
    shown_frame: u64,
    /// Packets waiting in the jitter buffer, by frame.
    buffer: BTreeMap<u64, SyncPacket>,
    spare: Vec<SyncPacket>,
    /// Ring buffer of inputs with their frames, indexed by frame modulo its capacity.
    inputs: Vec<(u64, u8)>,
    held_input: u8,
    /// The newest frame that was simulated with the sender's input of that frame, not with a repeated earlier one.
    known_frame: u64,
    timing: BufferTiming,
    offsets: Vec<PoseOffset>,
    /// Each cube's pose as last shown.
    shown: Vec<Pose>,
    /// Each cube's place in this tick without any correction or smoothing.
    expected: Vec<UncorrectedPlace>,
    /// The frame of each cube's last update.
    updated: Vec<u64>,
    decoded: SyncPacket,
    /// True if a packet was accepted in this tick.
    is_news: bool,
    figures: SyncReceiverFigures,
}

/// Place of a shown cube without this tick's corrections and smoothing.
struct UncorrectedPlace {
    position: Vec3,
    /// Length of the shown error that the place includes, m.
    error_m: f32,
}

impl SyncReceiver {
    /// Creates a receiver that has received nothing yet. `start_tick` and `states` are the tick and the states of the lent
    /// world, which begins equal to the sender's.
    pub fn new(
        format: SyncFormat,
        config: SyncReceiverConfig,
        start_tick: u64,
        states: &[CubeState],
    ) -> SyncReceiver {
        let cubes = states.len();
        SyncReceiver {
            decoder: SyncDecoder::new(format),
            format,
            smoothing: config.smoothing,
            shown_frame: start_tick,
            buffer: BTreeMap::new(),
            spare: Vec::new(),
            inputs: vec![(u64::MAX, NOTHING_PRESSED); WINDOW_FRAMES],
            held_input: NOTHING_PRESSED,
            known_frame: start_tick,
            timing: BufferTiming::new(config.playout, config.send_interval_ms),
            offsets: vec![PoseOffset::NONE; cubes],
            shown: states.iter().map(Pose::from).collect(),
            expected: Vec::with_capacity(cubes),
            updated: vec![start_tick; cubes],
            decoded: SyncPacket::default(),
            is_news: false,
            figures: SyncReceiverFigures::default(),
        }
    }

    pub fn figures(&self) -> &SyncReceiverFigures {
        &self.figures
    }

    /// The keys that this receiver simulated last, a bit each, six in all. Without newer inputs it presses them again.
    pub fn held_input(&self) -> u8 {
        self.held_input
    }

    /// The frame of each cube's last update.
    pub fn updated(&self) -> &[u64] {
        &self.updated
    }

    pub fn decoded(&self) -> &SyncPacket {
        &self.decoded
    }

    fn read_packet(
        &mut self,
        arrival_ms: f64,
        now_tick: u64,
        bytes: &[u8],
        decoded: &mut SyncPacket,
    ) -> Result<SnapshotArrival, DecodeError> {
        let horizon = WORLD.horizon_tick(now_tick as f64) as u32;
        self.decoder.decode(bytes, horizon, decoded)?;
        let frame = frame_of(decoded.sequence, now_tick);
        if self.decoder.holds(decoded.sequence) {
            return Ok(SnapshotArrival::Duplicate);
        }
        self.timing.packet(arrival_ms, now_tick, frame);
        self.store_inputs(frame, &decoded.inputs);
        let is_full = self.buffer.len() == self.timing.most_buffered();
        if let BufferTiming::AtOnce { applied_frame, .. } = self.timing {
            if applied_frame.is_some_and(|applied| frame < applied) {
                return Ok(SnapshotArrival::Overtaken);
            }
        } else if frame <= self.shown_frame || is_full {
            return Ok(SnapshotArrival::Late);
        }
        self.decoder.accept(decoded);
        let mut packet = self.spare.pop().unwrap_or_default();
        packet.clone_from(decoded);
        self.buffer.insert(frame, packet);
        Ok(SnapshotArrival::Accepted)
    }

    /// Simulates the world up to the frame that is due, and shows it.
    fn play(&mut self, due: i64, delay_ms: f64, world: &mut dyn World) -> Option<Playback> {
        let due = u64::try_from(due).ok();
        let due = due.filter(|&due| due > self.shown_frame)?;
        // Only the first frame ever played can be other than the next: frames then come one a tick.
        let is_known = self.step(due, world);
        Some(self.playback(due, delay_ms, is_known))
    }

    fn playback(&self, due: u64, delay_ms: f64, is_known: bool) -> Playback {
        Playback {
            play_tick: due as f64,
            shown_tick: self.known_frame as f64,
            drawn_tick: due as f64,
            late_ms: 0.0,
            stepped_tick: due as f64,
            delay_ms,
            speed: 1.0,
            hitch: !is_known,
        }
    }

    /// Simulates the world up to the frame at or after the play instant, and shows the poses of that instant.
    fn play_between(
        &mut self,
        instant: &Instant,
        world: &mut dyn World,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let due = u64::try_from(instant.play_tick.ceil() as i64).ok()?;
        let mut is_known = true;
        for _ in 0..MOST_STEPS_PER_TICK {
            let BufferTiming::Adaptive {
                frames, has_begun, ..
            } = &mut self.timing
            else {
                return None;
            };
            // The world begins with the first packet. From then on no frame is left out.
            let next = if *has_begun {
                self.shown_frame + 1
            } else {
                *self.buffer.first_key_value()?.0
            };
            if next > due {
                break;
            }
            *has_begun = true;
            frames.keep(self.shown.iter().copied());
            is_known &= self.step(next, world);
        }
        let BufferTiming::Adaptive {
            frames,
            has_begun: true,
            ..
        } = &self.timing
        else {
            return None;
        };
        let newest = self.shown.iter().copied();
        let play_tick = frames.show(instant.play_tick, self.shown_frame as i64, newest, poses);
        let lacks_input = self.known_frame < self.shown_frame;
        Some(Playback {
            play_tick,
            shown_tick: if lacks_input {
                self.known_frame as f64
            } else {
                play_tick
            },
            drawn_tick: play_tick,
            late_ms: instant.late_ms,
            stepped_tick: self.shown_frame as f64,
            delay_ms: instant.delay_ms,
            speed: instant.speed,
            hitch: instant.waits || !is_known,
        })
    }

    /// Simulates one frame with its input or the last known one, and corrects the world. Returns true if its input is known.
    fn step(&mut self, due: u64, world: &mut dyn World) -> bool {
        let input = self.input_of(due);
        if let Some(input) = input {
            self.held_input = input;
            self.known_frame = due;
        }
        self.step_world(due, world);
        if let Some(packet) = self.buffer.remove(&due) {
            self.correct(packet, world);
        }
        self.figures.glide_max = self.figures.glide_max.max(self.glide());
        input.is_some()
    }

    fn step_world(&mut self, due: u64, world: &mut dyn World) {
        world.step_to(due, self.held_input);
        self.shown_frame = due;
        self.expect(world.states());
        for offset in &mut self.offsets {
            offset.decay(self.smoothing);
        }
        self.show_own(world.states());
    }

    fn store_inputs(&mut self, frame: u64, inputs: &[u8]) {
        for (back, &bits) in (0..).zip(inputs) {
            if let Some(frame) = frame.checked_sub(back) {
                let slot = frame as usize % self.inputs.len();
                self.inputs[slot] = (frame, bits);
            }
        }
    }

    fn input_of(&self, frame: u64) -> Option<u8> {
        let (of, input) = self.inputs[frame as usize % self.inputs.len()];
        (of == frame).then_some(input)
    }
}

impl crate::strategy::Receiver for SyncReceiver {
    fn packet(&mut self, arrival_ms: f64, bytes: &[u8]) -> Result<SnapshotArrival, DecodeError> {
        let now_tick = tick_at_or_after(arrival_ms);
        let mut decoded = std::mem::take(&mut self.decoded);
        let arrival = self.read_packet(arrival_ms, now_tick, bytes, &mut decoded);
        self.decoded = decoded;
        self.is_news |= arrival == Ok(SnapshotArrival::Accepted);
        arrival
    }

    fn ack(&mut self, bytes: &mut Vec<u8>) -> bool {
        let is_news = std::mem::take(&mut self.is_news);
        let ack = self.decoder.ack().filter(|_| is_news);
        if let Some(ack) = ack {
            bytes.clear();
            bytes.extend(ack.to_bytes());
        }
        ack.is_some()
    }

    fn show(&mut self, now_ms: f64, world: &mut dyn World, poses: &mut [Pose]) -> Option<Playback> {
        let instant = match &mut self.timing {
            BufferTiming::Fixed {
                buffer_ticks,
                offset_ticks,
            } => {
                let due =
                    (*offset_ticks).map(|offset| tick_at(now_ms) as i64 - offset - *buffer_ticks);
                let delay_ms = WORLD.ms_of_tick(*buffer_ticks as f64);
                let playback = due.and_then(|due| self.play(due, delay_ms, world));
                poses.copy_from_slice(&self.shown);
                return playback;
            }
            BufferTiming::Adaptive { clock, .. } => clock.advance(now_ms),
            BufferTiming::AtOnce { .. } => {
                let playback = self.play_at_once(world);
                poses.copy_from_slice(&self.shown);
                return playback;
            }
        };
        let playback = instant.and_then(|instant| self.play_between(&instant, world, poses));
        if playback.is_none() {
            poses.copy_from_slice(&self.shown);
        }
        playback
    }
}

/// Returns the frame with this sequence that is nearest to a tick.
fn frame_of(sequence: u32, now_tick: u64) -> u64 {
    let ahead = sequence.wrapping_sub(now_tick as u32) as i32;
    now_tick.saturating_add_signed(i64::from(ahead))
}

/// Returns the tick at a time that falls exactly on a tick.
fn tick_at(now_ms: f64) -> u64 {
    WORLD.tick_of_ms(now_ms).round() as u64
}

/// Returns the first tick at or after a time: packets are received at ticks.
fn tick_at_or_after(ms: f64) -> u64 {
    let near = (WORLD.tick_of_ms(ms) as u64).saturating_sub(1);
    (near..)
        .find(|&tick| WORLD.ms_of_tick(tick as f64) >= ms)
        .unwrap_or(near)
}

mod at_once;
mod correct;
#[cfg(test)]
mod tests;
