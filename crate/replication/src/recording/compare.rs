//! Replays of recordings of any kind, and their comparison with what the recorded end showed and sent.

use super::error::RecordingError;
use super::hashes::{HashPair, Hashes};
use super::reader::Reader;
use super::writer::{EndReason, Record};
use serde::Deserialize;

/// The first difference between a replay's hashes and the recording's, and the calls between which it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the last call after which the hashes were equal, counted from 1; 0 if there is none.
    pub after_call: u64,
    /// Number of the first call after which the hashes were found different.
    pub by_call: u64,
    /// True if the shown pictures differ.
    pub in_view: bool,
    /// True if the sent datagrams differ.
    pub in_sent: bool,
}

/// The outcome of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The kind of the recording, such as `client` or `server`.
    pub kind: String,
    /// Number of recorded calls.
    pub calls: u64,
    /// Time from the first call to the last, ms.
    pub duration_ms: f64,
    /// Hash of all that the replay showed: for a server, the objects of each packet.
    pub view_hash: u64,
    /// Hash of all datagrams that the replay sent, without keys, tokens and messages.
    pub sent_hash: u64,
    /// Number of pictures that were shown.
    pub shows: u64,
    /// Number of datagrams that were sent.
    pub datagrams: u64,
    /// Number of calls up to the last hashes in the recording that the replay's hashes equalled.
    pub compared_calls: u64,
    /// The reason why the recording ended; `None` if it was copied before its end.
    pub end: Option<EndReason>,
    /// The first difference from what the recorded end showed and sent; `None` if there is none.
    pub difference: Option<Difference>,
}

/// Replays a recording whose calls have the type `C`. `repeat` repeats a call at a time, and adds to the hashes what the call
/// showed and sent. It returns `None` for arguments that are not valid.
///
/// # Errors
/// When the bytes are not a valid recording, or a call cannot be repeated.
pub fn replay_as<'a, C: Deserialize<'a>>(
    reader: &Reader<'a>,
    mut repeat: impl FnMut(f64, C, &mut Hashes) -> Option<()>,
) -> Result<Replay, RecordingError> {
    // A recording that is refused makes no client work.
    let mut checked = reader.clone();
    while checked.next_record::<C>()?.is_some() {}
    let (mut reader, mut hashes) = (reader.clone(), Hashes::default());
    let (mut now_ms, mut times_ms) = (0.0_f64, None);
    let (mut end, mut difference) = (None, None);
    let (mut calls, mut compared_calls) = (0, 0);
    while let Some(record) = reader.next_record()? {
        match record {
            Record::Time(passed) => {
                now_ms = f64::from_bits(now_ms.to_bits().wrapping_add_signed(passed));
            }
            Record::Call(call) => {
                calls += 1;
                repeat(now_ms, call, &mut hashes).ok_or(RecordingError::Call(calls))?;
                if now_ms.is_finite() {
                    let (first_ms, _) = times_ms.unwrap_or((now_ms, now_ms));
                    times_ms = Some((first_ms, now_ms));
                }
            }
            Record::Hashes {
                pair, end: reason, ..
            } => {
                end = reason;
                let own = hashes.pair();
                if own != pair {
                    difference.get_or_insert(Difference {
                        after_call: compared_calls,
                        by_call: calls,
                        in_view: own.view != pair.view,
                        in_sent: own.sent != pair.sent,
                    });
                }
                if difference.is_none() {
                    compared_calls = calls;
                }
            }
        }
    }
    let HashPair { view, sent } = hashes.pair();
    let duration_ms = times_ms.map_or(0.0, |(first_ms, last_ms)| last_ms - first_ms);
    Ok(Replay {
        kind: reader.kind().to_owned(),
        calls,
        duration_ms: if duration_ms.is_finite() {
            duration_ms.max(0.0)
        } else {
            0.0
        },
        view_hash: view,
        sent_hash: sent,
        shows: hashes.shows,
        datagrams: hashes.datagrams,
        compared_calls,
        end,
        difference,
    })
}
