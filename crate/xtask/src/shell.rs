//! Running of other programs: their command lines, output and success.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Result of a task. The error is a sentence for a person, with a remedy if there is one.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// Returns the root folder of the workspace, wherever the task was called from.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// Returns the files and folders in a folder, sorted; empty if the folder cannot be read.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = folder.read_dir().into_iter().flatten().flatten();
    let mut found: Vec<_> = found.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Returns all files below a folder, sorted, except files in folders of build results.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let found = entries(folder).into_iter();
    let found = found.flat_map(|path| match path.is_dir() {
        true if path.ends_with("target") => Vec::new(),
        true => files_below(&path),
        false => vec![path],
    });
    found.collect()
}

/// Returns the folder for build results: `CARGO_TARGET_DIR` if set, else `target/`.
pub(crate) fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root().join(named.unwrap_or_else(|| "target".into()))
}

/// Makes a command for a program, started in the root folder.
pub(crate) fn command<S: AsRef<OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Makes a command for the Cargo that runs this program.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    command(
        &std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()),
        arguments,
    )
}

/// Makes a command for a script of an npm package. Node.js starts the script directly, which works the same on every system.
pub(crate) fn node<S: AsRef<OsStr>>(
    script: &str,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = command("node", [script]);
    command.args(arguments);
    command
}

/// Prints a command, runs it, and waits for it. Returns an error if the command fails.
pub(crate) fn run(command: &mut Command) -> Result {
    let line = describe(command);
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}` failed ({status})")),
        Err(error) => Err(format!("cannot start `{line}`: {error}")),
    }
}

/// Runs a command that runs in parallel with other commands. Its output is printed as a whole at the end.
pub(crate) fn run_apart(command: &mut Command) -> Result {
    let line = describe(command);
    let output = command
        .output()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    println!("$ {line}\n{}{}", said[0], said[1]);
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`{line}` failed ({})", output.status))
}

/// Runs another program quietly and returns its output; `None` if the program is missing or fails.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Formats a command as a person would type it in the root folder.
pub(crate) fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_stem()
        .unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
