//! The tour: steps with questions and claims.
//!
//! A step is a link, an instant, a question and *claims*. A claim gives bounds that a value of a run of the link must keep.
//! The page measures claims by the same function as the tests. The texts are in `www/tour/`, a file for each chapter.
//!
//! The reasons are in `docs/decisions/0040-no-typed-figures.md`.

pub mod chance;
mod claim;
mod measure;
mod quantity;
mod reading;
mod steps;

pub use claim::{Claim, Times};
pub use measure::{ClaimFigure, ClaimMeasurement};
pub use quantity::Quantity;
pub use steps::{CHAPTERS, EXERCISES, GONE};

use serde::Serialize;
use snapshot_app::visit::{Cut, Stop};
use snapshot_base::time::TICKS_PER_S;

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourChapter"))]
pub struct Chapter {
    /// Name of the chapter's file in `www/tour/`.
    pub id: &'static str,
    pub name: &'static str,
    pub steps: &'static [Step],
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourStep"))]
pub struct Step {
    /// Id of the step, `step=ID` in a link.
    pub id: &'static str,
    pub link: &'static str,
    pub cut: Option<Cut>,
    /// A recorded link that replaces the modelled one, as text.
    #[serde(skip)]
    pub trace: Option<&'static str>,
    /// Length of the motion that plays after the question is answered, s.
    pub play_s: u32,
    /// Length of the run on which claims are measured, unless a claim sets its own, s.
    pub run_s: u32,
    /// Time at the run's beginning that is left out of errors, s, because the player falls from the sky then.
    pub opening_s: u32,
    /// True for a step of the core, whose steps follow one another. Other steps stand beside their chapter.
    pub core: bool,
    /// Lectures that include the step, by their length in minutes.
    pub lectures: &'static [u32],
    /// The question that the page asks before the motion plays.
    pub asks: QuestionKind,
    pub act: Option<Act>,
    /// Parts of the page to point at: `left`, `right` or `b` of the views, `bandwidth`, `figure`, `rung`, `cut`, `timeline`,
    /// `tint`.
    pub points_at: &'static [&'static str],
    #[cfg_attr(feature = "ts", ts(as = "Vec<claim::ClaimOut>"))]
    pub claims: &'static [Claim],
}

/// A question with one right answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourAsks"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum QuestionKind {
    /// A choice between two to four answers, named by their buttons.
    Choice {
        answers: &'static [&'static str],
        /// The right answer, one of `answers`.
        right: &'static str,
    },
    /// A number that is guessed with a slider.
    Number {
        /// Id of the claim that the guess is compared with.
        claim: &'static str,
        least: f64,
        most: f64,
        /// True if the guess's slider is logarithmic, for guesses over orders of magnitude.
        by_factors: bool,
    },
}

/// A task of a step. The page notices when the visitor has done it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourAct"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Act {
    Cut,
    Drive,
    /// Open a trace file that the visitor has.
    Trace,
    /// Move a setting of lane A into a range.
    Set {
        /// Permalink key of the setting.
        id: &'static str,
        least: f64,
        most: f64,
    },
    /// Answer one or more trials of a blind test.
    Tell {
        /// Id of the test.
        test: &'static str,
    },
}

impl Step {
    pub const fn stop(&self) -> Stop {
        Stop {
            id: self.id,
            link: self.link,
            cut: self.cut,
            trace: self.trace,
        }
    }

    pub(crate) fn opening_ticks(&self) -> u64 {
        u64::from(self.opening_s) * u64::from(TICKS_PER_S)
    }

    pub fn claim(&self, id: &str) -> Option<&'static Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }
}

pub fn steps() -> impl Iterator<Item = &'static Step> {
    CHAPTERS.iter().flat_map(|chapter| chapter.steps)
}

pub fn step(id: &str) -> Option<&'static Step> {
    steps().find(|step| step.id == id)
}

/// Returns a step by its id, as the laboratory needs it. For the id of a removed or renamed step, returns the step that
/// treats its subject now.
pub fn stop(id: &str) -> Option<Stop> {
    let gone = GONE.iter().find(|(gone, _)| *gone == id);
    step(gone.map_or(id, |(_, now)| now)).map(Step::stop)
}

#[cfg(test)]
mod tests;
