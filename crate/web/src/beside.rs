//! Lane B as the page's script holds it: other settings on the same motion.

use crate::page::Page;
use crate::schema::to_js;
use snapshot_lab::settings::schema::SCHEMA;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Each of B's settings by its permalink key; undefined where there is no B.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string> | undefined")]
    pub fn settings_b(&self) -> Result<JsValue, JsError> {
        let Some(b) = self.lab().b() else {
            return Ok(JsValue::UNDEFINED);
        };
        let texts = SCHEMA
            .iter()
            .map(|setting| (setting.id, b.settings().text(setting.key)));
        to_js(&texts.collect::<BTreeMap<_, _>>())
    }

    /// The permalink keys of what is changed for B.
    pub fn changed_for_b(&self) -> Vec<String> {
        let lab = self.lab();
        let keys = lab
            .b()
            .map_or_else(Vec::new, |b| b.settings().differences(lab.settings()));
        keys.iter()
            .map(|key| key.setting().id.to_string())
            .collect()
    }

    /// Whether B has another world: then the keys are the same, and the motion is not.
    pub fn b_is_on_another_motion(&self) -> bool {
        self.lab().b().is_some_and(|b| b.is_on_another_motion())
    }

    /// The figures of B at this moment; undefined where there are none yet.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Live | undefined")]
    pub fn live_b(&self) -> Result<JsValue, JsError> {
        let lab = self.lab();
        match lab.b().and_then(|b| b.live(lab.tick_count())) {
            Some(live) => to_js(live),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Sets one setting for B alone. Where there is no B yet there is one then, otherwise set as A is.
    ///
    /// # Errors
    /// In words, when there is no such setting, the text is not a value of it, or there is no physics for it.
    pub fn set_b(&mut self, id: &str, text: &str) -> Result<(), JsError> {
        let lab = self.lab_mut();
        let mut settings = lab.b().map_or(*lab.settings(), |b| *b.settings());
        settings
            .set_text(id, text)
            .and_then(|_| lab.check_physics(&settings))
            .map_err(|error| JsError::new(&error.to_string()))?;
        lab.set_b(Some(settings));
        self.keep();
        Ok(())
    }

    /// Makes B what A is, whether there is a B or not.
    pub fn make_b_what_a_is(&mut self) {
        let settings = *self.lab().settings();
        self.lab_mut().set_b(Some(settings));
        self.keep();
    }

    /// What is set for B becomes what is set for A, and the other way round.
    pub fn swap_a_and_b(&mut self) {
        self.lab_mut().swap_a_and_b();
        self.keep();
    }

    /// Leaves A alone.
    pub fn drop_b(&mut self) {
        self.forget_fates_of_b();
        self.lab_mut().set_b(None);
    }
}
