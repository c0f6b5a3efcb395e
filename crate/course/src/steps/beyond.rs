//! Steps on questions that the articles hint at and leave to the reader.

use super::defaults::{self, choice, number};
use crate::claim::claim;
use crate::quantity::Quantity::*;
use crate::quantity::{KBPS, at, index_bits_at, run};
use crate::{Act, Step};

/// Defaults of this chapter's steps: the same motion as in the chapter on compression.
const PLAIN: Step = Step {
    run_s: 30,
    ..defaults::PLAIN
};

pub(super) const STEPS: [Step; 5] = [
    Step {
        id: "narrow",
        core: true,
        // Played to 15 s, so that the figure shows the second of the claims.
        link: "v=1&hz=60&codec=not-changed&b.codec=arithmetic&at=420&views=two&show=bits",
        run_s: 15,
        asks: number("arithmetic", 0.0, 901.0),
        points_at: &["figure"],
        claims: &[
            claim("flags", index_bits_at(900), 901.0, 901.0),
            claim("arithmetic", index_bits_at(900), 15.0, 300.0)
                .times("flags", 0.01, 0.4)
                .of_b(),
            claim("changed", at("changed_cubes", 900), 5.0, 120.0),
            claim("idle", index_bits_at(300), 0.0, 0.999)
                .with("codec=arithmetic&scene=drive")
                .seconds(5),
        ],
        ..PLAIN
    },
    Step {
        id: "fractions",
        link: "v=1&hz=60&codec=changed-flags&b.codec=arithmetic&at=1100&views=two&show=compare",
        asks: number("arithmetic", 20.0, 240.0),
        points_at: &["b"],
        claims: &[
            claim("packed", Rung("changed-flags"), 110.0, 250.0),
            claim("arithmetic", Rung("arithmetic"), 70.0, 170.0).times("packed", 0.5, 0.8),
            claim("strict", KBPS, 90.0, 220.0)
                .times("arithmetic", 1.08, 1.5)
                .of_b()
                .with("class=strict"),
        ],
        ..PLAIN
    },
    Step {
        id: "guess-well",
        core: true,
        link: "v=1&hz=60&codec=arithmetic&b.codec=predicted&at=1100&views=two&show=compare&shade=bits",
        asks: choice(&["none", "half", "all"], "all"),
        act: Some(Act::Set {
            id: "latency",
            least: 300.0,
            most: 500.0,
        }),
        points_at: &["b"],
        claims: &[
            claim("arithmetic", Rung("arithmetic"), 70.0, 170.0),
            claim("predicted", Rung("predicted"), 60.0, 140.0).times("arithmetic", 0.6, 0.87),
            claim("arithmetic-far", KBPS, 120.0, 320.0)
                .times("arithmetic", 1.4, 2.5)
                .with("latency=500"),
            claim("predicted-far", KBPS, 120.0, 320.0)
                .times("arithmetic-far", 0.6, 0.87)
                .of_b()
                .with("latency=500"),
            claim("arithmetic-roll", KBPS, 22.0, 45.0).with("scene=roll"),
            claim("predicted-roll", KBPS, 20.0, 42.0)
                .times("arithmetic-roll", 0.85, 0.99)
                .with("codec=predicted&scene=roll"),
        ],
        ..PLAIN
    },
    Step {
        id: "both-foresee",
        link: "v=1&hz=20&scene=blow&latency=25&jitter=0&loss=0&codec=predicted&b.codec=simulated&at=420&show=compare&views=two&shade=bits",
        run_s: 12,
        asks: number("simulated", 0.0, 140.0),
        points_at: &["b"],
        claims: &[
            claim("predicted", run("bytes_per_packet_mean"), 80.0, 170.0),
            claim("simulated", run("bytes_per_packet_mean"), 45.0, 110.0)
                .times("predicted", 0.45, 0.7)
                .of_b(),
            claim("ball", run("bytes_per_packet_mean"), 120.0, 320.0).with("scene=katamari"),
            claim("ball-simulated", run("bytes_per_packet_mean"), 100.0, 280.0)
                .times("ball", 0.7, 0.95)
                .with("codec=simulated&scene=katamari"),
        ],
        ..PLAIN
    },
    Step {
        id: "your-play",
        link: "v=1&hz=60&codec=predicted&at=1200&show=bits",
        asks: choice(&["few", "two", "ten"], "ten"),
        act: Some(Act::Drive),
        points_at: &["figure"],
        claims: &[
            claim("bytes", run("bytes_per_packet_mean"), 120.0, 320.0),
            claim("ball", run("bytes_per_packet_mean"), 250.0, 500.0)
                .times("bytes", 1.3, 3.5)
                .with("scene=katamari"),
            claim("roll", run("bytes_per_packet_mean"), 15.0, 60.0)
                .times("bytes", 0.05, 0.4)
                .with("scene=roll"),
        ],
        ..PLAIN
    },
];
