//! Files of captures and samples, perhaps packed by xz.

use lzma_rust2::XzReader;
use snapshot_codec::Cube;
use snapshot_codec::challenge;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Frames of an hour of play; what unpacks to more is no capture.
const FRAMES_MAX: u64 = 60 * 60 * 60;

/// The frames of a file in the challenge's format, or what is wrong with it, in words.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    challenge::parse(&unpack(path)?).map_err(|error| told(path, &error))
}

/// The bytes of a file, of an .xz those that it holds.
pub(crate) fn unpack(path: &Path) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| told(path, &error))?;
    let bytes_max = FRAMES_MAX * challenge::FRAME_BYTES as u64;
    let mut bytes = Vec::new();
    let read = if is_packed(path) {
        XzReader::new(file, true)
            .take(bytes_max)
            .read_to_end(&mut bytes)
    } else {
        file.take(bytes_max).read_to_end(&mut bytes)
    };
    read.map_err(|error| told(path, &error))?;
    Ok(bytes)
}

/// Whether a file is called .txt or .txt.xz.
pub(crate) fn names_text(path: &Path) -> bool {
    let name = if is_packed(path) {
        path.file_stem().map(Path::new)
    } else {
        Some(path)
    };
    name.and_then(Path::extension) == Some(OsStr::new("txt"))
}

fn is_packed(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("xz"))
}

fn told(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
