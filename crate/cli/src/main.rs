//! `snapshot-lab`: the laboratory without a browser. `docs/command-line.md` lists the commands.
//!
//! A module for each command reads its options, calls `snapshot-app`, `snapshot-analysis` or `snapshot-claims`, and prints a
//! table or JSON. The numbers are those of the page. Files, sockets and clocks are read here; the crates below get bytes and
//! times.

/// Replaces std's macro in all modules below, because std's macro panics when the reader of a pipe has ended.
macro_rules! println {
    ($($text:tt)*) => {
        crate::output::line(format_args!($($text)*))
    };
}

/// Replaces std's macro in all modules below, because std's macro panics, and loses the result, when stderr cannot be written.
macro_rules! eprintln {
    ($($text:tt)*) => {
        crate::output::note(format_args!($($text)*))
    };
}

mod challenge;
mod claims;
mod cut;
mod files;
mod inspect;
mod judge;
mod ladder;
mod link;
mod motion;
mod output;
mod progress;
mod proxy;
mod replay;
mod run;
mod table;
mod trace;
mod trade;
mod verdict;
mod widths;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Plays permalinks of Snapshot Lab without a browser. It also climbs the ladder, inspects packets, weighs settings against
/// each other, counts what widths cost, gives a verdict on a motion, and judges captures.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Ladder(ladder::LadderArguments),
    Link(link::LinkArguments),
    Proxy(proxy::ProxyArguments),
    Judge(judge::JudgeArguments),
    Inspect(inspect::InspectArguments),
    Challenge(challenge::Challenge),
    Claims(claims::ClaimsArguments),
    Trade(trade::TradeArguments),
    Widths(widths::WidthsArguments),
    Verdict(verdict::VerdictArguments),
    Replay(replay::ReplayArguments),
}

/// Prints help, version or a parser's error, and exits as clap does. If the text cannot be written, exits with 2.
fn tell(error: &clap::Error) -> ! {
    if error.use_stderr() {
        eprintln!("{}", error.to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(write_error) if write_error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write the output: {write_error}");
            std::process::exit(2);
        }
        _ => std::process::exit(error.exit_code()),
    }
}

fn main() -> ExitCode {
    // A negative number is a value, which its option refuses in words of its own.
    let command =
        Arguments::command().mut_subcommands(|command| command.allow_negative_numbers(true));
    let matches = command.try_get_matches();
    let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = arguments.unwrap_or_else(|error| tell(&error));
    let done = match arguments.command {
        Command::Run(run) => run.execute(),
        Command::Ladder(ladder) => ladder.execute(),
        Command::Link(link) => link.execute(),
        Command::Proxy(proxy) => proxy.execute(),
        Command::Judge(judge) => judge.execute(),
        Command::Inspect(inspect) => inspect.execute(),
        Command::Challenge(challenge) => challenge.execute(),
        Command::Claims(claims) => claims.execute(),
        Command::Trade(trade) => trade.execute(),
        Command::Widths(widths) => widths.execute(),
        Command::Verdict(verdict) => verdict.execute(),
        Command::Replay(replay) => replay.execute(),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
