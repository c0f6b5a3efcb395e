//! The verdict (recommended settings) on a motion received in parts.

use crate::clock::work_for;
use crate::incoming::{IncomingMotion, no_part};
use crate::js::{refused, some_to_js};
use snapshot_analysis::verdict::{self, ChosenNetworks, Limits, Request};
use snapshot_netsim::channel::LinkInputs;
use snapshot_netsim::trace::Trace;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// The settings of the link that a verdict is computed for, with an optional recorded link.
#[wasm_bindgen]
pub struct VerdictLink {
    settings: snapshot_settings::Settings,
    link_inputs: LinkInputs,
}

#[wasm_bindgen]
impl VerdictLink {
    /// Parses the settings in the fragment of a link.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> VerdictLink {
        VerdictLink {
            settings: permalink::parse(link).0,
            link_inputs: LinkInputs::default(),
        }
    }

    /// Uses a trace file as the recorded link, from an offset in ms on.
    ///
    /// # Errors
    /// When the file is not a trace.
    pub fn over(&mut self, file: &[u8], begins_ms: f64) -> Result<(), JsError> {
        let trace = Trace::read(file).map_err(refused)?.from_ms(begins_ms);
        self.link_inputs.trace = Some(Arc::new(trace));
        Ok(())
    }
}

#[wasm_bindgen]
pub struct Verdict {
    work: verdict::Verdict,
    tape: Tape,
}

#[wasm_bindgen]
impl Verdict {
    /// Makes a verdict on a completely received motion.
    ///
    /// # Errors
    /// When parts are missing.
    pub fn of_motion(incoming: IncomingMotion, link: VerdictLink) -> Result<Verdict, JsError> {
        let motion = incoming.0.finish().ok_or_else(no_part)?;
        let tape = Tape::of_motion(&motion, motion.ticks());
        Ok(Verdict::new(tape, link))
    }

    /// Changes the limits of a recommendation: errors of the view (mm), delay and mean age (ms), bandwidth (kbit/s). Results
    /// that do not depend on the change are kept.
    pub fn limit(
        &mut self,
        surface_mm: Option<f64>,
        view_mm: Option<f64>,
        delay_ms: Option<f64>,
        age_ms: Option<f64>,
        kbps: Option<f64>,
    ) {
        let limits = Limits {
            surface_mm,
            view_mm,
            delay_ms,
            age_ms,
            kbps,
        };
        self.work.change(|request| request.limits = limits);
    }

    /// Chooses the networks that one common setting must serve; if one is unknown, nothing changes.
    pub fn choose_networks(&mut self, ids: Vec<String>) {
        if let Some(networks) = ChosenNetworks::new(ids.iter().map(String::as_str)) {
            self.work.change(|request| request.networks = networks);
        }
    }

    /// Works for at most `budget_ms`. Returns true if there is more to do.
    pub fn work(&mut self, budget_ms: f64) -> bool {
        work_for(budget_ms, || self.work.work(&self.tape))
    }

    /// Returns the finished share of the work, 0 to 1.
    pub fn share(&self) -> f64 {
        self.work.share()
    }

    /// Returns the number of finished parts of the answer, 0 to 4.
    pub fn parts(&self) -> usize {
        self.work.parts()
    }

    /// Returns the verdict so far; undefined before its first part is done.
    #[wasm_bindgen(unchecked_return_type = "VerdictAnswer | undefined")]
    pub fn answer(&self) -> Result<JsValue, JsError> {
        some_to_js(self.work.answer(&self.tape))
    }
}

impl Verdict {
    fn new(tape: Tape, link: VerdictLink) -> Verdict {
        let request = Request::default();
        let seconds = verdict::judged_seconds(tape.session_config().half_m.len());
        let until = tape.first_tick() + tape.tick_rate().ticks_of_seconds(seconds);
        let window = [tape.first_tick(), tape.last_tick().min(until)];
        Verdict {
            work: verdict::Verdict::new(&tape, &link.settings, &link.link_inputs, request, window),
            tape,
        }
    }
}
