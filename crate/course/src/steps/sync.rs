//! Steps on state synchronisation. One machine plays both sides here. If every key is known and the simulated states are
//! quantised like the sent ones, the copy is exact whatever is sent. So most of these steps do not quantise the simulated
//! states.

use super::defaults::{LECTURES, LONG_LECTURE, PLAIN, by_factors, choice};
use crate::claim::claim;
use crate::quantity::Quantity::*;
use crate::quantity::{POSITION_MAX, POSITION_RMS, at, run};
use crate::{Act, Step};
use snapshot_app::visit::Cut;

const FULL_LINE: &str = "loss=0&jitter=0&rate=240&queue=200";
const FULL_LINE_ADAPTED: &str = "loss=0&jitter=0&rate=240&queue=200&adapt=delay";

pub(super) const STEPS: [Step; 7] = [
    Step {
        id: "budget",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=1&strategy=sync&scene=katamari&loss=10&both=0&smooth=off&seed=2&b.budget=64&at=600&views=two&show=compare&shade=error",
        run_s: 18,
        asks: by_factors("few", 1.0, 900.0),
        act: Some(Act::Set {
            id: "budget",
            least: 48.0,
            most: 128.0,
        }),
        points_at: &["right", "b"],
        claims: &[
            claim("many", run("updates_per_packet_mean"), 14.0, 26.0),
            claim("few", run("updates_per_packet_mean"), 2.0, 7.0).of_b(),
            claim("error", POSITION_RMS, 3.0, 25.0),
            claim("error-few", POSITION_RMS, 50.0, 300.0)
                .times("error", 5.0, 50.0)
                .of_b(),
            claim("news", run("since_update_median_ms"), 1_000.0, 12_000.0),
            claim("adapted", POSITION_RMS, 100.0, 1_000.0).with("adapt=1"),
            // A line that carries less than the budget: there a budget that reacts helps.
            claim("full-late", run("packets_late"), 500.0, 1_080.0).with(FULL_LINE),
            claim("full", POSITION_RMS, 1_000.0, 200_000.0).with(FULL_LINE),
            claim("full-adapted", POSITION_RMS, 3.0, 300.0)
                .times("full", 0.0, 0.1)
                .with(FULL_LINE_ADAPTED),
        ],
        ..PLAIN
    },
    Step {
        id: "who-gets-in",
        link: "v=1&strategy=sync&both=0&smooth=off&accumulate=0&b.accumulate=1&at=1080&views=two&show=compare&shade=error",
        run_s: 18,
        asks: choice(&["red", "grey", "both"], "both"),
        points_at: &["right", "b"],
        claims: &[
            claim("count", InteractingAt(720), 65.0, 400.0),
            claim("held", at("changed_cubes", 720), 10.0, 32.0),
            claim("held-double", at("changed_cubes", 720), 33.0, 64.0).with("budget=512"),
            claim("red", at("position_error_mm.max", 720), 300.0, 40_000.0),
            claim("red-fair", at("position_error_mm.max", 720), 0.0, 299.0).of_b(),
            claim(
                "wrong",
                RestingOffAt {
                    tick: 1080,
                    over_mm: 100.0,
                },
                20.0,
                400.0,
            ),
            claim("how-wrong", RestingFarthestAt(1080), 300.0, 6_000.0),
            claim(
                "fair",
                RestingOffAt {
                    tick: 1080,
                    over_mm: 100.0,
                },
                0.0,
                8.0,
            )
            .of_b(),
            claim(
                "red-double",
                at("position_error_mm.max", 720),
                0.0,
                40_000.0,
            )
            .with("budget=512"),
            claim(
                "wrong-double",
                RestingOffAt {
                    tick: 1080,
                    over_mm: 100.0,
                },
                5.0,
                400.0,
            )
            .with("budget=512"),
        ],
        ..PLAIN
    },
    Step {
        id: "unseen-velocities",
        core: true,
        lectures: LECTURES,
        link: "v=1&strategy=sync&scene=katamari&both=0&smooth=off&velocities=0&b.velocities=1&seed=2&at=1020&views=two&show=compare&shade=error",
        run_s: 25,
        asks: choice(&["more", "fewer"], "fewer"),
        points_at: &["right", "b"],
        claims: &[
            claim(
                "updates-without",
                run("updates_per_packet_mean"),
                26.0,
                45.0,
            )
            .times("updates", 1.3, 3.0),
            claim("updates", run("updates_per_packet_mean"), 14.0, 26.0).of_b(),
            claim("error-without", POSITION_RMS, 3.0, 80.0).times("error", 0.9, 10.0),
            claim("error", POSITION_RMS, 3.0, 25.0).of_b(),
            claim("pops-without", run("pops"), 15.0, 20_000.0),
            claim("pops", run("pops"), 0.0, 300.0).of_b(),
        ],
        ..PLAIN
    },
    Step {
        id: "feed-back",
        // Few updates correct the drift here, or nobody could see it.
        link: "v=1&strategy=sync&budget=64&smooth=off&both=0&b.both=1&at=600&views=two&show=compare&shade=error",
        run_s: 17,
        asks: choice(&["less", "none", "more"], "none"),
        points_at: &["right", "b"],
        claims: &[
            claim("one", POSITION_RMS, 2.0, 200.0),
            claim("both", POSITION_RMS, 0.0, 0.0).of_b().article(0.0),
            claim("one-256", POSITION_RMS, 0.5, 40.0)
                .times("one", 0.01, 0.5)
                .with("budget=256"),
            claim("soft", POSITION_MAX, 30.0, 5_000.0),
            claim("stiff", POSITION_MAX, 30.0, 5_000.0)
                .times("soft", 0.1, 10.0)
                .with("soft=0"),
            claim("restless", MovingAt(985), 40.0, 900.0).with("both=1&pos=6&rot=7"),
            claim("calm", MovingAt(985), 0.0, 20.0).with("both=1"),
        ],
        ..PLAIN
    },
    Step {
        id: "jitter",
        link: "v=1&strategy=sync&jitter=33&smooth=off&buffer=none&b.buffer=5&at=400&views=two&show=compare",
        run_s: 15,
        asks: choice(&["same", "late", "jumps"], "jumps"),
        act: Some(Act::Set {
            id: "buffer",
            least: 2.0,
            most: 12.0,
        }),
        points_at: &["right", "b"],
        claims: &[
            claim("pops", run("pops"), 100.0, 2_000.0),
            claim("pops-buffered", run("pops"), 0.0, 0.0).of_b(),
            claim("hitches", run("hitches"), 30.0, 900.0),
            claim("hitches-buffered", run("hitches"), 0.0, 0.0).of_b(),
            claim("steady", run("pops"), 0.0, 200.0)
                .times("pops", 0.0, 0.4)
                .with("jitter=0&latency=200"),
        ],
        ..PLAIN
    },
    Step {
        id: "smooth",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=1&strategy=sync&smooth=off&b.smooth=adaptive&at=1195&views=two&show=compare",
        cut: Some(Cut {
            after_tick: 1200,
            ticks: 60,
        }),
        play_s: 3,
        run_s: 22,
        asks: choice(&["truer", "calmer", "both"], "calmer"),
        act: Some(Act::Cut),
        points_at: &["right", "b"],
        claims: &[
            claim("off", run("pops"), 20.0, 600.0),
            claim("adaptive", run("pops"), 0.0, 200.0)
                .times("off", 0.0, 0.7)
                .of_b(),
            claim("basic", run("pops"), 0.0, 300.0)
                .times("adaptive", 0.5, 1_000.0)
                .with("smooth=basic"),
            claim("off-error", at("position_error_mm.rms", 1320), 0.0, 400.0),
            claim(
                "adaptive-error",
                at("position_error_mm.rms", 1320),
                1.0,
                2_000.0,
            )
            .times("off-error", 1.0, 1_000.0)
            .of_b(),
            claim(
                "basic-error",
                at("position_error_mm.rms", 1320),
                0.0,
                2_000.0,
            )
            .with("smooth=basic"),
        ],
        ..PLAIN
    },
    Step {
        id: "more-updates",
        link: "v=1&strategy=sync&scene=katamari&both=0&smooth=off&b.rel=1&b.delta=1&b.rest=1&at=900&views=two&show=compare&shade=age",
        run_s: 23,
        asks: choice(&["relative", "delta", "rest"], "delta"),
        points_at: &["right", "b"],
        claims: &[
            claim("plain", run("updates_per_packet_mean"), 14.0, 26.0),
            claim("packed", run("updates_per_packet_mean"), 22.0, 40.0)
                .times("plain", 1.2, 3.0)
                .of_b(),
            claim("plain-error", POSITION_RMS, 3.0, 25.0),
            claim("packed-error", POSITION_RMS, 2.0, 15.0)
                .times("plain-error", 0.0, 0.9)
                .of_b(),
            claim("relative", run("updates_per_packet_mean"), 17.0, 32.0)
                .times("plain", 1.05, 1.4)
                .with("rel=1"),
            claim("delta", run("updates_per_packet_mean"), 18.0, 40.0)
                .times("relative", 1.02, 1.6)
                .with("delta=1"),
            claim("coarse", run("updates_per_packet_mean"), 17.0, 32.0)
                .times("plain", 1.05, 1.4)
                .with("pos=9&rot=9"),
            claim("rest", run("updates_per_packet_mean"), 14.0, 26.0)
                .times("plain", 0.95, 1.05)
                .with("rest=1"),
        ],
        ..PLAIN
    },
];
