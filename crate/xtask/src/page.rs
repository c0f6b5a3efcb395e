//! The page, built by Vite, and the two ways to serve it.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::setup;
use crate::shell::{Result, describe, node, root, run};
use crate::wasm::{self, Profile};

/// Writes the static site to dist/.
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

/// Serves the sources; a change of the page shows at once, a change of a crate after some seconds.
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

/// A command of the Vite that package.json asks for.
fn vite<const N: usize>(arguments: [&str; N]) -> Command {
    node("node_modules/vite/bin/vite.js", arguments)
}

/// A port that was asked for is that one or an error; otherwise Vite takes its usual one or the next that is free.
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

/// Becomes the other program, so that whoever ends this process ends the server.
#[cfg(unix)]
fn hand_over(command: &mut Command) -> Result {
    let error = std::os::unix::process::CommandExt::exec(command);
    Err(format!("cannot start `{}`: {error}", describe(command)))
}

#[cfg(not(unix))]
fn hand_over(command: &mut Command) -> Result {
    run(command)
}

/// When a file that the wasm is built from was last changed.
fn newest_source() -> Option<SystemTime> {
    ["crate/codec", "crate/lab", "crate/course", "crate/web"]
        .map(|folder| newest_file(root().join(folder)))
        .into_iter()
        .flatten()
        .max()
}

fn newest_file(path: PathBuf) -> Option<SystemTime> {
    if path.is_dir() {
        let entries = path.read_dir().ok()?.flatten();
        return entries.filter_map(|entry| newest_file(entry.path())).max();
    }
    let is_source = |extension| extension == "rs" || extension == "toml";
    path.extension().filter(|extension| is_source(*extension))?;
    path.metadata().ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_port_that_was_asked_for_is_insisted_on() {
        assert!(port_arguments(None).is_empty());
        assert_eq!(
            port_arguments(Some(8000)),
            ["--port", "8000", "--strictPort"]
        );
    }

    #[test]
    fn sources_are_watched() {
        let modified = |path: &str| root().join(path).metadata().unwrap().modified().unwrap();
        assert!(newest_source().unwrap() >= modified("crate/web/src/lib.rs"));
        assert_eq!(newest_file(root().join("LICENSE-MIT")), None);
    }
}
