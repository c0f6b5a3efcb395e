//! Datagrams without their secrets, as a recording has them: keys, tokens, messages and the words of refusals.

use crate::connection::{Datagram, RefusalReason, SealDirection, WORDS_BYTES_MAX, tag};
use crate::payload::{MESSAGE_BYTES_MAX, Part, read_to_server};

/// The rule for tokens, messages and words of refusals in a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blank {
    /// Tokens, messages and words of refusals keep their lengths, but all their bytes are 0.
    #[default]
    Secrets,
    /// Tokens, messages and words of refusals are kept. Keys and the server's secret are not.
    Nothing,
}

/// Zeros that replace a token, a message or words.
const ZEROS: &[u8] = &[0; MESSAGE_BYTES_MAX];

/// Returns zeros of the same length as the words.
pub(super) fn blank_words(words: &str) -> &'static str {
    let zeros = &ZEROS[..words.len().min(WORDS_BYTES_MAX)];
    std::str::from_utf8(zeros).unwrap_or_default()
}

/// Returns a payload with zeros in place of its messages. A payload that is refused stays one that is refused.
fn blank_payload(payload: &[u8], direction: SealDirection) -> Vec<u8> {
    let written = |number: Option<u16>, parts: Vec<Part<'_>>| {
        let mut written = Vec::with_capacity(payload.len());
        (number.iter()).for_each(|number| written.extend_from_slice(&number.to_be_bytes()));
        for mut part in parts {
            if let Part::Message { bytes, .. } | Part::Say { bytes, .. } = &mut part {
                *bytes = &ZEROS[..bytes.len()];
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

/// Returns the bytes of a sealed datagram with the tag that `seal` chooses, without what `blank` removes.
fn sealed_anew(
    datagram: &Datagram<'_>,
    direction: SealDirection,
    seal: Seal,
    blank: Blank,
) -> Vec<u8> {
    let &Datagram::Sealed { kind, payload, .. } = datagram else {
        return datagram.bytes();
    };
    let payload = match blank {
        Blank::Secrets => blank_payload(payload, direction),
        Blank::Nothing => payload.to_vec(),
    };
    let mut sealed = vec![kind as u8];
    sealed.extend_from_slice(&payload);
    let tag = match seal {
        Seal::Key(key) => tag(key, direction, &sealed),
        Seal::Wrong(key) => !tag(key, direction, &sealed),
        Seal::None => 0,
    };
    sealed.extend_from_slice(&tag.to_be_bytes());
    sealed
}

/// The tag that a sealed datagram gets in a recording.
#[derive(Clone, Copy)]
pub(super) enum Seal {
    /// The right tag for a key.
    Key(u64),
    /// A wrong tag for a key: it differs from the right one.
    Wrong(u64),
    /// The tag 0, for hashing.
    None,
}

/// Numbers that replace a datagram's secret ones in a recording; `None` keeps the datagram's own.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers {
    pub(super) cookie: Option<u64>,
    pub(super) key: Option<u64>,
    pub(super) epoch: Option<u32>,
    pub(super) tag: Option<u32>,
}

impl Numbers {
    const ZERO: Self = Self {
        cookie: Some(0),
        key: Some(0),
        epoch: Some(0),
        tag: Some(0),
    };
}

/// Returns a datagram with these numbers and this seal, without what `blank` removes. Bytes that are no valid datagram are kept
/// or zeroed, as `kept` says.
pub(super) fn redacted(
    bytes: &[u8],
    direction: SealDirection,
    numbers: Numbers,
    seal: Seal,
    blank: Blank,
) -> Vec<u8> {
    let Ok(mut datagram) = Datagram::read(bytes) else {
        return kept(bytes, blank);
    };
    match &mut datagram {
        Datagram::Hello { .. } => {}
        Datagram::Challenge { cookie, .. } => *cookie = numbers.cookie.unwrap_or(*cookie),
        Datagram::Proof { cookie, token, .. } => {
            *cookie = numbers.cookie.unwrap_or(*cookie);
            if blank == Blank::Secrets {
                *token = &ZEROS[..token.len()];
            }
        }
        Datagram::Accept { key, epoch, .. } => {
            *key = numbers.key.unwrap_or(*key);
            *epoch = numbers.epoch.unwrap_or(*epoch);
        }
        Datagram::Refuse { words, .. } => {
            if blank == Blank::Secrets {
                *words = blank_words(words);
            }
        }
        Datagram::Unknown { tag, epoch } => {
            *tag = numbers.tag.unwrap_or(*tag);
            *epoch = numbers.epoch.unwrap_or(*epoch);
        }
        Datagram::Sealed { .. } => return sealed_anew(&datagram, direction, seal, blank),
    }
    datagram.bytes()
}

/// Returns the bytes that a recording keeps of a token, of a message, or of a refused datagram that may hold either.
pub(super) fn kept(bytes: &[u8], blank: Blank) -> Vec<u8> {
    match blank {
        Blank::Secrets => vec![0; bytes.len()],
        Blank::Nothing => bytes.to_vec(),
    }
}

/// Returns a sent datagram in the form that is hashed: all that a recording may lack is 0.
pub(super) fn bare(bytes: &[u8], direction: SealDirection) -> Vec<u8> {
    redacted(bytes, direction, Numbers::ZERO, Seal::None, Blank::Secrets)
}
