//! Build of `crate/web` as wasm that JavaScript can load.

use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

use crate::setup;
use crate::shell::{Result, cargo, root, run};

/// Optimisation level of the wasm module.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// Fully optimised build for release.
    Release,
    /// Build without link-time optimisation, so that an edit is built in seconds.
    Dev,
}

/// Builds the wasm and its bindings: for the page in pkg/, for node in target/node/.
pub(crate) fn build(profile: Profile) -> Result {
    setup::wasm_target()?;
    let profile = match profile {
        Profile::Release => "wasm",
        Profile::Dev => "wasm-dev",
    };
    let arguments = "build --package snapshot-web --target wasm32-unknown-unknown --target-dir target --profile";
    run(cargo(arguments.split(' ').chain([profile]))
        // These would replace the flags of .cargo/config.toml, SIMD among them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    let wasm = root()
        .join("target/wasm32-unknown-unknown")
        .join(profile)
        .join("snapshot_web.wasm");
    println!("Writing the bindings to pkg/ and target/node/.");
    let failed = |error: &dyn std::fmt::Display| format!("cannot write the bindings: {error:#}");
    let folder = |name| root().join(name);
    bindgen(&wasm)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder("pkg")))
        .map_err(|error| failed(&error))?;
    bindgen(&wasm)
        .nodejs_module(true)
        .and_then(|bindgen| bindgen.generate(folder("target/node")))
        .map_err(|error| failed(&error))
}

fn bindgen(wasm: &Path) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .typescript(true)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
}
