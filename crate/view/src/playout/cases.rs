//! Clocks of play between two programs: other tick rates, drifting clocks, pauses, sleeps and breaks.

use super::{Aim, Clock, FixedClock, Instant};
use snapshot_base::random::Stream;
use snapshot_base::time::WORLD;
use std::ops::Range;

const INTERVAL_TICKS: f64 = 3.0;
const LATENCY_MS: f64 = 50.0;
const FRAME_MS: f64 = 1000.0 / 60.0;
/// Time step of a simulated session, ms.
const STEP_MS: f64 = 0.25;
/// Time after a disturbance's end at which its effects must be over, ms.
const OVER_MS: f64 = 3000.0;
/// Time after an event's last late packet at which the delay must be as before, ms.
const LONG_OVER_MS: f64 = 5000.0;
const SECONDS: usize = 40;

/// A kind of disturbance in a session.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    /// The server's ticks stand still.
    Pause,
    /// The client neither receives nor shows.
    Sleep,
    /// Packets are lost.
    Cut,
    /// The server stands still, and then runs the ticks that it missed at once.
    Hang,
    /// A queue of the way grows by this many ms, and then empties at twice the speed at which it grew.
    Queue(f64),
    /// A queue of the way delays all packets by this many ms, at once and for the whole trouble.
    Step(f64),
    /// The client shows and receives once in this many ms.
    SlowFrames(f64),
    /// The server runs at this many ticks a second.
    Rate(f64),
}

/// A server and a client of 60 ticks and 20 packets a second.
#[derive(Clone, Copy, Debug)]
struct PlayoutCase {
    /// The server's real ticks a second.
    tick_hz: f64,
    /// Share by which the client's clock runs fast.
    drift: f64,
    /// Greatest time that a packet takes beyond the latency, ms.
    jitter_ms: f64,
    trouble: (Trouble, f64, f64),
}

const EVEN: PlayoutCase = PlayoutCase {
    tick_hz: 60.0,
    drift: 0.0,
    jitter_ms: 0.0,
    trouble: (Trouble::Pause, 0.0, 0.0),
};

/// An input of a playout clock: a packet, or a frame that it answers with an instant.
enum Event {
    Packet(f64, i64),
    Frame(f64),
}

/// A shown frame: its true time, the age of its content, and whether the frame before showed the same.
struct Frame {
    at_ms: f64,
    age_ms: f64,
    is_still: bool,
}

impl PlayoutCase {
    fn play(&self, mut clock: impl FnMut(Event) -> Option<Instant>) -> Vec<Frame> {
        let mut stream = Stream::new(1, 1);
        let mut on_the_way: Vec<(f64, i64)> = Vec::new();
        let (mut server_tick, mut sent_tick, mut newest) = (0.0, 0.0, 0);
        let mut before = f64::NEG_INFINITY;
        let (mut frame_ms, mut missed_ticks, mut newest_ms) = (5.0, 0.0, 0.0);
        let mut shown = Vec::new();
        for step in 0..(SECONDS * 1000 * 4) {
            let at_ms = step as f64 * STEP_MS;
            let (trouble, from_ms, length_ms) = self.trouble;
            let now = |it| it == trouble && (from_ms..from_ms + length_ms).contains(&at_ms);
            let tick_hz = match trouble {
                Trouble::Rate(tick_hz) if now(trouble) => tick_hz,
                _ if now(Trouble::Pause) || now(Trouble::Hang) => 0.0,
                _ => self.tick_hz,
            };
            if now(Trouble::Hang) {
                missed_ticks += self.tick_hz * STEP_MS / 1000.0;
            } else {
                server_tick += std::mem::take(&mut missed_ticks);
            }
            server_tick += tick_hz * STEP_MS / 1000.0;
            let tick = f64::floor(server_tick / INTERVAL_TICKS);
            let queue_ms = match trouble {
                Trouble::Queue(most_ms) => {
                    let grown = (at_ms - from_ms) / length_ms;
                    most_ms * grown.min(3.0 - 2.0 * grown).max(0.0)
                }
                Trouble::Step(most_ms) if now(trouble) => most_ms,
                _ => 0.0,
            };
            let latency_ms = LATENCY_MS + self.jitter_ms * stream.unit() + queue_ms;
            while sent_tick < tick {
                sent_tick += 1.0;
                if now(Trouble::Cut) {
                    continue;
                }
                newest_ms = f64::max(at_ms + latency_ms, newest_ms);
                let arrival_ms = if queue_ms > 0.0 {
                    newest_ms
                } else {
                    at_ms + latency_ms
                };
                on_the_way.push((arrival_ms, (sent_tick * INTERVAL_TICKS) as i64));
            }
            let own_ms = at_ms * (1.0 + self.drift);
            if own_ms < frame_ms || now(Trouble::Sleep) {
                continue;
            }
            frame_ms = match trouble {
                Trouble::SlowFrames(every_ms) if now(trouble) => own_ms + every_ms,
                _ => frame_ms.max(own_ms - FRAME_MS) + FRAME_MS,
            };
            on_the_way.sort_by(|a, b| a.0.total_cmp(&b.0));
            let arrived = on_the_way.partition_point(|it| it.0 <= at_ms);
            for (_, tick) in on_the_way.drain(..arrived) {
                newest = newest.max(tick);
                clock(Event::Packet(own_ms, tick));
            }
            if let Some(instant) = clock(Event::Frame(own_ms)) {
                let tick = instant.play_tick.min(newest as f64);
                shown.push(Frame {
                    at_ms,
                    age_ms: WORLD.ms_of_tick(server_tick - tick),
                    is_still: tick - before < 0.25,
                });
                before = tick;
            }
        }
        shown
    }

    /// Returns the frames of two adaptive clocks and of a constant one, each with the clock's name.
    fn all(&self) -> [(&'static str, Vec<Frame>); 3] {
        let interval_ms = INTERVAL_TICKS * FRAME_MS;
        let adaptive = |freezes_per_minute, change| {
            let aim = Aim {
                freezes_per_minute,
                change,
                ..Aim::default()
            };
            let mut clock = Clock::new(WORLD, aim, interval_ms, 0.0, 0.0);
            self.play(|event| match event {
                Event::Packet(at_ms, tick) => {
                    clock.packet(at_ms, tick);
                    None
                }
                Event::Frame(now_ms) => clock.advance(now_ms),
            })
        };
        let mut clock = FixedClock::new(WORLD, 100.0, interval_ms);
        let fixed = self.play(|event| match event {
            Event::Packet(at_ms, tick) => {
                clock.packet(at_ms, tick);
                None
            }
            Event::Frame(now_ms) => clock.advance(now_ms),
        });
        [
            ("adaptive", adaptive(2.0, 0.24)),
            ("slowly", adaptive(1.0, 0.05)),
            ("fixed", fixed),
        ]
    }
}

/// Returns mean age (ms) and number of still frames between two times.
fn mean_age(shown: &[Frame], from_ms: f64, to_ms: f64) -> (f64, usize) {
    let frames = shown
        .iter()
        .filter(|it| (from_ms..to_ms).contains(&it.at_ms));
    let ages: Vec<f64> = frames.clone().map(|it| it.age_ms).collect();
    let still = frames.filter(|it| it.is_still).count();
    (ages.iter().sum::<f64>() / ages.len() as f64, still)
}

/// Lists the seconds in which a clock's frames are older or younger than the limit by some ms, or too many are still.
fn faults(
    session: &PlayoutCase,
    seconds: Range<usize>,
    [younger_ms, older_ms]: [f64; 2],
) -> Vec<String> {
    let even = PlayoutCase {
        jitter_ms: session.jitter_ms,
        ..EVEN
    };
    let both = session.all().into_iter().zip(even.all());
    let fault = |((name, shown), (_, even)): ((_, Vec<Frame>), (_, Vec<Frame>))| {
        seconds.clone().filter_map(move |second| {
            let (from_ms, to_ms) = (second as f64 * 1000.0, second as f64 * 1000.0 + 1000.0);
            let (age_ms, still) = mean_age(&shown, from_ms, to_ms);
            let (even_ms, _) = mean_age(&even, from_ms, to_ms);
            let is_good = (even_ms - younger_ms..even_ms + older_ms).contains(&age_ms) && still < 2;
            (!is_good).then(|| {
                format!("{name} at {second} s: {age_ms:.0} for {even_ms:.0} ms, {still} still")
            })
        })
    };
    both.flat_map(fault).collect()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn play_follows_the_real_rate_of_the_sender() {
    for jitter_ms in [0.0, 20.0] {
        let even = PlayoutCase { jitter_ms, ..EVEN };
        let servers = [
            50.0, 54.0, 55.0, 57.0, 58.0, 59.0, 60.3, 60.6, 61.0, 62.5, 64.0, 69.0,
        ];
        let servers = servers.map(|tick_hz| PlayoutCase { tick_hz, ..even });
        let drifts = [-0.01, -0.005, -0.002, -0.001, 0.001, 0.002, 0.005, 0.01];
        let clients = drifts.map(|drift| PlayoutCase { drift, ..even });
        for session in servers.into_iter().chain(clients) {
            let faults = faults(&session, 3..SECONDS - 1, [30.0, 30.0 + jitter_ms]);
            assert!(faults.is_empty(), "{session:?}: {faults:#?}");
        }
        // What play needed while the rate changed is remembered for a while.
        for tick_hz in [50.0, 54.0, 59.0, 61.0, 69.0] {
            let trouble = (Trouble::Rate(tick_hz), 15_000.0, 60_000.0);
            let session = PlayoutCase { trouble, ..even };
            let faults = faults(&session, 22..SECONDS - 1, [60.0, 180.0]);
            assert!(faults.is_empty(), "{session:?}: {faults:#?}");
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_trouble_is_over_in_three_seconds() {
    let lengths_ms = [
        300.0, 500.0, 800.0, 1000.0, 1200.0, 1500.0, 2000.0, 2500.0, 3000.0, 5000.0,
    ];
    for kind in [Trouble::Cut, Trouble::Pause, Trouble::Sleep] {
        for (at_ms, length_ms) in [6_000.0, 12_345.0, 25_020.0]
            .into_iter()
            .flat_map(|at_ms| lengths_ms.map(|it| (at_ms, it)))
        {
            for jitter_ms in [0.0, 20.0] {
                let trouble = (kind, at_ms, length_ms);
                for (name, shown) in (PlayoutCase {
                    trouble,
                    jitter_ms,
                    ..EVEN
                })
                .all()
                {
                    let (before_ms, _) = mean_age(&shown, at_ms - 1000.0, at_ms);
                    let over_ms = at_ms + length_ms + OVER_MS;
                    let (after_ms, still) = mean_age(&shown, over_ms, over_ms + 5000.0);
                    let frames = shown
                        .iter()
                        .filter(|it| (at_ms..over_ms).contains(&it.at_ms));
                    let stills: Vec<bool> = frames.map(|it| it.is_still).collect();
                    let freezes = stills.windows(2).filter(|it| it[1] && !it[0]).count();
                    let is_over = (after_ms - before_ms).abs() < 50.0 && still == 0;
                    let case = format!(
                        "{trouble:?} {jitter_ms} {name}: {before_ms:.0} {after_ms:.0} {still} {freezes}"
                    );
                    assert!(
                        is_over && freezes <= 1 + usize::from(jitter_ms > 0.0),
                        "{case}"
                    );
                }
            }
        }
    }
}

/// Greatest difference of a clock's mean age from before a trouble, in the seconds from `OVER_MS` after it, ms.
fn difference_ms(session: &PlayoutCase, end_ms: f64) -> Vec<(&'static str, f64)> {
    let even = PlayoutCase {
        jitter_ms: session.jitter_ms,
        ..EVEN
    };
    let (from_ms, to_ms) = (end_ms + LONG_OVER_MS, end_ms + LONG_OVER_MS + 5000.0);
    let both = session.all().into_iter().zip(even.all());
    let both = both.map(|((name, shown), (_, even))| {
        let [(age_ms, _), (even_ms, _)] = [shown, even].map(|it| mean_age(&it, from_ms, to_ms));
        (name, age_ms - even_ms)
    });
    both.collect()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn one_event_is_forgotten_five_seconds_later() {
    let mut stream = Stream::new(7, 1);
    let mut worst = Vec::new();
    for _ in 0..25 {
        for kind in 0..4 {
            let at_ms = stream.between(0.0, 25_000.0);
            let jitter_ms = stream.between(0.0, 20.0);
            let (trouble, end_ms) = match kind {
                0 => {
                    let length_ms = stream.between(200.0, 4000.0);
                    ((Trouble::Hang, at_ms, length_ms), at_ms + length_ms)
                }
                1 => {
                    let most_ms = stream.between(200.0, 1200.0);
                    let length_ms = stream.between(1000.0, 4000.0);
                    (
                        (Trouble::Queue(most_ms), at_ms, length_ms),
                        at_ms + 1.5 * length_ms,
                    )
                }
                // The way is slow while the client joins.
                2 => {
                    let most_ms = stream.between(200.0, 1000.0);
                    let length_ms = stream.between(1000.0, 6000.0);
                    let from_ms = -length_ms;
                    (
                        (Trouble::Queue(most_ms), from_ms, length_ms),
                        0.5 * length_ms,
                    )
                }
                _ => {
                    let every_ms = stream.between(300.0, 6000.0);
                    let at_ms = at_ms.min(10_000.0);
                    (
                        (Trouble::SlowFrames(every_ms), at_ms, 15_000.0),
                        at_ms + 15_000.0 + every_ms,
                    )
                }
            };
            let session = PlayoutCase {
                trouble,
                jitter_ms,
                ..EVEN
            };
            for (name, ms) in difference_ms(&session, end_ms) {
                if ms.abs() > 50.0 {
                    worst.push(format!(
                        "{name} {trouble:?} jitter {jitter_ms:.0}: {ms:.0} ms"
                    ));
                }
            }
        }
    }
    assert!(worst.is_empty(), "{}: {worst:#?}", worst.len());
}

/// Times that a queue of a moment makes shown frames older, five seconds after it, by clock, ms: those above 50 ms.
fn remembered_ms(most_ms: f64, length_ms: f64, seeds: u32) -> Vec<String> {
    let mut stream = Stream::new(7, 2);
    let mut late = Vec::new();
    for _ in 0..seeds {
        let at_ms = stream.between(4000.0, 25_000.0);
        let jitter_ms = stream.between(0.0, 20.0);
        let session = PlayoutCase {
            trouble: (Trouble::Step(most_ms), at_ms, length_ms),
            jitter_ms,
            ..EVEN
        };
        for (name, ms) in difference_ms(&session, at_ms + length_ms) {
            let is_late = ms.abs() > 50.0;
            late.extend(is_late.then(|| format!("{name} {most_ms} ms for {length_ms} ms at {at_ms:.0} ms, jitter {jitter_ms:.0}: {ms:.0} ms")));
        }
    }
    late
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_queue_of_a_moment_is_forgotten_five_seconds_later() {
    let mut late = Vec::new();
    // A step of half a second that lasts for four looks like a slow sender, and is remembered for longer.
    for most_ms in [150.0, 200.0, 300.0, 600.0, 1000.0] {
        for length_ms in [100.0, 500.0, 1000.0, 2000.0] {
            late.extend(remembered_ms(most_ms, length_ms, 8));
        }
    }
    assert!(late.is_empty(), "{}: {late:#?}", late.len());
}

#[test]
fn a_short_queue_is_forgotten_five_seconds_later() {
    let late = remembered_ms(150.0, 2000.0, 2);
    assert!(late.is_empty(), "{late:#?}");
}
