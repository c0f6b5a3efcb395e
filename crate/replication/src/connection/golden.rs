//! Datagrams with given numbers, for the tests of the format.

use super::RefusalReason;
use super::datagram::{Datagram, SealDirection, is_genuine};

/// The key of the golden datagrams that are sealed.
const KEY: u64 = 0x4142_4344_4546_4748;

/// Reads any bytes, checks that the datagram is written alike, and tells its content.
pub(crate) fn read(bytes: &[u8]) -> Result<String, RefusalReason> {
    let datagram = Datagram::read(bytes)?;
    assert_eq!(datagram.bytes(), bytes);
    Ok(format!("{datagram:?}"))
}

/// Says whether a datagram is sealed for a server by that key.
pub(crate) fn is_sealed(bytes: &[u8]) -> bool {
    is_genuine(KEY, SealDirection::ToServer, bytes)
}
