//! Command `snapshot-lab tell`: pools the trials of many people's blind tests into one curve for each test.

use crate::files;
use crate::output::ResultForm;
use crate::table::{number, table};
use clap::Args;
use serde::Serialize;
use snapshot_analysis::tell::axis::AxisRow;
use snapshot_analysis::tell::outcome::Who;
use snapshot_analysis::tell::pool::{Pool, pool};
use snapshot_analysis::tell::trials::{FILE_BYTES_MAX, read};
use std::path::PathBuf;
use std::process::ExitCode;

/// Pool the answers of blind tests into one curve for each test. The page saves answers as CSV.
///
/// A curve has the share of right answers at each level. Below it stands the threshold with its 95 % interval. Answers with
/// frames that came late are left out. A damaged file is named, and the exit status is then 1.
#[derive(Args)]
pub(crate) struct TellArguments {
    /// Files of answers, as "Save the answers" writes them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: ResultForm,
}

#[derive(Serialize)]
struct Pooled {
    tests: Vec<Pool>,
    /// Files that could not be read, with the reason.
    refused: Vec<String>,
}

impl TellArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let mut trials = Vec::new();
        let mut refused = Vec::new();
        for path in &self.files {
            let bytes = files::read(path, FILE_BYTES_MAX as u64);
            let file =
                bytes.and_then(|bytes| read(&bytes).map_err(|error| files::fault(path, error)));
            match file {
                Ok(file) => trials.push(file),
                Err(error) => refused.push(error),
            }
        }
        for error in &refused {
            eprintln!("left out: {error}");
        }
        if trials.is_empty() {
            return Err("none of the files can be read".to_owned());
        }
        let pooled = Pooled {
            tests: pool(&trials),
            refused,
        };
        self.form.print(&pooled, print);
        Ok(match pooled.refused.is_empty() {
            true => ExitCode::SUCCESS,
            false => ExitCode::from(1),
        })
    }
}

fn print(pooled: &Pooled) {
    for pool in &pooled.tests {
        println!(
            "Test \"{}\", {} files, {} settings",
            pool.test, pool.files, pool.links
        );
        if pool.left_out > 0 {
            println!(
                "{} answers are left out: frames came late, or software drew them.",
                pool.left_out
            );
        }
        let axis = AxisRow::find(pool.test).ok();
        let rows = pool.levels.iter().map(|level| {
            let name = axis.map_or_else(String::new, |axis| axis.level_text(level.level));
            let [low, high] = level.interval;
            let shares = [level.share, low, high].map(|share| number(share * 100.0, 0));
            [name, level.trials.to_string()]
                .into_iter()
                .chain(shares)
                .collect()
        });
        println!(
            "{}",
            table(["level", "answers", "right %", "from", "to"], 1, rows)
        );
        println!("{}", pool.outcome.sentence(Who::Class));
    }
}
