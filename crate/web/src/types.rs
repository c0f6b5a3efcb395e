//! Holds what is sent to the page's script to the TypeScript that is declared for it.

use serde::Serialize;
use serde_json::{Map, Value, json};
use snapshot_lab::Lab;
use snapshot_lab::settings::permalink;
use snapshot_physics::Input;

/// As the compiler reads it: in a native build the attribute leaves nothing of the text.
const SOURCE: &str = include_str!("page.rs");

/// The names and types of an interface's own fields.
fn fields(interface: &str) -> Vec<(&'static str, &'static str)> {
    let (_, declared) = SOURCE
        .split_once(&format!("export interface {interface} "))
        .unwrap();
    let (_, body) = declared.split_once('{').unwrap();
    let (body, _) = body.split_once('}').unwrap();
    let fields = body.split(';').map(str::trim).filter(|it| !it.is_empty());
    fields
        .map(|field| field.split_once(": ").unwrap())
        .collect()
}

fn is_of_type(value: &Value, declared: &str) -> bool {
    declared.split(" | ").any(|one| match one {
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "Record<string, number>" => value
            .as_object()
            .is_some_and(|map| map.values().all(Value::is_number)),
        "Errors" => complaints(value, &["Errors"]).is_empty(),
        literal => *value == json!(literal.trim_matches('"')),
    })
}

/// Fields that are sent and not declared, declared and not sent, or of another type.
fn complaints(sent: &impl Serialize, interfaces: &[&str]) -> Vec<String> {
    let sent: Map<String, Value> =
        serde_json::from_value(serde_json::to_value(sent).unwrap()).unwrap();
    let declared: Vec<_> = interfaces.iter().flat_map(|name| fields(name)).collect();
    let undeclared = sent
        .keys()
        .filter(|key| !declared.iter().any(|(name, _)| name == key))
        .map(|key| format!("{key} is not declared"));
    let wrong = declared
        .iter()
        .filter_map(|&(name, declared)| match sent.get(name) {
            None => Some(format!("{name} is not sent")),
            Some(value) if !is_of_type(value, declared) => {
                Some(format!("{name} is declared {declared} and is {value}"))
            }
            Some(_) => None,
        });
    undeclared.chain(wrong).collect()
}

#[test]
fn live_figures_have_the_fields_and_types_that_are_declared() {
    for (link, interfaces) in [
        ("#grid=5&interp=hermite", &["Live"][..]),
        ("#grid=5&strategy=sync", &["Live", "SyncLive"]),
        ("#grid=5&strategy=lockstep", &["Live", "LockstepLive"]),
        (
            "#grid=5&strategy=lockstep&desync=bit",
            &["Live", "LockstepLive"],
        ),
    ] {
        let (settings, notices) = permalink::parse(link);
        assert_eq!(notices, []);
        let mut lab = Lab::new(settings);
        // From before anything has arrived on: what may be absent is so then.
        for tick in 0..120 {
            let found = complaints(&lab.live(), interfaces);
            assert!(found.is_empty(), "{link}, tick {tick}: {found:?}");
            lab.tick(Input::NONE);
        }
    }
}

#[test]
fn what_is_left_out_added_or_of_another_type_is_told() {
    assert_eq!(
        complaints(&json!({ "rms": null, "p95": 1.0 }), &["Errors"]),
        [
            "p95 is not declared",
            "rms is declared number and is null",
            "max is not sent"
        ]
    );
}
