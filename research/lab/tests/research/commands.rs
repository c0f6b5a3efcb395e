//! The commands, as a person at a shell sees them.

use crate::excerpts;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn research(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_research"))
        .args(arguments)
        .output()
        .unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = research(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn capture(name: &str) -> String {
    excerpts().join(name).to_string_lossy().into_owned()
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Both rungs' tables are made by this training; `research tables` makes those of the codec from whole captures.
#[test]
fn training_on_the_excerpt_makes_the_tables_that_it_made() {
    let folder = empty_folder("trained");
    let out = folder.to_string_lossy();
    let mixed = capture("mixed.bin.xz");
    let output = research(&["train", "--out", &out, &mixed]);
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

/// A capture in which a cube slides 18 steps in the six frames between a frame and its baseline: 6 bits reach it, 5 do not.
fn slide(frames: i32) -> Vec<u8> {
    let cube = |frame: i32, cube: i32| {
        let slid = if cube == 5 { 3 * frame } else { 0 };
        let player = i32::from(cube == 0);
        [3, 256, 256, 256, 100 * cube + slid, 0, 102, player]
    };
    let frame = |frame| (0..901).flat_map(move |index| cube(frame, index));
    (0..frames)
        .flat_map(frame)
        .flat_map(i32::to_le_bytes)
        .collect()
}

#[test]
fn a_capture_is_only_judged_with_its_own_inputs() {
    let folder = empty_folder("inputs");
    let file = folder.join("slide.bin");
    std::fs::write(&file, slide(30)).unwrap();
    for (inputs, expected) in [
        (None, "slide.inputs"),
        (
            Some([2; 23].to_vec()),
            "23 inputs are too few: the capture's frames take 24",
        ),
        (Some([64; 24].to_vec()), "byte 0 is 64"),
    ] {
        if let Some(inputs) = inputs {
            std::fs::write(folder.join("slide.inputs"), inputs).unwrap();
        }
        let said = refusal(&["challenge", file.to_str().unwrap()]);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn sweep_counts_its_seeds() {
    let output = research(&["sweep", "--seeds", "20", "--first", "5000"]);
    assert_eq!(output.stdout, b"20 seeds, 0 failed\n");
}

#[test]
fn training_without_captures_is_refused_and_writes_nothing() {
    let folder = empty_folder("untrained");
    let said = refusal(&["train", "--out", &folder.to_string_lossy()]);
    assert!(said.contains("name one or more"), "{said}");
    assert_eq!(folder.read_dir().unwrap().count(), 0);
}
