//! The tour: steps with questions and claims.
//!
//! A step is a link, an instant, a question and *claims*: figures that a run of that link must give. A claim that holds
//! here holds on the page, for both measure by the same function. The words are in `www/tour/`, a file a chapter.
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
pub use steps::{CHAPTERS, EXERCISES};

use serde::Serialize;
use snapshot_app::visit::{Cut, Stop};
use snapshot_base::time::TICKS_PER_S;

/// A chapter of the tour: steps on one subject.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourChapter"))]
pub struct Chapter {
    /// Id of the chapter, also the name of its file in `www/tour/`.
    pub id: &'static str,
    /// Title of the chapter for people.
    pub name: &'static str,
    /// Steps of the chapter, in order.
    pub steps: &'static [Step],
}

/// A step of the tour: a link, a question and claims.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourStep"))]
pub struct Step {
    /// Id of the step, `step=ID` in a link.
    pub id: &'static str,
    /// Link of the step, with the instant at which it is paused.
    pub link: &'static str,
    /// Cut of the network, if the step has one.
    pub cut: Option<Cut>,
    /// A recorded link in place of the modelled one, as text.
    #[serde(skip)]
    pub trace: Option<&'static str>,
    /// Seconds that are played after the question is answered.
    pub play_s: u32,
    /// Length in seconds of the run on which claims are measured, unless a claim sets its own.
    pub run_s: u32,
    /// Seconds at the run's beginning that error figures leave out, because the player falls from the sky there.
    pub opening_s: u32,
    /// True if the step is part of the lecture.
    pub in_lecture: bool,
    /// The question that is asked before anything moves.
    pub asks: QuestionKind,
    /// The person's task, if there is one.
    pub act: Option<Act>,
    /// The places to look at: `left`, `right` or `b` of the views, `bandwidth`, `figure`, `rung`, `cut`, `timeline`,
    /// `tint`.
    pub points_at: &'static [&'static str],
    /// The claims that must hold.
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
        /// Texts of the answers, in order.
        answers: &'static [&'static str],
        /// The right answer, one of `answers`.
        right: &'static str,
    },
    /// A number that is guessed with a slider.
    Number {
        /// Id of the claim that the guess is compared with.
        claim: &'static str,
        /// Lower end of the slider.
        least: f64,
        /// Upper end of the slider.
        most: f64,
        /// True if the slider is logarithmic, for guesses over orders of magnitude.
        by_factors: bool,
    },
}

/// A task of a step. The page notices when the visitor has done it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourAct"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Act {
    /// Cut the network.
    Cut,
    /// Drive the player with the keys.
    Drive,
    /// Open a trace file of one's own.
    Trace,
    /// Move a setting of lane A into a range.
    Set {
        /// Permalink key of the setting.
        id: &'static str,
        /// Least value that fulfils the task.
        least: f64,
        /// Greatest value that fulfils the task.
        most: f64,
    },
}

impl Step {
    /// Converts the step to a stop of a visit.
    pub const fn stop(&self) -> Stop {
        Stop {
            id: self.id,
            link: self.link,
            cut: self.cut,
            trace: self.trace,
        }
    }

    /// Number of opening ticks that error figures leave out.
    pub(crate) fn opening_ticks(&self) -> u64 {
        u64::from(self.opening_s) * u64::from(TICKS_PER_S)
    }

    /// Finds the claim with an id.
    pub fn claim(&self, id: &str) -> Option<&'static Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }
}

/// All steps of the tour, in order.
pub fn steps() -> impl Iterator<Item = &'static Step> {
    CHAPTERS.iter().flat_map(|chapter| chapter.steps)
}

/// Finds the step with an id.
pub fn step(id: &str) -> Option<&'static Step> {
    steps().find(|step| step.id == id)
}

/// Finds the step with an id, as a stop of a visit.
pub fn stop(id: &str) -> Option<Stop> {
    step(id).map(Step::stop)
}

#[cfg(test)]
mod tests;
