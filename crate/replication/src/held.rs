//! The snapshots that a client stores.

use crate::extras::Extras;
use crate::partial::{ComposedBaseline, PartialNotes, ReceivedPacket, named_numbers};
use crate::shown::ShownSlot;
use crate::slot_set::{SlotSet, add_slot, has_slot, no_slots};
use snapshot_codec::{Baseline, Cube};
use std::collections::VecDeque;

/// A decoded snapshot of a tick, as the client stores it.
pub(crate) struct HeldSnapshot {
    pub(crate) tick: u64,
    /// Number of the packet that contained the snapshot.
    pub(crate) number: u64,
    pub(crate) baseline: Baseline,
    pub(crate) extras: Extras,
    /// State by slot of a partial packet's snapshot; `None` for a whole snapshot, whose slots are all at its own tick.
    pub(crate) partial: Option<HeldPartial>,
}

/// The details that only a partial packet's snapshot has. Its slots have states of different ticks.
pub(crate) struct HeldPartial {
    /// The tick of each slot's state.
    pub(crate) ticks: Vec<u64>,
    /// Slots whose states are those at the snapshot's tick.
    pub(crate) fresh: SlotSet,
    pub(crate) notes: PartialNotes,
}

impl HeldPartial {
    /// Compares a decoded snapshot with its baseline: slots that differ, have velocities in `extras`, or are named by the notes
    /// have states of the tick.
    pub(crate) fn new(
        tick: u64,
        composed: &ComposedBaseline,
        decoded: &Baseline,
        notes: PartialNotes,
        extras: &Extras,
    ) -> Self {
        let mut fresh = no_slots(composed.cubes.len());
        let mut ticks = composed.ticks.clone();
        let rows = decoded.rows().chunks(composed.row(0).len());
        for (slot, (cube, row)) in decoded.cubes().iter().zip(rows).enumerate() {
            if composed.cubes[slot] != *cube || composed.row(slot) != row {
                add_slot(&mut fresh, slot);
                ticks[slot] = tick;
            }
        }
        for (slot, _) in &extras.details {
            add_slot(&mut fresh, usize::from(*slot));
            ticks[usize::from(*slot)] = tick;
        }
        if let Some((first, current)) = notes.current {
            fresh[usize::from(first) / 64] |= current;
        }
        Self {
            ticks,
            fresh,
            notes,
        }
    }
}

impl HeldSnapshot {
    /// Returns the identity of the object in a slot.
    pub(crate) fn shown(&self, slot: usize) -> ShownSlot {
        ShownSlot::new(self.cube(slot), self.row(slot))
    }

    /// Returns true if the packet has a state of the slot, or says its velocities. A whole snapshot has all states.
    pub(crate) fn is_sent(&self, slot: usize) -> bool {
        (self.partial.as_ref()).is_none_or(|partial| partial.ticks[slot] == self.tick)
    }

    pub(crate) fn held_bytes(&self) -> usize {
        let partial = self.partial.as_ref();
        let partial = partial.map(|it| it.ticks.len() * 8 + it.fresh.len() * 8);
        self.baseline.held_bytes() + self.extras.held_bytes() + partial.unwrap_or(0)
    }
}

impl ReceivedPacket for HeldSnapshot {
    fn tick(&self) -> u64 {
        self.tick
    }

    fn is_fresh(&self, slot: usize) -> bool {
        (self.partial.as_ref()).is_none_or(|partial| has_slot(&partial.fresh, slot))
    }

    fn cube(&self, slot: usize) -> &Cube {
        &self.baseline.cubes()[slot]
    }

    fn row(&self, slot: usize) -> &[u32] {
        let row_len = self.baseline.rows().len() / self.baseline.cubes().len();
        &self.baseline.rows()[slot * row_len..][..row_len]
    }

    fn rested_until(&self, slot: usize) -> Option<u64> {
        self.partial.as_ref()?.notes.rested_until(slot)
    }

    fn has_jumped(&self, slot: usize, since: u64) -> bool {
        self.extras.has_jumped(slot, since)
    }

    fn ended(&self, slot: usize) -> Option<u64> {
        self.extras.ended(slot)
    }
}

/// Returns the stored snapshot of a tick; `None` if it is not stored.
pub(crate) fn find(held: &VecDeque<HeldSnapshot>, tick: u64) -> Option<&HeldSnapshot> {
    let found = held.binary_search_by_key(&tick, |held| held.tick);
    found.ok().map(|index| &held[index])
}

/// Composes the baseline of a partial packet: each slot's newest state among the snapshots that the packet names. They are the
/// one of `newest_tick`, and earlier ones by the bits of `before`. `None` if one of them is not stored.
pub(crate) fn compose(
    held: &VecDeque<HeldSnapshot>,
    newest_tick: u64,
    before: u64,
) -> Option<ComposedBaseline> {
    let newest = find(held, newest_tick)?;
    let mut composed = ComposedBaseline {
        cubes: newest.baseline.cubes().to_vec(),
        rows: newest.baseline.rows().to_vec(),
        ticks: match &newest.partial {
            Some(partial) => partial.ticks.clone(),
            None => vec![newest.tick; newest.baseline.cubes().len()],
        },
    };
    for number in named_numbers(newest.number, before) {
        let at = held.binary_search_by_key(&number?, |held| held.number);
        let other = &held[at.ok()?];
        for slot in 0..composed.cubes.len() {
            let ticks = other.partial.as_ref().map(|partial| &partial.ticks);
            let tick = ticks.map_or(other.tick, |ticks| ticks[slot]);
            if tick > composed.ticks[slot] {
                composed.set(slot, tick, other.cube(slot), other.row(slot));
            }
        }
    }
    Some(composed)
}
