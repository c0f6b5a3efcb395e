//! Building of packages for other languages.

use std::path::{Path, PathBuf};

use crate::budgets;
use crate::shell::{Result, cargo, command, root, run, target};
use crate::wasm;

/// Published crates, which games use: their folders in `crate/`.
pub(crate) const TAKEN_HOME: [&str; 5] = ["base", "codec", "netsim", "view", "replication"];

/// Returns the minimum Rust version of a published crate, as its manifest says it.
pub(crate) fn minimum_rust(name: &str) -> String {
    let manifest = root().join(format!("crate/{name}/Cargo.toml"));
    let manifest = std::fs::read_to_string(manifest).unwrap_or_default();
    let version = manifest
        .split("\nrust-version = \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    version.unwrap_or_default().to_owned()
}

/// Packs the published crates, and checks each from its package alone, with its tests and examples.
///
/// Cargo's own check unpacks each version only once, so it might check an older state. This function unpacks the packages
/// anew.
pub(crate) fn registry() -> Result {
    let names = TAKEN_HOME.map(|name| format!("snapshot-{name}"));
    let flags = "package --offline --allow-dirty --quiet --no-verify".split(' ');
    let packages = names.iter().flat_map(|name| ["--package", name]);
    run(&mut cargo(flags.chain(packages)))?;
    let folder = target().join("unpacked");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(failed)?;
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let unpacked = names.each_ref().map(|name| format!("{name}-{VERSION}"));
    let mut manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {unpacked:?}\n");
    manifest += "[patch.crates-io]\n";
    for (name, path) in names.iter().zip(&unpacked) {
        let packed = target().join(format!("package/{path}.crate"));
        run(command("tar", ["-xzf"]).arg(packed).arg("-C").arg(&folder))?;
        manifest += &format!("{name} = {{ path = {path:?} }}\n");
    }
    std::fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    // The versions that all else is tested with.
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(failed)?;
    let check = "check --workspace --all-targets --offline --quiet --manifest-path";
    run(cargo(check.split(' '))
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target")))
}

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Manifest of the package for C, relative to the root folder. The package is its own workspace, because it needs unsafe
/// code.
pub(crate) const C_MANIFEST: &str = "crate/c/Cargo.toml";

/// Builds the package for C: both libraries, the header, the examples. Returns an error if the shared library is too large.
pub(crate) fn c() -> Result {
    let build = "build --release --manifest-path crate/c/Cargo.toml --target-dir";
    // The library names files as the project does: its bytes and its size are the same, wherever it is built.
    let here = format!("--remap-path-prefix={}=.", root().display());
    run(cargo(build.split(' '))
        .arg(target().join("apart"))
        .env("CARGO_ENCODED_RUSTFLAGS", here))?;
    let folder = target().join("c");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for part in ["include", "examples"] {
        std::fs::create_dir_all(folder.join(part)).map_err(failed)?;
    }
    let mut files = vec![("README.md".to_owned(), root().join("crate/c/README.md"))];
    for name in [
        "include/snapshot.h",
        "examples/game.c",
        "examples/game.cpp",
        "examples/shooter.c",
    ] {
        files.push((name.to_owned(), root().join("crate/c").join(name)));
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        files.push((name.to_owned(), root().join(name)));
    }
    let shared = format!(
        "{}snapshot{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let fixed = if cfg!(windows) {
        "snapshot.lib"
    } else {
        "libsnapshot.a"
    };
    for name in [shared.as_str(), fixed] {
        files.push((name.to_owned(), target().join("apart/release").join(name)));
    }
    for (name, from) in files {
        std::fs::copy(&from, folder.join(name)).map_err(failed)?;
    }
    let bytes = std::fs::metadata(folder.join(&shared))
        .map_err(failed)?
        .len();
    println!(
        "{} has the package: {shared} of {bytes} bytes",
        folder.display()
    );
    budgets::check_package("C library", bytes)
}

pub(crate) fn npm_folder() -> PathBuf {
    target().join("npm")
}

/// Builds the package for npm: the sources of `crate/npm/package`, and two wasm modules with their bindings. The module in
/// the folder `full` also has rung 13 (an encoding of snapshots) and recordings.
pub(crate) fn npm() -> Result {
    let folder = npm_folder();
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    // A file of an earlier build would be packed, too.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(failed)?;
    }
    let full = folder.join("full");
    std::fs::create_dir_all(&full).map_err(failed)?;
    copy_sources(&folder).map_err(failed)?;
    for name in ["index.js", "inline.js", "wrap.js", "check.js"] {
        std::fs::copy(folder.join(name), full.join(name)).map_err(failed)?;
    }
    wasm::build_npm(&folder.join("wasm"), &[])?;
    wasm::build_npm(&full.join("wasm"), &["--features", "full"])
}

fn copy_sources(folder: &Path) -> std::io::Result<()> {
    let example = folder.join("example");
    std::fs::create_dir_all(&example)?;
    for (from, to) in [("package", folder), ("example", &example)] {
        for entry in std::fs::read_dir(root().join("crate/npm").join(from))? {
            let entry = entry?;
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(root().join(name), folder.join(name))?;
    }
    Ok(())
}
