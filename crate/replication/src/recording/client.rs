//! The calls of a client's functions, and their recorder. The order of the calls is their form in a recording: a new one is the last.

use super::recorded_settings::RecordedSettings;
use super::redact::{redacted, zeros};
use super::writer::{EndReason, Writer};
use crate::connection::{Datagram, Dialer, SealDirection, is_genuine};
use crate::{Object, Settings, SettingsError};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The call that made a client.
#[derive(Serialize, Deserialize)]
pub(super) struct ClientArguments<'a> {
    /// True in recordings of earlier recorders that kept tokens and messages.
    pub(super) keeps_messages: bool,
    pub(super) settings: RecordedSettings,
    pub(super) nonce: u64,
    pub(super) token: &'a [u8],
}

/// A call of a client's function.
#[derive(Serialize, Deserialize)]
pub(crate) enum ClientCall<'a> {
    Receive(&'a [u8]),
    NextInput,
    Input { tick: u64, input: &'a [u8] },
    Message(&'a [u8]),
    Say(&'a [u8]),
    NextMessage,
    NextEvent,
    Send,
    Show,
    GoLive,
    Goodbye,
    SetPlayout(RecordedSettings),
}

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

    /// Records a call other than `receive` and `set_playout`, with its time if it has one, and zeros in place of a message.
    pub(crate) fn call(&mut self, now_ms: Option<f64>, call: ClientCall<'_>) {
        let call = match call {
            ClientCall::Message(bytes) => ClientCall::Message(zeros(bytes)),
            ClientCall::Say(bytes) => ClientCall::Say(zeros(bytes)),
            other => other,
        };
        self.writer.call(now_ms, &call);
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
        let is_genuine = key.is_some_and(|key| is_genuine(key, direction, bytes));
        // A forged datagram has a wrong tag: it differs from the right one.
        let bytes = redacted(
            datagram,
            direction,
            |tag| if is_genuine { tag } else { !tag },
        );
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
        self.writer.hashes.add_datagram(bytes);
        if let Ok(datagram @ Datagram::Sealed { tag: own, .. }) = Datagram::read(bytes) {
            let replayed = redacted(datagram, SealDirection::ToServer, |tag| tag);
            let replayed = replayed.last_chunk().copied().unwrap_or_default();
            if self.tags.len() == TAGS {
                self.tags.pop_front();
            }
            self.tags.push_back([own, u32::from_be_bytes(replayed)]);
        }
    }

    pub(crate) fn shown(&mut self, tick: Option<f64>, objects: &[Object]) {
        if self.writer.is_open() {
            self.writer.hashes.add_objects(tick, objects);
        }
    }
}
