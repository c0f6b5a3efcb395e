//! Build of the crates that JavaScript loads as wasm.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup;
use crate::shell::{Result, cargo, command, root, run};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Profile {
    Release,
    /// A build without link-time optimisation, which takes seconds after an edit.
    Dev,
}

/// Builds the page's wasm and its bindings to JavaScript: in pkg/ for the page, in target/node/ for Node.js.
pub(crate) fn build(profile: Profile) -> Result {
    let profile_name = match profile {
        Profile::Release => "wasm",
        Profile::Dev => "wasm-dev",
    };
    let (tool, wasm) = built("snapshot-web", profile_name, &[])?;
    println!("Writing the bindings to pkg/ and target/node/.");
    let mut write = command(&tool.to_string_lossy(), ["page"]);
    write.args([&wasm, Path::new("pkg"), Path::new("target/node")]);
    if profile == Profile::Release {
        write.arg("target/light");
    }
    run(&mut write)
}

/// Builds the package for npm's wasm, and writes it with its bindings into a folder.
pub(crate) fn build_npm(folder: &Path, features: &[&str]) -> Result {
    let (tool, wasm) = built("snapshot-npm", "npm", features)?;
    let mut write = command(&tool.to_string_lossy(), ["npm"]);
    run(write.args([&wasm, folder]))
}

/// Builds a package as wasm and, beside it, the tool that writes its bindings. Returns the paths of both.
fn built(package: &str, profile: &str, features: &[&str]) -> Result<(PathBuf, PathBuf)> {
    setup::wasm_target()?;
    let tool =
        std::thread::spawn(|| run(cargo(TOOL.split(' ')).stdin(std::process::Stdio::null())));
    let arguments = "build --target wasm32-unknown-unknown --target-dir target --package";
    let mut build = cargo(arguments.split(' ').chain([package, "--profile", profile]));
    build.args(features);
    let wasm = run(without_flags(&mut build));
    tool.join()
        .map_err(|_| "the build of the bindings' tool panicked")??;
    wasm?;
    let name = format!("snapshot-bindings{}", std::env::consts::EXE_SUFFIX);
    let folder = root().join("target/wasm32-unknown-unknown").join(profile);
    Ok((
        root().join("target/debug").join(name),
        folder
            .join(package.replace('-', "_"))
            .with_extension("wasm"),
    ))
}

const TOOL: &str = "build --package snapshot-bindings --target-dir target";

/// Removes environment variables that would replace the flags of .cargo/config.toml, SIMD among them.
fn without_flags(build: &mut Command) -> &mut Command {
    build
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
}
