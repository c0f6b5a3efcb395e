//! `research`: commands that made the project or judge it. No user of it needs them.

mod commands;

use clap::{Parser, Subcommand};
use commands::{asteroids, challenge, link, pile, playout, sweep, tables, train};
use std::process::ExitCode;

/// Train the tables, and sweep seeds.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Train(train::Train),
    Tables(tables::Tables),
    Challenge(challenge::Challenge),
    Sweep(sweep::Sweep),
    Link(link::Link),
    Pile(pile::Pile),
    Playout(playout::Playout),
    Asteroids(asteroids::Recording),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Train(train) => done(train.execute()),
        Command::Tables(tables) => done(tables.execute()),
        Command::Challenge(challenge) => done(challenge.execute()),
        Command::Sweep(sweep) => sweep.execute(),
        Command::Asteroids(recording) => done(recording.execute()),
        Command::Link(link) => {
            link.execute();
            ExitCode::SUCCESS
        }
        Command::Pile(pile) => done(pile.execute()),
        Command::Playout(playout) => {
            playout.execute();
            ExitCode::SUCCESS
        }
    }
}

fn done(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
