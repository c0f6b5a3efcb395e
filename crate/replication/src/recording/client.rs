//! The recorder of a client: writes each call of the client's functions.

use super::calls::{ClientArguments, ClientCall};
use super::recorded_settings::RecordedSettings;
use super::redact::{Seal, redacted, zeros};
use super::writer::{EndReason, Writer};
use crate::connection::{Datagram, Dialer, SealDirection, is_genuine};
use crate::{Object, Settings, SettingsError};
use std::collections::VecDeque;

/// Name of the kind of a client's recordings.
pub(super) const CLIENT: &str = "client";
/// Number of newest sent datagrams whose tags the recorder knows: as many as the client itself remembers.
const TAGS: usize = 64;

/// The recorder of a client. In the recording the connection has the key 0, and all received datagrams are sealed with it.
pub(crate) struct ClientRecorder {
    pub(crate) writer: Writer,
    /// Tags of the newest sealed datagrams that the client sent, each with the tag that the replayed client will give it.
    tags: VecDeque<[u32; 2]>,
}

impl ClientRecorder {
    pub(crate) fn new(
        settings: &Settings,
        token: &[u8],
        nonce: u64,
        bytes_max: usize,
    ) -> Result<Self, SettingsError> {
        let arguments = ClientArguments {
            keeps_messages: false,
            settings: RecordedSettings::new(settings)?,
            nonce,
            token: zeros(token),
        };
        Ok(Self {
            writer: Writer::new(CLIENT, &arguments, bytes_max),
            tags: VecDeque::new(),
        })
    }

    /// Records a call other than `receive` and `set_playout`, with its time if it has one.
    pub(crate) fn call(&mut self, now_ms: Option<f64>, call: ClientCall<'_>) {
        self.writer.call(now_ms, &call.without_secrets());
    }

    /// Records a datagram that the client is about to receive.
    pub(crate) fn receive(&mut self, now_ms: f64, dialer: &Dialer, bytes: &[u8]) {
        if !self.writer.is_open() {
            return;
        }
        let Ok(mut datagram) = Datagram::read(bytes) else {
            let call = ClientCall::Receive(zeros(bytes));
            return self.writer.call(Some(now_ms), &call);
        };
        if let Datagram::Accept { key, .. } = &mut datagram {
            *key = 0;
        } else if let Datagram::Unknown { tag, .. } = &mut datagram {
            *tag = self.replayed_tag(*tag, dialer.knows_tag(*tag));
        }
        let direction = SealDirection::ToClient;
        let key = dialer.key();
        let seal = match key.is_some_and(|key| is_genuine(key, direction, bytes)) {
            true => Seal::Right(0),
            false => Seal::Wrong(0),
        };
        let bytes = redacted(datagram, direction, seal);
        (self.writer).call(Some(now_ms), &ClientCall::Receive(&bytes));
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

    /// Records a choice of playout, with `settings` in which it is already made.
    pub(crate) fn set_playout(&mut self, settings: &Settings) {
        match RecordedSettings::new(settings) {
            Ok(settings) => self.writer.call(None, &ClientCall::SetPlayout(settings)),
            // No replay would take such a delay.
            Err(_) => self.writer.end(EndReason::Full),
        }
    }

    pub(crate) fn sent(&mut self, bytes: &[u8]) {
        if !self.writer.is_open() {
            return;
        }
        let direction = SealDirection::ToServer;
        self.writer.hashes.add_datagram(bytes, direction);
        if let Ok(datagram @ Datagram::Sealed { tag: own, .. }) = Datagram::read(bytes) {
            let replayed = redacted(datagram, direction, Seal::Right(0));
            let replayed = replayed.last_chunk().copied().unwrap_or_default();
            if self.tags.len() == TAGS {
                self.tags.pop_front();
            }
            self.tags.push_back([own, u32::from_be_bytes(replayed)]);
        }
    }

    pub(crate) fn shown(&mut self, tick: Option<f64>, objects: &[Object]) {
        if self.writer.is_open() {
            let objects = objects.iter().copied();
            (self.writer.hashes).add_objects(tick.unwrap_or(f64::NAN), objects);
        }
    }
}
