//! Packages for other languages.

use std::path::{Path, PathBuf};

use wasm_bindgen_cli_support::Bindgen;

use crate::setup;
use crate::shell::{Result, cargo, root, run};

/// The folder that holds the package for npm.
pub(crate) fn npm_folder() -> PathBuf {
    root().join("target/npm")
}

/// Writes the package for npm: the sources of `crate/npm/package`, and the wasm module with its bindings.
pub(crate) fn npm() -> Result {
    setup::wasm_target()?;
    let arguments = "build --package snapshot-npm --target wasm32-unknown-unknown --target-dir target --profile npm";
    run(cargo(arguments.split(' '))
        // These would replace the flags of .cargo/config.toml, SIMD among them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    let module = root().join("target/wasm32-unknown-unknown/npm/snapshot_npm.wasm");
    let folder = npm_folder();
    let told = |error: &dyn std::fmt::Display| format!("{}: {error:#}", folder.display());
    // A file of an earlier build would be packed, too.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| told(&error))?;
    }
    let wasm = folder.join("wasm");
    std::fs::create_dir_all(&wasm).map_err(|error| told(&error))?;
    Bindgen::new()
        .input_path(&module)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(false)
                .omit_default_module_path(true)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(&wasm)
        })
        .map_err(|error| told(&error))?;
    copy_sources(&folder).map_err(|error| told(&error))?;
    let bytes = std::fs::read(wasm.join("snapshot_npm_bg.wasm")).map_err(|error| told(&error))?;
    let text = format!("export default '{}';\n", base64(&bytes));
    std::fs::write(wasm.join("base64.js"), text).map_err(|error| told(&error))?;
    println!(
        "{} has the package: {} bytes of wasm",
        folder.display(),
        bytes.len()
    );
    Ok(())
}

fn copy_sources(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(root().join("crate/npm/package"))? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(root().join(name), folder.join(name))?;
    }
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| {
            word << 8 | u32::from(three.get(i).copied().unwrap_or(0))
        });
        for letter in 0..4 {
            let is_there = letter <= three.len();
            let six = (word >> (18 - 6 * letter) & 63) as usize;
            text.push(if is_there { LETTERS[six].into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_padded() {
        let texts = [&b""[..], b"f", b"fo", b"foo", b"foob"].map(base64);
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
