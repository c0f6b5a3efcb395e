//! The receiver of lockstep: bytes and arrival times in, steps of the lent world out.

use super::{MOST_QUEUED, ReceiverFigures};
use crate::{Arrival, Playback, Pose, World};
use snapshot_base::time::{horizon_tick, sequence_of_tick, tick_of_ms, tick_of_sequence};
use snapshot_codec::lockstep::{MOST_INPUTS, decode_inputs};
use snapshot_codec::{DecodeError, Ledger, encode_ack};
use std::collections::VecDeque;

/// Frames that the world steps in a tick at most, to catch up (the article's figure).
const MOST_STEPS_PER_TICK: u32 = 4;

/// The settings of a receiver of inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceiverConfig {
    /// Playout delay: time between the first packet's arrival and its frame.
    pub delay_ms: f64,
    /// The transport is a stream, which delivers everything in order and acknowledges by itself.
    pub is_stream: bool,
}

/// The receiver of inputs.
pub struct Receiver {
    config: ReceiverConfig,
    /// Inputs that have arrived and were not stepped with, oldest first.
    waiting: VecDeque<u8>,
    /// Known from the first packet on.
    clock: Option<Clock>,
    inputs: Vec<u8>,
    /// It was frozen in the tick before.
    held: bool,
    /// The sequence to acknowledge at the end of this tick.
    newest: Option<u16>,
    ack: Vec<u8>,
    figures: ReceiverFigures,
}

#[derive(Clone, Copy)]
struct Clock {
    /// The first frame of all: the oldest of the first packet, since nothing is left out before it is acknowledged.
    first_frame: i64,
    /// The frame after the newest input that has arrived.
    needed_frame: i64,
    /// A frame is due so many ticks after the sender stepped it.
    behind_ticks: i64,
}

/// Tolerance in ticks: an arrival that falls on a tick must not miss it by a rounding error.
const TICK_TOLERANCE: f64 = 1e-6;

impl Receiver {
    /// Creates a receiver that has received nothing yet.
    pub fn new(config: ReceiverConfig) -> Receiver {
        Receiver {
            config,
            waiting: VecDeque::new(),
            clock: None,
            inputs: Vec::new(),
            held: false,
            newest: None,
            ack: Vec::new(),
            figures: ReceiverFigures::default(),
        }
    }

    /// Its measures since it began.
    pub fn figures(&self) -> &ReceiverFigures {
        &self.figures
    }

    /// Memory that it takes, bytes, without the lent world's.
    pub fn held_bytes(&self) -> usize {
        self.waiting.capacity()
    }

    /// Gives the acknowledgement to send at the end of a tick, if one is due. Over a stream it is empty.
    pub fn ack(&mut self, ledger: &mut Ledger) -> Option<&[u8]> {
        let newest = self.newest.take()?;
        ledger.clear();
        if !self.config.is_stream {
            encode_ack(newest, &mut self.ack, ledger);
        }
        Some(&self.ack)
    }

    /// Steps the lent world through the frames that are due at `now_ms`, and writes the pose of every cube. It gives none
    /// before the first frame.
    pub fn show<W: World>(
        &mut self,
        now_ms: f64,
        world: &mut W,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let playback = self.play(now_ms, world);
        self.figures.inputs_waiting = self.waiting.len() as u64;
        for (pose, cube) in poses.iter_mut().zip(world.states()) {
            *pose = Pose::from(cube);
        }
        playback
    }

    fn play<W: World>(&mut self, now_ms: f64, world: &mut W) -> Option<Playback> {
        let clock = self.clock?;
        let due_frame = tick_of_ms(now_ms).round() as i64 - clock.behind_ticks;
        let mut steps = 0;
        while steps < MOST_STEPS_PER_TICK && self.next_frame()? <= due_frame {
            let Some(input) = self.waiting.pop_front() else {
                break;
            };
            world.step_to(world.tick() + 1, input);
            steps += 1;
        }
        let shown_frame = self.next_frame()? - 1;
        if shown_frame < clock.first_frame {
            return None;
        }
        let held = steps == 0;
        self.figures.catch_up_steps += u64::from(steps.saturating_sub(1));
        self.figures.stalls += u64::from(held && !self.held);
        self.held = held;
        self.figures.stalled_ticks += u64::from(held);
        Some(Playback {
            play_tick: shown_frame as f64,
            shown_tick: shown_frame as f64,
            hitch: held,
            frozen: held,
        })
    }

    /// The frame that comes next, once a packet has arrived.
    fn next_frame(&self) -> Option<i64> {
        let clock = self.clock?;
        Some(clock.needed_frame - self.waiting.len() as i64)
    }

    /// Takes a packet that arrived at `arrival_ms`. Its new inputs wait, unless the packet leaves a gap before it or there is
    /// no more room.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its frames lie in the future. Nothing changes then.
    pub fn accept(&mut self, arrival_ms: f64, packet: &[u8]) -> Result<Arrival, DecodeError> {
        let arrival_tick = tick_of_ms(arrival_ms);
        let possible = horizon_tick(arrival_tick);
        // Nothing is left out before it is acknowledged, so no packet goes on beyond the first frame that it lacks and a
        // window.
        let horizon = self.clock.map_or(possible, |clock| {
            possible.min(clock.needed_frame + MOST_INPUTS as i64)
        });
        let horizon = sequence_of_tick(horizon as u64);
        let sequence = decode_inputs(packet, horizon, &mut self.inputs)?;
        let around = self
            .clock
            .map_or(arrival_tick as i64, |clock| clock.needed_frame);
        let newest = tick_of_sequence(sequence, around);
        let oldest = newest + 1 - self.inputs.len() as i64;
        let clock = self.clock.get_or_insert_with(|| {
            let due_tick = arrival_tick + tick_of_ms(self.config.delay_ms);
            Clock {
                first_frame: oldest,
                needed_frame: oldest,
                behind_ticks: (due_tick - newest as f64 - TICK_TOLERANCE).ceil() as i64,
            }
        });
        if oldest > clock.needed_frame || self.waiting.len() + self.inputs.len() > MOST_QUEUED {
            return Ok(Arrival::PassedOver);
        }
        let had = (clock.needed_frame - oldest) as usize;
        if let Some(new) = self.inputs.get(had..) {
            self.waiting.extend(new);
            clock.needed_frame = clock.needed_frame.max(newest + 1);
        }
        self.newest = Some(sequence_of_tick((clock.needed_frame - 1) as u64));
        Ok(Arrival::Accepted)
    }

    #[cfg(test)]
    pub(super) fn to_acknowledge(&self) -> Option<u16> {
        self.newest
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    #[cfg(test)]
    pub(super) fn has_clock(&self) -> bool {
        self.clock.is_some()
    }
}
