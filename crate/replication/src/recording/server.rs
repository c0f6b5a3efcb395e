//! The recorder of a server: writes each call of the server's functions.

use super::calls::{InterestsDelta, ServerArguments, ServerCall, USUAL_INTEREST};
use super::hashes::Hashes;
use super::objects::{OBJECTS_MAX, ObjectsDelta};
use super::recorded_settings::RecordedSettings;
use super::redact::{Seal, redacted, zeros};
use super::writer::{EndReason, Writer};
use crate::connection::{Datagram, Listener, SealDirection, is_genuine};
use crate::extras::Extras;
use crate::sorted::SortedMap;
use crate::world::WorldSnapshot;
use crate::{Interest, Object, Settings, SettingsError};
use snapshot_codec::Format;
use std::hash::Hash;

/// Name of the kind of a server's recordings.
pub(super) const SERVER: &str = "server";
/// Upper limit of the number of addresses in a recording. One more ends it, because anybody can send from any number of
/// addresses.
const ADDRESSES_MAX: usize = 65_536;
/// The secret that a replayed server has.
pub(super) const NO_SECRET: [u8; 16] = [0; 16];

/// The recorder of a server. In the recording the server's secret is zeros, and addresses are numbers. Cookies and seals of the
/// received datagrams are computed anew for these.
pub(crate) struct ServerRecorder<A> {
    pub(crate) writer: Writer,
    /// A listener with the replayed server's secret, which computes cookies and keys.
    replayed: Listener<u32>,
    addresses: SortedMap<A, u32>,
    hosts: SortedMap<u64, u32>,
    objects: Vec<Object>,
    answers: Vec<Interest>,
}

impl<A: Clone + Ord + Hash> ServerRecorder<A> {
    pub(crate) fn new(settings: &Settings, bytes_max: usize) -> Result<Self, SettingsError> {
        let arguments = ServerArguments {
            keeps_messages: false,
            settings: RecordedSettings::new(settings)?,
        };
        Ok(Self {
            writer: Writer::new(SERVER, &arguments, bytes_max),
            replayed: Listener::new(0, NO_SECRET, 0),
            addresses: SortedMap::new(),
            hosts: SortedMap::new(),
            objects: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Records a call other than `receive` and `tick`.
    pub(crate) fn call(&mut self, call: ServerCall<'_>) {
        self.writer.call(None, &call.without_secrets());
    }

    /// Records a datagram that the server is about to receive.
    pub(crate) fn receive(
        &mut self,
        now_ms: f64,
        listener: &Listener<A>,
        (address, host): (&A, Option<u64>),
        bytes: &[u8],
    ) {
        if !self.writer.is_open() {
            return;
        }
        let from = numbered(&mut self.addresses, address.clone());
        let host = host.map(|host| numbered(&mut self.hosts, host));
        if from as usize >= ADDRESSES_MAX {
            return self.writer.end(EndReason::Full);
        }
        let direction = SealDirection::ToServer;
        let redacted = Datagram::read(bytes).map(|mut datagram| {
            let mut seal = Seal::None;
            if let Datagram::Proof {
                nonce,
                stamp,
                cookie,
                ..
            } = &mut datagram
            {
                let is_right = *cookie == listener.cookie(*stamp, *nonce, address);
                let replayed = self.replayed.cookie(*stamp, *nonce, &from);
                *cookie = if is_right { replayed } else { !replayed };
            } else if let Datagram::Sealed { .. } = datagram
                && let Some((nonce, key)) = listener.connection_at(address)
            {
                let replayed = self.replayed.key(nonce, &from);
                seal = match is_genuine(key, direction, bytes) {
                    true => Seal::Right(replayed),
                    false => Seal::Wrong(replayed),
                };
            }
            redacted(datagram, direction, seal)
        });
        let call = ServerCall::Receive {
            from,
            host,
            datagram: match &redacted {
                Ok(bytes) => bytes,
                Err(_) => zeros(bytes),
            },
        };
        self.writer.call(Some(now_ms), &call);
    }

    /// Adds an answer of the server to a received datagram.
    pub(crate) fn answered(&mut self, answer: &[u8]) {
        if self.writer.is_open() {
            (self.writer.hashes).add_datagram(answer, SealDirection::ToClient);
        }
    }

    /// Begins a tick; `None` if the recording has ended. The game's answers about interests go into the list, and the sent
    /// datagrams into the hashes.
    pub(crate) fn tick(&self) -> Option<(Vec<Interest>, Hashes)> {
        let hashes = self.writer.is_open().then(|| self.writer.hashes.clone())?;
        Some((Vec::new(), hashes))
    }

    /// Records a tick that the server has computed, with the newest packet's objects.
    pub(crate) fn ticked(
        &mut self,
        now_ms: f64,
        tick: u64,
        objects: &[Object],
        (answers, mut hashes): (Vec<Interest>, Hashes),
        (format, world): (&Format, &WorldSnapshot),
    ) {
        if objects.len() > OBJECTS_MAX {
            return self.writer.end(EndReason::Full);
        }
        let call = ServerCall::Tick {
            tick,
            objects: ObjectsDelta::new(&self.objects, objects),
            interests: changed_interests(&self.answers, &answers),
        };
        self.objects.clear();
        self.objects.extend_from_slice(objects);
        if !answers.is_empty() {
            self.answers = answers;
        }
        self.writer.call(Some(now_ms), &call);
        if self.writer.is_open() {
            if world.tick == tick {
                const NONE: &Extras = &Extras::NONE;
                let objects = Object::all(format, world.snapshot(), NONE);
                hashes.add_objects(tick as f64, objects);
            }
            self.writer.hashes = hashes;
        }
    }
}

/// Returns the number of a key. Keys are numbered in the order of their first use.
fn numbered<K: Ord>(numbers: &mut SortedMap<K, u32>, key: K) -> u32 {
    let next = numbers.values().count() as u32;
    *numbers.or_insert_with(key, || next)
}

/// Returns variant and priority, by which answers are the same to the bit.
const fn parts(interest: Interest) -> (u8, u32) {
    match interest {
        Interest::Unseen => (0, 0),
        Interest::Priority(priority) => (1, priority.to_bits()),
        Interest::Detail(priority) => (2, priority.to_bits()),
    }
}

fn changed_interests(before: &[Interest], answers: &[Interest]) -> InterestsDelta {
    let before = before.iter().chain(std::iter::repeat(&USUAL_INTEREST));
    let mut changed = Vec::new();
    let mut same = 0;
    for (before, answer) in before.zip(answers) {
        match parts(*before) == parts(*answer) {
            true => same += 1,
            false => changed.push((std::mem::take(&mut same), *answer)),
        }
    }
    changed
}
