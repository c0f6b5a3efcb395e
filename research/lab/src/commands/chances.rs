//! `research chances`: the spread of the tour's claims about chance, and of those that compare.

use super::bar;
use clap::Args;
use snapshot_course::chance::{self, ChanceRow, SEEDS};
use snapshot_research::chances;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Seeds that are measured at once: each holds motions of its own.
const THREADS: u32 = 6;

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
    pub(crate) fn execute(&self) -> Result<(), String> {
        // A table that cannot be written is refused before minutes of work.
        let opened = std::fs::File::options()
            .append(true)
            .create(true)
            .open(&self.table);
        opened.map_err(|error| format!("{}: {error}", self.table.display()))?;
        let kept = if self.all {
            Vec::new()
        } else {
            std::fs::read_to_string(&self.table)
                .map_or_else(|_| Vec::new(), |text| chance::parse(&text))
        };
        let row = |subject: chance::Subject| {
            let key = subject.key();
            let is = |row: &&ChanceRow| subject.has(row) && row.key == key;
            kept.iter().find(is).cloned()
        };
        let subjects: Vec<_> = chance::subjects().collect();
        let is_missing = |subject: &&chance::Subject| row(**subject).is_none();
        let missing: Vec<_> = subjects.iter().filter(is_missing).copied().collect();
        let values = over_seeds(&missing);
        let mut made = missing.iter().enumerate().filter_map(|(place, subject)| {
            let of_seeds: Vec<_> = values.iter().map(|of_seed| of_seed[place]).collect();
            chances::row(subject, &of_seeds)
        });
        let all = subjects
            .iter()
            .filter_map(|subject| row(*subject).or_else(|| made.next()));
        let all: Vec<ChanceRow> = all.collect();
        let written = std::fs::write(&self.table, chances::write(&all));
        written.map_err(|error| format!("{}: {error}", self.table.display()))
    }
}

/// The values of all seeds, each seed measured by itself. A seed's place is its number less one.
fn over_seeds(subjects: &[chance::Subject]) -> Vec<Vec<Option<f64>>> {
    let bar = bar(u64::from(SEEDS), "seeds");
    let next = AtomicU32::new(1);
    let values = Mutex::new(vec![Vec::new(); SEEDS as usize]);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > SEEDS {
                        break;
                    }
                    let of_seed = chances::measure(subjects, seed);
                    if let Ok(mut values) = values.lock() {
                        values[seed as usize - 1] = of_seed;
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    values.into_inner().unwrap_or_default()
}
