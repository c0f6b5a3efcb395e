//! The checks of the project: the task `lint` checks the sources, the task `test` the behaviour.

mod machine;
mod minimum_rust;
mod native;
mod skipped;

use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::shell::{Result, answer, cargo, command, node, run, run_apart};
use crate::wasm::Profile;
use crate::{budgets, package, page, setup, tidy, wasm};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TestPart {
    Native,
    Wasm,
    Browser,
    Machine,
    Apart,
}

impl TestPart {
    pub(crate) const ALL: [Self; 5] = [
        Self::Native,
        Self::Wasm,
        Self::Browser,
        Self::Machine,
        Self::Apart,
    ];
    /// Parts of the tests that run by default. Other parts need a C compiler, or repeat tests on another machine.
    pub(crate) const USUAL: [Self; 3] = [Self::Native, Self::Wasm, Self::Browser];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Wasm => "wasm",
            Self::Browser => "browser",
            Self::Machine => "machine",
            Self::Apart => "apart",
        }
    }

    /// Installs the tools that this part of the tests misses, before minutes of building.
    fn set_up(self) -> Result {
        match self {
            Self::Native | Self::Machine => Ok(()),
            Self::Apart => setup::packages()
                .and_then(|()| setup::wasm_target())
                .and_then(|()| setup::chromium().map(drop))
                .and_then(|()| setup::aarch64()),
            Self::Wasm => setup::packages().and_then(|()| setup::wasm_target()),
            Self::Browser => setup::packages()
                .and_then(|()| setup::wasm_target())
                .and_then(|()| setup::chromium().map(drop)),
        }
    }

    /// Runs the part's chains of steps. A failed step skips the rest of its own chain only.
    fn run(self) -> Vec<StepOutcome> {
        let chains: &[&[TestStep]] = match self {
            Self::Native => &[&[("native tests", native_tests)]],
            Self::Wasm => &[
                &[("decoder by FORMAT.md", decoder_by_format_md)],
                &[
                    ("wasm build", || wasm::build(Profile::Release)),
                    ("command line build", command_line_build),
                    ("wasm equals native", || wasm_equals_native(USUAL_NAMES)),
                ],
            ],
            Self::Browser => &[&[
                ("site build", page::build),
                ("sizes of the first load", budgets::check_first_load),
                ("type check", type_check),
                ("units of the page", page_units),
                ("browser tests", browser),
            ]],
            Self::Machine => &[&[("the same bits on this machine", machine::here)]],
            Self::Apart => APART,
        };
        chains.iter().flat_map(|chain| run_chain(chain)).collect()
    }
}

/// Everything beside README's command, as CONTRIBUTING.md lists it.
const APART: &[&[TestStep]] = &[
    &[("the same bits on aarch64", machine::aarch64)],
    &[("types, npm, tasks, examples", borders)],
    &[("long tests", long_tests)],
    &[("research", research)],
    &[
        ("wasm build", || wasm::build(Profile::Release)),
        ("command line build", command_line_build),
        ("wasm equals native, other links", || {
            wasm_equals_native(OTHER_NAMES)
        }),
        ("Firefox and WebKitGTK equal node", browsers_equal_node),
    ],
    &[
        ("package for npm", package::npm),
        ("package for npm, used", npm_package_used),
        ("package for npm, everywhere", npm_package_everywhere),
        ("package for C", package::c),
        ("package for C, used", package_for_c),
        ("clients in four languages", clients_together),
    ],
    &[
        ("site build", page::build),
        ("command line build", command_line_build),
        ("browser tests beside what README promises", browser_apart),
        ("front with wide letters", browser_wide),
        ("a pass in each browser", browsers),
    ],
];

/// Checks of the sources, which do not run the project's programs.
const LINTS: &[&[TestStep]] = &[
    &[("format", format)],
    &[("format and lint of the page", page::lint)],
    &[("tidiness", tidy::check)],
    &[("budgets of lines and words", budgets::check_sources)],
    &[("clippy, native", clippy_native)],
    &[("clippy, wasm", clippy_wasm)],
    &[("features, each alone", features_alone)],
    &[("clippy, package for C", clippy_c)],
    &[("minimum Rust version", minimum_rust::check)],
    &[("documentation", documentation)],
    &[("packages of the registry", package::registry)],
];

/// Checks the sources: format, the page's linter, tidiness, clippy, documentation, the minimum Rust version.
pub(crate) fn run_lints() -> Result {
    setup::rust_components()?;
    setup::wasm_target()?;
    let outcomes = LINTS.iter().flat_map(|chain| run_chain(chain)).collect();
    summarise(outcomes, minimum_rust::skipped().into_iter().collect())
}

type TestStep = (&'static str, fn() -> Result);

struct StepOutcome {
    name: &'static str,
    /// `None` if an earlier failure skipped the step.
    result: Option<Result>,
    time: Duration,
}

/// Runs parts of the tests, and prints the outcome of each step at the end.
pub(crate) fn run_parts(parts: &[TestPart]) -> Result {
    let start = Instant::now();
    for part in parts {
        part.set_up()?;
    }
    let has_page = parts
        .iter()
        .any(|part| matches!(part, TestPart::Wasm | TestPart::Browser));
    // Link-time optimisation has long stretches on one core, and so have crates that wait for each other: together they fill two.
    let beside = (has_page && parts.contains(&TestPart::Native)).then(|| {
        std::thread::spawn(|| run_chain(&[("site build, beside native builds", build_apart)]))
    });
    let mut outcomes = Vec::new();
    if parts.contains(&TestPart::Native) {
        outcomes.extend(run_chain(&[("native builds", native_builds)]));
    }
    if let Some(beside) = beside {
        outcomes.extend(beside.join().map_err(|_| "the site build panicked")?);
    }
    outcomes.extend(parts.iter().flat_map(|part| part.run()));
    let result = summarise(outcomes, skipped::lines(parts));
    println!("{:10.1} s  in all", start.elapsed().as_secs_f32());
    result
}

/// Prints the outcome of each step, and the tests that this machine cannot run. Returns an error if a step failed.
fn summarise(outcomes: Vec<StepOutcome>, skipped: Vec<String>) -> Result {
    println!("\n== Summary");
    for outcome in &outcomes {
        println!("{}", outcome.line());
    }
    for line in skipped {
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

fn run_chain(chain: &[TestStep]) -> Vec<StepOutcome> {
    let mut outcomes: Vec<StepOutcome> = Vec::new();
    for &(name, step) in chain {
        let go = outcomes.last().is_none_or(StepOutcome::succeeded);
        let start = Instant::now();
        let result = go.then(|| {
            println!("\n== {name}");
            step()
        });
        let outcome = StepOutcome {
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

impl StepOutcome {
    fn succeeded(&self) -> bool {
        matches!(self.result, Some(Ok(())))
    }

    fn line(&self) -> String {
        let time = self.time.as_secs_f32();
        match &self.result {
            Some(Ok(())) => {
                let most = budgets::seconds(self.name);
                let most = most.map_or(String::new(), |most| format!(", of {most} s"));
                format!("ok      {time:6.1} s  {}{most}", self.name)
            }
            Some(Err(error)) => format!("FAILED  {time:6.1} s  {}: {error}", self.name),
            None => format!("skipped           {}", self.name),
        }
    }
}

fn format() -> Result {
    run(&mut cargo(["fmt", "--check"]))?;
    run(tidy::format_c().arg("--check"))
}

fn clippy_native() -> Result {
    let arguments = "clippy --workspace --all-targets -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

fn clippy_wasm() -> Result {
    let arguments = "clippy --package snapshot-web --package snapshot-article --target wasm32-unknown-unknown -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

/// Checks the published crates without features and with each feature alone, and a lane without physics.
fn features_alone() -> Result {
    let mut tree = cargo("tree --package snapshot-lane --edges normal --prefix none".split(' '));
    let tree = answer(&mut tree).ok_or("cargo tree says nothing")?;
    if tree.lines().any(|line| line.starts_with("rapier3d ")) {
        return Err(
            "snapshot-lane brings rapier: a lane over a recorded motion simulates nothing"
                .to_owned(),
        );
    }
    for (package, features) in [
        ("snapshot-codec", "predicted simulated"),
        ("snapshot-replication", "predicted"),
    ] {
        for feature in [""].into_iter().chain(features.split(' ')) {
            let arguments = ["clippy", "--package", package, "--no-default-features"];
            let flags = ["--features", feature, "--", "--deny", "warnings"];
            run(&mut cargo(arguments.into_iter().chain(flags)))?;
        }
    }
    let lane = "clippy --package snapshot-lane --lib -- --deny warnings";
    run(&mut cargo(lane.split(' ')))
}

/// Builds the libraries' documentation for the project's developers, with private items.
fn documentation() -> Result {
    let arguments = "doc --package snapshot-base --package snapshot-netsim --package snapshot-physics --package snapshot-view --package snapshot-replication --package snapshot-codec --package snapshot-settings --package snapshot-record --package snapshot-lane --package snapshot-analysis --package snapshot-app --package snapshot-claims --package snapshot-article --no-deps --document-private-items";
    let flags = "--deny warnings --allow rustdoc::private_intra_doc_links";
    run(cargo(arguments.split(' ')).env("RUSTDOCFLAGS", flags))
}

/// Lints the package for C, a workspace of its own.
fn clippy_c() -> Result {
    let clippy = "clippy --all-targets --all-features --target-dir target/apart --manifest-path";
    let flags = [package::C_MANIFEST, "--", "--deny", "warnings"];
    run(&mut cargo(clippy.split(' ').chain(flags)))
}

/// Targets of the product's tests. With other targets or packages features are others, and crates are built twice.
const PROGRAMS: &str = "--lib --bins --test *";

fn native_builds() -> Result {
    native::build(PROGRAMS)
}

/// Tests the product's crates, without the tests that take long.
fn native_tests() -> Result {
    let documents = std::thread::spawn(native::test_documentation);
    let programs = native::test(PROGRAMS, "");
    let documents = documents.join().map_err(|_| "a command panicked")?;
    programs.and(documents)
}

/// Runs the tests of the product's crates that README's command leaves out, because they take long.
fn long_tests() -> Result {
    native::test(PROGRAMS, "--ignored")
}

/// Tests that only developers of this project build: types for the page, the article's lanes, the package for npm, these tasks;
/// and the examples.
fn borders() -> Result {
    let packages = "--package snapshot-web --package snapshot-article --package snapshot-npm --package snapshot-bindings --package xtask";
    native::test(packages, "--include-ignored")?;
    let examples = "test --examples --target-dir target";
    run(&mut cargo(examples.split(' ')))
}

/// Builds the program `snapshot-lab` with the options of its own tests, so that no crate is built twice.
fn command_line_build() -> Result {
    native::build("--test command")
}

/// Builds the site in parallel with native builds, in another folder of `target`, for later steps.
fn build_apart() -> Result {
    let xtask = std::env::current_exe().map_err(|error| format!("cannot find xtask: {error}"))?;
    run_apart(&mut command(&xtask.to_string_lossy(), ["build"]))
}

/// Tests the packages of `research`: training of tables, the world of the captures of 2015, other codecs, recorders, corpora of
/// the fuzz targets, random settings.
fn research() -> Result {
    native::test(
        "--package snapshot-research --package snapshot-opponents --package snapshot-programs --package snapshot-recorders --package snapshot-benches --lib --bins --test *",
        "",
    )?;
    // By itself: its feature of the package is no other's.
    native::test("--package snapshot-fuzz --lib --test *", "")
}

/// Tests the C library with programs in C and C++, under the sanitizers.
fn package_for_c() -> Result {
    let test = "test --no-fail-fast --target-dir target/apart --manifest-path";
    run(&mut cargo(test.split(' ').chain([package::C_MANIFEST])))
}

/// Builds the packages, and tests a server with clients in Rust, C, Node.js and a page, over sockets.
fn clients_together() -> Result {
    setup::packages()?;
    let shooter = "build --package snapshot-replication --example shooter --example replay --target-dir target";
    run(&mut cargo(shooter.split(' ')))?;
    let together = "build --package snapshot-programs --target-dir target";
    run(&mut cargo(together.split(' ')))?;
    let test = "crate/npm/tests/together/together.test.mjs";
    let shooter = "crate/npm/tests/together/shooter.test.mjs";
    let recorded = "crate/npm/tests/together/recorded.test.mjs";
    run(node("--test", [test, shooter, recorded]).env("CHROMIUM", setup::chromium()?))
}

/// Tests that a second decoder, written from FORMAT.md alone, reads the golden packets as the codec does.
fn decoder_by_format_md() -> Result {
    run(&mut node(
        "--test",
        [
            "crate/codec/tests/decoder/golden.test.mjs",
            "crate/lane/tests/decoder/golden.test.mjs",
        ],
    ))
}

/// Tests the packed npm package: in Node.js, and in a page that Vite builds.
fn npm_package_used() -> Result {
    run(&mut node("--test", ["crate/npm/tests/package.test.mjs"]))
}

/// Tests the packed npm package in two versions of Node.js, a page, a worker and an example.
fn npm_package_everywhere() -> Result {
    setup::packages()?;
    let test = "crate/npm/tests/everywhere.test.mjs";
    run(node("--test", [test]).env("CHROMIUM", setup::chromium()?))
}

/// Pattern of the names of tests that README's command runs; the others begin with "apart: ".
const USUAL_NAMES: &str = "^(?!apart: )";
const OTHER_NAMES: &str = "^apart: ";

/// Tests that links played as wasm or natively give the same figures to the last bit.
fn wasm_equals_native(names: &str) -> Result {
    let pattern = format!("--test-name-pattern={names}");
    let test = "crate/web/tests/equality.test.mjs";
    run(&mut node("--test", [pattern.as_str(), test]))
}

/// Tests that Firefox and WebKitGTK, whose engines compile the wasm differently, give the same results as Node.js.
fn browsers_equal_node() -> Result {
    setup::packages()?;
    let options = ["--test", "crate/web/tests/browsers.test.mjs"];
    run(with_browsers(&mut node(
        "--experimental-websocket",
        options,
    )))
}

fn type_check() -> Result {
    run(&mut node(
        "node_modules/typescript/bin/tsc",
        ["--project", "."],
    ))
}

/// Runs the page's tests that need no browser.
fn page_units() -> Result {
    run(&mut node("www/tests/units.mjs", [""; 0]))
}

/// Runs the browser tests of the features in README, in Chromium alone.
fn browser() -> Result {
    playwright(&["--grep-invert", "@apart"], |tests| tests)
}

/// Runs the other browser tests: refusals and faults, each size and theme, frames of other pages, details of figures. Tests that
/// measure time run last, one at a time.
fn browser_apart() -> Result {
    playwright(
        &["--grep=(?=.*@apart)", "--grep-invert=@alone"],
        with_browsers,
    )?;
    playwright(&["--grep=@alone", "--workers=1"], with_browsers)
}

/// Runs the tests of the first screen once more with letters that are 15 % wider, as other fonts have them.
fn browser_wide() -> Result {
    playwright(&["front.spec.ts"], |tests| tests.env("LETTERS", "wide"))
}

/// Drives the page in Chromium, Firefox and WebKitGTK. A browser that is not installed is skipped.
fn browsers() -> Result {
    let options = ["--test", "www/tests/browsers/pass.test.mjs"];
    let mut pass = node("--experimental-websocket", options);
    pass.env("CHROMIUM", setup::chromium()?);
    run(with_browsers(&mut pass))
}

/// Sets environment variables for a test with the paths of Firefox and WebKitGTK. Tests of a missing browser are skipped.
fn with_browsers(test: &mut Command) -> &mut Command {
    if let Some(firefox) = setup::firefox() {
        test.env("FIREFOX", firefox);
    }
    if let Some([driver, browser]) = setup::webkit() {
        test.env("WEBKIT_DRIVER", driver);
        test.env("MINI_BROWSER", browser);
    }
    test
}

fn playwright(options: &[&str], prepare: fn(&mut Command) -> &mut Command) -> Result {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let port = listener
        .and_then(|listener| listener.local_addr())
        .map_err(|error| format!("there is no free port to serve the page on: {error}"))?
        .port();
    let arguments = ["test"].iter().chain(options);
    let mut tests = node("node_modules/@playwright/test/cli.js", arguments);
    tests
        .env("CHROMIUM", setup::chromium()?)
        .env("PORT", port.to_string());
    run(prepare(&mut tests))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_out_the_rest_and_is_told() {
        let chain: &[TestStep] = &[
            ("first", || Ok(())),
            ("second", || Err("no luck".to_owned())),
            ("third", || unreachable!("it needs the second")),
            ("fourth", || unreachable!("it needs the third")),
        ];
        let lines: Vec<_> = run_chain(chain).iter().map(StepOutcome::line).collect();
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
}
