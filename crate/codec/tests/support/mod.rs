//! Captures of the original simulation. The first 300 packets of two are part of the project, cut by `snapshot-lab excerpt`.
//! Whole captures are not: `cargo xtask captures` runs the tests that read them.
#![allow(
    dead_code,
    reason = "not every test that shares this file reads all of them"
)]

use std::io::Read;
use std::path::{Path, PathBuf};

use lzma_rust2::XzReader;
use snapshot_codec::Cube;

/// Cubes of every capture.
pub(crate) const CAPTURE_CUBES: usize = 901;

/// A capture's first 306 frames, and the inputs that led to the frames from 6 on. The name is `mixed` or `roll`.
pub(crate) fn excerpt(name: &str) -> (Vec<Vec<Cube>>, Vec<u8>) {
    let bytes = unpack(&excerpts().join(format!("{name}.bin.xz")));
    let inputs = std::fs::read(excerpts().join(format!("{name}.inputs")));
    (frames(&bytes), inputs.expect("readable"))
}

/// The folder of the excerpts.
pub(crate) fn excerpts() -> PathBuf {
    let codec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec");
    codec.join("tests/captures")
}

/// Unpacks the file `../shared/data/NAME.xz` beside the workspace.
pub(crate) fn unpack_shared(name: &str) -> Vec<u8> {
    unpack(&shared(&format!("{name}.xz")))
}

/// The inputs of a whole capture, a byte a tick.
pub(crate) fn read_inputs(name: &str) -> Vec<u8> {
    let path = shared(&format!("{name}.inputs"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The frames of a whole capture.
pub(crate) fn read_capture(name: &str) -> Vec<Vec<Cube>> {
    frames(&unpack_shared(&format!("{name}.bin")))
}

/// Unpacks an .xz file.
pub(crate) fn unpack(path: &Path) -> Vec<u8> {
    let packed =
        std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    XzReader::new(packed, true)
        .read_to_end(&mut bytes)
        .expect("xz");
    bytes
}

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name)
}

/// Parses frames: 901 cubes of eight little-endian i32 each.
fn frames(bytes: &[u8]) -> Vec<Vec<Cube>> {
    let words: Vec<i32> = bytes
        .chunks_exact(4)
        .map(|word| i32::from_le_bytes(word.try_into().expect("4 bytes")))
        .collect();
    let cubes: Vec<Cube> = words
        .chunks_exact(8)
        .map(|words| Cube {
            orientation: words[..4].try_into().expect("4 words"),
            position: words[4..7].try_into().expect("3 words"),
            interacting: words[7] != 0,
            ..Cube::default()
        })
        .collect();
    cubes
        .chunks_exact(CAPTURE_CUBES)
        .map(<[Cube]>::to_vec)
        .collect()
}
