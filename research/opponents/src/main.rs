//! Other codecs on a capture or on a motion.

use snapshot_opponents::contest::Row;
use snapshot_opponents::exchange::Exchange;
use snapshot_record::capture;
use snapshot_record::motion::Motion;
use std::fs::File;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: opponents challenge CAPTURE [--json]
       opponents motion FILE [LINK] [--json]

Has other codecs and rungs 9 to 13 send the same packets. A capture goes by the rules of the challenge. A motion goes over the
network of LINK, such as '#hz=20&loss=5'.
";
/// The link of a motion for which none is given.
const LINK: &str = "#hz=20&jitter=0&loss=0";
const FRAMES_MAX: usize = 10 * 60 * 60;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, arguments): (Vec<&str>, Vec<&str>) = arguments
        .iter()
        .map(String::as_str)
        .partition(|argument| argument.starts_with("--"));
    let json = options == ["--json"];
    let exchange = match (&arguments[..], json || options.is_empty()) {
        (["challenge", file], true) => of_capture(file),
        (["motion", file], true) => of_motion(file, LINK),
        (["motion", file, link], true) => of_motion(file, link),
        _ => Err(USAGE.to_owned()),
    };
    let rows = exchange.and_then(|exchange| {
        snapshot_opponents::run(&exchange, &mut |row| {
            if !json {
                println!("{}", line(row));
            }
        })
    });
    match rows {
        Ok(rows) => {
            if json {
                let json = serde_json::to_string_pretty(&rows);
                println!("{}", json.expect("rows have only numbers and names"));
            }
            if rows.iter().all(|row| row.lossless) {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn of_capture(path: &str) -> Result<Exchange, String> {
    let failure = |error: &dyn std::fmt::Display| format!("{path}: {error}");
    let file = File::open(path).map_err(|error| failure(&error))?;
    let frames = capture::read(file, FRAMES_MAX).map_err(|error| failure(&error))?;
    Ok(Exchange::of_capture(&frames))
}

fn of_motion(path: &str, link: &str) -> Result<Exchange, String> {
    let failure = |error: &dyn std::fmt::Display| format!("{path}: {error}");
    let file = File::open(path).map_err(|error| failure(&error))?;
    let motion = Motion::read(file).map_err(|error| failure(&error))?;
    Exchange::of_motion(&motion, link)
}

fn line(row: &Row) -> String {
    format!(
        "{:32} {:9.2} bytes {:8.1} kbit/s {:9.1} us {:9.1} us{}",
        row.codec,
        row.bytes_per_packet_mean,
        row.kbps,
        row.encode_us,
        row.decode_us,
        if row.lossless { "" } else { "  NOT LOSSLESS" },
    )
}
