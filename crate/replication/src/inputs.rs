//! Inputs of players on their way to the server: repeated until they arrive, buffered there, and sent early enough.
//!
//! Neither end has a socket or a clock. A client gives one input for each of its ticks. Its clock runs ahead of the server's by
//! the latency to the server and a small buffer. It runs a little faster or slower to stay there.
//!
//! ```
//! use snapshot_replication::inputs::{InputBuffer, InputQueue, TickRate};
//!
//! let rate = TickRate::new(60).expect("a rate from 10 to 240");
//! let (mut queue, mut buffer) = (InputQueue::new(rate, 16), InputBuffer::new(rate));
//! queue.follow(0.0, 97.0, 3.0);
//! let tick = queue.due(0.0).expect("the first tick");
//! queue.push(tick, b"jump")?;
//! let mut datagram = Vec::new();
//! queue.write(7, 100, &mut datagram);
//! // The server's 99th tick has just ended.
//! buffer.on_datagram(99.0, &datagram)?;
//! assert_eq!(buffer.next(100.0, tick).as_deref(), Some(&b"jump"[..]));
//! // The server acknowledges datagram 7, with the margin and the share of lost datagrams.
//! queue.on_ack(50.0, 7, buffer.take_margin_ticks(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::clocks::{InputTick, ServerTick};
use crate::connection::RefusalReason;
use crate::payload::epoch_of;
use crate::payload_error::PayloadError;
use crate::unread::Unread;
use margins::{MarginSample, Margins};
use server_ticks::{LEAP_MS, ServerTicks, TickChange};
use snapshot_base::queue::TakeFront;
use std::collections::VecDeque;

mod margins;
mod server_ticks;

pub use snapshot_base::time::TickRate;

/// Upper limit of an input's length, bytes.
pub const INPUT_BYTES_MAX: usize = 64;
/// Upper limit of the number of inputs in a datagram.
pub const INPUTS_MAX: usize = 64;
/// Upper limit of the change of a client's clock rate, as a share: 3 % faster or slower.
pub const STEERING_MAX: f64 = 0.03;

/// Value of an input's length byte that means: the input equals the one before it.
const SAME: u8 = 255;
/// Number of bytes before the inputs of a datagram: tick and count.
const HEAD_BYTES: usize = 5;
/// Wanted margin of an input where no input is lost, ticks. The margin is the time by which the input arrives before the server
/// needs it.
const SPARE_TICKS: f64 = 1.0;
/// Greatest share of inputs that may be lost together with all their copies. The wanted margin follows from it.
const MISSING: f64 = 1e-4;
/// Least and greatest margin that settings may ask for, ticks.
const LEAD_MIN_TICKS: f64 = 0.5;
const LEAD_MAX_TICKS: f64 = 60.0;
/// Change of the clock's rate for each tick of its error, as a share.
const GAIN: f64 = 0.02;
/// Lateness of inputs above which the client leaps ahead instead of steering, ms.
const LATE_LEAP_MS: f64 = 50.0;
/// Lateness of an input that counts once it has lasted for `OUTAGE_AGAIN_MS`, ms.
const OUTAGE_MS: f64 = 1000.0;
const OUTAGE_AGAIN_MS: f64 = 150.0;
/// Time over which fresh margins tell whether inputs come just in time, ms.
const FRESH_MS: f64 = 1000.0;
/// Difference of steering within the datagrams of an acknowledgement above which its margin is not used, ticks: it is not known
/// which of them the margin belongs to.
const STEERED_MAX_TICKS: f64 = 3.0;
/// Longest time before its tick at which a server takes an input, s. `LATE_MAX_S` is the longest time after its tick at which
/// the server counts an input as late.
const EARLY_MAX_S: u64 = 4;
const LATE_MAX_S: u64 = 4;
/// Longest pause between two frames of a client after which all ticks of the pause are due, ms.
const PAUSE_MS: f64 = 500.0;
/// Silence of the server after which no input is due, ms: it would not arrive, or the server stands still.
const SILENT_MS: f64 = 1000.0;
/// Upper limit of the number of sent datagrams that an end remembers, for acknowledgements.
const SENT_MOST: usize = 256;

#[derive(Clone, Debug)]
struct Input {
    tick: u64,
    bytes: Box<[u8]>,
}

/// Record of a sent datagram with inputs.
#[derive(Clone, Copy, Debug)]
struct SentInputs {
    number: u16,
    newest: u64,
    steered_ticks: f64,
    /// Ticks from the oldest input that was new in this datagram to the newest one.
    span_ticks: f64,
}

/// A reading of the input clock.
#[derive(Clone, Copy, Debug)]
struct ClockReading {
    at_ms: f64,
    tick: InputTick,
}

/// A client's queue of inputs, with the clock that says when they are due.
#[derive(Clone, Debug)]
pub struct InputQueue {
    rate: TickRate,
    repeats: usize,
    /// Inputs that are not acknowledged yet, oldest first.
    inputs: VecDeque<Input>,
    sent: VecDeque<SentInputs>,
    /// The epoch: the tick from which the clock counts.
    epoch: u64,
    /// Last reading of the clock; `None` before it starts.
    clock: Option<ClockReading>,
    /// The last tick for which an input was due.
    due: u64,
    /// Sum of the ticks by which steering has moved the clock forwards so far.
    steered_ticks: f64,
    margins: Margins,
    /// The worst margin that was acknowledged since the last frame.
    fresh_margin: Option<MarginSample>,
    /// True until the first acknowledgement after a leap, which may tell the margin of a datagram from before.
    is_mixed: bool,
    /// Time of the last margin that was too late to be believed at once, ms; `None` after a better one.
    outage_ms: Option<f64>,
    /// Tick of the newest input that a datagram contained.
    sent_tick: Option<u64>,
    lost: f64,
    /// The margin that the settings ask for, ticks; `None` if the measured loss decides.
    lead_ticks: Option<f64>,
    server: ServerTicks,
}

impl InputQueue {
    /// Creates a queue. A datagram repeats up to `repeats` inputs, at most 64.
    pub fn new(rate: TickRate, repeats: usize) -> Self {
        Self {
            rate,
            repeats: repeats.clamp(1, INPUTS_MAX),
            inputs: VecDeque::new(),
            sent: VecDeque::new(),
            epoch: 0,
            clock: None,
            due: 0,
            steered_ticks: 0.0,
            margins: Margins::default(),
            fresh_margin: None,
            is_mixed: false,
            outage_ms: None,
            sent_tick: None,
            lost: 0.0,
            lead_ticks: None,
            server: ServerTicks::new(rate),
        }
    }

    /// Sets the wanted margin: how early inputs should arrive, at least half a tick. With `None`, the measured loss decides.
    #[must_use]
    pub fn with_lead(mut self, lead_ms: Option<f64>) -> Self {
        let ticks = lead_ms.map(|ms| {
            self.rate
                .tick_of_ms(ms)
                .clamp(LEAD_MIN_TICKS, LEAD_MAX_TICKS)
        });
        self.lead_ticks = ticks.filter(|ticks| ticks.is_finite());
        self
    }

    /// Takes the tick of a server's packet that is newer than all before. The first starts the clock, by `round_trip_ticks`, the
    /// round trip as far as it is known. Later ones tell how the server's ticks go on.
    pub fn follow(&mut self, now_ms: f64, tick: f64, round_trip_ticks: f64) {
        if self.clock.is_none() {
            self.epoch = epoch_of(tick as u64);
        }
        let tick = ServerTick(tick - self.epoch as f64);
        if self.clock.is_none() {
            let wanted = self.wanted(tick, round_trip_ticks);
            self.clock = Some(ClockReading {
                at_ms: now_ms,
                tick: wanted,
            });
            self.due = self.tick_of(wanted) - 1;
        }
        self.server.on_packet(now_ms, tick);
    }

    /// Judges the packets and acknowledgements since the last frame. The clock leaps with the server's ticks. Then datagrams
    /// that were sent before say nothing of the path.
    fn settle(&mut self, now_ms: f64) {
        let leap_ticks = self.rate.tick_of_ms(LEAP_MS);
        let fresh = self.margins.least(now_ms - FRESH_MS);
        let fresh = fresh
            .into_iter()
            .chain(self.fresh_margin.map(|it| it.ticks));
        let fresh = fresh.reduce(f64::min).map(|it| it + self.steered_ticks);
        let is_tight = fresh.is_some_and(|it| it <= self.target_margin_ticks() + 1.5 * leap_ticks);
        match (self.server.settle(is_tight), &mut self.clock) {
            // A margin may tell of ticks that leapt, which only the next packet does.
            (TickChange::Unheard, _) => {}
            (TickChange::Leap(ticks), Some(clock)) => {
                clock.tick.0 += ticks;
                self.sent.clear();
                (self.is_mixed, self.fresh_margin) = (true, None);
            }
            (TickChange::None | TickChange::Leap(_), _) => {
                let margin = self.fresh_margin.take();
                margin.into_iter().for_each(|it| self.margins.add(it));
            }
        }
    }

    /// Returns the reading that the clock should have as a packet of the server's `tick` arrives.
    fn wanted(&self, tick: ServerTick, round_trip_ticks: f64) -> InputTick {
        InputTick((tick.0 + round_trip_ticks).max(0.0) + 1.0 + self.target_margin_ticks())
    }

    /// Returns the tick whose input is due at a reading of the clock.
    fn tick_of(&self, at: InputTick) -> u64 {
        self.epoch + at.0 as u64
    }

    fn steer(&mut self, ticks: f64) {
        if let Some(clock) = &mut self.clock {
            clock.tick.0 += ticks;
            self.steered_ticks += ticks;
        }
    }

    /// Forgets the arrival times of packets and the margins of inputs, because the clock that measured them has changed.
    pub(crate) fn forget_times(&mut self) {
        self.margins.clear();
        self.fresh_margin = None;
        self.sent.clear();
        self.is_mixed = true;
        self.server.forget_times();
    }

    /// Returns true if the clock runs.
    pub fn has_begun(&self) -> bool {
        self.clock.is_some()
    }

    /// Returns the next tick for which the game must give an input; `None` if no input is due. Call it until it returns `None`.
    pub fn due(&mut self, now_ms: f64) -> Option<u64> {
        self.settle(now_ms);
        self.advance(now_ms);
        let clock = self.clock?;
        if now_ms - self.server.heard_ms()? > SILENT_MS || self.server.is_unsure(SILENT_MS) {
            return None;
        }
        let at = self.tick_of(clock.tick);
        if at <= self.due {
            return None;
        }
        // After a long pause old ticks are of no use.
        let most = self.rate.tick_of_ms(PAUSE_MS) as u64;
        self.due = (self.due + 1).max(at.saturating_sub(most));
        Some(self.due)
    }

    /// Returns the time at which the input of a tick will be due, as the clock runs now, ms. `None` while no input is due at
    /// all.
    pub fn due_ms(&self, tick: u64) -> Option<f64> {
        let clock = self.clock?;
        let silent_since_ms = self.server.heard_ms()?;
        let pace = self.server.pace() * (1.0 + self.steering());
        let ahead_ticks = tick as f64 - self.epoch as f64 - clock.tick.0;
        let due_ms = clock.at_ms + self.rate.ms_of_tick(ahead_ticks) / pace;
        (due_ms - silent_since_ms <= SILENT_MS).then_some(due_ms)
    }

    /// Adds the input of a tick that was due.
    ///
    /// # Errors
    /// When the input is too long, or the tick is not due.
    pub fn push(&mut self, tick: u64, bytes: &[u8]) -> Result<(), PayloadError> {
        if bytes.len() > INPUT_BYTES_MAX {
            return Err(PayloadError::InputTooLong(bytes.len()));
        }
        if tick > self.due || self.inputs.back().is_some_and(|last| last.tick >= tick) {
            return Err(PayloadError::InputTick(tick));
        }
        let bytes = bytes.into();
        self.inputs.push_back(Input { tick, bytes });
        // A client of few frames gives the inputs of several ticks at once: each is sent once at least.
        let is_unsent = |input: &Input| self.sent_tick.is_none_or(|sent| input.tick > sent);
        while self.inputs.len() > INPUTS_MAX
            || self.inputs.len() > self.repeats && !is_unsent(&self.inputs[0])
        {
            self.inputs.pop_front();
        }
        Ok(())
    }

    /// Appends the inputs for the datagram `number`, in at most `room` bytes. Returns true if there are any.
    pub fn write(&mut self, number: u16, room: usize, datagram: &mut Vec<u8>) -> bool {
        let Some(newest) = self.inputs.back().map(|input| input.tick) else {
            return false;
        };
        // The newest go first into the room; a gap ends them.
        let (mut bytes, mut first) = (HEAD_BYTES, self.inputs.len());
        while let Some(input) = first.checked_sub(1).map(|at| &self.inputs[at]) {
            let gap = newest - input.tick;
            let more = 1 + input.bytes.len();
            if bytes + more > room || gap != (self.inputs.len() - first) as u64 {
                break;
            }
            (bytes, first) = (bytes + more, first - 1);
        }
        let sent = self.inputs.range(first..);
        if sent.len() == 0 {
            return false;
        }
        datagram.extend((newest as u32).to_be_bytes());
        datagram.push(sent.len() as u8);
        let mut before: Option<&[u8]> = None;
        for Input { bytes, .. } in sent {
            if before == Some(&bytes[..]) {
                datagram.push(SAME);
            } else {
                datagram.push(bytes.len() as u8);
                datagram.extend_from_slice(bytes);
            }
            before = Some(bytes);
        }
        if self.sent.len() == SENT_MOST {
            self.sent.pop_front();
        }
        let before = self.sent_tick.replace(newest).unwrap_or(newest);
        // A client that stood still for longer had no inputs: that is no rate of frames.
        let pause_ticks = self.rate.tick_of_ms(PAUSE_MS);
        let span_ticks = newest.saturating_sub(before + 1) as f64;
        self.sent.push_back(SentInputs {
            number,
            newest,
            steered_ticks: self.steered_ticks,
            span_ticks: if span_ticks > pause_ticks {
                0.0
            } else {
                span_ticks
            },
        });
        true
    }

    /// Processes the acknowledgement of a datagram: the least margin of the datagrams that came since the acknowledgement
    /// before, in ticks, and the lost share of all datagrams.
    pub fn on_ack(&mut self, now_ms: f64, number: u16, margin_ticks: Option<f64>, lost: f64) {
        let Some(at) = self.sent.iter().position(|sent| sent.number == number) else {
            return;
        };
        let newest = self.sent[at];
        let (mut span_ticks, mut least, mut most) = (0.0_f64, f64::INFINITY, f64::NEG_INFINITY);
        for sent in self.sent.drain(..=at) {
            span_ticks = span_ticks.max(sent.span_ticks);
            (least, most) = (least.min(sent.steered_ticks), most.max(sent.steered_ticks));
        }
        while self
            .inputs
            .take_front_if(|input| input.tick <= newest.newest)
            .is_some()
        {}
        self.lost = lost;
        let is_mixed = std::mem::take(&mut self.is_mixed) || most - least > STEERED_MAX_TICKS;
        if let Some(margin) = margin_ticks.map(|margin| margin - span_ticks)
            && !self.is_outage(now_ms, margin)
            && !is_mixed
        {
            let sample = MarginSample {
                at_ms: now_ms,
                ticks: margin - newest.steered_ticks,
                is_late: margin < 0.0,
            };
            let before = self.fresh_margin.unwrap_or(sample);
            self.fresh_margin = Some(before.worse(sample));
        }
    }

    /// Returns true if inputs are so late that the path may have stood still once: nobody can play so far ahead for that. Later
    /// acknowledgements that are as late tell of a slow path.
    fn is_outage(&mut self, now_ms: f64, margin_ticks: f64) -> bool {
        if self.rate.ms_of_tick(margin_ticks) >= -OUTAGE_MS {
            self.outage_ms = None;
            return false;
        }
        now_ms - *self.outage_ms.get_or_insert(now_ms) < OUTAGE_AGAIN_MS
    }

    /// Returns the least margin of the last five seconds, in ticks, corrected for later steering of the clock. A margin is the
    /// time from an input's arrival to the tick that needs it. Margins of late inputs count for 15 s.
    pub fn margin_ticks(&self) -> Option<f64> {
        let least = self.margins.least(f64::NEG_INFINITY)?;
        Some(least + self.steered_ticks)
    }

    #[cfg(test)]
    pub(crate) fn at(&self) -> f64 {
        self.clock
            .map_or(0.0, |clock| self.epoch as f64 + clock.tick.0)
    }

    /// The margin that the client aims at, ticks. Each further tick leaves time for one more copy to arrive.
    pub fn target_margin_ticks(&self) -> f64 {
        if let Some(ticks) = self.lead_ticks {
            return ticks;
        }
        let (mut copies, mut all_lost) = (0, 1.0);
        while all_lost > MISSING && copies < self.repeats {
            all_lost *= self.lost;
            copies += 1;
        }
        SPARE_TICKS + copies.max(1) as f64 - 1.0
    }

    /// Ticks by which inputs arrive too late: wanted margin minus measured margin.
    fn error(&self) -> f64 {
        let margin = self.margin_ticks();
        margin.map_or(0.0, |margin| self.target_margin_ticks() - margin)
    }

    /// Share by which this clock runs faster than the server's; negative if slower.
    pub fn steering(&self) -> f64 {
        (self.error() * GAIN).clamp(-STEERING_MAX, STEERING_MAX)
    }

    /// Advances the clock, a little faster or slower than real time.
    fn advance(&mut self, now_ms: f64) {
        let (error, steering) = (self.error(), self.steering());
        let is_late = self.margin_ticks().is_some_and(|margin| margin < 0.0);
        let Some(clock) = &mut self.clock else {
            return;
        };
        let ticks = self.rate.tick_of_ms(now_ms - clock.at_ms) * self.server.pace();
        if ticks <= 0.0 || ticks.is_nan() {
            return;
        }
        let leap_ticks = self
            .rate
            .tick_of_ms(if is_late { LATE_LEAP_MS } else { LEAP_MS });
        let is_leap = error > leap_ticks || error < -self.rate.tick_of_ms(LEAP_MS);
        // With a longer leap the ticks of this frame would be those of a pause, of which some are left out.
        let most_ticks = self.rate.tick_of_ms(PAUSE_MS / 2.0);
        let steered = if is_leap {
            error.min(most_ticks)
        } else {
            ticks * steering
        };
        (clock.at_ms, clock.tick.0) = (now_ms, clock.tick.0 + ticks);
        self.steer(steered);
    }
}

/// The inputs of a received datagram, read when they are iterated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InputList<'a> {
    pub(crate) bytes: &'a [u8],
}

impl<'a> InputList<'a> {
    /// Parses inputs from any bytes; `None` if they are malformed.
    pub(crate) fn read(rest: &mut Unread<'a>) -> Option<Self> {
        let whole = rest.0;
        let count = usize::from(rest.bytes(HEAD_BYTES)?[4]);
        let mut before = None;
        for _ in 0..count {
            let len = rest.u8()?;
            let is_same = len == SAME;
            let input = if is_same {
                before?
            } else {
                rest.bytes(len.into())?
            };
            // Each list of inputs has one way to be written.
            if input.len() > INPUT_BYTES_MAX || !is_same && before == Some(input) {
                return None;
            }
            before = Some(input);
        }
        let bytes = &whole[..whole.len() - rest.0.len()];
        (1..=INPUTS_MAX).contains(&count).then_some(Self { bytes })
    }

    /// Tick of the newest input, modulo 2^32.
    fn newest(&self) -> u32 {
        u32::from_be_bytes([0, 1, 2, 3].map(|at| self.bytes[at]))
    }

    /// Iterates over the inputs, oldest first: tick modulo 2^32, and bytes.
    fn iter(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        let (newest, mut rest) = (self.newest(), Unread(&self.bytes[4..]));
        let count = rest.u8().unwrap_or_default().into();
        let mut before = &[][..];
        (0..count).map(move |at| {
            if let Some(len) = rest.u8().filter(|len| *len != SAME) {
                before = rest.bytes(len.into()).unwrap_or_default();
            }
            (newest.wrapping_sub(count - 1 - at), before)
        })
    }
}

/// A server's buffer of one client's inputs.
#[derive(Clone, Debug)]
pub struct InputBuffer {
    rate: TickRate,
    /// Inputs by tick, oldest first.
    inputs: VecDeque<Input>,
    /// The first tick whose input is still useful.
    next: u64,
    /// Ticks from the moment at which the game asks for an input to the tick of that input.
    ahead_ticks: f64,
    margin_ticks: Option<f64>,
    /// The least margin since the last acknowledgement.
    least_margin_ticks: Option<f64>,
    arrivals: InputArrivals,
    /// Ticks of the last four seconds that had no input, oldest first. Their inputs may still arrive late.
    missed: VecDeque<u64>,
    has_begun: bool,
    /// Tick of the newest input that arrived.
    newest: Option<u64>,
}

/// Numbers of inputs by how they arrived at a server, since the first input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputArrivals {
    /// Number of ticks for which the server had no input.
    pub missing: u64,
    /// Number of missing inputs that arrived within four seconds after their tick. Other missing inputs were lost.
    pub late: u64,
    /// Number of useful inputs whose first copy to arrive was a repetition, in the datagram of a newer input.
    pub repeated: u64,
}

impl InputArrivals {
    /// Returns the counts minus the earlier counts `before`.
    #[must_use]
    pub fn since(self, before: InputArrivals) -> InputArrivals {
        InputArrivals {
            missing: self.missing - before.missing,
            // A late input may be of a tick before.
            late: (self.late - before.late).min(self.missing - before.missing),
            repeated: self.repeated - before.repeated,
        }
    }
}

impl InputBuffer {
    /// Creates an empty buffer for a server with this tick rate.
    pub fn new(rate: TickRate) -> Self {
        Self {
            rate,
            inputs: VecDeque::new(),
            next: 0,
            ahead_ticks: 0.0,
            margin_ticks: None,
            least_margin_ticks: None,
            arrivals: InputArrivals::default(),
            missed: VecDeque::new(),
            has_begun: false,
            newest: None,
        }
    }

    /// Takes the inputs of a datagram. `now` is the server's tick, with the elapsed part of the next one.
    ///
    /// # Errors
    /// When the bytes are not inputs. Nothing changes then.
    pub fn on_datagram(&mut self, now: f64, bytes: &[u8]) -> Result<(), RefusalReason> {
        let mut rest = Unread(bytes);
        let list = InputList::read(&mut rest).filter(|_| rest.0.is_empty());
        self.on_inputs(now, list.ok_or(RefusalReason::Payload)?);
        Ok(())
    }

    pub(crate) fn on_inputs(&mut self, now: f64, list: InputList) {
        // Some seconds ahead at most, so that memory is bounded.
        let passed = now as u64;
        let end = passed + EARLY_MAX_S * u64::from(self.rate.hz());
        let mut newest = self.newest;
        for (tick, bytes) in list.iter() {
            // A float becomes an integer before it is cut: beyond 2^32 it would saturate.
            let ahead = tick.wrapping_sub(passed as u32) as i32;
            let Some(tick) = passed.checked_add_signed(ahead.into()) else {
                continue;
            };
            // A copy that comes late says nothing of the way.
            newest = newest.max(Some(tick));
            if let Ok(at) = self.missed.binary_search(&tick) {
                self.missed.remove(at);
                self.arrivals.late += 1;
            }
            if tick < self.next || tick > end {
                continue;
            }
            self.has_begun = true;
            let at = self.inputs.partition_point(|input| input.tick < tick);
            if self.inputs.get(at).is_none_or(|input| input.tick != tick) {
                let bytes = bytes.into();
                self.inputs.insert(at, Input { tick, bytes });
                self.arrivals.repeated += u64::from(tick as u32 != list.newest());
            }
        }
        if let Some(tick) = newest.filter(|_| self.newest < newest) {
            let margin = tick as f64 - now - self.ahead_ticks;
            let least = self.least_margin_ticks.unwrap_or(margin);
            (self.newest, self.margin_ticks) = (newest, Some(margin));
            self.least_margin_ticks = Some(least.min(margin));
        }
    }

    /// Returns the input of the server's next tick; `None` if it is missing. Inputs of older ticks are ignored from then on.
    /// `now` is as in `on_datagram`.
    pub fn next(&mut self, now: f64, tick: u64) -> Option<Vec<u8>> {
        self.ahead_ticks = (tick as f64 - now).clamp(0.0, 1.0);
        // A second question for a tick is no second missing input.
        let is_first = tick >= self.next;
        self.next = self.next.max(tick + 1);
        while self
            .inputs
            .take_front_if(|input| input.tick < tick)
            .is_some()
        {}
        let input = self.inputs.take_front_if(|input| input.tick == tick);
        if input.is_none() && self.has_begun && is_first {
            self.arrivals.missing += 1;
            self.missed.push_back(tick);
        }
        let is_old = |missed: &mut u64| *missed + LATE_MAX_S * u64::from(self.rate.hz()) < tick;
        while self.missed.take_front_if(is_old).is_some() {}
        input.map(|input| input.bytes.into_vec())
    }

    /// Margin of the newest input in the last datagram: ticks from its arrival to the tick that needs it.
    pub fn margin_ticks(&self) -> Option<f64> {
        self.margin_ticks
    }

    /// Returns the margin to acknowledge: the least margin of the datagrams since the last call. Of datagrams that come together
    /// the newest alone would say nothing of those that waited.
    pub fn take_margin_ticks(&mut self) -> Option<f64> {
        self.least_margin_ticks.take().or(self.margin_ticks)
    }

    /// Numbers of missing, late and repeated inputs.
    pub fn arrivals(&self) -> InputArrivals {
        self.arrivals
    }
}
