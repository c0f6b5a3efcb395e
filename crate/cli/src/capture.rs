//! Files of captures and samples, perhaps packed by xz.

use snapshot_codec::Cube;
use snapshot_lab::capture;
use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;

/// Frames of ten minutes of play; unpacked and taken apart they take 3 GB.
const FRAMES_MAX: usize = 10 * 60 * 60;
/// Of samples as text: over a million of them.
const TEXT_BYTES_MAX: u64 = 64 << 20;

/// The frames of a file in the challenge's format, or what is wrong with it, in words.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    capture::read(open(path)?, FRAMES_MAX).map_err(|error| told(path, &error))
}

/// The text of a file, of an .xz that which it holds, or what is wrong with it, in words.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = capture::unpack(open(path)?, TEXT_BYTES_MAX).map_err(|error| told(path, &error))?;
    String::from_utf8(bytes).map_err(|error| told(path, &error))
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

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| told(path, &error))
}

fn told(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
