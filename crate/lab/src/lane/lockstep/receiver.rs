//! The right side of lockstep: bytes and arrival times in, frames of a world of its own out.

use super::{MOST_QUEUED, ReceiverFigures};
use crate::lane::Playback;
use crate::settings::{Desync, LaneSettings, Transport};
use crate::view::{Pose, View};
use snapshot_base::time::{horizon_tick, sequence_of_tick, tick_of_ms, tick_of_sequence};
use snapshot_codec::lockstep::{MOST_INPUTS, decode_inputs};
use snapshot_codec::{DecodeError, Ledger, encode_ack};
use snapshot_physics::input::Input;
use snapshot_physics::world::World;
use std::collections::VecDeque;

/// Frames that the right world steps in a tick at most, to catch up (the article's).
const MOST_STEPS_PER_TICK: u32 = 4;

/// The frame of the right world before which one bit of it is disturbed: a second of agreement is seen first, and the
/// player is about to land.
const DISTURBED_FRAME: u64 = 60;

/// The receiver of inputs, and the world that they drive.
pub(crate) struct Receiver {
    world: World,
    /// Inputs that have arrived and were not stepped with, oldest first.
    waiting: VecDeque<Input>,
    /// Known from the first packet on.
    clock: Option<Clock>,
    inputs: Vec<u8>,
    frames_stepped: u64,
    /// It held in the tick before.
    held: bool,
    /// What is to be acknowledged at the end of this tick.
    newest: Option<u16>,
    is_stream: bool,
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

/// Of a tick: an arrival that falls on one has not missed it for want of the last digit.
const TICK_TOLERANCE: f64 = 1e-6;

impl Receiver {
    /// A receiver that has received nothing yet, its world in the state of `world`.
    pub(super) fn new(settings: &LaneSettings, world: &World) -> Receiver {
        Receiver {
            world: match settings.desync() {
                Desync::None | Desync::Bit => world.fork(),
                Desync::Order => world.reinserted(),
            },
            waiting: VecDeque::new(),
            clock: None,
            inputs: Vec::new(),
            frames_stepped: 0,
            held: false,
            newest: None,
            is_stream: settings.transport() == Transport::Tcp,
            ack: Vec::new(),
            figures: ReceiverFigures::default(),
        }
    }

    /// What it did since it began.
    pub(crate) fn figures(&self) -> &ReceiverFigures {
        &self.figures
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<Input>() + self.world.held_bytes()
    }

    /// What to send back at the end of a tick, if anything: over a stream nothing but its header.
    pub(crate) fn ack(&mut self, ledger: &mut Ledger) -> Option<&[u8]> {
        let newest = self.newest.take()?;
        ledger.clear();
        if !self.is_stream {
            encode_ack(newest, &mut self.ack, ledger);
        }
        Some(&self.ack)
    }

    /// One tick: steps the frames that are due and shows the last of them. `stepped` hears of each, its input and the world
    /// after it. None before the first of them.
    pub(crate) fn tick(
        &mut self,
        tick: u64,
        settings: &LaneSettings,
        view: &mut View,
        stepped: impl FnMut(u64, Input, &World),
    ) -> Option<Playback> {
        let playback = self.play(tick, settings, stepped);
        self.figures.inputs_waiting = self.waiting.len() as u64;
        let truth = self.world.truth().iter().enumerate();
        truth.for_each(|(index, cube)| view.show(index, &Pose::from(cube)));
        playback
    }

    fn play(
        &mut self,
        tick: u64,
        settings: &LaneSettings,
        mut stepped: impl FnMut(u64, Input, &World),
    ) -> Option<Playback> {
        let clock = self.clock?;
        let due_frame = tick as i64 - clock.behind_ticks;
        let mut steps = 0;
        while steps < MOST_STEPS_PER_TICK && self.next_frame()? <= due_frame {
            let next_frame = self.next_frame()?;
            let Some(input) = self.waiting.pop_front() else {
                break;
            };
            if settings.desync() == Desync::Bit && self.frames_stepped == DISTURBED_FRAME {
                self.world.disturb_one_bit();
            }
            self.world.step(input);
            self.frames_stepped += 1;
            stepped(next_frame as u64, input, &self.world);
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

    /// Takes a packet; what is new in it waits. Gives the newest sequence up to which all inputs have arrived, unless the
    /// packet leaves a gap before it or there is no more room.
    ///
    /// # Errors
    /// When it cannot be decoded, or is of frames that cannot be yet; nothing changes then.
    pub(crate) fn accept(
        &mut self,
        arrival_ms: f64,
        packet: &[u8],
        settings: &LaneSettings,
    ) -> Result<Option<u16>, DecodeError> {
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
            let due_tick = arrival_tick + tick_of_ms(settings.delay_ms());
            Clock {
                first_frame: oldest,
                needed_frame: oldest,
                behind_ticks: (due_tick - newest as f64 - TICK_TOLERANCE).ceil() as i64,
            }
        });
        if oldest > clock.needed_frame || self.waiting.len() + self.inputs.len() > MOST_QUEUED {
            return Ok(None);
        }
        let had = (clock.needed_frame - oldest) as usize;
        if let Some(new) = self.inputs.get(had..) {
            self.waiting
                .extend(new.iter().map(|&input| Input::from_bits(input)));
            clock.needed_frame = clock.needed_frame.max(newest + 1);
        }
        let newest = sequence_of_tick((clock.needed_frame - 1) as u64);
        self.newest = Some(newest);
        Ok(Some(newest))
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
