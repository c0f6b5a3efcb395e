//! Steps on snapshot compression, one rung (encoding) after the other.

use super::defaults::{self, LECTURES, LONG_LECTURE, by_factors, choice, number};
use crate::claim::claim;
use crate::quantity::Quantity::*;
use crate::quantity::{KBPS, ORIENTATION_RMS, POSITION_RMS, Quantity, at, index_bits_at, run};
use crate::{Act, Step};
use snapshot_codec::Kind;

/// Defaults of this chapter's steps: all rungs on one motion of half a minute.
const PLAIN: Step = Step {
    run_s: 30,
    ..defaults::PLAIN
};

/// Settings of snapshots whose acknowledgements name the newest snapshot alone.
const NEWEST_ALONE: &str = "strategy=snapshot&hz=60&codec=changed-flags";

/// Size of the packet at 20 s, when somebody joins, encoded against the snapshot of `baseline_tick`.
const fn joined_at(baseline_tick: u64) -> Quantity {
    PacketBytes {
        tick: 1200,
        baseline_tick,
    }
}

pub(super) const STEPS: [Step; 17] = [
    Step {
        id: "four-floats",
        core: true,
        lectures: LECTURES,
        link: "v=1&hz=60&codec=uncompressed&b.codec=smallest-three&at=1100&views=two&show=compare",
        asks: number("bits", 3.0, 128.0),
        act: Some(Act::Set {
            id: "rot",
            least: 2.0,
            most: 6.0,
        }),
        points_at: &["b"],
        claims: &[
            claim("bits", BitsPerCube(Kind::Orientation), 29.0, 29.0)
                .seconds(2)
                .of_b()
                .article(29.0),
            claim("before", Rung("uncompressed"), 17_350.0, 17_390.0).article(17_380.0),
            claim("after", Rung("smallest-three"), 12_000.0, 12_030.0),
            claim("fine", ORIENTATION_RMS, 0.0, 1.0).of_b().seconds(20),
            claim("coarse", ORIENTATION_RMS, 2.0, 14.0)
                .of_b()
                .with("rot=4")
                .seconds(20),
            claim("eight", ORIENTATION_RMS, 0.05, 2.0)
                .times("fine", 1.8, 2.2)
                .of_b()
                .with("rot=8")
                .seconds(20),
        ],
        ..PLAIN
    },
    Step {
        id: "velocity-hint",
        link: "v=1&hz=60&codec=velocity&interp=hermite&at=1100&show=bits",
        asks: choice(&["stops", "worse", "same"], "same"),
        points_at: &["figure"],
        claims: &[
            claim("bits", BitsPerCube(Kind::LinearVelocity), 33.0, 33.0).article(33.0),
            claim("before", Rung("smallest-three"), 12_000.0, 12_030.0),
            claim("after", Rung("velocity"), 8_600.0, 8_630.0),
            claim("none", Rung("no-velocity"), 6_800.0, 6_850.0).times("after", 0.7, 0.9),
            claim("rounded", POSITION_RMS, 0.01, 2.0)
                .times("exact", 0.8, 1.25)
                .seconds(20),
            claim("exact", POSITION_RMS, 0.01, 2.0)
                .with("codec=smallest-three")
                .seconds(20),
            claim("without", POSITION_RMS, 0.1, 2.0)
                .times("rounded", 0.2, 1.0)
                .with("codec=no-velocity&interp=linear")
                .seconds(20),
            claim("ten", POSITION_RMS, 1.0, 30.0)
                .with("hz=10")
                .seconds(20),
            claim("ten-without", POSITION_RMS, 4.0, 60.0)
                .times("ten", 1.4, 4.0)
                .with("hz=10&codec=no-velocity&interp=linear")
                .seconds(20),
        ],
        ..PLAIN
    },
    Step {
        id: "most-still",
        link: "v=1&hz=60&codec=at-rest&at=1200&show=bits",
        asks: number("moving", 0.0, 901.0),
        points_at: &["left"],
        claims: &[
            claim("moving", MovingAt(1200), 40.0, 110.0),
            claim("before", Rung("velocity"), 8_600.0, 8_630.0),
            claim("after", Rung("at-rest"), 6_850.0, 7_100.0),
            claim("ball", KBPS, 6_900.0, 7_300.0)
                .times("after", 0.98, 1.05)
                .with("scene=katamari")
                .seconds(20),
        ],
        ..PLAIN
    },
    Step {
        id: "how-fine",
        link: "v=1&hz=60&codec=position&at=1100&show=bits",
        asks: choice(&["four", "half", "seven"], "seven"),
        act: Some(Act::Set {
            id: "pos",
            least: 4.0,
            most: 5.0,
        }),
        points_at: &["figure"],
        claims: &[
            claim("bits", BitsPerCube(Kind::Position), 50.0, 50.0)
                .seconds(2)
                .article(50.0),
            claim("before", Rung("no-velocity"), 6_800.0, 6_850.0),
            claim("after", Rung("position"), 4_330.0, 4_345.0),
            claim("fine", POSITION_RMS, 0.1, 3.0).seconds(20),
            claim("coarse", POSITION_RMS, 10.0, 40.0)
                .times("fine", 10.0, 100.0)
                .with("pos=4")
                .seconds(20),
            claim("eleven", KBPS, 4_650.0, 4_680.0)
                .times("after", 1.07, 1.08)
                .with("pos=11")
                .seconds(2),
        ],
        ..PLAIN
    },
    Step {
        id: "nothing-new",
        core: true,
        lectures: LECTURES,
        link: "v=1&hz=60&codec=not-changed&at=1190&show=bits",
        asks: by_factors("after", 20.0, 4_339.0),
        act: Some(Act::Set {
            id: "latency",
            least: 200.0,
            most: 500.0,
        }),
        points_at: &["figure"],
        claims: &[
            // The question asks for this figure, so it must be there at once.
            claim("before", KBPS, 4_330.0, 4_345.0)
                .with("codec=position")
                .seconds(2),
            claim("after", Rung("not-changed"), 180.0, 380.0).times("before", 0.0, 0.1),
            claim("far", KBPS, 240.0, 520.0)
                .times("after", 1.15, 2.0)
                .with("latency=500"),
        ],
        ..PLAIN
    },
    Step {
        id: "lose-packet",
        core: true,
        lectures: LECTURES,
        link: "v=1&hz=60&codec=not-changed&jitter=0&loss=0&drop=600&at=590&show=packets",
        play_s: 1,
        run_s: 20,
        asks: choice(&["none", "next", "all"], "none"),
        points_at: &["figure"],
        claims: &[
            claim("lost", run("packets_lost"), 1.0, 1.0),
            claim("refused", run("packets_refused"), 0.0, 0.0),
            claim("age", BaselineAge, 100.0, 150.0),
            claim("refused-lossy", run("packets_refused"), 0.0, 0.0).with("loss=20&jitter=33"),
        ],
        ..PLAIN
    },
    Step {
        id: "lose-ack",
        link: "v=1&hz=60&codec=changed-flags&jitter=0&loss=10&b.loss=0&at=590&views=two&show=packets",
        play_s: 2,
        run_s: 20,
        asks: choice(&["hardly", "tenth", "half"], "hardly"),
        points_at: &["figure"],
        claims: &[
            claim("lossy", KBPS, 40.0, 300.0).times("kbps", 1.0, 1.07),
            claim("kbps", KBPS, 40.0, 300.0).of_b(),
            claim("lossy-age", BaselineAge, 100.0, 160.0),
            claim("half", KBPS, 40.0, 300.0)
                .times("kbps", 1.01, 1.15)
                .with("loss=50"),
            claim("age", BaselineAge, 100.0, 150.0).of_b(),
        ],
        ..PLAIN
    },
    Step {
        id: "ack-bits",
        link: "v=1&strategy=sync&both=0&smooth=off&jitter=0&loss=20&at=590&show=packets",
        play_s: 2,
        run_s: 20,
        asks: choice(&["none", "fifth", "half"], "none"),
        points_at: &["figure"],
        claims: &[
            claim("newest", UnackedPercent, 10.0, 30.0).with(NEWEST_ALONE),
            claim("bits", UnackedPercent, 0.0, 1.0),
            claim("newest-kbps", run("ack_kbps_mean"), 5.0, 30.0).with(NEWEST_ALONE),
            claim("bits-kbps", run("ack_kbps_mean"), 5.0, 40.0),
        ],
        ..PLAIN
    },
    Step {
        id: "previous",
        link: "v=1&hz=60&codec=changed-flags&jitter=0&loss=0&latency=0&b.latency=50&at=590&views=two&show=packets",
        play_s: 2,
        run_s: 20,
        asks: choice(&["nothing", "fifth", "most"], "fifth"),
        points_at: &["figure"],
        claims: &[
            claim("previous", KBPS, 30.0, 300.0).times("acked", 0.5, 0.95),
            claim("previous-age", BaselineAge, 16.0, 34.0),
            claim("acked", KBPS, 40.0, 300.0).of_b(),
            claim("acked-age", BaselineAge, 100.0, 150.0).of_b(),
            claim("ball", KBPS, 150.0, 400.0)
                .times("ball-acked", 0.7, 0.92)
                .with("scene=katamari"),
            claim("ball-acked", KBPS, 200.0, 500.0).with("scene=katamari&latency=50"),
        ],
        ..PLAIN
    },
    Step {
        id: "late-join",
        link: "v=1&hz=60&codec=changed-flags&jitter=0&loss=0&at=1140&show=packets",
        play_s: 2,
        run_s: 21,
        asks: choice(&["usual", "half", "nearly"], "nearly"),
        points_at: &["figure"],
        claims: &[
            claim("first", joined_at(0), 1_500.0, 20_000.0).times("steady", 3.0, 100.0),
            // The baseline is a round trip old, 100 ms.
            claim("steady", joined_at(1194), 50.0, 1_500.0),
            claim("half", joined_at(600), 500.0, 20_000.0).times("first", 0.7, 0.95),
        ],
        ..PLAIN
    },
    Step {
        id: "say-nothing",
        // Nobody drives: the page begins at tick 0, for no instant of a person's driving has a link.
        link: "v=1&hz=60&scene=drive&codec=not-changed&b.codec=index&views=two&show=bits",
        run_s: 5,
        asks: by_factors("index", 1.0, 256.0),
        points_at: &["right", "b"],
        claims: &[
            claim("flags", at("kbps", 300), 65.0, 75.0),
            claim("flags-bits", index_bits_at(300), 900.0, 905.0),
            claim("ours", at("bytes_per_packet", 300), 5.0, 5.0).of_b(),
            claim("index", at("kbps", 300), 15.0, 18.0)
                .times("flags", 0.0, 0.3)
                .of_b()
                .article(15.0),
            claim(
                "header",
                at("ledger_bits_per_packet.ip_udp", 300),
                224.0,
                224.0,
            )
            .of_b(),
            claim("ipv6", at("kbps", 300), 24.0, 28.0)
                .of_b()
                .with("header=ipv6"),
            claim("flags-grid", at("kbps", 300), 200.0, 260.0)
                .times("flags", 3.0, 4.0)
                .with("grid=60"),
            claim("index-grid", at("kbps", 300), 15.0, 18.0)
                .times("index", 0.98, 1.02)
                .of_b()
                .with("grid=60"),
        ],
        ..PLAIN
    },
    Step {
        id: "ninety",
        lectures: LONG_LECTURE,
        link: "v=1&hz=60&codec=index&scene=katamari&at=560&show=bits",
        run_s: 18,
        asks: number("switch", 1.0, 300.0),
        points_at: &["figure"],
        claims: &[
            claim("switch", FlagsFrom, 90.0, 90.0)
                .seconds(1)
                .article(90.0),
            claim("few", at("changed_cubes", 300), 5.0, 85.0),
            claim("few-bits", index_bits_at(300), 50.0, 850.0),
            claim("many", at("changed_cubes", 1000), 90.0, 200.0),
            claim("many-bits", index_bits_at(1000), 900.0, 915.0),
            claim("grid", FlagsFrom, 295.0, 305.0)
                .with("grid=60")
                .seconds(1),
        ],
        ..PLAIN
    },
    Step {
        id: "gaps",
        link: "v=1&hz=60&codec=relative-index&scene=katamari&at=600&show=bits",
        asks: choice(&["10", "8", "5", "2"], "5"),
        points_at: &["figure"],
        claims: &[
            claim("katamari", BitsPerChangedCube(Kind::Index), 4.0, 6.5).article(5.5),
            claim("blow", BitsPerChangedCube(Kind::Index), 4.3, 7.0)
                .seconds(20)
                .with("scene=blow"),
            claim("roll", BitsPerChangedCube(Kind::Index), 7.0, 11.0)
                .times("katamari", 1.4, 3.0)
                .seconds(20)
                .with("scene=roll"),
        ],
        ..PLAIN
    },
    Step {
        id: "small-steps",
        link: "v=1&hz=60&codec=relative-position&pos-small=5&pos-large=9&scene=blow&at=600&show=widths",
        asks: number("blow", 10.0, 51.0),
        act: Some(Act::Set {
            id: "pos-large",
            least: 10.0,
            most: 10.0,
        }),
        points_at: &["figure"],
        claims: &[
            claim("blow", BitsPerChangedCube(Kind::Position), 23.0, 31.0).article(26.1),
            claim("roll", BitsPerChangedCube(Kind::Position), 23.0, 31.0).with("scene=roll"),
            claim("katamari", BitsPerChangedCube(Kind::Position), 29.0, 38.0)
                .times("blow", 1.1, 1.5)
                .with("scene=katamari"),
            claim("far", BitsPerChangedCube(Kind::Position), 40.0, 51.0)
                .times("katamari", 1.2, 1.8)
                .with("scene=katamari&latency=200"),
            claim("one-width", BitsPerChangedCube(Kind::Position), 28.0, 36.0)
                .times("blow", 1.05, 1.4)
                .with("pos-small=9"),
        ],
        ..PLAIN
    },
    Step {
        id: "rotation-harder",
        link: "v=1&hz=60&codec=relative-position&b.codec=relative-orientation&scene=katamari&at=600&views=two&show=bits",
        asks: choice(&["third", "fifth", "none"], "fifth"),
        points_at: &["figure"],
        claims: &[
            claim("before", BitsPerChangedCube(Kind::Orientation), 29.0, 30.0),
            claim(
                "katamari",
                BitsPerChangedCube(Kind::Orientation),
                21.5,
                26.0,
            )
            .times("before", 0.72, 0.88)
            .of_b()
            .article(23.3),
            claim("blow", BitsPerChangedCube(Kind::Orientation), 21.5, 26.0)
                .with("codec=relative-orientation&scene=blow"),
            claim("roll", BitsPerChangedCube(Kind::Orientation), 21.5, 26.0)
                .with("codec=relative-orientation&scene=roll"),
            claim("far", BitsPerChangedCube(Kind::Orientation), 26.5, 30.0)
                .of_b()
                .with("latency=250"),
            claim("kept", KeepsLargestPercent, 50.0, 99.0).article(90.0),
            claim("kept-roll", KeepsLargestPercent, 50.0, 99.0).with("scene=roll"),
            claim("kept-blow", KeepsLargestPercent, 50.0, 99.0).with("scene=blow"),
        ],
        ..PLAIN
    },
    Step {
        id: "two-flags",
        link: "v=1&hz=60&codec=relative-orientation&b.codec=changed-flags&scene=katamari&at=600&views=two&show=compare",
        run_s: 20,
        asks: choice(&["roll", "blow", "katamari"], "katamari"),
        points_at: &["b"],
        claims: &[
            claim("katamari", Rung("relative-orientation"), 280.0, 450.0),
            claim("katamari-flags", Rung("changed-flags"), 280.0, 460.0)
                .times("katamari", 1.001, 1.1),
            claim("roll", Rung("relative-orientation"), 25.0, 50.0).with("scene=roll"),
            claim("roll-flags", Rung("changed-flags"), 25.0, 50.0)
                .times("roll", 0.9, 0.999)
                .with("scene=roll"),
            claim("blow", Rung("relative-orientation"), 70.0, 190.0).with("scene=blow"),
            claim("blow-flags", Rung("changed-flags"), 70.0, 190.0)
                .times("blow", 0.9, 0.999)
                .with("scene=blow"),
        ],
        ..PLAIN
    },
    Step {
        id: "there",
        // Once complete, the ladder covers all held ticks: the half minute of the claim.
        link: "v=1&hz=60&codec=relative-position&at=1680&show=ladder",
        play_s: 2,
        asks: choice(&["6", "8", "9", "12"], "9"),
        act: Some(Act::Drive),
        points_at: &["figure", "rung"],
        claims: &[
            claim("first", FirstRungBelowGoal, 7.0, 10.0),
            claim("flags", Rung("changed-flags"), 130.0, 250.0).article(256.0),
            claim("ball", Rung("changed-flags"), 280.0, 460.0)
                .with("scene=katamari")
                .seconds(20),
            claim("changed", run("changed_cubes_mean"), 60.0, 110.0)
                .with("codec=changed-flags&scene=katamari")
                .seconds(20),
            claim("ball-first", FirstRungBelowGoal, 12.0, 13.0)
                .with("scene=katamari")
                .seconds(20),
            claim("half", KBPS, 140.0, 250.0)
                .times("ball", 0.45, 0.6)
                .with("codec=changed-flags&scene=katamari&hz=30")
                .seconds(20),
        ],
        ..PLAIN
    },
];
