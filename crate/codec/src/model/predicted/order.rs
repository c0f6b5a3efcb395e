//! The order in which cubes are coded: outward from the player.

use crate::buffers::room;

/// Cubes sorted by the highest bits of their squared distance, then by index.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Sort keys: the highest bits of a squared distance, then 16 bits of index. The bits of a non-negative float rise with its
    /// value.
    keys: Vec<u32>,
}

const INDEX_BITS: u32 = 16;
/// Bits of a distance in a key: the exponent, and a mantissa in steps of 1/256. The sign is not needed.
const DISTANCE_BITS: u32 = 16;

impl Order {
    pub(super) fn new(cube_count: usize) -> Self {
        Self {
            keys: Vec::with_capacity(cube_count),
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        room(&self.keys)
    }

    /// Sorts cubes, given by rising index with their squared distances.
    pub(super) fn sort(&mut self, cubes: impl Iterator<Item = (usize, f32)>) {
        let key = |(index, square): (usize, f32)| {
            square.to_bits() >> (31 - DISTANCE_BITS) << INDEX_BITS | index as u32
        };
        self.keys.clear();
        self.keys.extend(cubes.map(key));
        self.keys.sort_unstable();
    }

    pub(super) fn cubes(&self) -> impl Iterator<Item = usize> {
        self.keys
            .iter()
            .map(|key| (key & ((1 << INDEX_BITS) - 1)) as usize)
    }
}
