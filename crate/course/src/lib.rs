//! The tour: what the page shows step by step, what it asks, and what has to be true of it.
//!
//! A step is a link, an instant, a question and *claims*: figures that a run of that link must give. What holds here is what
//! the page tells, for both measure by the same function. The words are in `www/tour/`, a file a chapter.

pub mod chance;
mod claim;
mod figure;
mod measure;
mod steps;

pub use claim::{Claim, Times};
pub use figure::{Figure, Unit};
pub use measure::{Measured, Measuring};
pub use steps::{CHAPTERS, EXERCISES};

use serde::Serialize;
use snapshot_lab::link::{self, Link};
use snapshot_lab::settings::permalink::Notice;

/// Steps that belong together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Chapter {
    /// Also the name of its file in `www/tour/`.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// In order.
    pub steps: &'static [Step],
}

/// One thing to see.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    /// As the link has it, `step=ID`.
    pub id: &'static str,
    /// What the page is set to, and the instant at which it stands before anything moves.
    pub link: &'static str,
    /// When the network is cut, if it is.
    pub cut: Option<Cut>,
    /// How long is played once the question is answered.
    pub play_s: u32,
    /// How long a run is that claims are measured on, where they do not say otherwise.
    #[serde(skip)]
    pub run_s: u32,
    /// What is asked before anything moves.
    pub asks: Asks,
    /// What a person is asked to do, if anything.
    pub act: Option<Act>,
    /// What to look at: `left`, `right` or `b` of the views, `bandwidth`, `figure`, `rung`, `cut`, `timeline`, `tint`.
    pub points_at: &'static [&'static str],
    /// What must hold.
    pub claims: &'static [Claim],
}

/// A time in which no packet passes, either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// It begins after this tick.
    pub after_tick: u64,
    /// How long it lasts.
    pub ticks: u32,
}

/// A question with one right answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Asks {
    /// Two to four answers, by the names that their buttons have.
    Choice {
        /// In order.
        answers: &'static [&'static str],
        /// One of them.
        right: &'static str,
    },
    /// A number, guessed with a slider.
    Number {
        /// The id of the claim that it is held against.
        claim: &'static str,
        /// The slider's ends.
        least: f64,
        /// The other one.
        most: f64,
        /// Whether the slider goes by factors, as guesses over orders of magnitude do.
        by_factors: bool,
    },
}

/// Something to do, which the page notices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Act {
    /// Cut the network.
    Cut,
    /// Take the keys.
    Drive,
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
    /// The link, read.
    ///
    /// # Errors
    /// What of it could not be used; a test holds all to be well.
    pub fn read_link(&self) -> Result<Link, Vec<Notice>> {
        let (link, notices) = link::parse(self.link);
        if notices.is_empty() {
            Ok(link)
        } else {
            Err(notices)
        }
    }

    /// The claim of that id.
    pub fn claim(&self, id: &str) -> Option<&'static Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }
}

impl Cut {
    /// Whether the tick that follows this one is cut.
    pub fn holds_after(&self, tick: u64) -> bool {
        (self.after_tick..self.after_tick + u64::from(self.ticks)).contains(&tick)
    }
}

/// Every step, in order.
pub fn steps() -> impl Iterator<Item = &'static Step> {
    CHAPTERS.iter().flat_map(|chapter| chapter.steps)
}

/// Takes a step that is none of the tour's out of a link, and gives the notice to show.
pub fn forget_unknown_step(link: &mut Link) -> Option<Notice> {
    let text = link.step.take_if(|id| step(id).is_none())?;
    Some(Notice::Value {
        id: "step",
        text,
        takes: "a step of the tour".to_string(),
    })
}

/// The step of that id.
pub fn step(id: &str) -> Option<&'static Step> {
    steps().find(|step| step.id == id)
}

#[cfg(test)]
mod tests;
