//! Calls and datagrams without their secrets, as a recording has them: keys, tokens, messages and the words of refusals. Tokens,
//! messages and words keep their lengths, but all their bytes are 0.

use super::calls::{ClientCall, ServerCall};
use super::hashes::Hashes;
use crate::connection::{Datagram, RefusalReason, SealDirection, tag};
use crate::payload::{MESSAGE_BYTES_MAX, Part, read_to_server};

/// Zeros that replace a token, a message or words.
const ZEROS: &[u8] = &[0; MESSAGE_BYTES_MAX];

/// Returns as many zeros, in place of a token, of a message, or of a malformed datagram that may hold either. Longer bytes than
/// any message are malformed, and stay so if they are fewer.
pub(super) fn zeros(bytes: &[u8]) -> &'static [u8] {
    &ZEROS[..bytes.len().min(ZEROS.len())]
}

fn zero_words(words: &str) -> &'static str {
    std::str::from_utf8(zeros(words.as_bytes())).unwrap_or_default()
}

impl ClientCall<'_> {
    /// Returns the call with zeros in place of its message.
    pub(super) fn without_secrets(self) -> Self {
        match self {
            Self::Message(bytes) => Self::Message(zeros(bytes)),
            Self::Say(bytes) => Self::Say(zeros(bytes)),
            other => other,
        }
    }
}

impl ServerCall<'_> {
    /// Returns the call with zeros in place of its message or words.
    pub(super) fn without_secrets(self) -> Self {
        match self {
            Self::Message(peer, bytes) => Self::Message(peer, zeros(bytes)),
            Self::Say(peer, bytes) => Self::Say(peer, zeros(bytes)),
            Self::Refuse(peer, words) => Self::Refuse(peer, zero_words(words)),
            other => other,
        }
    }
}

/// Returns a payload with zeros in place of its messages. A payload that is refused stays one that is refused.
fn blank_payload(payload: &[u8], direction: SealDirection) -> Vec<u8> {
    let written = |number: Option<u16>, parts: Vec<Part<'_>>| {
        let mut written = Vec::with_capacity(payload.len());
        (number.iter()).for_each(|number| written.extend_from_slice(&number.to_be_bytes()));
        for mut part in parts {
            if let Part::Message { bytes, .. } | Part::Say { bytes, .. } = &mut part {
                *bytes = zeros(bytes);
            }
            part.write(&mut written);
        }
        written
    };
    let blank: Result<Vec<u8>, RefusalReason> = match direction {
        SealDirection::ToServer => {
            read_to_server(payload).map(|(number, parts)| written(Some(number), parts))
        }
        SealDirection::ToClient => {
            Part::read_all(payload, Part::is_to_client).map(|parts| written(None, parts))
        }
    };
    blank.unwrap_or_else(|_| vec![0; payload.len()])
}

/// The tag that a sealed datagram gets in a recording.
#[derive(Clone, Copy)]
pub(super) enum Seal {
    /// The right tag for a key.
    Right(u64),
    /// A wrong tag for a key: it differs from the right one.
    Wrong(u64),
    /// The tag 0, for hashing.
    None,
}

/// Returns the bytes of a datagram without secrets; a sealed one has the tag that `seal` chooses.
pub(super) fn redacted(datagram: Datagram<'_>, direction: SealDirection, seal: Seal) -> Vec<u8> {
    let blank;
    let mut datagram = datagram;
    match &mut datagram {
        Datagram::Proof { token, .. } => *token = zeros(token),
        Datagram::Refuse { words, .. } => *words = zero_words(words),
        Datagram::Sealed { payload, .. } => {
            blank = blank_payload(payload, direction);
            *payload = &blank;
        }
        Datagram::Hello { .. }
        | Datagram::Challenge { .. }
        | Datagram::Accept { .. }
        | Datagram::Unknown { .. } => {}
    }
    let mut bytes = datagram.bytes();
    if let Datagram::Sealed { .. } = datagram
        && let Some((sealed, own_tag)) = bytes.split_last_chunk_mut()
    {
        let new_tag = match seal {
            Seal::Right(key) => tag(key, direction, sealed),
            Seal::Wrong(key) => !tag(key, direction, sealed),
            Seal::None => 0,
        };
        *own_tag = new_tag.to_be_bytes();
    }
    bytes
}

impl Hashes {
    /// Adds a sent datagram, in which all that a recording may lack is 0.
    pub(crate) fn add_datagram(&mut self, bytes: &[u8], direction: SealDirection) {
        let Ok(mut datagram) = Datagram::read(bytes) else {
            return self.add_sent(&vec![0; bytes.len()]);
        };
        match &mut datagram {
            Datagram::Challenge { cookie, .. } | Datagram::Proof { cookie, .. } => *cookie = 0,
            Datagram::Accept { key, epoch, .. } => (*key, *epoch) = (0, 0),
            Datagram::Unknown { tag, epoch } => (*tag, *epoch) = (0, 0),
            Datagram::Hello { .. } | Datagram::Refuse { .. } | Datagram::Sealed { .. } => {}
        }
        self.add_sent(&redacted(datagram, direction, Seal::None));
    }
}
