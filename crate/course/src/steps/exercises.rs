//! Exercises of `exercises.html`: each has a link to begin with, and the expected results as claims (bounds of measured
//! values).

use super::defaults;
use crate::Step;
use crate::claim::claim;
use crate::quantity::{KBPS, ORIENTATION_RMS, POSITION_MAX, POSITION_RMS, at, run};

/// Defaults of the exercises: errors include the opening, as on the page and in `snapshot-lab run`.
const PLAIN: Step = Step {
    opening_s: 0,
    ..defaults::PLAIN
};

/// The exercises, in the page's order. Unlike a step of the tour, an exercise has no question to answer by a click.
pub static EXERCISES: [Step; 10] = [
    Step {
        id: "ex-rungs",
        link: "v=1&hz=20&codec=uncompressed&at=0",
        claims: &[
            claim("rung-0", KBPS, 5_000.0, 6_500.0),
            claim("rung-6", KBPS, 50.0, 400.0).with("codec=not-changed"),
            claim("rung-11", KBPS, 20.0, 200.0)
                .times("rung-6", 0.2, 0.9)
                .with("codec=changed-flags"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-latency",
        link: "v=1&hz=60&codec=changed-flags&latency=0&at=0",
        claims: &[
            claim("near", KBPS, 50.0, 300.0),
            claim("middle", KBPS, 50.0, 300.0)
                .times("near", 1.02, 3.0)
                .with("latency=100"),
            claim("far", KBPS, 50.0, 400.0)
                .times("middle", 1.02, 3.0)
                .with("latency=250"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-curves",
        link: "v=1&hz=5&scene=roll&codec=at-rest&loss=0&interp=linear&at=0",
        claims: &[
            claim("linear", POSITION_RMS, 5.0, 200.0),
            claim("hermite", POSITION_RMS, 1.0, 100.0)
                .times("linear", 0.05, 0.8)
                .with("interp=hermite"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-coarse",
        link: "v=1&hz=60&codec=smallest-three&at=0",
        claims: &[
            claim("nine", ORIENTATION_RMS, 0.0, 1.5),
            claim("six", ORIENTATION_RMS, 0.2, 6.0)
                .times("nine", 1.5, 20.0)
                .with("rot=6"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-pieces",
        link: "v=1&hz=10&codec=uncompressed&mtu=576&at=0",
        run_s: 5,
        claims: &[
            claim("fragments", run("fragments_per_packet_mean"), 50.0, 80.0),
            claim("position", run("fragments_per_packet_mean"), 10.0, 30.0).with("codec=position"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-floor",
        link: "v=1&hz=20&scene=drive&codec=changed-flags&at=0",
        run_s: 5,
        claims: &[
            claim("ipv4", at("kbps", 300), 4.0, 7.0),
            claim("ipv6", at("kbps", 300), 6.0, 11.0)
                .times("ipv4", 1.2, 2.0)
                .with("header=ipv6"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-lockstep",
        link: "v=1&strategy=lockstep&scene=katamari&latency=250&at=0",
        run_s: 10,
        claims: &[
            claim("kbps", KBPS, 14.0, 25.0),
            claim("error", POSITION_MAX, 0.0, 0.0),
            claim("small", KBPS, 14.0, 25.0)
                .times("kbps", 0.98, 1.02)
                .with("grid=10"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-budget",
        link: "v=1&strategy=sync&scene=katamari&both=0&smooth=off&at=0",
        run_s: 10,
        claims: &[
            claim("full", POSITION_RMS, 3.0, 25.0),
            claim("half", POSITION_RMS, 5.0, 100.0)
                .times("full", 1.2, 20.0)
                .with("budget=128"),
            claim("delta", POSITION_RMS, 3.0, 60.0)
                .times("half", 0.1, 0.98)
                .with("budget=128&rel=1&delta=1&rest=1"),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-queue",
        link: "v=1&hz=60&codec=position&jitter=0&loss=0&rate=3000&queue=400&at=0",
        run_s: 10,
        claims: &[
            claim("sent", KBPS, 4_330.0, 4_345.0),
            claim("wait-1", run("queue_ms.max"), 350.0, 400.0).seconds(1),
            claim("dropped", run("lost_by_queue"), 160.0, 180.0),
        ],
        ..PLAIN
    },
    Step {
        id: "ex-hover",
        link: "v=1&hz=10&scene=blow&grid=5&codec=at-rest&jitter=0&loss=0&interp=linear&at=0",
        claims: &[
            claim("linear", POSITION_RMS, 5.0, 50.0),
            claim("hermite", POSITION_RMS, 1.0, 25.0)
                .times("linear", 0.1, 0.8)
                .with("interp=hermite"),
        ],
        ..PLAIN
    },
];
