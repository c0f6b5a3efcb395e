//! What was sent, held against what comes out.

use snapshot_codec::{Cube, History, RECEIVED_HISTORY_TICKS};

/// Sees both sides of snapshot interpolation.
pub(crate) struct Observer {
    sent: History,
}

impl Observer {
    pub(super) fn new(cubes: usize) -> Observer {
        Observer {
            sent: History::new(RECEIVED_HISTORY_TICKS, cubes),
        }
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.sent.held_bytes()
    }

    /// A snapshot leaves.
    pub(crate) fn sent(&mut self, sequence: u16, snapshot: &[Cube]) {
        self.sent.insert(sequence, snapshot);
    }

    /// Whether a snapshot has come out as it went in.
    pub(crate) fn is_as_sent(&self, sequence: u16, decoded: &[Cube]) -> bool {
        self.sent.get(sequence) == Some(decoded)
    }
}
