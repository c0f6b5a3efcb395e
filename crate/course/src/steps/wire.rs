//! Steps on a real network between two people: the packets that cross it, the cost of their headers, and the view of each
//! person.
//!
//! Each step is complete without a second person: a script steers the second cube.

use super::defaults::{PLAIN, by_factors, choice, number};
use crate::Step;
use crate::claim::claim;
use crate::quantity::{KBPS, run};

/// Defaults of this chapter's steps.
const WIRE: Step = Step {
    points_at: &["right"],
    ..PLAIN
};

pub(super) const STEPS: [Step; 4] = [
    Step {
        id: "two-windows",
        link: "v=2&strategy=game&predict=touch&scene=mixed&rival=script&latency=20&jitter=0&loss=0&at=600",
        asks: choice(&["twice", "ten", "fifty"], "twice"),
        claims: &[
            claim("down", run("server_kbps"), 41.0, 60.0),
            claim("back", run("server_back_kbps"), 20.0, 28.0),
        ],
        ..WIRE
    },
    Step {
        id: "what-the-way-costs",
        link: "v=2&strategy=game&predict=touch&scene=mixed&rival=script&hz=60&latency=20&jitter=0&loss=0&header=webrtc&at=600",
        asks: number("channel", 0.0, 400.0),
        claims: &[
            claim("content", KBPS, 70.0, 250.0).with("header=none"),
            claim("udp", KBPS, 80.0, 270.0)
                .times("content", 1.05, 1.3)
                .with("header=ipv4"),
            claim("channel", KBPS, 90.0, 300.0).times("content", 1.15, 1.6),
            claim("slow-content", KBPS, 25.0, 90.0).with("header=none&hz=20"),
            claim("slow-channel", KBPS, 30.0, 110.0)
                .times("slow-content", 1.1, 1.6)
                .with("hz=20"),
        ],
        ..WIRE
    },
    Step {
        id: "big-packets",
        link: "v=2&hz=60&codec=index&scene=katamari&latency=50&jitter=0&loss=5&header=webrtc&datachannel=1&at=900&show=link",
        asks: by_factors("large", 50.0, 20_000.0),
        claims: &[
            claim("udp", run("delay_ms.p95"), 50.0, 51.0).with("datachannel=0"),
            claim("small", run("delay_ms.p95"), 50.0, 150.0).with("codec=arithmetic"),
            claim("large", run("delay_ms.p95"), 300.0, 15_000.0).times("small", 5.0, 300.0),
            claim("large-bytes", run("bytes_per_packet_mean"), 800.0, 1_100.0),
            claim("small-bytes", run("bytes_per_packet_mean"), 330.0, 450.0)
                .with("codec=arithmetic"),
        ],
        ..WIRE
    },
    Step {
        id: "two-hands",
        link: "v=2&strategy=game&predict=touch&scene=mixed&rival=script&latency=50&jitter=0&loss=0&at=600&show=errors",
        asks: number("other", 0.0, 600.0),
        claims: &[
            claim("own", run("hand_ms"), 16.0, 17.0),
            claim("other", run("hand_others_ms"), 290.0, 340.0),
            claim("often", run("hand_others_ms"), 180.0, 250.0).with("hz=60"),
            claim("aim", run("aim_now_mm"), 300.0, 6_000.0),
        ],
        ..WIRE
    },
];
