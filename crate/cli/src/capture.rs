//! Reading of capture files, plain or compressed by xz.

use snapshot_codec::Cube;
use snapshot_record::capture;
use std::fs::File;
use std::path::Path;

/// Greatest number of frames to read: ten minutes of play. Unpacked and parsed they take 3 GB.
const FRAMES_MAX: usize = 10 * 60 * 60;

/// Reads the frames of a file in the challenge's format. The error says in words what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Cube>>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| told(&error))?;
    capture::read(file, FRAMES_MAX).map_err(|error| told(&error))
}
