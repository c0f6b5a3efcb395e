//! Stalls of a link: times at which no packet passes and none is dropped. Packets wait for the end of the stall.
//!
//! The start and length of a stall are a function of the seed, the direction and the stall's number, so no history is kept.

use snapshot_base::random::KeyedDraw;

/// Settings of a link's stalls: times at which no packet passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StallConditions {
    /// Number of stalls a minute, above 0.
    pub per_minute: f64,
    /// Length of a stall, ms; the mean if stalls are random. No stall is longer than half of the mean time from one to the
    /// next.
    pub length_ms: f64,
    /// True if starts and lengths of stalls are random. Lengths are exponential, at most four times their mean.
    pub random: bool,
}

impl StallConditions {
    /// Length of the longest possible stall, ms.
    pub fn longest_ms(&self) -> f64 {
        let means = if self.random { LONGEST_MEANS } else { 1.0 };
        (means * self.length_ms).min(30_000.0 / self.per_minute)
    }

    /// Returns the wait, ms, that only the share `late` of packets exceeds; 0 if fewer packets meet a stall.
    pub(super) fn wait_ms(&self, late: f64) -> f64 {
        let late_ms = late * 60_000.0 / self.per_minute;
        let wait_ms = if self.random {
            self.length_ms * libm::log(self.length_ms / late_ms)
        } else {
            self.length_ms - late_ms
        };
        // A clamp of floats would bring their formatting into every program.
        wait_ms.max(0.0).min(self.longest_ms())
    }
}

/// Upper limit of a random stall's length, as a multiple of the mean length.
const LONGEST_MEANS: f64 = 4.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Stalls {
    keyed: KeyedDraw,
    period_ms: f64,
    conditions: StallConditions,
}

impl Stalls {
    /// Creates the stalls of a link, with the key of their random numbers.
    pub(super) fn new(conditions: StallConditions, keyed: KeyedDraw) -> Stalls {
        Stalls {
            keyed,
            period_ms: 60_000.0 / conditions.per_minute,
            conditions,
        }
    }

    /// Wait of a packet that comes at `at_ms`, ms; 0 outside of stalls.
    pub(super) fn wait_ms(&self, at_ms: f64) -> f64 {
        let mut end_ms = at_ms;
        // One stall may end in another.
        while let Some(later_ms) = self.end_of_stall_at(end_ms) {
            end_ms = later_ms;
        }
        end_ms - at_ms
    }

    /// Returns the end of a stall that a time lies in, ms; `None` if it lies in none. One stall begins in each period, the mean
    /// time from one stall to the next. It lasts half a period at most, so it began in the time's period or in the one before.
    fn end_of_stall_at(&self, at_ms: f64) -> Option<f64> {
        let period = (at_ms.max(0.0) / self.period_ms) as u64;
        (period.saturating_sub(1)..=period).find_map(|period| {
            let (start_ms, end_ms) = self.stall(period);
            (start_ms <= at_ms && at_ms < end_ms).then_some(end_ms)
        })
    }

    /// Returns start and end of the stall that begins in a period, ms.
    fn stall(&self, period: u64) -> (f64, f64) {
        let StallConditions {
            length_ms, random, ..
        } = self.conditions;
        let (place, length_ms) = if random {
            let keyed = self.keyed.with(period);
            let means = -libm::log(1.0 - keyed.with(1).unit());
            (keyed.with(0).unit(), length_ms * means.min(LONGEST_MEANS))
        } else {
            // One draw for all: the first of a seed begins somewhere in its period.
            (self.keyed.unit(), length_ms)
        };
        let start_ms = (period as f64 + place) * self.period_ms;
        (start_ms, start_ms + length_ms.min(self.period_ms / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(conditions: StallConditions, minutes: u32) -> Vec<f64> {
        let stalls = Stalls::new(conditions, KeyedDraw::new(5, 0));
        let instants = (0..minutes * 60_000).map(f64::from);
        instants.map(|at_ms| stalls.wait_ms(at_ms)).collect()
    }

    /// Number of stalls, and the mean of their lengths in ms.
    fn measured(waits: &[f64]) -> (usize, f64) {
        let begins = |pair: &&[f64]| pair[0] == 0.0 && pair[1] > 0.0;
        let stalls = waits.windows(2).filter(begins).count();
        let stalled_ms = waits.iter().filter(|wait_ms| **wait_ms > 0.0).count();
        (stalls, stalled_ms as f64 / stalls as f64)
    }

    #[test]
    fn periodic_stalls_come_every_so_often_and_all_wait_for_the_end() {
        let conditions = StallConditions {
            per_minute: 4.0,
            length_ms: 100.0,
            random: false,
        };
        let waits = waits(conditions, 10);
        assert_eq!(measured(&waits), (40, 100.0));
        let stalled: Vec<usize> = (0..waits.len()).filter(|&ms| waits[ms] > 0.0).collect();
        assert!(
            stalled
                .windows(2)
                .all(|pair| [1, 14_901].contains(&(pair[1] - pair[0])))
        );
        let ends = stalled.iter().map(|&ms| ms as f64 + waits[ms]);
        assert!(
            ends.clone()
                .take(100)
                .all(|end_ms| (end_ms - ends.clone().next().unwrap()).abs() < 1e-6)
        );
        // No stall takes more than half of the time.
        let longer = StallConditions {
            per_minute: 60.0,
            length_ms: 5000.0,
            ..conditions
        };
        assert_eq!(measured(&self::waits(longer, 1)).1.round(), 500.0);
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn random_stalls_have_the_rate_and_the_mean_length() {
        let conditions = StallConditions {
            per_minute: 10.2,
            length_ms: 400.0,
            random: true,
        };
        let waits = waits(conditions, 200);
        let (stalls, mean_ms) = measured(&waits);
        // Two that meet count as one, and the longest are cut: up to a tenth apart from what is set.
        assert!((1836..=2040).contains(&stalls), "{stalls}");
        assert!((mean_ms - 400.0).abs() < 40.0, "{mean_ms}");
        let longest_ms = waits
            .iter()
            .fold(0.0_f64, |longest, wait| longest.max(*wait));
        assert!(longest_ms <= 3200.0, "{longest_ms}");
    }
}
