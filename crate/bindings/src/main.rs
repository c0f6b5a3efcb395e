//! Turns built wasm into modules that JavaScript can load. `cargo xtask` calls this program; nothing else depends on it.
//!
//! It runs `wasm-bindgen` as a library, for the page, for Node.js and for the package for npm. It can leave out code that
//! never runs ([`unused`]). It changes no function's behaviour.

mod parts;
mod rest;
mod split;
mod unused;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use wasm_bindgen_cli_support::Bindgen;

/// The error is a sentence for a person.
type Result<T = ()> = std::result::Result<T, String>;

const USAGE: &str = "\
Usage: snapshot-bindings page WASM PAGE NODE           modules for the page and for Node.js, in two folders
       snapshot-bindings parts WASM PAGE NODE [LIGHT]  the same in two parts, of which the first screen needs one; with a
                                                       folder LIGHT, code that never runs is left out, and the rest is
                                                       written there
       snapshot-bindings npm WASM FOLDER               the module of the package for npm, and its bytes as a script";

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let arguments: Vec<&Path> = arguments.iter().map(PathBuf::as_path).collect();
    let result = match *arguments {
        [task, wasm, page, node] if task == "page" => write_page(wasm, page, node, false),
        [task, wasm, page, node] if task == "parts" => parts::write(wasm, page, node),
        [task, wasm, page, node, light] if task == "parts" => {
            unused::without_unused(wasm, light).and_then(|wasm| parts::write(&wasm, page, node))
        }
        [task, wasm, folder] if task == "npm" => write_npm(wasm, folder),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes modules for the page and for Node.js. `has_names`: the wasm keeps the names of its functions.
fn write_page(wasm: &Path, page: &Path, node: &Path, has_names: bool) -> Result {
    for (folder, is_page) in [(page, true), (node, false)] {
        let mut bindgen = Bindgen::new();
        bindgen.typescript(true).omit_default_module_path(false);
        let target = if is_page {
            bindgen.web(true)
        } else {
            bindgen.nodejs_module(true)
        };
        let bindgen = target.map_err(|error| format!("{error:#}"))?;
        bindgen.demangle(false);
        generate(bindgen, wasm, folder, has_names)?;
    }
    Ok(())
}

fn write_npm(wasm: &Path, folder: &Path) -> Result {
    let mut bindgen = Bindgen::new();
    bindgen.typescript(false).omit_default_module_path(true);
    let bindgen = bindgen.web(true).map_err(|error| format!("{error:#}"))?;
    generate(bindgen, wasm, folder, false)?;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let bytes = std::fs::read(folder.join("snapshot_npm_bg.wasm")).map_err(failed)?;
    let text = format!("export default '{}';\n", BASE64_STANDARD.encode(&bytes));
    std::fs::write(folder.join("base64.js"), text).map_err(failed)?;
    println!("{} has {} bytes of wasm", folder.display(), bytes.len());
    Ok(())
}

fn generate(bindgen: &mut Bindgen, wasm: &Path, folder: &Path, has_names: bool) -> Result {
    bindgen
        .input_path(wasm)
        .remove_name_section(!has_names)
        .remove_producers_section(true)
        .generate(folder)
        .map_err(|error| format!("{}: {error:#}", folder.display()))
}
