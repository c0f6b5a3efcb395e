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

/// A program for browsers and Node.js. Each has other features, and so dependencies of its own.
struct Program {
    package: &'static str,
    /// Folders of the bindings, for pages and for Node.js.
    folders: [&'static str; 2],
    /// Form of the bindings: `parts` for a program in two parts, of which a page loads one first.
    form: &'static str,
}

/// The program of the page and of its Worker.
const OF_THE_LAB: Program = Program {
    package: "snapshot-web",
    folders: ["pkg", "target/node"],
    form: "parts",
};

const OF_THE_ARTICLE: Program = Program {
    package: "snapshot-article",
    folders: ["pkg/article", "target/node-article"],
    form: "page",
};

/// Builds the wasm of the page and of the article, and their bindings to JavaScript.
pub(crate) fn build(profile: Profile) -> Result {
    // A reader of the article waits for its module: size first.
    let [of_lab, of_article] = match profile {
        Profile::Release => ["wasm", "npm"],
        Profile::Dev => ["wasm-dev"; 2],
    };
    // Code that never runs is left out of a release where rapier is in it.
    let is_lightened = profile == Profile::Release;
    // Linking takes one core: the other one builds the article meanwhile.
    let article = std::thread::spawn(move || build_program(&OF_THE_ARTICLE, of_article, false));
    let lab = build_program(&OF_THE_LAB, of_lab, is_lightened);
    let article = article
        .join()
        .map_err(|_| "the build of the article's program panicked")?;
    lab.and(article)
}

fn build_program(program: &Program, profile: &str, is_lightened: bool) -> Result {
    let (tool, wasm) = built(program.package, profile, &[])?;
    let [page, node] = program.folders;
    println!("Writing the bindings to {page}/ and {node}/.");
    let mut write = command(&tool.to_string_lossy(), [program.form]);
    write.args([&wasm, Path::new(page), Path::new(node)]);
    if is_lightened {
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

/// Builds a package as wasm and, beside it, the tool that writes bindings. Returns the tool's path, and that of the wasm.
fn built(package: &str, profile: &str, features: &[&str]) -> Result<(PathBuf, PathBuf)> {
    setup::wasm_target()?;
    let tool =
        std::thread::spawn(|| run(cargo(TOOL.split(' ')).stdin(std::process::Stdio::null())));
    let arguments = "build --target wasm32-unknown-unknown --target-dir target --profile";
    let mut build = cargo(arguments.split(' ').chain([profile]));
    build.args(["--package", package]).args(features);
    let wasm = run(without_flags(&mut build));
    tool.join()
        .map_err(|_| "the build of the bindings' tool panicked")??;
    wasm?;
    let name = format!("snapshot-bindings{}", std::env::consts::EXE_SUFFIX);
    let folder = root().join("target/wasm32-unknown-unknown").join(profile);
    let wasm = folder
        .join(package.replace('-', "_"))
        .with_extension("wasm");
    Ok((root().join("target/debug").join(name), wasm))
}

const TOOL: &str = "build --package snapshot-bindings --target-dir target";

/// Removes environment variables that would replace the flags of .cargo/config.toml, SIMD among them.
fn without_flags(build: &mut Command) -> &mut Command {
    build
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
}
