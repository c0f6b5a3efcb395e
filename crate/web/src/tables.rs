//! Tables and constants for the page's script, which no setting changes.

use crate::blind_test::{TestChoice, test_choices};
use crate::js::to_js;
use crate::schema::{ChoiceOut, LinkPresetOut, PresetOut, choices_of, link_presets, presets};
use serde::Serialize;
use snapshot_analysis::ladder::{GOAL_KBPS, SIMULATED_HZ_MAX};
use snapshot_analysis::verdict::ChosenNetworks;
use snapshot_app::comparisons::{COMPARISONS, ReadyComparison};
use snapshot_app::link::kinds::{act_keys, looking_keys};
use snapshot_base::order;
use snapshot_codec::{CubesCoding, Kind, Rung, ValueCoding};
use snapshot_lane::history::causes::{Cause, DELAY_CAUSES, LOSS_CAUSES};
use snapshot_lane::measure::table::{FIGURES, Figure};
use snapshot_netsim::trace;
use snapshot_physics::Input;
use snapshot_record::motion;
use snapshot_settings::{Interpolation, Key, Strategy, StrategyWords, interpolation_choice};
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RungRow {
    number: u8,
    name: &'static str,
    label: &'static str,
    section: u8,
    #[cfg_attr(
        test,
        ts(type = "\"all\" | \"flags\" | \"indices\" | \"relative-indices\" | \"modelled\"")
    )]
    cubes: &'static str,
    #[cfg_attr(
        test,
        ts(type = "\"absent\" | \"float\" | \"integer\" | \"relative\" | \"modelled\"")
    )]
    position: &'static str,
    #[cfg_attr(
        test,
        ts(type = "\"absent\" | \"float\" | \"integer\" | \"relative\" | \"modelled\"")
    )]
    orientation: &'static str,
    #[cfg_attr(
        test,
        ts(type = "\"absent\" | \"float\" | \"integer\" | \"relative\" | \"modelled\"")
    )]
    linear_velocity: &'static str,
    predicted_from: Option<&'static str>,
    most_hz: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BitKind {
    name: &'static str,
    label: &'static str,
    /// Meaning of the bits, in words for the bar of the page's first screen.
    meaning: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct InputBits {
    left: u8,
    right: u8,
    up: u8,
    down: u8,
    push: u8,
    pull: u8,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "StrategyRow"))]
struct StrategyOut {
    id: &'static str,
    words: StrategyWords,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Tables {
    /// Rungs (encodings of snapshots) by number.
    rungs: Vec<RungRow>,
    strategies: Vec<StrategyOut>,
    /// Kinds of a packet's bits, in the order in which the page shows them.
    bit_kinds: Vec<BitKind>,
    figures: &'static [Figure],
    presets: Vec<PresetOut>,
    link_presets: Vec<LinkPresetOut>,
    comparisons: &'static [ReadyComparison],
    /// Limits of a motion's file: size in megabytes, and number of objects.
    motion_megabytes: u64,
    motion_objects: usize,
    trace_megabytes: usize,
    input_bits: InputBits,
    goal_kbps: f64,
    delay_causes: [Cause; 10],
    loss_causes: [Cause; 4],
    networks: Vec<&'static str>,
    /// Interpolation modes that the page's first screen offers, in its order.
    front_modes: Vec<&'static str>,
    /// Kinds of prediction that a guest of a shared world can choose; `guest_modes` are its modes of interpolation.
    guest_predictions: Vec<ChoiceOut>,
    guest_modes: Vec<ChoiceOut>,
    /// Blind tests of one property of the motion, such as its send rate.
    blind_tests: Vec<TestChoice>,
    looking_keys: Vec<&'static str>,
    act_keys: Vec<&'static str>,
}

/// Returns the interpolation modes that the page's first screen offers, in its order.
fn front_modes() -> Vec<&'static str> {
    let placed = |mode: &Interpolation| interpolation_choice(*mode).front_place;
    let mut modes: Vec<_> = (Interpolation::ALL.into_iter())
        .filter(|mode| placed(mode).is_some())
        .collect();
    order::sort_by_key(&mut modes, placed);
    modes.iter().map(|mode| mode.row().name).collect()
}

/// Returns the tables and constants that no setting changes.
#[wasm_bindgen(unchecked_return_type = "Tables")]
pub fn tables() -> Result<JsValue, JsError> {
    to_js(&Tables {
        rungs: rows().collect(),
        strategies: strategies(),
        bit_kinds: kinds().collect(),
        figures: FIGURES,
        presets: presets(),
        link_presets: link_presets(),
        comparisons: COMPARISONS,
        motion_megabytes: motion::BYTES_MAX >> 20,
        motion_objects: motion::OBJECTS_MAX,
        trace_megabytes: trace::BYTES_MAX >> 20,
        input_bits: InputBits {
            left: Input::LEFT.bits(),
            right: Input::RIGHT.bits(),
            up: Input::UP.bits(),
            down: Input::DOWN.bits(),
            push: Input::PUSH.bits(),
            pull: Input::PULL.bits(),
        },
        goal_kbps: GOAL_KBPS,
        delay_causes: DELAY_CAUSES,
        loss_causes: LOSS_CAUSES,
        networks: ChosenNetworks::default().ids().to_vec(),
        front_modes: front_modes(),
        guest_predictions: choices_of(Key::Predict),
        guest_modes: choices_of(Key::Interpolation),
        blind_tests: test_choices(),
        looking_keys: looking_keys(),
        act_keys: act_keys(),
    })
}

fn strategies() -> Vec<StrategyOut> {
    let out = |strategy: Strategy| StrategyOut {
        id: strategy.row().id,
        words: *strategy.words(),
    };
    Strategy::ALL.map(out).into()
}

pub(crate) fn rows() -> impl Iterator<Item = RungRow> {
    Rung::ALL.into_iter().map(|rung| {
        let row = rung.row();
        RungRow {
            number: rung.number(),
            name: row.name,
            label: row.label,
            section: row.section,
            cubes: of_cubes(row.cubes),
            position: of_value(row.position),
            orientation: of_value(row.orientation),
            linear_velocity: of_value(row.linear_velocity),
            predicted_from: row.predicted_from,
            most_hz: row.needs_simulation.then_some(SIMULATED_HZ_MAX),
        }
    })
}

pub(crate) fn kinds() -> impl Iterator<Item = BitKind> {
    Kind::ALL.into_iter().map(|kind| BitKind {
        name: kind.name(),
        label: kind.label(),
        meaning: meaning(kind),
    })
}

fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::IpUdp => "the address on every packet, however small it is",
        Kind::Header => "the packet’s number, its baseline, and how many cubes changed",
        Kind::Ack => "the packets that have arrived the other way",
        Kind::Index => "which cubes changed",
        Kind::Flags => "a bit that says changed, or not",
        Kind::Interacting => "whether a cube is red",
        Kind::Position => "where a cube is",
        Kind::Orientation => "how a cube is turned: three parts of a quaternion",
        Kind::LinearVelocity => "how fast a cube moves",
        Kind::AngularVelocity => "how fast a cube turns",
        Kind::Input => "the keys that are held",
        Kind::Connection => "numbers and acks of the connection",
        Kind::Padding => "zeros up to a whole byte",
    }
}

fn of_cubes(coding: CubesCoding) -> &'static str {
    match coding {
        CubesCoding::All => "all",
        CubesCoding::Flags => "flags",
        CubesCoding::Indices => "indices",
        CubesCoding::RelativeIndices => "relative-indices",
        CubesCoding::Modelled => "modelled",
    }
}

fn of_value(coding: ValueCoding) -> &'static str {
    match coding {
        ValueCoding::Absent => "absent",
        ValueCoding::Float => "float",
        ValueCoding::Integer => "integer",
        ValueCoding::Relative => "relative",
        ValueCoding::Modelled => "modelled",
    }
}
