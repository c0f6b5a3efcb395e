//! Sets of slots. A slot is an object's place in all snapshots.

/// A set of slots, a bit each; bits beyond the last slot are 0.
pub(crate) type SlotSet = Box<[u64]>;

/// Makes an empty set for a number of slots.
pub(crate) fn no_slots(count: usize) -> SlotSet {
    vec![0; count.div_ceil(64)].into()
}

/// Returns true if the set has a slot.
pub(crate) fn has_slot(set: &[u64], slot: usize) -> bool {
    set[slot / 64] >> (slot % 64) & 1 == 1
}

pub(crate) fn add_slot(set: &mut [u64], slot: usize) {
    set[slot / 64] |= 1 << (slot % 64);
}

/// Iterates over the slots of a set, rising.
pub(crate) fn slots_of(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(word * 64 + bit)
        })
    })
}
