//! The project's tasks: `cargo xtask` followed by serve, test, build, bench, pictures, package or tidy.
//!
//! Each task first installs the tools that it needs and does not find. For tools that only a person can install (Rust,
//! Node.js), a sentence says where to get them.

mod arguments;
mod bench;
mod budgets;
mod lines;
mod package;
mod page;
mod release;
mod setup;
mod shell;
mod test;
mod tidy;
mod wasm;

use std::io::Write;
use std::process::ExitCode;

use arguments::{Package, Task};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let task = match arguments::parse(&words) {
        Ok(task) => task,
        Err(message) => {
            eprintln!("{message}\n\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    let result = match task {
        Task::Help => {
            // A closed pipe, as after `head`, is no failure.
            let _ = writeln!(std::io::stdout(), "{}", arguments::USAGE);
            Ok(())
        }
        Task::Serve { port, dev: false } => page::serve(port),
        Task::Serve { port, dev: true } => page::serve_dev(port),
        Task::Lint => test::run_lints(),
        Task::Test(parts) => test::run_parts(&parts),
        Task::Build => page::build(),
        Task::Package(Package::Npm) => package::npm(),
        Task::Package(Package::C) => package::c(),
        Task::Bench => bench::run_benches(),
        Task::Pictures => page::pictures(),
        Task::Release(tag) => release::check(&tag),
        Task::Lines(commit) => lines::print(commit.as_deref()),
        Task::Tidy => tidy::run_tidy(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nerror: {message}");
            ExitCode::FAILURE
        }
    }
}
