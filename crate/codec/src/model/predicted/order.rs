//! The order in which cubes are coded: outward from the player.

use alloc::vec;
use alloc::vec::Vec;

/// Cubes by rising squared distance, on a tie by index.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The bits of a distance, which rise with it where it is not negative, and 16 bits of index.
    keys: Vec<u64>,
    scratch: Vec<u64>,
}

/// A pass of the sort looks at so many bits.
const DIGIT_BITS: u32 = 8;
const INDEX_BITS: u32 = 16;
const DISTANCE_BITS: u32 = 32;

impl Order {
    pub(super) fn new(cube_count: usize) -> Self {
        Self {
            keys: Vec::with_capacity(cube_count),
            scratch: vec![0; cube_count],
        }
    }

    /// Sorts cubes that are given by rising index with their squared distances.
    pub(super) fn sort(&mut self, cubes: impl Iterator<Item = (usize, f32)>) {
        let key = |(index, square): (usize, f32)| {
            u64::from(square.to_bits()) << INDEX_BITS | index as u64
        };
        self.keys.clear();
        self.keys.extend(cubes.map(key));
        self.scratch.resize(self.keys.len(), 0);
        // From the lowest digit up: each pass keeps the order of the ones before, and the first that of the indices.
        for digit in 0..DISTANCE_BITS / DIGIT_BITS {
            let shift = INDEX_BITS + digit * DIGIT_BITS;
            let digit_of = |key: u64| (key >> shift) as usize & ((1 << DIGIT_BITS) - 1);
            let mut ends = [0_u32; 1 << DIGIT_BITS];
            for &key in &self.keys {
                ends[digit_of(key)] += 1;
            }
            let mut sum = 0;
            for end in &mut ends {
                (*end, sum) = (sum, sum + *end);
            }
            for &key in &self.keys {
                let at = &mut ends[digit_of(key)];
                self.scratch[*at as usize] = key;
                *at += 1;
            }
            core::mem::swap(&mut self.keys, &mut self.scratch);
        }
    }

    /// The cube at that place of the order, and its squared distance.
    pub(super) fn at(&self, place: usize) -> (usize, f32) {
        let key = self.keys[place];
        (
            (key & ((1 << INDEX_BITS) - 1)) as usize,
            f32::from_bits((key >> INDEX_BITS) as u32),
        )
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
            expected.sort_by(|a, b| a.1.total_cmp(&b.1));
            let sorted: Vec<_> = (0..count).map(|place| order.at(place)).collect();
            assert_eq!(sorted, expected);
        }
    }
}
