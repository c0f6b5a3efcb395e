//! The bounded memory of updates that both ends keep as baselines.

use super::body::Update;
use super::format::SyncFormat;

/// Number of frames that both ends remember: 8.5 s. It is a power of two, so that the index of a frame stays right when its
/// sequence wraps.
pub const WINDOW_FRAMES: usize = 512;
/// Greatest age of the newest acknowledged packet, frames; an older one is ignored.
pub(super) const ACKED_AGE_MAX: u32 = 256;
/// Greatest age of a baseline, in frames before the newest acknowledged packet; it takes 5 bits.
pub(super) const OFFSET_MAX: u32 = 31;

/// Updates of the newest frames, by sequence.
#[derive(Clone, Debug)]
pub(super) struct UpdateWindow {
    slots: Vec<Option<(u32, Vec<Update>)>>,
}

impl UpdateWindow {
    pub(super) fn new() -> Self {
        Self {
            slots: (0..WINDOW_FRAMES).map(|_| None).collect(),
        }
    }

    /// Stores a packet's updates, given by rising rank, in place of an older packet's.
    pub(super) fn insert(&mut self, sequence: u32, updates: &[Update]) {
        let slot = &mut self.slots[sequence as usize % WINDOW_FRAMES];
        let mut copy = slot.take().map_or_else(Vec::new, |(_, updates)| updates);
        copy.clear();
        copy.extend_from_slice(updates);
        *slot = Some((sequence, copy));
    }

    pub(super) fn held_bytes(&self) -> usize {
        let held = self.slots.iter().flatten();
        let updates = held.map(|(_, updates)| updates.capacity() * size_of::<Update>());
        self.slots.len() * size_of::<Option<(u32, Vec<Update>)>>() + updates.sum::<usize>()
    }

    pub(super) fn get(&self, sequence: u32) -> Option<&[Update]> {
        match &self.slots[sequence as usize % WINDOW_FRAMES] {
            Some((held, updates)) if *held == sequence => Some(updates),
            _ => None,
        }
    }

    /// Returns a cube's update in the packet with this sequence; `None` if there is none.
    pub(super) fn update(
        &self,
        format: &SyncFormat,
        sequence: u32,
        index: usize,
    ) -> Option<&Update> {
        let updates = self.get(sequence)?;
        if format.grid.player() == Some(index) {
            return updates.first().filter(|update| update.index == index);
        }
        let rank = format.rank(index);
        let at = updates.binary_search_by_key(&rank, |update| format.rank(update.index));
        at.ok().map(|at| &updates[at])
    }
}
