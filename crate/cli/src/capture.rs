//! Capture files: frames in the challenge's format, perhaps packed by xz.

use lzma_rust2::XzReader;
use snapshot_codec::Cube;
use snapshot_codec::challenge;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Frames of an hour of play; what unpacks to more is no capture.
const FRAMES_MAX: u64 = 60 * 60 * 60;

/// The frames of a file, or what is wrong with it, in words.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| told(&error))?;
    let bytes_max = FRAMES_MAX * challenge::FRAME_BYTES as u64;
    let mut bytes = Vec::new();
    let read = if path.extension().is_some_and(|extension| extension == "xz") {
        XzReader::new(file, true)
            .take(bytes_max)
            .read_to_end(&mut bytes)
    } else {
        file.take(bytes_max).read_to_end(&mut bytes)
    };
    read.map_err(|error| told(&error))?;
    challenge::parse(&bytes).map_err(|error| told(&error))
}
