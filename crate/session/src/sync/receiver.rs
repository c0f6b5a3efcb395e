//! The receiver of inputs and states: packets wait in the jitter buffer, the lent world is stepped with the inputs, updates
//! are applied hard.

use super::smooth::{Offset, Smoothing};
use crate::{Arrival, Playback, Pose, World};
use glam::Vec3;
use snapshot_base::time::{horizon_tick, ms_of_tick, tick_of_ms};
use snapshot_codec::sync::{self, ACK_BYTES, Format, Packet, WINDOW_FRAMES};
use snapshot_codec::{CubeState, DecodeError};
use std::collections::BTreeMap;

/// A shown cube that moves by more than this, m, beyond what the simulation moves it, pops.
const POP_M: f32 = 0.1;
/// Shown errors below this, m, are left out of the glide: nobody sees how fast they are let go.
const GLIDE_M: f32 = 0.01;
/// Packets that wait. A packet that is ahead of its time by more is no packet of this lane.
const MOST_BUFFERED: usize = 64;

/// No input.
const NOTHING_PRESSED: u8 = 0;

/// The settings of a receiver of inputs and states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverConfig {
    /// Ticks that a packet waits in the jitter buffer.
    pub jitter_buffer_ticks: u32,
    /// The smoothing of corrections.
    pub smoothing: Smoothing,
}

/// Measures of a receiver since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReceiverFigures {
    /// Cubes that jumped by over 10 cm as they were shown, in ticks in which they were updated.
    pub pops: u64,
    /// The greatest part of a shown error of over 1 cm that was let go in one frame.
    pub glide_max: f64,
}

/// The receiver of inputs and states.
pub struct Receiver {
    decoder: sync::Receiver,
    format: Format,
    config: ReceiverConfig,
    /// The newest frame that the lent world was stepped to.
    shown_frame: u64,
    /// By frame.
    buffer: BTreeMap<u64, Packet>,
    spare: Vec<Packet>,
    /// By frame modulo their number: the frame that it belongs to, and the input.
    inputs: Vec<(u64, u8)>,
    held_input: u8,
    /// The newest frame that was simulated with its own input.
    known_frame: u64,
    /// Tick at which the first packet was there, less its frame.
    offset_ticks: Option<i64>,
    offsets: Vec<Offset>,
    /// By cube, the pose that was shown last.
    shown: Vec<Pose>,
    /// By cube, in this tick.
    expected: Vec<Expected>,
    /// By cube, the frame of its last update.
    updated: Vec<u64>,
    decoded: Packet,
    /// A packet was accepted in this tick.
    is_news: bool,
    ack: [u8; ACK_BYTES],
    figures: ReceiverFigures,
}

/// The place of a shown cube if no packet corrected it and no error were let go.
struct Expected {
    position: Vec3,
    /// Length of the error in it, m.
    error_m: f32,
}

impl Receiver {
    /// Creates a receiver that has received nothing yet. Tick and states are those of the world that it will be lent, which
    /// begins as the sender's.
    pub fn new(
        format: Format,
        config: ReceiverConfig,
        start_tick: u64,
        states: &[CubeState],
    ) -> Receiver {
        let cubes = states.len();
        Receiver {
            decoder: sync::Receiver::new(format),
            format,
            config,
            shown_frame: start_tick,
            buffer: BTreeMap::new(),
            spare: Vec::new(),
            inputs: vec![(u64::MAX, NOTHING_PRESSED); WINDOW_FRAMES],
            held_input: NOTHING_PRESSED,
            known_frame: start_tick,
            offset_ticks: None,
            offsets: vec![Offset::NONE; cubes],
            shown: states.iter().map(Pose::from).collect(),
            expected: Vec::with_capacity(cubes),
            updated: vec![start_tick; cubes],
            decoded: Packet::default(),
            is_news: false,
            ack: [0; ACK_BYTES],
            figures: ReceiverFigures::default(),
        }
    }

    /// Its measures since it began.
    pub fn figures(&self) -> &ReceiverFigures {
        &self.figures
    }

    /// Six bits of the newest input that it has simulated with.
    pub fn held_input(&self) -> u8 {
        self.held_input
    }

    /// By cube, the frame of its last update.
    pub fn updated(&self) -> &[u64] {
        &self.updated
    }

    /// Memory that it takes, bytes, without the lent world's.
    pub fn held_bytes(&self) -> usize {
        let packets = self.buffer.values().chain(&self.spare);
        let updates: usize = packets.map(|packet| packet.updates.capacity()).sum();
        let updates_bytes = updates * size_of::<sync::Update>();
        self.decoder.held_bytes() + updates_bytes
    }

    /// Gives the acknowledgement to send at the end of a tick, if anything was accepted in it.
    pub fn ack(&mut self) -> Option<&[u8]> {
        let is_news = std::mem::take(&mut self.is_news);
        self.ack = self.decoder.ack().filter(|_| is_news)?.to_bytes();
        Some(&self.ack)
    }

    /// The packet that was decoded last.
    pub fn decoded(&self) -> &Packet {
        &self.decoded
    }

    /// Takes a packet that arrived at `arrival_ms`. [`Receiver::decoded`] is then its content.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its frame lies in the future. Nothing changes then.
    pub fn accept(&mut self, arrival_ms: f64, bytes: &[u8]) -> Result<Arrival, DecodeError> {
        let now_tick = tick_at_or_after(arrival_ms);
        let mut decoded = std::mem::take(&mut self.decoded);
        let arrival = self.take(now_tick, bytes, &mut decoded);
        self.decoded = decoded;
        self.is_news |= arrival == Ok(Arrival::Accepted);
        arrival
    }

    fn take(
        &mut self,
        now_tick: u64,
        bytes: &[u8],
        decoded: &mut Packet,
    ) -> Result<Arrival, DecodeError> {
        let horizon = horizon_tick(now_tick as f64) as u32;
        self.decoder.decode(bytes, horizon, decoded)?;
        // The frame nearest to now that has this sequence.
        let ahead = decoded.sequence.wrapping_sub(now_tick as u32) as i32;
        let frame = now_tick.saturating_add_signed(i64::from(ahead));
        if self.decoder.holds(decoded.sequence) {
            return Ok(Arrival::Duplicate);
        }
        self.offset_ticks
            .get_or_insert(now_tick as i64 - frame as i64);
        self.take_inputs(frame, &decoded.inputs);
        if self.is_over(frame) || self.buffer.len() == MOST_BUFFERED {
            return Ok(Arrival::Late);
        }
        self.decoder.accept(decoded);
        let mut packet = self.spare.pop().unwrap_or_default();
        packet.clone_from(decoded);
        self.buffer.insert(frame, packet);
        Ok(Arrival::Accepted)
    }

    /// Steps the lent world to the frame that is due at `now_ms`, corrects it, and writes the pose of every cube. It gives
    /// none before the first frame is due.
    pub fn show<W: World>(
        &mut self,
        now_ms: f64,
        world: &mut W,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let playback = self.play(now_ms, world);
        poses.copy_from_slice(&self.shown);
        playback
    }

    fn play<W: World>(&mut self, now_ms: f64, world: &mut W) -> Option<Playback> {
        let now_tick = tick_at(now_ms) as i64;
        let waits_ticks = self.offset_ticks? + i64::from(self.config.jitter_buffer_ticks);
        let due = u64::try_from(now_tick - waits_ticks).ok();
        let due = due.filter(|&due| due > self.shown_frame)?;
        let input = self.input_of(due);
        if let Some(input) = input {
            self.held_input = input;
            self.known_frame = due;
        }
        // Only the first frame ever played can be other than the next: frames then come one a tick.
        world.step_to(due, self.held_input);
        self.shown_frame = due;
        self.expect(world.states());
        for offset in &mut self.offsets {
            offset.decay(self.config.smoothing);
        }
        self.show_own(world.states());
        if let Some(packet) = self.buffer.remove(&due) {
            self.apply(&packet, world);
            let pops = packet
                .updates
                .iter()
                .filter(|update| self.moved_m(update.index) > POP_M);
            self.figures.pops += pops.count() as u64;
            self.spare.push(packet);
        }
        self.figures.glide_max = self.figures.glide_max.max(self.glide());
        Some(Playback {
            play_tick: due as f64,
            shown_tick: self.known_frame as f64,
            hitch: input.is_none(),
            frozen: input.is_none(),
        })
    }

    fn is_over(&self, frame: u64) -> bool {
        self.offset_ticks.is_some() && frame <= self.shown_frame
    }

    fn take_inputs(&mut self, frame: u64, inputs: &[u8]) {
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

    fn expect(&mut self, states: &[CubeState]) {
        let of = |(cube, offset): (&CubeState, &Offset)| Expected {
            position: Vec3::from_array(cube.position) + offset.position,
            error_m: offset.position.length(),
        };
        self.expected.clear();
        self.expected
            .extend(states.iter().zip(&self.offsets).map(of));
    }

    /// Distance of a shown cube from the place of its own motion.
    fn moved_m(&self, index: usize) -> f32 {
        self.shown[index]
            .position
            .distance(self.expected[index].position)
    }

    /// The greatest part of a shown error that was let go in this tick.
    fn glide(&self) -> f64 {
        let erring = (0..)
            .zip(&self.expected)
            .filter(|(_, expected)| expected.error_m > GLIDE_M);
        let parts = erring.map(|(index, expected)| self.moved_m(index) / expected.error_m);
        parts.fold(0.0, f32::max).into()
    }

    /// Gives the cubes of a packet its states. Their shown poses stay where they are.
    fn apply<W: World>(&mut self, packet: &Packet, world: &mut W) {
        let (format, before) = (&self.format, world.states());
        let states: Vec<_> = packet
            .updates
            .iter()
            .map(|update| {
                let mut state = format.dequantise(&update.body);
                if !format.velocities() && !state.at_rest {
                    state.linear_velocity = before[update.index].linear_velocity;
                    state.angular_velocity = before[update.index].angular_velocity;
                }
                (update.index, state)
            })
            .collect();
        world.set_states(&states);
        for update in &packet.updates {
            let index = update.index;
            let pose = Pose::from(&world.states()[index]);
            self.updated[index] = self.shown_frame;
            self.offsets[index] = if self.config.smoothing == Smoothing::Off {
                Offset::NONE
            } else {
                Offset::hold(&self.shown[index], &pose)
            };
            self.shown[index] = self.offsets[index].apply(&pose);
        }
    }

    /// Shows every cube by its own motion and the rest of its error.
    fn show_own(&mut self, states: &[CubeState]) {
        let cubes = self.shown.iter_mut().zip(&self.offsets).zip(states);
        for ((shown, offset), cube) in cubes {
            *shown = offset.apply(&Pose::from(cube));
        }
    }
}

/// The tick of an instant that falls on one.
fn tick_at(now_ms: f64) -> u64 {
    tick_of_ms(now_ms).round() as u64
}

/// The first tick that is not before an instant: packets are taken at ticks.
fn tick_at_or_after(ms: f64) -> u64 {
    let near = (tick_of_ms(ms) as u64).saturating_sub(1);
    (near..)
        .find(|&tick| ms_of_tick(tick as f64) >= ms)
        .unwrap_or(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::{Ledger, QuantisationBits};

    const CUBES: usize = 26;

    fn format() -> Format {
        let bits = QuantisationBits::DEFAULT;
        Format::new(bits, CUBES, sync::Compression::default(), true).unwrap()
    }

    fn receiver() -> Receiver {
        let still = CubeState {
            position: [0.0, 0.0, 0.2],
            orientation: [0.0, 0.0, 0.0, 1.0],
            linear_velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            interacting: false,
            at_rest: true,
        };
        let config = ReceiverConfig {
            jitter_buffer_ticks: 6,
            smoothing: Smoothing::Adaptive,
        };
        Receiver::new(format(), config, 0, &[still; CUBES])
    }

    #[test]
    fn forged_packets_of_future_frames_are_refused_and_the_genuine_go_on() {
        let mut receiver = receiver();
        let mut accept = |now_tick: u64, sequence: u32| {
            let mut bytes = Vec::new();
            sync::Sender::new(format())
                .encode(sequence, &[0], [], 1000, &mut bytes, &mut Ledger::new())
                .unwrap();
            let arrival = receiver.accept(ms_of_tick(now_tick as f64), &bytes);
            (arrival, receiver.decoder.ack().map(|ack| ack.newest))
        };
        let refused =
            |sequence: u32, horizon: u32| Err(DecodeError::TooFarAhead { sequence, horizon });
        assert_eq!(accept(9, 0x7000), (refused(0x7000, 69), None));
        assert_eq!(accept(9, 5), (Ok(Arrival::Accepted), Some(5)));
        assert_eq!(accept(9, 0x7005), (refused(0x7005, 69), Some(5)));
        assert_eq!(accept(9, 5), (Ok(Arrival::Duplicate), Some(5)));
        // After a cut of 10 s.
        assert_eq!(accept(609, 605), (Ok(Arrival::Accepted), Some(605)));
    }

    #[test]
    fn malformed_packets_are_refused_and_change_nothing() {
        let mut receiver = receiver();
        for bytes in [&[][..], &[0; 5], &[255; 40]] {
            assert!(receiver.accept(50.0, bytes).is_err());
        }
        assert!(receiver.ack().is_none() && receiver.buffer.is_empty());
        assert!(receiver.offset_ticks.is_none());
    }

    #[test]
    fn an_arrival_counts_for_the_next_tick() {
        for tick in [0_u64, 1, 7, 59, 60, 3601, 1_000_003] {
            let ms = ms_of_tick(tick as f64);
            assert_eq!((tick_at(ms), tick_at_or_after(ms)), (tick, tick));
            assert_eq!(tick_at_or_after(ms + 0.01), tick + 1);
        }
    }
}
