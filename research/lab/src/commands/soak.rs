//! `research soak`: virtual hours in which everything must hold.

use super::bar;
use clap::Args;
use snapshot_research::check::soak::soak;
use std::process::ExitCode;

/// Tenths of a thousandth of an hour, for the bar.
const PARTS: f64 = 10_000.0;

/// Run virtual hours of drawn settings over bad networks and check every invariant.
///
/// Three eighths of the hours are one long session a strategy, its network cut about once a minute. The others are lanes of
/// a minute each with drawn settings, over twelve motions. `lanes` counts both. `failures` are lanes in which something did
/// not hold: packets refused or unaccounted for, a world out of sync, or values that are not finite. So are lanes with
/// snapshots decoded to something else (`decode_mismatches` counts these). `sequence_wraps` counts how often 16 bits were
/// over. `bytes_held` is the memory of the three sessions' tapes and histories by their own account, without the keys (60
/// bytes a second). It is the most in the first and in the last five minutes of each.
///
/// Prints for each failure the command that plays it again, and exits with 1 if there are any.
#[derive(Args)]
pub(crate) struct Soak {
    /// Number of virtual hours.
    #[arg(long, value_parser = hours)]
    hours: f64,
    /// Print JSON; failures go to stderr.
    #[arg(long)]
    json: bool,
}

fn hours(text: &str) -> Result<f64, String> {
    let hours: f64 = text.parse().map_err(|_| "it is a number of hours")?;
    if (0.01..=1000.0).contains(&hours) {
        Ok(hours)
    } else {
        Err("it goes from 0.01 to 1000 hours".to_string())
    }
}

impl Soak {
    /// Soaks and prints.
    pub(crate) fn execute(self) -> ExitCode {
        let bar = bar((self.hours * PARTS) as u64, "parts");
        let outcome = soak(self.hours, |hours| bar.set_position((hours * PARTS) as u64));
        bar.finish_and_clear();
        for failure in &outcome.failures {
            eprintln!("{failure}");
        }
        if self.json {
            let json = serde_json::to_string_pretty(&outcome);
            println!("{}", json.expect("only numbers"));
        } else {
            println!(
                "{:.2} virtual hours, {} lanes, {} failed, {} decode mismatches, {} wraps of the sequence, {} bytes held at the \
                 start and {} at the end",
                outcome.virtual_hours,
                outcome.lanes,
                outcome.failures.len(),
                outcome.decode_mismatches,
                outcome.sequence_wraps,
                outcome.bytes_held_start,
                outcome.bytes_held_end
            );
        }
        if outcome.failures.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
