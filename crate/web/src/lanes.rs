//! The two lanes for the page's script: lane A, and lane B with other settings.

use crate::js::refused;
use crate::lane_name::LaneName;
use crate::page::Page;
use serde::Serialize;
use snapshot_base::order;
use snapshot_settings::Settings;
use snapshot_settings::quantisation::LEVELS;
#[cfg(test)]
use snapshot_settings::schema::Domain;
use snapshot_settings::schema::SCHEMA;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Quantisation"))]
pub(crate) struct QuantisationOut {
    level: u32,
    coarsest: u32,
    finest: u32,
    is_one_level: bool,
    position_step_mm: f64,
    orientation_step_deg: f64,
    /// Upper bound of the surface error that quantisation causes on the largest object, mm.
    surface_error_mm: f64,
    /// Label of the rung that replaces the present one when a level is chosen; null if the present rung quantises.
    needed_rung: Option<&'static str>,
}

#[wasm_bindgen]
impl Page {
    /// Changes one setting of a lane by its text. If there is no B yet, B is created with A's other settings.
    ///
    /// # Errors
    /// When there is no such setting, the text is not one of its values, or the motion has no physics that it needs.
    pub fn set(&mut self, lane: LaneName, id: &str, text: &str) -> Result<(), JsError> {
        self.change(|session| session.set_text(lane.id(), id, text))
            .map_err(refused)
    }

    /// Sets a lane's bits of positions and orientations to a level of quantisation, and another rung if the present one sends
    /// floats.
    ///
    /// # Errors
    /// When the motion has no physics that the settings need.
    pub fn set_quantisation(&mut self, lane: LaneName, level: u32) -> Result<(), JsError> {
        let settings = self
            .session()
            .settings_of(lane.id())
            .with_quantisation(level);
        self.change(|session| session.apply(lane.id(), settings))
            .map_err(refused)
    }

    /// Sets A and B to a ready-made comparison, by its index in the table; an unknown index changes nothing.
    ///
    /// # Errors
    /// When a lane needs a simulated world that the motion does not have.
    pub fn compare(&mut self, place: usize) -> Result<(), JsError> {
        self.change(|session| session.compare(place))
            .map_err(refused)
    }

    /// Gives B the settings of A; creates B if there is none.
    pub fn copy_a_to_b(&mut self) {
        let settings = *self.lab().settings();
        self.change(|session| session.lab_mut().set_b(Some(settings)));
    }

    pub fn swap_a_and_b(&mut self) {
        self.change(|session| session.lab_mut().swap_a_and_b());
    }

    pub fn drop_b(&mut self) {
        self.session_mut().drop_b();
    }
}

/// Texts of a lane's settings as in a link, by permalink key. Its TypeScript type lists the keys, and the texts of each
/// choice. It can also be indexed by any other string.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct SettingTexts(BTreeMap<&'static str, String>);

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
        let fields = fields.collect::<Vec<_>>().join(", ");
        format!("{{ [key: string]: string | undefined, {fields}, }}")
    }

    fn decl(config: &ts_rs::Config) -> String {
        format!("type SettingTexts = {};", Self::inline(config))
    }

    fn output_path() -> Option<std::path::PathBuf> {
        Some("SettingTexts.ts".into())
    }
}

pub(crate) fn texts(settings: &Settings) -> SettingTexts {
    let texts = SCHEMA.iter();
    let texts = texts.map(|setting| (setting.id, settings.text(setting.key)));
    SettingTexts(order::map(texts))
}

/// Returns the level of quantisation in the settings, for objects with these half sides, m.
pub(crate) fn quantisation(settings: &Settings, half_m: &[[f32; 3]]) -> Option<QuantisationOut> {
    let square = |half_m: &f32| f64::from(*half_m) * f64::from(*half_m);
    let reach = |half_m: &[f32; 3]| half_m.iter().map(square).sum::<f64>().sqrt();
    // The largest object's corner: no object is rounded farther off.
    let reach_m = half_m.iter().map(reach).fold(0.0, f64::max);
    settings.quantisation().map(|it| QuantisationOut {
        level: it.level,
        coarsest: it.coarsest,
        finest: *LEVELS.end(),
        is_one_level: it.is_one_level,
        position_step_mm: it.position_step_mm,
        orientation_step_deg: it.orientation_step_deg,
        surface_error_mm: it.surface_error_mm(reach_m),
        needed_rung: it.needed_rung.map(|rung| rung.row().label),
    })
}
