//! Turns built wasm into modules that JavaScript can load. `cargo xtask` calls this program.

mod unused;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use wasm_bindgen_cli_support::Bindgen;

/// The error is a sentence for a person.
type Result<T = ()> = std::result::Result<T, String>;

const USAGE: &str = "\
Usage: snapshot-bindings page WASM PAGE NODE [LIGHT]   modules for the page and for Node.js, in two folders; with a folder
                                                       LIGHT, code that never runs is left out, and the rest is written there
       snapshot-bindings npm WASM FOLDER               the module of the package for npm, and its bytes as a script";

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let arguments: Vec<&Path> = arguments.iter().map(PathBuf::as_path).collect();
    let result = match *arguments {
        [task, wasm, page, node] if task == "page" => write_page(wasm, page, node),
        [task, wasm, page, node, light] if task == "page" => {
            unused::without_unused(wasm, light).and_then(|wasm| write_page(&wasm, page, node))
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

fn write_page(wasm: &Path, page: &Path, node: &Path) -> Result {
    for (folder, is_page) in [(page, true), (node, false)] {
        let mut bindgen = Bindgen::new();
        bindgen.typescript(true).omit_default_module_path(false);
        let target = if is_page {
            bindgen.web(true)
        } else {
            bindgen.nodejs_module(true)
        };
        let bindgen = target.map_err(|error| format!("{error:#}"))?;
        generate(bindgen, wasm, folder)?;
    }
    Ok(())
}

fn write_npm(wasm: &Path, folder: &Path) -> Result {
    let mut bindgen = Bindgen::new();
    bindgen.typescript(false).omit_default_module_path(true);
    let bindgen = bindgen.web(true).map_err(|error| format!("{error:#}"))?;
    generate(bindgen, wasm, folder)?;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let bytes = std::fs::read(folder.join("snapshot_npm_bg.wasm")).map_err(failed)?;
    let text = format!("export default '{}';\n", BASE64_STANDARD.encode(&bytes));
    std::fs::write(folder.join("base64.js"), text).map_err(failed)?;
    println!("{} has {} bytes of wasm", folder.display(), bytes.len());
    Ok(())
}

fn generate(bindgen: &mut Bindgen, wasm: &Path, folder: &Path) -> Result {
    bindgen
        .input_path(wasm)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .map_err(|error| format!("{}: {error:#}", folder.display()))
}
