//! The recorder of a client: writes each call of the client's functions.

use super::arguments::{ClientArguments, settings_bytes};
use super::calls::ClientCall;
use super::number::put_number;
use super::redact::{Blank, Numbers, Seal, bare, kept, redacted};
use super::writer::Writer;
use crate::connection::{Datagram, Dialer, SealDirection, is_genuine, tag};
use crate::{Object, Settings, SettingsError};
use std::collections::VecDeque;

/// Name of the kind of a client's recordings.
pub(super) const CLIENT: &str = "client";
/// Number of newest sent datagrams whose tags the recorder knows: as many as the client itself remembers.
const TAGS: usize = 64;

/// The recorder of a client. In the recording the connection has the key 0, and all received datagrams are sealed with it.
pub(crate) struct ClientRecorder {
    writer: Writer,
    blank: Blank,
    /// Tags of the newest sealed datagrams that the client sent, each with the tag that the replayed client will give it.
    tags: VecDeque<[u32; 2]>,
}

impl ClientRecorder {
    pub(crate) fn new(
        settings: &Settings,
        token: &[u8],
        nonce: u64,
        bytes_max: usize,
        blank: Blank,
    ) -> Result<Self, SettingsError> {
        let arguments = ClientArguments::bytes(settings, &kept(token, blank), nonce, blank)?;
        Ok(Self {
            writer: Writer::new(CLIENT, &arguments, bytes_max),
            blank,
            tags: VecDeque::new(),
        })
    }

    /// Records a call without content, with its time if it has one.
    pub(crate) fn call(&mut self, call: ClientCall, now_ms: Option<f64>) {
        self.writer.call(call as u8, now_ms, &[]);
    }

    /// Records a datagram that the client is about to receive.
    pub(crate) fn receive(&mut self, now_ms: f64, dialer: &Dialer, bytes: &[u8]) {
        if !self.writer.is_open() {
            return;
        }
        let mut numbers = Numbers {
            key: Some(0),
            ..Numbers::default()
        };
        if let Ok(Datagram::Unknown { tag, .. }) = Datagram::read(bytes) {
            numbers.tag = Some(self.replayed_tag(tag, dialer.knows_tag(tag)));
        }
        let direction = SealDirection::ToClient;
        let is_right = |key| is_genuine(key, direction, bytes);
        let seal = match dialer.key() {
            Some(key) if is_right(key) => Seal::Key(0),
            Some(_) | None => Seal::Wrong(0),
        };
        let bytes = redacted(bytes, direction, numbers, seal, self.blank);
        self.writer
            .call(ClientCall::Receive as u8, Some(now_ms), &bytes);
    }

    /// Returns the tag that the replayed client gives the datagram with this tag. If the client does not know it, returns one
    /// that the replayed client does not know either.
    fn replayed_tag(&self, tag: u32, is_known: bool) -> u32 {
        let known = self.tags.iter().rev().find(|tags| tags[0] == tag);
        if let Some(known) = known.filter(|_| is_known) {
            return known[1];
        }
        let is_other = |other: &u32| self.tags.iter().all(|tags| tags[1] != *other);
        let mut others = (0..=TAGS as u32).map(|more| tag.wrapping_add(more));
        others.find(is_other).unwrap_or(tag)
    }

    pub(crate) fn input(&mut self, tick: u64, bytes: &[u8]) {
        let mut content = Vec::new();
        put_number(tick, &mut content);
        content.extend_from_slice(bytes);
        self.writer.call(ClientCall::Input as u8, None, &content);
    }

    pub(crate) fn message(&mut self, call: ClientCall, bytes: &[u8]) {
        let content = kept(bytes, self.blank);
        self.writer.call(call as u8, None, &content);
    }

    /// Records a choice of playout, with `settings` in which it is already made.
    pub(crate) fn set_playout(&mut self, settings: &Settings) {
        // The client runs with these settings, so they have bytes.
        let content = settings_bytes(settings).unwrap_or_default();
        let call = ClientCall::SetPlayout as u8;
        self.writer.call(call, None, &content);
    }

    pub(crate) fn sent(&mut self, bytes: &[u8]) {
        if !self.writer.is_open() {
            return;
        }
        let direction = SealDirection::ToServer;
        self.writer.hashes.add_sent(&bare(bytes, direction));
        if let Ok(Datagram::Sealed { tag: own, .. }) = Datagram::read(bytes) {
            let replayed = redacted(bytes, direction, Numbers::default(), Seal::None, self.blank);
            let (sealed, _) = replayed.split_at(replayed.len() - 4);
            if self.tags.len() == TAGS {
                self.tags.pop_front();
            }
            self.tags.push_back([own, tag(0, direction, sealed)]);
        }
    }

    pub(crate) fn shown(&mut self, tick: Option<f64>, objects: &[Object]) {
        if self.writer.is_open() {
            let objects = objects.iter().copied();
            (self.writer.hashes).add_objects(tick.unwrap_or(f64::NAN), objects);
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
