//! Native tests: their build, their run, and the time of each test.
//!
//! Cargo builds the programs of the tests, and this module runs them: each on one thread, so that the time between two lines of
//! its output is the time of a test. Two programs run at a time.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::slow;
use crate::shell::{Result, cargo, describe, run_apart};

/// A built program of tests.
#[derive(Debug, PartialEq)]
struct Program {
    /// Crate and target, such as `snapshot-lane all`.
    name: String,
    file: PathBuf,
    /// Folder of the crate, in which its tests run.
    folder: PathBuf,
}

/// Builds tests. `selection` has Cargo's options that select packages and targets.
pub(super) fn build(selection: &str) -> Result {
    programs(selection).map(drop)
}

/// Builds and runs tests. `options` are passed to each program, such as `--ignored`.
pub(super) fn test(selection: &str, options: &str) -> Result {
    let mut programs = programs(selection)?;
    // The largest programs run longest: begun first, they leave no core idle at the end.
    programs.sort_by_key(|program| program.file.metadata().map_or(0, |it| it.len()));
    let queue = Arc::new(Mutex::new(programs));
    let workers = [(); 2].map(|()| {
        let (queue, options) = (Arc::clone(&queue), options.to_owned());
        thread::spawn(move || {
            let mut failed = Vec::new();
            loop {
                let next = queue.lock().map_err(|_| "a test runner panicked")?.pop();
                let Some(program) = next else {
                    return Ok::<_, String>(failed);
                };
                if !program.run(&options)? {
                    failed.push(program.name);
                }
            }
        })
    });
    let mut failed = Vec::new();
    for worker in workers {
        failed.extend(worker.join().map_err(|_| "a test runner panicked")??);
    }
    match failed.len() {
        0 => Ok(()),
        _ => Err(format!("tests failed in {}", failed.join(", "))),
    }
}

/// Runs the examples in the documentation of the selected packages.
pub(super) fn test_documentation(selection: &str) -> Result {
    let words = format!("test --doc --no-fail-fast --target-dir target {selection}");
    run_apart(&mut cargo(words.split_ascii_whitespace()))
}

fn programs(selection: &str) -> Result<Vec<Program>> {
    let words = format!(
        "test --no-run --message-format json-render-diagnostics --target-dir target {selection}"
    );
    let mut build = cargo(words.split_ascii_whitespace());
    let line = describe(&build);
    println!("$ {line}");
    let output = build
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{line}` failed ({})", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    Ok(messages.lines().filter_map(parse_program).collect())
}

/// Parses a message of Cargo. Returns `None` if it is not about a program of tests.
fn parse_program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let file = message["executable"].as_str().filter(|_| is_test)?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    let target = message["target"]["name"].as_str()?;
    let package = folder.file_name()?.to_string_lossy();
    Some(Program {
        name: format!("{package} {target}"),
        file: file.into(),
        folder: folder.to_owned(),
    })
}

impl Program {
    /// Runs the program's tests, and prints their outcome. Returns true if all passed.
    fn run(&self, options: &str) -> Result<bool> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.name);
        let mut child = Command::new(&self.file)
            .args(options.split_ascii_whitespace())
            .arg("--test-threads=1")
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .envs(property_seed())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let errors = child
            .stderr
            .take()
            .map(|pipe| thread::spawn(move || std::io::read_to_string(pipe).unwrap_or_default()));
        let mut printed = String::new();
        let mut since = Instant::now();
        let lines = child.stdout.take().map(BufReader::new).into_iter();
        for line in lines.flat_map(BufRead::lines) {
            let line = line.map_err(failed)?;
            if let Some(name) = finished_test(&line) {
                slow::note(since.elapsed(), &format!("{}: {name}", self.name));
                since = Instant::now();
            }
            printed += &line;
            printed.push('\n');
        }
        let passed = child.wait().map_err(failed)?.success();
        let errors = errors.and_then(|thread| thread.join().ok());
        let result = printed
            .lines()
            .rfind(|line| line.starts_with("test result"));
        let output = match result {
            Some(result) if passed => format!("{result}\n"),
            _ => format!("{printed}{}", errors.unwrap_or_default()),
        };
        println!("     Running {}\n{output}", self.name);
        Ok(passed)
    }
}

/// Environment variable with the seed from which proptest draws its cases.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// Returns a fixed seed for properties, unless the caller has set one. So a change fails by its own fault, never by a drawn
/// case: the workflow `fuzz` draws new seeds each week.
fn property_seed() -> Option<(&'static str, &'static str)> {
    let is_set = std::env::var_os(PROPERTY_SEED).is_some();
    (!is_set).then_some((PROPERTY_SEED, "1"))
}

/// Returns the name of the test that a line says to be finished.
fn finished_test(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("test ")?.split_once(" ... ")?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_tests_is_told_from_other_artifacts() {
        let message = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/w/crate/lane/Cargo.toml","target":{{"name":"all"}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let program = Program {
            name: "lane all".to_owned(),
            file: "/t/all-1".into(),
            folder: "/w/crate/lane".into(),
        };
        assert_eq!(parse_program(&message(true, "\"/t/all-1\"")), Some(program));
        for other in [
            &message(false, "\"/t/all-1\""),
            &message(true, "null"),
            r#"{"reason":"build-finished"}"#,
        ] {
            assert_eq!(parse_program(other), None);
        }
    }

    #[test]
    fn a_line_of_a_finished_test_has_its_name() {
        assert_eq!(finished_test("test a::b ... ok"), Some("a::b"));
        assert_eq!(finished_test("test a ... FAILED"), Some("a"));
        assert_eq!(finished_test("test result: ok. 3 passed"), None);
    }
}
