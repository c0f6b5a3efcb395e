//! The lag at which a given share of packets comes too late, over the last ten seconds.
//!
//! WebRTC's NetEq keeps a histogram with a forgetting factor and takes its quantile. Ten seconds hold 600 packets at most, so
//! the exact quantile of a window is as cheap, and what is older is forgotten entirely.

use snapshot_base::time::{TICKS_PER_S, TickRate};
use std::collections::VecDeque;

/// Age at which a packet is forgotten.
pub const WINDOW_MS: f64 = 10_000.0;
/// Packets of the window at 60 a second: 600, and some for a burst after a stall. Higher tick rates have as much for each 60.
const MOST_PACKETS: usize = 1024;
/// Time by which play keeps clear of the newest data, so that no rounding makes it wait.
const GUARD_MS: f64 = 1.0;
/// Delay beyond the fastest packet, and beyond the wait for three packets, at most. The receivers' buffers hold as much.
pub const MOST_DELAY_MS: f64 = 1000.0;

/// Estimates the lag of play behind the sender. The sender's clock may be any: only differences of arrival and tick count.
#[derive(Clone, Debug)]
pub struct Estimator {
    tick_rate: TickRate,
    most_packets: usize,
    late: f64,
    interval_ticks: f64,
    held_ticks: f64,
    window: VecDeque<Packet>,
    /// Room for the selection of the quantile.
    lags: Vec<f64>,
    newest: Option<i64>,
    target_ticks: f64,
    least_ticks: f64,
}

#[derive(Clone, Copy, Debug)]
struct Packet {
    arrival_tick: f64,
    /// With a lag of this or more, play does not wait for the packet.
    lag_ticks: f64,
    /// Arrival less its own tick.
    transit_ticks: f64,
}

impl Estimator {
    /// Creates an estimator that knows no packet. `late` is the share of packets that may be late. Play that has reached the
    /// newest tick needs the next packet `held_ms` later.
    pub fn new(tick_rate: TickRate, late: f64, send_interval_ms: f64, held_ms: f64) -> Estimator {
        let most_packets = MOST_PACKETS * tick_rate.hz().div_ceil(TICKS_PER_S) as usize;
        Estimator {
            tick_rate,
            most_packets,
            late,
            interval_ticks: tick_rate.tick_of_ms(send_interval_ms),
            held_ticks: tick_rate.tick_of_ms(held_ms),
            window: VecDeque::with_capacity(most_packets),
            lags: Vec::with_capacity(most_packets),
            newest: None,
            target_ticks: 0.0,
            least_ticks: 0.0,
        }
    }

    /// Takes a packet of `tick` that arrived at `arrival_ms`. Second copies are to be left out. The last instant that was
    /// shown without the packet is that of `missed_ms`, before its arrival.
    pub fn packet(&mut self, arrival_ms: f64, missed_ms: f64, tick: i64) {
        let arrival_tick = self.tick_rate.tick_of_ms(arrival_ms);
        // Play waits for a newer packet once it reaches the newest tick before it. An overtaken packet is needed as if the
        // one before it had come.
        let needed_from = match self.newest {
            Some(newest) if newest < tick => newest as f64,
            _ => tick as f64 - self.interval_ticks,
        };
        self.newest = self.newest.max(Some(tick));
        let oldest_tick = arrival_tick - self.tick_rate.tick_of_ms(WINDOW_MS);
        while (self.window.front()).is_some_and(|packet| packet.arrival_tick < oldest_tick) {
            self.window.pop_front();
        }
        if self.window.len() == self.most_packets {
            self.window.pop_front();
        }
        self.window.push_back(Packet {
            arrival_tick,
            lag_ticks: self.tick_rate.tick_of_ms(missed_ms) - needed_from - self.held_ticks
                + self.tick_rate.tick_of_ms(GUARD_MS),
            transit_ticks: arrival_tick - tick as f64,
        });
        self.estimate();
    }

    fn estimate(&mut self) {
        self.lags.clear();
        self.lags
            .extend(self.window.iter().map(|packet| packet.lag_ticks));
        let may_be_late = (self.late * self.lags.len() as f64) as usize;
        let place = (self.lags.len() - 1).saturating_sub(may_be_late);
        let (_, &mut quantile, _) = self.lags.select_nth_unstable_by(place, f64::total_cmp);
        let transits = self.window.iter().map(|packet| packet.transit_ticks);
        self.least_ticks = transits.fold(f64::INFINITY, f64::min);
        let most_ticks = self.tick_rate.tick_of_ms(MOST_DELAY_MS) + 3.0 * self.interval_ticks;
        self.target_ticks = quantile.min(self.least_ticks + most_ticks);
    }

    /// Ticks between two packets.
    pub(super) fn interval_ticks(&self) -> f64 {
        self.interval_ticks
    }

    /// The newest tick that any packet had. None before the first packet.
    pub fn newest(&self) -> Option<i64> {
        self.newest
    }

    /// The least lag of play, receiver's clock less sender's tick, at which no more than the given share of the window's
    /// packets is late.
    pub fn target_ticks(&self) -> f64 {
        self.target_ticks
    }

    /// The lag of a packet that was as fast as the fastest of the window, played at once.
    pub fn least_ticks(&self) -> f64 {
        self.least_ticks
    }

    /// Memory that it takes, bytes.
    pub fn held_bytes(&self) -> usize {
        self.window.capacity() * size_of::<Packet>() + self.lags.capacity() * size_of::<f64>()
    }
}

const _: () = assert!(MOST_PACKETS > 10 * TICKS_PER_S as usize);
