//! Parts that the steps of all chapters share.

use crate::{QuestionKind, Step};

/// Both lectures, by their length in minutes.
pub(super) const LECTURES: &[u32] = &[45, 90];
/// The long lecture alone, by its length in minutes.
pub(super) const LONG_LECTURE: &[u32] = &[90];

/// Defaults of most steps: 20 s are measured, 8 s played. Errors leave out the first two seconds.
pub(super) const PLAIN: Step = Step {
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

pub(super) const fn choice(answers: &'static [&'static str], right: &'static str) -> QuestionKind {
    QuestionKind::Choice { answers, right }
}

pub(super) const fn number(claim: &'static str, least: f64, most: f64) -> QuestionKind {
    QuestionKind::Number {
        claim,
        least,
        most,
        by_factors: false,
    }
}

pub(super) const fn by_factors(claim: &'static str, least: f64, most: f64) -> QuestionKind {
    QuestionKind::Number {
        claim,
        least,
        most,
        by_factors: true,
    }
}
