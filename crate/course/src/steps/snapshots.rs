//! Steps on snapshot interpolation.

use super::defaults::{LECTURES, PLAIN, choice};
use crate::claim::claim;
use crate::quantity::{
    BEHIND_MS, KBPS, ORIENTATION_RMS, POSITION_MAX, POSITION_RMS, STILL_MS, at, run,
};
use crate::{Act, Step};

pub(super) const STEPS: [Step; 8] = [
    Step {
        id: "no-buffer",
        link: "v=1&codec=uncompressed&hz=60&interp=none&delay=none&loss=0&jitter=33&b.jitter=0&at=300&views=two&show=compare",
        asks: choice(&["none", "tenth", "half"], "half"),
        points_at: &["right", "b"],
        claims: &[
            claim("overtaken", run("packets_overtaken"), 100.0, 900.0),
            claim("skipped", run("skipped"), 480.0, 600.0),
            claim("even", run("skipped"), 0.0, 30.0).of_b(),
            claim("still", STILL_MS, 4_000.0, 15_000.0),
            claim("half", run("packets_overtaken"), 0.0, 0.0).with("jitter=8"),
            claim("half-skipped", run("skipped"), 100.0, 600.0)
                .times("skipped", 0.2, 0.9)
                .with("jitter=8"),
        ],
        ..PLAIN
    },
    Step {
        id: "ten",
        link: "v=1&codec=uncompressed&interp=none&delay=0&jitter=0&loss=0&at=300&show=errors&shade=error",
        run_s: 13,
        asks: choice(&["stays", "halves", "quarter"], "halves"),
        points_at: &["right", "tint"],
        claims: &[
            claim("worst", POSITION_MAX, 500.0, 10_000.0).times("average", 3.0, 100.0),
            claim("average", POSITION_RMS, 50.0, 1_000.0),
            claim("kbps", KBPS, 2_850.0, 2_930.0)
                .times("sixty", 0.16, 0.17)
                .article(2_000.0),
            claim("sixty", KBPS, 17_350.0, 17_390.0)
                .with("hz=60")
                .seconds(2),
            claim("twenty", POSITION_RMS, 20.0, 500.0)
                .times("average", 0.35, 0.65)
                .with("hz=20"),
        ],
        ..PLAIN
    },
    Step {
        id: "buffer",
        core: true,
        lectures: LECTURES,
        link: "v=1&codec=uncompressed&delay=300&jitter=33&loss=5&interp=none&b.interp=linear&at=600&views=two&show=compare",
        asks: choice(&["250", "300", "350", "600"], "350"),
        points_at: &["right", "b"],
        claims: &[
            claim("behind", BEHIND_MS, 320.0, 420.0).of_b(),
            claim("none", POSITION_RMS, 120.0, 500.0),
            claim("linear", POSITION_RMS, 5.0, 60.0)
                .times("none", 0.0, 0.3)
                .of_b(),
            claim("far-behind", BEHIND_MS, 370.0, 470.0)
                .of_b()
                .with("latency=100"),
            claim("far", POSITION_RMS, 5.0, 60.0)
                .times("linear", 0.9, 1.1)
                .of_b()
                .with("latency=100"),
        ],
        ..PLAIN
    },
    Step {
        id: "where-linear",
        core: true,
        link: "v=1&scene=katamari&codec=at-rest&interp=linear&at=240&show=errors&shade=error",
        play_s: 4,
        run_s: 12,
        asks: choice(&["shakes", "breathes", "lags"], "breathes"),
        act: Some(Act::Set {
            id: "hz",
            least: 1.0,
            most: 5.0,
        }),
        points_at: &["right", "tint"],
        claims: &[
            claim("error", POSITION_RMS, 20.0, 60.0),
            claim("twenty", POSITION_RMS, 2.0, 15.0)
                .times("error", 0.0, 0.5)
                .with("hz=20"),
            claim("five", POSITION_RMS, 50.0, 300.0)
                .times("error", 2.0, 10.0)
                .with("hz=5"),
        ],
        ..PLAIN
    },
    Step {
        id: "velocities",
        link: "v=1&scene=katamari&codec=at-rest&interp=linear&b.interp=hermite&at=240&views=two&show=compare&shade=error",
        play_s: 5,
        run_s: 12,
        asks: choice(&["alike", "between", "worse"], "between"),
        points_at: &["right", "b"],
        claims: &[
            claim("linear", POSITION_RMS, 20.0, 60.0),
            claim("hermite", POSITION_RMS, 5.0, 20.0)
                .times("linear", 0.0, 0.6)
                .of_b(),
            claim("with", KBPS, 1_000.0, 1_300.0),
            claim("without", KBPS, 1_000.0, 1_300.0)
                .times("with", 0.9, 0.995)
                .with("codec=no-velocity"),
            claim("neighbours", POSITION_RMS, 15.0, 45.0)
                .times("hermite", 1.4, 3.0)
                .with("codec=changed-flags&interp=hermite"),
            claim("linear-five", POSITION_RMS, 40.0, 200.0).with("hz=5"),
            claim("hermite-five", POSITION_RMS, 15.0, 80.0)
                .times("linear-five", 0.2, 0.6)
                .of_b()
                .with("hz=5"),
            claim("nlerp", ORIENTATION_RMS, 0.5, 8.0),
            claim("slerp", ORIENTATION_RMS, 0.5, 8.0)
                .times("nlerp", 0.95, 1.05)
                .with("interp=slerp"),
        ],
        ..PLAIN
    },
    Step {
        id: "enough-delay",
        core: true,
        lectures: LECTURES,
        link: "v=1&interp=hermite&jitter=33&loss=5&delay=100&b.delay=350&at=1500&views=two&show=packets",
        play_s: 5,
        run_s: 30,
        asks: choice(&["100", "150", "250", "350"], "350"),
        act: Some(Act::Set {
            id: "burst",
            least: 3.0,
            most: 20.0,
        }),
        points_at: &["right", "b"],
        claims: &[
            claim("100", STILL_MS, 400.0, 8_000.0),
            claim("150", STILL_MS, 100.0, 2_000.0)
                .times("100", 0.0, 0.5)
                .with("delay=150"),
            claim("250", STILL_MS, 0.0, 400.0)
                .times("150", 0.0, 0.3)
                .with("delay=250"),
            claim("350", STILL_MS, 0.0, 17.0)
                .with("delay=350")
                .article(0.0),
            claim("burst", STILL_MS, 0.0, 9_000.0).with("delay=500&burst=3"),
            claim("thirty", STILL_MS, 0.0, 300.0).with("hz=30&delay=350&burst=3"),
            claim("twenty", STILL_MS, 0.0, 50.0).with("hz=20&delay=200"),
            claim("two-percent", STILL_MS, 0.0, 300.0).with("delay=250&loss=2"),
        ],
        ..PLAIN
    },
    Step {
        id: "guess-ahead",
        link: "v=1&scene=katamari&codec=at-rest&interp=extrapolate&delay=0&b.interp=hermite&b.delay=350&at=265&views=two&show=errors&shade=error",
        play_s: 4,
        run_s: 12,
        asks: choice(&["smooth", "tangent", "late"], "tangent"),
        points_at: &["right", "b"],
        claims: &[
            claim("ahead", POSITION_RMS, 20.0, 150.0).times("hermite", 3.0, 20.0),
            claim("ahead-behind", BEHIND_MS, 30.0, 80.0),
            claim("hermite", POSITION_RMS, 2.0, 20.0).of_b(),
            claim("hermite-behind", BEHIND_MS, 350.0, 470.0).of_b(),
            claim("none", POSITION_RMS, 120.0, 500.0)
                .times("ahead", 2.0, 20.0)
                .with("interp=none"),
            claim("sixty", POSITION_RMS, 2.0, 20.0)
                .times("ahead", 0.03, 0.3)
                .with("hz=60"),
            claim("roll", POSITION_RMS, 5.0, 200.0)
                .times("roll-buffered", 1.5, 30.0)
                .with("scene=roll"),
            claim("roll-buffered", POSITION_RMS, 1.0, 50.0)
                .with("scene=roll&interp=hermite&delay=350"),
            claim("hover", POSITION_RMS, 15.0, 250.0)
                .times("hover-buffered", 2.0, 20.0)
                .with("scene=blow&grid=5"),
            claim("hover-buffered", POSITION_RMS, 1.0, 40.0)
                .with("scene=blow&grid=5&interp=hermite&delay=350"),
            // The article's setting: 150 ms of buffer, and up to 200 ms of guess where packets are lost.
            claim("patched", POSITION_RMS, 4.0, 60.0)
                .times("stuck", 0.1, 0.97)
                .with("delay=150&jitter=33&loss=5"),
            claim("patched-worst", POSITION_MAX, 100.0, 5_000.0)
                .with("delay=150&jitter=33&loss=5")
                .seconds(30),
            claim("stuck", POSITION_RMS, 8.0, 120.0)
                .with("interp=hermite&delay=150&jitter=33&loss=5"),
            claim("waited", POSITION_RMS, 4.0, 30.0)
                .with("interp=hermite&delay=350&jitter=33&loss=5"),
            claim("waited-worst", POSITION_MAX, 50.0, 2_000.0)
                .with("interp=hermite&delay=350&jitter=33&loss=5")
                .seconds(30),
            claim("thrown", at("position_error_mm.max", 278), 200.0, 3_000.0),
            claim("floor", at("position_error_mm.max", 74), 500.0, 4_000.0)
                .with("hz=5")
                .seconds(2),
            claim("floor-ten", at("position_error_mm.max", 68), 50.0, 1_500.0).seconds(2),
        ],
        ..PLAIN
    },
    Step {
        id: "more-often",
        link: "v=1&codec=uncompressed&jitter=33&loss=5&interp=hermite&delay=350&b.hz=60&b.delay=85&at=600&views=two&show=compare",
        play_s: 9,
        asks: choice(&["a", "b", "same"], "b"),
        points_at: &["right", "b"],
        claims: &[
            claim("ten", POSITION_RMS, 4.0, 20.0),
            claim("thirty", POSITION_RMS, 1.0, 8.0)
                .times("ten", 0.0, 0.5)
                .with("hz=30&delay=150"),
            claim("sixty", POSITION_RMS, 0.2, 2.5)
                .times("thirty", 0.0, 0.9)
                .of_b(),
            claim("ten-hitches", run("hitches"), 0.0, 1.0).article(0.0),
            claim("thirty-hitches", run("hitches"), 0.0, 0.0)
                .with("hz=30&delay=150")
                .article(0.0),
            claim("sixty-hitches", run("hitches"), 0.0, 1.0)
                .of_b()
                .article(0.0),
            claim("ten-kbps", KBPS, 2_850.0, 2_930.0),
            claim("sixty-kbps", KBPS, 17_350.0, 17_390.0).of_b(),
            // Measured on B, whose 1,200 packets give a better share than A's 200.
            claim("pieces", run("fragments_per_packet_mean"), 31.0, 31.0)
                .of_b()
                .with("mtu=1200&loss=1"),
            claim("pieces-lost", run("loss_percent_happened"), 23.0, 31.0)
                .of_b()
                .with("mtu=1200&loss=1"),
            claim("whole-lost", run("loss_percent_happened"), 0.2, 3.0)
                .times("pieces-lost", 0.0, 0.1)
                .of_b()
                .with("mtu=1200&loss=1&codec=changed-flags"),
        ],
        ..PLAIN
    },
];
