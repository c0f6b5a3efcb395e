//! The order in which cubes are coded: outward from the player.

use alloc::vec;
use alloc::vec::Vec;

use crate::history::room;

/// Cubes sorted by the highest bits of their squared distance, then by index.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Sort keys: the highest bits of a squared distance, then 16 bits of index. The bits of a non-negative float rise with its
    /// value.
    keys: Vec<u32>,
    scratch: Vec<u32>,
}

/// Bits of a key that one pass of the radix sort handles.
const DIGIT_BITS: u32 = 8;
const INDEX_BITS: u32 = 16;
/// Bits of a distance in a key: the exponent, and a mantissa in steps of 1/256. The sign is not needed.
const DISTANCE_BITS: u32 = 16;

impl Order {
    pub(super) fn new(cube_count: usize) -> Self {
        Self {
            keys: Vec::with_capacity(cube_count),
            scratch: vec![0; cube_count],
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        room(&self.keys) + room(&self.scratch)
    }

    /// Sorts cubes, given by rising index with their squared distances.
    pub(super) fn sort(&mut self, cubes: impl Iterator<Item = (usize, f32)>) {
        let mut counts = [[0_u32; 1 << DIGIT_BITS]; (DISTANCE_BITS / DIGIT_BITS) as usize];
        let digit_of = |key: u32, digit: usize| {
            (key >> (INDEX_BITS + digit as u32 * DIGIT_BITS)) as usize & ((1 << DIGIT_BITS) - 1)
        };
        self.keys.clear();
        self.keys.extend(cubes.map(|(index, square)| {
            let key = square.to_bits() >> (31 - DISTANCE_BITS) << INDEX_BITS | index as u32;
            for (digit, counts) in counts.iter_mut().enumerate() {
                counts[digit_of(key, digit)] += 1;
            }
            key
        }));
        self.scratch.resize(self.keys.len(), 0);
        // From the lowest digit up: each pass keeps the order of the ones before, and the first that of the indices.
        for (digit, ends) in counts.iter_mut().enumerate() {
            let mut sum = 0;
            for end in ends.iter_mut() {
                (*end, sum) = (sum, sum + *end);
            }
            for &key in &self.keys {
                let at = &mut ends[digit_of(key, digit)];
                self.scratch[*at as usize] = key;
                *at += 1;
            }
            core::mem::swap(&mut self.keys, &mut self.scratch);
        }
    }

    /// Returns the cubes in sorted order.
    pub(super) fn cubes(&self) -> impl Iterator<Item = usize> {
        self.keys
            .iter()
            .map(|key| (key & ((1 << INDEX_BITS) - 1)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_by_distance_and_then_by_index() {
        let mut order = Order::new(4);
        for count in [5, 0, 300] {
            let squares: Vec<f32> = (0..count)
                .map(|n| ((n * 7919) % 101) as f32 * 1e5 + if n % 3 == 0 { 0.25 } else { 0.0 })
                .collect();
            order.sort(squares.iter().copied().enumerate());
            let mut expected: Vec<_> = squares.iter().copied().enumerate().collect();
            expected.sort_by_key(|(_, square)| square.to_bits() >> 15);
            let expected = expected.into_iter().map(|(index, _)| index);
            assert!(order.cubes().eq(expected));
        }
    }
}
