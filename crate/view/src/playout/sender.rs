//! The sender's clock as the receiver knows it from packets: the lag of the fastest packets, and the rate of the ticks.
//!
//! A lag is the receiver's clock minus the sender's tick. So an earlier lag is corrected by the drift between both clocks. In a
//! silence the sender may have stood still. Then the lags of all later packets are greater for good, and the earlier lags are
//! increased by as much.

use super::envelope::{Envelope, MOST_SLOPES, is_of};
use snapshot_base::queue::TakeFront;
use snapshot_base::time::TickRate;
use std::collections::VecDeque;

/// Age at which a packet is forgotten, ms.
pub const WINDOW_MS: f64 = 40_000.0;
const SECOND_MS: f64 = 1000.0;
/// Upper limit of the number of seconds that are remembered, the current one included.
pub(super) const MOST_SECONDS: usize = 41;
/// Length of a silence, beyond three send intervals, after which the sender may have stood still, ms.
const SILENCE_MS: f64 = 100.0;
/// Least standstill of the sender that counts as a pause, ms.
const LEAST_PAUSE_MS: f64 = 100.0;
/// Time after a silence in which packets show whether the sender stood still, ms.
const FRESH_MS: f64 = 5000.0;
/// Least time by which a packet must be faster than all earlier ones to show that the sender's ticks have jumped, ms.
const JUMP_MS: f64 = 250.0;
/// First length of a span of time, ms: of the packets of each span only the fastest is kept. Spans of all packets grow up to
/// `LONGEST_SPAN_MS`; those of the newest four seconds have `SHORT_SPAN_MS`.
const FIRST_SPAN_MS: f64 = 125.0;
const LONGEST_SPAN_MS: f64 = 4000.0;
const SHORT_SPAN_MS: f64 = 250.0;
/// Lower limit of the assumed spread of the fastest packets about the line through them, ms. `SHORT_LEAST_SPREAD_MS` is the
/// limit in short spans: a program that takes its packets once a frame delays them by up to a frame.
const LEAST_SPREAD_MS: f64 = 2.0;
const SHORT_LEAST_SPREAD_MS: f64 = 15.0;
/// Upper limit of the rate at which the two clocks drift apart, ticks a tick; a steeper slope is ignored.
const MOST_RATE: f64 = 0.2;

/// A lag: at a time of the receiver's clock, that time in ticks minus the sender's tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lag {
    pub(super) at_ms: f64,
    pub(super) ticks: f64,
}

impl Lag {
    /// Returns this lag as it will be at another time, in ticks, if the clocks drift apart by `rate` ticks a ms.
    pub(super) fn at(&self, at_ms: f64, rate: f64) -> f64 {
        self.ticks + rate * (at_ms - self.at_ms)
    }
}

/// A pause: a silence in which the sender stood still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pause {
    /// Arrival of the first packet after the pause, ms.
    end_ms: f64,
    /// Ticks for which the sender stood still.
    ticks: f64,
}

impl Pause {
    /// Returns a lag, in ticks, with the pause added if the lag is from before it.
    pub(super) fn after(&self, lag: Lag) -> f64 {
        let is_before = lag.at_ms < self.end_ms;
        lag.ticks + if is_before { self.ticks } else { 0.0 }
    }
}

/// The packets that arrived in one second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Second {
    /// The greatest lag that a packet of this second needed so that play would not have waited for it.
    pub(super) needed: Lag,
    /// Lag of the second's fastest packet, if it were shown at once on arrival.
    pub(super) fastest: Lag,
}

/// The sender's clock, as estimated from the packets of the last forty seconds.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    tick_rate: TickRate,
    silence_ms: f64,
    newest: Option<i64>,
    newest_ms: f64,
    seconds: VecDeque<Second>,
    all: Envelope,
    newest_spans: Envelope,
    /// Reused memory for sorting slopes.
    sorted: Vec<f64>,
    /// Drift of the sender's clock: ticks by which it falls behind its tick rate in each ms of the receiver's clock.
    rate: f64,
    /// The last silence. Its `ticks` are 0 if the sender did not stand still in it.
    pause: Pause,
    /// Lag of the fastest packet before the last silence.
    fastest_before: Option<Lag>,
    /// Lag of the fastest packet since the last silence.
    fastest_fresh: Option<Lag>,
}

impl Sender {
    pub(super) fn new(tick_rate: TickRate, send_interval_ms: f64) -> Sender {
        let [least, short_least] =
            [LEAST_SPREAD_MS, SHORT_LEAST_SPREAD_MS].map(|ms| tick_rate.tick_of_ms(ms));
        Sender {
            tick_rate,
            silence_ms: SILENCE_MS + 3.0 * send_interval_ms,
            newest: None,
            newest_ms: f64::INFINITY,
            seconds: VecDeque::with_capacity(MOST_SECONDS),
            all: Envelope::new(FIRST_SPAN_MS, LONGEST_SPAN_MS, least),
            newest_spans: Envelope::new(SHORT_SPAN_MS, SHORT_SPAN_MS, short_least),
            sorted: Vec::with_capacity(MOST_SLOPES),
            rate: 0.0,
            pause: Pause {
                end_ms: f64::NEG_INFINITY,
                ticks: 0.0,
            },
            fastest_before: None,
            fastest_fresh: None,
        }
    }

    /// Takes a packet of `tick` that arrived at `at_ms`, with the lag that play needed so that it did not wait for the packet.
    pub(super) fn packet(&mut self, at_ms: f64, tick: i64, needed_ticks: f64) {
        let of_now = |ticks| Lag { at_ms, ticks };
        let fastest = of_now(self.tick_rate.tick_of_ms(at_ms) - tick as f64);
        self.find_breaks(fastest);
        self.newest = self.newest.max(Some(tick));
        self.newest_ms = at_ms;
        let oldest = libm::floor(at_ms / SECOND_MS) - WINDOW_MS / SECOND_MS;
        let is_old = |it: &Second| libm::floor(it.fastest.at_ms / SECOND_MS) < oldest;
        while self.seconds.take_front_if(|it| is_old(it)).is_some() {}
        let needed = of_now(needed_ticks);
        let last_ticks = self.seconds.back().map(|it| self.at(it.fastest, at_ms));
        let last = self.seconds.back_mut();
        match last.filter(|it| is_of(&it.fastest, at_ms, SECOND_MS)) {
            Some(last) => {
                // A stall is no pause, and its lag counts.
                if needed.ticks > last.needed.at(at_ms, self.rate) {
                    last.needed = needed;
                }
                if last_ticks.is_some_and(|last_ticks| fastest.ticks < last_ticks) {
                    last.fastest = fastest;
                }
            }
            None => {
                // A clock that shows no number never lets a second grow old.
                if self.seconds.len() == MOST_SECONDS {
                    self.seconds.pop_front();
                }
                self.seconds.push_back(Second { needed, fastest });
            }
        }
        let begins = self.all.on_packet(fastest, self.rate);
        if self.newest_spans.on_packet(fastest, self.rate) || begins {
            self.find_rate();
        }
    }

    /// Returns an earlier `lag` as it is at `at_ms`, in ticks. Adds the drift of the sender's clock and a pause of the sender
    /// since then.
    pub(super) fn at(&self, lag: Lag, at_ms: f64) -> f64 {
        self.pause.after(lag) + self.rate * (at_ms - lag.at_ms)
    }

    /// Returns the least lag of the last 1 to 2 s: that of the fastest packet, if it were shown at once on arrival, in ticks. A
    /// queue that delays all packets makes it greater.
    pub(super) fn usual_ticks(&self, now_ms: f64) -> f64 {
        let newest = self.seconds.iter().rev().take(2);
        let lags = newest.map(|it| self.at(it.fastest, now_ms));
        lags.fold(f64::INFINITY, f64::min)
    }

    /// Iterates over the seconds, newest first: the lag of the fastest packet if it were shown at once on arrival, and the
    /// greatest needed lag. Clock drift is added to both, but no more than the fastest packets have moved since: a queue that
    /// fills looks like drift.
    pub(super) fn lags(&self, now_ms: f64) -> impl Iterator<Item = (f64, f64)> {
        let usual_ticks = self.usual_ticks(now_ms);
        self.seconds.iter().rev().map(move |second| {
            let Second { needed, fastest } = *second;
            let then_ticks = self.at(fastest, fastest.at_ms);
            let apart_ticks = usual_ticks - then_ticks;
            let moved_ticks = (self.rate * (now_ms - fastest.at_ms))
                .max(apart_ticks.min(0.0))
                .min(apart_ticks.max(0.0));
            let ticks = self.at(needed, fastest.at_ms) + moved_ticks;
            (then_ticks + moved_ticks, ticks)
        })
    }

    /// Returns the least lag of the newest `seconds` seconds, in ticks: that of the fastest packet if shown at once on arrival.
    pub(super) fn fastest_ticks(&self, seconds: usize, now_ms: f64) -> f64 {
        let lags = self.lags(now_ms).take(seconds).map(|it| it.0);
        lags.fold(f64::INFINITY, f64::min)
    }

    /// Forgets the lags that play needed.
    pub(super) fn forget_needs(&mut self) {
        for second in &mut self.seconds {
            second.needed.ticks = f64::NEG_INFINITY;
        }
    }

    /// The newest tick of all packets; `None` before the first packet.
    pub(super) fn newest(&self) -> Option<i64> {
        self.newest
    }

    /// Share by which the sender's tick rate is too slow, by the receiver's clock.
    pub(super) fn slowness(&self) -> f64 {
        self.rate / self.tick_rate.tick_of_ms(1.0)
    }

    fn find_breaks(&mut self, now: Lag) {
        let tick_rate = self.tick_rate;
        let ticks = |ms| tick_rate.tick_of_ms(ms);
        let is_unsure = self.pause.ticks > 0.0 && now.at_ms - self.pause.end_ms < SECOND_MS;
        if now.at_ms - self.newest_ms > self.silence_ms && !is_unsure {
            self.move_earlier(self.pause.ticks);
            let ticks = self.usual_ticks(now.at_ms);
            self.fastest_before = Some(Lag { ticks, ..now });
            self.fastest_fresh = Some(now);
            self.pause.end_ms = now.at_ms;
            self.pause.ticks = 0.0;
        }
        let is_fresh = now.at_ms - self.pause.end_ms < FRESH_MS;
        if let (Some(before), Some(fresh), true) =
            (self.fastest_before, self.fastest_fresh, is_fresh)
        {
            if now.ticks < self.at(fresh, now.at_ms) {
                self.fastest_fresh = Some(now);
            }
            let fresh = self.fastest_fresh.unwrap_or(now);
            let paused_ticks = fresh.ticks - before.at(fresh.at_ms, self.rate);
            let is_pause = paused_ticks > ticks(LEAST_PAUSE_MS);
            self.pause.ticks = if is_pause { paused_ticks } else { 0.0 };
        }
        let faster_ticks = self.fastest_ticks(MOST_SECONDS, now.at_ms) - now.ticks;
        if faster_ticks.is_finite() && faster_ticks > ticks(JUMP_MS) {
            self.pause.end_ms = now.at_ms;
            self.move_earlier(self.pause.ticks - faster_ticks);
            self.pause.ticks = 0.0;
            (self.fastest_before, self.fastest_fresh) = (None, None);
        }
    }

    /// Adds `ticks` to all lags from before the last silence.
    fn move_earlier(&mut self, ticks: f64) {
        let lags = self
            .seconds
            .iter_mut()
            .flat_map(|it| [&mut it.needed, &mut it.fastest]);
        let spans = self.all.lags().iter_mut().chain(self.newest_spans.lags());
        for lag in lags.chain(spans) {
            if lag.at_ms < self.pause.end_ms {
                lag.ticks += ticks;
            }
        }
    }

    /// Estimates the drift of the sender's clock again. If the newest packets drift differently from all packets, the older
    /// packets are dropped.
    fn find_rate(&mut self) {
        let most = self.tick_rate.tick_of_ms(MOST_RATE);
        let is_rate = |slope: &f64| slope.abs() <= most;
        let slope = self.all.slope_beside(0.0, self.pause, &mut self.sorted);
        self.rate = slope.filter(is_rate).unwrap_or(0.0);
        let newest = &self.newest_spans;
        let slope = newest.slope_beside(self.rate, self.pause, &mut self.sorted);
        if let Some(slope) = slope.filter(is_rate) {
            self.all.begin_with(newest);
            self.rate = slope;
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.seconds.capacity() * size_of::<Second>()
            + self.all.held_bytes()
            + self.newest_spans.held_bytes()
            + self.sorted.capacity() * size_of::<f64>()
    }
}

const _: () = assert!(MOST_SECONDS as f64 == WINDOW_MS / SECOND_MS + 1.0);
