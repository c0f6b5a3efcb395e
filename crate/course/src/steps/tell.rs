//! Steps on differences that a person can see. Each leads to the blind test of a property of the motion.

use super::defaults::{PLAIN, by_factors, choice};
use crate::claim::claim;
use crate::quantity::{KBPS, run};
use crate::{Act, Step};

/// Defaults of this chapter's steps: each ends with a blind test of the visitor.
const SEEN: Step = Step {
    act: Some(Act::Tell { test: "rate" }),
    points_at: &["right", "b"],
    ..PLAIN
};

pub(super) const STEPS: [Step; 5] = [
    Step {
        id: "see-bits",
        link: "v=2&hz=60&interp=linear&latency=50&jitter=0&loss=0&pos=12&rot=15&b.pos=4&b.rot=15&at=600&views=two&show=tell",
        asks: by_factors("coarse", 0.1, 1_000.0),
        act: Some(Act::Tell { test: "position" }),
        claims: &[
            claim("fine", run("position_error_mm.p95"), 0.0, 20.0),
            claim("coarse", run("position_error_mm.p95"), 20.0, 80.0)
                .times("fine", 2.0, 1_000.0)
                .of_b(),
            claim("fine-kbps", KBPS, 30.0, 600.0),
            claim("coarse-kbps", KBPS, 10.0, 400.0)
                .times("fine-kbps", 0.2, 0.9)
                .of_b(),
        ],
        ..SEEN
    },
    Step {
        id: "see-rate",
        link: "v=2&hz=60&interp=hermite&latency=50&jitter=0&loss=0&b.hz=6&at=600&views=two&show=tell",
        asks: choice(&["ten", "fifty", "same"], "fifty"),
        claims: &[
            claim("many", run("position_error_mm.p95"), 0.0, 20.0),
            // A fifth below straight lines.
            claim("few", run("position_error_mm.p95"), 60.0, 76.0)
                .times("many", 40.0, 60.0)
                .of_b(),
            claim("straight", run("position_error_mm.p95"), 80.0, 95.0)
                .of_b()
                .with("interp=linear"),
        ],
        ..SEEN
    },
    Step {
        id: "see-freeze",
        link: "v=2&hz=20&interp=linear&delay=55&latency=50&jitter=0&loss=5&b.delay=160&at=600&views=two&show=tell",
        asks: choice(&["none", "interval", "second"], "interval"),
        act: Some(Act::Tell { test: "freeze" }),
        claims: &[
            claim("tight", run("hitches"), 5.0, 60.0),
            claim("roomy", run("hitches"), 0.0, 5.0)
                .times("tight", 0.0, 0.5)
                .of_b(),
            claim("stops", run("freezes"), 5.0, 40.0),
            // Longer than an interval: two packets in a row are lost.
            claim("longest", run("longest_freeze_ms"), 51.0, 250.0),
        ],
        ..SEEN
    },
    Step {
        id: "see-snap",
        link: "v=2&strategy=game&predict=own&correct=snap&scene=mixed&latency=50&jitter=0&loss=0&b.correct=glide&at=600&views=two&show=tell",
        asks: choice(&["all", "largest", "none"], "largest"),
        act: Some(Act::Tell { test: "snap" }),
        claims: &[
            claim("corrections", run("corrections"), 80.0, 260.0),
            // Seen as a glide, too; the usual one is seen as a snap alone.
            claim("worst", run("correction_mm.max"), 120.0, 500.0),
            claim("usual", run("correction_mm.mean"), 30.0, 120.0).times("worst", 0.0, 0.8),
        ],
        ..SEEN
    },
    Step {
        id: "see-bill",
        link: "v=2&hz=60&interp=hermite&latency=50&jitter=0&loss=0&b.hz=20&at=600&views=two&show=tell",
        asks: choice(&["less", "third", "more"], "third"),
        claims: &[
            claim("all", KBPS, 50.0, 600.0),
            claim("less", KBPS, 10.0, 300.0)
                .times("all", 0.3, 0.36)
                .of_b(),
            claim("error", run("position_error_mm.p95"), 0.0, 200.0).of_b(),
        ],
        ..SEEN
    },
];
