//! Steps on the choice between the three strategies.

use super::defaults::{LECTURES, PLAIN, choice};
use crate::claim::claim;
use crate::quantity::{BEHIND_MS, KBPS, POSITION_MAX, POSITION_RMS};
use crate::{Act, Step};

/// Settings of state synchronisation without quantising both worlds. With both quantised, one machine that plays both sides
/// leaves no error to correct.
const SYNC: &str = "strategy=sync&both=0&smooth=off";

pub(super) const STEPS: [Step; 3] = [
    Step {
        id: "one-bad-network",
        link: "v=1&latency=125&loss=5&hz=60&delay=85&b.strategy=lockstep&at=900&views=two&show=compare",
        run_s: 23,
        asks: choice(&["snapshots", "sync", "lockstep"], "lockstep"),
        points_at: &["right", "b"],
        claims: &[
            claim("snapshots", KBPS, 60.0, 280.0),
            claim("predicted", KBPS, 40.0, 190.0)
                .times("snapshots", 0.5, 0.85)
                .with("codec=predicted"),
            claim("sync", KBPS, 230.0, 257.0)
                .times("snapshots", 0.5, 4.0)
                .with(SYNC),
            claim("lockstep", KBPS, 14.0, 20.0)
                .times("predicted", 0.0, 0.4)
                .of_b(),
            claim("snapshots-behind", BEHIND_MS, 190.0, 240.0),
            claim("sync-behind", BEHIND_MS, 190.0, 240.0).with(SYNC),
            claim("lockstep-behind", BEHIND_MS, 190.0, 260.0).of_b(),
            claim("snapshots-error", POSITION_RMS, 0.2, 4.0),
            claim("sync-error", POSITION_RMS, 1.0, 60.0).with(SYNC),
            claim("lockstep-error", POSITION_MAX, 0.0, 0.0).of_b(),
            claim("flipped", POSITION_RMS, 300.0, 40_000.0)
                .of_b()
                .with("desync=bit"),
        ],
        ..PLAIN
    },
    Step {
        id: "your-game",
        core: true,
        lectures: LECTURES,
        link: "v=1&hz=60&codec=predicted&latency=125&loss=5&delay=85&b.strategy=lockstep&at=900&views=two&show=compare",
        run_s: 23,
        asks: choice(&["snapshots", "sync", "lockstep"], "snapshots"),
        act: Some(Act::Set {
            id: "grid",
            least: 5.0,
            most: 60.0,
        }),
        points_at: &["right", "b"],
        claims: &[
            claim("predicted", KBPS, 40.0, 190.0),
            claim("lockstep", KBPS, 14.0, 20.0)
                .times("predicted", 0.0, 0.4)
                .of_b(),
            claim("duel", KBPS, 14.0, 20.0)
                .times("lockstep", 0.95, 1.1)
                .of_b()
                .with("grid=60"),
        ],
        ..PLAIN
    },
    Step {
        id: "you-can",
        core: true,
        link: "v=1&hz=60&codec=uncompressed&b.codec=predicted&at=900&views=two&show=compare",
        run_s: 30,
        asks: choice(&["ten", "fifty", "more"], "more"),
        points_at: &["right", "b"],
        claims: &[
            claim("before", KBPS, 17_350.0, 17_390.0).seconds(2),
            claim("after", KBPS, 40.0, 190.0)
                .times("before", 0.0, 0.01)
                .of_b(),
            claim("error", POSITION_RMS, 0.1, 2.0).of_b(),
        ],
        ..PLAIN
    },
];
