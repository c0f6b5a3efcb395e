//! Estimates the delay at which play stands still a given number of times a minute, from the packets of the last forty seconds.
//!
//! Each second keeps the greatest lag that any of its packets needed. An exponential tail through the greatest of these lags
//! gives the lag that is exceeded only as often as freezes are allowed. Of the greatest lags, as many are ignored as freezes
//! are allowed in the known time. So one outage is no reason to wait for the next. A share of late packets would be no aim: 1 %
//! at 60 a second is a freeze each 1.7 s.

use super::Aim;
use super::envelope::sort;
use super::sender::{MOST_SECONDS, Sender, WINDOW_MS};
use snapshot_base::time::TickRate;
use std::ops::Range;

/// Number of the worst seconds through which an exponential tail is fitted, to extrapolate to rarer lags.
const TAIL_SECONDS: usize = 3;
/// Lower limit of the time that an estimate counts as covering, ms: one packet says nothing about a minute.
const LEAST_KNOWN_MS: f64 = 500.0;
/// Distance that play keeps from the newest data, ms, so that rounding never makes play wait.
const GUARD_MS: f64 = 1.0;
/// Delay before anything is known, ms. The estimate replaces it gradually over [`START_FOR_MS`].
const START_MS: f64 = 150.0;
const START_FOR_MS: f64 = 10_000.0;
/// Upper limit of the delay, ms, beyond the fastest packet's and three send intervals. The receivers' buffers have room for it.
pub const MOST_DELAY_MS: f64 = 1000.0;
/// Ratio between the worst lag of an outage and any lag beside the outage, both beyond the usual lag and a send interval. The
/// worst must also be `OUTAGE_MS` greater. Seconds in a row, up to `OUTAGE_SECONDS_MAX`, are one outage. An outage that is
/// alone says nothing about the next one: it is left out as soon as a packet is on time again.
const OUTAGE: f64 = 4.0;
const OUTAGE_MS: f64 = 100.0;
const OUTAGE_SECONDS_MAX: usize = 7;
/// Time without another outage, s, for an outage to be alone.
const ALONE_S: f64 = 120.0;

/// An estimator of the needed lag of play behind the sender. The sender's clock may have any offset: only differences between
/// arrivals and between ticks are used.
#[derive(Clone, Debug)]
pub struct Estimator {
    tick_rate: TickRate,
    aim: Aim,
    interval_ticks: f64,
    held_ticks: f64,
    sender: Sender,
    /// Lags of the newest seconds, newest first. `greatest` has them without an outage, greatest first. Both are fields only to
    /// reuse their memory.
    lags: Vec<f64>,
    greatest: Vec<f64>,
    /// Lag of the newest packet, if it were shown at once on arrival, ticks.
    newest_ticks: f64,
    last_outage: Option<Outage>,
    leaves_out: bool,
    left_out_ms: f64,
    first_arrival_ms: f64,
    estimated_ms: f64,
    needed_ticks: f64,
    least_ticks: f64,
    usual_ticks: f64,
}

/// An outage of the past.
#[derive(Clone, Copy, Debug)]
struct Outage {
    /// The second of the receiver's clock that has the worst lag of the outage.
    second: f64,
    is_alone: bool,
}

impl Estimator {
    /// Creates an estimator without packets. Once play has reached the newest tick, it needs the next packet `held_ms` later.
    pub fn new(tick_rate: TickRate, aim: Aim, send_interval_ms: f64, held_ms: f64) -> Estimator {
        Estimator {
            tick_rate,
            aim,
            interval_ticks: tick_rate.tick_of_ms(send_interval_ms),
            held_ticks: tick_rate.tick_of_ms(held_ms),
            sender: Sender::new(tick_rate, send_interval_ms),
            lags: Vec::with_capacity(MOST_SECONDS),
            greatest: Vec::with_capacity(MOST_SECONDS),
            newest_ticks: 0.0,
            last_outage: None,
            leaves_out: false,
            left_out_ms: f64::NEG_INFINITY,
            first_arrival_ms: 0.0,
            estimated_ms: 0.0,
            needed_ticks: 0.0,
            least_ticks: 0.0,
            usual_ticks: 0.0,
        }
    }

    /// Takes a packet of `tick` that arrived at `arrival_ms`. Do not pass second copies. `missed_ms` is the time of the last
    /// instant that was shown without the packet, before its arrival; `None` if the receiver slept and missed nothing.
    pub fn packet(&mut self, arrival_ms: f64, missed_ms: Option<f64>, tick: i64) {
        // Play waits for a newer packet once it reaches the newest tick before it. An overtaken packet is needed as if the
        // one before it had come.
        let needed_from = match self.sender.newest() {
            Some(newest) if newest < tick => newest as f64,
            _ => tick as f64 - self.interval_ticks,
        };
        if self.sender.newest().is_none() {
            self.first_arrival_ms = arrival_ms;
        }
        // No delay covers a break of the connection, so none is kept for the next.
        let transit_ticks = self.tick_rate.tick_of_ms(arrival_ms) - tick as f64;
        let covered_ticks = transit_ticks + self.most_ticks();
        let needed_ticks = missed_ms
            .map(|it| self.tick_rate.tick_of_ms(it + GUARD_MS) - self.held_ticks - needed_from)
            .filter(|lag| *lag <= covered_ticks);
        self.newest_ticks = transit_ticks;
        let needed_ticks = needed_ticks.unwrap_or(f64::NEG_INFINITY);
        self.sender.packet(arrival_ms, tick, needed_ticks);
        self.estimate(arrival_ms);
    }

    fn estimate(&mut self, now_ms: f64) {
        self.estimated_ms = now_ms;
        self.usual_ticks = self.sender.usual_ticks(now_ms);
        self.least_ticks = self.sender.fastest_ticks(MOST_SECONDS, now_ms);
        self.lags.clear();
        let lags = self.sender.lags(now_ms);
        self.lags
            .extend(lags.map(|(fastest_ticks, needed_ticks)| needed_ticks.max(fastest_ticks)));
        let outage = self.outage(now_ms);
        let leaves_out = !outage.is_empty();
        if leaves_out && !self.leaves_out {
            self.left_out_ms = now_ms;
        }
        self.leaves_out = leaves_out;
        self.greatest.clear();
        let lags = self.lags.iter().enumerate();
        let lags = lags.filter(|(second, _)| !outage.contains(second));
        self.greatest.extend(lags.map(|(_, lag)| *lag));
        sort(&mut self.greatest);
        self.greatest.reverse();
        let known_ms = now_ms - self.first_arrival_ms;
        let known_min = known_ms.clamp(LEAST_KNOWN_MS, WINDOW_MS) / 60_000.0;
        let allowed = self.aim.freezes_per_minute * known_min;
        let tail = &self.greatest[..self.greatest.len().min(TAIL_SECONDS)];
        let count = tail.len() as f64;
        let rank_ticks = tail[tail.len() - 1];
        let beyond_ticks: f64 = tail.iter().map(|lag| lag - rank_ticks).sum();
        let tail_ticks = beyond_ticks / (count - 1.0).max(1.0);
        self.needed_ticks = rank_ticks + tail_ticks * libm::log(count / allowed).max(0.0);
        if allowed >= 1.0 {
            let rank = (libm::ceil(allowed) as usize).min(self.greatest.len());
            self.needed_ticks = self.needed_ticks.min(self.greatest[rank - 1]);
        }
    }

    /// Returns the seconds of an outage that is over and alone, newest first; an empty range if there is none.
    fn outage(&mut self, now_ms: f64) -> Range<usize> {
        let beyond_ticks = |lag: f64| lag - self.usual_ticks - self.interval_ticks;
        let lags = &self.lags;
        let worst = (0..lags.len()).fold(0, |worst, second| match lags[second] > lags[worst] {
            true => second,
            false => worst,
        });
        let worst_ticks = beyond_ticks(lags[worst]);
        let least_ticks =
            (worst_ticks / OUTAGE).min(worst_ticks - self.tick_rate.tick_of_ms(OUTAGE_MS));
        let is_over = self.newest_ticks - self.usual_ticks <= least_ticks;
        let is_outage = |second: &usize| beyond_ticks(lags[*second]) > least_ticks;
        let newer = (0..worst).rev().take_while(is_outage).count();
        let older = (worst + 1..lags.len()).take_while(is_outage).count();
        let is_alone = (0..lags.len()).filter(is_outage).count() == newer + older + 1;
        // The seconds beside it are on its slopes.
        let from = (worst - newer).saturating_sub(1);
        let seconds = from..(worst + older + 2).min(lags.len());
        let is_short = seconds.len() < lags.len().min(OUTAGE_SECONDS_MAX + 1);
        if !(least_ticks > 0.0 && is_over && is_alone && is_short) {
            return 0..0;
        }
        // Seconds without a packet are few enough for this count.
        let second = libm::floor(now_ms / 1000.0) - worst as f64;
        let is_same = |it: &Outage| (second - it.second).abs() <= OUTAGE_SECONDS_MAX as f64;
        let outage = match self.last_outage.filter(is_same) {
            Some(same) => same,
            None => Outage {
                second,
                is_alone: (self.last_outage).is_none_or(|last| second - last.second > ALONE_S),
            },
        };
        self.last_outage = Some(outage);
        if outage.is_alone { seconds } else { 0..0 }
    }

    /// Forgets the lags that play needed so far; the fastest packets stay known.
    pub(super) fn forget_needs(&mut self) {
        self.sender.forget_needs();
        if self.sender.newest().is_some() {
            self.estimate(self.estimated_ms);
        }
    }

    /// Time at which an outage was left out last, ms.
    pub(super) fn left_out_ms(&self) -> f64 {
        self.left_out_ms
    }

    /// The newest tick of all packets; `None` before the first packet.
    pub fn newest(&self) -> Option<i64> {
        self.sender.newest()
    }

    /// The tick up to which play can go without another packet; `None` before the first packet.
    pub(super) fn end_tick(&self) -> Option<f64> {
        self.sender
            .newest()
            .map(|newest| newest as f64 + self.held_ticks)
    }

    /// Returns the target lag at a time: receiver's clock minus the sender's tick to show, in ticks.
    pub fn target_ticks(&self, now_ms: f64) -> f64 {
        // The wait for the next packet is needed whole. Beyond it, slower play lasts longer than its delay; a fifth of that
        // goes to the time until play slows down.
        let change = self.aim.change;
        let lasts = 1.0 + 0.8 * change / (1.0 - change);
        let needed_ticks = self.needed_ticks - self.usual_ticks;
        let whole_ticks = needed_ticks.min(self.interval_ticks);
        let known_ms = (now_ms - self.first_arrival_ms).max(0.0);
        let start_ms = START_MS * (1.0 - known_ms / START_FOR_MS);
        let delay_ticks = (whole_ticks + (needed_ticks - whole_ticks) / lasts)
            .max(self.tick_rate.tick_of_ms(start_ms.max(0.0)));
        (self.usual_ticks + delay_ticks).min(self.usual_ticks + self.most_ticks())
            + self.moved_ticks(now_ms)
    }

    /// Returns the number of ticks by which the sender's clock fell behind the receiver's since the newest packet.
    fn moved_ticks(&self, now_ms: f64) -> f64 {
        self.slowness() * self.tick_rate.tick_of_ms(now_ms - self.estimated_ms)
    }

    /// Share by which the sender's tick rate is too slow, by the receiver's clock.
    pub(super) fn slowness(&self) -> f64 {
        self.sender.slowness()
    }

    fn most_ticks(&self) -> f64 {
        let most_ms = self.aim.most_delay_ms.min(MOST_DELAY_MS);
        self.tick_rate.tick_of_ms(most_ms) + 3.0 * self.interval_ticks
    }

    /// Returns the least lag of the last 1 to 2 s: that of the fastest packet, if it were shown at once on arrival, in ticks. A
    /// queue that delays all packets makes it greater.
    pub(super) fn usual_ticks(&self, now_ms: f64) -> f64 {
        self.usual_ticks + self.moved_ticks(now_ms)
    }

    /// Returns the least lag of the last 40 s: that of the fastest packet, if it were shown at once on arrival, in ticks.
    pub fn least_ticks(&self, now_ms: f64) -> f64 {
        self.least_ticks + self.moved_ticks(now_ms)
    }

    /// Ticks between two packets of the sender.
    pub(super) fn interval_ticks(&self) -> f64 {
        self.interval_ticks
    }

    /// Allocated memory, bytes.
    pub fn held_bytes(&self) -> usize {
        self.sender.held_bytes()
            + (self.lags.capacity() + self.greatest.capacity()) * size_of::<f64>()
    }
}
