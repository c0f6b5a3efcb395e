//! Playout that adapts, held to drawn delays, steps of delay and drifting clocks.

use super::{Aim, Clock, Estimator, FixedClock, Instant, MOST_DELAY_MS};
use snapshot_base::random::Stream;
use snapshot_base::time::WORLD;

/// Greatest rate, which jitter of 400 ms may be taken for.
const RATE: f64 = 0.2;
const INTERVAL_MS: f64 = 1000.0 / 60.0;

const AIM: Aim = Aim {
    freezes_per_minute: 2.0,
    change: 0.24,
    most_delay_ms: MOST_DELAY_MS,
};

fn clock() -> Clock {
    Clock::new(WORLD, AIM, INTERVAL_MS, 0.0, 0.0)
}

/// The receiver's clock beside the sender's: so much faster, and at the start at so many ms.
#[derive(Clone, Copy)]
struct TestReceiver {
    start_ms: f64,
    drift: f64,
}

const EXACT: TestReceiver = TestReceiver {
    start_ms: 0.0,
    drift: 0.0,
};

impl TestReceiver {
    fn ms(&self, tick: u64) -> f64 {
        self.start_ms + WORLD.ms_of_tick(tick as f64) * (1.0 + self.drift)
    }
}

struct ShownTicks {
    tick: u64,
    instant: Instant,
}

/// Plays packets of each tick, delayed as told. None is a lost one.
fn play(
    clock: &mut Clock,
    ticks: u64,
    receiver: TestReceiver,
    mut delay_ms: impl FnMut(u64) -> Option<f64>,
) -> Vec<ShownTicks> {
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
        shown.extend(
            clock
                .advance(now_ms)
                .map(|instant| ShownTicks { tick, instant }),
        );
    }
    shown
}

/// Pareto of shape 3, from 1 on.
fn pareto(stream: &mut Stream) -> f64 {
    1.0 / libm::cbrt(1.0 - stream.unit())
}

/// Runs of ticks in which play waits.
fn freezes(shown: &[ShownTicks]) -> usize {
    let begins = |pair: &&[ShownTicks]| !pair[0].instant.waits && pair[1].instant.waits;
    shown.windows(2).filter(begins).count()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn play_stands_still_about_as_often_as_allowed() {
    for freezes_per_minute in [1.0, 4.0, 15.0] {
        let mut stream = Stream::new(1, 1);
        let aim = Aim {
            freezes_per_minute,
            ..AIM
        };
        let mut clock = Clock::new(WORLD, aim, INTERVAL_MS, 0.0, 0.0);
        let mut held_ms = 0.0;
        // No packet overtakes another.
        let shown = play(&mut clock, 60 * 60 * 60, EXACT, |tick| {
            let sent_ms = WORLD.ms_of_tick(tick as f64);
            held_ms = f64::max(held_ms, sent_ms + 40.0 + 15.0 * pareto(&mut stream));
            Some(held_ms - sent_ms)
        });
        let counted = freezes(&shown) as f64 / 60.0;
        println!("{freezes_per_minute}: {counted}");
        let allowed = 0.2 * freezes_per_minute..1.4 * freezes_per_minute;
        assert!(
            allowed.contains(&counted),
            "{freezes_per_minute}: {counted}"
        );
    }
}

#[test]
fn play_slows_down_before_its_data_end_so_less_delay_covers_a_gap() {
    let gap = |change| {
        let aim = Aim { change, ..AIM };
        let mut clock = Clock::new(WORLD, aim, INTERVAL_MS, 0.0, 0.0);
        // A packet of 120 ms each second keeps the delay there. Then six are lost in a row.
        let shown = play(&mut clock, 60 * 60, EXACT, |tick| match tick {
            3300..3306 => None,
            _ if tick % 60 == 0 => Some(120.0),
            _ => Some(20.0),
        });
        let slowest = shown[3290..].iter().map(|it| it.instant.speed);
        assert_eq!(freezes(&shown[3200..]), 0, "{change}");
        (slowest.fold(1.0, f64::min), shown[3290].instant.delay_ms)
    };
    let ((slowest, delay_ms), (even, whole_delay_ms)) = (gap(0.24), gap(0.0));
    assert!(
        (slowest - 0.76).abs() < 1e-9 && even == 1.0,
        "{slowest} {even}"
    );
    assert!(
        delay_ms < 0.9 * whole_delay_ms,
        "{delay_ms} {whole_delay_ms}"
    );
}

#[test]
fn play_is_monotone_and_its_speed_bounded_whatever_comes() {
    for seed in 0..40 {
        let mut stream = Stream::new(seed, 1);
        let change = stream.between(0.0, 0.24);
        let loss = stream.between(0.0, 0.5);
        let spread_ms = stream.between(0.0, 400.0);
        let goes_on_ms = stream.between(0.0, 200.0);
        let mut clock = Clock::new(WORLD, Aim { change, ..AIM }, INTERVAL_MS, 0.0, goes_on_ms);
        let receiver = TestReceiver {
            start_ms: stream.between(0.0, 1e6),
            drift: stream.between(-1e-3, 1e-3),
        };
        let shown = play(&mut clock, 60 * 60, receiver, |_| {
            let spread_ms = spread_ms * stream.unit();
            (stream.unit() >= loss).then_some(spread_ms)
        });
        let mut newest_ticks = f64::NEG_INFINITY;
        let (mut waited, mut jumps) = (0, 0);
        for pair in shown.windows(2) {
            let [before, now] = [&pair[0].instant, &pair[1].instant];
            newest_ticks = now.play_tick.max(newest_ticks);
            if before.waits {
                waited = pair[0].tick;
            }
            let moved = now.play_tick - before.play_tick;
            let passed = WORLD.tick_of_ms(receiver.ms(pair[1].tick) - receiver.ms(pair[0].tick));
            assert!(moved >= 0.0, "seed {seed}");
            // After a freeze, and once an outage is left out, play begins again at its target.
            if moved > passed * (1.0 + change) * (1.0 + RATE) + 1e-6 {
                jumps += u64::from(pair[1].tick >= waited + 62);
                assert!(now.late_ms < 1e-6 || now.waits, "seed {seed}");
                continue;
            }
            assert!(
                now.waits || moved >= passed * (1.0 - change) * (1.0 - RATE) - 1e-6,
                "seed {seed}: {moved}"
            );
            assert!(
                now.waits || (now.speed - moved / passed).abs() < 1e-6,
                "seed {seed}"
            );
            assert!(
                (0.0..=(1.0 + change) * (1.0 + RATE)).contains(&(now.speed - 1e-9).max(0.0)),
                "seed {seed}"
            );
        }
        assert!(newest_ticks > 3000.0, "seed {seed}: {newest_ticks}");
        assert!(
            jumps <= 6,
            "seed {seed}: {jumps} jumps a minute without a freeze"
        );
    }
}

#[test]
fn go_live_forgets_what_play_needed() {
    let mut clock = clock();
    let mut lags_ms = Vec::new();
    for tick in 1..=1500_u64 {
        let now_ms = EXACT.ms(tick);
        // Twelve packets come together, twice: no outage is alone, so both count.
        match tick {
            600..612 | 900..912 => {}
            612 | 912 => (tick - 12..=tick).for_each(|late| clock.packet(now_ms, late as i64)),
            _ => clock.packet(now_ms, tick as i64),
        }
        if tick == 1200 {
            clock.go_live();
        }
        let instant = clock.advance(now_ms).unwrap();
        lags_ms.push(WORLD.ms_of_tick(tick as f64 - instant.play_tick));
    }
    let [before, waits, after] = [590, 1190, 1210].map(|tick| lags_ms[tick]);
    assert!(waits > before + 100.0, "{before} {waits}");
    assert!((after - before).abs() < 50.0, "{before} {after}");
    assert!(
        lags_ms[1210..]
            .iter()
            .all(|lag| (lag - before).abs() < 50.0)
    );
}

/// Mean lag over a second, ms.
fn lag_ms(shown: &[ShownTicks], second: u64) -> f64 {
    let of_second = shown.iter().filter(|shown| shown.tick / 60 == second);
    let lags: Vec<_> = of_second
        .map(|it| it.tick as f64 - it.instant.play_tick)
        .collect();
    WORLD.ms_of_tick(lags.iter().sum::<f64>() / lags.len() as f64)
}

#[test]
fn a_step_of_delay_is_followed_at_once_upwards_and_after_the_window_downwards() {
    let mut stream = Stream::new(9, 1);
    let shown = play(&mut clock(), 60 * 120, EXACT, |tick| {
        let step_ms = if (1800..3600).contains(&tick) {
            100.0
        } else {
            0.0
        };
        Some(50.0 + step_ms + stream.between(0.0, 4.0))
    });
    let lag_ms = |second| lag_ms(&shown, second);
    let (before, high, after) = (lag_ms(29), lag_ms(55), lag_ms(119));
    assert!((before - after).abs() < 1.5, "{before} {after}");
    assert!((high - before - 100.0).abs() < 2.0, "{before} {high}");
    // Upwards: play waits once for less than 100 ms, and is there within some seconds.
    let waits = shown
        .iter()
        .filter(|shown| shown.instant.waits && shown.tick > 600);
    let waits: Vec<_> = waits.map(|shown| shown.tick).collect();
    assert!(
        waits.iter().all(|tick| (1800..1890).contains(tick)),
        "{waits:?}"
    );
    assert!(waits.len() < 20, "{waits:?}");
    assert!((lag_ms(35) - high).abs() < 5.0, "{}", lag_ms(35));
    // Downwards: 40 s until the window has forgotten all but an outage, then 100 ms at 24 % in half a second, and the rest in one more.
    assert!(lag_ms(90) > after + 50.0, "{}", lag_ms(90));
    assert!((lag_ms(102) - after).abs() < 2.0, "{}", lag_ms(102));
}

#[test]
fn forty_seconds_are_remembered_and_no_more_is_ever_held() {
    let mut estimator = Estimator::new(WORLD, AIM, INTERVAL_MS, 0.0);
    let held_bytes = estimator.held_bytes();
    let arrivals = (0..6000).map(|tick| {
        let delay_ms = match tick {
            2000 | 2200 => 320.0,
            _ => 20.0,
        };
        (WORLD.ms_of_tick(tick as f64) + delay_ms, tick)
    });
    let mut arrivals: Vec<_> = arrivals.collect();
    arrivals.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (arrival_ms, tick) in arrivals {
        estimator.packet(arrival_ms, Some(arrival_ms), tick);
        // Two freezes a minute leave one in forty seconds without a reason to wait.
        let remembers = estimator.target_ticks(arrival_ms) > 12.0;
        let is_remembered = tick == 2200 || (2218..4439).contains(&tick);
        assert_eq!(remembers, is_remembered, "{tick}");
    }
    // A flood, from a second ahead to hours ago, all at once.
    for tick in (0..100_000).rev() {
        estimator.packet(100_000.0, Some(100_000.0), tick);
    }
    assert_eq!(estimator.held_bytes(), held_bytes);
    let delay_ms =
        WORLD.ms_of_tick(estimator.target_ticks(100_000.0) - estimator.least_ticks(100_000.0));
    assert!(delay_ms <= MOST_DELAY_MS + 3.0 * INTERVAL_MS + 1e-9);
}

/// Memory of a clock and of a fixed clock after a number of packets, bytes. `arrival_ms` returns the arrival of each packet.
fn held_bytes(packets: u32, interval_ms: f64, arrival_ms: impl Fn(u32) -> f64) -> [usize; 2] {
    let mut clock = Clock::new(WORLD, AIM, interval_ms, 0.0, 0.0);
    let mut fixed = FixedClock::new(WORLD, 100.0, interval_ms);
    for packet in 0..packets {
        let (at_ms, tick) = (arrival_ms(packet), i64::from(packet) * 3);
        clock.packet(at_ms, tick);
        fixed.packet(at_ms, tick);
        clock.advance(at_ms);
        fixed.advance(at_ms);
    }
    [clock.held_bytes(), fixed.held_bytes()]
}

/// Distances between two packets, ms: within a span of the estimate of drift, about twice its length, and beyond the longest.
const DISTANCES_MS: [f64; 10] = [
    0.0, 1.0, 50.0, 200.0, 250.0, 251.0, 334.0, 1000.0, 5000.0, 60_000.0,
];

#[test]
fn the_clocks_keep_their_memory_over_any_way() {
    let first = held_bytes(1, 50.0, |_| 0.0);
    for distance_ms in DISTANCES_MS {
        let steady = |packet: u32| f64::from(packet) * distance_ms;
        let bursts = |packet: u32| steady(packet / 8);
        // The spans have any age when packets become few.
        let slowing = |packet: u32| f64::from(packet) * 50.0 + steady(packet.saturating_sub(40));
        assert_eq!(held_bytes(400, 50.0, steady), first, "{distance_ms} ms");
        assert_eq!(held_bytes(400, 50.0, bursts), first, "{distance_ms} ms");
        assert_eq!(held_bytes(400, 50.0, slowing), first, "{distance_ms} ms");
    }
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        let mixed = |packet: u32| match packet % 2 {
            0 => wrong,
            _ => f64::from(packet) * 50.0,
        };
        assert_eq!(held_bytes(400, 50.0, |_| wrong), first, "{wrong}");
        assert_eq!(held_bytes(400, 50.0, mixed), first, "mixed with {wrong}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn the_clocks_keep_their_memory_over_a_million_packets() {
    let first = held_bytes(1, 50.0, |_| 0.0);
    let slow = |packet: u32| f64::from(packet) * 251.0;
    assert_eq!(held_bytes(1_000_000, 50.0, slow), first);
    assert_eq!(held_bytes(1_000_000, 50.0, |_| 0.0), first);
    assert_eq!(held_bytes(1_000_000, 50.0, |_| f64::NAN), first);
}
