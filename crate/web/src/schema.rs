//! The settings' schema and the presets for the page's script.

use serde::Serialize;
use snapshot_base::time::TickRate;
use snapshot_netsim::trace::Trace;
use snapshot_settings::link_presets::{LINK_PRESETS, LinkNumber};
use snapshot_settings::presets::PRESETS;
use snapshot_settings::schema::{Choice, Domain, Effect, Numbers, OfLink, SCHEMA, Setting};
use snapshot_settings::{Key, Settings, Strategy};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields, rename = "Setting"))]
pub(crate) struct SettingOut {
    id: &'static str,
    label: &'static str,
    unit: &'static str,
    group: &'static str,
    help: &'static str,
    #[cfg_attr(test, ts(type = "\"at-once\" | \"lane\" | \"motion\" | \"world\""))]
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "SettingChoice"))]
pub(crate) struct ChoiceOut {
    id: &'static str,
    label: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "SettingNumber"))]
struct NumberOut {
    min: f64,
    max: f64,
    step: f64,
    slide: f64,
    specials: Vec<&'static str>,
    marks: Vec<f64>,
    warns_above: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Preset"))]
pub(crate) struct PresetOut {
    group: &'static str,
    name: &'static str,
    strategy: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LinkPreset"))]
pub(crate) struct LinkPresetOut {
    id: &'static str,
    label: &'static str,
    numbers: Vec<LinkNumberOut>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LinkNumber"))]
struct LinkNumberOut {
    setting: &'static str,
    value: &'static str,
    evidence: &'static str,
    source: &'static str,
}

/// Presets of the original demos' modes, in their order.
pub(crate) fn presets() -> Vec<PresetOut> {
    let all = PRESETS.iter().map(|preset| PresetOut {
        group: preset.group,
        name: preset.name,
        strategy: preset.settings(&Settings::default()).text(Key::Strategy),
    });
    all.collect()
}

pub(crate) fn link_presets() -> Vec<LinkPresetOut> {
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

/// Lists the settings that the present strategy uses, in the form's order, with defaults and the effect of a change. A
/// recorded link replaces some settings.
pub(crate) fn schema(
    settings: &Settings,
    tick_rate: TickRate,
    trace: Option<&Trace>,
) -> Vec<SettingOut> {
    let strategy = settings.strategy();
    let used = SCHEMA.iter().filter(|setting| setting.is_used_by(strategy));
    let rows = used.map(|row| SettingOut {
        replaced: trace.is_some() && row.of_link == OfLink::Recorded,
        ..setting(row, settings, tick_rate)
    });
    rows.collect()
}

pub(crate) fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::AtOnce => "at-once",
        Effect::Lane => "lane",
        Effect::Motion => "motion",
        Effect::World => "world",
    }
}

/// Step of a slider: the finest step with which the slider has fewer than 1,000 positions, at most 1.
fn slide(span: f64, decimals: u32) -> f64 {
    let mut steps = (0..=decimals)
        .rev()
        .map(|digits| 0.1_f64.powi(digits as i32));
    steps.find(|step| span / step < 999.5).unwrap_or(1.0)
}

/// Returns the choices of a setting, in its order; empty for a setting with numbers.
pub(crate) fn choices_of(key: Key) -> Vec<ChoiceOut> {
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
            let step = 0.1_f64.powi(decimals as i32);
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
