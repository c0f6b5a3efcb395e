//! Files of captures, perhaps packed by xz.

use crate::original::Inputs;
use snapshot_codec::Cube;
use snapshot_record::capture;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Frames of ten minutes of play; unpacked and taken apart they take 3 GB.
const FRAMES_MAX: usize = 10 * 60 * 60;

/// The frames of a file in the challenge's format, or what is wrong with it, in words.
pub fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    capture::read(open(path)?, FRAMES_MAX).map_err(|error| with_path(path, &error))
}

/// Reads the keys pressed during a capture of so many frames; else says in words what is wrong with the file.
pub fn read_inputs(path: &Path, frames: usize) -> Result<Inputs, String> {
    let mut file = Vec::new();
    let read = open(path)?.take(FRAMES_MAX as u64).read_to_end(&mut file);
    read.map_err(|error| with_path(path, &error))?;
    Inputs::parse(&file, frames).map_err(|error| with_path(path, &error))
}

/// Returns the path of NAME.inputs beside NAME.bin or NAME.bin.xz.
pub fn inputs_beside(capture: &Path) -> PathBuf {
    let name = capture.to_string_lossy();
    let name = name.strip_suffix(".xz").unwrap_or(&name);
    Path::new(name.strip_suffix(".bin").unwrap_or(name)).with_added_extension("inputs")
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| with_path(path, &error))
}

fn with_path(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
