//! Captures of the original simulation, which are not part of the project: where they are absent, tests say so.

use std::io::Read;
use std::path::{Path, PathBuf};

use lzma_rust2::XzReader;
use snapshot_codec::Cube;

/// Cubes of every capture.
pub(crate) const CAPTURE_CUBES: usize = 901;

/// The unpacked file `../shared/data/NAME.xz` beside the workspace, or `None` and a line on stderr.
pub(crate) fn unpack_shared(name: &str) -> Option<Vec<u8>> {
    let path = shared(&format!("{name}.xz"));
    if !path.exists() {
        eprintln!("SKIPPED: ../shared/data/{name}.xz is not there");
        return None;
    }
    let packed = std::fs::File::open(path).expect("readable");
    let mut bytes = Vec::new();
    XzReader::new(packed, true)
        .read_to_end(&mut bytes)
        .expect("xz");
    Some(bytes)
}

/// What was pressed while a capture was made, a byte a tick.
#[allow(dead_code, reason = "not every test that shares this file reads them")]
pub(crate) fn read_inputs(name: &str) -> Option<Vec<u8>> {
    let inputs = std::fs::read(shared(&format!("{name}.inputs")));
    if inputs.is_err() {
        eprintln!("SKIPPED: ../shared/data/{name}.inputs is not there");
    }
    inputs.ok()
}

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name)
}

/// The frames of a capture: 901 cubes of eight little-endian i32 each.
pub(crate) fn read_capture(name: &str) -> Option<Vec<Vec<Cube>>> {
    let words: Vec<i32> = unpack_shared(&format!("{name}.bin"))?
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
    Some(
        cubes
            .chunks_exact(CAPTURE_CUBES)
            .map(<[Cube]>::to_vec)
            .collect(),
    )
}
