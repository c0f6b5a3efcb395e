//! Datagrams with given numbers, for the tests of the format.

use super::RefusalReason;
use super::datagram::{Datagram, Refusal, SealDirection, SealedKind, VERSION, seal};

/// A datagram of each kind, by name.
pub(crate) fn datagrams() -> Vec<(&'static str, Vec<u8>)> {
    let (version, nonce, settings) = (VERSION, 0x0102_0304_0506_0708, 0x1112_1314_1516_1718);
    let (stamp, cookie, epoch) = (7, 0x2122_2324_2526_2728, 0x3132_3334);
    let (refusal, words) = (Refusal::NotAdmitted, "no ticket");
    let (key, token) = (0x4142_4344_4546_4748, b"ticket");
    let sealed = |kind, payload: &[u8]| {
        let mut datagram = Vec::new();
        seal(key, SealDirection::ToServer, kind, payload, &mut datagram);
        datagram
    };
    let hello = Datagram::Hello {
        version,
        nonce,
        settings,
    };
    let challenge = Datagram::Challenge {
        nonce,
        stamp,
        cookie,
    };
    let proof = Datagram::Proof {
        version,
        nonce,
        settings,
        stamp,
        cookie,
        token,
    };
    let accept = Datagram::Accept {
        nonce,
        key,
        epoch,
        peer: 3,
    };
    let refuse = Datagram::Refuse {
        nonce,
        refusal,
        words,
    };
    let unknown = Datagram::Unknown { tag: 9, epoch };
    vec![
        ("hello", hello.bytes()),
        ("challenge", challenge.bytes()),
        ("proof", proof.bytes()),
        ("accept", accept.bytes()),
        ("refuse", refuse.bytes()),
        ("unknown", unknown.bytes()),
        ("data", sealed(SealedKind::Data, &[4, 0, 1, 0x11, 0x70])),
        ("keep", sealed(SealedKind::Keep, &[])),
        ("bye", sealed(SealedKind::Bye, &[])),
    ]
}

/// Reads any bytes, checks that the datagram is written alike, and names its kind.
pub(crate) fn read(bytes: &[u8]) -> Result<&'static str, RefusalReason> {
    let datagram = Datagram::read(bytes)?;
    assert_eq!(datagram.bytes(), bytes);
    Ok(match datagram {
        Datagram::Hello { .. } => "hello",
        Datagram::Challenge { .. } => "challenge",
        Datagram::Proof { .. } => "proof",
        Datagram::Accept { .. } => "accept",
        Datagram::Refuse { .. } => "refuse",
        Datagram::Unknown { .. } => "unknown",
        Datagram::Sealed { kind, .. } => match kind {
            SealedKind::Data => "data",
            SealedKind::Keep => "keep",
            SealedKind::Bye => "bye",
        },
    })
}

/// The name of a reason.
pub(crate) fn name(reason: RefusalReason) -> String {
    format!("{reason:?}")
}
