//! The decision on a motion: its verdict, measurement by measurement, so that a person's limits are heard in between.

use super::subject;
use crate::js::{from_js, given_to_js};
use serde::Serialize;
use snapshot_analysis::subject::Subject;
use snapshot_analysis::verdict::{self, Answer, Limits, Verdict};
use wasm_bindgen::prelude::*;

/// A verdict as far as it has got.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Decided {
    /// Finished share of the work, 0 to 1.
    share: f64,
    done: bool,
    /// The answer so far, where it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
}

/// A decision on a page's motion, over the network of lane A.
#[wasm_bindgen]
pub struct Decision {
    subject: Subject,
    verdict: Verdict,
    /// Number of finished parts that were told; `None` after a change of limits.
    told: Option<usize>,
}

#[wasm_bindgen]
impl Decision {
    /// Begins a decision on a subject: a motion with its lanes.
    ///
    /// # Errors
    /// When the bytes are no subject.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Decision, JsError> {
        let subject = subject(bytes)?;
        let tape = subject.tape();
        let seconds = verdict::judged_seconds(tape.session_config().half_m.len());
        let until = tape.first_tick() + tape.tick_rate().ticks_of_seconds(seconds);
        let window = [tape.first_tick(), tape.last_tick().min(until)];
        let [a, _] = &subject.lanes;
        Ok(Decision {
            verdict: Verdict::new(tape, &a.settings, &a.link_inputs, Limits::default(), window),
            subject,
            told: None,
        })
    }

    /// Makes the next measurement. Limits, if there are new ones, count from now on. Results that do not depend on a change are
    /// kept.
    ///
    /// # Errors
    /// When the limits have another type.
    #[wasm_bindgen(unchecked_return_type = "Decided")]
    pub fn step(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Limits | undefined")] limits: JsValue,
    ) -> Result<JsValue, JsError> {
        if !limits.is_undefined() {
            self.told = None;
            self.verdict.set_limits(from_js(limits)?);
        }
        let done = !self.verdict.step(self.subject.tape());
        let parts = self.verdict.parts();
        let is_new = done || self.told != Some(parts);
        self.told = Some(parts);
        let answer = is_new.then(|| self.verdict.answer(self.subject.tape()));
        given_to_js(&Decided {
            share: self.verdict.share(),
            done,
            answer: answer.flatten(),
        })
    }
}
