//! Settings of the receiver.

use super::row::{
    ADAPTIVE, AT_ONCE, AUTO, COMMON, Choice, Domain, Effect, FormRule, Group, SWITCH, Scope,
    Setting, choices, choices_of_all, number, with_specials,
};
use crate::{Interpolation, Key, Strategy, interpolation_choice};

const ROW: Setting = Setting {
    group: Group::Receiver,
    scope: &[Scope::Receiver],
    ..COMMON
};

pub(super) const RECEIVER: [Setting; 15] = [
    Setting {
        key: Key::Interpolation,
        id: "interp",
        label: "Interpolation",
        help: "How the receiver fills the time between two snapshots.",
        domain: choices_of_all!(Interpolation::ALL, it => it.row().name, interpolation_choice(it).label),
        default: 1,
        drawn: &[(Strategy::Snapshot, 0, Interpolation::ALL.len() as u32 - 1)],
        ..ROW
    },
    Setting {
        key: Key::Delay,
        id: "delay",
        label: "Playout delay",
        unit: "ms",
        help: "Time until packets are played. Auto: 3 send intervals and 99 % of the jitter. Adaptive: as needed. None: at once.",
        domain: with_specials(
            number(0, 2000, &[85, 150, 350]),
            &[(AUTO, "auto"), (ADAPTIVE, "adaptive"), (AT_ONCE, "none")],
        ),
        default: AUTO,
        other_defaults: &[(Strategy::Lockstep, 100)],
        drawn: &[(Strategy::Snapshot, 0, 1000)],
        ..ROW
    },
    Setting {
        key: Key::Desync,
        id: "desync",
        label: "Break determinism",
        help: "Disturbs the right side's simulation a little. Nothing corrects it: watch the difference grow.",
        domain: choices! {
            "none" "no",
            "bit" "one bit, once",
            "order" "another order of insertion",
        },
        // A sweep leaves the setting out: it breaks invariants that a sweep checks.
        ..ROW
    },
    Setting {
        key: Key::JitterBuffer,
        id: "buffer",
        label: "Jitter buffer",
        unit: "frames",
        help: "How long packets wait, so that late ones come in time. Adaptive: as needed. None: applied as they arrive.",
        domain: with_specials(
            number(0, 12, &[0, 5]),
            &[(ADAPTIVE, "adaptive"), (AT_ONCE, "none")],
        ),
        default: 5,
        drawn: &[(Strategy::Sync, 0, 12)],
        ..ROW
    },
    Setting {
        key: Key::Freezes,
        id: "freezes",
        label: "Freezes",
        unit: "a minute",
        help: "An adaptive delay is the shortest at which play stands still no more often, by the last 40 s.",
        domain: number(1, 60, &[1, 2, 10]),
        default: 2,
        ..ROW
    },
    Setting {
        key: Key::Pace,
        id: "pace",
        label: "Change of speed",
        unit: "± %",
        help: "An adaptive delay plays at most this much faster to catch up, and slower while a packet is overdue.",
        domain: number(1, 24, &[1, 5, 24]),
        default: 24,
        ..ROW
    },
    Setting {
        key: Key::Clock,
        id: "clock",
        label: "Delay counts from",
        help: "The fastest packets: a fixed delay finds its place again after a break. The first packet: links of version 1.",
        form: &[FormRule::Seldom],
        domain: choices! {
            "fastest" "the fastest packets",
            "first" "the first packet",
        },
        drawn: &[(Strategy::Snapshot, 0, 1)],
        ..ROW
    },
    Setting {
        key: Key::Smoothing,
        id: "smooth",
        label: "Smoothing",
        help: "Shows a correction gradually. The simulated cube jumps at once.",
        domain: choices! {
            "off" "off",
            "basic" "basic: a tenth a frame",
            "adaptive" "adaptive: small errors slowly",
        },
        default: 2,
        drawn: &[(Strategy::Sync, 0, 2)],
        ..ROW
    },
    Setting {
        key: Key::Predict,
        id: "predict",
        label: "Predict",
        help: "Cubes that the driver's screen simulates ahead of the server. The others are drawn as the last snapshots have them.",
        domain: choices! {
            "wait" "none: wait for the server",
            "own" "my cube",
            "touch" "my cube, and those within 2 m",
            "all" "all cubes",
        },
        default: 2,
        drawn: &[(Strategy::Game, 0, 3)],
        ..ROW
    },
    Setting {
        key: Key::Correct,
        id: "correct",
        label: "Corrections",
        help: "Snap: the picture jumps. Glide: the error fades from the picture. The predicted world is right at once.",
        domain: choices! { "snap" "snap", "glide" "glide" },
        default: 1,
        drawn: &[(Strategy::Game, 0, 1)],
        ..ROW
    },
    Setting {
        key: Key::Lead,
        id: "lead",
        label: "Keys come early by",
        unit: "ms",
        help: "Time from a key's arrival to the tick that needs it. Auto: a tick, and one for each copy that the loss calls for.",
        domain: with_specials(number(10, 500, &[17, 33, 100]), &[(AUTO, "auto")]),
        default: AUTO,
        drawn: &[(Strategy::Game, 10, 200)],
        ..ROW
    },
    Setting {
        key: Key::Repeats,
        id: "repeats",
        label: "Keys in a datagram",
        help: "A datagram has the keys of its tick, and those before it that the server has not acknowledged. 1: no repetition.",
        domain: number(1, 64, &[1, 16]),
        default: 16,
        drawn: &[(Strategy::Game, 1, 64)],
        ..ROW
    },
    Setting {
        key: Key::Missing,
        id: "missing",
        label: "Missing keys",
        help: "What the server presses in a tick whose keys have not come.",
        domain: choices! { "repeat" "the last keys again", "release" "none" },
        scope: &[Scope::Sender],
        drawn: &[(Strategy::Game, 0, 1)],
        ..ROW
    },
    Setting {
        key: Key::Server,
        id: "server",
        label: "Left view",
        help: "The server's world at the tick of the driver's screen, or what the server has at the same moment.",
        domain: choices! { "tick" "where it is: the same tick", "now" "what the server has now" },
        effect: Effect::AtOnce,
        scope: &[Scope::Playback],
        ..ROW
    },
    Setting {
        key: Key::Soft,
        id: "soft",
        label: "Soft constraints",
        help: "Off: cubes that a correction puts into each other burst apart, most with few position bits or a small budget.",
        domain: SWITCH,
        default: 1,
        effect: Effect::Motion,
        scope: &[Scope::World],
        drawn: &[(Strategy::Sync, 0, 0)],
        ..ROW
    },
];
