//! Steps of the tour, in order: links, questions and claims.

mod beyond;
mod choose;
mod crowd;
mod defaults;
mod exercises;
mod hand;
mod ladder;
mod links;
mod lockstep;
mod snapshots;
mod sync;
mod tell;
mod ways;
mod wire;

use super::Chapter;

pub use exercises::EXERCISES;

pub static CHAPTERS: [Chapter; 12] = [
    Chapter {
        id: "ways",
        name: "Three ways to send a world",
        steps: &ways::STEPS,
    },
    Chapter {
        id: "lockstep",
        name: "Lockstep: send the keys",
        steps: &lockstep::STEPS,
    },
    Chapter {
        id: "snapshots",
        name: "Snapshots: send what is seen",
        steps: &snapshots::STEPS,
    },
    Chapter {
        id: "ladder",
        name: "The ladder: 17 Mbit/s to under 256 kbit/s",
        steps: &ladder::STEPS,
    },
    Chapter {
        id: "beyond",
        name: "Past the articles",
        steps: &beyond::STEPS,
    },
    Chapter {
        id: "sync",
        name: "State synchronisation: both simulate",
        steps: &sync::STEPS,
    },
    Chapter {
        id: "links",
        name: "Links as they are",
        steps: &links::STEPS,
    },
    Chapter {
        id: "hand",
        name: "Your own hand",
        steps: &hand::STEPS,
    },
    Chapter {
        id: "crowd",
        name: "A hundred players",
        steps: &crowd::STEPS,
    },
    Chapter {
        id: "wire",
        name: "A real wire",
        steps: &wire::STEPS,
    },
    Chapter {
        id: "tell",
        name: "Can you tell?",
        steps: &tell::STEPS,
    },
    Chapter {
        id: "choose",
        name: "Choose",
        steps: &choose::STEPS,
    },
];

/// Ids of removed steps, each with the step that treats its subject now. Existing links may name them, so the ids stay.
pub const GONE: [(&str, &str); 4] = [
    ("half-a-bit", "narrow"),
    ("need-it", "velocity-hint"),
    ("rotation", "velocities"),
    ("tcp-queue", "late-key"),
];
