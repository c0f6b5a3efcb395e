//! Tables and constants that no setting changes, and which part of the program a link needs.

use super::blind_test::{TestChoice, test_choices};
use super::form::{ChoiceOut, LinkPresetOut, PresetOut, choices_of, link_presets, presets};
use crate::comparisons::{COMPARISONS, ReadyComparison};
use crate::link;
use crate::link::kinds::{act_keys, looking_keys};
use serde::Serialize;
use snapshot_analysis::ladder::{GOAL_KBPS, SIMULATED_HZ_MAX};
use snapshot_base::order;
use snapshot_codec::{CubesCoding, Kind, Rung, ValueCoding};
use snapshot_lane::history::causes::{Cause, DELAY_CAUSES, LOSS_CAUSES};
use snapshot_lane::measure::table::{FIGURES, Figure};
use snapshot_netsim::trace;
use snapshot_physics::Input;
use snapshot_record::motion;
use snapshot_settings::{
    Interpolation, Key, Settings, Strategy, StrategyWords, interpolation_choice,
};

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RungRow {
    number: u8,
    name: &'static str,
    label: &'static str,
    section: u8,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"all\" | \"flags\" | \"indices\" | \"relative-indices\" | \"modelled\"")
    )]
    cubes: &'static str,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"absent\" | \"float\" | \"integer\" | \"relative\" | \"modelled\"")
    )]
    position: &'static str,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"absent\" | \"float\" | \"integer\" | \"relative\" | \"modelled\"")
    )]
    orientation: &'static str,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"absent\" | \"float\" | \"integer\" | \"relative\" | \"modelled\"")
    )]
    linear_velocity: &'static str,
    predicted_from: Option<&'static str>,
    most_hz: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BitKind {
    name: &'static str,
    label: &'static str,
    /// Meaning of the bits, in words for the bar of the page's first screen.
    meaning: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InputBits {
    left: u8,
    right: u8,
    up: u8,
    down: u8,
    push: u8,
    pull: u8,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "StrategyRow"))]
pub struct StrategyOut {
    id: &'static str,
    /// Key of the setting that has the playout delay.
    #[cfg_attr(feature = "ts", ts(type = "\"delay\" | \"buffer\""))]
    delay_key: &'static str,
    words: StrategyWords,
}

/// A mode of interpolation.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModeRow {
    name: &'static str,
    /// True if the page's first screen offers the mode.
    is_on_front: bool,
    is_held: bool,
    extrapolates: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Tables {
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
    /// Interpolation modes in the order of the page's first screen.
    modes: Vec<ModeRow>,
    /// Kinds of prediction that a guest of a shared world can choose; `guest_modes` are its modes of interpolation.
    guest_predictions: Vec<ChoiceOut>,
    guest_modes: Vec<ChoiceOut>,
    /// Blind tests of one property of the motion, such as its send rate.
    blind_tests: Vec<TestChoice>,
    looking_keys: Vec<&'static str>,
    act_keys: Vec<&'static str>,
}

/// Returns the interpolation modes in the order of the page's first screen. Modes that it does not offer are last.
fn modes() -> Vec<ModeRow> {
    let placed = |mode: &Interpolation| interpolation_choice(*mode).front_place;
    let mut modes = Interpolation::ALL;
    order::sort_by_key(&mut modes, |mode| placed(mode).unwrap_or(u8::MAX));
    let row = |mode: Interpolation| ModeRow {
        name: mode.row().name,
        is_on_front: placed(&mode).is_some(),
        is_held: mode.row().is_held,
        extrapolates: mode.row().extrapolates,
    };
    modes.map(row).into()
}

/// Returns the tables and constants that no setting changes.
pub(super) fn tables(_: &[u8]) -> Tables {
    Tables {
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
        modes: modes(),
        guest_predictions: choices_of(Key::Predict),
        guest_modes: choices_of(Key::Interpolation),
        blind_tests: test_choices(),
        looking_keys: looking_keys(),
        act_keys: act_keys(),
    }
}

/// Returns true if a link, or its fragment, needs the rest of the program, which a page loads after its first picture.
pub(super) fn link_needs_rest(_: &[u8], link: String) -> bool {
    let (link, _) = link::parse(&link);
    let files = [link.motion, link.client, link.trace];
    let mut lanes = [Some(&link.a), link.b.as_ref()].into_iter().flatten();
    files.iter().any(Option::is_some) || lanes.any(|lane| needs_the_rest(&lane.settings))
}

/// Returns true if a lane with these settings needs the rest of the program.
pub(super) fn needs_the_rest(settings: &Settings) -> bool {
    match settings.strategy() {
        Strategy::Snapshot => settings.lane().rung() > Rung::Arithmetic,
        Strategy::Sync | Strategy::Lockstep | Strategy::Game => true,
    }
}

fn strategies() -> Vec<StrategyOut> {
    let out = |strategy: Strategy| {
        let mut settings = Settings::default();
        let set = settings.set(Key::Strategy, strategy as u32);
        set.expect("the schema has every strategy");
        StrategyOut {
            id: strategy.row().id,
            delay_key: settings.lane().delay_key().setting().id,
            words: *strategy.words(),
        }
    };
    Strategy::ALL.map(out).into()
}

fn rows() -> impl Iterator<Item = RungRow> {
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

fn kinds() -> impl Iterator<Item = BitKind> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane_run::LaneId;
    use crate::query::{Query, answer};
    use crate::session::Session;

    #[test]
    fn links_of_the_first_screen_need_no_rest() {
        for link in [
            "",
            "#codec=arithmetic&interp=hermite&loss=5",
            "#b.hz=20&at=60",
        ] {
            assert!(!link_needs_rest(&[], link.to_owned()), "{link}");
        }
        for link in ["#codec=predicted", "#b.strategy=sync", "#motion=01234567"] {
            assert!(link_needs_rest(&[], link.to_owned()), "{link}");
        }
    }

    #[test]
    fn each_kind_of_bits_and_each_cause_of_delay_has_a_colour() {
        let colours = include_str!("../../../../www/css/figures.css");
        let of_kinds = kinds().map(|kind| format!("--{}:", kind.name));
        let of_causes = DELAY_CAUSES
            .iter()
            .map(|cause| format!("--cause-{}:", cause.id));
        for colour in of_kinds.chain(of_causes) {
            assert!(colours.contains(&colour), "{colour}");
        }
    }

    #[test]
    fn a_setting_of_another_strategy_needs_the_rest() {
        let mut session = Session::new("#grid=3");
        let mut needs = |id: &str, text: &str| {
            let (id, text) = (id.to_owned(), text.to_owned());
            let lane = LaneId::A;
            let query = Query::NeedsRest { lane, id, text };
            answer(&mut session, query, serde_json::value::Serializer)
                .unwrap()
                .unwrap()
                == true
        };
        assert!(needs("strategy", "game") && needs("codec", "simulated"));
        assert!(!needs("hz", "60") && !needs("codec", "index") && !needs("codec", "no such"));
    }
}
