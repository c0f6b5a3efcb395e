//! Command `snapshot-lab claims`: measures the numbers of the article.

use clap::Args;
use snapshot_claims::measure::rows;
use std::process::ExitCode;

/// Measure every number of the article "What a network does to a pile of cubes".
///
/// Prints a line for each: id, number, unit and meaning, separated by tabs.
#[derive(Args)]
pub(crate) struct ClaimsArguments {}

impl ClaimsArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        for row in rows() {
            println!("{}", row.join("\t"));
        }
        Ok(ExitCode::SUCCESS)
    }
}
