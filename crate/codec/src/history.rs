//! The bounded history of snapshots that each end keeps as baselines.

use crate::buffers::{replace, room};
use crate::cube::Cube;
use crate::declared::Snapshot;
use crate::error::SnapshotError;
use crate::format::Format;
use crate::model::Memory;
use crate::sequence::{is_newer, ticks_since};
use crate::snapshot::BaselineRef;

/// Length of a sender's history of snapshots, ticks: 4.3 s at 60 a second. An acknowledgement of an older packet is ignored.
pub const SENT_HISTORY_TICKS: usize = 256;
/// Length of a receiver's history of snapshots, ticks. It is longer than the sender's, because a packet may be on its way when
/// its sender drops the baseline.
pub const RECEIVED_HISTORY_TICKS: usize = 512;

/// A stored snapshot that later packets may be encoded against, with its coder state.
#[derive(Debug, Default)]
pub(crate) struct HeldSnapshot {
    pub(crate) cubes: Vec<Cube>,
    pub(crate) rows: Vec<u32>,
    pub(crate) memory: Memory,
}

impl HeldSnapshot {
    /// Stores a snapshot that was not decoded from a packet; an error if it does not fit the format.
    pub(crate) fn new(format: &Format, snapshot: Snapshot) -> Result<Self, SnapshotError> {
        format.check(snapshot)?;
        Ok(Self {
            cubes: snapshot.cubes.to_vec(),
            rows: snapshot.rows.to_vec(),
            memory: Memory::None,
        })
    }

    /// Returns this snapshot as the baseline of a packet `ticks` ticks later.
    pub(crate) fn before(&self, ticks: u16) -> BaselineRef<'_> {
        BaselineRef {
            cubes: &self.cubes,
            rows: &self.rows,
            memory: &self.memory,
            ticks,
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        room(&self.cubes) + room(&self.rows) + self.memory.held_bytes()
    }
}

impl Clone for HeldSnapshot {
    fn clone(&self) -> Self {
        Self {
            cubes: self.cubes.clone(),
            rows: self.rows.clone(),
            memory: self.memory.clone(),
        }
    }

    /// Copies another snapshot into this one's allocated memory.
    fn clone_from(&mut self, other: &Self) {
        replace(&mut self.cubes, &other.cubes);
        replace(&mut self.rows, &other.rows);
        if self.memory.is_alike(&other.memory) {
            self.memory.recall(&other.memory);
        } else {
            self.memory.clone_from(&other.memory);
        }
    }
}

/// The stored snapshots of the newest ticks, by sequence. Memory of dropped snapshots is reused, so the memory stops growing
/// once the history is full. In class `chained` each coder state has a buffer that fits its size.
#[derive(Debug)]
pub(crate) struct History {
    /// Stored snapshots. The index is the sequence modulo the length. The length is a power of two, so that the index stays
    /// right when 16-bit sequences wrap.
    slots: Vec<Option<Entry>>,
    cube_count: usize,
    newest: Option<u16>,
    /// The oldest sequence that the history accepts: older snapshots were dropped, and are ignored if inserted.
    oldest: Option<u16>,
    spare: Vec<HeldSnapshot>,
    /// Working copy of a model's coder state, with room for all cubes. Stored copies are trimmed, since most have data of few
    /// cubes.
    filled: Memory,
}

#[derive(Clone, Debug)]
struct Entry {
    sequence: u16,
    held: HeldSnapshot,
}

/// Clones the stored snapshots, without spare capacity.
impl Clone for History {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            spare: Vec::new(),
            filled: Memory::None,
            ..*self
        }
    }
}

impl History {
    /// Makes an empty history for the snapshots of the newest `ticks` ticks. `ticks` is a power of two.
    pub(crate) fn new(ticks: usize, cube_count: usize) -> Self {
        debug_assert!(ticks.is_power_of_two() && ticks <= 0x8000);
        Self {
            slots: (0..ticks).map(|_| None).collect(),
            cube_count,
            newest: None,
            oldest: None,
            spare: Vec::with_capacity(ticks),
            filled: Memory::None,
        }
    }

    /// Stores a snapshot in place of one with the same sequence; ignores one that is older than the history. `fill` writes
    /// the snapshot and its coder state into a reused buffer.
    pub(crate) fn insert(
        &mut self,
        sequence: u16,
        fill: impl FnOnce(&mut HeldSnapshot, &mut Memory),
    ) {
        match self.newest {
            Some(newest) if is_newer(sequence, newest) => {
                // Whatever sits in the slots that are passed over would come back to life a wrap later.
                let passed = usize::from(ticks_since(sequence, newest)).min(self.slots.len());
                (0..passed).for_each(|back| self.remove_slot(sequence.wrapping_sub(back as u16)));
                self.newest = Some(sequence);
                self.oldest = self.oldest.filter(|&oldest| self.reaches(oldest));
            }
            _ if self.oldest.is_some_and(|oldest| is_newer(oldest, sequence)) => return,
            Some(newest) if ticks_since(newest, sequence) >= self.ticks() => return,
            Some(_) => self.remove_slot(sequence),
            None => self.newest = Some(sequence),
        }
        let mut held = self.spare.pop().unwrap_or_else(|| HeldSnapshot {
            cubes: Vec::with_capacity(self.cube_count),
            ..HeldSnapshot::default()
        });
        fill(&mut held, &mut self.filled);
        held.memory.assign_from(&mut self.filled);
        let slot = self.slot(sequence);
        self.slots[slot] = Some(Entry { sequence, held });
    }

    /// Returns the snapshot with this sequence; `None` if the history does not have it.
    pub(crate) fn get(&self, sequence: u16) -> Option<&HeldSnapshot> {
        let entry = self.slots[self.slot(sequence)].as_ref()?;
        (self.reaches(sequence) && entry.sequence == sequence).then_some(&entry.held)
    }

    /// Drops all snapshots older than `sequence`.
    pub(crate) fn remove_before(&mut self, sequence: u16) {
        let Some(newest) = self.newest else {
            return;
        };
        let oldest = newest.wrapping_sub(self.ticks() - 1);
        let oldest = self.oldest.unwrap_or(oldest);
        if is_newer(sequence, oldest) {
            let dropped = usize::from(ticks_since(sequence, oldest)).min(self.slots.len());
            (1..=dropped).for_each(|back| self.remove_slot(sequence.wrapping_sub(back as u16)));
            self.oldest = Some(sequence);
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        let held = self.slots.iter().flatten().map(|entry| &entry.held);
        let bytes = held.chain(&self.spare).map(HeldSnapshot::held_bytes);
        let rooms = room(&self.slots) + room(&self.spare) + self.filled.held_bytes();
        rooms + bytes.sum::<usize>()
    }

    fn ticks(&self) -> u16 {
        self.slots.len() as u16
    }

    /// Returns true if a sequence is recent enough for the history to hold it.
    fn reaches(&self, sequence: u16) -> bool {
        let age_ticks = self.newest.map(|newest| ticks_since(newest, sequence));
        age_ticks.is_some_and(|age_ticks| age_ticks < self.ticks())
    }

    fn slot(&self, sequence: u16) -> usize {
        usize::from(sequence) % self.slots.len()
    }

    fn remove_slot(&mut self, sequence: u16) {
        let slot = self.slot(sequence);
        if let Some(entry) = self.slots[slot].take() {
            self.spare.push(entry.held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn snapshot(mark: i32) -> [Cube; 1] {
        [Cube {
            position: [mark, 0, 0],
            ..Cube::default()
        }]
    }

    proptest! {
        /// Across the wrap the newest ticks are held, unless they were dropped. Nothing comes back to life a wrap later.
        #[test]
        fn the_newest_ticks_are_held(
            capacity in prop::sample::select(&[1, 2, 128, 256][..]),
            steps in prop::collection::vec((-300..2000_i64, 0..300_i64, any::<bool>()), 1..200),
        ) {
            let mut history = History::new(capacity as usize, 1);
            let (mut held, mut newest, mut oldest) = (BTreeMap::new(), 70_000, i64::MIN);
            for (mark, (step, ago, drops)) in (0..).zip(steps) {
                let tick = if held.is_empty() { newest } else { newest + step };
                newest = newest.max(tick);
                if tick > newest - capacity && tick >= oldest {
                    held.insert(tick, mark);
                }
                history.insert(tick as u16, |held, _| replace(&mut held.cubes, &snapshot(mark)));
                if drops {
                    let before = newest - ago;
                    history.remove_before(before as u16);
                    oldest = oldest.max(before);
                }
                held.retain(|&tick, _| tick > newest - capacity && tick >= oldest);
                for tick in newest - 600..=newest + 2 {
                    let mark = history.get(tick as u16).map(|held| held.cubes[0].position[0]);
                    prop_assert_eq!(mark.as_ref(), held.get(&tick));
                }
            }
        }
    }
}
