//! The open step of a tour. The laboratory knows no tour: whoever makes a visit brings one.

use super::Visit;
use crate::lane_run::LaneId;
use crate::link::{self, Link};
use serde::Serialize;
use snapshot_base::text::percent_decoded;
use snapshot_netsim::channel::Overrides;
use snapshot_netsim::trace::Trace;
use snapshot_settings::permalink::Notice;
use snapshot_settings::schema::Effect;
use std::sync::Arc;

/// The step of a tour by its id, if there is one.
pub type Tour = fn(&str) -> Option<Stop>;

/// A step of a tour, as far as a visit goes there.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// The name in a link, `step=ID`.
    pub id: &'static str,
    /// The link, and the instant at which it stands before anything moves.
    pub link: &'static str,
    /// The cut of the network, if there is one.
    pub cut: Option<Cut>,
    /// A recorded link in place of the modelled one, as text.
    pub trace: Option<&'static str>,
}

/// A time in which no packet passes, either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourCut"))]
pub struct Cut {
    /// The last tick before the cut.
    pub after_tick: u64,
    /// Its length.
    pub ticks: u32,
}

impl Stop {
    /// The link, read.
    ///
    /// # Errors
    /// What of it could not be used; a test of the tour holds all to be well.
    pub fn read_link(&self) -> Result<Link, Vec<Notice>> {
        let (link, notices) = link::parse(self.link);
        if notices.is_empty() {
            Ok(link)
        } else {
            Err(notices)
        }
    }

    /// Its recorded link, read. None too where it cannot be; a test of the tour holds all to be well.
    pub fn read_trace(&self) -> Option<Arc<Trace>> {
        Some(Arc::new(Trace::read(self.trace?.as_bytes()).ok()?))
    }
}

impl Cut {
    /// Ticks that are cut from the one after `tick` on; 0 outside the cut.
    pub fn ticks_left_after(&self, tick: u64) -> u32 {
        let over = tick.checked_sub(self.after_tick);
        let over = over.and_then(|over| u32::try_from(over).ok());
        over.map_or(0, |over| self.ticks.saturating_sub(over))
    }
}

/// Takes a step that is none of the tour's out of a link, and gives the notice to show.
pub fn forget_unknown_step(link: &mut Link, tour: Tour) -> Option<Notice> {
    let text = link.step.take_if(|id| tour(id).is_none())?;
    Some(Notice::Value {
        id: "step",
        text,
        takes: "a step of the tour".to_string(),
    })
}

/// The whole link of a step, for one that names the step and nothing else.
pub(super) fn link_of_bare_step(link: &str, tour: Tour) -> Option<String> {
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let fragment = percent_decoded(fragment);
    let own = |part: &&str| !part.starts_with("v=") && *part != EMBED;
    let mut parts = fragment.split('&').filter(own);
    let step = tour(parts.next()?.strip_prefix("step=")?)?;
    let embed = if fragment.split('&').any(|part| part == EMBED) {
        "&embed=1"
    } else {
        ""
    };
    parts
        .next()
        .is_none()
        .then(|| format!("{}&step={}{embed}", step.link, step.id))
}

const EMBED: &str = "embed=1";

impl Visit {
    /// Opens a step of the tour as its link has it; one that is not there changes nothing. The motion begins anew unless what
    /// there is of it is just that of the step.
    pub fn open_step(&mut self, id: &str) {
        let Some(step) = (self.tour)(id) else {
            return;
        };
        let embed = u8::from(self.looking.embed);
        let link = format!("{}&step={id}&embed={embed}", step.link);
        if self.plays_as_in(&step) {
            self.open(&link);
        } else {
            *self = Visit::new(&link, self.tour);
        }
    }

    /// Leaves the tour with all as it is.
    pub fn close_step(&mut self) {
        self.looking.step = None;
    }

    /// The open step.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.looking.step.as_deref().and_then(self.tour)
    }

    /// The instant of a link's step, where that is another step, as one goes back to, whose motion is not what there is.
    pub(super) fn begins_anew_at(&self, id: Option<&str>) -> Option<u64> {
        let step = (self.tour)(id?)?;
        if self.looking.step.as_deref() == Some(step.id) || self.plays_as_in(&step) {
            return None;
        }
        Some(step.read_link().ok()?.at.unwrap_or(0))
    }

    fn plays_as_in(&self, step: &Stop) -> bool {
        let Ok(link) = step.read_link() else {
            return false;
        };
        let tape = self.lab.tape();
        let effect = self.lab.settings().effect_of_change_to(&link.a.settings);
        let is_whole = tape.first_tick() == 0 && tape.edits() == 0;
        let a = self.lab.lane(LaneId::A);
        let has_overrides = a.is_some_and(|a| *a.overrides() != Overrides::default());
        // The network is cut as time goes by, not in a past that has been.
        effect < Effect::Motion
            && tape.is_scripted()
            && tape.is_untouched()
            && is_whole
            && !has_overrides
            && step.cut.is_none()
    }

    /// Cuts the network when the open step says so.
    pub(super) fn cut_as_the_step_says(&mut self) {
        let is_now = self.lab.is_at_end() && self.lab.tape().is_scripted();
        let cut = self.stop().and_then(|stop| stop.cut);
        let left = cut.map_or(0, |cut| cut.ticks_left_after(self.lab.tick_count()));
        if is_now && left > 0 && !self.lab.is_cut() {
            self.lab.cut_for(left);
        }
    }
}
