//! The bounded memory of snapshots that both ends keep as baselines.

use alloc::vec::Vec;

use crate::cube::Cube;
use crate::sequence::{is_newer, ticks_since};

/// Length of a sender's history, ticks: 4.3 s at 60 a second. An acknowledgement of an older packet is ignored.
pub const SENT_HISTORY_TICKS: usize = 256;
/// Length of a receiver's history, ticks. It is longer, because a packet may be under way while its sender forgets the
/// baseline.
pub const RECEIVED_HISTORY_TICKS: usize = 512;

/// The snapshots of the newest ticks, by sequence. Memory of dropped snapshots is reused, so it stops growing once the history
/// is full. In class `chained`, the coder state beside each has a buffer of its own size.
#[derive(Debug)]
pub struct History<M = ()> {
    /// Storage by sequence modulo the length, which is a power of two, so that wrapped sequences fit.
    slots: Vec<Option<Entry<M>>>,
    capacity_ticks: u16,
    cube_count: usize,
    newest: Option<u16>,
    /// The oldest sequence that is still accepted: older snapshots were dropped, and are ignored if inserted.
    oldest: Option<u16>,
    spare: Vec<(Vec<Cube>, M)>,
    /// State beside the last snapshot, in a buffer large enough for any. The stored copy is trimmed: mostly it is of few cubes.
    filled: M,
}

/// Coder state that can be stored beside a snapshot.
pub trait Companion: Clone + Default {
    /// Takes over the other's state in a buffer of about the needed size. The other keeps its larger buffer, but not its
    /// values.
    fn take(&mut self, other: &mut Self);
}

impl Companion for () {
    fn take(&mut self, (): &mut ()) {}
}

/// Bytes of a vector's allocated capacity.
pub(crate) fn room<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// Replaces a vector's values by a copy of others.
pub(crate) fn replace<T: Clone>(own: &mut Vec<T>, other: &[T]) {
    own.clear();
    own.extend_from_slice(other);
}

/// Replaces a vector's values by a copy, with a capacity of a multiple of 32, at most twice the needed size. Capacities of
/// every size would fragment memory.
pub(crate) fn fit<T: Clone>(own: &mut Vec<T>, other: &[T]) {
    const STEP: usize = 32;
    let needed = other.len().next_multiple_of(STEP);
    if !(needed..=2 * needed).contains(&own.capacity()) {
        *own = Vec::with_capacity(needed);
    }
    replace(own, other);
}

#[derive(Clone, Debug)]
struct Entry<M> {
    sequence: u16,
    /// The snapshot, and the coder state stored beside it.
    kept: (Vec<Cube>, M),
}

/// Clones the stored snapshots, without spare capacity.
impl<M: Companion> Clone for History<M> {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            spare: Vec::new(),
            filled: M::default(),
            ..*self
        }
    }
}

impl History {
    /// Bytes of allocated memory.
    pub fn held_bytes(&self) -> usize {
        self.held_bytes_with(|()| 0)
    }

    /// Stores a snapshot, replacing one of the same sequence. A snapshot older than the history is ignored.
    pub fn insert(&mut self, sequence: u16, cubes: &[Cube]) {
        self.insert_with(sequence, |kept, ()| replace(kept, cubes));
    }
}

impl<M: Companion> History<M> {
    /// Makes a history of the snapshots fewer than `capacity_ticks` older than the newest. The capacity is clamped to 1 to
    /// 32,768.
    pub fn new(capacity_ticks: usize, cube_count: usize) -> Self {
        let capacity_ticks = capacity_ticks.clamp(1, 0x8000);
        let slot_count = capacity_ticks.next_power_of_two();
        Self {
            slots: (0..slot_count).map(|_| None).collect(),
            capacity_ticks: capacity_ticks as u16,
            cube_count,
            newest: None,
            oldest: None,
            spare: Vec::with_capacity(slot_count),
            filled: M::default(),
        }
    }

    /// Stores a snapshot, as [`History::insert`] does. `fill` writes it into a reused buffer, and updates the coder state from
    /// the last one that was made.
    pub fn insert_with(&mut self, sequence: u16, fill: impl FnOnce(&mut Vec<Cube>, &mut M)) {
        match self.newest {
            Some(newest) if is_newer(sequence, newest) => {
                // Whatever sits in the slots that are passed over would come back to life a wrap later.
                let passed = usize::from(ticks_since(sequence, newest)).min(self.slots.len());
                (0..passed).for_each(|back| self.remove_slot(sequence.wrapping_sub(back as u16)));
                self.newest = Some(sequence);
                self.oldest = self.oldest.filter(|&oldest| self.reaches(oldest));
            }
            _ if self.oldest.is_some_and(|oldest| is_newer(oldest, sequence)) => return,
            Some(newest) if ticks_since(newest, sequence) >= self.capacity_ticks => return,
            Some(_) => self.remove_slot(sequence),
            None => self.newest = Some(sequence),
        }
        let mut kept = self
            .spare
            .pop()
            .unwrap_or_else(|| (Vec::with_capacity(self.cube_count), M::default()));
        fill(&mut kept.0, &mut self.filled);
        kept.1.take(&mut self.filled);
        let slot = self.slot(sequence);
        self.slots[slot] = Some(Entry { sequence, kept });
    }

    /// Returns the snapshot of that sequence, if the history still has it.
    pub fn get(&self, sequence: u16) -> Option<&[Cube]> {
        self.get_with(sequence).map(|(cubes, _)| cubes)
    }

    /// Returns the snapshot of that sequence with its coder state, if the history still has it.
    pub fn get_with(&self, sequence: u16) -> Option<(&[Cube], &M)> {
        let entry = self.slots[self.slot(sequence)].as_ref()?;
        (self.reaches(sequence) && entry.sequence == sequence)
            .then_some((&entry.kept.0[..], &entry.kept.1))
    }

    /// Drops all snapshots older than `sequence`.
    pub fn remove_before(&mut self, sequence: u16) {
        let Some(newest) = self.newest else {
            return;
        };
        let oldest = newest.wrapping_sub(self.capacity_ticks - 1);
        let oldest = self.oldest.unwrap_or(oldest);
        if is_newer(sequence, oldest) {
            let dropped = usize::from(ticks_since(sequence, oldest)).min(self.slots.len());
            (1..=dropped).for_each(|back| self.remove_slot(sequence.wrapping_sub(back as u16)));
            self.oldest = Some(sequence);
        }
    }

    /// Drops everything, as if nothing had ever been inserted.
    pub fn clear(&mut self) {
        (self.newest, self.oldest) = (None, None);
        self.spare.extend(
            self.slots
                .iter_mut()
                .filter_map(|slot| slot.take().map(|entry| entry.kept)),
        );
    }

    /// Bytes of allocated memory; `beside` returns the bytes of one snapshot's coder state.
    pub(crate) fn held_bytes_with(&self, beside: impl Fn(&M) -> usize) -> usize {
        let held = self.slots.iter().flatten().map(|entry| &entry.kept);
        let kept = held.chain(&self.spare);
        let bytes = kept.map(|(cubes, kept)| room(cubes) + beside(kept));
        room(&self.slots) + room(&self.spare) + bytes.sum::<usize>() + beside(&self.filled)
    }

    /// Says whether a sequence is recent enough to be held.
    fn reaches(&self, sequence: u16) -> bool {
        let age_ticks = self.newest.map(|newest| ticks_since(newest, sequence));
        age_ticks.is_some_and(|age_ticks| age_ticks < self.capacity_ticks)
    }

    fn slot(&self, sequence: u16) -> usize {
        usize::from(sequence) % self.slots.len()
    }

    fn remove_slot(&mut self, sequence: u16) {
        let slot = self.slot(sequence);
        if let Some(entry) = self.slots[slot].take() {
            self.spare.push(entry.kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use proptest::prelude::*;

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
            capacity in prop::sample::select(&[1, 2, 3, 100, 256][..]),
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
                history.insert(tick as u16, &snapshot(mark));
                if drops {
                    let before = newest - ago;
                    history.remove_before(before as u16);
                    oldest = oldest.max(before);
                }
                held.retain(|&tick, _| tick > newest - capacity && tick >= oldest);
                for tick in newest - 600..=newest + 2 {
                    let expected = held.get(&tick).map(|&mark| snapshot(mark));
                    prop_assert_eq!(history.get(tick as u16), expected.as_ref().map(|it| &it[..]));
                }
            }
        }
    }
}
