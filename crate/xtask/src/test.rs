//! Everything that has to hold, in the order in which a mistake shows soonest.

use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use crate::shell::{Result, answer, cargo, command, node, root, run};
use crate::tidy::RUST_VERSION;
use crate::wasm::Profile;
use crate::{modules, page, setup, tidy, wasm};

/// A part of the tests that can be asked for by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Lint,
    Native,
    Wasm,
    Browser,
}

impl Part {
    pub(crate) const ALL: [Self; 4] = [Self::Lint, Self::Native, Self::Wasm, Self::Browser];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Native => "native",
            Self::Wasm => "wasm",
            Self::Browser => "browser",
        }
    }

    /// What is missing should be known now, not after minutes of building.
    fn set_up(self) -> Result {
        match self {
            Self::Lint => setup::rust_components().and_then(|()| setup::wasm_target()),
            Self::Native => Ok(()),
            Self::Wasm => setup::packages().and_then(|()| setup::wasm_target()),
            Self::Browser => setup::packages()
                .and_then(|()| setup::wasm_target())
                .and_then(|()| setup::chromium().map(drop)),
        }
    }

    /// What to do, in chains: a failure in one leaves out the rest of that one.
    fn chains(self) -> &'static [&'static [Step]] {
        match self {
            Self::Lint => &[
                &[("format", format)],
                &[("tidiness", tidy::check)],
                &[("module circles", modules::check)],
                &[("public items", modules::check_public_items)],
                &[("clippy, native", clippy_native)],
                &[("clippy, wasm", clippy_wasm)],
                &[("clippy, no_std", clippy_no_std)],
                &[("documentation", documentation)],
                &[("fuzz targets", fuzz_targets)],
            ],
            Self::Native => &[&[("native tests", native)]],
            Self::Wasm => &[&[
                ("decoder by FORMAT.md", decoder_by_format_md),
                ("wasm build", || wasm::build(Profile::Release)),
                ("native builds", native_builds),
                ("wasm equals native", wasm_equals_native),
                ("Firefox equals node", firefox_equals_node),
                ("budgets", budgets),
                ("tables made again", tables_made_again),
            ]],
            Self::Browser => &[&[
                ("site build", page::build),
                ("type check", type_check),
                ("browser tests", browser),
            ]],
        }
    }
}

/// A name and what has to succeed.
type Step = (&'static str, fn() -> Result);

/// What became of a step.
struct Outcome {
    name: &'static str,
    /// None if it was left out after a failure.
    result: Option<Result>,
    time: Duration,
}

/// Runs the parts, and says at the end what became of each of their steps.
pub(crate) fn run_parts(parts: &[Part]) -> Result {
    for part in parts {
        part.set_up()?;
    }
    let outcomes: Vec<_> = parts
        .iter()
        .flat_map(|part| part.chains())
        .flat_map(|chain| run_chain(chain))
        .collect();
    println!("\n== Summary");
    for outcome in &outcomes {
        println!("{}", outcome.line());
    }
    if let Some(left_out) = what_is_left_out(parts) {
        println!("{left_out}");
    }
    if parts.contains(&Part::Wasm) && setup::firefox().is_none() {
        println!("SKIPPED: {NO_FIREFOX}");
    }
    if let Some(other) = other_rust_version() {
        println!("SKIPPED: the minimum Rust version, {RUST_VERSION}: all this ran with {other}");
    }
    let succeeded = outcomes
        .iter()
        .filter(|outcome| outcome.succeeded())
        .count();
    if succeeded < outcomes.len() {
        return Err(format!("{succeeded} of {} steps succeeded", outcomes.len()));
    }
    Ok(())
}

/// Returns the compiler's version if it is not the minimum one. What is newer than that is then left to Clippy.
fn other_rust_version() -> Option<String> {
    let told = answer(&mut command("rustc", ["--version"]))?;
    let version = told.split(' ').nth(1)?;
    let is_minimum = version.starts_with(&format!("{RUST_VERSION}."));
    (!is_minimum).then(|| version.to_owned())
}

fn run_chain(chain: &[Step]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for &(name, step) in chain {
        let go = outcomes.last().is_none_or(Outcome::succeeded);
        let start = Instant::now();
        let result = go.then(|| {
            println!("\n== {name}");
            step()
        });
        let outcome = Outcome {
            name,
            result,
            time: start.elapsed(),
        };
        if go {
            println!("== {}", outcome.line());
        }
        outcomes.push(outcome);
    }
    outcomes
}

impl Outcome {
    fn succeeded(&self) -> bool {
        matches!(self.result, Some(Ok(())))
    }

    fn line(&self) -> String {
        let Self { name, result, time } = self;
        let time = time.as_secs_f32();
        match result {
            Some(Ok(())) => format!("ok      {time:6.1} s  {name}"),
            Some(Err(error)) => format!("FAILED  {time:6.1} s  {name}: {error}"),
            None => format!("skipped           {name}"),
        }
    }
}

fn format() -> Result {
    run(&mut cargo(["fmt", "--check"]))?;
    run(&mut cargo([
        "fmt",
        "--check",
        "--manifest-path",
        "crate/fuzz/Cargo.toml",
    ]))
}

fn clippy_native() -> Result {
    let arguments = "clippy --workspace --all-targets -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

fn clippy_wasm() -> Result {
    let arguments =
        "clippy --package snapshot-web --target wasm32-unknown-unknown -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

/// The codec as those use it who have no operating system.
fn clippy_no_std() -> Result {
    let arguments = "clippy --package snapshot-codec --no-default-features -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

/// Of the libraries, for those who work on them: private items are shown, and may be linked to.
fn documentation() -> Result {
    let arguments = "doc --package snapshot-base --package snapshot-netsim --package snapshot-physics --package snapshot-session --package snapshot-codec --package snapshot-challenge --package snapshot-lab --package snapshot-course --no-deps --document-private-items";
    let flags = "--deny warnings --allow rustdoc::private_intra_doc_links";
    run(cargo(arguments.split(' ')).env("RUSTDOCFLAGS", flags))
}

/// They are checked, not linked: that takes a nightly compiler. Naming a fuzzer, even one that is not there, saves building it.
fn fuzz_targets() -> Result {
    let arguments =
        "clippy --manifest-path crate/fuzz/Cargo.toml --target-dir target/fuzz -- --deny warnings";
    run(cargo(arguments.split(' ')).env("CUSTOM_LIBFUZZER_PATH", "target/libfuzzer.a"))
}

fn native() -> Result {
    run(&mut cargo(["test", "--workspace"]))
}

/// Captures for measuring and training lie beside the project and are no part of it.
const CAPTURES: &str = "../shared/data";
const TRAINED_ON: [&str; 5] = [
    "train-m107",
    "train-m108",
    "train-m109",
    "train-hov11",
    "train-kat11",
];
/// Rung `simulated` beside scenes of our own.
const SIMULATED_TRAINED_ON: [&str; 3] = ["train-m107", "train-hov11", "train-kat11"];

/// Tests that need whole captures or samples: their names, and the files. The test runner hides that they pass without them.
const NEEDS: &[(&str, &[&str])] = &[
    (
        "quantises_as_the_original_did",
        &["mixed-1200.f32.xz", "mixed.bin.xz"],
    ),
    (
        "every_delta_rung_is_lossless_and_as_small_as_it_was_on_the_whole_of_mixed",
        &["mixed.bin.xz"],
    ),
    (
        "relative_orientations_cost_what_was_published",
        &["smallest_three_values.txt.xz"],
    ),
    (
        "arithmetic_rungs_beat_the_best_of_the_challenge",
        &["mixed.bin.xz"],
    ),
    (
        "simulating_the_originals_world_saves_a_sixth_at_least_strict",
        &["mixed.bin.xz", "mixed.inputs"],
    ),
    (
        "simulating_the_originals_world_saves_a_sixth_at_least_chained",
        &["mixed.bin.xz", "mixed.inputs"],
    ),
    (
        "errors_are_those_of_an_independent_implementation",
        &["mixed-1200.f32.xz"],
    ),
];

/// Says how many tests of the parts showed nothing, because their files are missing.
fn what_is_left_out(parts: &[Part]) -> Option<String> {
    let is_missing = |file: &&str| !root().join(CAPTURES).join(file).is_file();
    let mut tests = Vec::new();
    let mut missing = Vec::new();
    if parts.contains(&Part::Native) {
        for (test, files) in NEEDS {
            let files: Vec<_> = files.iter().copied().filter(is_missing).collect();
            if !files.is_empty() {
                tests.push(*test);
            }
            missing.extend(files.into_iter().map(str::to_owned));
        }
    }
    if parts.contains(&Part::Wasm) {
        let files = TRAINED_ON.map(|name| format!("{name}.bin.xz"));
        let files: Vec<_> = files
            .into_iter()
            .filter(|file| is_missing(&file.as_str()))
            .collect();
        if !files.is_empty() {
            tests.push("tables made again");
        }
        missing.extend(files);
    }
    missing.sort();
    missing.dedup();
    (!tests.is_empty()).then(|| {
        format!(
            "SKIPPED: {} tests ({}), because {CAPTURES} lacks {}",
            tests.len(),
            tests.join(", "),
            missing.join(", ")
        )
    })
}

/// The tables of the trained rungs are what training makes of its captures, bit for bit.
fn tables_made_again() -> Result {
    tables_of("predicted", &TRAINED_ON)?;
    tables_of("simulated", &SIMULATED_TRAINED_ON)
}

fn tables_of(rung: &str, captures: &[&str]) -> Result {
    let file = |name: &&str| format!("{CAPTURES}/{name}.bin.xz");
    let files: Vec<_> = captures.iter().map(file).collect();
    if !files.iter().all(|file| root().join(file).is_file()) {
        println!("SKIPPED: the captures for training {rung} are not in {CAPTURES}");
        return Ok(());
    }
    let made = format!("target/tables/{rung}");
    std::fs::create_dir_all(root().join(&made)).map_err(|error| format!("{made}: {error}"))?;
    let arguments = ["train", "--codec", rung, "--out", &made].map(str::to_owned);
    run(&mut command(
        "target/release/snapshot-lab",
        arguments.into_iter().chain(files),
    ))?;
    for name in ["strict.tables", "chained.tables"] {
        let read = |folder: &str| {
            let path = root().join(folder).join(name);
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        if read(&made)? != read(&format!("crate/codec/src/model/{rung}"))? {
            return Err(format!("{made}/{name} is not what the codec has"));
        }
    }
    Ok(())
}

/// The command line's program, as it is debugged and as it is given out.
fn native_builds() -> Result {
    let build = "build --package snapshot-cli --target-dir target --profile";
    for profile in ["dev", "release"] {
        run(&mut cargo(build.split(' ').chain([profile])))?;
    }
    Ok(())
}

/// A second decoder, written from the text alone, reads the golden packets as the codec does.
fn decoder_by_format_md() -> Result {
    run(&mut node(
        "--test",
        ["crate/codec/tests/decoder/golden.test.mjs"],
    ))
}

fn wasm_equals_native() -> Result {
    run(&mut node("--test", ["crate/web/tests/equality.test.mjs"]))
}

/// Other engines compile the wasm otherwise.
fn firefox_equals_node() -> Result {
    let Some(firefox) = setup::firefox() else {
        println!("SKIPPED: {NO_FIREFOX}");
        return Ok(());
    };
    let test = "crate/web/tests/firefox.test.mjs";
    run(node("--test", [test]).env("FIREFOX", firefox))
}

const NO_FIREFOX: &str = "Firefox is not there: install it (Debian: `apt-get install firefox-esr`), or set FIREFOX to its program";

/// What is a third slower or larger than it was fails.
fn budgets() -> Result {
    run(&mut node("--test", ["crate/web/tests/budget.test.mjs"]))
}

fn type_check() -> Result {
    run(&mut node(
        "node_modules/typescript/bin/tsc",
        ["--project", "."],
    ))
}

fn browser() -> Result {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let port = listener
        .and_then(|listener| listener.local_addr())
        .map_err(|error| format!("there is no free port to serve the page on: {error}"))?
        .port();
    run(node("node_modules/@playwright/test/cli.js", ["test"])
        .env("CHROMIUM", setup::chromium()?)
        .env("PORT", port.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_out_the_rest_and_is_told() {
        let chain: &[Step] = &[
            ("first", || Ok(())),
            ("second", || Err("no luck".to_owned())),
            ("third", || unreachable!("it needs the second")),
            ("fourth", || unreachable!("it needs the third")),
        ];
        let lines: Vec<_> = run_chain(chain).iter().map(Outcome::line).collect();
        assert_eq!(
            lines,
            [
                "ok         0.0 s  first",
                "FAILED     0.0 s  second: no luck",
                "skipped           third",
                "skipped           fourth",
            ]
        );
    }

    #[test]
    fn tests_that_need_captures_are_the_named_ones() {
        let tests = [
            "codec/tests/captures.rs",
            "challenge/tests/captures.rs",
            "lab/tests/captured_truth.rs",
        ];
        let mut found = Vec::new();
        for file in tests {
            let text = std::fs::read_to_string(root().join("crate").join(file)).unwrap();
            for test in text.split("#[test]\nfn ").skip(1) {
                // To the end of the function and of its helper, if that follows.
                let name = test.split('(').next().unwrap();
                let body = test.split("\n}\n").next().unwrap();
                let marks = [
                    "read_capture(",
                    "unpack_shared(",
                    "captured()",
                    "check_saving",
                ];
                if marks.iter().any(|mark| body.contains(mark)) {
                    found.push(name.to_owned());
                }
            }
        }
        let named: Vec<_> = NEEDS.iter().map(|(test, _)| (*test).to_owned()).collect();
        assert_eq!(found, named);
        for (_, files) in NEEDS {
            assert!(!files.is_empty());
        }
    }

    #[test]
    fn every_part_and_step_has_a_name_of_its_own() {
        let mut names: Vec<_> = Part::ALL.iter().map(|part| part.name()).collect();
        names.extend(
            Part::ALL
                .iter()
                .flat_map(|part| part.chains())
                .flat_map(|chain| *chain)
                .map(|(name, _)| *name),
        );
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
