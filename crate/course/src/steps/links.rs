//! Steps on links with a bottleneck, a queue, a heavy tail of delays, or a trace (a recorded link). Loss and jitter are off
//! in steps that must not depend on the seed.

use super::defaults::{LONG_LECTURE, PLAIN, choice, number};
use crate::claim::claim;
use crate::quantity::{BEHIND_MS, KBPS, STILL_MS, run};
use crate::{Act, Step};

/// Example output of `ping`, a round trip each 0.2 s, drawn once from a lognormal tail. No network was recorded.
const PING: &str = include_str!("../../../../docs/ping-example.txt");

pub(super) const STEPS: [Step; 7] = [
    Step {
        id: "over-the-rate",
        link: "v=1&hz=60&codec=position&jitter=0&loss=0&delay=200&rate=3900&queue=500&b.rate=5000&at=0&views=two&show=link",
        run_s: 10,
        asks: choice(&["tenth", "grows", "dropped"], "grows"),
        points_at: &["right", "b", "figure"],
        claims: &[
            claim("sent", KBPS, 4_330.0, 4_345.0),
            claim("two", run("queue_ms.max"), 120.0, 300.0).seconds(2),
            claim("four", run("queue_ms.max"), 350.0, 499.0)
                .times("two", 1.5, 3.0)
                .seconds(4),
            claim("ten", run("queue_ms.max"), 480.0, 500.0),
            claim("dropped", run("lost_by_queue"), 20.0, 60.0),
            claim("dropped-early", run("lost_by_queue"), 0.0, 0.0).seconds(4),
            claim("late", run("late_ms_mean"), 150.0, 260.0),
            claim("short", STILL_MS, 0.0, 0.0).with("queue=100"),
            claim("short-dropped", run("lost_by_queue"), 40.0, 80.0).with("queue=100"),
            claim("behind", BEHIND_MS, 380.0, 600.0).times("wide-behind", 1.5, 3.0),
            claim("wide-behind", BEHIND_MS, 250.0, 280.0).of_b(),
            claim("short-behind", BEHIND_MS, 250.0, 290.0).with("queue=100"),
        ],
        ..PLAIN
    },
    Step {
        id: "why-256",
        link: "v=1&hz=60&scene=katamari&codec=changed-flags&jitter=0&loss=0&rate=256&queue=500&b.codec=predicted&at=360&views=two&show=link",
        run_s: 14,
        asks: choice(&["all", "9", "11", "13"], "13"),
        points_at: &["right", "b", "figure"],
        claims: &[
            claim("six", BEHIND_MS, 200.0, 600.0).with("codec=not-changed"),
            claim("nine", BEHIND_MS, 200.0, 600.0).with("codec=relative-position"),
            claim("eleven", BEHIND_MS, 200.0, 600.0).times("thirteen", 1.5, 6.0),
            claim("thirteen", BEHIND_MS, 90.0, 130.0).of_b(),
            claim("wait", run("queue_ms.max"), 480.0, 500.0),
            claim("wait-thirteen", run("queue_ms.max"), 0.0, 60.0).of_b(),
            claim("free", KBPS, 180.0, 330.0).with("rate=0"),
            claim("full", KBPS, 200.0, 500.0).times("free", 1.05, 2.0),
            claim("free-thirteen", KBPS, 90.0, 200.0)
                .of_b()
                .with("rate=0"),
            claim("half", KBPS, 100.0, 220.0)
                .times("full", 0.3, 0.7)
                .with("hz=30"),
            claim("half-wait", run("queue_ms.max"), 0.0, 400.0).with("hz=30"),
        ],
        ..PLAIN
    },
    Step {
        id: "next-door",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=1&hz=60&codec=changed-flags&jitter=0&loss=0&latency=20&delay=50&rate=1000&queue=300&neighbour=100&back.neighbour=0&b.neighbour=0&at=600&views=two&show=link",
        asks: number("late", 0.0, 1_000.0),
        act: Some(Act::Set {
            id: "delay",
            least: 300.0,
            most: 500.0,
        }),
        points_at: &["right", "b", "figure"],
        claims: &[
            claim("share", KBPS, 50.0, 150.0),
            claim("alone-share", KBPS, 50.0, 120.0).of_b(),
            claim("late", run("delay_ms.p95"), 280.0, 320.0).times("alone", 8.0, 20.0),
            claim("alone", run("delay_ms.p95"), 20.0, 30.0).of_b(),
            claim("still", STILL_MS, 1_500.0, 7_000.0),
            claim("buffered", STILL_MS, 0.0, 200.0).with("delay=350"),
            claim("behind", BEHIND_MS, 150.0, 400.0).times("alone-behind", 2.0, 6.0),
            claim("alone-behind", BEHIND_MS, 60.0, 90.0).of_b(),
            claim("buffered-behind", BEHIND_MS, 400.0, 550.0).with("delay=350"),
            claim("bloated", run("delay_ms.p95"), 900.0, 1_100.0)
                .times("late", 2.5, 4.0)
                .with("queue=1000"),
        ],
        ..PLAIN
    },
    Step {
        id: "long-tail",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=1&hz=60&codec=changed-flags&loss=0&latency=80&jitter=40&order=1&delay=85&shape=pareto&b.shape=uniform&seed=4&at=360&views=two&show=link",
        run_s: 14,
        asks: choice(&["a", "b", "neither"], "a"),
        act: Some(Act::Set {
            id: "delay",
            least: 250.0,
            most: 500.0,
        }),
        points_at: &["right", "b", "figure"],
        claims: &[
            claim("middle", run("delay_ms.p50"), 70.0, 110.0).times("even-middle", 0.85, 1.15),
            claim("even-middle", run("delay_ms.p50"), 75.0, 105.0).of_b(),
            claim("late", run("delay_ms.p95"), 150.0, 700.0).times("even-late", 1.5, 5.0),
            claim("even-late", run("delay_ms.p95"), 100.0, 125.0).of_b(),
            claim("still", STILL_MS, 500.0, 6_000.0),
            claim("even-still", STILL_MS, 0.0, 0.0).of_b(),
            claim("buffered", STILL_MS, 0.0, 2_000.0)
                .times("still", 0.0, 0.6)
                .with("delay=300"),
            claim("overtaking", STILL_MS, 0.0, 1_000.0)
                .times("still", 0.0, 0.6)
                .with("order=0"),
        ],
        ..PLAIN
    },
    Step {
        id: "adapts",
        link: "v=1&hz=60&codec=changed-flags&link=wifi-busy&delay=70&b.delay=adaptive&at=360&views=two&show=link",
        run_s: 14,
        asks: choice(&["nothing", "older", "slower"], "older"),
        points_at: &["right", "b", "figure"],
        claims: &[
            claim("still", STILL_MS, 200.0, 9_000.0),
            claim("adapted", STILL_MS, 0.0, 1_000.0)
                .times("still", 0.0, 0.4)
                .of_b(),
            claim("behind", BEHIND_MS, 85.0, 180.0),
            // A fixed buffer of B's age: who knew it beforehand could do as well.
            claim("known", STILL_MS, 0.0, 2_000.0).with("delay=270"),
            claim("known-behind", BEHIND_MS, 100.0, 500.0)
                .times("adapted-behind", 0.5, 1.4)
                .with("delay=270"),
            claim("known-wired", BEHIND_MS, 100.0, 400.0)
                .with("link=wired&delay=270")
                .seconds(30),
            claim("adapted-behind", BEHIND_MS, 150.0, 400.0)
                .times("behind", 1.4, 4.0)
                .of_b(),
            claim("wired", BEHIND_MS, 60.0, 110.0)
                .with("link=wired")
                .seconds(30),
            claim("wired-adapted", BEHIND_MS, 20.0, 130.0)
                .times("wired", 0.6, 1.4)
                .of_b()
                .with("link=wired")
                .seconds(30),
            claim("wired-still", STILL_MS, 0.0, 300.0)
                .of_b()
                .with("link=wired")
                .seconds(30),
        ],
        ..PLAIN
    },
    Step {
        id: "two-clocks",
        link: "v=1&hz=20&scene=roll&codec=changed-flags&jitter=0&loss=0&delay=55&drift=1000&clock=first&b.clock=fastest&at=1980&views=two&show=compare",
        play_s: 6,
        run_s: 40,
        asks: choice(&["never", "hour", "minute"], "minute"),
        points_at: &["right", "b"],
        claims: &[
            claim("counted", STILL_MS, 100.0, 20_000.0),
            claim("steered", STILL_MS, 0.0, 20.0).of_b(),
            claim("early", STILL_MS, 0.0, 20.0).seconds(20),
            claim("slow", BEHIND_MS, 50.0, 200.0).with("drift=-1000"),
            claim("slow-steered", BEHIND_MS, 50.0, 200.0)
                .of_b()
                .with("drift=-1000"),
        ],
        ..PLAIN
    },
    Step {
        id: "your-ping",
        link: "v=1&hz=60&codec=changed-flags&jitter=0&loss=0&delay=32&b.delay=270&at=360&views=two&show=link",
        trace: Some(PING),
        run_s: 14,
        asks: choice(&["average", "least", "spread"], "spread"),
        act: Some(Act::Trace),
        points_at: &["right", "b", "figure"],
        claims: &[
            claim("average", STILL_MS, 200.0, 2_000.0),
            claim("spread", STILL_MS, 0.0, 0.0).of_b(),
            claim("twentieth", STILL_MS, 16.0, 800.0)
                .times("average", 0.0, 0.8)
                .with("delay=82"),
            claim("middle", run("delay_ms.p50"), 15.0, 40.0),
            claim("late", run("delay_ms.p95"), 80.0, 152.0).times("middle", 3.0, 8.0),
        ],
        ..PLAIN
    },
];
