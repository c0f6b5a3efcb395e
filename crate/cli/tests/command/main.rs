//! The command as a person at a shell, or a script, sees it.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod captures;
mod judge;
mod motion;
mod proxy;
mod replay;
mod run;
mod trace;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A finished call: its exit code, its output and its notes.
#[derive(Debug)]
struct Called {
    code: Option<i32>,
    output: String,
    notes: String,
}

fn called(arguments: &[&str]) -> Called {
    let output = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .args(arguments)
        .output()
        .unwrap();
    Called {
        code: output.status.code(),
        output: String::from_utf8(output.stdout).unwrap(),
        notes: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json_and_notes(arguments: &[&str]) -> (Value, String) {
    let called = called(arguments);
    assert_eq!(called.code, Some(0), "{called:?}");
    (serde_json::from_str(&called.output).unwrap(), called.notes)
}

/// The printed JSON, without a message.
fn json(arguments: &[&str]) -> Value {
    let (json, notes) = json_and_notes(arguments);
    assert_eq!(notes, "", "no progress where there is no terminal");
    json
}

fn refused(arguments: &[&str]) -> String {
    let called = called(arguments);
    assert_eq!(called.code, Some(2), "{called:?}");
    called.notes
}

fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Tests beside each other write the same file: whoever reads it finds it whole.
    let draft = path.with_extension(format!("{:?}", std::thread::current().id()));
    std::fs::write(&draft, content).unwrap();
    std::fs::rename(&draft, &path).unwrap();
    path
}

/// A capture of a few frames in which a cube slides.
fn capture(name: &str, frames: i32) -> PathBuf {
    let numbers = (0..frames).flat_map(|frame| {
        (0..901).flat_map(move |cube| {
            let slid = if cube == 5 { 3 * frame } else { 0 };
            [
                3,
                256,
                256,
                256,
                100 * cube + slid,
                0,
                102,
                i32::from(cube == 0),
            ]
        })
    });
    let bytes: Vec<u8> = numbers.flat_map(i32::to_le_bytes).collect();
    file(name, bytes)
}

#[test]
#[cfg(target_os = "linux")]
fn a_note_that_cannot_be_written_loses_no_result() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .args(["run", "#grid=5&nonsense=1", "--seconds", "1", "--json"])
        .stderr(full)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice::<Value>(&output.stdout).unwrap();
}

#[test]
fn bad_arguments_exit_with_2_and_bad_links_are_told() {
    for arguments in [
        &["run"][..],
        &["run", "", "--seconds", "0"],
        &["run", "", "--cut", "5"],
        &["run", "", "--cut", "5+0"],
        &["run", "", "--cut", "47+1"],
        &["walk"],
        &[],
    ] {
        refused(arguments);
    }
    let (_, notes) = json_and_notes(&["run", "#hz=241", "--seconds", "1", "--json"]);
    assert_eq!(
        notes,
        "note: Send rate (hz) cannot be \"241\": it takes whole numbers from 1 to 240; the default stands\n"
    );
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn nobody_reading_any_more_ends_every_subcommand_quietly() {
    let [link, second] = ["#grid=5", "1"];
    let capture = capture("unread.bin", 8);
    for arguments in [
        &["run", link, "--seconds", second][..],
        &["run", link, "--seconds", second, "--json"],
        &["ladder", link, "--seconds", second],
        &["inspect", link, "--tick", "60"],
        &["widths", link, "--seconds", second],
        &["trade", link, "--seconds", second, "--vary", "hz=10"],
        &["challenge", capture.to_str().unwrap(), "--json"],
    ] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(process.stdout.take());
        let output = process.wait_with_output().unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{arguments:?}: {output:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let output = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .arg("--help")
        .stdout(full.unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
