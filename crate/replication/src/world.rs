//! The objects of a tick, and those of them that a client sees.

use crate::extras::Velocities;
use crate::slot_set::{SlotSet, has_slot};
use snapshot_codec::{Cube, Snapshot};

/// The quantised objects of a tick, shared by all clients.
#[derive(Debug)]
pub(crate) struct WorldSnapshot {
    pub(crate) tick: u64,
    /// Number of the packet with this snapshot.
    pub(crate) number: u64,
    pub(crate) cubes: Vec<Cube>,
    pub(crate) rows: Vec<u32>,
    /// For each slot, the tick of the packet in which its state changed last.
    pub(crate) changed: Vec<u64>,
    /// Slots with three changes of the life within a baseline's greatest age, each with the tick of the third last change.
    pub(crate) jumps: Vec<(u16, u64)>,
}

impl WorldSnapshot {
    pub(crate) fn row_len(&self) -> usize {
        self.rows.len() / self.cubes.len()
    }

    pub(crate) fn row(&self, slot: usize) -> &[u32] {
        &self.rows[slot * self.row_len()..][..self.row_len()]
    }

    pub(crate) fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            cubes: &self.cubes,
            rows: &self.rows,
        }
    }
}

/// The objects that a client sees in a tick.
pub(crate) struct ClientView {
    /// Slots that the client sees; none if it sees every object.
    pub(crate) seen: Option<SlotSet>,
    /// Velocities of the objects that the client predicts, by rising slot.
    pub(crate) details: Vec<(u16, Velocities)>,
    /// Priority a second of each slot's object; empty for a client without a budget.
    pub(crate) priorities: Vec<f32>,
}

/// Returns true if a client sees the slot; without a set it sees all.
pub(crate) fn is_seen(seen: &Option<SlotSet>, slot: usize) -> bool {
    (seen.as_ref()).is_none_or(|seen| has_slot(seen, slot))
}
