//! Tasks of the page: formatting, linting, building by Vite, and serving in two ways.

use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::setup;
use crate::shell::{Result, describe, entries, files_below, node, root, run};
use crate::wasm::{self, Profile};

/// Builds the static site in dist/.
pub(crate) fn build() -> Result {
    setup::packages()?;
    wasm::build(Profile::Release)?;
    run(&mut vite(["build"]))
}

/// Builds the site and serves it until interrupted.
pub(crate) fn serve(port: Option<u16>) -> Result {
    build()?;
    println!("\nServing the page; Ctrl-C ends it.");
    hand_over(vite(["preview"]).args(port_arguments(port)))
}

/// Builds the page. Then makes the README's picture with www/tests/pictures.mjs.
pub(crate) fn pictures() -> Result {
    let chromium = setup::chromium()?;
    build()?;
    run(node("www/tests/pictures.mjs", [""; 0]).env("CHROMIUM", chromium))
}

/// Serves the page from its sources, for development. A change of the page is visible at once, a change of a crate after some
/// seconds.
pub(crate) fn serve_dev(port: Option<u16>) -> Result {
    setup::packages()?;
    wasm::build(Profile::Dev)?;
    let mut command = vite(["--clearScreen", "false"]);
    // Vite ends when its input does, and so whenever and however this process ends.
    command.args(port_arguments(port)).stdin(Stdio::piped());
    let mut server = command
        .spawn()
        .map_err(|error| format!("cannot start `{}`: {error}", describe(&command)))?;
    let mut built = newest_source();
    loop {
        match server.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(500)),
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("the development server ended ({status})")),
            Err(error) => return Err(format!("lost the development server: {error}")),
        }
        let newest = newest_source();
        if newest > built {
            built = newest;
            // A mistake is the developer's to correct, and saving the file again builds again.
            if let Err(error) = wasm::build(Profile::Dev) {
                eprintln!("error: {error}");
            }
        }
    }
}

pub(crate) fn format() -> Result {
    setup::packages()?;
    run(&mut biome(["check", "--write", "--linter-enabled=false"]))
}

/// Checks the format of scripts and style sheets, and lints them.
pub(crate) fn lint() -> Result {
    setup::packages()?;
    run(&mut biome(["check", "--error-on-warnings"]))
}

/// Returns the command for Biome, in the version that package.json names.
fn biome<const N: usize>(arguments: [&str; N]) -> Command {
    node("node_modules/@biomejs/biome/bin/biome", arguments)
}

/// Returns the command for Vite, in the version that package.json names.
fn vite<const N: usize>(arguments: [&str; N]) -> Command {
    node("node_modules/vite/bin/vite.js", arguments)
}

/// Returns the arguments for Vite. A given port is used, or Vite fails; otherwise Vite takes its usual port or the next free
/// one.
fn port_arguments(port: Option<u16>) -> Vec<String> {
    match port {
        Some(port) => vec![
            "--port".to_owned(),
            port.to_string(),
            "--strictPort".to_owned(),
        ],
        None => Vec::new(),
    }
}

/// Replaces this process by another program, so that ending the process ends the server.
#[cfg(unix)]
fn hand_over(command: &mut Command) -> Result {
    let error = std::os::unix::process::CommandExt::exec(command);
    Err(format!("cannot start `{}`: {error}", describe(command)))
}

#[cfg(not(unix))]
fn hand_over(command: &mut Command) -> Result {
    run(command)
}

/// Returns the time of the newest change to any crate's manifest or sources. Shaders and tables count too, because they are
/// built into the wasm.
fn newest_source() -> Option<SystemTime> {
    let crates = entries(&root().join("crate")).into_iter();
    let files = crates.flat_map(|folder| {
        let manifest = folder.join("Cargo.toml");
        files_below(&folder.join("src"))
            .into_iter()
            .chain([manifest])
    });
    files
        .filter_map(|path| path.metadata().ok()?.modified().ok())
        .max()
}
