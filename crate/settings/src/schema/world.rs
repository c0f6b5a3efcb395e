//! Settings of the world, and of its driver.

use super::row::{
    COMMON, Effect, FormRule, Group, OnLadder, Scope, Setting, choices, number, with_decimals,
};
use crate::{Key, Strategy};
use snapshot_physics::scene::SceneKind;

const ROW: Setting = Setting {
    group: Group::World,
    scope: &[Scope::World],
    ..COMMON
};

pub(super) const WORLD: [Setting; 5] = [
    Setting {
        key: Key::Scene,
        id: "scene",
        label: "Scene",
        help: "Who drives: you, or a script that does the same every time.",
        domain: choices! {
            "drive" "drive: you",
            "roll" "roll",
            "blow" "hover and blow",
            "katamari" "katamari",
            "mixed" "mixed: some of everything",
            "rest" "rest: a pile that lies still",
            "crowd" "crowd: a hundred players",
        },
        default: 4,
        effect: Effect::World,
        drawn: &[(
            Strategy::Snapshot,
            SceneKind::Roll as u32,
            SceneKind::Mixed as u32,
        )],
        ..ROW
    },
    Setting {
        key: Key::Rival,
        id: "rival",
        label: "Rival",
        help: "A second large cube, blue. A script drives it at yours, or a second hand does, with W A S D, E and Q.",
        domain: choices! {
            "none" "none",
            "script" "script: it comes for you",
            "hand" "hand: W A S D, E, Q",
        },
        form: &[FormRule::Seldom],
        effect: Effect::World,
        // A sweep takes the rival that goes with the seed.
        ..ROW
    },
    Setting {
        key: Key::Seed,
        id: "seed",
        label: "Seed",
        help: "The draws of the script and of the network's faults. Same seed, same bytes.",
        domain: number(0, u32::MAX, &[]),
        default: 1,
        effect: Effect::World,
        scope: &[Scope::World, Scope::Link],
        on_ladder: OnLadder::Heeded,
        // Few worlds, which draws share: simulating one costs more than running a lane over it.
        drawn: &[(Strategy::Snapshot, 1, 16)],
        ..ROW
    },
    Setting {
        key: Key::Grid,
        id: "grid",
        label: "Grid side",
        unit: "cubes",
        help: "Small cubes along each side of the grid: 30 make the article's 900.",
        form: &[FormRule::Seldom],
        domain: number(5, 60, &[30]),
        default: 30,
        effect: Effect::Motion,
        // A sweep takes the grid that goes with the seed.
        ..ROW
    },
    Setting {
        key: Key::Speed,
        id: "speed",
        label: "Speed",
        unit: "x",
        help: "Slow motion, or up to twice as fast. Nothing that is simulated changes.",
        form: &[FormRule::Seldom],
        domain: with_decimals(number(1, 20, &[1, 5, 10, 20]), 1),
        default: 10,
        effect: Effect::AtOnce,
        scope: &[Scope::Playback],
        ..ROW
    },
];
