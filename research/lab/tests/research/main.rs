//! Training, the original's world and the commands, on excerpts of captures that are part of the project.
//!
//! Whole captures are not: tests that need them are ignored, and look for them beside the project.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod captured_truth;
mod challenge;
mod commands;
mod free_motions;
mod pile;

use snapshot_codec::Cube;
use std::path::{Path, PathBuf};

/// The folder of the excerpts: the first 300 packets of two captures.
fn excerpts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crate/codec/tests/captures")
}

/// The folder of whole captures.
fn whole() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}

/// The frames of a capture in that folder.
fn frames(folder: &Path, name: &str) -> Vec<Vec<Cube>> {
    snapshot_research::capture::read(&folder.join(format!("{name}.bin.xz"))).unwrap()
}

/// The unpacked bytes of a file.
fn unpacked(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).unwrap();
    snapshot_record::capture::unpack(file, 1 << 30).unwrap()
}

/// The first 1200 ticks of the original's `mixed`: by cube position, orientation, linear and angular velocity, interacting.
fn truth() -> Vec<[f32; 14]> {
    let bytes = unpacked(&whole().join("mixed-1200.f32.xz"));
    let floats = bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| f32::from_le_bytes(*word));
    let floats: Vec<f32> = floats.collect();
    floats.as_chunks().0.to_vec()
}
