//! Files of captures and samples, perhaps packed by xz.

use snapshot_codec::Cube;
use snapshot_codec::challenge::{self, FRAME_BYTES};
use snapshot_lab::capture;
use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;

/// Of an hour of play; what unpacks to more is no capture.
const BYTES_MAX: u64 = 60 * 60 * 60 * FRAME_BYTES as u64;

/// The frames of a file in the challenge's format, or what is wrong with it, in words.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    challenge::parse(&unpack(path)?).map_err(|error| told(path, &error))
}

/// The bytes of a file, of an .xz those that it holds.
pub(crate) fn unpack(path: &Path) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| told(path, &error))?;
    capture::unpack(file, BYTES_MAX).map_err(|error| told(path, &error))
}

/// Whether a file is called .txt or .txt.xz.
pub(crate) fn names_text(path: &Path) -> bool {
    let name = if path.extension() == Some(OsStr::new("xz")) {
        path.file_stem().map(Path::new)
    } else {
        Some(path)
    };
    name.and_then(Path::extension) == Some(OsStr::new("txt"))
}

fn told(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
