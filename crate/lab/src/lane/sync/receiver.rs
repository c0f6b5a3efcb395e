//! The right side: packets wait in the jitter buffer, the world goes on by the inputs, updates are applied hard.

use super::replica::Replica;
use super::smooth::Offset;
use crate::lane::Playback;
use crate::metrics::SyncMetrics;
use crate::settings::{Key, LaneSettings, Smoothing};
use crate::tape::Tape;
use crate::view::{Pose, View};
use glam::Vec3;
use snapshot_base::time::horizon_tick;
use snapshot_codec::sync::{self, ACK_BYTES, Format, Packet, WINDOW_FRAMES};
use snapshot_codec::{CubeState, DecodeError};
use snapshot_physics::input::Input;
use std::collections::BTreeMap;

/// A shown cube that moves by more than this, m, beyond what the simulation moves it, pops.
const POP_M: f32 = 0.1;
/// Of a shown error smaller than this, m, nobody sees how fast it is let go.
const GLIDE_M: f32 = 0.01;
/// Packets that wait. A packet that is ahead of its time by more is no packet of this lane.
const MOST_BUFFERED: usize = 64;

/// What became of a packet that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Waiting for its frame, and to be acknowledged.
    Accepted,
    /// Its frame is over: as good as lost.
    Late,
    /// Already received.
    Duplicate,
}

/// The receiver of inputs and states.
pub(crate) struct Receiver {
    decoder: sync::Receiver,
    format: Format,
    world: Replica,
    /// By frame.
    buffer: BTreeMap<u64, Packet>,
    spare: Vec<Packet>,
    /// By frame modulo their number: the frame that it belongs to, and the input.
    inputs: Vec<(u64, Input)>,
    held_input: Input,
    /// The newest frame that was simulated with its own input.
    known_frame: u64,
    /// Tick at which the first packet was there, less its frame.
    offset_ticks: Option<i64>,
    offsets: Vec<Offset>,
    /// By cube, as shown last.
    shown: Vec<Pose>,
    /// By cube, in this tick.
    expected: Vec<Expected>,
    /// By cube, the frame of its last update.
    updated: Vec<u64>,
    decoded: Packet,
    /// A packet was accepted in this tick.
    is_news: bool,
    ack: [u8; ACK_BYTES],
}

/// What would be shown of a cube if no packet corrected it and no error were let go.
struct Expected {
    position: Vec3,
    /// Of which so much is error, m.
    error_m: f32,
}

impl Receiver {
    /// A receiver that has received nothing yet, over a world that is as the left one.
    pub(super) fn new(format: Format, world: Replica) -> Receiver {
        let cubes = world.truth().len();
        Receiver {
            decoder: sync::Receiver::new(format),
            format,
            buffer: BTreeMap::new(),
            spare: Vec::new(),
            inputs: vec![(u64::MAX, Input::NONE); WINDOW_FRAMES],
            held_input: Input::NONE,
            known_frame: world.tick(),
            offset_ticks: None,
            offsets: vec![Offset::NONE; cubes],
            shown: world.truth().iter().map(Pose::from).collect(),
            expected: Vec::with_capacity(cubes),
            updated: vec![world.tick(); cubes],
            decoded: Packet::default(),
            is_news: false,
            ack: [0; ACK_BYTES],
            world,
        }
    }

    /// The world that it simulates.
    pub(crate) fn world(&self) -> &Replica {
        &self.world
    }

    #[cfg(test)]
    pub(super) fn world_mut(&mut self) -> &mut Replica {
        &mut self.world
    }

    /// By cube, the frame of its last update.
    pub(crate) fn updated(&self) -> &[u64] {
        &self.updated
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        let packets = self.buffer.values().chain(&self.spare);
        let updates: usize = packets.map(|packet| packet.updates.capacity()).sum();
        let updates_bytes = updates * size_of::<sync::Update>();
        self.decoder.held_bytes() + updates_bytes + self.world.held_bytes()
    }

    /// What to send back at the end of a tick, if anything has been accepted in it.
    pub(crate) fn ack(&mut self) -> Option<&[u8]> {
        let is_news = std::mem::take(&mut self.is_news);
        self.ack = self.decoder.ack().filter(|_| is_news)?.to_bytes();
        Some(&self.ack)
    }

    /// What the packet that was decoded last says.
    pub(crate) fn decoded(&self) -> &Packet {
        &self.decoded
    }

    /// Takes a packet that has arrived by `now_tick`; [`Receiver::decoded`] is what it says.
    ///
    /// # Errors
    /// When it cannot be decoded, or is of a frame that cannot be yet; nothing changes then.
    pub(crate) fn accept(&mut self, now_tick: u64, bytes: &[u8]) -> Result<Arrival, DecodeError> {
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

    /// One tick: the frame that is due is simulated and corrected, and shown. Of the tape the world alone makes use, to simulate
    /// nothing twice.
    pub(crate) fn tick(
        &mut self,
        now_tick: u64,
        settings: &LaneSettings,
        tape: &Tape,
        metrics: &mut SyncMetrics,
        view: &mut View,
    ) -> Option<Playback> {
        let delay_ticks = i64::from(settings.get(Key::JitterBuffer));
        let due = self
            .offset_ticks
            .and_then(|offset| u64::try_from(now_tick as i64 - offset - delay_ticks).ok())
            .filter(|&due| due > self.world.tick());
        let Some(due) = due else {
            self.show(view);
            return None;
        };
        let input = self.input_of(due);
        if let Some(input) = input {
            self.held_input = input;
            self.known_frame = due;
        }
        // Only the first frame ever played can be other than the next: frames then come one a tick.
        self.world.step_to(due, self.held_input, tape);
        self.expect();
        for offset in &mut self.offsets {
            offset.decay(settings.smoothing());
        }
        self.show_own();
        if let Some(packet) = self.buffer.remove(&due) {
            self.apply(&packet, settings.smoothing(), tape);
            let pops = packet
                .updates
                .iter()
                .filter(|update| self.moved_m(update.index) > POP_M);
            metrics.pops += pops.count() as u64;
            self.spare.push(packet);
        }
        metrics.glide_max = metrics.glide_max.max(self.glide());
        self.show(view);
        metrics.set_updated(due, &self.updated);
        Some(Playback {
            play_tick: due as f64,
            shown_tick: self.known_frame as f64,
            hitch: input.is_none(),
            frozen: input.is_none(),
        })
    }

    fn is_over(&self, frame: u64) -> bool {
        self.offset_ticks.is_some() && frame <= self.world.tick()
    }

    fn take_inputs(&mut self, frame: u64, inputs: &[u8]) {
        for (back, &bits) in (0..).zip(inputs) {
            if let Some(frame) = frame.checked_sub(back) {
                let slot = frame as usize % self.inputs.len();
                self.inputs[slot] = (frame, Input::from_bits(bits));
            }
        }
    }

    fn input_of(&self, frame: u64) -> Option<Input> {
        let (of, input) = self.inputs[frame as usize % self.inputs.len()];
        (of == frame).then_some(input)
    }

    fn expect(&mut self) {
        let of = |(cube, offset): (&CubeState, &Offset)| Expected {
            position: Vec3::from_array(cube.position) + offset.position,
            error_m: offset.position.length(),
        };
        self.expected.clear();
        self.expected
            .extend(self.world.truth().iter().zip(&self.offsets).map(of));
    }

    /// How far from where its own motion would have had it a cube is shown.
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

    /// Sets the cubes of a packet as they are in it. What is shown of them stays where it is.
    fn apply(&mut self, packet: &Packet, smoothing: Smoothing, tape: &Tape) {
        let (format, truth) = (&self.format, self.world.truth());
        let states: Vec<_> = packet
            .updates
            .iter()
            .map(|update| {
                let mut state = format.dequantise(&update.body);
                if !format.velocities() && !state.at_rest {
                    state.linear_velocity = truth[update.index].linear_velocity;
                    state.angular_velocity = truth[update.index].angular_velocity;
                }
                (update.index, state)
            })
            .collect();
        self.world.set_states(&states, tape);
        for update in &packet.updates {
            let index = update.index;
            let pose = Pose::from(&self.world.truth()[index]);
            self.updated[index] = self.world.tick();
            self.offsets[index] = if smoothing == Smoothing::Off {
                Offset::NONE
            } else {
                Offset::hold(&self.shown[index], &pose)
            };
            self.shown[index] = self.offsets[index].apply(&pose);
        }
    }

    /// Where every cube is shown by its own motion and what is left of its error.
    fn show_own(&mut self) {
        for ((shown, offset), cube) in self
            .shown
            .iter_mut()
            .zip(&self.offsets)
            .zip(self.world.truth())
        {
            *shown = offset.apply(&Pose::from(cube));
        }
    }

    fn show(&self, view: &mut View) {
        for (index, pose) in self.shown.iter().enumerate() {
            view.show(index, pose);
        }
    }
}

#[cfg(test)]
mod tests;
