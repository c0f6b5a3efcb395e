//! Tests that the table of figures is complete, and that it agrees with the JSON of ticks and runs.

use super::*;
use crate::played::history;
use serde_json::Value;
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

fn is_no_figure(path: &str) -> bool {
    ["tick", "ticks", "time_s", "tangents", "server_tick"].contains(&path)
        || path.starts_with("uncompressed_bits_per_packet")
}

#[test]
fn each_number_of_a_tick_and_of_a_run_is_a_row_and_each_row_is_a_number() {
    let (mut of_ticks, mut of_runs) = (BTreeSet::new(), BTreeSet::new());
    let crowd = "game&scene=crowd&budget=64";
    for strategy in ["snapshot", "sync", "lockstep", "game", crowd] {
        let (_, history) = history(&format!("strategy={strategy}&grid=5&loss=10"), 90);
        let live = history.live(history.last_tick());
        let report = history.report(0);
        let mut told = BTreeMap::new();
        numbers(&serde_json::to_value(live).unwrap(), "", &mut told);
        for (path, value) in told.into_iter().filter(|(path, _)| !is_no_figure(path)) {
            let figure = Figure::find(&path).unwrap_or_else(|| panic!("{path} has no row"));
            assert!(figure.tick.is_some(), "{path}");
            assert_eq!(figure.of_tick(live), value, "{path}");
            of_ticks.insert(path);
        }
        let mut told = BTreeMap::new();
        numbers(&serde_json::to_value(&report).unwrap(), "", &mut told);
        for (path, value) in told.into_iter().filter(|(path, _)| !is_no_figure(path)) {
            let figure = Figure::find(&path).unwrap_or_else(|| panic!("{path} has no row"));
            assert!(figure.is_by_run(), "{path}");
            assert_eq!(figure.of_run(&report), value, "{path}");
            of_runs.insert(path);
        }
    }
    for figure in FIGURES {
        assert_eq!(
            figure.tick.is_some(),
            of_ticks.contains(figure.id),
            "{}",
            figure.id
        );
        assert_eq!(
            figure.is_by_run(),
            of_runs.contains(figure.id),
            "{}",
            figure.id
        );
    }
}

#[test]
fn ids_and_names_are_unique() {
    let ids: BTreeSet<_> = FIGURES.iter().map(|figure| figure.id).collect();
    let names: BTreeSet<_> = FIGURES.iter().map(|figure| figure.name).collect();
    assert_eq!((ids.len(), names.len()), (FIGURES.len(), FIGURES.len()));
    assert_eq!(Figure::find("nonsense"), None);
}
