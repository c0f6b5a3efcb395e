//! Replays of this package's recordings: the recorded calls, made on a new client or server.

use super::calls::{ClientArguments, ClientCall, ServerArguments, ServerCall, USUAL_INTEREST};
use super::client::CLIENT;
use super::compare::{Replay, replay_as};
use super::error::RecordingError;
use super::hashes::Hashes;
use super::reader::Reader;
use super::server::{NO_SECRET, SERVER};
use crate::connection::SealDirection;
use crate::{Client, DatagramOutcome, Interest, Object, Peer, Server, SettingsError};
use snapshot_base::text::shorten;
use std::iter;

/// Replays a recording of a client or a server.
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
/// When the bytes are no recording, or one of neither a client nor a server.
pub fn replay(bytes: &[u8]) -> Result<Replay, RecordingError> {
    let refused = |error: SettingsError| RecordingError::Settings(error.number());
    let reader = Reader::new(bytes)?;
    match reader.kind() {
        CLIENT => {
            let made: ClientArguments<'_> = reader.arguments()?;
            let settings = made.settings.into_settings()?;
            let client = Client::new(settings, made.token, made.nonce);
            let mut client = client.map_err(refused)?;
            replay_as(&reader, |now_ms, call, hashes| {
                repeat_client(&mut client, now_ms, call, hashes)
            })
        }
        SERVER => {
            let made: ServerArguments = reader.arguments()?;
            let server = Server::new(made.settings.into_settings()?, NO_SECRET);
            let mut server = ReplayedServer {
                server: server.map_err(refused)?,
                objects: Vec::new(),
                answers: Vec::new(),
            };
            replay_as(&reader, |now_ms, call, hashes| {
                server.repeat(now_ms, call, hashes)
            })
        }
        kind => Err(RecordingError::Kind(shorten(kind))),
    }
}

/// Repeats a call. One that the game's end refused is refused here, too.
fn repeat_client(
    client: &mut Client,
    now_ms: f64,
    call: ClientCall<'_>,
    hashes: &mut Hashes,
) -> Option<()> {
    let mut add_sent = |sent: Option<Vec<u8>>| {
        if let Some(sent) = sent {
            hashes.add_datagram(&sent, SealDirection::ToServer);
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
            let tick = client.shown_tick().unwrap_or(f64::NAN);
            hashes.add_objects(tick, objects.into_iter());
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

struct ReplayedServer {
    server: Server<u32>,
    objects: Vec<Object>,
    answers: Vec<Interest>,
}

impl ReplayedServer {
    fn repeat(&mut self, now_ms: f64, call: ServerCall<'_>, hashes: &mut Hashes) -> Option<()> {
        let Self {
            server,
            objects,
            answers,
        } = self;
        match call {
            ServerCall::Receive {
                from,
                host,
                datagram,
            } => {
                let outcome = match host {
                    Some(host) => server.receive_from_host(now_ms, &from, host.into(), datagram),
                    None => server.receive(now_ms, &from, datagram),
                };
                if let DatagramOutcome::Answer(answer) = outcome {
                    hashes.add_datagram(&answer, SealDirection::ToClient);
                }
            }
            ServerCall::Admit(peer) => server.admit(peer),
            ServerCall::Refuse(peer, words) => server.refuse(peer, words),
            ServerCall::NextEvent => _ = server.next_event(),
            ServerCall::Tick {
                tick,
                objects: changes,
                interests,
            } => {
                *objects = changes.objects(objects)?;
                // `None` for an answer like the one before.
                let mut changes = interests.into_iter().flat_map(|(same, answer)| {
                    iter::repeat_n(None, same as usize).chain([Some(answer)])
                });
                let mut given = Vec::new();
                let sees = |_: Peer, _: &Object| {
                    let before = answers.get(given.len()).copied();
                    let changed = changes.next().flatten();
                    let answer = changed.or(before).unwrap_or(USUAL_INTEREST);
                    given.push(answer);
                    answer
                };
                let send =
                    |_: &u32, sent: &[u8]| hashes.add_datagram(sent, SealDirection::ToClient);
                let _refused = server.tick(now_ms, tick, objects, sees, send);
                if changes.next().is_some() {
                    return None;
                }
                if !given.is_empty() {
                    *answers = given;
                }
                let (packet, objects) = server.newest();
                if packet == tick {
                    hashes.add_objects(tick as f64, objects);
                }
            }
            ServerCall::Input(peer, tick) => _ = server.input(peer, tick),
            ServerCall::Message(peer, bytes) => _ = server.message(peer, bytes),
            ServerCall::Say(peer, bytes) => _ = server.say(peer, bytes),
            ServerCall::NextMessage => _ = server.next_message(),
            ServerCall::Budget(peer, kbps) => _ = server.set_budget(peer, kbps),
        }
        Some(())
    }
}
