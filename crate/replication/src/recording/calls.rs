//! The calls that are recorded, with their arguments. Their order is their form in a recording: a new one is the last.

use super::objects::ObjectsDelta;
use super::recorded_settings::RecordedSettings;
use crate::{Interest, Peer};
use serde::{Deserialize, Serialize};

/// The call that made a client.
#[derive(Serialize, Deserialize)]
pub(super) struct ClientArguments<'a> {
    /// True in recordings of earlier recorders that kept tokens and messages.
    pub(super) keeps_messages: bool,
    pub(super) settings: RecordedSettings,
    pub(super) nonce: u64,
    pub(super) token: &'a [u8],
}

/// The call that made a server.
#[derive(Serialize, Deserialize)]
pub(super) struct ServerArguments {
    /// True in recordings of earlier recorders that kept tokens and messages.
    pub(super) keeps_messages: bool,
    pub(super) settings: RecordedSettings,
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

/// A call of a server's function.
#[derive(Serialize, Deserialize)]
pub(crate) enum ServerCall<'a> {
    Receive {
        from: u32,
        host: Option<u32>,
        datagram: &'a [u8],
    },
    Admit(Peer),
    Refuse(Peer, &'a str),
    NextEvent,
    Tick {
        tick: u64,
        objects: ObjectsDelta,
        interests: InterestsDelta,
    },
    Input(Peer, u64),
    Message(Peer, &'a [u8]),
    Say(Peer, &'a [u8]),
    NextMessage,
    Budget(Peer, Option<f64>),
}

/// Answers about interests in a tick that differ from the answer at the same place in the last tick with answers. Before each
/// stands the number of equal answers that precede it.
pub(super) type InterestsDelta = Vec<(u32, Interest)>;
/// The answer that is assumed for the tick before, where that tick has none.
pub(super) const USUAL_INTEREST: Interest = Interest::Priority(1.0);
