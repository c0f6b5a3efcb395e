//! The commands that look into packets: `ladder`, `inspect` and `widths`.

use crate::{json, refused, snapshot_lab};
use serde_json::Value;

#[test]
fn ladder_has_a_row_a_rung_and_every_rung_is_smaller_than_the_one_before() {
    let rows = json(&["ladder", "#hz=60&loss=5", "--seconds", "15", "--json"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows[0]["name"], "uncompressed");
    assert_eq!(rows[11]["name"], "changed-flags");
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["rung"], number);
    }
    let bytes = |rung: usize| rows[rung]["bytes_per_packet_mean"].as_f64().unwrap();
    for rung in 1..rows.len() {
        assert!(bytes(rung) < bytes(rung - 1), "rung {rung}");
    }
}

#[test]
fn inspect_tells_of_a_packet_field_by_field() {
    let link = "#grid=8&hz=30&codec=predicted&scene=katamari";
    let packet = json(&["inspect", link, "--tick", "200", "--json"]);
    let spans = packet["spans"].as_array().unwrap();
    let lengths = spans
        .iter()
        .map(|span| span["length_65536ths"].as_i64().unwrap());
    let bits = packet["bytes"].as_i64().unwrap() * 8;
    assert_eq!(lengths.sum::<i64>(), bits * 65_536);
    assert_eq!(
        [&packet["tick"], &packet["sequence"], &packet["fate"]],
        [&200.into(), &200.into(), &Value::from("in_flight")]
    );
    assert!(packet["arrival_ms"].as_f64().unwrap() > 200.0 / 0.06);
    for span in spans {
        for key in ["first_65536ths", "value"] {
            assert!(span[key].is_i64(), "{key}");
        }
        assert!(span["kind"].is_string() && span["rule"].is_string());
        assert!(span["cube"].is_u64() || span["cube"].is_null());
        assert!(span["decisions"].is_array());
    }
    let first = json(&["inspect", link, "--tick", "200", "--packet", "1", "--json"]);
    assert_eq!(
        [&first["number"], &first["baseline"], &first["fate"]],
        [&1.into(), &Value::Null, &"delivered".into()]
    );
    let refused =
        |arguments: &[&str]| self::refused(&[&["inspect", "#grid=5"], arguments].concat());
    assert!(refused(&["--tick", "2"]).contains("no packet had left by tick 2"));
    assert!(refused(&["--tick", "60", "--packet", "11"]).contains("no packet 11 had left"));
    assert!(refused(&["--tick", "0"]).contains("0"));
    let told = snapshot_lab(&["inspect", "#grid=5", "--tick", "60"]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("packet 10 of tick 60"));
}

#[test]
fn widths_are_counted_and_the_best_told() {
    let counts = json(&[
        "widths",
        "#hz=20&scene=katamari&grid=8",
        "--seconds",
        "3",
        "--json",
    ]);
    let bits = |pair: &Value| pair["bits_per_changed_cube"].as_f64().unwrap();
    for part in ["position", "orientation"] {
        let part = &counts[part];
        assert_eq!(part["chosen"], part["articles"]);
        let pairs = part["pairs"].as_array().unwrap();
        assert!(pairs.iter().all(|pair| bits(pair) >= bits(&part["best"])));
        assert!(pairs.len() > 100 && !part["histogram"].as_array().unwrap().is_empty());
    }
    assert_eq!(counts["packets"], 60);
    let output = snapshot_lab(&["widths", "#hz=20&grid=5", "--seconds", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("the articles'"), "{text}");
}
