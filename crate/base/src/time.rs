//! Ticks of 1/60 s, milliseconds, and the 16-bit sequence that a tick has on the wire.

/// Ticks a second of the simulation.
pub const TICKS_PER_S: u32 = 60;

/// The instant of a tick.
pub fn ms_of_tick(tick: f64) -> f64 {
    tick * 1000.0 / f64::from(TICKS_PER_S)
}

/// Ticks as seconds.
pub fn seconds_of_ticks(ticks: u64) -> f64 {
    ticks as f64 / f64::from(TICKS_PER_S)
}

/// The tick, and its fraction, of an instant.
pub fn tick_of_ms(ms: f64) -> f64 {
    ms * f64::from(TICKS_PER_S) / 1000.0
}

/// Says whether a packet leaves at `tick`. It does where floor(tick x hz / 60) grows: any rate from 1 to 60 comes out exactly
/// over a second.
pub fn sends_at(tick: u64, send_rate_hz: u32) -> bool {
    tick > 0 && packet_number(tick, send_rate_hz) > packet_number(tick - 1, send_rate_hz)
}

/// Ticks from `tick` to the next at which a packet leaves.
pub fn ticks_until_send(tick: u64, send_rate_hz: u32) -> u64 {
    let next = packet_number(tick, send_rate_hz) + 1;
    (next * u64::from(TICKS_PER_S)).div_ceil(u64::from(send_rate_hz.max(1))) - tick
}

/// The number of the packet that leaves at `tick`, or left last before it: floor(tick x hz / 60).
pub fn packet_number(tick: u64, send_rate_hz: u32) -> u64 {
    tick * u64::from(send_rate_hz) / u64::from(TICKS_PER_S)
}

/// A snapshot's sequence on the wire: its tick, which wraps after 18.2 minutes.
pub fn sequence_of_tick(tick: u64) -> u16 {
    (tick % (1 << 16)) as u16
}

/// Greatest drift between two clocks, in parts per million. Crystals of computers stay within a tenth of it.
const DRIFT_MAX_PPM: f64 = 1000.0;
/// Time in s that a sender's clock gains on its receiver's at most. With the first second it stays below 256 ticks, so that a
/// packet at the horizon drops no baseline that is in use.
const DRIFT_MAX_S: f64 = 3.0;

/// The newest tick accepted from a packet that arrives then; a newer one is forged. At the start a sender's clock is at most a
/// second ahead of its receiver's. From then on it gains no more than 1,000 ppm, and no more than 3 s in all.
pub fn horizon_tick(arrival_tick: f64) -> i64 {
    let most_ticks = DRIFT_MAX_S * f64::from(TICKS_PER_S);
    let gained_ticks = (arrival_tick * DRIFT_MAX_PPM / 1e6).clamp(0.0, most_ticks);
    (arrival_tick + gained_ticks) as i64 + i64::from(TICKS_PER_S)
}

/// The tick nearest to `now` that has this sequence. Before the first wrap it is negative for a sequence from before tick 0.
pub fn tick_of_sequence(sequence: u16, now: i64) -> i64 {
    let behind = (now as u16).wrapping_sub(sequence) as i16;
    now - i64::from(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_of_a_clock_that_drifts_are_believed_and_those_of_the_far_future_are_not() {
        assert_eq!(horizon_tick(9.0), 69);
        for minutes in [1.0, 18.0, 50.0] {
            // A receiver's clock that is slow by 1,000 ppm.
            let sent_tick = minutes * 3600.0;
            let arrival_tick = sent_tick * 0.999;
            assert!(horizon_tick(arrival_tick) >= sent_tick as i64, "{minutes}");
        }
        for arrival_tick in [0.0, 1e4, 1e6, 1e9] {
            assert!(horizon_tick(arrival_tick) < arrival_tick as i64 + 256);
        }
    }

    #[test]
    fn every_rate_sends_that_often() {
        for hz in 1..=60 {
            let first = (1..=60).filter(|&tick| sends_at(tick, hz)).count();
            let later = (6001..=6060).filter(|&tick| sends_at(tick, hz)).count();
            assert_eq!((first, later), (hz as usize, hz as usize));
            for tick in 0..130 {
                let next = (tick + 1..).find(|&tick| sends_at(tick, hz));
                assert_eq!(Some(tick + ticks_until_send(tick, hz)), next);
            }
        }
        assert!(!sends_at(0, 60));
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
