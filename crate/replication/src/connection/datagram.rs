//! The datagrams of a connection, as FORMAT.md specifies them.

use super::RefusalReason;
use crate::unread::{Unread, put};
use siphasher::sip::SipHasher24;
use std::fmt;
use std::hash::Hasher;

/// Version of the connection's datagrams. Ends of different versions refuse each other.
pub const VERSION: u8 = 3;
/// Length of a client's first datagram, the hello, in bytes. No answer to it is longer.
pub const HELLO_BYTES: usize = 32;
/// Number of bytes that sealing adds to a payload: a kind and a tag, which authenticates the datagram.
pub const SEAL_BYTES: usize = 5;
/// Upper limit of a token's length, bytes.
pub const TOKEN_BYTES_MAX: usize = 512;
/// Upper limit of the length of the game's words in a refusal, bytes.
pub const WORDS_BYTES_MAX: usize = 256;
/// The filler bytes of a datagram without a payload. They make a client's as long as the server's answer to it.
pub(super) const BLANK: [u8; 4] = [0; 4];

/// Reason why the server refused a client, as sent to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The server uses another version of the datagrams.
    OtherVersion = 1,
    /// The server has other settings.
    OtherSettings = 2,
    /// The server has its limit of clients already.
    Full = 3,
    /// The game refused the client or removed it.
    NotAdmitted = 4,
}

impl Refusal {
    const ALL: [Self; 4] = [
        Self::OtherVersion,
        Self::OtherSettings,
        Self::Full,
        Self::NotAdmitted,
    ];

    /// The reason's number on the wire.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherVersion => "the server has another version",
            Self::OtherSettings => "the server has other settings",
            Self::Full => "the server has no room",
            Self::NotAdmitted => "not admitted",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SealedKind {
    Data = 7,
    Keep = 8,
    Bye = 9,
}

/// The direction of a sealed datagram. The tag depends on the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SealDirection {
    ToServer = 0,
    ToClient = 1,
}

/// A datagram with a valid layout. Its content, such as a tag, is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Datagram<'a> {
    Hello {
        version: u8,
        nonce: u64,
        settings: u64,
    },
    Challenge {
        nonce: u64,
        stamp: u32,
        cookie: u64,
    },
    Proof {
        version: u8,
        nonce: u64,
        settings: u64,
        stamp: u32,
        cookie: u64,
        token: &'a [u8],
    },
    Accept {
        nonce: u64,
        key: u64,
        epoch: u32,
        peer: u32,
    },
    Refuse {
        nonce: u64,
        refusal: Refusal,
        words: &'a str,
    },
    Unknown {
        tag: u32,
        epoch: u32,
    },
    Sealed {
        kind: SealedKind,
        payload: &'a [u8],
        tag: u32,
    },
}

impl<'a> Datagram<'a> {
    /// Parses a datagram from any bytes; an error if they are malformed.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, RefusalReason> {
        Self::parsed(bytes).ok_or(RefusalReason::Malformed)
    }

    fn parsed(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = Unread(bytes);
        let datagram = match rest.u8()? {
            1 => {
                let version = rest.u8()?;
                let (nonce, settings) = (rest.u64()?, rest.u64()?);
                // Other versions have other bytes here, but are as long: they can be answered.
                let is_blank = rest.rest().iter().all(|&byte| byte == 0) || version != VERSION;
                if bytes.len() != HELLO_BYTES || !is_blank {
                    return None;
                }
                Self::Hello {
                    version,
                    nonce,
                    settings,
                }
            }
            2 => Self::Challenge {
                nonce: rest.u64()?,
                stamp: rest.u32()?,
                cookie: rest.u64()?,
            },
            3 => Self::Proof {
                version: rest.u8()?,
                nonce: rest.u64()?,
                settings: rest.u64()?,
                stamp: rest.u32()?,
                cookie: rest.u64()?,
                token: Some(rest.rest()).filter(|it| it.len() <= TOKEN_BYTES_MAX)?,
            },
            4 => Self::Accept {
                nonce: rest.u64()?,
                key: rest.u64()?,
                epoch: rest.u32()?,
                peer: rest.u32()?,
            },
            5 => Self::Refuse {
                nonce: rest.u64()?,
                refusal: {
                    let number = rest.u8()?;
                    let mut all = Refusal::ALL.into_iter();
                    all.find(|refusal| refusal.number() == number)?
                },
                words: words(rest.rest())?,
            },
            6 => Self::Unknown {
                tag: rest.u32()?,
                epoch: rest.u32()?,
            },
            kind @ 7..=9 => {
                let (payload, tag) = rest.rest().split_last_chunk()?;
                let kind = match kind {
                    7 => SealedKind::Data,
                    8 => SealedKind::Keep,
                    _ => SealedKind::Bye,
                };
                if kind == SealedKind::Keep && payload != BLANK {
                    return None;
                }
                Self::Sealed {
                    kind,
                    payload,
                    tag: u32::from_be_bytes(*tag),
                }
            }
            _ => return None,
        };
        rest.0.is_empty().then_some(datagram)
    }

    /// The client's nonce that an answer of the server repeats; `None` if the datagram is no answer.
    pub(super) fn answers(&self) -> Option<u64> {
        match *self {
            Self::Challenge { nonce, .. }
            | Self::Accept { nonce, .. }
            | Self::Refuse { nonce, .. } => Some(nonce),
            _ => None,
        }
    }

    /// Returns the bytes of the datagram.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |parts: &[&[u8]]| put(&mut bytes, parts);
        match *self {
            Self::Hello {
                version,
                nonce,
                settings,
            } => {
                put(&[&[1, version], &nonce.to_be_bytes()]);
                put(&[&settings.to_be_bytes(), &[0; HELLO_BYTES - 18]]);
            }
            Self::Challenge {
                nonce,
                stamp,
                cookie,
            } => {
                put(&[&[2], &nonce.to_be_bytes()]);
                put(&[&stamp.to_be_bytes(), &cookie.to_be_bytes()]);
            }
            Self::Proof {
                version,
                nonce,
                settings,
                stamp,
                cookie,
                token,
            } => {
                put(&[&[3, version], &nonce.to_be_bytes()]);
                put(&[&settings.to_be_bytes(), &stamp.to_be_bytes()]);
                put(&[&cookie.to_be_bytes(), token]);
            }
            Self::Accept {
                nonce,
                key,
                epoch,
                peer,
            } => {
                put(&[&[4], &nonce.to_be_bytes(), &key.to_be_bytes()]);
                put(&[&epoch.to_be_bytes(), &peer.to_be_bytes()]);
            }
            Self::Refuse {
                nonce,
                refusal,
                words,
            } => {
                put(&[&[5], &nonce.to_be_bytes()]);
                put(&[&[refusal.number()], words.as_bytes()]);
            }
            Self::Unknown { tag, epoch } => {
                put(&[&[6], &tag.to_be_bytes(), &epoch.to_be_bytes()]);
            }
            Self::Sealed { kind, payload, tag } => {
                put(&[&[kind as u8], payload, &tag.to_be_bytes()]);
            }
        }
        bytes
    }
}

/// Returns the game's words in a refusal or a goodbye; `None` if the bytes are not UTF-8 or too long.
pub(super) fn words(bytes: &[u8]) -> Option<&str> {
    let words = std::str::from_utf8(bytes).ok();
    words.filter(|words| words.len() <= WORDS_BYTES_MAX)
}

/// Replaces `datagram` by a sealed datagram; returns its tag.
pub(super) fn seal(
    key: u64,
    direction: SealDirection,
    kind: SealedKind,
    payload: &[u8],
    datagram: &mut Vec<u8>,
) -> u32 {
    datagram.clear();
    put(datagram, &[&[kind as u8], payload]);
    let is_filled = match kind {
        SealedKind::Data => false,
        SealedKind::Keep => true,
        SealedKind::Bye => direction == SealDirection::ToServer,
    };
    if is_filled {
        datagram.extend_from_slice(&BLANK);
    }
    let tag = tag(key, direction, datagram);
    datagram.extend_from_slice(&tag.to_be_bytes());
    tag
}

/// Returns true if a sealed datagram is undamaged and comes from the end that holds the key.
pub(crate) fn is_genuine(key: u64, direction: SealDirection, datagram: &[u8]) -> bool {
    datagram
        .split_last_chunk()
        .is_some_and(|(sealed, found)| tag(key, direction, sealed) == u32::from_be_bytes(*found))
}

/// Returns the tag that authenticates the bytes of a sealed datagram, all but the tag.
pub(crate) fn tag(key: u64, direction: SealDirection, sealed: &[u8]) -> u32 {
    let mut hasher = SipHasher24::new_with_keys(key, direction as u64);
    hasher.write(sealed);
    hasher.finish() as u32
}
