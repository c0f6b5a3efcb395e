//! The open step of a tour. The laboratory has no tour; the creator of a visit provides it as a function.

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

/// A tour: a function that returns the step with an id. For the id of a removed step it returns the step that treats its
/// subject now.
pub type Tour = fn(&str) -> Option<Stop>;

#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// Id of the step, `step=ID` in a link.
    pub id: &'static str,
    /// Link of the step, with the instant at which the page pauses.
    pub link: &'static str,
    pub cut: Option<Cut>,
    /// A recorded link that replaces the modelled one, as text.
    pub trace: Option<&'static str>,
}

/// A period in which no packet passes, in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourCut"))]
pub struct Cut {
    /// The last tick before the cut.
    pub after_tick: u64,
    pub ticks: u32,
}

impl Stop {
    /// Parses the step's link.
    ///
    /// # Errors
    /// The parts of the link that cannot be used; a test of the tour checks that there are none.
    pub fn read_link(&self) -> Result<Link, Vec<Notice>> {
        let (link, notices) = link::parse(self.link);
        if notices.is_empty() {
            Ok(link)
        } else {
            Err(notices)
        }
    }

    /// Parses the step's recorded link; `None` if there is none. A test of the tour checks that all are valid.
    pub fn read_trace(&self) -> Option<Arc<Trace>> {
        Some(Arc::new(Trace::read(self.trace?.as_bytes()).ok()?))
    }
}

impl Cut {
    /// Returns the number of ticks of the cut that remain after `tick`; 0 outside the cut.
    pub fn ticks_left_after(&self, tick: u64) -> u32 {
        let over = tick.checked_sub(self.after_tick);
        let over = over.and_then(|over| u32::try_from(over).ok());
        over.map_or(0, |over| self.ticks.saturating_sub(over))
    }
}

/// Drops an unknown step of a link. Replaces a removed step by the step that treats its subject now.
pub fn find_step(link: &mut Link, tour: Tour) -> Option<Notice> {
    let text = link.step.take()?;
    let Some(stop) = tour(&text) else {
        return Some(Notice::Value {
            id: "step",
            text,
            takes: "a step of the tour".to_string(),
        });
    };
    link.step = Some(stop.id.to_string());
    moved(text, &stop)
}

fn moved(text: String, stop: &Stop) -> Option<Notice> {
    (text != stop.id).then_some(Notice::Moved {
        id: "step",
        text,
        now: stop.id,
    })
}

/// Returns the full link of a step, for a link that names only the step; else `None`. The notice tells of a removed step.
pub(super) fn link_of_bare_step(link: &str, tour: Tour) -> Option<(String, Option<Notice>)> {
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let fragment = percent_decoded(fragment);
    let own = |part: &&str| !part.starts_with("v=") && *part != EMBED;
    let mut parts = fragment.split('&').filter(own);
    let id = parts.next()?.strip_prefix("step=")?;
    let step = tour(id)?;
    let embed = if fragment.split('&').any(|part| part == EMBED) {
        "&embed=1"
    } else {
        ""
    };
    parts.next().is_none().then(|| {
        let link = format!("{}&step={}{embed}", step.link, step.id);
        (link, moved(id.to_string(), &step))
    })
}

const EMBED: &str = "embed=1";

impl Visit {
    /// Opens a step of the tour with its link; an unknown step changes nothing. The motion restarts, unless the present
    /// motion is the step's motion.
    pub fn open_step(&mut self, id: &str) {
        let Some(step) = (self.tour)(id) else {
            return;
        };
        let embed = u8::from(self.looking.embed);
        let link = format!("{}&step={}&embed={embed}", step.link, step.id);
        if self.plays_as_in(&step) {
            self.open(&link);
        } else {
            *self = Visit::new(&link, self.tour);
        }
    }

    /// Closes the tour; everything else stays as it is.
    pub fn close_step(&mut self) {
        self.looking.step = None;
    }

    /// The open step; `None` if the tour is closed.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.looking.step.as_deref().and_then(self.tour)
    }

    /// Returns the link's instant of the step with this id, if it is not the open step and needs another motion; else `None`.
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

    pub(super) fn cut_as_the_step_says(&mut self) {
        let is_now = self.lab.is_at_end() && self.lab.tape().is_scripted();
        let cut = self.stop().and_then(|stop| stop.cut);
        let left = cut.map_or(0, |cut| cut.ticks_left_after(self.lab.tick_count()));
        if is_now && left > 0 && !self.lab.is_cut() {
            self.lab.cut_for(left);
        }
    }
}
