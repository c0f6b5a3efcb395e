//! A codec that is wrong on purpose, for tests of the checks that must find it out.

use snapshot_codec::Cube;
use std::cell::Cell;

thread_local! {
    static FROM: Cell<Option<u16>> = const { Cell::new(None) };
}

/// In this thread the observer sees wrong snapshots, of 64 sequences from that one on; or none.
pub(crate) fn set(from: Option<u16>) {
    FROM.set(from);
}

/// Gives a decoded snapshot, wrong in one bit if its sequence is one of those.
pub(crate) fn corrupted(sequence: u16, decoded: &[Cube]) -> Vec<Cube> {
    let mut decoded = decoded.to_vec();
    let is_wrong = |from: u16| sequence.wrapping_sub(from) < 64;
    if FROM.get().is_some_and(is_wrong) {
        decoded[0].position[0] ^= 1;
    }
    decoded
}
