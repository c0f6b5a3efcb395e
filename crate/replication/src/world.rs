//! The quantised objects of a tick, and the part of them that a client sees.

use crate::extras::Velocities;
use crate::slot_set::{SlotSet, has_slot};
use snapshot_codec::{Cube, FIELDS_MAX, Snapshot};

/// Row of a slot that a client does not see.
const NO_ROW: [u32; 2 + FIELDS_MAX] = [0; 2 + FIELDS_MAX];

/// The quantised objects of a tick, shared by all clients.
#[derive(Debug)]
pub(crate) struct WorldSnapshot {
    pub(crate) tick: u64,
    /// Number of the packet with this snapshot.
    pub(crate) number: u64,
    pub(crate) cubes: Vec<Cube>,
    pub(crate) rows: Vec<u32>,
    /// For each slot, the tick of the packet in which the slot's state changed last.
    pub(crate) changed: Vec<u64>,
    /// Slots whose lives changed three times within a baseline's greatest age, each with the tick of the third last change.
    pub(crate) jumps: Vec<(u16, u64)>,
    /// Slots in which an object ended within that time, each with the tick from which on it was no longer there.
    pub(crate) ends: Vec<(u16, u64)>,
}

impl WorldSnapshot {
    pub(crate) fn row_len(&self) -> usize {
        self.rows.len() / self.cubes.len()
    }

    pub(crate) fn row(&self, slot: usize) -> &[u32] {
        &self.rows[slot * self.row_len()..][..self.row_len()]
    }

    /// Returns the cube of a slot for a client that sees the slots `seen`, or all; an empty one if it does not see it.
    pub(crate) fn seen_cube(&self, seen: &Option<SlotSet>, slot: usize) -> &Cube {
        match is_seen(seen, slot) {
            true => &self.cubes[slot],
            false => &Cube::EMPTY,
        }
    }

    /// Returns the row of a slot for a client that sees the slots `seen`, or all; zeros if it does not see the object.
    pub(crate) fn seen_row(&self, seen: &Option<SlotSet>, slot: usize) -> &[u32] {
        match is_seen(seen, slot) {
            true => self.row(slot),
            false => &NO_ROW[..self.row_len()],
        }
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
    /// Slots that the client sees; `None` if it sees every object.
    pub(crate) seen: Option<SlotSet>,
    /// Velocities of the objects that the client predicts, by rising slot.
    pub(crate) details: Vec<(u16, Velocities)>,
    /// Priority a second of each slot's object; empty for a client without a budget.
    pub(crate) priorities: Vec<f32>,
}

/// Returns true if a client sees the slot. `seen` is `None` for a client that sees all slots.
pub(crate) fn is_seen(seen: &Option<SlotSet>, slot: usize) -> bool {
    (seen.as_ref()).is_none_or(|seen| has_slot(seen, slot))
}
