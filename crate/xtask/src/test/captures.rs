//! Captures of the original simulation, and the tables that training makes of them.

use crate::shell::{Result, command, root, run};

/// The folder of whole captures. It lies beside the project and is no part of it.
pub(super) const CAPTURES: &str = "../shared/data";
pub(super) const TRAINED_ON: [&str; 5] = [
    "train-m107",
    "train-m108",
    "train-m109",
    "train-hov11",
    "train-kat11",
];
/// Rung `simulated` beside scenes of our own.
const SIMULATED_TRAINED_ON: [&str; 3] = ["train-m107", "train-hov11", "train-kat11"];

/// The tables of the trained rungs are what training makes of its captures, bit for bit.
pub(super) fn tables_made_again() -> Result {
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
