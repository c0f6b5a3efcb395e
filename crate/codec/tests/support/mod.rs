//! Captures of the original simulation. The first 300 packets of two are part of the project, cut by `research excerpt`.
//! Whole captures are not; a bench reads one.
#![allow(
    dead_code,
    reason = "not every test that shares this file reads all of them"
)]

use std::io::Read;
use std::path::Path;

use lzma_rust2::XzReader;
use snapshot_codec::Cube;

/// Cubes of every capture.
pub(crate) const CAPTURE_CUBES: usize = 901;

/// A capture's first 306 frames. The name is `mixed` or `roll`.
pub(crate) fn excerpt(name: &str) -> Vec<Vec<Cube>> {
    let excerpts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures");
    frames(&unpack(&excerpts.join(format!("{name}.bin.xz"))))
}

/// The frames of a whole capture.
pub(crate) fn read_capture(name: &str) -> Vec<Vec<Cube>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    frames(&unpack(&data.join(format!("{name}.bin.xz"))))
}

/// Unpacks an .xz file.
fn unpack(path: &Path) -> Vec<u8> {
    let packed =
        std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    XzReader::new(packed, true)
        .read_to_end(&mut bytes)
        .expect("xz");
    bytes
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
