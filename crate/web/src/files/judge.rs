//! The judge: it compares a client's recorded motion with its server's.

use serde::Serialize;
use snapshot_analysis::judge::{JudgementWords, Similarity, judge_with};
use snapshot_base::hash::fingerprint;
use snapshot_lane::client::ClientRecording;
use snapshot_record::motion::track::Track;
use snapshot_record::motion::{JumpSpeed, Motion};
use std::fmt::Display;

/// Least length of a freeze that is listed, ms.
const FREEZE_MS: f64 = 50.0;

/// A client's judgement, or a question about its file.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Judged {
    Words(JudgementWords),
    /// Both files would fit with another unit or other axes of the client.
    Question {
        question: String,
        /// Options that change the client's positions as the question supposes.
        options: String,
    },
}

/// Judges a client's drawn motion by its server's. Also returns its recording for lane B. `taken` are command line options that
/// change the client's positions; if empty, the positions stay. `tell` gets the finished share of the work, 0 to 1.
///
/// # Errors
/// When one file has no rows, or the files have no object in common, in words.
pub(super) fn judge(
    [server, client]: [&[u8]; 2],
    jumps_over: usize,
    taken: &str,
    tell: &dyn Fn(f64),
) -> Result<(Judged, Option<ClientRecording>), String> {
    let of_server = |error: &dyn Display| format!("The server’s file: {error}");
    let of_client = |error: &dyn Display| format!("The client’s file: {error}");
    let taken = Similarity::of_options(taken).map_err(|error| error.to_string())?;
    let track = Track::read(server, None).map_err(|error| of_server(&error))?;
    tell(0.25);
    let mut drawn = Track::read(client, Some(&track)).map_err(|error| of_client(&error))?;
    tell(0.5);
    if taken != Similarity::default() {
        taken.apply(&mut drawn);
    }
    let judged = judge_with(&track, &drawn, FREEZE_MS, &mut |share| {
        tell(0.5 + 0.4 * share);
    });
    let judged = match judged {
        Ok(judged) => judged,
        Err(error) => {
            let question = error.to_string();
            let options = error.similarity.ok_or_else(|| question.clone())?.options();
            return Ok((Judged::Question { question, options }, None));
        }
    };
    let motion = Motion::of_file(server, JumpSpeed::at(jumps_over));
    let motion = motion.map_err(|error| of_server(&error))?;
    tell(1.0);
    let mut words = JudgementWords::new(&judged.judgement);
    words.add_notes("server's file", &track.notes);
    words.add_notes("client's file", &drawn.notes);
    let recording = judged.recording(&motion, fingerprint(client));
    Ok((Judged::Words(words), Some(recording)))
}
