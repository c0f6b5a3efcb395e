//! A meter of the delays on the way to a guest, by the arrivals of snapshots that the guest reports.

use snapshot_base::order::sorted;
use std::collections::VecDeque;

/// Age up to which arrivals are kept, ms.
const KEPT_MS: f64 = 10_000.0;
/// Upper limit of the number of kept arrivals: 10 s at 60 snapshots a second, and some more after a stall.
const KEPT_MAX: usize = 1_000;

/// A meter of the delays in the last 10 s. Sender and receiver have clocks of their own, so only differences are known.
#[derive(Clone, Debug, Default)]
pub(super) struct DelayMeter {
    /// Arrivals, oldest first: the time of arrival, and this time minus the time of the snapshot, both in ms.
    arrivals: VecDeque<(f64, f64)>,
}

impl DelayMeter {
    /// Adds the arrival of a snapshot. `sent_ms` is its departure on the sender's clock, ms.
    pub(super) fn on_arrival(&mut self, now_ms: f64, sent_ms: f64) {
        let is_old = |first: &(f64, f64)| first.0 < now_ms - KEPT_MS;
        while self.arrivals.len() >= KEPT_MAX || self.arrivals.front().is_some_and(is_old) {
            self.arrivals.pop_front();
        }
        self.arrivals.push_back((now_ms, now_ms - sent_ms));
    }

    /// Returns the median and the 95th percentile of the delays, ms, assuming that the fastest snapshot took `least_ms`.
    /// `None` before the first arrival. A delay is at most the length of the window, whatever a guest says of its clock.
    pub(super) fn delays_ms(&self, least_ms: f64) -> Option<[f64; 2]> {
        let ways_ms = sorted(self.arrivals.iter().map(|(_, way_ms)| *way_ms));
        let last = ways_ms.len().checked_sub(1)?;
        let later_ms = |share: f64| ways_ms[(share * last as f64).round() as usize] - ways_ms[0];
        let at = |share: f64| least_ms + later_ms(share).min(KEPT_MS);
        Some([at(0.5), at(0.95)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delays_are_those_of_the_last_ten_seconds_whatever_the_clocks_say() {
        for ahead_ms in [0.0, -7e8, 4e5] {
            let mut meter = DelayMeter::default();
            assert_eq!(meter.delays_ms(5.0), None);
            // A slow second long ago, then delays of 20 to 59 ms.
            for number in 0..1_000 {
                let sent_ms = f64::from(number) * 20.0;
                let way_ms = if number < 50 { 900 } else { 20 + number % 40 };
                meter.on_arrival(sent_ms + f64::from(way_ms), sent_ms + ahead_ms);
            }
            let [median_ms, p95_ms] = meter.delays_ms(5.0).unwrap();
            assert!((24.0..=26.0).contains(&median_ms), "{median_ms}");
            assert!((41.0..=43.0).contains(&p95_ms), "{p95_ms}");
        }
    }

    #[test]
    fn a_guest_whose_clock_jumps_is_not_later_than_the_window() {
        let mut meter = DelayMeter::default();
        for now_ms in [0.0, 1e12, 5.0, 1e12] {
            meter.on_arrival(now_ms, 0.0);
        }
        let [median_ms, p95_ms] = meter.delays_ms(5.0).unwrap();
        assert!(median_ms <= p95_ms && p95_ms <= KEPT_MS + 5.0, "{p95_ms}");
    }

    #[test]
    fn a_burst_keeps_the_meter_small() {
        let mut meter = DelayMeter::default();
        (0..100_000).for_each(|number| meter.on_arrival(5.0, f64::from(number)));
        assert_eq!(meter.arrivals.len(), KEPT_MAX);
    }
}
