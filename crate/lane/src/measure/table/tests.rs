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

#[test]
fn each_number_of_a_tick_and_of_a_run_is_a_row_and_each_row_is_a_number() {
    let (mut of_ticks, mut of_runs) = (BTreeSet::new(), BTreeSet::new());
    let crowd = "game&scene=crowd&budget=64";
    let strategies = Strategy::ALL.map(|strategy| strategy.row().id);
    for strategy in strategies.into_iter().chain([crowd]) {
        let (_, history) = history(&format!("strategy={strategy}&grid=5&loss=10"), 90);
        let live = history.live(history.last_tick());
        let report = history.report(0);
        for (path, value) in figures_of(&serde_json::to_value(live).unwrap()) {
            assert_eq!(by_path(&path).of_tick(live), value, "{path}");
            of_ticks.insert(path);
        }
        for (path, value) in figures_of(&serde_json::to_value(&report).unwrap()) {
            assert_eq!(by_path(&path).of_run(&report), value, "{path}");
            of_runs.insert(path);
        }
    }
    for figure in FIGURES {
        let is_there = [of_ticks.contains(figure.id), of_runs.contains(figure.id)];
        let has_row = [figure.tick.is_some(), figure.run.is_some()];
        assert_eq!(has_row, is_there, "{}", figure.id);
    }
}

#[test]
fn ids_and_names_are_unique() {
    let ids: BTreeSet<_> = FIGURES.iter().map(|figure| figure.id).collect();
    let names: BTreeSet<_> = FIGURES.iter().map(|figure| figure.name).collect();
    assert_eq!((ids.len(), names.len()), (FIGURES.len(), FIGURES.len()));
    assert_eq!(Figure::find("nonsense"), None);
}
