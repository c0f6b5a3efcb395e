//! The package's server and client, for JavaScript.

use std::cell::RefCell;

use js_sys::{Function, Uint8Array};
use snapshot_base::hash::Fnv;
use snapshot_replication::connection::{Peer, Status};
use snapshot_replication::{
    Client, ConnectionEvent, DatagramOutcome, Figures, Interest, Object, ObjectChanges, Server,
    Settings, SettingsError, ShownInstant,
};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::{error, flat, settings};

/// Returns measurements of a connection in the order of `wrap.js`. An unknown value is NaN.
fn figures(figures: &Figures) -> Vec<f64> {
    let known = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
    vec![
        known(figures.round_trip_ms),
        known(figures.least_round_trip_ms),
        figures.lost_there,
        figures.lost_here,
        figures.sent.datagrams,
        figures.sent.bytes,
        figures.received.datagrams,
        figures.received.bytes,
        known(figures.delay_ms),
        figures.freezes as f64,
        known(figures.input_margin_ticks),
        figures.inputs.missing as f64,
        figures.inputs.late as f64,
        figures.inputs.repeated as f64,
        known(figures.path.there_bytes.map(|bytes| bytes as f64)),
        known(figures.path.here_bytes.map(|bytes| bytes as f64)),
        figures.too_large as f64,
        known(figures.server_tick_rate),
        known(figures.budget_kbps),
        figures.missing_objects as f64,
        figures.refused_messages as f64,
        figures.refused_says as f64,
    ]
}

fn changes(changes: &ObjectChanges) -> Vec<u32> {
    let count = [changes.appeared.len() as u32];
    [&count[..], &changes.appeared, &changes.ended].concat()
}

/// A server of objects. The addresses of its clients are strings.
#[wasm_bindgen]
pub struct RawServer {
    pub(crate) server: Server<String>,
    fields: usize,
    floats: Vec<f32>,
}

#[wasm_bindgen]
impl RawServer {
    /// Makes a server from settings: their numbers, and the names of the declared fields, one in each line. The secret has 16
    /// bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[f64], names: &str, secret: &[u8]) -> Result<RawServer, JsError> {
        let settings = settings::read(numbers, names)?;
        let secret = secret.try_into();
        let secret = secret.map_err(|_| JsError::new("the secret must have 16 bytes"))?;
        let fields = settings.fields.len();
        let server = Server::new(settings, secret).map_err(|e| error(e.number()))?;
        let floats = Vec::new();
        Ok(Self {
            server,
            fields,
            floats,
        })
    }

    /// Processes a datagram. The first byte of the result is its kind, and data follow. `host` is a text that
    /// all addresses of a host have in common; undefined if the game names no hosts.
    ///
    /// - 0: accepted. No data follow.
    /// - 1: an answer to send back. Its bytes follow.
    /// - 2: a client asks to join. Its peer number follows as four bytes, big-endian, and then its token.
    /// - 3: refused. The number of the error follows.
    pub fn receive(
        &mut self,
        now_ms: f64,
        from: String,
        bytes: &[u8],
        host: Option<String>,
    ) -> Vec<u8> {
        let outcome = match host {
            Some(host) => {
                let mut hash = Fnv::new();
                hash.add_bytes(host.as_bytes());
                (self.server).receive_from_host(now_ms, &from, hash.finish(), bytes)
            }
            None => self.server.receive(now_ms, &from, bytes),
        };
        match outcome {
            DatagramOutcome::Taken => vec![0],
            DatagramOutcome::Answer(bytes) => [&[1], &bytes[..]].concat(),
            DatagramOutcome::Joins(peer, token) => {
                [&[2], &peer.number().to_be_bytes()[..], &token].concat()
            }
            DatagramOutcome::Refused(reason) => vec![3, reason.number() as u8],
        }
    }

    /// Admits a client that waits to join, by its peer number.
    pub fn admit(&mut self, peer: u32) {
        self.server.admit(Peer::from_number(peer));
    }

    /// Refuses a waiting client, or removes an admitted one; `why` is sent to it.
    pub fn refuse(&mut self, peer: u32, why: &str) {
        self.server.refuse(Peer::from_number(peer), why);
    }

    /// Returns the next event of an admitted client: the client's number, 0 where events were missed, and the event's number.
    pub fn next_event(&mut self) -> Option<Vec<u32>> {
        let event = self.server.next_event()?;
        Some(vec![event.peer().map_or(0, Peer::number), event.number()])
    }

    /// Takes the objects of a tick, and sends the datagrams that are due. Returns ids of the objects that were left out, and
    /// numbers of the reasons. An error of a callback is thrown after everything is sent.
    pub fn tick(
        &mut self,
        now_ms: f64,
        tick: f64,
        floats: &[f32],
        numbers: &[u32],
        sees: Option<Function>,
        send: &Function,
    ) -> Result<Vec<u32>, JsValue> {
        let objects = flat::read(floats, numbers, self.fields);
        let thrown = RefCell::new(None);
        let keep = |called: Result<JsValue, JsValue>| {
            let first = |error| {
                thrown.borrow_mut().get_or_insert(error);
            };
            called.map_err(first).ok()
        };
        let sees = |peer: Peer, id: u32| {
            let Some(sees) = &sees else {
                return Interest::Priority(1.0);
            };
            let seen = sees.call2(&JsValue::NULL, &peer.number().into(), &id.into());
            match keep(seen) {
                Some(seen) if seen.is_string() => Interest::Detail(f32::INFINITY),
                Some(seen) => match seen.as_f64() {
                    Some(priority) if priority > 0.0 => Interest::Priority(priority as f32),
                    Some(_) => Interest::Unseen,
                    None => Interest::from(seen.is_truthy()),
                },
                None => Interest::Unseen,
            }
        };
        let send = |address: &String, bytes: &[u8]| {
            let bytes = Uint8Array::from(bytes);
            keep(send.call2(&JsValue::NULL, &address.into(), &bytes));
        };
        let ticked = self.server.tick(
            now_ms,
            tick as u64,
            &objects,
            |peer, object| sees(peer, object.id),
            send,
        );
        let left_out = ticked.map_err(|e| error(e.number()))?;
        let left_out = left_out.iter().flat_map(|it| [it.id(), it.number()]);
        let left_out = left_out.collect();
        thrown.into_inner().map_or(Ok(left_out), Err)
    }

    /// Returns a client's input for a tick; undefined if it is missing.
    pub fn input(&mut self, peer: u32, tick: f64) -> Option<Vec<u8>> {
        self.server.input(Peer::from_number(peer), tick as u64)
    }

    /// Sends a message to a client: reliably or, with `once`, a single time without repetition.
    pub fn message(&mut self, peer: u32, bytes: &[u8], once: bool) -> Result<(), JsError> {
        let (peer, server) = (Peer::from_number(peer), &mut self.server);
        let taken = match once {
            true => server.say(peer, bytes),
            false => server.message(peer, bytes),
        };
        taken.map_err(|e| error(e.number()))
    }

    /// Returns the next message of a client: its peer as four bytes, big-endian, and the message. Undefined if there is none.
    pub fn next_message(&mut self) -> Option<Vec<u8>> {
        let (peer, bytes) = self.server.next_message()?;
        Some([&peer.number().to_be_bytes()[..], &bytes].concat())
    }

    /// Returns the measurements of the connection to a client; undefined if it is not connected.
    pub fn figures(&self, peer: u32) -> Option<Vec<f64>> {
        Some(figures(&self.server.figures(Peer::from_number(peer))?))
    }

    /// Sets a client's budget, kbit/s; undefined for none. Throws if it is out of bounds, or the client is not connected.
    pub fn set_budget(&mut self, peer: u32, kbps: Option<f64>) -> Result<(), JsError> {
        let set = self.server.set_budget(Peer::from_number(peer), kbps);
        set.map_err(|e| error(e.number()))
    }

    /// Returns the integers of the objects that a client drew at an instant; `floats` then returns their floats. Undefined if
    /// the instant is too old or invalid.
    pub fn seen(&mut self, peer: u32, shown: &[u8]) -> Option<Vec<u32>> {
        let shown = ShownInstant::from_bytes(shown)?;
        let objects = self.server.seen(Peer::from_number(peer), &shown)?;
        self.floats = flat::floats(&objects);
        Some(flat::numbers(&objects, self.fields))
    }

    /// Returns the floats of the objects whose integers were returned last.
    pub fn floats(&self) -> Vec<f32> {
        self.floats.clone()
    }

    /// Returns the changes of the last tick: the number of ids that appeared, these ids, and the ids that ended.
    pub fn changes(&self) -> Vec<u32> {
        changes(self.server.changes())
    }

    /// Returns the peer number of the client at an address; 0 if there is none.
    pub fn peer(&self, address: String) -> u32 {
        self.server.peer(&address).map_or(0, Peer::number)
    }

    /// Number of connected clients.
    pub fn peers(&self) -> usize {
        self.server.peers().count()
    }
}

/// A client of a server of objects.
#[wasm_bindgen]
pub struct RawClient {
    pub(crate) client: Client,
    fields: usize,
    floats: Vec<f32>,
}

impl RawClient {
    /// Makes a client from settings, token and nonce. `make` creates the client within it.
    pub(crate) fn made(
        numbers: &[f64],
        names: &str,
        nonce: &[u8],
        make: impl FnOnce(Settings, u64) -> Result<Client, SettingsError>,
    ) -> Result<RawClient, JsError> {
        let settings = settings::read(numbers, names)?;
        let nonce = nonce.try_into().map(u64::from_be_bytes);
        let nonce = nonce.map_err(|_| JsError::new("the nonce must have 8 bytes"))?;
        let fields = settings.fields.len();
        let client = make(settings, nonce).map_err(|e| error(e.number()))?;
        let floats = Vec::new();
        Ok(Self {
            client,
            fields,
            floats,
        })
    }
}

#[wasm_bindgen]
impl RawClient {
    /// Makes a client from settings: their numbers, and the names of the declared fields, one in each line. The nonce has 8
    /// random bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(
        numbers: &[f64],
        names: &str,
        token: &[u8],
        nonce: &[u8],
    ) -> Result<RawClient, JsError> {
        Self::made(numbers, names, nonce, |settings, nonce| {
            Client::new(settings, token, nonce)
        })
    }

    /// Processes a datagram. Returns 0, or the number of the error if it is refused.
    pub fn receive(&mut self, now_ms: f64, bytes: &[u8]) -> u32 {
        let taken = self.client.receive(now_ms, bytes);
        taken.map_or_else(|reason| reason.number(), |()| 0)
    }

    /// Returns the next datagram that is due for the server; undefined if none is.
    pub fn send(&mut self, now_ms: f64) -> Option<Vec<u8>> {
        self.client.send(now_ms)
    }

    /// Returns the number of the next change of the connection; undefined if there is none.
    pub fn next_event(&mut self) -> Option<u32> {
        self.client.next_event().map(ConnectionEvent::number)
    }

    /// Returns the integer fields of the objects to draw now; `floats` then returns their other fields.
    pub fn show(&mut self, now_ms: f64) -> Vec<u32> {
        let objects = self.client.show(now_ms);
        self.floats = flat::floats(objects);
        flat::numbers(objects, self.fields)
    }

    /// Returns the tick of the newest snapshot, and the integers of its objects; `floats` then returns their floats.
    /// Undefined before the first snapshot.
    pub fn newest(&mut self) -> Option<Vec<f64>> {
        let (tick, objects) = self.client.newest()?;
        let objects: Vec<Object> = objects.collect();
        self.floats = flat::floats(&objects);
        let numbers = flat::numbers(&objects, self.fields);
        let numbers = numbers.into_iter().map(f64::from);
        Some(std::iter::once(tick as f64).chain(numbers).collect())
    }

    /// Returns the next tick for which an input is due; undefined if none is.
    pub fn next_input(&mut self, now_ms: f64) -> Option<f64> {
        self.client.next_input(now_ms).map(|tick| tick as f64)
    }

    /// Takes the player's input for a tick; throws if it is too long, or not due.
    pub fn input(&mut self, tick: f64, bytes: &[u8]) -> Result<(), JsError> {
        let taken = self.client.input(tick as u64, bytes);
        taken.map_err(|e| error(e.number()))
    }

    /// Sends a message to the server: reliably or, with `once`, a single time without repetition.
    pub fn message(&mut self, bytes: &[u8], once: bool) -> Result<(), JsError> {
        let taken = match once {
            true => self.client.say(bytes),
            false => self.client.message(bytes),
        };
        taken.map_err(|e| error(e.number()))
    }

    /// Returns the server's next message; undefined if there is none.
    pub fn next_message(&mut self) -> Option<Vec<u8>> {
        self.client.next_message()
    }

    /// Returns the measurements of the connection.
    pub fn figures(&self) -> Vec<f64> {
        figures(&self.client.figures())
    }

    /// Makes the next frame show the newest possible instant, if play lags behind.
    pub fn go_live(&mut self) {
        self.client.go_live();
    }

    /// Returns bytes by which the server can rebuild the picture that was shown last; undefined before the first.
    pub fn shown(&self) -> Option<Vec<u8>> {
        self.client.shown_instant().map(|it| it.to_bytes().to_vec())
    }

    /// Returns the changes of the last `show`: the number of ids that appeared, these ids, and the ids that ended.
    pub fn changes(&self) -> Vec<u32> {
        changes(self.client.changes())
    }

    /// Returns the number that the server gave this client; 0 while it is not connected.
    pub fn peer(&self) -> u32 {
        self.client.peer().map_or(0, Peer::number)
    }

    /// Returns the server's tick that was shown last, with its fraction; undefined before the first.
    pub fn shown_tick(&self) -> Option<f64> {
        self.client.shown_tick()
    }

    /// Returns the floats of the objects whose integers were returned last.
    pub fn floats(&self) -> Vec<f32> {
        self.floats.clone()
    }

    /// Returns the state of the connection: `connecting`, `connected`, `refused`, `full` or `closed`.
    pub fn status(&self) -> String {
        let status = match self.client.status() {
            Status::Connecting => "connecting",
            Status::Connected => "connected",
            Status::Refused(..) => "refused",
            Status::Full => "full",
            Status::Closed => "closed",
            _ => "of a newer version",
        };
        status.to_owned()
    }

    /// Returns why the client was refused: the game's words, or else the reason. Undefined if it was not refused.
    pub fn refusal(&self) -> Option<String> {
        self.client.refusal()
    }

    /// Returns the number of server restarts that the client noticed.
    pub fn restarts(&self) -> u32 {
        self.client.restarts()
    }

    /// Returns the number of refused datagrams.
    pub fn refused(&self) -> f64 {
        self.client.refused().total() as f64
    }

    /// Ends the connection; returns a datagram that tells the server, or undefined without a connection.
    pub fn goodbye(&mut self) -> Option<Vec<u8>> {
        self.client.goodbye()
    }
}
