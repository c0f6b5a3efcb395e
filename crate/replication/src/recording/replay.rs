//! Replays of recordings, and their comparison with the pictures and datagrams of the recorded end.

use super::client::{CLIENT, ClientArguments, ClientCall};
use super::error::RecordingError;
use super::hashes::Hashes;
use super::reader::Reader;
use super::writer::{EndReason, Record};
use crate::Client;
use serde::Deserialize;
use snapshot_base::text::shorten;

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
    /// The kind of the recording, such as `client`.
    pub kind: String,
    /// Number of recorded calls.
    pub calls: u64,
    /// Time from the first call to the last, ms.
    pub duration_ms: f64,
    /// Hash of all that the replay showed.
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
                        in_view: own[0] != pair[0],
                        in_sent: own[1] != pair[1],
                    });
                }
                if difference.is_none() {
                    compared_calls = calls;
                }
            }
        }
    }
    let [view_hash, sent_hash] = hashes.pair();
    let duration_ms = times_ms.map_or(0.0, |(first_ms, last_ms)| last_ms - first_ms);
    Ok(Replay {
        kind: reader.kind().to_owned(),
        calls,
        duration_ms: duration_ms.clamp(0.0, f64::MAX),
        view_hash,
        sent_hash,
        shows: hashes.shows,
        datagrams: hashes.datagrams,
        compared_calls,
        end,
        difference,
    })
}

/// Replays a recording of a client.
///
/// ```
/// use snapshot_replication::recording::replay;
/// use snapshot_replication::{Client, Settings};
///
/// let mut client = Client::recorded(Settings::new(40), b"a ticket", 0x1234, 1 << 20)?;
/// for frame in 0..60 {
///     let now_ms = f64::from(frame) * 1000.0 / 60.0;
///     while let Some(_datagram) = client.send(now_ms) {}
///     client.show(now_ms);
/// }
/// let recording = client.take_recording().expect("it records");
/// let replay = replay(&recording)?;
/// assert_eq!((replay.shows, replay.difference), (60, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the bytes are no recording of a client.
pub fn replay(bytes: &[u8]) -> Result<Replay, RecordingError> {
    let reader = Reader::new(bytes)?;
    if reader.kind() != CLIENT {
        return Err(RecordingError::Kind(shorten(reader.kind())));
    }
    let made: ClientArguments<'_> = reader.arguments()?;
    let client = Client::new(made.settings.into_settings()?, made.token, made.nonce);
    let mut client = client.map_err(|error| RecordingError::Settings(error.number()))?;
    replay_as(&reader, |now_ms, call, hashes| {
        repeat(&mut client, now_ms, call, hashes)
    })
}

/// Repeats a call. One that the game's end refused is refused here, too.
fn repeat(
    client: &mut Client,
    now_ms: f64,
    call: ClientCall<'_>,
    hashes: &mut Hashes,
) -> Option<()> {
    let mut add_sent = |sent: Option<Vec<u8>>| {
        if let Some(sent) = sent {
            hashes.add_datagram(&sent);
        }
    };
    match call {
        ClientCall::Receive(datagram) => _ = client.receive(now_ms, datagram),
        ClientCall::NextInput => _ = client.next_input(now_ms),
        ClientCall::Input { tick, input } => _ = client.input(tick, input),
        ClientCall::Message(bytes) => _ = client.message(bytes),
        ClientCall::Say(bytes) => _ = client.say(bytes),
        ClientCall::NextMessage => _ = client.next_message(),
        ClientCall::NextEvent => _ = client.next_event(),
        ClientCall::Send => add_sent(client.send(now_ms)),
        ClientCall::Show => {
            let objects = client.show(now_ms).to_vec();
            hashes.add_objects(client.shown_tick(), &objects);
        }
        ClientCall::GoLive => client.go_live(),
        ClientCall::Goodbye => add_sent(client.goodbye()),
        ClientCall::SetPlayout(settings) => {
            let settings = settings.into_settings().ok()?;
            client.set_playout(settings.interpolation, settings.playout);
        }
    }
    Some(())
}
