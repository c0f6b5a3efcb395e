//! Setup of the tools that the tasks need. Each tool is found, installed, or the person is asked to install it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::SystemTime;

use crate::shell::{Result, answer, cargo, command, root, run};

/// Versions of Node.js that the npm packages support; `engines` in package.json says the same.
const NODE_VERSIONS: &str = "^20.19.0 || ^22.13.0 || >=24.0.0";

/// Checks Node.js, and installs the npm packages that package-lock.json names.
pub(crate) fn packages() -> Result {
    let fix = "install Node.js 24 from https://nodejs.org or with your system's packages";
    let version = answer(&mut command("node", ["--version"]))
        .ok_or_else(|| format!("Node.js is missing: {fix}."))?;
    if !parse_version(&version).is_some_and(node_is_supported) {
        return Err(format!(
            "Node.js {version} will not do, {NODE_VERSIONS} is needed: {fix}."
        ));
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if answer(&mut command(npm, ["--version"])).is_none() {
        return Err(format!("npm is missing, which comes with Node.js: {fix}."));
    }
    let installed = root().join("node_modules/.package-lock.json");
    // A linked folder is another checkout's: an installation would empty it there.
    let is_linked = root().join("node_modules").is_symlink();
    if !is_linked && is_older(&installed, &root().join("package-lock.json")) {
        println!("Installing the npm packages.");
        run(&mut command(npm, ["ci"]))?;
    }
    Ok(())
}

pub(crate) fn wasm_target() -> Result {
    add_target("wasm32-unknown-unknown")
}

/// Rust's target for testing on another processor than most developers have.
pub(crate) const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// Adds the standard library for [`AARCH64`], and finds its linker and emulator.
pub(crate) fn aarch64() -> Result {
    add_target(AARCH64)?;
    for program in ["aarch64-linux-gnu-gcc", "qemu-aarch64"] {
        find(Path::new(program)).ok_or_else(|| {
            format!("{program} is missing: install it as .ci/run does for Debian.")
        })?;
    }
    Ok(())
}

fn add_target(target: &str) -> Result {
    // Two builds begin side by side, and two rustups at once fail on the same download.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let library = ["--print", "target-libdir", "--target", target];
    if answer(&mut command("rustc", library)).is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    println!("Installing Rust's standard library for {target}.");
    run(&mut command("rustup", ["target", "add", target])).map_err(|error| {
        format!(
            "Rust's standard library for {target} is missing and cannot be added ({error}): \
             install Rust with https://rustup.rs, or that library with your system's packages."
        )
    })
}

/// Installs Rust's formatter and linter, which a minimal installation leaves out.
pub(crate) fn rust_components() -> Result {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if answer(&mut cargo([subcommand, "--version"])).is_none() {
            println!("Installing {component}.");
            run(&mut command("rustup", ["component", "add", component])).map_err(|error| {
                format!(
                    "{component} is missing and cannot be added ({error}): install Rust with https://rustup.rs."
                )
            })?;
        }
    }
    Ok(())
}

/// Finds Chromium or Chrome for the browser tests: the path in `CHROMIUM`, else a usual place. If there is none, installs
/// Debian's package.
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        return match find(&named) {
            Some(found) => Ok(found),
            None => Err(format!(
                "CHROMIUM names {}, where there is no program.",
                named.display()
            )),
        };
    }
    let usual = || {
        CHROMIUM_PLACES
            .iter()
            .find_map(|place| find(Path::new(place)))
    };
    if let Some(found) = usual() {
        return Ok(found);
    }
    let user = answer(Command::new("id").arg("-u"));
    if user.as_deref() == Some("0") && find(Path::new("apt-get")).is_some() {
        println!("Installing Chromium.");
        for arguments in ["update", "install --yes --no-install-recommends chromium"] {
            let mut install = command("apt-get", arguments.split(' '));
            run(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
        }
    }
    usual().ok_or_else(|| {
        "The browser tests need Chromium: install it (Debian: `apt-get install chromium`), \
         or set CHROMIUM to the program of a Chromium or Chrome."
            .to_owned()
    })
}

/// Finds Firefox, for tests that compare browsers: the path in `FIREFOX`, else a usual place. If it is `None`, its tests are
/// skipped.
pub(crate) fn firefox() -> Option<PathBuf> {
    match std::env::var_os("FIREFOX") {
        Some(named) => find(Path::new(&named)),
        None => FIREFOX_PLACES
            .iter()
            .find_map(|place| find(Path::new(place))),
    }
}

/// Finds the driver and the browser of WebKitGTK, which draws in Xvfb. If it is `None`, its tests are skipped.
pub(crate) fn webkit() -> Option<[PathBuf; 2]> {
    find(Path::new("Xvfb"))?;
    let browser = MINI_BROWSER_PLACES.map(Path::new).into_iter();
    let browser = browser.filter_map(find).next()?;
    Some([find(Path::new("WebKitWebDriver"))?, browser])
}

const MINI_BROWSER_PLACES: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
];

const FIREFOX_PLACES: [&str; 4] = [
    "firefox-esr",
    "firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:/Program Files/Mozilla Firefox/firefox.exe",
];

const CHROMIUM_PLACES: [&str; 8] = [
    "chromium",
    "google-chrome-stable",
    "google-chrome",
    "chromium-browser",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
];

/// Finds the file of a program, given by its path or by a name in PATH; `None` if there is no such file.
fn find(program: &Path) -> Option<PathBuf> {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&search_path).filter(|_| program.components().count() == 1);
    // Joining an absolute path replaces what was there before.
    let candidates = folders
        .chain([root().to_path_buf()])
        .map(|folder| folder.join(program));
    candidates.into_iter().find(|candidate| candidate.is_file())
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}

fn node_is_supported((major, minor): (u32, u32)) -> bool {
    match major {
        20 => minor >= 19,
        22 => minor >= 13,
        _ => major >= 24,
    }
}

/// Returns true if a built file is missing, or older than its source.
fn is_older(product: &Path, source: &Path) -> bool {
    match (modified(product), modified(source)) {
        (Some(product), Some(source)) => product < source,
        _ => true,
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self};

    use super::*;

    #[test]
    fn node_is_judged_by_the_range_that_package_json_states() {
        let package = fs::read_to_string(root().join("package.json")).unwrap();
        assert!(package.contains(&format!("\"node\": \"{NODE_VERSIONS}\"")));
        for (version, supported) in [
            ((18, 20), false),
            ((20, 18), false),
            ((20, 19), true),
            ((21, 7), false),
            ((22, 12), false),
            ((22, 13), true),
            ((23, 11), false),
            ((24, 0), true),
            ((30, 0), true),
        ] {
            assert_eq!(node_is_supported(version), supported, "{version:?}");
        }
    }
}
