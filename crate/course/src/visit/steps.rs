//! The step of the tour that is open.

use super::Visit;
use crate::{Step, step};
use snapshot_app::lane_run::LaneId;
use snapshot_base::text::percent_decoded;
use snapshot_netsim::channel::Overrides;
use snapshot_settings::schema::Effect;

/// The whole link of a step, for one that names the step and nothing else.
pub(super) fn link_of_bare_step(link: &str) -> Option<String> {
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let fragment = percent_decoded(fragment);
    let own = |part: &&str| !part.starts_with("v=") && *part != EMBED;
    let mut parts = fragment.split('&').filter(own);
    let step = step(parts.next()?.strip_prefix("step=")?)?;
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
        let Some(step) = step(id) else {
            return;
        };
        let embed = u8::from(self.looking.embed);
        let link = format!("{}&step={id}&embed={embed}", step.link);
        if self.plays_as_in(step) {
            self.open(&link);
        } else {
            *self = Visit::new(&link);
        }
    }

    /// Leaves the tour with all as it is.
    pub fn close_step(&mut self) {
        self.looking.step = None;
    }

    fn step(&self) -> Option<&'static Step> {
        self.looking.step.as_deref().and_then(step)
    }

    /// The instant of a link's step, where that is another step, as one goes back to, whose motion is not what there is.
    pub(super) fn begins_anew_at(&self, id: Option<&str>) -> Option<u64> {
        let step = step(id?)?;
        if self.looking.step.as_deref() == Some(step.id) || self.plays_as_in(step) {
            return None;
        }
        Some(step.read_link().ok()?.at.unwrap_or(0))
    }

    fn plays_as_in(&self, step: &Step) -> bool {
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
        let cut = self.step().and_then(|step| step.cut);
        let left = cut.map_or(0, |cut| cut.ticks_left_after(self.lab.tick_count()));
        if is_now && left > 0 && !self.lab.is_cut() {
            self.lab.cut_for(left);
        }
    }
}
