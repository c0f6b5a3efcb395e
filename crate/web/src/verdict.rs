//! The verdict for the page's script: on the page's motion, or on one that is made up from numbers.

use crate::clock::now_ms;
use crate::js::to_js;
use crate::page::Page;
use snapshot_analysis::verdict::synthetic::Synthetic;
use snapshot_analysis::verdict::{self, Wanted};
use snapshot_record::tape::Tape;
use snapshot_settings::schema::SCHEMA;
use snapshot_settings::{Key, Settings};
use wasm_bindgen::prelude::*;

/// A verdict in the making. It must be begun anew when the motion or a setting is another.
#[wasm_bindgen]
pub struct Verdict {
    work: verdict::Verdict,
    /// The motion that was made up; none where it is the page's.
    made_up: Option<Tape>,
}

#[wasm_bindgen]
impl Verdict {
    /// On the motion that is held, as lane A is set, with the bits that keep these errors.
    #[wasm_bindgen(constructor)]
    pub fn new(page: &Page, error_mm: Option<f64>, error_deg: Option<f64>) -> Verdict {
        let (lab, tape) = (page.lab(), page.lab().tape());
        let window = [tape.first_tick(), tape.last_tick()];
        let wanted = wanted(error_mm, error_deg);
        Verdict {
            work: verdict::Verdict::new(tape, lab.settings(), lab.given(), wanted, window),
            made_up: None,
        }
    }

    /// On a motion that is made up from numbers: objects, how many move, m/s, and packets a second.
    ///
    /// # Errors
    /// In words, when no motion comes of them.
    pub fn of_numbers(
        page: &Page,
        objects: u32,
        moving: u32,
        speed: f64,
        hz: f64,
        error_mm: Option<f64>,
        error_deg: Option<f64>,
    ) -> Result<Verdict, JsError> {
        let motion = Synthetic::new(objects, moving, speed).motion();
        let motion = motion.map_err(|error| JsError::new(&error.to_string()))?;
        let tape = Tape::of_motion(&motion, motion.ticks());
        let mut settings = *page.lab().settings();
        let set = settings.set_number(Key::SendRate, hz);
        set.map_err(|error| JsError::new(&error.to_string()))?;
        let (given, window) = (page.lab().given(), [0, tape.last_tick()]);
        let wanted = wanted(error_mm, error_deg);
        Ok(Verdict {
            work: verdict::Verdict::new(&tape, &settings, given, wanted, window),
            made_up: Some(tape),
        })
    }

    /// Asks for other errors. Where the bits stay the same, so does the verdict.
    pub fn want(&mut self, error_mm: Option<f64>, error_deg: Option<f64>) {
        self.work.want(wanted(error_mm, error_deg));
    }

    /// Works for as long as this, and says whether there is more.
    pub fn work(&mut self, page: &Page, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let tape = self.made_up.as_ref().unwrap_or(page.lab().tape());
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            more = self.work.work(tape);
        }
        more
    }

    /// The share of the work that is done, 0 to 1.
    pub fn share(&self) -> f64 {
        self.work.share()
    }

    /// The verdict; undefined before all is done.
    ///
    /// # Errors
    /// Only if JavaScript refuses the values.
    #[wasm_bindgen(unchecked_return_type = "VerdictAnswer | undefined")]
    pub fn answer(&self, page: &Page) -> Result<JsValue, JsError> {
        let tape = self.made_up.as_ref().unwrap_or(page.lab().tape());
        match self.work.answer(tape) {
            Some(answer) => to_js(&answer),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The settings to take that lane A has not, each as `key=value`; none before all is done.
    pub fn changes(&self, page: &Page) -> Vec<String> {
        let (now, taken) = (page.lab().settings(), self.work.taken());
        let differs = |taken: &Settings, key: Key| taken.get(key) != now.get(key);
        let keys = SCHEMA.iter().map(|setting| setting.key);
        let changed = taken.map(|taken| {
            let changed = keys.filter(|key| differs(taken, *key));
            changed
                .map(|key| format!("{}={}", key.setting().id, taken.text(key)))
                .collect()
        });
        changed.unwrap_or_default()
    }
}

fn wanted(error_mm: Option<f64>, error_deg: Option<f64>) -> Wanted {
    Wanted {
        position_mm: error_mm,
        orientation_deg: error_deg,
    }
}
