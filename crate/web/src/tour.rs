//! The tour as the page's script holds it: its steps, the one that is open, and what is measured of it.

use crate::clock::now_ms;
use crate::page::Page;
use crate::schema::to_js;
use snapshot_course::{self as course, CHAPTERS};
use snapshot_lab::settings::schema::Effect;
use snapshot_netsim::channel::Fates;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A figure that a step claims; `article` is in the same unit. */
export interface TourClaim { id: string; unit: "kbps" | "bytes" | "bits" | "percent" | "mm" | "degrees" | "ms" | "frame" | "count"; article: number | null }
export type TourAsks =
  | { kind: "choice"; answers: string[]; right: string }
  | { kind: "number"; claim: string; least: number; most: number; by_factors: boolean };
export type TourAct = { kind: "cut" } | { kind: "drive" } | { kind: "set"; id: string; least: number; most: number };
export interface TourStep {
  id: string; link: string; cut: { after_tick: number; ticks: number } | null; play_s: number; asks: TourAsks; act: TourAct | null;
  points_at: string[]; claims: TourClaim[];
}
export interface TourChapter { id: string; name: string; steps: TourStep[] }
export interface TourMeasured { step: string; claim: string; value: number }
"#;

/// The tour's chapters.
///
/// # Errors
/// When JavaScript cannot take the values, which it can.
#[wasm_bindgen(unchecked_return_type = "TourChapter[]")]
pub fn tour_chapters() -> Result<JsValue, JsError> {
    to_js(&CHAPTERS)
}

/// What the tour claims, as it is measured on this page: by the same function as `snapshot-lab tour`.
#[wasm_bindgen]
#[derive(Default)]
pub struct TourMeasuring {
    measuring: course::Measuring,
}

#[wasm_bindgen]
impl TourMeasuring {
    /// Nothing is measured yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> TourMeasuring {
        TourMeasuring::default()
    }

    /// Measures this step next; one that is not there measures nothing.
    pub fn ask(&mut self, step: &str) {
        self.measuring.ask(course::step(step));
    }

    /// Works for as long as this, and says whether there is more.
    pub fn work(&mut self, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = (0..2).all(|_| self.measuring.work());
        }
        more
    }

    /// All that has been measured so far.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "TourMeasured[]")]
    pub fn done(&self) -> Result<JsValue, JsError> {
        to_js(&self.measuring.done())
    }
}

/// The whole link of a step, for one that names the step and nothing else.
pub(crate) fn link_of_bare_step(link: &str) -> Option<String> {
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let own = |part: &&str| !part.starts_with("v=") && *part != EMBED;
    let mut parts = fragment.split('&').filter(own);
    let step = course::step(parts.next()?.strip_prefix("step=")?)?;
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

#[wasm_bindgen]
impl Page {
    /// Opens a step of the tour as its link has it; one that is not there changes nothing. The motion begins anew unless what
    /// there is of it is just that of the step.
    pub fn open_step(&mut self, id: &str) {
        let Some(step) = course::step(id) else {
            return;
        };
        let embed = u8::from(self.is_embedded());
        let link = format!("{}&step={id}&embed={embed}", step.link);
        if self.plays_as_in(step) {
            self.open(&link);
        } else {
            *self = Page::new(&link);
        }
    }

    /// Leaves the tour with all as it is.
    pub fn close_step(&mut self) {
        self.leave_step();
    }

    /// The instant of a link's step, where that is another step, as one goes back to, whose motion is not what there is.
    pub(crate) fn begins_anew_at(&self, step: Option<&str>) -> Option<u64> {
        let step = course::step(step?)?;
        if self.step() == Some(step.id) || self.plays_as_in(step) {
            return None;
        }
        Some(step.read_link().ok()?.at.unwrap_or(0))
    }

    fn plays_as_in(&self, step: &course::Step) -> bool {
        let Ok(link) = step.read_link() else {
            return false;
        };
        let lab = self.lab();
        let tape = lab.tape();
        let effect = lab.settings().effect_of_change_to(&link.settings);
        let is_whole = tape.first_tick() == 0 && tape.edits() == 0;
        let has_fates = *lab.fates() != Fates::default();
        // The network is cut as time goes by, not in a past that has been.
        effect < Effect::Motion
            && tape.is_scripted()
            && tape.is_untouched()
            && is_whole
            && !has_fates
            && step.cut.is_none()
    }

    /// Cuts the network when the step that is open says so.
    pub(crate) fn cut_as_the_step_says(&mut self) {
        let lab = self.lab();
        let step = self.step().and_then(course::step);
        let cut = step.and_then(|step| step.cut);
        let is_now = lab.is_at_end() && lab.tape().is_scripted();
        let begins = |cut: &course::Cut| is_now && cut.after_tick == lab.tick_count();
        if let Some(cut) = cut.filter(begins) {
            self.lab_mut().cut_for(cut.ticks);
        }
    }
}
