//! Everything that has to hold, in the order in which a mistake shows soonest.

use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use crate::shell::{Result, cargo, node, run};
use crate::wasm::Profile;
use crate::{page, setup, tidy, wasm};

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

    fn steps(self) -> &'static [Step] {
        match self {
            Self::Lint => &[
                ("format", || run(&mut cargo(["fmt", "--check"]))),
                ("tidiness", tidy::check),
                ("clippy, native", clippy_native),
                ("clippy, wasm", clippy_wasm),
                ("documentation", documentation),
            ],
            Self::Native => &[("native tests", native)],
            Self::Wasm => &[
                ("wasm build", || wasm::build(Profile::Release)),
                ("native release build", native_release),
            ],
            Self::Browser => &[
                ("site build", page::build),
                ("type check", type_check),
                ("browser tests", browser),
            ],
        }
    }
}

/// A name and what has to succeed; within a part, each step needs those before it.
type Step = (&'static str, fn() -> Result);

/// How a step ended; none if it was left out after a failure.
type Outcome = Option<(Result, Duration)>;

/// Runs the parts, and says at the end what became of each of their steps.
pub(crate) fn run_parts(parts: &[Part]) -> Result {
    for part in parts {
        part.set_up()?;
    }
    let mut outcomes = Vec::new();
    for part in parts {
        let mut failed = false;
        for &(name, step) in part.steps() {
            let outcome = (!failed).then(|| timed(name, step));
            failed |= matches!(outcome, Some((Err(_), _)));
            outcomes.push((name, outcome));
        }
    }
    println!("\n== Summary");
    for (name, outcome) in &outcomes {
        println!("{}", summary_line(name, outcome));
    }
    match outcomes
        .iter()
        .filter(|(_, outcome)| !matches!(outcome, Some((Ok(()), _))))
        .count()
    {
        0 => Ok(()),
        count => Err(format!(
            "{count} of {} steps did not succeed",
            outcomes.len()
        )),
    }
}

fn timed(name: &str, step: fn() -> Result) -> (Result, Duration) {
    println!("\n== {name}");
    let start = Instant::now();
    let result = step();
    let time = start.elapsed();
    match &result {
        Ok(()) => println!("== {name}: {:.1} s", time.as_secs_f32()),
        Err(error) => println!("== {name}: {error}"),
    }
    (result, time)
}

fn summary_line(name: &str, outcome: &Outcome) -> String {
    match outcome {
        Some((Ok(()), time)) => format!("ok      {:7.1} s  {name}", time.as_secs_f32()),
        Some((Err(error), time)) => {
            format!("FAILED  {:7.1} s  {name}: {error}", time.as_secs_f32())
        }
        None => format!("skipped            {name}"),
    }
}

fn clippy_native() -> Result {
    let arguments = "clippy --workspace --exclude snapshot-web --all-targets -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

fn clippy_wasm() -> Result {
    let arguments =
        "clippy --package snapshot-web --target wasm32-unknown-unknown -- --deny warnings";
    run(&mut cargo(arguments.split(' ')))
}

fn documentation() -> Result {
    let arguments = "doc --workspace --exclude snapshot-web --no-deps --document-private-items";
    run(cargo(arguments.split(' ')).env("RUSTDOCFLAGS", "--deny warnings"))
}

fn native() -> Result {
    run(&mut cargo([
        "test",
        "--workspace",
        "--exclude",
        "snapshot-web",
    ]))
}

fn native_release() -> Result {
    run(&mut cargo([
        "build",
        "--release",
        "--package",
        "snapshot-cli",
        "--target-dir",
        "target",
    ]))
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
