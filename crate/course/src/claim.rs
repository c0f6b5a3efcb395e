//! A claim of a step of the tour: a measured quantity, with the bounds that its value must keep.

use super::Step;
use super::quantity::Quantity;
use serde::{Serialize, Serializer};
use snapshot_app::lane_run::LaneId;
use snapshot_base::time::TICKS_PER_S;
use snapshot_lane::measure::table::Unit;
use snapshot_settings::permalink::{self, Notice};
use snapshot_settings::{Key, Settings};

#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Id of the claim within its step, as `claim` of the page's `<tour-figure>`.
    pub id: &'static str,
    pub figure: Quantity,
    pub least: f64,
    pub most: f64,
    /// Bounds of the ratio of this claim's value to another claim's. A lesson that compares two values has such bounds. So a
    /// test fails if the other value becomes the greater one.
    pub times: Option<Times>,
    /// Value in the articles, in the same unit; `None` if they do not give it.
    pub article: Option<f64>,
    pub lane: LaneId,
    /// Settings that replace those of the link, such as `hz=60&delay=85`.
    pub with: &'static str,
    /// Length of the run, s; `None` for the length in the step.
    pub seconds: Option<u32>,
}

/// Bounds of the ratio of a claim's value to another claim's value, in the same unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Id of the other claim.
    pub other: &'static str,
    pub least: f64,
    pub most: f64,
}

pub(super) const fn claim(id: &'static str, figure: Quantity, least: f64, most: f64) -> Claim {
    Claim {
        id,
        figure,
        least,
        most,
        times: None,
        article: None,
        lane: LaneId::A,
        with: "",
        seconds: None,
    }
}

impl Claim {
    pub(super) const fn with(mut self, settings: &'static str) -> Claim {
        self.with = settings;
        self
    }

    pub(super) const fn of_b(mut self) -> Claim {
        self.lane = LaneId::B;
        self
    }

    pub(super) const fn times(mut self, other: &'static str, least: f64, most: f64) -> Claim {
        self.times = Some(Times { other, least, most });
        self
    }

    pub(super) const fn article(mut self, figure: f64) -> Claim {
        self.article = Some(figure);
        self
    }

    pub(super) const fn seconds(mut self, seconds: u32) -> Claim {
        self.seconds = Some(seconds);
        self
    }

    /// Returns true if the measured value is within the claim's bounds, and its ratio to the other claim's value within the
    /// bounds of the ratio.
    pub(super) fn holds(&self, measured: f64, other: Option<f64>) -> bool {
        let compares = self.times.is_none_or(|times| {
            let other = other.unwrap_or(f64::NAN);
            (times.least * other..=times.most * other).contains(&measured)
        });
        (self.least..=self.most).contains(&measured) && compares
    }

    /// Returns true if the claim's value counts rare events that the lane's network causes.
    pub fn is_of_chance(&self, step: &Step) -> bool {
        let has_luck = |settings: &Settings| {
            let keys = [Key::Loss, Key::Jitter, Key::Duplicated, Key::Reordered];
            // A neighbour who always downloads leaves nothing to chance.
            keys.iter().any(|key| settings.get(*key) > 0)
                || (1..100).contains(&settings.get(Key::Neighbour))
        };
        let network = self.settings(step).map(|(own, _)| own);
        self.figure.counts_events() && network.is_ok_and(|own| has_luck(&own))
    }

    /// Returns the settings of the claim's lane, and the settings of the scene whose script plays.
    ///
    /// # Errors
    /// The parts of the step's link or of `with` that cannot be used; a test checks that there are none.
    pub fn settings(&self, step: &Step) -> Result<(Settings, Settings), Vec<Notice>> {
        let link = step.stop().read_link()?;
        let (mut of_scene, mut own) = (link.a.settings, link.a.settings);
        if let (LaneId::B, Some(b)) = (self.lane, link.b) {
            own = b.settings;
        }
        let mut notices = Vec::new();
        let parts = || self.with.split('&').filter(|part| !part.is_empty());
        permalink::set_all(parts().collect(), &mut own, &mut notices);
        match self.lane {
            LaneId::A => of_scene = own,
            LaneId::B => own = own.on_the_motion_of(&of_scene),
        }
        if notices.is_empty() {
            Ok((own, of_scene))
        } else {
            Err(notices)
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourClaim"))]
pub(crate) struct ClaimOut {
    id: &'static str,
    unit: Unit,
    article: Option<f64>,
    /// Length of the run, s, if it differs from the length in the step.
    seconds: Option<u32>,
    /// Time in the run at which the claim's value is read, s; `None` if the value is for the whole run.
    at_s: Option<f64>,
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at_s = |tick: u64| tick as f64 / f64::from(TICKS_PER_S);
        let out = ClaimOut {
            id: self.id,
            unit: self.figure.unit(),
            article: self.article,
            seconds: self.seconds,
            at_s: self.figure.at().map(at_s),
        };
        out.serialize(serializer)
    }
}
