//! The table of strategies. A row has a column for each fact that other code needs; links, form, page and command line read it.

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
    /// True if the receiver only plays snapshots back. Then a longer playout delay can help, and the page offers a ladder
    /// (one motion on every rung).
    pub plays_snapshots: bool,
    /// True if bits of a packet belong to single cubes.
    pub sends_cubes: bool,
    pub has_priorities: bool,
}

/// Words of a strategy on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StrategyWords {
    /// Name of the receiver's view. `view_inside` is the name within a sentence.
    pub view: &'static str,
    pub view_inside: &'static str,
    /// Behaviour of the receiver's view while no packets arrive. `meanwhile` describes the consequence.
    pub waits: &'static str,
    pub meanwhile: &'static str,
    /// Meaning of the count of late packets under this strategy. `hitches` and `mismatches` explain two further counts.
    pub late: &'static str,
    pub hitches: &'static str,
    pub mismatches: &'static str,
    /// Name of the items by which a packet's content is counted, such as updates.
    pub carried: Option<&'static str>,
}

impl Strategy {
    /// All strategies, in the order of the setting's choices.
    pub const ALL: [Strategy; 4] = {
        use Strategy::{Game, Lockstep, Snapshot, Sync};
        // A new strategy does not compile until it stands here, and so in the list.
        match Snapshot {
            Snapshot | Sync | Lockstep | Game => [Snapshot, Sync, Lockstep, Game],
        }
    };

    /// Returns the strategy's words on the page. They are no part of its row: a program that shows none is built without them.
    pub const fn words(self) -> &'static StrategyWords {
        match self {
            Strategy::Snapshot => &StrategyWords {
                view: "Rebuilt from packets",
                view_inside: "rebuilt from packets",
                waits: "stands still.",
                meanwhile: "There is nothing to show next.",
                late: "too late to use: all that they could show had been shown",
                hitches: "frames with nothing to interpolate towards",
                mismatches: "decoded snapshots that differ from what was sent: never any",
                carried: Some("changed cubes"),
            },
            Strategy::Sync => &StrategyWords {
                view: "Simulated too, and corrected",
                view_inside: "simulated too, and corrected by packets",
                waits: "simulates on its own.",
                meanwhile: "It goes on with the last keys that it heard, and drifts from the truth until news comes.",
                late: "too late to use: their time in the jitter buffer was over",
                hitches: "frames simulated without news: the last input holds",
                mismatches: "decoded packets that differ from what was sent: never any",
                carried: Some("updates"),
            },
            Strategy::Lockstep => &StrategyWords {
                view: "Simulated again from the keys",
                view_inside: "simulated again, from the keys alone",
                waits: "waits for a key.",
                meanwhile: "The next frame cannot be simulated without its key.",
                late: "never any: the receiver waits for each input",
                hitches: "frames that waited for an input",
                mismatches: "decoded inputs that differ from what was sent: never any",
                carried: None,
            },
            Strategy::Game => &StrategyWords {
                view: "The driver’s screen",
                view_inside: "the driver’s screen",
                waits: "stands still.",
                meanwhile: "What is not predicted has nothing to show next.",
                late: "never any: a snapshot that comes late still corrects what was predicted",
                hitches: "frames in which a hand that waits saw nothing newer",
                mismatches: "decoded snapshots that differ from what was sent: never any",
                carried: None,
            },
        }
    }

    pub const fn row(self) -> &'static StrategyRow {
        match self {
            Strategy::Snapshot => &StrategyRow {
                id: "snapshot",
                label: "snapshots",
                simulates: false,
                plays_snapshots: true,
                sends_cubes: true,
                has_priorities: false,
            },
            Strategy::Sync => &StrategyRow {
                id: "sync",
                label: "state synchronisation",
                simulates: true,
                plays_snapshots: false,
                sends_cubes: true,
                has_priorities: true,
            },
            Strategy::Lockstep => &StrategyRow {
                id: "lockstep",
                label: "deterministic lockstep",
                simulates: true,
                plays_snapshots: false,
                sends_cubes: false,
                has_priorities: false,
            },
            Strategy::Game => &StrategyRow {
                id: "game",
                label: "your own hand: keys there, states back",
                simulates: true,
                plays_snapshots: false,
                sends_cubes: true,
                has_priorities: true,
            },
        }
    }
}
