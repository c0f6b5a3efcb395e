//! A playout delay by itself: small packets over a link, played with a delay that adapts and with a fixed one of the same age.

use super::link_probe::PROBE_BYTES;
use serde::Serialize;
use snapshot_base::time::WORLD;
use snapshot_lane::PacketSize;
use snapshot_netsim::channel::{Channel, Conditions, LinkInputs};
use snapshot_settings::{Direction, Key, Settings};
use snapshot_view::playout::Clock;

/// Speed of play below which a tick counts as frozen. It takes a clock at its slowest, 0.76, for play.
const FROZEN_BELOW: f64 = 0.75;
/// Fixed delays are looked for up to here.
const MOST_DELAY_MS: f64 = 20_000.0;

/// The ticks of a run that count, from the first packet on.
#[derive(Clone, Copy, Debug)]
pub struct CountedTicks {
    /// Seconds before they count.
    pub from_s: u32,
    /// Seconds that count.
    pub seconds: u32,
    /// Runs with the settings' seed and those after it.
    pub seeds: u32,
}

/// The shown instants of all runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayedRuns {
    /// Mean time from an instant of the sender to its display.
    pub age_ms: f64,
    /// Time a minute in ticks that play less than three quarters of a tick.
    pub frozen_ms_per_minute: f64,
    /// Runs of such ticks.
    pub freezes_per_minute: f64,
    /// Root of the mean square of speed less one: freezes, jumps, and play that is faster or slower.
    pub speed_rms: f64,
}

/// A delay that adapts beside a fixed one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayoutComparison {
    /// By the clock of the settings, as if their playout delay were `adaptive`.
    pub adaptive: PlayedRuns,
    /// With the one delay for all runs whose mean age is the same.
    pub fixed: PlayedRuns,
    /// Delay of `fixed`, from the first packet's arrival.
    pub fixed_delay_ms: f64,
}

/// Arrival in ms and tick, in the order of arrival.
type Arrival = (f64, i64);

/// Sends packets of [`PROBE_BYTES`] over the settings' way ahead at the settings' rate, and plays them.
pub fn compare(settings: &Settings, span: CountedTicks) -> PlayoutComparison {
    let runs: Vec<_> = (0..span.seeds)
        .map(|seed| arrivals(settings, span, settings.get(Key::Seed) + seed))
        .collect();
    let interval_ms = settings.lane().send_interval_ms();
    let aim = settings.lane().playout_aim();
    let adaptive = played(&runs, span, |arrivals| {
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
        played(&runs, span, |arrivals| {
            let first = arrivals.first().copied();
            let mut arrivals = arrivals.iter().peekable();
            let mut newest = None;
            move |now_ms| {
                while let Some((_, tick)) = arrivals.next_if(|(at_ms, _)| *at_ms <= now_ms) {
                    newest = newest.max(Some(*tick));
                }
                let (first_ms, first_tick) = first?;
                let played = WORLD.tick_of_ms(now_ms - delay_ms - first_ms) + first_tick as f64;
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
    let conditions = Conditions {
        retransmission_timeout_ms: None,
        ..lane.conditions(Direction::Forward)
    };
    let given = LinkInputs::default();
    let way = Direction::Forward as u32;
    let mut channel = Channel::recorded(conditions, seed, way, given.trace.as_ref());
    let size = PacketSize::of(PROBE_BYTES, &lane);
    let mut arrived = Vec::new();
    let ticks = WORLD.ticks_of_seconds(u64::from(span.from_s + span.seconds));
    let sends = (0..ticks).filter(|tick| WORLD.sends_at(*tick, lane.send_rate_hz()));
    let mut all: Vec<Arrival> = (0..)
        .zip(sends)
        .filter_map(|(number, tick)| {
            let now_ms = WORLD.ms_of_tick(tick as f64);
            while channel.receive(now_ms, &mut arrived).is_some() {}
            let sent = channel.send_sized(now_ms, number, &[], size.fragments, size.wire_bytes);
            sent.arrival_ms.map(|at_ms| (at_ms, tick as i64))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// Plays each run by a clock of its own, which gives the tick to show at an instant of the receiver.
fn played<'a, P: FnMut(f64) -> Option<f64>>(
    runs: &'a [Vec<Arrival>],
    span: CountedTicks,
    player: impl Fn(&'a [Arrival]) -> P,
) -> PlayedRuns {
    let from = WORLD.ticks_of_seconds(u64::from(span.from_s));
    let to = from + WORLD.ticks_of_seconds(u64::from(span.seconds));
    let (mut shown, mut frozen, mut freezes) = (0_u64, 0_u64, 0_u64);
    let (mut age_ticks, mut square) = (0.0, 0.0);
    for run in runs {
        let mut play = player(run);
        let (mut before, mut stood) = (None, false);
        for tick in 0..to {
            // Before the first packet's own tick there is nothing to show.
            let Some(now) = play(WORLD.ms_of_tick(tick as f64)).filter(|now| *now >= 0.0) else {
                continue;
            };
            let speed = before.replace(now).map(|before| now - before);
            let Some(speed) = speed.filter(|_| tick >= from) else {
                continue;
            };
            let stands = speed < FROZEN_BELOW;
            shown += 1;
            frozen += u64::from(stands);
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
        frozen_ms_per_minute: WORLD.ms_of_tick(frozen as f64) / minutes,
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
        let (settings, notices) = permalink::parse(link);
        assert_eq!(notices, []);
        let compared = compare(&settings, SPAN);
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
            let share = adaptive.frozen_ms_per_minute / fixed.frozen_ms_per_minute;
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
