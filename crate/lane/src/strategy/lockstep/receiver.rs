//! The receiver of lockstep: packets and arrival times in, steps of the lent world out.

use super::{LockstepReceiverFigures, MOST_INPUTS, MOST_QUEUED, decode_inputs};
use crate::strategy::World;
use crate::strategy::error::DecodeError;
use crate::strategy::frames::{self, LastTwoFrames};
use snapshot_base::time::{WORLD, sequence_of_tick, tick_of_sequence};
use snapshot_codec::{CubeState, encode_ack};
use snapshot_view::playout::{self, Instant, Playout};
use snapshot_view::{Playback, Pose, SnapshotArrival};
use std::collections::VecDeque;

/// Upper limit of the number of frames that the world simulates in a tick to catch up, as in "Deterministic Lockstep".
const MOST_STEPS_PER_TICK: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LockstepReceiverConfig {
    /// The playout policy, which decides when a frame is due.
    pub playout: Playout,
    /// Time between two packets of the sender, ms.
    pub send_interval_ms: f64,
    /// True if the transport is a stream, which delivers everything in order and acknowledges by itself.
    pub is_stream: bool,
}

pub struct LockstepReceiver {
    is_stream: bool,
    /// Inputs that have arrived, but were not played yet, oldest first.
    pub(super) waiting: VecDeque<u8>,
    timing: FrameTiming,
    /// The frames received so far; `None` before the first packet.
    span: Option<KnownFrames>,
    inputs: Vec<u8>,
    /// True if the world was frozen in the last tick.
    held: bool,
    /// The sequence to acknowledge at the end of this tick.
    pub(super) newest: Option<u16>,
    figures: LockstepReceiverFigures,
}

/// The range of frames whose inputs have been received.
#[derive(Clone, Copy)]
struct KnownFrames {
    /// The first frame: the oldest input of the first packet, because a sender repeats every input until it is acknowledged.
    first_frame: i64,
    /// The frame after the newest received input.
    needed_frame: i64,
}

enum FrameTiming {
    Fixed {
        delay_ms: f64,
        /// Ticks from the sender's step of a frame to the frame's due time at this receiver.
        behind_ticks: i64,
    },
    Adaptive {
        clock: Box<playout::Clock>,
        frames: LastTwoFrames,
    },
}

impl FrameTiming {
    fn new(config: &LockstepReceiverConfig) -> FrameTiming {
        match config.playout {
            Playout::Fixed { delay_ms } | Playout::FirstPacket { delay_ms } => FrameTiming::Fixed {
                delay_ms,
                behind_ticks: 0,
            },
            Playout::AtOnce => FrameTiming::Fixed {
                delay_ms: 0.0,
                behind_ticks: 0,
            },
            Playout::Adaptive(aim) => FrameTiming::Adaptive {
                clock: playout::Clock::new(WORLD, aim, config.send_interval_ms, 0.0, 0.0).into(),
                frames: LastTwoFrames::default(),
            },
        }
    }
}

/// Rounding tolerance, ticks: an arrival exactly on a tick must count for that tick.
const TICK_TOLERANCE: f64 = 1e-6;

impl LockstepReceiver {
    pub fn new(config: LockstepReceiverConfig) -> LockstepReceiver {
        LockstepReceiver {
            is_stream: config.is_stream,
            waiting: VecDeque::new(),
            timing: FrameTiming::new(&config),
            span: None,
            inputs: Vec::new(),
            held: false,
            newest: None,
            figures: LockstepReceiverFigures::default(),
        }
    }

    pub fn figures(&self) -> &LockstepReceiverFigures {
        &self.figures
    }

    /// Simulates the world up to the frame that is due, and shows it.
    fn play(
        &mut self,
        due_frame: i64,
        delay_ms: f64,
        world: &mut dyn World,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let steps = self.step(due_frame, MOST_STEPS_PER_TICK, world);
        show_frame(world.states(), poses);
        let shown_frame = self.shown_frame()?;
        let held = steps == 0;
        self.note(steps, held);
        Some(Playback {
            play_tick: shown_frame as f64,
            shown_tick: shown_frame as f64,
            drawn_tick: shown_frame as f64,
            late_ms: WORLD.ms_of_tick((due_frame - shown_frame).max(0) as f64),
            stepped_tick: shown_frame as f64,
            delay_ms,
            speed: f64::from(steps),
            hitch: held,
        })
    }

    /// Simulates the world up to the frame at or after the play instant, and shows the poses of that instant.
    fn play_between(
        &mut self,
        instant: Option<Instant>,
        world: &mut dyn World,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let steps = instant.map_or(0, |instant| {
            let due_frame = instant.play_tick.ceil() as i64;
            self.step(due_frame, frames::MOST_STEPS_PER_TICK, world)
        });
        let (Some(instant), Some(shown_frame), FrameTiming::Adaptive { frames, .. }) =
            (instant, self.shown_frame(), &self.timing)
        else {
            show_frame(world.states(), poses);
            return None;
        };
        let newest = world.states().iter().map(Pose::from);
        let shown_tick = frames.show(instant.play_tick, shown_frame, newest, poses);
        self.note(steps, instant.waits);
        Some(Playback {
            play_tick: shown_tick,
            shown_tick,
            drawn_tick: shown_tick,
            late_ms: instant.late_ms,
            stepped_tick: shown_frame as f64,
            delay_ms: instant.delay_ms,
            speed: instant.speed,
            hitch: instant.waits,
        })
    }

    /// Simulates the world up to `due_frame`, as far as inputs have arrived; returns the number of simulated frames.
    fn step(&mut self, due_frame: i64, most_steps: u32, world: &mut dyn World) -> u32 {
        let mut steps = 0;
        while steps < most_steps && self.next_frame().is_some_and(|next| next <= due_frame) {
            let Some(input) = self.waiting.pop_front() else {
                break;
            };
            if let FrameTiming::Adaptive { frames, .. } = &mut self.timing {
                frames.keep(world.states().iter().map(Pose::from));
            }
            world.step_to(world.tick() + 1, input);
            steps += 1;
        }
        steps
    }

    fn note(&mut self, steps: u32, held: bool) {
        self.figures.catch_up_steps += u64::from(steps.saturating_sub(1));
        self.figures.stalls += u64::from(held && !self.held);
        self.held = held;
        self.figures.stalled_ticks += u64::from(held);
    }

    /// The newest frame that the world has simulated; `None` before the first.
    fn shown_frame(&self) -> Option<i64> {
        let shown_frame = self.next_frame()? - 1;
        (shown_frame >= self.span?.first_frame).then_some(shown_frame)
    }

    /// The next frame to simulate; `None` before the first packet.
    fn next_frame(&self) -> Option<i64> {
        let span = self.span?;
        Some(span.needed_frame - self.waiting.len() as i64)
    }
}

impl crate::strategy::Receiver for LockstepReceiver {
    fn packet(&mut self, arrival_ms: f64, packet: &[u8]) -> Result<SnapshotArrival, DecodeError> {
        let arrival_tick = WORLD.tick_of_ms(arrival_ms);
        let possible = WORLD.horizon_tick(arrival_tick);
        // Nothing is left out before it is acknowledged, so no packet goes on beyond the first frame that it lacks and a
        // window.
        let horizon = self.span.map_or(possible, |span| {
            possible.min(span.needed_frame + MOST_INPUTS as i64)
        });
        let horizon = sequence_of_tick(horizon as u64);
        let sequence = decode_inputs(packet, horizon, &mut self.inputs)?;
        let around = (self.span).map_or(arrival_tick as i64, |span| span.needed_frame);
        let newest = tick_of_sequence(sequence, around);
        let oldest = newest + 1 - self.inputs.len() as i64;
        if let (
            None,
            FrameTiming::Fixed {
                delay_ms,
                behind_ticks,
            },
        ) = (self.span, &mut self.timing)
        {
            let due_tick = arrival_tick + WORLD.tick_of_ms(*delay_ms);
            *behind_ticks = (due_tick - newest as f64 - TICK_TOLERANCE).ceil() as i64;
        }
        let span = self.span.get_or_insert(KnownFrames {
            first_frame: oldest,
            needed_frame: oldest,
        });
        if oldest > span.needed_frame || self.waiting.len() + self.inputs.len() > MOST_QUEUED {
            return Ok(SnapshotArrival::PassedOver);
        }
        let had = (span.needed_frame - oldest) as usize;
        if let Some(new) = self.inputs.get(had..) {
            self.waiting.extend(new);
            let needed_frame = span.needed_frame.max(newest + 1);
            if let (true, FrameTiming::Adaptive { clock, .. }) =
                (needed_frame > span.needed_frame, &mut self.timing)
            {
                clock.packet(arrival_ms, newest);
            }
            span.needed_frame = needed_frame;
        }
        self.newest = Some(sequence_of_tick((span.needed_frame - 1) as u64));
        Ok(SnapshotArrival::Accepted)
    }

    fn ack(&mut self, ack: &mut Vec<u8>) -> bool {
        let newest = self.newest.take();
        ack.clear();
        if let Some(newest) = newest.filter(|_| !self.is_stream) {
            encode_ack(newest, ack, None);
        }
        newest.is_some()
    }

    fn show(&mut self, now_ms: f64, world: &mut dyn World, poses: &mut [Pose]) -> Option<Playback> {
        let playback = match &mut self.timing {
            FrameTiming::Fixed {
                delay_ms,
                behind_ticks,
            } => {
                let due_frame = WORLD.tick_of_ms(now_ms).round() as i64 - *behind_ticks;
                let delay_ms = *delay_ms;
                self.play(due_frame, delay_ms, world, poses)
            }
            FrameTiming::Adaptive { clock, .. } => {
                let instant = clock.advance(now_ms);
                self.play_between(instant, world, poses)
            }
        };
        self.figures.inputs_waiting = self.waiting.len() as u64;
        playback
    }
}

fn show_frame(states: &[CubeState], poses: &mut [Pose]) {
    for (pose, cube) in poses.iter_mut().zip(states) {
        *pose = Pose::from(cube);
    }
}
