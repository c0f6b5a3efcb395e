//! Ticks, milliseconds, and the 16-bit sequence that a tick has on the wire.

/// Ticks a second of the simulated worlds.
pub const TICKS_PER_S: u32 = 60;

/// The tick rate of the simulated worlds. State synchronisation and lockstep simulate a world, so they have no other tick rate.
pub const WORLD: TickRate = TickRate(TICKS_PER_S);

/// A tick rate: ticks a second, 10 to 240.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TickRate(u32);

impl TickRate {
    /// Least ticks a second of a recorded motion.
    pub const LEAST_HZ: u32 = 10;
    /// Greatest ticks a second of a recorded motion.
    pub const MOST_HZ: u32 = 240;

    /// Makes a rate from ticks a second; `None` outside 10 to 240.
    pub const fn new(hz: u32) -> Option<TickRate> {
        if hz < Self::LEAST_HZ || hz > Self::MOST_HZ {
            return None;
        }
        Some(TickRate(hz))
    }

    /// The rate as ticks a second.
    pub const fn hz(self) -> u32 {
        self.0
    }

    /// Converts a tick, counted from tick 0, to ms.
    pub fn ms_of_tick(self, tick: f64) -> f64 {
        tick * 1000.0 / f64::from(self.0)
    }

    /// Converts ticks to seconds.
    pub fn seconds_of_ticks(self, ticks: u64) -> f64 {
        ticks as f64 / f64::from(self.0)
    }

    /// Converts whole seconds to ticks.
    pub fn ticks_of_seconds(self, seconds: u64) -> u64 {
        seconds * u64::from(self.0)
    }

    /// Converts a time in ms to the tick at it, with its fraction.
    pub fn tick_of_ms(self, ms: f64) -> f64 {
        ms * f64::from(self.0) / 1000.0
    }

    /// Returns true if a packet is sent at `tick`. It is where floor(tick x send rate / tick rate) grows: any send rate up to
    /// the tick rate comes out exactly over a second.
    pub fn sends_at(self, tick: u64, send_rate_hz: u32) -> bool {
        let number = |tick| self.packet_number(tick, send_rate_hz);
        tick > 0 && number(tick) > number(tick - 1)
    }

    /// Number of ticks from `tick` to the next one at which a packet is sent.
    pub fn ticks_until_send(self, tick: u64, send_rate_hz: u32) -> u64 {
        let next = self.packet_number(tick, send_rate_hz) + 1;
        (next * u64::from(self.0)).div_ceil(u64::from(send_rate_hz.max(1))) - tick
    }

    /// Number of the newest packet that is sent at or before `tick`: floor(tick x send rate / tick rate).
    pub fn packet_number(self, tick: u64, send_rate_hz: u32) -> u64 {
        tick * u64::from(send_rate_hz) / u64::from(self.0)
    }

    /// Returns the newest tick to accept from a packet that arrives at `arrival_tick`: a newer one is forged. A sender's clock
    /// starts at most 1 s ahead, and no more than 128 ticks. Then it gains at most 1,000 ppm, and 3 s in all. Both
    /// together are at most 255 ticks.
    pub fn horizon_tick(self, arrival_tick: f64) -> i64 {
        let lead_ticks = self.0.min(LEAD_MAX_TICKS);
        let most_ticks =
            (DRIFT_MAX_S * f64::from(self.0)).min(f64::from(HORIZON_TICKS - lead_ticks));
        let gained_ticks = (arrival_tick * DRIFT_MAX_PPM / 1e6)
            .max(0.0)
            .min(most_ticks);
        (arrival_tick + gained_ticks) as i64 + i64::from(lead_ticks)
    }
}

/// Returns a tick's sequence on the wire: the tick modulo 65,536, which wraps after 18.2 minutes.
pub fn sequence_of_tick(tick: u64) -> u16 {
    (tick % (1 << 16)) as u16
}

/// Greatest drift between two clocks, in parts per million. Crystals of computers stay within a tenth of it.
const DRIFT_MAX_PPM: f64 = 1000.0;
/// Upper limit of the time that a sender's clock gains on its receiver's, s.
const DRIFT_MAX_S: f64 = 3.0;
/// Upper limit of the ticks by which a sender's clock is ahead at the start, if a second has more ticks.
const LEAD_MAX_TICKS: u32 = 128;
/// Upper limit of the ticks from an arrival to the newest tick that is accepted then. So no accepted packet drops a baseline
/// that is in use.
const HORIZON_TICKS: u32 = 255;

/// Returns the tick nearest to `now` that has this sequence; negative for a sequence from before tick 0.
pub fn tick_of_sequence(sequence: u16, now: i64) -> i64 {
    let behind = (now as u16).wrapping_sub(sequence) as i16;
    now - i64::from(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_of_a_clock_that_drifts_are_believed_and_those_of_the_far_future_are_not() {
        assert_eq!(WORLD.horizon_tick(9.0), 69);
        assert_eq!(WORLD.horizon_tick(1e9), 1_000_000_240);
        for minutes in [1.0, 18.0, 50.0] {
            // A receiver's clock that is slow by 1,000 ppm.
            let sent_tick = minutes * 3600.0;
            let arrival_tick = sent_tick * 0.999;
            assert!(
                WORLD.horizon_tick(arrival_tick) >= sent_tick as i64,
                "{minutes}"
            );
        }
        for rate in [10, 30, 60, 64, 120, 128, 144, 240].map(|hz| TickRate::new(hz).unwrap()) {
            for arrival_tick in [0.0, 1e4, 1e6, 1e9] {
                let horizon = rate.horizon_tick(arrival_tick);
                assert!(horizon < arrival_tick as i64 + 256, "{rate:?}");
                assert!(horizon >= arrival_tick as i64 + i64::from(rate.hz().min(128)));
            }
        }
    }

    #[test]
    fn every_rate_sends_that_often() {
        for rate in [WORLD, TickRate(10), TickRate(50), TickRate(240)] {
            let second = u64::from(rate.hz());
            for hz in 1..=rate.hz() {
                let first = (1..=second).filter(|&tick| rate.sends_at(tick, hz));
                let later =
                    (100 * second + 1..=101 * second).filter(|&tick| rate.sends_at(tick, hz));
                assert_eq!((first.count(), later.count()), (hz as usize, hz as usize));
                for tick in 0..2 * second {
                    let next = (tick + 1..).find(|&tick| rate.sends_at(tick, hz));
                    assert_eq!(Some(tick + rate.ticks_until_send(tick, hz)), next);
                }
            }
            assert!(!rate.sends_at(0, rate.hz()));
        }
    }

    #[test]
    fn sequences_unwrap_around_now() {
        for now in [0_i64, 5, 65_535, 65_536, 65_540, 200_000] {
            for ago in [0_i64, 1, 100, 30_000, -1, -30_000] {
                if now - ago >= 0 {
                    assert_eq!(
                        tick_of_sequence(sequence_of_tick((now - ago) as u64), now),
                        now - ago
                    );
                }
            }
        }
    }
}
