//! Whole captures of the original simulation: tests that read captures, and tables from training.

use crate::shell::{Result, cargo, command, root, run};

/// The folder of whole captures. It lies beside the project and is no part of it.
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

/// Runs the tests that read whole captures, then trains again. The tables must come out bit for bit.
///
/// `cargo xtask test` runs on committed excerpts, and trains on one every time.
pub(crate) fn run_captures() -> Result {
    if !root().join(CAPTURES).is_dir() {
        return Err(format!("there are no captures in {CAPTURES}"));
    }
    let tests = "test --package snapshot-codec --package snapshot-challenge --package snapshot-lane --test captures --test captured_truth -- --ignored";
    run(&mut cargo(tests.split(' ')))?;
    let program = "build --package snapshot-cli --release --target-dir target";
    run(&mut cargo(program.split(' ')))?;
    tables_of("predicted", &TRAINED_ON)?;
    tables_of("simulated", &SIMULATED_TRAINED_ON)
}

/// Trains, and compares the tables with the codec's.
fn tables_of(rung: &str, captures: &[&str]) -> Result {
    let file = |name: &&str| format!("{CAPTURES}/{name}.bin.xz");
    let files: Vec<_> = captures.iter().map(file).collect();
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
