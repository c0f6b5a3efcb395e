//! Whole captures of the original simulation: tests that read captures, and tables from training.

use crate::api::fingerprint;
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

/// The fingerprints of the sources that made the tables again when that was last done, a rung a line.
const MADE_AGAIN: &str = "crate/xtask/tables-made-again.txt";
/// Crates on which the tables of rung `predicted` depend.
const PREDICTED_BY: [&str; 3] = ["base", "codec", "challenge"];
/// The same of rung `simulated`: training simulates scenes of our own.
const SIMULATED_BY: [&str; 9] = [
    "base",
    "codec",
    "challenge",
    "netsim",
    "physics",
    "session",
    "settings",
    "record",
    "lane",
];

/// Runs the tests that read whole captures, then trains again where anything that training depends on has changed since it was
/// last done. The tables must come out bit for bit.
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
    make_again("predicted", &TRAINED_ON, &PREDICTED_BY)?;
    make_again("simulated", &SIMULATED_TRAINED_ON, &SIMULATED_BY)
}

fn make_again(rung: &str, captures: &[&str], crates: &[&str]) -> Result {
    let found = format!("{rung} {:016x}", fingerprint_of_training(crates)?);
    let path = root().join(MADE_AGAIN);
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if committed.lines().any(|line| line == found) {
        println!("The sources of {rung}'s tables are those that made them again: {found}");
        return Ok(());
    }
    tables_of(rung, captures)?;
    let others = committed.lines().filter(|line| !line.starts_with(rung));
    let mut lines: Vec<_> = others.chain([found.as_str()]).collect();
    lines.sort_unstable();
    println!("Writing {MADE_AGAIN}: commit it.");
    std::fs::write(&path, lines.join("\n") + "\n").map_err(|error| format!("{MADE_AGAIN}: {error}"))
}

/// Hashes the crates' sources and manifests, the command that trains, and the versions of everything else.
fn fingerprint_of_training(crates: &[&str]) -> Result<u64> {
    let parts = ["src", "Cargo.toml"];
    let parts = crates
        .iter()
        .flat_map(|name| parts.map(|part| format!("crate/{name}/{part}")));
    let others = [
        "crate/cli/src/train.rs",
        "crate/cli/src/capture.rs",
        "Cargo.lock",
        "Cargo.toml",
    ];
    let files: Vec<_> = parts
        .chain(others.map(str::to_owned))
        .map(|file| root().join(file))
        .collect();
    fingerprint(&files)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_depends_on_every_crate_that_the_lane_depends_on() {
        let manifest = std::fs::read_to_string(root().join("crate/lane/Cargo.toml")).unwrap();
        let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
        let (dependencies, _) = dependencies.split_once("\n[").unwrap();
        let names = dependencies.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix("snapshot-")?.split_once('.')?;
            Some(name)
        });
        let names: Vec<_> = names.collect();
        assert!(names.len() >= 5, "{names:?}");
        for name in names {
            assert!(SIMULATED_BY.contains(&name), "{name}");
        }
        assert!(PREDICTED_BY.iter().all(|name| SIMULATED_BY.contains(name)));
        let of = |crates| fingerprint_of_training(crates).unwrap();
        assert_ne!(of(&PREDICTED_BY), of(&SIMULATED_BY));
    }
}
