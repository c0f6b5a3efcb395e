//! Steps on a person who drives a cube: what the client predicts, how corrections look, and when keys must arrive.
//!
//! Loss and jitter are off, unless a step is about them. So each correction has one cause.

use super::defaults::{LONG_LECTURE, PLAIN, by_factors, choice, number};
use crate::claim::claim;
use crate::quantity::Quantity::*;
use crate::quantity::{POSITION_RMS, Quantity, run};
use crate::{Act, Step};

/// Defaults of this chapter's steps: each asks the visitor to drive.
const DRIVEN: Step = Step {
    act: Some(Act::Drive),
    points_at: &["right", "figure"],
    ..PLAIN
};

/// Link of three steps with a duel: all cubes are predicted, and a script at the server drives the rival, a second large
/// cube.
const DUEL: &str = "v=2&strategy=game&predict=all&scene=mixed&rival=script&latency=100&jitter=0&loss=0&at=600&show=errors";

/// Leaps of a shown cube that nobody overlooks.
const LEAPS: Quantity = Jumps { over_mm: 150.0 };

pub(super) const STEPS: [Step; 9] = [
    Step {
        id: "your-key",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=2&strategy=game&predict=wait&scene=roll&latency=50&jitter=0&loss=0&at=240&show=errors",
        asks: number("own", 0.0, 600.0),
        claims: &[
            claim("server", run("hand_server_ms"), 75.0, 100.0),
            claim("own", run("hand_ms"), 290.0, 340.0),
            claim("predicted", run("hand_ms"), 16.0, 17.0).with("predict=own"),
            claim("often", run("hand_ms"), 150.0, 250.0).with("hz=60"),
        ],
        ..DRIVEN
    },
    Step {
        id: "own-alone",
        link: "v=2&strategy=game&predict=own&scene=mixed&latency=50&jitter=0&loss=0&at=600&show=errors",
        asks: choice(&["nothing", "others", "mine"], "mine"),
        claims: &[
            claim("corrections", run("corrections"), 80.0, 260.0),
            claim("worst", run("correction_mm.max"), 80.0, 500.0),
            claim("others", run("hand_others_ms"), 290.0, 340.0),
            claim("ball", run("corrections"), 340.0, 400.0).with("scene=katamari"),
        ],
        ..DRIVEN
    },
    Step {
        id: "what-i-touch",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=2&strategy=game&predict=touch&scene=mixed&latency=50&jitter=0&loss=0&at=600&show=errors",
        asks: choice(&["none", "half", "more"], "none"),
        claims: &[
            claim("own", run("corrections"), 80.0, 260.0).with("predict=own"),
            claim("touch", run("corrections"), 0.0, 5.0).times("own", 0.0, 0.1),
            claim("cubes", run("predicted_cubes"), 2.0, 150.0),
            claim("all", run("corrections"), 0.0, 5.0).with("predict=all"),
            claim("all-cubes", run("predicted_cubes"), 901.0, 901.0).with("predict=all"),
            claim("far", run("corrections"), 0.0, 5.0)
                .times("far-own", 0.0, 0.05)
                .with("latency=250"),
            claim("far-own", run("corrections"), 60.0, 400.0).with("predict=own&latency=250"),
        ],
        ..DRIVEN
    },
    Step {
        id: "all-ahead",
        link: DUEL,
        asks: number("ticks", 1_200.0, 12_000.0),
        claims: &[
            claim("ticks", run("simulated_ticks"), 5_000.0, 7_500.0),
            claim("again", run("resimulated_ticks"), 4_000.0, 6_500.0).times(
                "near-again",
                1.2,
                2.2,
            ),
            claim("calm", run("simulated_ticks"), 1_200.0, 1_202.0).with("rival=none"),
            claim("near-again", run("resimulated_ticks"), 2_000.0, 4_500.0).with("latency=50"),
            claim("forks", run("forks_mb"), 10.0, 40.0),
        ],
        ..DRIVEN
    },
    Step {
        id: "rival-guess",
        link: DUEL,
        asks: choice(&["few", "half", "most"], "most"),
        claims: &[
            claim("corrections", run("corrections"), 350.0, 401.0),
            claim("rival", run("corrections_by_cause.rival"), 100.0, 220.0),
            claim("after", run("corrections_by_cause.values"), 150.0, 280.0),
            claim("keys", run("corrections_by_cause.keys"), 0.0, 0.0),
            claim("worst", run("correction_mm.max"), 250.0, 2_000.0),
            claim("old", run("hand_others_ms"), 380.0, 450.0).with("predict=own"),
        ],
        ..DRIVEN
    },
    Step {
        id: "what-he-saw",
        core: true,
        lectures: LONG_LECTURE,
        link: "v=2&strategy=game&predict=own&scene=mixed&rival=script&latency=100&jitter=0&loss=0&at=600&show=errors",
        asks: by_factors("now", 10.0, 10_000.0),
        claims: &[
            claim("now", run("aim_now_mm"), 300.0, 6_000.0),
            claim("rewound", run("aim_rewound_mm"), 0.0, 30.0).times("now", 0.0, 0.05),
            claim("old", run("hand_others_ms"), 380.0, 450.0),
            claim("near", run("aim_now_mm"), 100.0, 5_000.0)
                .times("now", 0.3, 0.95)
                .with("latency=20"),
        ],
        ..DRIVEN
    },
    Step {
        id: "snap-or-glide",
        link: "v=2&strategy=game&predict=all&correct=snap&scene=mixed&rival=script&latency=100&jitter=0&loss=0&b.correct=glide&at=600&views=two&show=errors",
        asks: choice(&["a", "b", "same"], "same"),
        points_at: &["right", "b"],
        claims: &[
            claim("snap", POSITION_RMS, 100.0, 400.0),
            claim("glide", POSITION_RMS, 100.0, 400.0)
                .times("snap", 0.8, 1.25)
                .of_b(),
            claim("jumps", LEAPS, 50.0, 400.0),
            claim("glide-jumps", LEAPS, 0.0, 200.0)
                .times("jumps", 0.0, 0.7)
                .of_b(),
            // Of the drive itself, without a rival to guess.
            claim("own-jumps", LEAPS, 0.0, 100.0).with("rival=none"),
        ],
        ..DRIVEN
    },
    Step {
        id: "too-late",
        // Stalls come at even times: nothing is left to chance.
        link: "v=2&strategy=game&predict=all&lead=10&scene=roll&latency=50&jitter=0&loss=0&stall=3&stallms=100&b.lead=100&at=240&views=two&show=errors",
        asks: choice(&["clock", "margin", "nothing"], "margin"),
        points_at: &["right", "b"],
        claims: &[
            claim("late", run("keys_missing"), 2.0, 8.0),
            claim("early", run("keys_missing"), 0.0, 0.0).of_b(),
            claim("auto", run("keys_missing"), 2.0, 8.0).with("lead=auto"),
            // No key changes during a stall on 3 of 8 seeds; nothing is corrected then, and the page shows that spread.
            claim("late-worst", run("correction_mm.max"), 0.0, 600.0),
            claim("early-worst", run("correction_mm.max"), 0.0, 0.0).of_b(),
            claim("late-server", run("hand_server_ms"), 100.0, 130.0),
            claim("early-server", run("hand_server_ms"), 160.0, 190.0).of_b(),
        ],
        ..DRIVEN
    },
    Step {
        id: "lost-keys",
        link: "v=2&strategy=game&predict=all&repeats=1&scene=roll&latency=50&jitter=0&loss=10&b.repeats=16&at=240&views=two&show=errors",
        run_s: 10,
        asks: choice(&["none", "ten", "half"], "ten"),
        points_at: &["right", "b"],
        claims: &[
            claim("once", run("keys_missing"), 30.0, 120.0),
            claim("repeated", run("keys_missing"), 0.0, 2.0).of_b(),
            claim("twice", run("keys_missing"), 0.0, 20.0).with("repeats=2"),
            claim("once-worst", run("correction_mm.max"), 50.0, 5_000.0),
            claim("once-kbps", run("ack_kbps_mean"), 15.0, 30.0),
            claim("repeated-kbps", run("ack_kbps_mean"), 15.0, 35.0).of_b(),
            claim("once-margin", run("key_margin_ms"), 15.0, 40.0),
            claim("repeated-margin", run("key_margin_ms"), 60.0, 120.0).of_b(),
        ],
        ..DRIVEN
    },
];
