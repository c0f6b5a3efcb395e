//! `snapshot-host`: the world of a link for a class, in a local network.

mod args;
mod http;
mod join;
mod limits;
mod room;
mod serve;
mod site;
mod udp;
mod webrtc;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    let done = match arguments.join {
        Some(count) => join::execute(&arguments, count),
        None => serve::execute(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
