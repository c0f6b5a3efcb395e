//! Probes of the playout delay alone: small packets over a link, played with an adaptive delay and with a fixed delay of equal
//! mean age.

use crate::link_probe::outcomes;
use snapshot_base::time::WORLD;
use snapshot_settings::{DelayStart, Settings};
use snapshot_view::playout::{Clock, FixedClock};

/// Playback speed below which a tick counts as still, as in a lane.
const STILL_BELOW: f64 = 0.25;
/// Longest fixed delay that the search tries, ms.
const MOST_DELAY_MS: f64 = 20_000.0;

/// Extent of the measured runs: when counting begins, how long it lasts, and how many seeds.
#[derive(Clone, Copy, Debug)]
pub struct CountedTicks {
    /// Warm-up in seconds from the first packet on; its ticks are not counted.
    pub from_s: u32,
    /// Seconds of counted ticks after the warm-up.
    pub seconds: u32,
    /// Number of runs: the first with the settings' seed, the others with the seeds after it.
    pub seeds: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedRuns {
    /// Mean time in ms from an instant at the sender to its display.
    pub age_ms: f64,
    /// Milliseconds a minute spent in still ticks, which play less than a quarter of a tick.
    pub still_ms_per_minute: f64,
    /// Freezes a minute: runs of consecutive still ticks.
    pub freezes_per_minute: f64,
    /// Root mean square of playback speed minus one: it counts freezes, jumps, and faster or slower play.
    pub speed_rms: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutComparison {
    /// Playback with the adaptive playout clock, whatever the settings' own delay is.
    pub adaptive: PlayedRuns,
    /// Playback with a fixed delay, the same in all runs, chosen so that the mean age is equal.
    pub fixed: PlayedRuns,
    /// Fixed delay of `fixed` in ms, counted from the fastest packets, or from the first one where the settings say so.
    pub fixed_delay_ms: f64,
}

/// A packet's arrival time in ms and its tick.
type Arrival = (f64, i64);

/// Sends packets of 100 bytes in the settings' forward direction at their send rate, and compares both ways to play them.
pub fn compare(settings: &Settings, span: CountedTicks) -> PlayoutComparison {
    let runs: Vec<_> = (0..span.seeds)
        .map(|seed| arrivals(settings, span, settings.seed() + seed))
        .collect();
    let interval_ms = settings.lane().send_interval_ms();
    let aim = settings.lane().playout_aim();
    let counts_from_first = settings.delay_start() == DelayStart::First;
    let clock_speed = settings.lane().receiver_clock();
    let adaptive = played(&runs, span, clock_speed, |arrivals| {
        let mut clock = Clock::new(WORLD, aim, interval_ms, 0.0, 0.0);
        let mut arrivals = arrivals.iter().peekable();
        move |now_ms| {
            while let Some((at_ms, tick)) = arrivals.next_if(|(at_ms, _)| *at_ms <= now_ms) {
                clock.packet(*at_ms, *tick);
            }
            clock.advance(now_ms).map(|instant| instant.play_tick)
        }
    });
    let fixed = |delay_ms: f64| {
        played(&runs, span, clock_speed, |arrivals| {
            let first = arrivals.first().copied();
            let mut clock = FixedClock::new(WORLD, delay_ms, interval_ms);
            let mut arrivals = arrivals.iter().peekable();
            let mut newest = None;
            move |now_ms| {
                while let Some((at_ms, tick)) = arrivals.next_if(|(at_ms, _)| *at_ms <= now_ms) {
                    newest = newest.max(Some(*tick));
                    clock.packet(*at_ms, *tick);
                }
                let (first_ms, first_tick) = first?;
                let played = match counts_from_first {
                    true => WORLD.tick_of_ms(now_ms - delay_ms - first_ms) + first_tick as f64,
                    false => clock.advance(now_ms)?.play_tick,
                };
                newest.map(|newest| played.min(newest as f64))
            }
        })
    };
    let (mut less_ms, mut more_ms) = (-MOST_DELAY_MS, MOST_DELAY_MS);
    for _ in 0..40 {
        let middle_ms = f64::midpoint(less_ms, more_ms);
        if fixed(middle_ms).age_ms < adaptive.age_ms {
            less_ms = middle_ms;
        } else {
            more_ms = middle_ms;
        }
    }
    PlayoutComparison {
        adaptive,
        fixed: fixed(more_ms),
        fixed_delay_ms: more_ms,
    }
}

fn arrivals(settings: &Settings, span: CountedTicks, seed: u32) -> Vec<Arrival> {
    let lane = settings.lane();
    let ticks = WORLD.ticks_of_seconds(u64::from(span.from_s + span.seconds));
    let sends = (0..ticks).filter(|tick| WORLD.sends_at(*tick, lane.send_rate_hz()));
    let sent = outcomes(settings, seed, sends.clone());
    let mut all: Vec<Arrival> = (sent.zip(sends))
        .filter_map(|(sent, tick)| Some((sent.arrival_ms? * lane.receiver_clock(), tick as i64)))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// Plays each run with a clock of its own, which maps an instant of the receiver to the tick to show. The receiver's clock runs
/// at this speed.
fn played<'a, P: FnMut(f64) -> Option<f64>>(
    runs: &'a [Vec<Arrival>],
    span: CountedTicks,
    clock_speed: f64,
    player: impl Fn(&'a [Arrival]) -> P,
) -> PlayedRuns {
    let from = WORLD.ticks_of_seconds(u64::from(span.from_s));
    let to = from + WORLD.ticks_of_seconds(u64::from(span.seconds));
    let (mut shown, mut still, mut freezes) = (0_u64, 0_u64, 0_u64);
    let (mut age_ticks, mut square) = (0.0, 0.0);
    for run in runs {
        let mut play = player(run);
        let (mut before, mut stood) = (None, false);
        for tick in 0..to {
            // Before the first packet's own tick there is nothing to show.
            let Some(now) =
                play(WORLD.ms_of_tick(tick as f64) * clock_speed).filter(|now| *now >= 0.0)
            else {
                continue;
            };
            let speed = before.replace(now).map(|before| now - before);
            let Some(speed) = speed.filter(|_| tick >= from) else {
                continue;
            };
            let stands = speed < STILL_BELOW;
            shown += 1;
            still += u64::from(stands);
            freezes += u64::from(stands && !stood);
            age_ticks += tick as f64 - now;
            square += (speed - 1.0) * (speed - 1.0);
            stood = stands;
        }
    }
    let shown = shown as f64;
    let minutes = WORLD.ms_of_tick(shown) / 60_000.0;
    PlayedRuns {
        age_ms: WORLD.ms_of_tick(age_ticks / shown),
        still_ms_per_minute: WORLD.ms_of_tick(still as f64) / minutes,
        freezes_per_minute: freezes as f64 / minutes,
        speed_rms: (square / shown).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_settings::permalink;

    const SPAN: CountedTicks = CountedTicks {
        from_s: 10,
        seconds: 60,
        seeds: 8,
    };

    fn compared(link: &str) -> PlayoutComparison {
        let compared = compare(&permalink::parse(link).0, SPAN);
        println!("{link}: {compared:?}");
        let apart_ms = compared.adaptive.age_ms - compared.fixed.age_ms;
        assert!(apart_ms.abs() < 1.0, "{apart_ms}");
        compared
    }

    #[test]
    fn on_bad_links_play_that_adapts_stands_still_for_less_than_with_a_fixed_delay_of_its_age() {
        for preset in ["wifi-busy", "4g-moving", "starlink", "bufferbloat"] {
            let PlayoutComparison {
                adaptive, fixed, ..
            } = compared(&format!("hz=60&link={preset}"));
            let share = adaptive.still_ms_per_minute / fixed.still_ms_per_minute;
            assert!(share < 0.7, "{preset}: {share}");
        }
    }

    #[test]
    fn an_even_link_has_no_freezes_and_little_delay() {
        let PlayoutComparison { adaptive, .. } = compared("hz=60&latency=52&jitter=0&loss=0");
        assert_eq!(adaptive.freezes_per_minute, 0.0);
        assert!((52.0..70.0).contains(&adaptive.age_ms), "{adaptive:?}");
        assert!(adaptive.speed_rms < 0.02, "{adaptive:?}");
    }
}
