//! The verdict (recommended settings) for a Worker of the page, on a motion received in parts.

use crate::clock::work_for;
use crate::js::some_to_js;
use crate::motion::{IncomingMotion, no_part};
use crate::page::{Page, refused};
use snapshot_analysis::link_fit;
use snapshot_analysis::verdict::{
    self, Card, ChosenNetworks, CommandNames, Limits, Request, Source,
};
use snapshot_app::lane_run::LaneId;
use snapshot_app::link;
use snapshot_netsim::channel::LinkInputs;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, permalink};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// Keys of the settings that a verdict recommends.
const DECIDED: [Key; 9] = [
    Key::SendRate,
    Key::Codec,
    Key::PositionBits,
    Key::OrientationBits,
    Key::PositionSmall,
    Key::PositionLarge,
    Key::OrientationSmall,
    Key::OrientationLarge,
    Key::Interpolation,
];

/// The settings of the link that a verdict is computed for, with an optional recorded link.
#[wasm_bindgen]
pub struct VerdictLink {
    settings: snapshot_settings::Settings,
    given: LinkInputs,
    trace_name: String,
}

#[wasm_bindgen]
impl VerdictLink {
    /// Parses the settings in the fragment of a link.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> VerdictLink {
        VerdictLink {
            settings: permalink::parse(link).0,
            given: LinkInputs::default(),
            trace_name: String::new(),
        }
    }

    /// Uses a trace file as the recorded link, from an offset in ms on.
    ///
    /// # Errors
    /// When the file is not a trace.
    pub fn over(&mut self, name: String, file: &[u8], begins_ms: f64) -> Result<(), JsError> {
        let trace = Trace::read(file).map_err(refused)?.from_ms(begins_ms);
        self.given.trace = Some(Arc::new(trace));
        self.trace_name = name;
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
    /// Makes a verdict on a completely received motion. `name` is the name of the motion's file; undefined if there is no
    /// file.
    ///
    /// # Errors
    /// When parts are missing.
    pub fn of_motion(
        incoming: IncomingMotion,
        name: Option<String>,
        link: VerdictLink,
    ) -> Result<Verdict, JsError> {
        let motion = incoming.0.finish().ok_or_else(no_part)?;
        let source = |name| Source::Motion(name, motion.ticks());
        let names = CommandNames {
            source: name.map_or(Source::Played, source),
            jumps_over: motion.facts.jumps_over,
            ..CommandNames::default()
        };
        let tape = Tape::of_motion(&motion, motion.ticks());
        Ok(Verdict::new(tape, names, link))
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
    fn new(tape: Tape, names: CommandNames, link: VerdictLink) -> Verdict {
        let request = Request {
            names: CommandNames {
                trace: link.trace_name,
                ..names
            },
            ..Request::default()
        };
        let seconds = verdict::judged_seconds(tape.agreed().half_m.len());
        let until = tape.first_tick() + tape.tick_rate().ticks_of_seconds(seconds);
        let window = [tape.first_tick(), tape.last_tick().min(until)];
        Verdict {
            work: verdict::Verdict::new(&tape, &link.settings, &link.given, request, window),
            tape,
        }
    }
}

/// A page's motion, in parts that a Worker receives for a verdict.
#[wasm_bindgen]
pub struct JudgedMotion(Motion);

#[wasm_bindgen]
impl JudgedMotion {
    /// Returns the present motion: a file's, or the stored ticks of the simulated world. Undefined for fewer than two ticks.
    pub fn of_page(page: &Page) -> Option<JudgedMotion> {
        let played = page.visit().played_motion().cloned();
        played
            .or_else(|| page.lab().tape().to_motion())
            .map(JudgedMotion)
    }

    /// Returns the part of the motion with a number, from 0; undefined after the last part.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        self.0.part(number)
    }
}

#[wasm_bindgen]
impl Page {
    /// Returns the settings of lane A alone, as a fragment.
    pub fn settings_link(&self) -> String {
        permalink::format(self.lab().settings())
    }

    /// Returns the settings recommended in a verdict's `link` that differ from lane A's, each as `key=value`.
    pub fn changes_to(&self, link: &str) -> Vec<String> {
        let (now, taken) = (self.lab().settings(), permalink::parse(link).0);
        let keys = DECIDED.into_iter().chain([Key::Delay]);
        let changed = keys.filter(|key| taken.get(*key) != now.get(*key));
        changed
            .map(|key| format!("{}={}", key.setting().id, taken.text(key)))
            .collect()
    }

    /// Returns the fragment that opens a verdict's settings with the present motion and network, and opens the given chart or
    /// panel. `card` is the verdict's decision as text, for readers without the motion's file.
    pub fn link_with(&self, link: &str, figure: &str, card: Option<String>) -> String {
        let (mut here, _) = link::parse(&self.visit().permalink(false));
        here.a.settings = permalink::parse(link).0;
        (here.at, here.b, here.step) = (None, None, None);
        here.recorded = Default::default();
        here.show = Some(figure.to_owned());
        here.card = card.and_then(|card| Card::parse(&card));
        link::format(&here)
    }

    /// Returns the settings of the link model nearest to the recorded link in use, with the remaining error; undefined if no
    /// recorded link is used.
    #[wasm_bindgen(unchecked_return_type = "FittedTrace | undefined")]
    pub fn fit_trace(&self) -> Result<JsValue, JsError> {
        let trace = self.lab().trace();
        some_to_js(trace.map(|trace| link_fit::describe(trace.delays())))
    }

    /// Applies the settings of the link model nearest to the recorded link to all lanes. The recorded link itself stays in
    /// use.
    ///
    /// # Errors
    /// When the schema refuses a setting, which does not happen with these.
    pub fn use_fit(&mut self) -> Result<(), JsError> {
        let Some(trace) = self.lab().trace().cloned() else {
            return Ok(());
        };
        let delays = trace.delays();
        let b = self.lab().b().map(|_| LaneId::B);
        for lane in [LaneId::A].into_iter().chain(b) {
            let mut settings = *self.visit().settings_of(lane);
            settings.set_text("link", "own").map_err(refused)?;
            for (id, text) in link_fit::changes(&settings, delays) {
                settings.set_text(id, &text).map_err(refused)?;
            }
            let applied = self.change(|visit| visit.apply(lane, settings));
            applied.map_err(refused)?;
        }
        Ok(())
    }
}
