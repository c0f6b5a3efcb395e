//! The two lanes as the page's script holds them: A, and B beside it with other settings.

use crate::js::to_js;
use crate::lane_name::LaneName;
use crate::page::Page;
use serde::Serialize;
use snapshot_app::comparisons::COMPARISONS;
use snapshot_app::lane_run::{LaneId, LaneRun};
use snapshot_settings::schema::{Effect, SCHEMA};
use snapshot_settings::{SettingError, Settings};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Something of each lane; of B where there is one and it has it. */
export interface Lanes<T> { a: T; b?: T }
"#;

/// Something of each lane.
#[derive(Serialize)]
pub(crate) struct Lanes<T> {
    pub(crate) a: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) b: Option<T>,
}

#[wasm_bindgen]
impl Page {
    /// The text of each lane's settings by their permalink keys.
    #[wasm_bindgen(unchecked_return_type = "Lanes<Record<string, string>>")]
    pub fn settings(&self) -> Result<JsValue, JsError> {
        let lab = self.lab();
        to_js(&Lanes {
            a: texts(lab.settings()),
            b: lab.b().map(|b| texts(b.settings())),
        })
    }

    /// The permalink keys of the settings in which B differs from A.
    pub fn differences(&self) -> Vec<String> {
        let lab = self.lab();
        let b = lab.b().map(LaneRun::settings);
        let keys = b.map_or_else(Vec::new, |b| b.differences(lab.settings()));
        let ids = keys.iter().map(|key| key.setting().id.to_string());
        ids.collect()
    }

    /// Says whether the two lanes have different worlds: then the keys are the same, and the motion is not.
    pub fn has_two_motions(&self) -> bool {
        self.lab().b().is_some_and(LaneRun::is_on_another_motion)
    }

    /// The figures of each lane at this moment.
    #[wasm_bindgen(unchecked_return_type = "Lanes<Live>")]
    pub fn live(&self) -> Result<JsValue, JsError> {
        let lab = self.lab();
        to_js(&Lanes {
            a: lab.live(),
            b: lab.b().and_then(|b| b.live(lab.tick_count())),
        })
    }

    /// Sets one setting of a lane from its text. Where there is no B yet there is one then, otherwise set as A is.
    ///
    /// # Errors
    /// In words, when there is no such setting, the text is not a value of it, or there is no physics for it.
    pub fn set(&mut self, lane: LaneName, id: &str, text: &str) -> Result<(), JsError> {
        let mut settings = *self.settings_of(lane);
        let set = settings.set_text(id, text);
        set.map_err(refused)?;
        self.apply(lane, settings)
    }

    /// Sets all of A and B that a ready-made comparison needs; a place without one changes nothing.
    ///
    /// # Errors
    /// In words, when a lane would simulate and the motion has no physics behind it.
    pub fn compare(&mut self, place: usize) -> Result<(), JsError> {
        let Some(comparison) = COMPARISONS.get(place) else {
            return Ok(());
        };
        let (a, b) = comparison.settings(self.lab().settings());
        self.lab().check_physics(&b).map_err(refused)?;
        self.apply(LaneName::A, a)?;
        self.apply(LaneName::B, b)
    }

    /// The place of the ready-made comparison that A and B are, if they are one.
    pub fn chosen_comparison(&self) -> Option<usize> {
        let (a, b) = (self.lab().settings(), self.lab().b()?.settings());
        COMPARISONS
            .iter()
            .position(|comparison| comparison.settings(a) == (*a, *b))
    }

    /// Makes B what A is, whether there is a B or not.
    pub fn make_b_what_a_is(&mut self) {
        let settings = *self.lab().settings();
        self.lab_mut().set_b(Some(settings));
        self.keep();
    }

    /// Swaps the settings of A and B.
    pub fn swap_a_and_b(&mut self) {
        self.lab_mut().swap_a_and_b();
        self.keep();
    }

    /// Leaves A alone.
    pub fn drop_b(&mut self) {
        self.forget_linked_b();
        self.lab_mut().set_b(None);
    }
}

impl Page {
    /// The settings of a lane; A's for a B that is not there.
    pub(crate) fn settings_of(&self, lane: LaneName) -> &Settings {
        let lab = self.lab();
        lab.lane(lane.id())
            .map_or(lab.settings(), LaneRun::settings)
    }

    /// Gives a lane other settings. Where there is no B yet there is one then.
    pub(crate) fn apply(&mut self, lane: LaneName, settings: Settings) -> Result<(), JsError> {
        match lane.id() {
            LaneId::A => {
                let effect = self.lab_mut().try_apply(settings).map_err(refused)?;
                if effect >= Effect::Motion {
                    self.leave_the_link();
                }
            }
            LaneId::B => {
                self.lab().check_physics(&settings).map_err(refused)?;
                self.lab_mut().set_b(Some(settings));
            }
        }
        self.keep();
        Ok(())
    }
}

fn refused(error: SettingError) -> JsError {
    JsError::new(&error.to_string())
}

fn texts(settings: &Settings) -> BTreeMap<&'static str, String> {
    let texts = SCHEMA.iter();
    let texts = texts.map(|setting| (setting.id, settings.text(setting.key)));
    texts.collect()
}
