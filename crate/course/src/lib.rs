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

/// Steps that belong together.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourChapter"))]
pub struct Chapter {
    /// Also the name of its file in `www/tour/`.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// In order.
    pub steps: &'static [Step],
}

/// A step of the tour.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourStep"))]
pub struct Step {
    /// The name in a link, `step=ID`.
    pub id: &'static str,
    /// The page's link, and the instant at which it stands before anything moves.
    pub link: &'static str,
    /// The cut of the network, if there is one.
    pub cut: Option<Cut>,
    /// A recorded link in place of the modelled one, as text.
    #[serde(skip)]
    pub trace: Option<&'static str>,
    /// Seconds that are played once the question is answered.
    pub play_s: u32,
    /// Seconds of the run on which claims are measured, unless they say otherwise.
    pub run_s: u32,
    /// Seconds at the run's beginning that errors leave out: there the player falls from the sky.
    pub opening_s: u32,
    /// True if the lecture has the step.
    pub in_lecture: bool,
    /// The question before anything moves.
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
    /// Two to four answers, by the names that their buttons have.
    Choice {
        /// In order.
        answers: &'static [&'static str],
        /// The right answer, one of `answers`.
        right: &'static str,
    },
    /// A number, guessed with a slider.
    Number {
        /// The id of the claim that it is held against.
        claim: &'static str,
        /// The slider's ends.
        least: f64,
        /// The slider's upper end.
        most: f64,
        /// True if the slider goes by factors, as guesses over orders of magnitude do.
        by_factors: bool,
    },
}

/// Something to do, which the page notices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourAct"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Act {
    /// Cut the network.
    Cut,
    /// Take the keys.
    Drive,
    /// Give a trace of one's own.
    Trace,
    /// Bring a setting of lane A into a range.
    Set {
        /// Its permalink key.
        id: &'static str,
        /// The least that will do.
        least: f64,
        /// The most.
        most: f64,
    },
}

impl Step {
    /// The step as a visit goes there.
    pub const fn stop(&self) -> Stop {
        Stop {
            id: self.id,
            link: self.link,
            cut: self.cut,
            trace: self.trace,
        }
    }

    /// Ticks that errors leave out.
    pub(crate) fn opening_ticks(&self) -> u64 {
        u64::from(self.opening_s) * u64::from(TICKS_PER_S)
    }

    /// The claim of that id.
    pub fn claim(&self, id: &str) -> Option<&'static Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }
}

/// Every step, in order.
pub fn steps() -> impl Iterator<Item = &'static Step> {
    CHAPTERS.iter().flat_map(|chapter| chapter.steps)
}

/// The step of that id.
pub fn step(id: &str) -> Option<&'static Step> {
    steps().find(|step| step.id == id)
}

/// The tour, for a visit.
pub fn stop(id: &str) -> Option<Stop> {
    step(id).map(Step::stop)
}

#[cfg(test)]
mod tests;
