//! Tests that the table of figures is complete, and that it agrees with the JSON of ticks and runs.

use super::*;
use crate::played::history;
use serde_json::Value;
use snapshot_settings::Strategy;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers and flags in a JSON object, by their path.
fn numbers(json: &Value, path: &str, found: &mut BTreeMap<String, Option<f64>>) {
    match json {
        Value::Object(parts) => {
            for (key, part) in parts {
                let dot = if path.is_empty() { "" } else { "." };
                numbers(part, &format!("{path}{dot}{key}"), found);
            }
        }
        Value::Bool(flag) => drop(found.insert(path.to_owned(), flag.number())),
        Value::Number(number) => drop(found.insert(path.to_owned(), number.as_f64())),
        Value::Null => drop(found.insert(path.to_owned(), None)),
        Value::String(_) | Value::Array(_) => {}
    }
}

/// Figures of a JSON object, by their path.
fn figures_of(json: &Value) -> BTreeMap<String, Option<f64>> {
    let mut found = BTreeMap::new();
    numbers(json, "", &mut found);
    let others = ["tick", "ticks", "time_s", "tangents", "server_tick"];
    found.retain(|path, _| {
        !others.contains(&&path[..]) && !path.starts_with("uncompressed_bits_per_packet")
    });
    found
}

fn by_path(path: &str) -> &'static Figure {
    Figure::find(path).unwrap_or_else(|| panic!("{path} has no row"))
}

/// Links on which faults, prediction and both worlds are counted.
const ADVERSE: [&str; 10] = [
    "scene=katamari&hz=60&delay=none&jitter=60&reorder=20&loss=10",
    "strategy=lockstep&scene=roll&desync=bit",
    "strategy=game&scene=crowd&budget=64&loss=10",
    "scene=katamari&hz=30&delay=20&jitter=80&loss=20&dup=20&reorder=30",
    "scene=katamari&hz=60&rate=200&queue=200&codec=uncompressed&delay=20",
    "strategy=sync&scene=katamari&loss=20&jitter=50&latency=100&smooth=off",
    "strategy=sync&scene=roll&hz=10&loss=20&rate=64&queue=100&soft=1",
    "strategy=lockstep&scene=roll&transport=tcp&desync=bit&loss=20&delay=20",
    "strategy=lockstep&scene=katamari&loss=20&delay=20&jitter=50",
    "strategy=game&scene=mixed&rival=script&predict=touch&latency=80&loss=20&jitter=40&repeats=1",
];

/// Figures that are 0 or absent in every run of the test. Any other figure is counted somewhere.
const NEVER_COUNTED: [&str; 14] = [
    "packets_refused",
    "decode_mismatches",
    "between_frames_ms_mean",
    "divergence_mm.p50",
    "divergence_at_rest_max_mm",
    "divergence_at_rest_mm",
    "cubes_at_rest_apart",
    "pops",
    "since_update_median_ms",
    "keys_late",
    "corrections_by_cause.values",
    "missing_cubes",
    "window_full_ticks",
    "given_up",
];

#[test]
fn each_number_of_a_tick_and_of_a_run_is_a_row_and_each_row_is_a_number() {
    let (mut of_ticks, mut of_runs) = (BTreeSet::new(), BTreeSet::new());
    let mut counted = BTreeSet::new();
    let usual =
        Strategy::ALL.map(|strategy| (format!("strategy={}&loss=10", strategy.row().id), 90));
    let adverse = ADVERSE.map(|link| (link.to_owned(), 240));
    for (link, ticks) in usual.into_iter().chain(adverse) {
        let (_, history) = history(&format!("{link}&grid=5"), ticks);
        let live = history.live(history.last_tick());
        let report = history.report(0);
        for (path, value) in figures_of(&serde_json::to_value(live).unwrap()) {
            assert_eq!(by_path(&path).of_tick(live), value, "{path}");
            counted.extend(value.filter(|it| *it != 0.0).map(|_| path.clone()));
            of_ticks.insert(path);
        }
        for (path, value) in figures_of(&serde_json::to_value(&report).unwrap()) {
            assert_eq!(by_path(&path).of_run(&report), value, "{path}");
            counted.extend(value.filter(|it| *it != 0.0).map(|_| path.clone()));
            of_runs.insert(path);
        }
    }
    for figure in FIGURES {
        let is_there = [of_ticks.contains(figure.id), of_runs.contains(figure.id)];
        let has_row = [figure.tick.is_some(), figure.run.is_some()];
        assert_eq!(has_row, is_there, "{}", figure.id);
    }
    let never: Vec<_> = FIGURES
        .iter()
        .map(|it| it.id)
        .filter(|it| !counted.contains(*it))
        .collect();
    assert_eq!(never, NEVER_COUNTED);
}

#[test]
fn ids_and_names_are_unique() {
    let ids: BTreeSet<_> = FIGURES.iter().map(|figure| figure.id).collect();
    let names: BTreeSet<_> = FIGURES.iter().map(|figure| figure.name).collect();
    assert_eq!((ids.len(), names.len()), (FIGURES.len(), FIGURES.len()));
    assert_eq!(Figure::find("nonsense"), None);
}
