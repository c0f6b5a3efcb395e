//! `research tables`: makes the tables of rungs 13 and 14 again.

use super::train::{Codec, Train};
use clap::Args;
use std::path::{Path, PathBuf};

/// Captures that rung `predicted` was trained on.
const PREDICTED: &[&str] = &[
    "train-m107",
    "train-m108",
    "train-m109",
    "train-hov11",
    "train-kat11",
];
/// Captures that rung `simulated` was trained on, beside scenes of our own.
const SIMULATED: &[&str] = &["train-m107", "train-hov11", "train-kat11"];

/// Train both rungs on the captures that they were trained on: the tables must come out bit for bit.
#[derive(Args)]
pub(crate) struct Tables {
    /// The folder of whole captures. They are no part of the project.
    captures: PathBuf,
    /// The folder that gets the tables, a folder for each rung.
    #[arg(long, default_value = "target/tables")]
    out: PathBuf,
}

impl Tables {
    /// Trains, and compares the tables with the codec's.
    pub(crate) fn execute(&self) -> Result<(), String> {
        self.again("predicted", Codec::Predicted, PREDICTED)?;
        self.again("simulated", Codec::Simulated, SIMULATED)
    }

    fn again(&self, rung: &str, codec: Codec, captures: &[&str]) -> Result<(), String> {
        let out = self.out.join(rung);
        std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        let file = |name: &&str| self.captures.join(format!("{name}.bin.xz"));
        let files = captures.iter().map(file).collect();
        let train = Train { files, codec, out };
        train.execute()?;
        let codec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crate/codec/src/model");
        for name in ["strict.tables", "chained.tables"] {
            let read = |folder: &Path| {
                let path = folder.join(name);
                std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
            };
            if read(&train.out)? != read(&codec.join(rung))? {
                return Err(format!("{rung}: {name} is not the codec's"));
            }
        }
        println!("{rung}: the tables are the codec's");
        Ok(())
    }
}
