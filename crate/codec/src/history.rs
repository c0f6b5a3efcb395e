//! The bounded memory of snapshots that both ends keep as baselines.

use alloc::vec::Vec;

use crate::cube::Cube;
use crate::sequence::{is_newer, ticks_since};

/// A sender remembers what it sent for so many ticks; an ack older than that counts as none. 4.3 s at 60 a second.
pub const SENT_HISTORY_TICKS: usize = 256;
/// A receiver remembers longer, because a packet may be under way while its sender forgets the baseline.
pub const RECEIVED_HISTORY_TICKS: usize = 512;

/// Snapshots of the last so many ticks, by sequence. Their memory is reused when they are dropped, and so stops growing once
/// all ticks have passed. The coder's state beside each, in class `chained`, has a room of its own size.
#[derive(Debug)]
pub struct History<M = ()> {
    /// A power of two of them, so that sequence modulo slots goes on across the wrap.
    slots: Vec<Option<Entry<M>>>,
    capacity_ticks: u16,
    cube_count: usize,
    newest: Option<u16>,
    /// The oldest sequence that is still taken in: older ones were dropped, and are left if they come.
    oldest: Option<u16>,
    spare: Vec<(Vec<Cube>, M)>,
    /// State beside the last snapshot, with room for any. The stored copy has no spare room: mostly it is of few cubes.
    filled: M,
}

/// State that can be stored beside a snapshot.
pub trait Companion: Clone + Default {
    /// Becomes the same, in about the room that it needs. The other keeps room for any state, not its values.
    fn take(&mut self, other: &mut Self);
}

impl Companion for () {
    fn take(&mut self, (): &mut ()) {}
}

/// Bytes that a vector's room takes.
pub(crate) fn room<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// Becomes a copy.
pub(crate) fn replace<T: Clone>(own: &mut Vec<T>, other: &[T]) {
    own.clear();
    own.extend_from_slice(other);
}

/// Becomes a copy in room for a multiple of 32, between as much as it needs and twice that: rooms of every size would cut memory
/// to pieces.
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
    /// The snapshot, and what is kept beside it.
    kept: (Vec<Cube>, M),
}

/// Clones the stored snapshots, without the room for more.
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
    /// Memory that it takes.
    pub fn held_bytes(&self) -> usize {
        self.held_bytes_with(|()| 0)
    }

    /// Keeps a snapshot, in place of one of the same sequence. One that is too old to be held is left.
    pub fn insert(&mut self, sequence: u16, cubes: &[Cube]) {
        self.insert_with(sequence, |kept, ()| replace(kept, cubes));
    }
}

impl<M: Companion> History<M> {
    /// Holds what is fewer than `capacity_ticks` (1 to 32,768, else the nearer of the two) older than the newest.
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

    /// Keeps a snapshot, as [`History::insert`] does. `fill` makes the snapshot in the room of another one, and the state beside
    /// it of the state that it made before.
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

    /// The snapshot of that sequence, if it is held.
    pub fn get(&self, sequence: u16) -> Option<&[Cube]> {
        self.get_with(sequence).map(|(cubes, _)| cubes)
    }

    /// The snapshot of that sequence and what is kept beside it, if it is held.
    pub fn get_with(&self, sequence: u16) -> Option<(&[Cube], &M)> {
        let entry = self.slots[self.slot(sequence)].as_ref()?;
        (self.reaches(sequence) && entry.sequence == sequence)
            .then_some((&entry.kept.0[..], &entry.kept.1))
    }

    /// Drops everything older than `sequence`.
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

    /// Memory that it takes, with what `beside` says of what is kept beside a snapshot.
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

    fn snapshot(mark: i32) -> [Cube; 1] {
        [Cube {
            position: [mark, 0, 0],
            ..Cube::default()
        }]
    }

    #[test]
    fn holds_the_last_ticks_across_the_wrap() {
        for capacity in [1, 2, 3, 100, 256] {
            let mut history = History::new(capacity, 1);
            for tick in 0..200_000_i32 {
                history.insert(tick as u16, &snapshot(tick));
                if tick % 997 < 3 {
                    for age in 0..300.min(tick) {
                        let expected = snapshot(tick - age);
                        let held = (age as usize) < capacity;
                        assert_eq!(
                            history.get((tick - age) as u16),
                            held.then_some(&expected[..]),
                            "{capacity} {tick} {age}"
                        );
                    }
                    assert_eq!(history.get((tick + 1) as u16), None);
                }
            }
        }
    }

    #[test]
    fn nothing_comes_back_to_life_a_wrap_later() {
        let mut history = History::new(256, 1);
        history.insert(1, &snapshot(1));
        for tick in (60..0x1_0000 + 60).step_by(60) {
            history.insert(tick as u16, &snapshot(tick));
        }
        history.insert(2, &snapshot(2));
        assert_eq!(history.get(1), None);
    }

    #[test]
    fn a_snapshot_that_is_too_old_is_left_and_a_late_one_is_kept() {
        let mut history = History::new(256, 1);
        history.insert(1000, &snapshot(0));
        history.insert(744, &snapshot(1));
        history.insert(745, &snapshot(2));
        assert_eq!(history.get(744), None);
        assert_eq!(history.get(745), Some(&snapshot(2)[..]));
        history.insert(745, &snapshot(3));
        assert_eq!(history.get(745), Some(&snapshot(3)[..]));
        history.remove_before(746);
        assert_eq!(
            (history.get(745), history.get(1000)),
            (None, Some(&snapshot(0)[..]))
        );
        history.insert(745, &snapshot(3));
        assert_eq!(history.get(745), None, "it was dropped");
        history.clear();
        assert_eq!(history.get(1000), None);
        history.insert(5, &snapshot(4));
        assert_eq!(history.get(5), Some(&snapshot(4)[..]));
    }

    #[test]
    fn what_is_dropped_is_what_is_older_whatever_came_since() {
        for step in [1, 7, 250, 256, 300, 30_000] {
            let mut history = History::new(256, 1);
            for tick in (0..200_000_i32).step_by(step) {
                history.insert(tick as u16, &snapshot(tick));
                let kept = (tick - 40).max(0);
                history.remove_before(kept as u16);
                for age in [0, 39, 40, 41, 255, 256] {
                    let held = age <= 40 && age <= tick && (age as usize).is_multiple_of(step);
                    let expected = snapshot(tick - age);
                    assert_eq!(
                        history.get((tick - age) as u16),
                        held.then_some(&expected[..]),
                        "{step} {tick} {age}"
                    );
                }
            }
        }
    }
}
