//! Replays a recording of a client, and says whether the replay shows and sends the same: `replay FILE`.

use snapshot_replication::recording::replay;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("replay FILE");
        return ExitCode::from(2);
    };
    let replayed = std::fs::read(&file)
        .map_err(|error| error.to_string())
        .and_then(|bytes| replay(&bytes).map_err(|error| error.to_string()));
    let replay = match replayed {
        Ok(replay) => replay,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    println!(
        "{} calls, {} pictures with hash {:016x}, {} datagrams with hash {:016x}",
        replay.calls, replay.shows, replay.view_hash, replay.datagrams, replay.sent_hash
    );
    match replay.difference {
        None => {
            println!("equal");
            ExitCode::SUCCESS
        }
        Some(difference) => {
            println!(
                "differs after call {}, by call {}",
                difference.after_call, difference.by_call
            );
            ExitCode::FAILURE
        }
    }
}
