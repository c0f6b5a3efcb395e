//! The form of a lane: its settings as rows and texts, explanations in words, and the presets.

use crate::lane_run::LaneId;
use crate::session::Session;
use serde::Serialize;
use snapshot_base::order;
use snapshot_base::time::TickRate;
use snapshot_netsim::channel::LinkInputs;
use snapshot_settings::facts::facts;
use snapshot_settings::link_presets::{LINK_PRESETS, LinkNumber};
use snapshot_settings::presets::{PRESETS, Preset};
use snapshot_settings::quantisation::LEVELS;
use snapshot_settings::schema::{Choice, Domain, Effect, Numbers, OfLink, SCHEMA, Setting};
use snapshot_settings::{Key, Settings, Strategy};
use std::collections::BTreeMap;

/// The lane that the form shows and sets.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Form {
    schema: Vec<SettingOut>,
    /// Explanations in words of the settings' values, by permalink key.
    facts: BTreeMap<&'static str, String>,
    /// Index of the preset that has exactly the lane's settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    preset: Option<usize>,
    /// Level of quantisation; absent for a strategy that sends neither positions nor orientations.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantisation: Option<QuantisationOut>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Quantisation"))]
pub struct QuantisationOut {
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

#[derive(Serialize)]
#[cfg_attr(
    feature = "ts",
    derive(ts_rs::TS),
    ts(optional_fields, rename = "Setting")
)]
pub struct SettingOut {
    id: &'static str,
    label: &'static str,
    unit: &'static str,
    group: &'static str,
    help: &'static str,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"at-once\" | \"lane\" | \"motion\" | \"world\"")
    )]
    effect: &'static str,
    shared: bool,
    seldom: bool,
    idle: bool,
    replaced: bool,
    default: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<ChoiceOut>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<NumberOut>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SettingChoice"))]
pub struct ChoiceOut {
    id: &'static str,
    label: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SettingNumber"))]
pub struct NumberOut {
    min: f64,
    max: f64,
    step: f64,
    slide: f64,
    specials: Vec<&'static str>,
    marks: Vec<f64>,
    warns_above: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Preset"))]
pub struct PresetOut {
    group: &'static str,
    name: &'static str,
    strategy: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "LinkPreset"))]
pub struct LinkPresetOut {
    id: &'static str,
    label: &'static str,
    numbers: Vec<LinkNumberOut>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "LinkNumber"))]
pub struct LinkNumberOut {
    setting: &'static str,
    value: &'static str,
    evidence: &'static str,
    source: &'static str,
}

/// Presets of the original demos' modes, in their order.
pub(super) fn presets() -> Vec<PresetOut> {
    let all = PRESETS.iter().map(|preset| PresetOut {
        group: preset.group,
        name: preset.name,
        strategy: preset.settings(&Settings::default()).text(Key::Strategy),
    });
    all.collect()
}

pub(super) fn link_presets() -> Vec<LinkPresetOut> {
    let number = |(number, source): (&LinkNumber, &&'static str)| LinkNumberOut {
        setting: number.key.setting().id,
        value: number.text,
        evidence: number.tag.word(),
        source,
    };
    let all = LINK_PRESETS.iter().map(|preset| LinkPresetOut {
        id: preset.id,
        label: preset.label,
        numbers: preset
            .numbers
            .iter()
            .zip(preset.sources())
            .map(number)
            .collect(),
    });
    all.collect()
}

/// Lists the settings that a lane's strategy uses, in the form's order, with defaults and the effect of a change. A recorded
/// link replaces some settings.
pub(super) fn schema(session: &mut Session, lane: LaneId) -> Vec<SettingOut> {
    rows(session, lane)
}

fn rows(session: &Session, lane: LaneId) -> Vec<SettingOut> {
    let (settings, tick_rate) = (session.settings_of(lane), session.lab().tape().tick_rate());
    let trace = session.lab().trace();
    let strategy = settings.strategy();
    let used = SCHEMA.iter().filter(|setting| setting.is_used_by(strategy));
    let rows = used.map(|row| SettingOut {
        replaced: trace.is_some() && row.of_link == OfLink::Recorded,
        ..setting(row, settings, tick_rate)
    });
    rows.collect()
}

pub(super) fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::AtOnce => "at-once",
        Effect::Lane => "lane",
        Effect::Motion => "motion",
        Effect::World => "world",
    }
}

/// Least difference of two numbers with so many decimals.
fn step_of(decimals: u32) -> f64 {
    1.0 / f64::from(10_u32.pow(decimals))
}

/// Step of a slider: the finest step with which the slider has fewer than 1,000 positions, at most 1.
fn slide(span: f64, decimals: u32) -> f64 {
    let mut steps = (0..=decimals).rev().map(step_of);
    steps.find(|step| span / step < 999.5).unwrap_or(1.0)
}

/// Returns the choices of a setting, in its order; empty for a setting with numbers.
pub(super) fn choices_of(key: Key) -> Vec<ChoiceOut> {
    match key.setting().domain_in(Strategy::Snapshot) {
        Domain::Choice(all) => choices(all),
        Domain::Number(_) => Vec::new(),
    }
}

fn choices(all: &[Choice]) -> Vec<ChoiceOut> {
    let out = |choice: &Choice| ChoiceOut {
        id: choice.id,
        label: choice.label,
    };
    all.iter().map(out).collect()
}

fn setting(setting: &Setting, settings: &Settings, tick_rate: TickRate) -> SettingOut {
    let strategy = settings.strategy();
    let (choices, number) = match *setting.domain_in(strategy) {
        Domain::Choice(all) => (Some(choices(all)), None),
        Domain::Number(Numbers {
            min,
            max,
            decimals,
            specials,
            marks,
            ..
        }) => {
            let step = step_of(decimals);
            let shown = |raw: u32| setting.domain_in(strategy).number(raw);
            let max = if setting.is_limited_by_tick_rate {
                shown(max).min(f64::from(tick_rate.hz()))
            } else {
                shown(max)
            };
            let number = NumberOut {
                min: shown(min),
                max,
                step,
                slide: slide(max - shown(min), decimals),
                specials: specials.iter().map(|(_, text)| *text).collect(),
                marks: marks.iter().map(|&raw| shown(raw)).collect(),
                warns_above: setting.warns_above.map(shown),
            };
            (None, Some(number))
        }
    };
    SettingOut {
        id: setting.id,
        label: setting.label,
        unit: setting.unit,
        group: setting.group.name(),
        help: setting.help(),
        effect: effect_name(settings.effect_of(setting.key)),
        shared: setting.is_shared_by_lanes(),
        seldom: setting.is_seldom,
        idle: settings.is_idle(setting.key),
        replaced: false,
        default: setting
            .domain_in(strategy)
            .format(setting.default_in(strategy)),
        choices,
        number,
    }
}

pub(super) fn form(session: &Session, lane: LaneId) -> Form {
    let (lab, settings) = (session.lab(), session.settings_of(lane));
    let link_inputs = LinkInputs {
        trace: lab.trace().cloned(),
        ..LinkInputs::default()
    };
    let is_chosen = |preset: &Preset| preset.settings(settings) == *settings;
    Form {
        schema: rows(session, lane),
        facts: order::map(facts(settings, &link_inputs, lab.tape().tick_rate()).into_iter()),
        preset: PRESETS.iter().position(is_chosen),
        quantisation: quantisation(settings, &lab.tape().session_config().half_m),
    }
}

/// Texts of a lane's settings as in a link, by permalink key. Its TypeScript type lists the keys, and the texts of each
/// choice. It can also be indexed by any other string.
#[derive(Serialize)]
#[serde(transparent)]
pub struct SettingTexts(BTreeMap<&'static str, String>);

#[cfg(feature = "ts")]
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

pub(super) fn texts(settings: &Settings) -> SettingTexts {
    let texts = SCHEMA.iter();
    let texts = texts.map(|setting| (setting.id, settings.text(setting.key)));
    SettingTexts(order::map(texts))
}

/// Returns the level of quantisation in the settings, for objects with these half sides, m.
fn quantisation(settings: &Settings, half_m: &[[f32; 3]]) -> Option<QuantisationOut> {
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
