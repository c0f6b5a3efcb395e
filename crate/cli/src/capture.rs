//! Files of captures, perhaps packed by xz.

use snapshot_codec::Cube;
use snapshot_record::capture;
use std::fs::File;
use std::path::Path;

/// Frames of ten minutes of play; unpacked and taken apart they take 3 GB.
const FRAMES_MAX: usize = 10 * 60 * 60;

/// The frames of a file in the challenge's format, or what is wrong with it, in words.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| told(&error))?;
    capture::read(file, FRAMES_MAX).map_err(|error| told(&error))
}
