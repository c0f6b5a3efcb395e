//! The commands that read captures: `challenge`, `search` and `train`.

use crate::{capture, json, snapshot_lab};
use std::process::Command;

#[test]
fn challenge_judges_every_codec_that_takes_the_format() {
    let file = capture("slide.bin", 30);
    let rows = json(&["challenge", file.to_str().unwrap(), "--json"]);
    let rows = rows.as_array().unwrap();
    // Six rungs of bits, and two rungs in two classes.
    assert_eq!(rows.len(), 6 + 2 * 2);
    for row in rows {
        assert_eq!(
            (&row["packets"], &row["lossless"]),
            (&24.into(), &true.into())
        );
        let bytes = row["bytes_per_packet_mean"].as_f64().unwrap();
        let kbps = row["kbps"].as_f64().unwrap();
        assert!((kbps - bytes * 0.48).abs() < 1e-9);
    }
    let sizes: Vec<f64> = rows
        .iter()
        .map(|row| row["bytes_per_packet_mean"].as_f64().unwrap())
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    let file = file.to_str().unwrap();
    let row = json(&[
        "challenge",
        file,
        "--codec",
        "arithmetic",
        "--class",
        "strict",
        "--json",
    ]);
    assert_eq!(
        (&row["codec"], &row["class"]),
        (&"arithmetic".into(), &"strict".into())
    );
}

#[test]
fn challenge_simulates_with_what_was_pressed() {
    let file = capture("pressed.bin", 30);
    let inputs = file.with_extension("inputs");
    let challenge = |options: &[&str]| {
        let file = file.to_str().unwrap();
        snapshot_lab(&[&["challenge", file, "--json"], options].concat())
    };
    let with_inputs = ["--inputs", inputs.to_str().unwrap()];
    std::fs::write(&inputs, [2; 24]).unwrap();
    let output = challenge(&with_inputs);
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let simulated: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["codec"] == "simulated")
        .collect();
    assert_eq!(simulated.len(), 2);
    for row in simulated {
        assert_eq!(row["lossless"], true);
        assert_eq!(row["packets_hash"].as_str().unwrap().len(), 16);
    }
    let refused = |options: &[&str]| {
        let output = challenge(options);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--codec", "simulated"]).contains("give it by --inputs"));
    std::fs::write(&inputs, [2; 23]).unwrap();
    assert!(refused(&with_inputs).contains("23 inputs are too few: the capture's frames take 24"));
    std::fs::write(&inputs, [64; 24]).unwrap();
    assert!(refused(&with_inputs).contains("byte 0 is 64"));
}

#[test]
fn challenge_refuses_what_is_no_capture_in_words() {
    let refused = |path: &std::path::Path| {
        let output = snapshot_lab(&["challenge", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let file = capture("short.bin", 6);
    assert!(refused(&file).contains("6 frames: a capture has at least 7"));
    let mut bytes = std::fs::read(capture("cut.bin", 8)).unwrap();
    bytes.pop();
    let file = file.with_file_name("cut.bin");
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&file).contains("not a whole number of frames"));
    bytes.push(0);
    bytes[0] = 4;
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&file).contains("number 0 of cube 0 in frame 0 is 4"));
    let file = file.with_file_name("not.bin.xz");
    std::fs::write(&file, b"not xz").unwrap();
    assert!(!refused(&file).is_empty());
}

#[test]
fn search_finds_the_widths_that_cost_least() {
    // A cube that slides 18 steps in the six frames between a frame and its baseline: 6 bits reach it, 5 do not.
    let file = capture("slide-search.bin", 30);
    let file = file.to_str().unwrap();
    let small = ["--small", "5-6", "--large", "9", "--json"];
    let outcome = json(&[&["search", "position", file, "--rule", "codec"], &small[..]].concat());
    assert_eq!(outcome["samples"], 24);
    assert_eq!(outcome["widths"][0]["widths"], "6-9-5-9");
    assert_eq!(outcome["widths"][0]["codec_bits"], 24 * (4 + 6 + 6 + 5));
    let as_the_codec = &outcome["widths"].as_array().unwrap()[2];
    assert_eq!(as_the_codec["widths"], "5-9-5-9");
    assert_eq!(as_the_codec["codec_bits"], outcome["written_bits"]);

    let text = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples.txt");
    std::fs::write(&text, "0,255,255,255,0,241,241,241\n1,0,0,0,0,0,0,0\n").unwrap();
    let outcome = json(&["search", "smallest-three", text.to_str().unwrap(), "--json"]);
    assert_eq!(outcome["widths"][0]["widths"], "5-8");
    assert_eq!(outcome["widths"][0]["published_bits"], 4 + 3 * 5 + 30);
}

#[test]
fn search_refuses_what_it_cannot_search_in_words() {
    let refused = |arguments: &[&str]| {
        let output = snapshot_lab(&[&["search"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let text = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("six.txt");
    std::fs::write(&text, "1,2,3,4,5,6\n").unwrap();
    let text = text.to_str().unwrap();
    assert!(refused(&["smallest-three", text]).contains("line 1: 6 fields, 8 expected"));
    assert!(refused(&["position", text, "--small", "0-3"]).contains("bits from 2 to 16"));
    let none = refused(&["position", text, "--small", "9", "--large", "8"]);
    assert!(none.contains("no large range is wider than a small one"));
}

#[test]
fn training_without_captures_is_refused_and_writes_nothing() {
    let folder = std::env::temp_dir().join(format!("snapshot-lab-train-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .arg("train")
        .current_dir(&folder)
        .output()
        .unwrap();
    let left = std::fs::read_dir(&folder).unwrap().count();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("name one or more"), "{said}");
    assert_eq!(left, 0);
}
