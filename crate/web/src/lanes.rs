//! The two lanes for the page's script: lane A, and lane B with other settings.

use crate::js::{some_to_js, to_js};
use crate::lane_name::LaneName;
use crate::page::{Page, refused};
use serde::Serialize;
use snapshot_app::comparisons::COMPARISONS;
use snapshot_app::lane_run::LaneRun;
use snapshot_settings::Settings;
use snapshot_settings::quantisation::LEVELS;
#[cfg(test)]
use snapshot_settings::schema::Domain;
use snapshot_settings::schema::SCHEMA;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Lanes"))]
pub(crate) struct PerLane<T> {
    pub(crate) a: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) b: Option<T>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Quantisation"))]
struct QuantisationOut {
    level: u32,
    coarsest: u32,
    finest: u32,
    is_one_level: bool,
    position_step_mm: f64,
    orientation_step_deg: f64,
    /// Label of the rung to change to together with the level; null if the present rung quantises.
    needed_rung: Option<&'static str>,
}

#[wasm_bindgen]
impl Page {
    /// Returns the texts of each lane's settings by their permalink keys.
    #[wasm_bindgen(unchecked_return_type = "Lanes<SettingTexts>")]
    pub fn settings(&self) -> Result<JsValue, JsError> {
        let lab = self.lab();
        to_js(&PerLane {
            a: texts(lab.settings()),
            b: lab.b().map(|b| texts(b.settings())),
        })
    }

    /// Returns the permalink keys of the settings in which B differs from A.
    pub fn differences(&self) -> Vec<String> {
        let lab = self.lab();
        let b = lab.b().map(LaneRun::settings);
        let keys = b.map_or_else(Vec::new, |b| b.differences(lab.settings()));
        let ids = keys.iter().map(|key| key.setting().id.to_string());
        ids.collect()
    }

    /// Returns true if the two lanes have different worlds: then the keys are the same, but the motion is not.
    pub fn has_two_motions(&self) -> bool {
        self.lab().b().is_some_and(LaneRun::is_on_another_motion)
    }

    #[wasm_bindgen(unchecked_return_type = "Lanes<Live>")]
    pub fn live(&self) -> Result<JsValue, JsError> {
        let lab = self.lab();
        to_js(&PerLane {
            a: lab.live().clone(),
            b: lab.b().and_then(|b| b.live(lab.tick_count())).cloned(),
        })
    }

    /// Changes one setting of a lane by its text. If there is no B yet, B is created with A's other settings.
    ///
    /// # Errors
    /// When there is no such setting, the text is not one of its values, or the motion has no physics that it needs.
    pub fn set(&mut self, lane: LaneName, id: &str, text: &str) -> Result<(), JsError> {
        self.change(|visit| visit.set_text(lane.id(), id, text))
            .map_err(refused)
    }

    /// Returns the level of quantisation; undefined for a strategy that sends neither positions nor orientations.
    #[wasm_bindgen(unchecked_return_type = "Quantisation | undefined")]
    pub fn quantisation(&self, lane: LaneName) -> Result<JsValue, JsError> {
        let quantisation = self.visit().settings_of(lane.id()).quantisation();
        some_to_js(quantisation.map(|it| QuantisationOut {
            level: it.level,
            coarsest: it.coarsest,
            finest: *LEVELS.end(),
            is_one_level: it.is_one_level,
            position_step_mm: it.position_step_mm,
            orientation_step_deg: it.orientation_step_deg,
            needed_rung: it.needed_rung.map(|rung| rung.row().label),
        }))
    }

    /// Sets a lane's bits of positions and orientations to a level of quantisation, and another rung if the present one sends
    /// floats.
    ///
    /// # Errors
    /// When the motion has no physics that the settings need.
    pub fn set_quantisation(&mut self, lane: LaneName, level: u32) -> Result<(), JsError> {
        let settings = self.visit().settings_of(lane.id()).with_quantisation(level);
        self.change(|visit| visit.apply(lane.id(), settings))
            .map_err(refused)
    }

    /// Sets A and B to a ready-made comparison, by its index in the table; an unknown index changes nothing.
    ///
    /// # Errors
    /// When a lane needs a simulated world that the motion does not have.
    pub fn compare(&mut self, place: usize) -> Result<(), JsError> {
        self.change(|visit| visit.compare(place)).map_err(refused)
    }

    /// Returns the index of the ready-made comparison with exactly A's and B's settings; undefined if there is none.
    pub fn chosen_comparison(&self) -> Option<usize> {
        let (a, b) = (self.lab().settings(), self.lab().b()?.settings());
        COMPARISONS
            .iter()
            .position(|comparison| comparison.settings(a) == (*a, *b))
    }

    /// Gives B the settings of A; creates B if there is none.
    pub fn make_b_what_a_is(&mut self) {
        let settings = *self.lab().settings();
        self.change(|visit| visit.lab_mut().set_b(Some(settings)));
    }

    pub fn swap_a_and_b(&mut self) {
        self.change(|visit| visit.lab_mut().swap_a_and_b());
    }

    pub fn drop_b(&mut self) {
        self.visit_mut().drop_b();
    }
}

/// A lane's settings as the link has them, by permalink key. The page's type lists the keys, and the texts of each choice.
#[derive(Serialize)]
#[serde(transparent)]
struct SettingTexts(BTreeMap<&'static str, String>);

#[cfg(test)]
impl ts_rs::TS for SettingTexts {
    type WithoutGenerics = SettingTexts;
    type OptionInnerType = SettingTexts;

    fn name(_: &ts_rs::Config) -> String {
        "SettingTexts".into()
    }

    fn inline(_: &ts_rs::Config) -> String {
        let fields = SCHEMA.iter().map(|setting| match setting.domain {
            Domain::Choice(choices) => {
                let ids: Vec<_> = choices.iter().map(|it| format!("\"{}\"", it.id)).collect();
                format!("\"{}\": {}", setting.id, ids.join(" | "))
            }
            Domain::Number(_) => format!("\"{}\": string", setting.id),
        });
        format!("{{ {}, }}", fields.collect::<Vec<_>>().join(", "))
    }

    fn decl(config: &ts_rs::Config) -> String {
        format!("type SettingTexts = {};", Self::inline(config))
    }

    fn output_path() -> Option<std::path::PathBuf> {
        Some("SettingTexts.ts".into())
    }
}

fn texts(settings: &Settings) -> SettingTexts {
    let texts = SCHEMA.iter();
    let texts = texts.map(|setting| (setting.id, settings.text(setting.key)));
    SettingTexts(texts.collect())
}
