//! Replays: the calls of a recording, given to a new client or server.

use super::arguments::{ClientArguments, read_server, take_settings};
use super::client::{CLIENT, ClientCall};
use super::error::RecordingError;
use super::hashes::{HashPair, Hashes};
use super::interests::Answers;
use super::number::{take_bytes, take_number};
use super::objects::take_objects;
use super::reader::{Call, Reader, Record};
use super::redact::bare;
use super::server::{NO_SECRET, SERVER, ServerCall};
use super::writer::EndReason;
use crate::connection::SealDirection;
use crate::{Client, DatagramOutcome, Interest, Object, Peer, Server};

/// The calls after which a replay has other hashes than the recording for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the last call with equal hashes, counted from 1; 0 if there is none.
    pub after_call: u64,
    /// Number of the call with other hashes.
    pub by_call: u64,
    /// True if what was shown differs.
    pub in_view: bool,
    /// True if what was sent differs.
    pub in_sent: bool,
}

/// The outcome of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The kind of the recording.
    pub kind: String,
    /// Number of calls.
    pub calls: u64,
    /// Time from the first call to the last, ms.
    pub duration_ms: f64,
    /// Hash of all that was shown: by a server the objects of each packet.
    pub view_hash: u64,
    /// Hash of all datagrams that were sent, without keys, tokens and messages.
    pub sent_hash: u64,
    /// Number of pictures that were shown.
    pub shows: u64,
    /// Number of datagrams that were sent.
    pub datagrams: u64,
    /// Number of calls up to the last hashes in the recording, with which those of the replay were compared.
    pub compared_calls: u64,
    /// The reason of the recording's end; `None` if it was copied before its end.
    pub end: Option<EndReason>,
    /// The first difference from what the game showed and sent; `None` if all is equal.
    pub difference: Option<Difference>,
}

/// Replays a recording of a client or a server.
///
/// # Errors
/// When the bytes are no recording, or one of another kind.
pub fn replay(bytes: &[u8]) -> Result<Replay, RecordingError> {
    let reader = Reader::new(bytes)?;
    match reader.kind() {
        CLIENT => {
            let mut client = ReplayedClient::new(reader.arguments())?;
            replay_as(&reader, |call, hashes| client.call(call, hashes))
        }
        SERVER => {
            let mut server = ReplayedServer::new(reader.arguments())?;
            replay_as(&reader, |call, hashes| server.call(call, hashes))
        }
        kind => Err(RecordingError::Kind(kind.to_owned())),
    }
}

/// Replays a recording of any kind. `call` repeats a call, and adds to the hashes what it showed and sent; it returns `None` for
/// a call that it cannot read.
///
/// # Errors
/// When the records are no recording, or a call cannot be read.
pub fn replay_as(
    reader: &Reader<'_>,
    mut call: impl FnMut(&Call<'_>, &mut Hashes) -> Option<()>,
) -> Result<Replay, RecordingError> {
    // A recording that is refused makes no client work.
    let mut checked = reader.clone();
    while checked.next_record()?.is_some() {}
    let (mut reader, mut hashes) = (reader.clone(), Hashes::default());
    let (mut times_ms, mut end, mut difference) = (None, None, None);
    let (mut calls, mut compared_calls) = (0, 0);
    while let Some(record) = reader.next_record()? {
        let pair = match record {
            Record::Call(it) => {
                calls += 1;
                call(&it, &mut hashes).ok_or(RecordingError::Call(calls))?;
                if it.time_ms.is_finite() {
                    let (first_ms, _) = times_ms.unwrap_or((it.time_ms, it.time_ms));
                    times_ms = Some((first_ms, it.time_ms));
                }
                continue;
            }
            Record::Checkpoint(pair) => pair,
            Record::End(reason, pair) => {
                end = Some(reason);
                pair
            }
        };
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

struct ReplayedClient {
    client: Client,
}

impl ReplayedClient {
    fn new(arguments: &[u8]) -> Result<Self, RecordingError> {
        let ClientArguments {
            settings,
            token,
            nonce,
        } = ClientArguments::read(arguments)?;
        let client = Client::new(settings, &token, nonce);
        Ok(Self {
            client: client.map_err(|error| RecordingError::Settings(error.number()))?,
        })
    }

    fn call(&mut self, call: &Call<'_>, hashes: &mut Hashes) -> Option<()> {
        let Self { client } = self;
        let (now_ms, mut bytes) = (call.time_ms, call.bytes);
        let all = ClientCall::ALL.into_iter();
        let kind = all.into_iter().find(|it| *it as u8 == call.kind)?;
        let mut add_sent = |sent: Option<Vec<u8>>| {
            let sent = sent.map(|sent| bare(&sent, SealDirection::ToServer));
            sent.iter().for_each(|sent| hashes.add_sent(sent));
        };
        // What was refused in the game is refused here.
        match kind {
            ClientCall::Receive => {
                let _refused = client.receive(now_ms, bytes);
            }
            ClientCall::Input => {
                let tick = take_number(&mut bytes)?;
                let _refused = client.input(tick, bytes);
            }
            ClientCall::Message => {
                let _refused = client.message(bytes);
            }
            ClientCall::Say => {
                let _refused = client.say(bytes);
            }
            ClientCall::SetPlayout => {
                let settings = take_settings(&mut bytes).ok()?;
                if !bytes.is_empty() {
                    return None;
                }
                client.set_playout(settings.interpolation, settings.playout);
            }
            ClientCall::NextInput
            | ClientCall::NextMessage
            | ClientCall::NextEvent
            | ClientCall::Send
            | ClientCall::Show
            | ClientCall::GoLive
            | ClientCall::Goodbye
                if !bytes.is_empty() =>
            {
                return None;
            }
            ClientCall::NextInput => {
                let _tick = client.next_input(now_ms);
            }
            ClientCall::NextMessage => {
                let _message = client.next_message();
            }
            ClientCall::NextEvent => {
                let _event = client.next_event();
            }
            ClientCall::Send => add_sent(client.send(now_ms)),
            ClientCall::GoLive => client.go_live(),
            ClientCall::Goodbye => add_sent(client.goodbye()),
            ClientCall::Show => {
                let objects = client.show(now_ms).to_vec();
                let tick = client.shown_tick().unwrap_or(f64::NAN);
                hashes.add_objects(tick, objects.into_iter());
            }
        }
        Some(())
    }
}

struct ReplayedServer {
    server: Server<u32>,
    objects: Vec<Object>,
    answers: Vec<Interest>,
}

impl ReplayedServer {
    fn new(arguments: &[u8]) -> Result<Self, RecordingError> {
        let server = Server::new(read_server(arguments)?, NO_SECRET);
        Ok(Self {
            server: server.map_err(|error| RecordingError::Settings(error.number()))?,
            objects: Vec::new(),
            answers: Vec::new(),
        })
    }

    fn call(&mut self, call: &Call<'_>, hashes: &mut Hashes) -> Option<()> {
        let (now_ms, mut bytes) = (call.time_ms, call.bytes);
        let mut all = ServerCall::ALL.into_iter();
        match all.find(|it| *it as u8 == call.kind)? {
            ServerCall::Receive => self.receive(now_ms, bytes, hashes)?,
            ServerCall::Tick => self.tick(now_ms, bytes, hashes)?,
            ServerCall::NextEvent => {
                let _event = bytes.is_empty().then(|| self.server.next_event())?;
            }
            ServerCall::NextMessage => {
                let _message = bytes.is_empty().then(|| self.server.next_message())?;
            }
            ServerCall::Admit => {
                let peer = take_peer(&mut bytes)?;
                bytes.is_empty().then(|| self.server.admit(peer))?;
            }
            ServerCall::Refuse => {
                let peer = take_peer(&mut bytes)?;
                self.server.refuse(peer, std::str::from_utf8(bytes).ok()?);
            }
            ServerCall::Input => {
                let (peer, tick) = (take_peer(&mut bytes)?, take_number(&mut bytes)?);
                let _input = bytes.is_empty().then(|| self.server.input(peer, tick))?;
            }
            ServerCall::Message => {
                let peer = take_peer(&mut bytes)?;
                let _refused = self.server.message(peer, bytes);
            }
            ServerCall::Say => {
                let peer = take_peer(&mut bytes)?;
                let _refused = self.server.say(peer, bytes);
            }
            ServerCall::Budget => {
                let peer = take_peer(&mut bytes)?;
                let kbps = match bytes {
                    [] => None,
                    bytes => Some(f64::from_be_bytes(bytes.try_into().ok()?)),
                };
                let _refused = self.server.set_budget(peer, kbps);
            }
        }
        Some(())
    }

    fn receive(&mut self, now_ms: f64, mut bytes: &[u8], hashes: &mut Hashes) -> Option<()> {
        let from = u32::try_from(take_number(&mut bytes)?).ok()?;
        let host = take_number(&mut bytes)?;
        let outcome = match host.checked_sub(1) {
            Some(host) => (self.server).receive_from_host(now_ms, &from, host, bytes),
            None => self.server.receive(now_ms, &from, bytes),
        };
        match outcome {
            DatagramOutcome::Answer(answer) => {
                hashes.add_sent(&bare(&answer, SealDirection::ToClient));
            }
            DatagramOutcome::Joins(..) | DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
        }
        Some(())
    }

    fn tick(&mut self, now_ms: f64, mut bytes: &[u8], hashes: &mut Hashes) -> Option<()> {
        let tick = take_number(&mut bytes)?;
        let mut changes = take_bytes(&mut bytes)?;
        let objects = take_objects(&self.objects, &mut changes)?;
        let mut answers = Answers::new(&self.answers, bytes);
        let sees = |_: Peer, _: &Object| answers.answer();
        let send = |_: &u32, sent: &[u8]| hashes.add_sent(&bare(sent, SealDirection::ToClient));
        let _refused = self.server.tick(now_ms, tick, &objects, sees, send);
        let (is_whole, given) = (answers.is_whole() && changes.is_empty(), answers.given);
        if !given.is_empty() {
            self.answers = given;
        }
        self.objects = objects;
        let (packet, objects) = self.server.newest();
        if packet == tick {
            hashes.add_objects(tick as f64, objects);
        }
        is_whole.then_some(())
    }
}

fn take_peer(bytes: &mut &[u8]) -> Option<Peer> {
    let number = u32::try_from(take_number(bytes)?).ok()?;
    Some(Peer::from_number(number))
}
