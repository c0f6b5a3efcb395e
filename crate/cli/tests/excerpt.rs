//! `snapshot-lab excerpt` and `challenge` on the captures of the project.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn snapshot_lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .args(arguments)
        .output()
        .unwrap()
}

fn capture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/tests/captures");
    folder.join(name).to_string_lossy().into_owned()
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Judges a capture and its inputs by rung changed-flags, or by rung simulated.
fn judge(file: &str, inputs: &str, codec: &str) -> Value {
    let arguments = ["challenge", file, "--inputs", inputs, "--codec", codec];
    let class = ["--class", "chained", "--json"];
    let output = snapshot_lab(&[&arguments[..], &class].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_excerpts_are_judged_as_they_were() {
    for (name, bytes) in [("mixed", 101_015.0), ("roll", 13_912.0)] {
        let [file, inputs] = [".bin.xz", ".inputs"].map(|end| capture(&format!("{name}{end}")));
        let report = judge(&file, &inputs, "changed-flags");
        assert_eq!(report["packets"], 300);
        assert_eq!(report["lossless"], true);
        let mean = report["bytes_per_packet_mean"].as_f64().unwrap();
        assert_eq!((mean * 300.0).round(), bytes, "{name}");
    }
}

#[test]
fn an_excerpt_has_the_first_packets_and_their_inputs() {
    let folder = empty_folder("excerpt");
    let out = folder.join("short.bin.xz").to_string_lossy().into_owned();
    let whole = capture("roll.bin.xz");
    let once = |packets: &str, out: &str| {
        let output = snapshot_lab(&["excerpt", &whole, "--packets", packets, "--out", out]);
        assert!(output.status.success(), "{output:?}");
    };
    once("40", &out);
    let inputs = folder.join("short.inputs").to_string_lossy().into_owned();
    let of_roll = std::fs::read(capture("roll.inputs")).unwrap();
    assert_eq!(std::fs::read(&inputs).unwrap(), of_roll[..40]);
    let report = judge(&out, &inputs, "simulated");
    assert_eq!(report["packets"], 40);
    assert_eq!(report["lossless"], true);
    // All packets of an excerpt are the same file again.
    let again = folder.join("again.bin.xz").to_string_lossy().into_owned();
    once("300", &again);
    assert!(std::fs::read(again).unwrap() == std::fs::read(&whole).unwrap());
}

#[test]
fn an_excerpt_that_cannot_be_made_is_refused_and_leaves_no_file() {
    let folder = empty_folder("no-excerpt");
    let [out, other] = ["out.bin.xz", "out.xz"].map(|name| folder.join(name));
    let [out, other] = [out.to_string_lossy(), other.to_string_lossy()];
    let whole = capture("roll.bin.xz");
    for (file, packets, out, named) in [
        (&*whole, "301", &out, "300 packets, fewer than 301"),
        (&whole, "0", &out, "--packets"),
        (&whole, "10", &other, "its name ends with .bin.xz"),
        (&capture("roll.inputs"), "10", &out, "not a capture"),
        ("gone.bin.xz", "10", &out, "gone.bin.xz"),
    ] {
        let output = snapshot_lab(&["excerpt", file, "--packets", packets, "--out", out]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(named), "{said}");
    }
    assert_eq!(folder.read_dir().unwrap().count(), 0);
}

/// Both rungs' tables are made by this training; `cargo xtask captures` makes those of the codec from whole captures.
#[test]
fn training_on_the_excerpt_makes_the_tables_that_it_made() {
    let folder = empty_folder("trained");
    let out = folder.to_string_lossy();
    let mixed = capture("mixed.bin.xz");
    let output = snapshot_lab(&["train", "--out", &out, &mixed]);
    assert!(output.status.success(), "{output:?}");
    for (name, expected) in [
        ("strict", "29d42ca0224927cd"),
        ("chained", "8e0067136bd7a90a"),
    ] {
        let tables = std::fs::read(folder.join(format!("{name}.tables"))).unwrap();
        let mut hash = snapshot_base::hash::Fnv::new();
        hash.add_bytes(&tables);
        assert_eq!(format!("{:016x}", hash.finish()), expected, "{name}");
    }
}
