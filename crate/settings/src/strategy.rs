//! The table of strategies. A row has a column for each fact that others ask for; link, form, page and command line read it.

use crate::Key;

/// The networking strategy: the kind of data that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Snapshots: the visual state of every cube is sent.
    Snapshot,
    /// State synchronisation: the whole state of the most important cubes is sent; the right side (the receiver) simulates.
    Sync,
    /// Lockstep: only the keys are sent; the right side (the receiver) simulates.
    Lockstep,
    /// A game over the replication package: keys are sent to a server and states back; the right side (the client) may predict.
    Game,
}

/// Facts about a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyRow {
    /// Name of the strategy in links.
    pub id: &'static str,
    /// Name of the strategy in the form.
    pub label: &'static str,
    /// True if the receiver simulates, so that it needs a world.
    pub simulates: bool,
    /// True if bits of a packet belong to single cubes.
    pub sends_cubes: bool,
    pub has_priorities: bool,
    /// The settings that this strategy has, among those that not every strategy has.
    pub settings: &'static [Key],
}

const SNAPSHOT: StrategyRow = StrategyRow {
    id: "snapshot",
    label: "snapshots",
    simulates: false,
    sends_cubes: true,
    has_priorities: false,
    settings: &[
        Key::Codec,
        Key::Class,
        Key::PositionBits,
        Key::OrientationBits,
        Key::VelocityBits,
        Key::PositionSmall,
        Key::PositionLarge,
        Key::OrientationSmall,
        Key::OrientationLarge,
        Key::Interpolation,
        Key::Delay,
        Key::Clock,
        Key::Rival,
    ],
};

const SYNC: StrategyRow = StrategyRow {
    id: "sync",
    label: "state synchronisation",
    simulates: true,
    sends_cubes: true,
    has_priorities: true,
    settings: &[
        Key::PositionBits,
        Key::OrientationBits,
        Key::VelocityBits,
        Key::Budget,
        Key::Adapt,
        Key::Accumulate,
        Key::Velocities,
        Key::Relative,
        Key::Delta,
        Key::RestPriority,
        Key::Both,
        Key::JitterBuffer,
        Key::Smoothing,
        Key::Soft,
    ],
};

const LOCKSTEP: StrategyRow = StrategyRow {
    id: "lockstep",
    label: "deterministic lockstep",
    simulates: true,
    sends_cubes: false,
    has_priorities: false,
    settings: &[Key::Transport, Key::Delay, Key::Desync],
};

const GAME: StrategyRow = StrategyRow {
    id: "game",
    label: "your own hand: keys there, states back",
    simulates: true,
    sends_cubes: true,
    has_priorities: false,
    settings: &[
        Key::Codec,
        Key::Class,
        Key::PositionBits,
        Key::OrientationBits,
        Key::VelocityBits,
        Key::Interpolation,
        Key::Delay,
        Key::Clock,
        Key::Predict,
        Key::Correct,
        Key::Lead,
        Key::Repeats,
        Key::Missing,
        Key::Server,
        Key::Rival,
    ],
};

impl Strategy {
    /// All strategies, in the order of the setting's choices.
    pub const ALL: [Strategy; 4] = [
        Strategy::Snapshot,
        Strategy::Sync,
        Strategy::Lockstep,
        Strategy::Game,
    ];

    pub const fn row(self) -> &'static StrategyRow {
        match self {
            Strategy::Snapshot => &SNAPSHOT,
            Strategy::Sync => &SYNC,
            Strategy::Lockstep => &LOCKSTEP,
            Strategy::Game => &GAME,
        }
    }
}
