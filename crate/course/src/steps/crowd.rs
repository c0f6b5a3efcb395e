//! Steps on many clients: interest (how soon a client needs an object), budgets, and the cost of a lost part of a packet.
//!
//! The client predicts nothing, so all cubes except its own are drawn as packets bring them.

use super::defaults::{PLAIN, by_factors, choice};
use crate::Step;
use crate::claim::claim;
use crate::quantity::{KBPS, STILL_MS, run};

/// Defaults of this chapter's steps.
const AMONG: Step = Step {
    points_at: &["right", "figure"],
    ..PLAIN
};

pub(super) const STEPS: [Step; 4] = [
    Step {
        id: "crowd-bill",
        link: "v=2&strategy=game&scene=crowd&predict=wait&clients=8&loss=0&at=360&show=errors",
        asks: choice(&["half", "eighth", "area"], "eighth"),
        claims: &[
            claim("all", run("server_kbps"), 900.0, 1_250.0),
            claim("near", run("server_kbps"), 80.0, 500.0)
                .times("all", 0.1, 0.15)
                .with("sight=20"),
            claim("wide", run("server_kbps"), 150.0, 1_000.0)
                .times("all", 0.15, 0.9)
                .with("sight=50"),
        ],
        ..AMONG
    },
    Step {
        id: "all-or-nothing",
        link: "v=2&strategy=game&scene=crowd&predict=wait&loss=0&jitter=0&rate=96&queue=500&b.budget=80&at=480&views=two&show=errors",
        asks: by_factors("late", 50.0, 5_000.0),
        claims: &[
            claim("late", run("hand_others_ms"), 400.0, 5_000.0),
            claim("budget", run("hand_others_ms"), 150.0, 500.0)
                .times("late", 0.05, 0.7)
                .of_b(),
            claim("lost", run("loss_percent_happened"), 5.0, 60.0),
            claim("budget-lost", run("loss_percent_happened"), 0.0, 2.0).of_b(),
            claim("still", STILL_MS, 500.0, 20_000.0),
            claim("budget-age", run("far.age_ms_p99"), 50.0, 1_500.0).of_b(),
        ],
        ..AMONG
    },
    Step {
        id: "nearest-first",
        link: "v=2&strategy=game&scene=crowd&predict=wait&loss=0&budget=48&nearest=0&b.nearest=1&at=480&views=two&show=errors&shade=age",
        asks: choice(&["same", "third", "six"], "third"),
        claims: &[
            claim("even-near", run("near.age_ms_mean"), 50.0, 2_000.0),
            claim("even-far", run("far.age_ms_mean"), 50.0, 2_000.0),
            claim("near", run("near.age_ms_mean"), 0.0, 1_000.0)
                .times("even-near", 0.1, 0.2)
                .of_b(),
            claim("far", run("far.age_ms_mean"), 50.0, 3_000.0)
                .times("even-far", 1.2, 1.5)
                .of_b(),
            claim("near-error", run("near.error_mm_mean"), 0.0, 500.0).of_b(),
            claim("far-error", run("far.error_mm_mean"), 0.0, 2_000.0).of_b(),
            claim("even-error", run("near.error_mm_mean"), 0.0, 2_000.0),
        ],
        ..AMONG
    },
    Step {
        id: "lost-part",
        link: "v=2&strategy=game&scene=crowd&predict=wait&loss=10&mtu=576&b.budget=112&at=480&views=two&show=errors",
        asks: choice(&["budget", "same", "whole"], "budget"),
        claims: &[
            claim("whole", run("near.error_mm_p95"), 0.0, 2_000.0),
            claim("budget", run("near.error_mm_p95"), 0.0, 2_000.0)
                .times("whole", 0.05, 1.0)
                .of_b(),
            claim("whole-kbps", KBPS, 80.0, 250.0),
            claim("budget-kbps", KBPS, 60.0, 113.0).of_b(),
            claim("packets", run("packets_sent"), 400.0, 2_500.0),
            claim("budget-packets", run("packets_sent"), 350.0, 600.0).of_b(),
        ],
        ..AMONG
    },
];
