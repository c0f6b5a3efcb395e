//! Native tests, by `cargo test`.

use std::process::Command;

use crate::shell::{Result, cargo, run, run_apart};

/// Environment variable with the seed from which proptest draws its cases.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// Builds tests. `selection` has Cargo's options that select packages and targets.
pub(super) fn build(selection: &str) -> Result {
    run(&mut command(&format!("--no-run {selection}")))
}

/// Builds and runs tests. `options` are passed to each program, such as `--ignored`.
pub(super) fn test(selection: &str, options: &str) -> Result {
    run(&mut command(&format!("{selection} -- --quiet {options}")))
}

/// Runs the examples in the documentation of the product's crates.
pub(super) fn test_documentation() -> Result {
    run_apart(&mut command("--doc"))
}

/// Makes a command that tests all selected programs, whichever fail.
///
/// Unless the caller has set a seed, properties draw the same cases in each run. So a change fails by its own fault, never by a
/// drawn case: the workflow `fuzz` draws new seeds each week.
fn command(words: &str) -> Command {
    let words = format!("test --no-fail-fast --target-dir target {words}");
    let mut tests = cargo(words.split_ascii_whitespace());
    if std::env::var_os(PROPERTY_SEED).is_none() {
        tests.env(PROPERTY_SEED, "1");
    }
    tests
}
