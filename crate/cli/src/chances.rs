//! `snapshot-lab chances`: the spread of the tour's claims about chance, and of those that compare.

use crate::progress;
use clap::Args;
use snapshot_course::chance::{self, Row, SEEDS};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure the tour's claims about chance over 24 seeds, and write the table that the tour shows.
///
/// A row is of a claim about chance, or of the ratio of two claims that are compared, over 8 seeds. One whose claims and
/// engine are still these is kept; --all measures every row. Each row has the step, the claim, a key and the number of seeds.
/// Then follow the interval of 22 of 24 runs, or of all 8, with the median between its ends. Last are the runs without a
/// single event, and the value on the step's own seed.
#[derive(Args)]
pub(crate) struct Chances {
    /// The table.
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// Measure every row, also those that are up to date.
    #[arg(long)]
    all: bool,
}

impl Chances {
    /// Measures and writes.
    pub(crate) fn execute(self) -> ExitCode {
        let kept = if self.all {
            Vec::new()
        } else {
            std::fs::read_to_string(&self.table)
                .map_or_else(|_| Vec::new(), |text| chance::parse(&text))
        };
        let row = |subject: chance::Subject| {
            let key = subject.key();
            let is = |row: &&Row| subject.has(row) && row.key == key;
            kept.iter().find(is).cloned()
        };
        let subjects: Vec<_> = chance::subjects().collect();
        let is_missing = |subject: &&chance::Subject| row(**subject).is_none();
        let missing: Vec<_> = subjects.iter().filter(is_missing).copied().collect();
        let bar = progress::bar(u64::from(SEEDS), "seeds");
        let mut made = chance::measure(&missing, || bar.inc(1)).into_iter();
        let all = subjects
            .iter()
            .filter_map(|subject| row(*subject).or_else(|| made.next()));
        let all: Vec<Row> = all.collect();
        let written = std::fs::write(&self.table, chance::write(&all));
        bar.finish_and_clear();
        match written {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {}: {error}", self.table.display());
                ExitCode::from(2)
            }
        }
    }
}
