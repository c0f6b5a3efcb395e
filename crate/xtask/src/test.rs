//! Everything that has to hold, in the order in which a mistake shows soonest.

mod captures;
mod minimum_rust;
mod skipped;

use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::shell::{Result, cargo, command, node, run, run_apart};
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

    /// Installs what is missing now, not after minutes of building.
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

    /// The steps, in chains: a failure in one leaves out the rest of that chain.
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
                &[("minimum Rust version", minimum_rust::check)],
                &[("documentation", documentation)],
                &[("fuzz targets", fuzz_targets)],
            ],
            Self::Native => &[&[("native tests", native)]],
            Self::Wasm => &[&[
                ("decoder by FORMAT.md", decoder_by_format_md),
                ("recorder for three.js", recorder_for_three),
                ("wasm build", || wasm::build(Profile::Release)),
                ("native builds", native_builds),
                ("wasm equals native", wasm_equals_native),
                ("Firefox equals node", firefox_equals_node),
                ("budgets", budgets),
                ("tables made again", captures::tables_made_again),
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

/// The outcome of a step.
struct Outcome {
    name: &'static str,
    /// None if it was left out after a failure.
    result: Option<Result>,
    time: Duration,
}

/// Runs the parts, and says at the end what became of each of their steps. Lint and native tests build for debugging;
/// what the other parts need is built beside them.
pub(crate) fn run_parts(parts: &[Part]) -> Result {
    for part in parts {
        part.set_up()?;
    }
    let is_of_debug = |part: &Part| matches!(part, Part::Lint | Part::Native);
    let (debug, release): (Vec<Part>, Vec<Part>) = parts.iter().partition(|part| is_of_debug(part));
    let ahead = (!debug.is_empty() && !release.is_empty())
        .then(|| std::thread::spawn(|| run_chain(&[("release builds", release_builds_ahead)])));
    let mut outcomes = run_chains(&debug);
    if let Some(ahead) = ahead {
        outcomes.extend(ahead.join().map_err(|_| "the release builds panicked")?);
    }
    outcomes.extend(run_chains(&release));
    println!("\n== Summary");
    for outcome in &outcomes {
        println!("{}", outcome.line());
    }
    for line in skipped::lines(parts) {
        println!("SKIPPED: {line}");
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

fn run_chains(parts: &[Part]) -> Vec<Outcome> {
    let chains = parts.iter().flat_map(|part| part.chains());
    chains.flat_map(|chain| run_chain(chain)).collect()
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
    for manifest in tidy::OTHER_WORKSPACES {
        run(&mut cargo(["fmt", "--check", "--manifest-path", manifest]))?;
    }
    Ok(())
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

/// Builds the libraries' documentation for those who work on them: private items are shown, and may be linked to.
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

/// The command line's program, as it is debugged and as it is given out.
fn native_builds() -> Result {
    // Made for its own tests, among all tests: so it has their features, and none of its crates is built twice.
    let debug = "test --workspace --test command --no-run --target-dir target";
    run(&mut cargo(debug.split(' ')))?;
    run(&mut release_program())
}

fn release_program() -> Command {
    let arguments = "build --package snapshot-cli --target-dir target --release";
    cargo(arguments.split(' '))
}

/// Builds the site and the program that are given out, beside steps that use other folders of `target`.
/// Link-time optimisation has long stretches on one core. The steps that need these builds then find them made.
fn release_builds_ahead() -> Result {
    let xtask = std::env::current_exe().map_err(|error| format!("cannot find xtask: {error}"))?;
    run_apart(&mut command(&xtask.to_string_lossy(), ["build"]))?;
    run_apart(&mut release_program())
}

/// A second decoder, written from the text alone, reads the golden packets as the codec does.
fn decoder_by_format_md() -> Result {
    run(&mut node(
        "--test",
        ["crate/codec/tests/decoder/golden.test.mjs"],
    ))
}

/// The recorder that `motion.html` shows, on the library itself.
fn recorder_for_three() -> Result {
    run(&mut node("--test", ["crate/cli/tests/three.test.mjs"]))
}

fn wasm_equals_native() -> Result {
    run(&mut node("--test", ["crate/web/tests/equality.test.mjs"]))
}

/// Other engines compile the wasm otherwise.
fn firefox_equals_node() -> Result {
    let Some(firefox) = setup::firefox() else {
        println!("SKIPPED: {}", skipped::NO_FIREFOX);
        return Ok(());
    };
    let test = "crate/web/tests/firefox.test.mjs";
    run(node("--test", [test]).env("FIREFOX", firefox))
}

/// Fails if the page has become a third slower or larger.
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
    // Tests of time come when nothing else runs.
    for those in [
        &["--grep-invert", "@alone"][..],
        &["--grep=@alone", "--workers=1"],
    ] {
        let arguments = ["test"].iter().chain(those);
        run(node("node_modules/@playwright/test/cli.js", arguments)
            .env("CHROMIUM", setup::chromium()?)
            .env("PORT", port.to_string()))?;
    }
    Ok(())
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
