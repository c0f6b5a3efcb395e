//! Files that are named on the command line.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a file, at most one byte more than `bytes_max`: a longer result shows that the file is too long.
pub(crate) fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path);
    let read = file.and_then(|file| file.take(bytes_max + 1).read_to_end(&mut bytes));
    read.map_err(|error| fault(path, error))?;
    Ok(bytes)
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| fault(path, error))
}

/// Returns the text of a file's error, with the file's name.
pub(crate) fn fault(path: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
