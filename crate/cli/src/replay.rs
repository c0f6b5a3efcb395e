//! Command `snapshot-lab replay`: recordings of clients, played again.

use crate::files;
use crate::output::ResultForm;
use crate::table::{number, table};
use clap::Args;
use serde::Serialize;
use snapshot_lane::together::{GUEST_KIND, replay_guest};
use snapshot_replication::recording::{EndReason, Reader, RecordingError, Replay, replay};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Upper limit of the length of a file, bytes.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Replay recordings of the package's clients and of the lab's guests, and say whether they show and send the same as in the game.
///
/// A replay that differs names the calls between which it differs first. A file that is no recording is named. After either the
/// exit status is 1.
#[derive(Args)]
pub(crate) struct ReplayArguments {
    /// Files with recordings.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: ResultForm,
}

/// Result of the replay of a file.
#[derive(Serialize)]
struct Replayed {
    file: String,
    /// `client` or `guest`.
    kind: String,
    duration_ms: f64,
    calls: u64,
    /// Hash of all shown poses. It is text in hexadecimal digits, because JSON's numbers have fewer bits.
    view_hash: String,
    sent_hash: String,
    shows: u64,
    datagrams: u64,
    /// Number of calls for which the recording has hashes to compare.
    compared_calls: u64,
    /// True if all shown poses and sent datagrams equal those of the game.
    is_equal: bool,
    /// `taken`, `full`, or null where the recording was copied before its end.
    end: Option<&'static str>,
    difference: Option<Differs>,
}

#[derive(Serialize)]
struct Differs {
    after_call: u64,
    by_call: u64,
    in_view: bool,
    in_sent: bool,
}

#[derive(Serialize)]
struct Replays {
    replays: Vec<Replayed>,
    /// Files that could not be read, with the reason.
    refused: Vec<String>,
}

impl ReplayArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let (mut replays, mut refused) = (Vec::new(), Vec::new());
        for path in &self.files {
            match replayed(path) {
                Ok(replay) => replays.push(replay),
                Err(error) => refused.push(error),
            }
        }
        for error in &refused {
            eprintln!("left out: {error}");
        }
        if replays.is_empty() {
            return Err("none of the files can be replayed".to_owned());
        }
        let replays = Replays { replays, refused };
        self.form.print(&replays, print);
        let is_equal = replays.replays.iter().all(|replay| replay.is_equal);
        Ok(match is_equal && replays.refused.is_empty() {
            true => ExitCode::SUCCESS,
            false => ExitCode::from(1),
        })
    }
}

fn replayed(path: &Path) -> Result<Replayed, String> {
    let bytes = files::read(path, FILE_BYTES_MAX)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(files::fault(path, "a file of more than 1 GiB"));
    }
    let replay = replay_of(&bytes).map_err(|error| files::fault(path, error))?;
    Ok(Replayed {
        file: path.display().to_string(),
        kind: replay.kind,
        duration_ms: replay.duration_ms,
        calls: replay.calls,
        view_hash: format!("{:016x}", replay.view_hash),
        sent_hash: format!("{:016x}", replay.sent_hash),
        shows: replay.shows,
        datagrams: replay.datagrams,
        compared_calls: replay.compared_calls,
        is_equal: replay.difference.is_none(),
        end: replay.end.map(|end| match end {
            EndReason::Taken => "taken",
            EndReason::Full => "full",
        }),
        difference: replay.difference.map(|difference| Differs {
            after_call: difference.after_call,
            by_call: difference.by_call,
            in_view: difference.in_view,
            in_sent: difference.in_sent,
        }),
    })
}

/// Replays a recording: of a client of the replication package, or of a guest of the lab's shared world.
fn replay_of(bytes: &[u8]) -> Result<Replay, RecordingError> {
    let reader = Reader::new(bytes)?;
    match reader.kind() {
        GUEST_KIND => replay_guest(&reader),
        _ => replay(bytes),
    }
}

fn print(replays: &Replays) {
    let rows = replays.replays.iter().map(|replay| {
        vec![
            replay.file.clone(),
            replay.kind.clone(),
            number(replay.duration_ms / 1000.0, 1),
            replay.calls.to_string(),
            replay.view_hash.clone(),
            outcome(replay),
        ]
    });
    println!(
        "{}",
        table(
            ["file", "kind", "seconds", "calls", "view hash", "outcome"],
            2,
            rows
        )
    );
}

fn outcome(replay: &Replayed) -> String {
    let what = match &replay.difference {
        None if replay.compared_calls == 0 => return "no hash to compare".to_owned(),
        None => return "equal".to_owned(),
        Some(difference) if difference.in_view => "shows something else",
        Some(_) => "sends something else",
    };
    let between = replay.difference.as_ref();
    let calls = between.map(|it| (it.after_call, it.by_call));
    let (after, by) = calls.unwrap_or_default();
    format!("{what} between calls {after} and {by}")
}
