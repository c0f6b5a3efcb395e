//! Replays of this package's recordings: the recorded calls, made on a new client or server.

use super::arguments::{ClientArguments, read_server, take_settings};
use super::calls::{ClientCall, ServerCall};
use super::client::CLIENT;
use super::compare::{Replay, replay_as};
use super::error::RecordingError;
use super::hashes::Hashes;
use super::interests::Answers;
use super::number::{take_bytes, take_number};
use super::objects::take_objects;
use super::reader::{Call, Reader};
use super::redact::bare;
use super::server::{NO_SECRET, SERVER};
use crate::connection::SealDirection;
use crate::{Client, DatagramOutcome, Interest, Object, Peer, Server};

/// Replays a recording of a client or a server.
///
/// ```
/// use snapshot_replication::recording::{Blank, replay};
/// use snapshot_replication::{Client, Settings};
///
/// let mut client = Client::recorded(Settings::new(40), b"a ticket", 0x1234, 1 << 20, Blank::Secrets)?;
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
        let mut all = ClientCall::ALL.into_iter();
        let mut add_sent = |sent: Option<Vec<u8>>| {
            let sent = sent.map(|sent| bare(&sent, SealDirection::ToServer));
            sent.iter().for_each(|sent| hashes.add_sent(sent));
        };
        // A call that the game's end refused is refused here, too.
        match all.find(|it| *it as u8 == call.kind)? {
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
                let (interpolation, playout) = (settings.interpolation, settings.playout);
                (bytes.is_empty()).then(|| client.set_playout(interpolation, playout))?;
            }
            ClientCall::NextInput => {
                let _tick = bytes.is_empty().then(|| client.next_input(now_ms))?;
            }
            ClientCall::NextMessage => {
                let _message = bytes.is_empty().then(|| client.next_message())?;
            }
            ClientCall::NextEvent => {
                let _event = bytes.is_empty().then(|| client.next_event())?;
            }
            ClientCall::Send => add_sent(bytes.is_empty().then(|| client.send(now_ms))?),
            ClientCall::GoLive => bytes.is_empty().then(|| client.go_live())?,
            ClientCall::Goodbye => add_sent(bytes.is_empty().then(|| client.goodbye())?),
            ClientCall::Show => {
                let objects = bytes.is_empty().then(|| client.show(now_ms).to_vec())?;
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
        take_objects(&mut self.objects, &mut changes)?;
        let mut answers = Answers::new(&self.answers, bytes);
        let sees = |_: Peer, _: &Object| answers.answer();
        let send = |_: &u32, sent: &[u8]| hashes.add_sent(&bare(sent, SealDirection::ToClient));
        let _refused = self.server.tick(now_ms, tick, &self.objects, sees, send);
        let (is_whole, given) = (answers.is_whole() && changes.is_empty(), answers.given);
        if !given.is_empty() {
            self.answers = given;
        }
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
