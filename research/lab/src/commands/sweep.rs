//! `research sweep`: what must always hold, over many seeds.

use super::bar;
use clap::Args;
use std::process::ExitCode;

/// Run lanes with drawn settings over bad networks and hold each to what must always hold.
///
/// Prints for each seed that fails the command that plays it again, and exits with 1 if any does.
#[derive(Args)]
pub(crate) struct Sweep {
    /// Number of seeds.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    seeds: u32,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    first: u32,
}

impl Sweep {
    /// Sweeps and prints.
    pub(crate) fn execute(self) -> ExitCode {
        let bar = bar(self.seeds.into(), "seeds");
        let numbers = self.first..self.first.saturating_add(self.seeds);
        let failures =
            snapshot_research::check::sweep::sweep(numbers, |done| bar.set_position(done.into()));
        bar.finish_and_clear();
        failures.iter().for_each(|failure| println!("{failure}"));
        println!("{} seeds, {} failed", self.seeds, failures.len());
        if failures.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
