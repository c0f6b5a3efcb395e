//! Datagrams with given numbers, for the tests of the format.

use super::RefusalReason;
use super::datagram::{Datagram, SealDirection, is_genuine};

/// The key that seals the test datagrams.
const KEY: u64 = 0x4142_4344_4546_4748;

/// Parses a datagram from any bytes; returns its content as text.
pub(crate) fn read(bytes: &[u8]) -> Result<String, RefusalReason> {
    let datagram = Datagram::read(bytes)?;
    assert_eq!(datagram.bytes(), bytes);
    Ok(format!("{datagram:?}"))
}

/// Returns true if a datagram to a server is sealed with the test key.
pub(crate) fn is_sealed(bytes: &[u8]) -> bool {
    is_genuine(KEY, SealDirection::ToServer, bytes)
}
