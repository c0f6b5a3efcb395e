//! Settings of the sender: strategy, precision and rate.

use super::row::{
    AUTO, COMMON, Choice, Domain, Effect, FormRule, Group, NO_BUDGET, OnLadder, SWITCH, Scope,
    Setting, choices, choices_of_all, number, with_specials,
};
use crate::{Key, Strategy};
use snapshot_base::time::TickRate;
use snapshot_codec::{CubesCoding, Rung, ValueCoding, Widths};
use snapshot_physics::crowd::CROWD_PLAYERS;

/// Form rule: a width of position differences has no effect on rungs without these differences.
const IDLE_POSITION_WIDTH: FormRule =
    FormRule::IdleOnRungs(|rung| rung.position != ValueCoding::Relative);
/// Form rule: a width of orientation differences has no effect on rungs without these differences.
const IDLE_ORIENTATION_WIDTH: FormRule =
    FormRule::IdleOnRungs(|rung| rung.orientation != ValueCoding::Relative);

/// Upper limit of the bit width of an orientation difference: it holds any difference of two components of 16 bits.
const ORIENTATION_WIDTH_MAX: u32 = 17;

const ROW: Setting = Setting {
    group: Group::Sender,
    scope: &[Scope::Sender, Scope::Receiver],
    ..COMMON
};

/// Values of the columns that the rows of quantisation share.
const BITS: Setting = Setting {
    unit: "bits",
    effect: Effect::Motion,
    scope: &[Scope::World, Scope::Sender, Scope::Receiver],
    on_ladder: OnLadder::Heeded,
    ..ROW
};

/// Values of the columns that the rows of bit widths of differences share.
const WIDTH: Setting = Setting {
    unit: "bits",
    default: AUTO,
    on_ladder: OnLadder::Size,
    drawn: &[(Strategy::Snapshot, 0, 2 * Widths::BITS_MAX)],
    ..ROW
};

const fn width(max: u32, marks: &'static [u32]) -> Domain {
    with_specials(number(Widths::BITS_MIN, max, marks), &[(AUTO, "auto")])
}

/// Values of the columns that the rows of state synchronisation's switches share.
const SYNC_SWITCH: Setting = Setting {
    domain: SWITCH,
    drawn: &[(Strategy::Sync, 0, 1)],
    ..ROW
};

pub(super) const SENDER: [Setting; 22] = [
    Setting {
        key: Key::Strategy,
        id: "strategy",
        label: "Strategy",
        help: "What is sent: states of every cube, of those that matter most, keys alone; or keys there and states back.",
        domain: choices_of_all!(Strategy::ALL, it => it.row().id, it.row().label),
        effect: Effect::Motion,
        scope: &[Scope::World, Scope::Sender, Scope::Link, Scope::Receiver],
        ..ROW
    },
    Setting {
        key: Key::SendRate,
        id: "hz",
        label: "Send rate",
        unit: "/s",
        help: "Packets sent a second, at most one each tick. Fewer save bandwidth and make the receiver guess more.",
        form: &[FormRule::TickRateLimits],
        domain: number(1, TickRate::MOST_HZ, &[10, 20, 30, 60]),
        default: 10,
        other_defaults: &[
            (Strategy::Sync, 60),
            (Strategy::Lockstep, 60),
            (Strategy::Game, 20),
        ],
        scope: &[Scope::Sender, Scope::Link, Scope::Receiver],
        on_ladder: OnLadder::Heeded,
        drawn: &[
            (Strategy::Snapshot, 1, 60),
            (Strategy::Lockstep, 1, 60),
            (Strategy::Game, 1, 60),
        ],
        ..ROW
    },
    Setting {
        key: Key::Codec,
        id: "codec",
        label: "Codec rung",
        help: "The ladder of the compression article: each rung keeps what the one before it saved. Rung 14 is slow.",
        domain: choices_of_all!(Rung::ALL, it => it.row().name, it.row().label),
        default: 11,
        on_ladder: OnLadder::Varied,
        drawn: &[(Strategy::Snapshot, 0, Rung::ALL.len() as u32 - 1)],
        ..ROW
    },
    Setting {
        key: Key::Class,
        id: "class",
        label: "Codec class",
        help: "A packet is decoded from its baseline alone, or also from the coder's state beside it. For rungs with probabilities.",
        form: &[FormRule::IdleOnRungs(|rung| {
            rung.cubes != CubesCoding::Modelled
        })],
        domain: choices! {
            "strict" "strict: the baseline alone",
            "chained" "chained: and the coder's state",
        },
        default: 1,
        on_ladder: OnLadder::Varied,
        drawn: &[(Strategy::Snapshot, 0, 1)],
        ..ROW
    },
    Setting {
        key: Key::PositionBits,
        id: "pos",
        label: "Position bits",
        help: "Fractional bits of a coordinate: 9 are 512 steps a metre, 2 mm. Snapshots: used from rung 5 on.",
        form: &[FormRule::IdleOnRungs(|rung| {
            rung.position == ValueCoding::Float
        })],
        domain: number(1, 12, &[9, 12]),
        default: 9,
        other_defaults: &[(Strategy::Sync, 12)],
        other_domains: &[(Strategy::Sync, number(4, 12, &[9, 12]))],
        drawn: &[(Strategy::Snapshot, 1, 12)],
        ..BITS
    },
    Setting {
        key: Key::OrientationBits,
        id: "rot",
        label: "Orientation bits",
        help: "Bits of each of the three smallest quaternion components. Snapshots: used from rung 1 on.",
        form: &[FormRule::IdleOnRungs(|rung| {
            rung.orientation == ValueCoding::Float
        })],
        domain: number(2, 16, &[9, 15]),
        default: 9,
        other_defaults: &[(Strategy::Sync, 15)],
        drawn: &[(Strategy::Snapshot, 2, 16)],
        ..BITS
    },
    Setting {
        key: Key::VelocityBits,
        id: "vel",
        label: "Velocity bits",
        help: "Fractional bits of a velocity: 5 are 32 steps a m/s. Snapshots: used on rungs 2 and 3.",
        form: &[
            FormRule::Seldom,
            FormRule::IdleOnRungs(|rung| rung.linear_velocity != ValueCoding::Integer),
        ],
        domain: number(0, 12, &[5, 12]),
        default: 5,
        other_defaults: &[(Strategy::Sync, 12)],
        drawn: &[(Strategy::Snapshot, 0, 12)],
        ..BITS
    },
    Setting {
        key: Key::PositionSmall,
        id: "pos-small",
        label: "Position, small range",
        help: "Bits of a small difference of positions: 5 reach from -16 to 15 steps. Used on rungs 9 to 11.",
        form: &[FormRule::Seldom, IDLE_POSITION_WIDTH],
        domain: width(Widths::BITS_MAX, &[4, 5]),
        ..WIDTH
    },
    Setting {
        key: Key::PositionLarge,
        id: "pos-large",
        label: "Position, large range",
        help: "Bits of a large difference: 9 reach 256 steps beyond the small on either side. Beyond both the position is sent whole.",
        form: &[FormRule::Seldom, IDLE_POSITION_WIDTH],
        domain: width(Widths::BITS_MAX, &[8, 9]),
        ..WIDTH
    },
    Setting {
        key: Key::OrientationSmall,
        id: "rot-small",
        label: "Orientation, small range",
        help: "Bits of a small difference of components: 5 reach from -16 to 15. Used on rungs 10 and 11.",
        form: &[FormRule::Seldom, IDLE_ORIENTATION_WIDTH],
        domain: width(ORIENTATION_WIDTH_MAX, &[4, 5]),
        ..WIDTH
    },
    Setting {
        key: Key::OrientationLarge,
        id: "rot-large",
        label: "Orientation, large range",
        help: "Bits of a large difference: 8 reach 128 beyond the small on either side. Beyond both the orientation is sent whole.",
        form: &[FormRule::Seldom, IDLE_ORIENTATION_WIDTH],
        domain: width(ORIENTATION_WIDTH_MAX, &[7, 8]),
        ..WIDTH
    },
    Setting {
        key: Key::Budget,
        id: "budget",
        label: "Budget",
        unit: "kbit/s",
        help: "Most that is sent a second, headers counted. What matters most goes first, the rest waits. A game's 0: no limit.",
        domain: number(48, 1024, &[64, 256, 512]),
        default: 256,
        other_defaults: &[(Strategy::Game, NO_BUDGET)],
        other_domains: &[(
            Strategy::Game,
            number(NO_BUDGET, 1024, &[NO_BUDGET, 64, 128, 256]),
        )],
        drawn: &[(Strategy::Sync, 48, 1024), (Strategy::Game, NO_BUDGET, 512)],
        ..ROW
    },
    Setting {
        key: Key::Nearest,
        id: "nearest",
        label: "Nearest first",
        help: "With a budget, the priority of a cube falls with its distance from the driver's. Off: all have the same.",
        form: &[FormRule::IdleWhile(Key::Budget, NO_BUDGET)],
        domain: SWITCH,
        default: 1,
        scope: &[Scope::Sender],
        drawn: &[(Strategy::Game, 0, 1)],
        ..ROW
    },
    Setting {
        key: Key::Sight,
        id: "sight",
        label: "Sight",
        unit: "m",
        help: "A client gets the cubes within this distance from its own, and no others. 0: all of them.",
        domain: number(0, 200, &[0, 20, 50, 100]),
        drawn: &[(Strategy::Game, 0, 200)],
        ..ROW
    },
    Setting {
        key: Key::Clients,
        id: "clients",
        label: "Clients served",
        help: "Players of the scene crowd that the server serves too, over links like yours. What all of them cost is measured.",
        domain: number(1, CROWD_PLAYERS as u32, &[1, 10, 100]),
        default: 1,
        scope: &[Scope::Sender],
        ..ROW
    },
    Setting {
        key: Key::Adapt,
        id: "adapt",
        label: "Adapt the budget",
        help: "Lowers the budget where packets are lost or wait in a queue, and raises it again, up to the one set.",
        // Old links say 1 for loss.
        domain: choices! {
            "0" "off",
            "1" "by loss",
            "delay" "by delay",
        },
        scope: &[Scope::Sender],
        drawn: &[(Strategy::Sync, 0, 2)],
        ..ROW
    },
    Setting {
        key: Key::Accumulate,
        id: "accumulate",
        label: "Accumulate priority",
        help: "Waiting cubes gain priority until they are sent. Without it grey cubes starve.",
        default: 1,
        scope: &[Scope::Sender],
        ..SYNC_SWITCH
    },
    Setting {
        key: Key::Velocities,
        id: "velocities",
        label: "Send velocities",
        help: "Sent with each update. Without them the right side keeps its own, and cubes pop at updates.",
        default: 1,
        ..SYNC_SWITCH
    },
    Setting {
        key: Key::Relative,
        id: "rel",
        label: "Relative to the player",
        help: "Cubes near the player are sent relative to it: a ball of cubes moves as one.",
        ..SYNC_SWITCH
    },
    Setting {
        key: Key::Delta,
        id: "delta",
        label: "Delta against acked",
        help: "Encodes each cube against its newest acknowledged update.",
        ..SYNC_SWITCH
    },
    Setting {
        key: Key::RestPriority,
        id: "rest",
        label: "Rest counts more",
        help: "A cube that has come to rest keeps its priority until that is acknowledged. With a small budget others wait for it.",
        scope: &[Scope::Sender],
        ..SYNC_SWITCH
    },
    Setting {
        key: Key::Both,
        id: "both",
        label: "Quantise both sides",
        help: "Both sides simulate rounded values that can be sent. So the right one starts from the very same numbers.",
        domain: SWITCH,
        default: 1,
        effect: Effect::Motion,
        scope: &[Scope::World],
        drawn: &[(Strategy::Sync, 0, 0)],
        ..ROW
    },
];
