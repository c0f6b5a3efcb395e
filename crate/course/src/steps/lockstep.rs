//! Steps on deterministic lockstep.

use super::defaults::{LECTURES, LONG_LECTURE, PLAIN, choice};
use crate::claim::claim;
use crate::quantity::Quantity::*;
use crate::quantity::{KBPS, STILL_MS, run};
use crate::reading::Arithmetic;
use crate::{Act, Step};
use snapshot_codec::Kind;

/// Settings of a link that a download fills, in place of a link that loses packets by chance.
const QUEUE: &str =
    "latency=20&jitter=0&loss=0&rate=1000&queue=100&neighbour=100&back.neighbour=0&delay=80";

pub(super) const STEPS: [Step; 6] = [
    Step {
        id: "nine-hundred",
        link: "v=1&strategy=lockstep&latency=125&loss=25&at=600&show=bits",
        run_s: 12,
        asks: choice(&["17", "170", "1700"], "17"),
        points_at: &["right", "bandwidth"],
        claims: &[
            claim("kbps", KBPS, 15.0, 19.0),
            claim("headers", PercentOfBits(Kind::IpUdp), 75.0, 95.0),
            claim("stalls", run("hitches"), 0.0, 0.0),
            claim("grid", KBPS, 15.0, 19.0)
                .times("kbps", 0.9, 1.1)
                .with("grid=60")
                .seconds(5),
            claim("late", KBPS, 25.0, 50.0)
                .times("kbps", 1.5, 3.0)
                .with("latency=2000"),
            claim("late-stalls", run("hitches"), 0.0, 0.0)
                .with("latency=2000")
                .article(0.0),
            claim("ipv6", KBPS, 22.0, 32.0)
                .times("kbps", 1.4, 1.7)
                .with("header=ipv6"),
        ],
        ..PLAIN
    },
    Step {
        id: "one-bit",
        core: true,
        lectures: LECTURES,
        link: "v=1&strategy=lockstep&desync=bit&at=50&show=errors&shade=error",
        play_s: 10,
        asks: choice(&["first", "second", "seconds", "never"], "seconds"),
        points_at: &["right", "figure"],
        claims: &[
            claim("checksum", run("first_desync_frame"), 55.0, 65.0),
            claim("at-4-s", FarthestAt(240), 0.1, 10.0),
            claim("soon", FarthestAt(90), 0.0001, 0.01),
            claim("at-5-s", FarthestAt(300), 10.0, 1_000.0),
            // The error becomes visible in any motion; the seconds are this motion's.
            claim("at-6-s", FarthestAt(360), 300.0, 5_000.0).times("soon", 1_000.0, 1e9),
            claim(
                "off",
                CubesOffAt {
                    tick: 600,
                    over_mm: 100.0,
                },
                30.0,
                500.0,
            ),
            claim("ball", FarthestAt(150), 20.0, 1_000.0)
                .with("scene=katamari")
                .seconds(5),
        ],
        ..PLAIN
    },
    Step {
        id: "two-machines",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=1&strategy=lockstep&desync=bit&scene=katamari&at=50&show=errors&shade=error",
        play_s: 4,
        run_s: 5,
        asks: choice(&["never", "millionth", "thirtieth"], "thirtieth"),
        points_at: &["right", "figure"],
        claims: &[
            claim(
                "fused",
                RoundsOtherwisePercent(Arithmetic::Fused),
                1.0,
                10.0,
            ),
            claim(
                "reciprocal",
                RoundsOtherwisePercent(Arithmetic::Reciprocal),
                1.0,
                99.0,
            ),
            claim(
                "regrouped",
                RoundsOtherwisePercent(Arithmetic::Regrouped),
                20.0,
                90.0,
            ),
            claim("soon", FarthestAt(90), 0.0001, 0.5),
            claim("later", FarthestAt(240), 50.0, 20_000.0).times("soon", 1_000.0, 1e9),
        ],
        ..PLAIN
    },
    Step {
        id: "another-order",
        link: "v=1&strategy=lockstep&desync=order&at=40&show=errors&shade=error",
        run_s: 5,
        asks: choice(&["never", "touch", "once"], "touch"),
        points_at: &["right", "figure"],
        claims: &[
            claim("checksum", run("first_desync_frame"), 2.0, 130.0),
            claim("at-2-s", FarthestAt(120), 5.0, 1_000.0).times("bit", 100.0, 1e9),
            claim("bit", FarthestAt(120), 0.000_1, 0.5).with("desync=bit"),
        ],
        ..PLAIN
    },
    Step {
        id: "late-key",
        core: true,
        link: "v=1&strategy=lockstep&transport=tcp&latency=125&loss=5&b.transport=udp&at=1040&views=two&show=packets",
        run_s: 12,
        asks: choice(&["tcp", "udp", "same"], "udp"),
        points_at: &["right", "b"],
        claims: &[
            claim("tcp", run("stalls_per_minute"), 60.0, 200.0),
            claim("tcp-time", run("stalled_ms_per_minute"), 15_000.0, 50_000.0),
            claim("udp", run("stalls_per_minute"), 0.0, 0.0).of_b(),
            claim("gentle", run("stalls_per_minute"), 8.0, 60.0)
                .times("tcp", 0.0, 0.95)
                .with("latency=50&loss=1"),
            claim("queue-tcp", STILL_MS, 200.0, 3_000.0).with(QUEUE),
            claim("queue-udp", STILL_MS, 0.0, 0.0).of_b().with(QUEUE),
            claim("queue-dropped", run("lost_by_queue"), 30.0, 200.0)
                .of_b()
                .with(QUEUE),
        ],
        ..PLAIN
    },
    Step {
        id: "patience",
        link: "v=1&strategy=lockstep&loss=0&jitter=33&delay=0&seed=4&b.delay=50&at=300&views=two&show=errors",
        run_s: 15,
        asks: choice(&["17", "33", "50", "66"], "50"),
        act: Some(Act::Set {
            id: "delay",
            least: 50.0,
            most: 500.0,
        }),
        points_at: &["right", "b"],
        claims: &[
            claim("none", run("stalls_per_minute"), 60.0, 4_000.0),
            claim("half", run("stalls_per_minute"), 0.0, 1_500.0)
                .times("none", 0.0, 0.95)
                .with("delay=17"),
            claim("one-way", run("stalls_per_minute"), 0.0, 600.0)
                .times("half", 0.0, 0.9)
                .with("delay=33"),
            claim("enough", run("stalls_per_minute"), 0.0, 0.0).of_b(),
            claim("whole", run("stalls_per_minute"), 0.0, 0.0).with("delay=66"),
            claim("far", run("stalls_per_minute"), 0.0, 0.0).with("delay=50&latency=250"),
        ],
        ..PLAIN
    },
];
