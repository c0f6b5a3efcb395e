//! The recorder of a server: writes each call of the server's functions.

use super::arguments::server_bytes;
use super::calls::ServerCall;
use super::hashes::Hashes;
use super::interests::put_interests;
use super::number::{put_bytes, put_number};
use super::objects::{OBJECTS_MAX, put_objects};
use super::redact::{Blank, Numbers, Seal, bare, blank_words, kept, redacted};
use super::writer::Writer;
use crate::connection::{Datagram, Listener, SealDirection, WORDS_BYTES_MAX, is_genuine};
use crate::extras::Extras;
use crate::sorted::SortedMap;
use crate::world::WorldSnapshot;
use crate::{Interest, Object, Peer, Settings, SettingsError};
use snapshot_base::text::beginning;
use snapshot_codec::Format;
use std::hash::Hash;

/// Name of the kind of a server's recordings.
pub(super) const SERVER: &str = "server";
/// Upper limit of the number of addresses in a recording. One more ends it, because anybody can send from any number of
/// addresses.
const ADDRESSES_MAX: usize = 65_536;
/// The secret that a replayed server has.
pub(super) const NO_SECRET: [u8; 16] = [0; 16];

/// The hashes of a recorded server, with the datagrams of the tick in progress.
pub(crate) struct TickHashes(Hashes);

impl TickHashes {
    pub(crate) fn add_sent(&mut self, datagram: &[u8]) {
        self.0.add_sent(&bare(datagram, SealDirection::ToClient));
    }
}

/// The recorder of a server. In the recording the server's secret is zeros, and addresses are numbers. Cookies and seals of the
/// received datagrams are computed anew for these.
pub(crate) struct ServerRecorder<A> {
    writer: Writer,
    blank: Blank,
    /// A listener with the replayed server's secret, which computes cookies and keys.
    replayed: Listener<u32>,
    addresses: SortedMap<A, u32>,
    hosts: SortedMap<u64, u32>,
    objects: Vec<Object>,
    answers: Vec<Interest>,
}

impl<A: Clone + Ord + Hash> ServerRecorder<A> {
    pub(crate) fn new(
        settings: &Settings,
        bytes_max: usize,
        blank: Blank,
    ) -> Result<Self, SettingsError> {
        let arguments = server_bytes(settings, blank)?;
        Ok(Self {
            writer: Writer::new(SERVER, &arguments, bytes_max),
            blank,
            replayed: Listener::new(0, NO_SECRET, 0),
            addresses: SortedMap::new(),
            hosts: SortedMap::new(),
            objects: Vec::new(),
            answers: Vec::new(),
        })
    }

    fn call(&mut self, call: ServerCall, now_ms: Option<f64>, content: &[u8]) {
        self.writer.call(call as u8, now_ms, content);
    }

    /// Records a datagram that the server is about to receive.
    pub(crate) fn receive(
        &mut self,
        now_ms: f64,
        listener: &Listener<A>,
        (from, host): (&A, Option<u64>),
        bytes: &[u8],
    ) {
        if !self.writer.is_open() {
            return;
        }
        let number = numbered(&mut self.addresses, from.clone());
        let host = host.map_or(0, |host| numbered(&mut self.hosts, host) + 1);
        if number as usize >= ADDRESSES_MAX {
            return self.writer.end_full();
        }
        let (direction, mut numbers) = (SealDirection::ToServer, Numbers::default());
        let mut seal = Seal::None;
        match Datagram::read(bytes) {
            Ok(Datagram::Proof {
                nonce,
                stamp,
                cookie,
                ..
            }) => {
                let is_right = cookie == listener.cookie(stamp, nonce, from);
                let replayed = self.replayed.cookie(stamp, nonce, &number);
                numbers.cookie = Some(if is_right { replayed } else { !replayed });
            }
            Ok(Datagram::Sealed { .. }) => {
                if let Some((nonce, key)) = listener.connection_at(from) {
                    let replayed = self.replayed.key(nonce, &number);
                    seal = match is_genuine(key, direction, bytes) {
                        true => Seal::Key(replayed),
                        false => Seal::Wrong(replayed),
                    };
                }
            }
            Ok(_) | Err(_) => {}
        }
        let mut content = Vec::new();
        put_number(number.into(), &mut content);
        put_number(host.into(), &mut content);
        content.extend_from_slice(&redacted(bytes, direction, numbers, seal, self.blank));
        self.call(ServerCall::Receive, Some(now_ms), &content);
    }

    /// Adds an answer of the server to a received datagram.
    pub(crate) fn answered(&mut self, answer: &[u8]) {
        if self.writer.is_open() {
            let answer = bare(answer, SealDirection::ToClient);
            self.writer.hashes.add_sent(&answer);
        }
    }

    /// Records a call whose first argument is a client.
    pub(crate) fn of_peer(&mut self, call: ServerCall, peer: Peer, rest: &[u8]) {
        let mut content = Vec::new();
        put_number(peer.number().into(), &mut content);
        content.extend_from_slice(rest);
        self.call(call, None, &content);
    }

    pub(crate) fn plain(&mut self, call: ServerCall) {
        self.call(call, None, &[]);
    }

    pub(crate) fn refuse(&mut self, peer: Peer, words: &str) {
        // As many as the client is told.
        let words = beginning(words, WORDS_BYTES_MAX);
        let words = match self.blank {
            Blank::Secrets => blank_words(words),
            Blank::Nothing => words,
        };
        self.of_peer(ServerCall::Refuse, peer, words.as_bytes());
    }

    pub(crate) fn input(&mut self, peer: Peer, tick: u64) {
        let mut content = Vec::new();
        put_number(tick, &mut content);
        self.of_peer(ServerCall::Input, peer, &content);
    }

    pub(crate) fn message(&mut self, call: ServerCall, peer: Peer, bytes: &[u8]) {
        self.of_peer(call, peer, &kept(bytes, self.blank));
    }

    pub(crate) fn budget(&mut self, peer: Peer, kbps: Option<f64>) {
        let kbps = kbps.map(f64::to_be_bytes);
        let content = kbps.as_ref().map_or(&[][..], |kbps| kbps);
        self.of_peer(ServerCall::Budget, peer, content);
    }

    /// Begins a tick; `None` if the recording has ended. The game's answers about interests go into the list.
    pub(crate) fn tick(&self) -> Option<(Vec<Interest>, TickHashes)> {
        let hashes = self.writer.is_open().then(|| self.writer.hashes.clone())?;
        Some((Vec::new(), TickHashes(hashes)))
    }

    /// Records a tick that the server has computed, with the newest packet's objects.
    pub(crate) fn ticked(
        &mut self,
        now_ms: f64,
        tick: u64,
        objects: &[Object],
        (answers, TickHashes(mut hashes)): (Vec<Interest>, TickHashes),
        (format, world): (&Format, &WorldSnapshot),
    ) {
        if objects.len() > OBJECTS_MAX {
            return self.writer.end_full();
        }
        let (mut content, mut changes) = (Vec::new(), Vec::new());
        put_number(tick, &mut content);
        put_objects(&self.objects, objects, &mut changes);
        put_bytes(&changes, &mut content);
        put_interests(&self.answers, &answers, &mut content);
        self.objects.clear();
        self.objects.extend_from_slice(objects);
        if !answers.is_empty() {
            self.answers = answers;
        }
        self.call(ServerCall::Tick, Some(now_ms), &content);
        if self.writer.is_open() {
            if world.tick == tick {
                const NONE: &Extras = &Extras::NONE;
                let objects = Object::all(format, world.snapshot(), NONE);
                hashes.add_objects(tick as f64, objects);
            }
            self.writer.hashes = hashes;
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.writer.bytes()
    }

    /// Ends the recording; returns its bytes.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.writer.finish()
    }
}

/// Returns the number of a key. Keys are numbered in the order of their first use.
fn numbered<K: Ord>(numbers: &mut SortedMap<K, u32>, key: K) -> u32 {
    let next = numbers.values().count() as u32;
    *numbers.or_insert_with(key, || next)
}
