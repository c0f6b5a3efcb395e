//! Deterministic lockstep: only the keys go over the wire, and the right side runs the same world with them.

use super::Frame;
use super::Playback;
use super::wire::{Contents, Outcome, Wire};
use crate::input::Input;
use crate::metrics::Metrics;
use crate::settings::{Desync, Settings, Transport};
use crate::time::{horizon_tick, sends_at, sequence_of_tick, tick_of_ms, tick_of_sequence};
use crate::view::{Pose, View};
use crate::world::World;
use snapshot_codec::lockstep::{MOST_INPUTS, decode_inputs, encode_inputs};
use snapshot_codec::{DecodeError, Ledger, decode_ack, encode_ack};
use std::collections::VecDeque;

/// Frames that the right world steps in a tick at most, to catch up (the article's).
const MOST_STEPS_PER_TICK: u32 = 4;

/// Inputs that wait for an acknowledgement, or for the right world, at most: half of what a sequence can tell apart, 9.1
/// minutes (FORMAT.md). With one more the sender gives up.
const MOST_QUEUED: usize = 0x7fff;

/// The frame of the right world before which one bit of it is disturbed: a second of agreement is seen first, and the
/// player is about to land.
const DISTURBED_FRAME: u64 = 60;

/// What lockstep did, beside what every strategy measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Frames whose checksums were compared.
    pub frames_checked: u64,
    /// The first frame whose checksums differ.
    pub first_desync_frame: Option<u64>,
    /// Inputs in all packets, each as often as it was sent.
    pub inputs_sent: u64,
    /// Inputs in the newest packet.
    pub newest_packet_inputs: u64,
    /// Runs of ticks in which the right world held, though it was time for its next frame.
    pub stalls: u64,
    /// The ticks of those runs.
    pub stalled_ticks: u64,
    /// Frames stepped beyond the first of a tick, to catch up.
    pub catch_up_steps: u64,
    /// Inputs that have arrived and wait to be played.
    pub inputs_waiting: u64,
    /// Ticks in which a packet could not hold all that was unacknowledged.
    pub window_full_ticks: u64,
    /// The sender's queue overflowed: it sends no more, and the right world holds for good.
    pub given_up: bool,
}

/// The sender of inputs and the world that they drive.
pub(crate) struct Ends {
    sender: Sender,
    receiver: Receiver,
    /// What the right world must come to, for the frames that it has not reached, oldest first.
    expected: VecDeque<Expected>,
    figures: Figures,
    /// The right world held in the tick before.
    held: bool,
    packet: Vec<u8>,
    ledger: Ledger,
}

struct Expected {
    input: Input,
    checksum: Option<u64>,
}

impl Ends {
    /// Both ends, the right world in the state of `world`.
    pub(crate) fn new(settings: &Settings, world: &World) -> Ends {
        Ends {
            sender: Sender {
                queue: VecDeque::new(),
                newest_frame: 0,
            },
            receiver: Receiver {
                world: match settings.desync() {
                    Desync::None | Desync::Bit => world.fork(),
                    Desync::Order => world.reinserted(),
                },
                waiting: VecDeque::new(),
                clock: None,
                inputs: Vec::new(),
            },
            expected: VecDeque::new(),
            figures: Figures::default(),
            held: false,
            packet: Vec::new(),
            ledger: Ledger::new(),
        }
    }

    /// What was measured since the lane began.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// One tick: acknowledgements arrive, inputs leave, inputs arrive, the frames that are due are stepped and the last of
    /// them is shown.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
        view: &mut View,
    ) -> Option<Playback> {
        let now_ms = frame.now_ms();
        // Those of a stream are bare, and it sees to them itself.
        let is_stream = settings.transport() == Transport::Tcp;
        wire.receive_acks(now_ms, &mut self.packet, metrics, |ack| {
            if is_stream {
                return Ok(());
            }
            decode_ack(ack).map(|sequence| self.sender.ack(sequence))
        });
        self.queue(frame);
        if sends_at(frame.tick, settings.send_rate_hz()) && !self.figures.given_up {
            self.send(frame.tick, settings, wire, metrics);
        }
        self.receive(frame, settings, wire, metrics);
        let playback = self.play(frame.tick, settings, metrics);
        self.figures.inputs_waiting = self.receiver.waiting.len() as u64;
        let truth = self.receiver.world.truth().iter().enumerate();
        truth.for_each(|(index, cube)| view.show(index, &Pose::from(cube)));
        playback
    }

    fn queue(&mut self, frame: &Frame<'_>) {
        let most_queued = self.sender.queue.len().max(self.expected.len());
        self.figures.given_up |= most_queued == MOST_QUEUED;
        if self.figures.given_up {
            return;
        }
        self.sender.queue.push_back(frame.input.bits());
        self.sender.newest_frame = frame.tick;
        self.expected.push_back(Expected {
            input: frame.input,
            checksum: frame.checksum,
        });
        self.figures.window_full_ticks += u64::from(self.sender.queue.len() > MOST_INPUTS);
    }

    fn send(&mut self, tick: u64, settings: &Settings, wire: &mut Wire, metrics: &mut Metrics) {
        self.ledger.clear();
        let (newest, inputs) = self.sender.window();
        let sent = inputs.len();
        encode_inputs(newest, inputs, &mut self.packet, &mut self.ledger)
            .expect("this tick's input is unacknowledged, and a window bears what a packet does");
        self.figures.inputs_sent += sent as u64;
        self.figures.newest_packet_inputs = sent as u64;
        if settings.transport() == Transport::Tcp {
            self.sender.queue.drain(..sent);
        }
        let contents = Contents {
            sequence: newest,
            baseline_tick: None,
            changed_cubes: 0,
            cargo: sent,
        };
        let (packet, ledger) = (&self.packet, &mut self.ledger);
        wire.send(tick, packet, &contents, ledger, settings, metrics);
    }

    fn receive(
        &mut self,
        frame: &Frame<'_>,
        settings: &Settings,
        wire: &mut Wire,
        metrics: &mut Metrics,
    ) {
        let mut acked = None;
        while let Some(delivery) = wire.receive(frame.now_ms(), &mut self.packet) {
            let arrival_ms = delivery.arrival_ms;
            let newest = self.receiver.accept(arrival_ms, &self.packet, settings);
            let outcome = match newest {
                Ok(Some(_)) if delivery.copy => Outcome::Duplicate,
                Ok(Some(_)) => Outcome::Accepted,
                // It leaves a gap: a later packet, which tells all again, fills it.
                Ok(None) => Outcome::PassedOver,
                Err(_) => Outcome::Refused,
            };
            wire.note(delivery, outcome, metrics);
            acked = newest.unwrap_or_default().or(acked);
        }
        let Some(newest) = acked else {
            return;
        };
        self.ledger.clear();
        match settings.transport() {
            Transport::Udp => encode_ack(newest, &mut self.packet, &mut self.ledger),
            // An acknowledgement of the stream's own is a bare header.
            Transport::Tcp => self.packet.clear(),
        }
        wire.send_ack(frame.tick, &self.packet, settings, metrics);
    }

    /// Steps the right world through the frames that are due. None before the first of them.
    fn play(&mut self, tick: u64, settings: &Settings, metrics: &mut Metrics) -> Option<Playback> {
        let clock = self.receiver.clock?;
        let due_frame = tick as i64 - clock.behind_ticks;
        let mut steps = 0;
        while steps < MOST_STEPS_PER_TICK && self.receiver.next_frame()? <= due_frame {
            let frames_played = self.figures.frames_checked;
            if settings.desync() == Desync::Bit && frames_played == DISTURBED_FRAME {
                self.receiver.world.disturb_one_bit();
            }
            let next_frame = self.receiver.next_frame()?;
            let Some(input) = self.receiver.waiting.pop_front() else {
                break;
            };
            self.receiver.world.step(input);
            self.check(next_frame as u64, input, metrics);
            steps += 1;
        }
        let shown_frame = self.receiver.next_frame()? - 1;
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

    /// Compares the right world with what the left one was after the same frame.
    fn check(&mut self, frame: u64, input: Input, metrics: &mut Metrics) {
        let Some(expected) = self.expected.pop_front() else {
            return;
        };
        metrics.mismatches += u64::from(input != expected.input);
        if let Some(checksum) = expected.checksum {
            self.figures.frames_checked += 1;
            if checksum != self.receiver.world.checksum() {
                self.figures.first_desync_frame.get_or_insert(frame);
            }
        }
    }
}

/// The left side's end: the inputs that the right side may not have.
struct Sender {
    /// Oldest first; its last is `newest_frame`'s. Over a stream only those that have not been sent.
    queue: VecDeque<u8>,
    newest_frame: u64,
}

impl Sender {
    /// What a packet sends: the sequence of its newest input, and its inputs, oldest first.
    fn window(&mut self) -> (u16, &[u8]) {
        let beyond = self.queue.len().saturating_sub(MOST_INPUTS);
        let newest = sequence_of_tick(self.newest_frame - beyond as u64);
        let inputs = &self.queue.make_contiguous()[..];
        (newest, &inputs[..inputs.len() - beyond])
    }

    /// The right side has all inputs up to that one.
    fn ack(&mut self, sequence: u16) {
        let newest = self.newest_frame as i64;
        let acked = tick_of_sequence(sequence, newest);
        let first = newest + 1 - self.queue.len() as i64;
        if (first..=newest).contains(&acked) {
            self.queue.drain(..=(acked - first) as usize);
        }
    }
}

/// The right side's end: bytes and arrival times in, frames out.
struct Receiver {
    world: World,
    /// Inputs that have arrived and were not stepped with, oldest first.
    waiting: VecDeque<Input>,
    /// Known from the first packet on.
    clock: Option<Clock>,
    inputs: Vec<u8>,
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
    /// The frame that comes next, once a packet has arrived.
    fn next_frame(&self) -> Option<i64> {
        let clock = self.clock?;
        Some(clock.needed_frame - self.waiting.len() as i64)
    }

    /// Takes a packet; what is new in it waits. Gives the newest sequence up to which all inputs have arrived, unless the
    /// packet leaves a gap before it or there is no more room.
    fn accept(
        &mut self,
        arrival_ms: f64,
        packet: &[u8],
        settings: &Settings,
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
        Ok(Some(sequence_of_tick((clock.needed_frame - 1) as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Key;
    use crate::time::ms_of_tick;

    fn settings() -> Settings {
        let mut settings = Settings::default();
        settings.set_text("strategy", "lockstep").unwrap();
        settings.set(Key::Grid, 5).unwrap();
        settings
    }

    fn ends() -> Ends {
        let settings = settings();
        Ends::new(&settings, &World::new(&settings.world()))
    }

    fn queue(ends: &mut Ends, ticks: std::ops::RangeInclusive<u64>) {
        for tick in ticks {
            ends.queue(&Frame {
                tick,
                input: Input::from_bits((tick % 64) as u8),
                truth: &[],
                checksum: None,
            });
        }
    }

    #[test]
    fn the_window_is_the_oldest_inputs_and_moves_on_with_acks() {
        let mut ends = ends();
        queue(&mut ends, 1..=511);
        let window = |ends: &mut Ends| {
            let (newest, inputs) = ends.sender.window();
            (newest, inputs.len(), inputs[0])
        };
        assert_eq!(window(&mut ends), (511, 511, 1));
        assert_eq!(ends.figures.window_full_ticks, 0);
        queue(&mut ends, 512..=600);
        assert_eq!(window(&mut ends), (511, 511, 1));
        assert_eq!(ends.figures.window_full_ticks, 89);
        ends.sender.ack(511);
        assert_eq!(window(&mut ends), (600, 89, 0));
        // Old, repeated and made-up acknowledgements change nothing.
        for sequence in [511, 3, 601, 40_000] {
            ends.sender.ack(sequence);
        }
        assert_eq!(window(&mut ends), (600, 89, 0));
    }

    #[test]
    fn a_sender_that_nobody_hears_gives_up_where_sequences_would_no_longer_tell_frames_apart() {
        let mut ends = ends();
        queue(&mut ends, 1..=MOST_QUEUED as u64);
        assert!(!ends.figures.given_up);
        queue(&mut ends, MOST_QUEUED as u64 + 1..=MOST_QUEUED as u64 + 100);
        assert!(ends.figures.given_up);
        assert_eq!(ends.sender.queue.len(), MOST_QUEUED);
        assert_eq!(ends.expected.len(), MOST_QUEUED);
    }

    #[test]
    fn a_receiver_takes_what_is_new_once_and_passes_over_gaps_and_floods() {
        let settings = settings();
        let mut receiver = ends().receiver;
        let mut accept = |newest: u16, inputs: &[u8]| {
            let mut packet = Vec::new();
            encode_inputs(newest, inputs, &mut packet, &mut Ledger::new()).unwrap();
            let arrival_ms = ms_of_tick(newest.into());
            let acked = receiver.accept(arrival_ms, &packet, &settings).unwrap();
            (acked, receiver.waiting.len())
        };
        // Sequences wrap between the first and the second frame.
        assert_eq!(accept(0, &[1, 2]), (Some(0), 2));
        assert_eq!(accept(0, &[1, 2]), (Some(0), 2), "a second copy");
        assert_eq!(accept(1, &[1, 2, 3]), (Some(1), 3));
        assert_eq!(accept(0, &[2]), (Some(1), 3), "an old one");
        assert_eq!(accept(4, &[5, 6]), (None, 3), "frame 2 is missing");
        assert_eq!(accept(4, &[4, 5, 6]), (Some(4), 6));
        let mut newest = 4_u16;
        while accept(newest.wrapping_add(500), &[7; 500]).0.is_some() {
            newest = newest.wrapping_add(500);
        }
        assert!(receiver.waiting.len() <= MOST_QUEUED);
    }

    #[test]
    fn forged_inputs_of_frames_that_cannot_be_yet_are_refused_and_the_genuine_go_on() {
        let settings = settings();
        let mut receiver = ends().receiver;
        let mut accept = |tick: u16, newest: u16, inputs: &[u8]| {
            let mut packet = Vec::new();
            encode_inputs(newest, inputs, &mut packet, &mut Ledger::new()).unwrap();
            let acked = receiver.accept(ms_of_tick(tick.into()), &packet, &settings);
            (acked, receiver.waiting.len(), receiver.clock.is_some())
        };
        let refused =
            |sequence: u32, horizon: u32| Err(DecodeError::TooFarAhead { sequence, horizon });
        // One that comes first does not set the clock.
        assert_eq!(accept(5, 0x7000, &[1]), (refused(0x7000, 65), 0, false));
        assert_eq!(accept(5, 4, &[1; 4]), (Ok(Some(4)), 4, true));
        assert_eq!(accept(5, 0x7004, &[1]), (refused(0x7004, 65), 4, true));
        // Nor is one taken that joins on and goes beyond what can have been pressed by now.
        assert_eq!(accept(5, 204, &[9; 200]), (refused(204, 65), 4, true));
        // After a cut of 30 s only the window limits how far a packet goes.
        assert_eq!(accept(1805, 1805, &[9]), (refused(1805, 516), 4, true));
        assert_eq!(accept(1805, 515, &[2; 511]), (Ok(Some(515)), 515, true));
    }
}
