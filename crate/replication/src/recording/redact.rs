//! Datagrams without their secrets, as a recording has them: keys, tokens, messages and the words of refusals. Tokens,
//! messages and words keep their lengths, but all their bytes are 0.

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

/// Returns the bytes of a datagram without secrets. A sealed one has the tag that `seal` makes of the right tag for the key 0.
pub(super) fn redacted(
    datagram: Datagram<'_>,
    direction: SealDirection,
    seal: impl Fn(u32) -> u32,
) -> Vec<u8> {
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
        *own_tag = seal(tag(0, direction, sealed)).to_be_bytes();
    }
    bytes
}

impl Hashes {
    /// Adds a client's sent datagram, in which all that a recording may lack is 0.
    pub(super) fn add_datagram(&mut self, bytes: &[u8]) {
        let Ok(mut datagram) = Datagram::read(bytes) else {
            return self.add_sent(&vec![0; bytes.len()]);
        };
        if let Datagram::Proof { cookie, .. } = &mut datagram {
            *cookie = 0;
        }
        self.add_sent(&redacted(datagram, SealDirection::ToServer, |_| 0));
    }
}
