//! Steps of the tour, in order: links, questions and claims.

mod beyond;
mod choose;
mod crowd;
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

use super::{Chapter, QuestionKind, Step};
use snapshot_app::visit::Cut;

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

/// Ids of steps that are gone, each with the step that has its subject now. Links name steps, so the ids stay.
pub const GONE: [(&str, &str); 4] = [
    ("half-a-bit", "narrow"),
    ("need-it", "velocity-hint"),
    ("rotation", "velocities"),
    ("tcp-queue", "late-key"),
];

/// Both lectures, by their minutes.
const LECTURES: &[u32] = &[45, 90];
/// The long lecture alone.
const LONG_LECTURE: &[u32] = &[90];

/// Defaults of most steps: 20 s are measured, 8 s played. Errors leave out the first two seconds.
const PLAIN: Step = Step {
    id: "",
    link: "",
    cut: None,
    trace: None,
    play_s: 8,
    run_s: 20,
    opening_s: 2,
    core: false,
    lectures: &[],
    asks: QuestionKind::Choice {
        answers: &[],
        right: "",
    },
    act: None,
    points_at: &[],
    claims: &[],
};

const fn choice(answers: &'static [&'static str], right: &'static str) -> QuestionKind {
    QuestionKind::Choice { answers, right }
}

const fn number(claim: &'static str, least: f64, most: f64) -> QuestionKind {
    QuestionKind::Number {
        claim,
        least,
        most,
        by_factors: false,
    }
}

const fn by_factors(claim: &'static str, least: f64, most: f64) -> QuestionKind {
    QuestionKind::Number {
        claim,
        least,
        most,
        by_factors: true,
    }
}
