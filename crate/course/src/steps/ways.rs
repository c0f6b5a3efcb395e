//! Steps on the three strategies to send a world: snapshots, state synchronisation and lockstep. The most striking step comes
//! first.

use super::defaults::{LECTURES, PLAIN, choice};
use crate::claim::claim;
use crate::quantity::Quantity::*;
use crate::quantity::{KBPS, POSITION_MAX, POSITION_RMS, at, run};
use crate::{Act, Step};
use snapshot_app::visit::Cut;
use snapshot_codec::Kind;

const SNAPSHOTS: &str = "strategy=snapshot&codec=predicted";

pub(super) const STEPS: [Step; 4] = [
    Step {
        id: "two-copies",
        core: true,
        lectures: LECTURES,
        // Both copies are as old, so age does not tell them apart.
        link: "v=1&hz=60&codec=predicted&b.codec=uncompressed&at=900&views=two",
        asks: choice(&["a", "b", "neither"], "neither"),
        run_s: 30,
        points_at: &["right", "b"],
        claims: &[
            claim("small", KBPS, 80.0, 140.0)
                .times("large", 0.0, 0.02)
                .article(256.0),
            // The same each second.
            claim("large", KBPS, 17_350.0, 17_390.0)
                .of_b()
                .seconds(2)
                .article(17_380.0),
            claim("error", POSITION_RMS, 0.1, 2.0),
            claim("ball", KBPS, 120.0, 330.0)
                .with("scene=katamari")
                .seconds(20),
            claim("idle", at("kbps", 300), 13.4, 20.0)
                .with("scene=drive")
                .seconds(5),
        ],
        ..PLAIN
    },
    Step {
        id: "cut",
        core: true,
        lectures: LECTURES,
        link: "v=1&strategy=sync&at=1190&show=errors",
        cut: Some(Cut {
            after_tick: 1200,
            ticks: 120,
        }),
        play_s: 5,
        run_s: 24,
        asks: choice(&["snapshots", "sync", "lockstep"], "sync"),
        act: Some(Act::Cut),
        points_at: &["right"],
        claims: &[
            // All three are held against the same instant: the truth of the tick at which the network is back.
            claim("astray", FarthestFromNowAt(1320), 11_000.0, 40_000.0).times("still", 0.8, 5.0),
            claim("healed", at("position_error_mm.max", 1420), 0.0, 300.0),
            claim("frozen", run("longest_freeze_ms"), 1800.0, 2200.0).with(SNAPSHOTS),
            claim("still", FarthestFromNowAt(1320), 3_000.0, 20_000.0).with(SNAPSHOTS),
            claim("lockstep", FarthestFromNowAt(1320), 3_000.0, 20_000.0)
                .times("still", 0.8, 1.25)
                .with("strategy=lockstep"),
            claim("early", FarthestFromNowAt(1215), 0.0, 4_000.0),
            claim("early-still", FarthestFromNowAt(1215), 0.0, 4_000.0).with(SNAPSHOTS),
            claim("lockstep-exact", POSITION_MAX, 0.0, 0.0).with("strategy=lockstep"),
            claim("lockstep-waits", run("longest_freeze_ms"), 1900.0, 2400.0)
                .with("strategy=lockstep"),
        ],
        ..PLAIN
    },
    Step {
        id: "cube-in-bits",
        link: "v=1&codec=uncompressed&hz=60&at=600&show=bits",
        run_s: 10,
        asks: choice(
            &["orientation", "position", "velocity", "interacting"],
            "orientation",
        ),
        points_at: &["figure"],
        claims: &[
            claim("orientation", BitsPerCube(Kind::Orientation), 128.0, 128.0).article(128.0),
            claim("position", BitsPerCube(Kind::Position), 96.0, 96.0).article(96.0),
            claim("velocity", BitsPerCube(Kind::LinearVelocity), 96.0, 96.0).article(96.0),
            claim("interacting", BitsPerCube(Kind::Interacting), 1.0, 1.0).article(1.0),
            claim("all", KBPS, 17_350.0, 17_390.0).article(17_380.0),
            claim("grid", KBPS, 69_000.0, 70_000.0)
                .times("all", 3.95, 4.05)
                .with("grid=60")
                .seconds(2),
        ],
        ..PLAIN
    },
    Step {
        id: "who-pays",
        core: true,
        link: "v=1&hz=60&codec=predicted&scene=katamari&b.strategy=lockstep&at=600&views=two&show=bits",
        asks: choice(&["roll", "blow", "katamari"], "katamari"),
        points_at: &["right", "bandwidth"],
        claims: &[
            claim("roll", KBPS, 18.0, 45.0).with("scene=roll"),
            claim("roll-grid", KBPS, 18.0, 45.0)
                .times("roll", 0.95, 1.1)
                .with("scene=roll&grid=60"),
            claim("blow", KBPS, 40.0, 130.0)
                .times("roll", 2.0, 6.0)
                .with("scene=blow"),
            claim("katamari", KBPS, 120.0, 330.0).times("mixed", 1.2, 3.0),
            claim("mixed", KBPS, 80.0, 140.0)
                .times("blow", 1.02, 3.0)
                .with("scene=mixed")
                .seconds(30),
            claim("lockstep", KBPS, 14.0, 18.0).of_b(),
        ],
        ..PLAIN
    },
];
