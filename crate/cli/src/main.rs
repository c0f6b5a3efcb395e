//! `snapshot-lab`: the laboratory without a browser.

mod ladder;
mod progress;
mod run;
mod sweep;
mod table;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Plays permalinks of Snapshot Lab, climbs its ladder and sweeps its seeds, without a browser.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Ladder(ladder::Ladder),
    Sweep(sweep::Sweep),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Run(run) => run.execute(),
        Command::Ladder(ladder) => ladder.execute(),
        Command::Sweep(sweep) => sweep.execute(),
    }
}
