//! A codec that is wrong on purpose, for tests of what is to find that out.

use snapshot_codec::Cube;
use std::cell::Cell;

thread_local! {
    static FROM: Cell<Option<u16>> = const { Cell::new(None) };
}

/// In this thread receivers get snapshots wrong of these 64 sequences, from now on; or none.
pub(crate) fn set(from: Option<u16>) {
    FROM.set(from);
}

/// Gets a snapshot wrong, if its sequence is one of those.
pub(crate) fn corrupt(sequence: u16, snapshot: &mut [Cube]) {
    if FROM
        .get()
        .is_some_and(|from| sequence.wrapping_sub(from) < 64)
    {
        snapshot[0].position[0] ^= 1;
    }
}
