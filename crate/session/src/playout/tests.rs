//! Playout that adapts, held to drawn delays, steps of delay and drifting clocks.

use super::{Aim, Clock, Estimator, Instant, MOST_DELAY_MS};
use snapshot_base::random::Stream;
use snapshot_base::time::WORLD;

const INTERVAL_MS: f64 = 1000.0 / 60.0;

fn aim(late: f64) -> Aim {
    Aim {
        late,
        catchup: 0.05,
    }
}

fn clock() -> Clock {
    Clock::new(WORLD, aim(0.01), INTERVAL_MS, 0.0, 0.0)
}

/// The receiver's clock beside the sender's: so much faster, and at the start at so many ms.
#[derive(Clone, Copy)]
struct Receiver {
    start_ms: f64,
    drift: f64,
}

const EXACT: Receiver = Receiver {
    start_ms: 0.0,
    drift: 0.0,
};

impl Receiver {
    fn ms(&self, tick: u64) -> f64 {
        self.start_ms + WORLD.ms_of_tick(tick as f64) * (1.0 + self.drift)
    }
}

struct Shown {
    tick: u64,
    instant: Instant,
}

/// Plays packets of each tick, delayed as told. None is a lost one.
fn play(
    clock: &mut Clock,
    ticks: u64,
    receiver: Receiver,
    mut delay_ms: impl FnMut(u64) -> Option<f64>,
) -> Vec<Shown> {
    let mut on_the_way: Vec<(f64, u64)> = Vec::new();
    let mut shown = Vec::new();
    for tick in 1..=ticks {
        let now_ms = receiver.ms(tick);
        let arrives = delay_ms(tick).map(|delay_ms| (now_ms + delay_ms, tick));
        on_the_way.extend(arrives);
        on_the_way.sort_by(|a, b| a.0.total_cmp(&b.0));
        let arrived = on_the_way.partition_point(|(arrival_ms, _)| *arrival_ms <= now_ms);
        for (arrival_ms, tick) in on_the_way.drain(..arrived) {
            clock.packet(arrival_ms, tick as i64);
        }
        shown.extend(clock.advance(now_ms).map(|instant| Shown { tick, instant }));
    }
    shown
}

/// Normal by Box and Muller's polar form.
fn normal(stream: &mut Stream) -> f64 {
    loop {
        let [x, y] = [0, 1].map(|_| stream.between(-1.0, 1.0));
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// Pareto of shape 3, from 1 on.
fn pareto(stream: &mut Stream) -> f64 {
    1.0 / libm::cbrt(1.0 - stream.unit())
}

#[test]
fn the_estimate_is_the_quantile_of_the_delays() {
    // The quantile of 600 packets is a draw: its mean over ten minutes is held to the distribution's.
    let of_normal = |stream: &mut Stream| 60.0 + 5.0 * normal(stream);
    let of_pareto = |stream: &mut Stream| 40.0 + 5.0 * pareto(stream);
    type Draws<'a> = (&'a dyn Fn(&mut Stream) -> f64, [f64; 2]);
    let draws: [Draws<'_>; 2] = [
        // 60 + 5 x 1.645 and 60 + 5 x 2.326; 40 + 5 x 20^(1/3) and 40 + 5 x 100^(1/3).
        (&of_normal, [68.22, 71.63]),
        (&of_pareto, [53.57, 63.21]),
    ];
    for (draw, quantiles_ms) in draws {
        for (late, quantile_ms) in [0.05, 0.01].into_iter().zip(quantiles_ms) {
            let mut estimator = Estimator::new(WORLD, late, INTERVAL_MS, 0.0);
            let mut stream = Stream::new(1, 1);
            let (mut sum_ms, mut count) = (0.0, 0.0);
            for tick in 0..36_000 {
                let arrival_ms = WORLD.ms_of_tick(tick as f64) + draw(&mut stream);
                estimator.packet(arrival_ms, arrival_ms, tick);
                // Play needs a packet one interval before its own tick, and keeps clear of it by 1 ms.
                sum_ms += WORLD.ms_of_tick(estimator.target_ticks()) - INTERVAL_MS - 1.0;
                count += 1.0;
            }
            let mean_ms = sum_ms / count;
            let off_ms = mean_ms - quantile_ms;
            assert!(
                off_ms.abs() < 0.05 * (quantile_ms - 40.0),
                "{late}: {mean_ms} for {quantile_ms}"
            );
        }
    }
}

#[test]
fn no_more_packets_are_late_than_allowed_and_few_less() {
    const SHOWS_PER_TICK: u64 = 16;
    for (late, seed) in [(0.01, 1), (0.05, 2), (0.1, 3)] {
        let mut stream = Stream::new(seed, 1);
        let mut clock = Clock::new(WORLD, aim(late), INTERVAL_MS, 0.0, 0.0);
        let mut next = (50.0, 1);
        let (mut late_packets, mut waited) = (0, false);
        for show in 0..SHOWS_PER_TICK * 60 * 600 {
            let now_ms = WORLD.ms_of_tick(show as f64 / SHOWS_PER_TICK as f64);
            while next.0 <= now_ms {
                clock.packet(next.0, next.1);
                let tick = next.1 + 1;
                // No packet overtakes another.
                let arrival_ms = WORLD.ms_of_tick(tick as f64) + 40.0 + 4.0 * pareto(&mut stream);
                next = (arrival_ms.max(next.0), tick);
            }
            let waits = clock.advance(now_ms).is_some_and(|instant| instant.waits);
            late_packets += u32::from(waits && !waited);
            waited = waits;
        }
        let share = f64::from(late_packets) / 36_000.0;
        println!("{late}: {share}");
        assert!(share < 1.1 * late && share > 0.3 * late, "{late}: {share}");
    }
}

#[test]
fn play_is_monotone_and_its_speed_bounded_whatever_comes() {
    for seed in 0..40 {
        let mut stream = Stream::new(seed, 1);
        let catchup = stream.between(0.0, 0.2);
        let loss = stream.between(0.0, 0.5);
        let spread_ms = stream.between(0.0, 400.0);
        let goes_on_ms = stream.between(0.0, 200.0);
        let mut clock = Clock::new(
            WORLD,
            Aim {
                late: 0.01,
                catchup,
            },
            INTERVAL_MS,
            0.0,
            goes_on_ms,
        );
        let receiver = Receiver {
            start_ms: stream.between(0.0, 1e6),
            drift: stream.between(-1e-3, 1e-3),
        };
        let shown = play(&mut clock, 60 * 60, receiver, |_| {
            let spread_ms = spread_ms * stream.unit();
            (stream.unit() >= loss).then_some(spread_ms)
        });
        let mut newest_ticks = f64::NEG_INFINITY;
        for pair in shown.windows(2) {
            let [before, now] = [&pair[0].instant, &pair[1].instant];
            let moved = now.play_tick - before.play_tick;
            let passed = WORLD.tick_of_ms(receiver.ms(pair[1].tick) - receiver.ms(pair[0].tick));
            assert!(moved >= 0.0, "seed {seed}");
            assert!(
                moved <= passed * (1.0 + catchup) + 1e-6,
                "seed {seed}: {moved}"
            );
            assert!(
                now.waits || moved >= passed * (1.0 - catchup) - 1e-6,
                "seed {seed}: {moved}"
            );
            assert!(
                now.waits || (now.speed - moved / passed).abs() < 1e-6,
                "seed {seed}"
            );
            assert!((0.0..=1.0 + catchup).contains(&now.speed), "seed {seed}");
            newest_ticks = now.play_tick.max(newest_ticks);
        }
        assert!(newest_ticks > 3000.0, "seed {seed}: {newest_ticks}");
    }
}

#[test]
fn a_drift_of_500_ppm_does_not_add_up_over_an_hour() {
    for drift in [-500e-6, 500e-6] {
        let mut stream = Stream::new(5, 1);
        let receiver = Receiver {
            start_ms: 7e5,
            drift,
        };
        let shown = play(&mut clock(), 60 * 3600, receiver, |_| {
            Some(50.0 + 2.0 * normal(&mut stream))
        });
        let minute = |from: usize| {
            let shown = &shown[from..from + 3600];
            let behind = shown.iter().map(|it| it.tick as f64 - it.instant.play_tick);
            WORLD.ms_of_tick(behind.sum::<f64>() / 3600.0)
        };
        let (first_ms, last_ms) = (minute(3600), minute(shown.len() - 3600));
        // By an hour at 500 ppm the clocks are 1.8 s apart.
        assert!((first_ms - last_ms).abs() < 2.0, "{first_ms} {last_ms}");
        assert!((60.0..90.0).contains(&last_ms), "{last_ms}");
    }
}

/// Mean lag over a second, ms.
fn lag_ms(shown: &[Shown], second: u64) -> f64 {
    let of_second = shown.iter().filter(|shown| shown.tick / 60 == second);
    let lags: Vec<_> = of_second
        .map(|it| it.tick as f64 - it.instant.play_tick)
        .collect();
    WORLD.ms_of_tick(lags.iter().sum::<f64>() / lags.len() as f64)
}

#[test]
fn a_step_of_delay_is_followed_at_once_upwards_and_after_the_window_downwards() {
    let mut stream = Stream::new(9, 1);
    let shown = play(&mut clock(), 60 * 90, EXACT, |tick| {
        let step_ms = if (1800..3600).contains(&tick) {
            100.0
        } else {
            0.0
        };
        Some(50.0 + step_ms + stream.between(0.0, 4.0))
    });
    let lag_ms = |second| lag_ms(&shown, second);
    let (before, high, after) = (lag_ms(29), lag_ms(55), lag_ms(89));
    assert!((before - after).abs() < 1.0, "{before} {after}");
    assert!((high - before - 100.0).abs() < 2.0, "{before} {high}");
    // Upwards: play waits once for 100 ms, and is there within a second.
    let waits = shown
        .iter()
        .filter(|shown| shown.instant.waits && shown.tick > 600);
    let waits: Vec<_> = waits.map(|shown| shown.tick).collect();
    assert!(
        waits.iter().all(|tick| (1800..1890).contains(tick)),
        "{waits:?}"
    );
    assert!(waits.len() < 20, "{waits:?}");
    assert!((lag_ms(31) - high).abs() < 5.0, "{}", lag_ms(31));
    // Downwards: 10 s until the window has forgotten, then 100 ms at 5 % in 2 s, and the rest in one more.
    assert!((lag_ms(69) - high).abs() < 2.0, "{}", lag_ms(69));
    assert!((lag_ms(74) - after).abs() < 2.0, "{}", lag_ms(74));
}

#[test]
fn after_a_long_cut_play_begins_again_where_it_would_be() {
    let shown = play(&mut clock(), 60 * 60, EXACT, |tick| {
        (!(1200..1500).contains(&tick)).then_some(50.0)
    });
    let frozen = shown.iter().filter(|it| it.instant.waits && it.tick > 600);
    assert!((290..310).contains(&frozen.count()));
    assert!((lag_ms(&shown, 27) - lag_ms(&shown, 19)).abs() < 1.0);
}

#[test]
fn ten_seconds_are_remembered_and_no_more_is_ever_held() {
    let mut estimator = Estimator::new(WORLD, 0.0, INTERVAL_MS, 0.0);
    let held_bytes = estimator.held_bytes();
    for tick in 0..3600 {
        let delay_ms = if tick == 1000 { 300.0 } else { 20.0 };
        let arrival_ms = WORLD.ms_of_tick(tick as f64) + delay_ms;
        estimator.packet(arrival_ms, arrival_ms, tick);
        let remembers = estimator.target_ticks() > 18.0;
        assert_eq!(remembers, (1000..=1616).contains(&tick), "{tick}");
    }
    // A flood, from a second ahead to hours ago, all at once.
    for tick in (0..100_000).rev() {
        estimator.packet(60_000.0, 60_000.0, tick);
    }
    assert_eq!(estimator.held_bytes(), held_bytes);
    let delay_ms = WORLD.ms_of_tick(estimator.target_ticks() - estimator.least_ticks());
    assert!(delay_ms <= MOST_DELAY_MS + 3.0 * INTERVAL_MS + 1e-9);
}

#[test]
fn the_same_arrivals_give_the_same_instants() {
    let run = || {
        let mut stream = Stream::new(4, 1);
        let shown = play(&mut clock(), 3000, EXACT, |_| Some(80.0 * stream.unit()));
        let bits = shown.iter().map(|it| it.instant.play_tick.to_bits());
        bits.collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
