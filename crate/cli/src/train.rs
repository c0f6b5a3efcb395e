//! `snapshot-lab train`: makes the tables of rung `predicted`.

use crate::{capture, progress};
use clap::Args;
use snapshot_challenge as challenge;
use snapshot_codec::{Class, Rung, train};
use std::path::PathBuf;
use std::process::ExitCode;

/// Make the tables of rung predicted from captures.
///
/// Frames are predicted from those 1 to 48 ticks before. The same captures in the same order give the same bytes. The tables that the codec has were made from train-m107,
/// train-m108, train-m109, train-hov11 and train-kat11, and are at crate/codec/src/model/predicted.
#[derive(Args)]
pub(crate) struct Train {
    /// Captures, .bin or .bin.xz.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where strict.tables and chained.tables go.
    #[arg(long, default_value = ".")]
    out: PathBuf,
}

impl Train {
    /// Trains and writes.
    pub(crate) fn execute(self) -> ExitCode {
        match self.train() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(2)
            }
        }
    }

    fn train(&self) -> Result<(), String> {
        let captures = self
            .files
            .iter()
            .map(|file| capture::read(file))
            .collect::<Result<Vec<_>, _>>()?;
        for class in Class::ALL {
            let format =
                challenge::format(Rung::Predicted, class).expect("the challenge's format is one");
            let bar = progress::bar(0, "passes");
            let tables = train::train(&format, &captures, &mut |pass, passes, _| {
                bar.set_length(passes as u64);
                bar.set_position(pass as u64);
            });
            bar.finish_and_clear();
            let path = self.out.join(format!("{}.tables", class.name()));
            std::fs::write(&path, &tables)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            println!("{}: {} bytes", path.display(), tables.len());
        }
        Ok(())
    }
}
