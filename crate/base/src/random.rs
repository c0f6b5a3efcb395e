//! Seeded random numbers. Each use has a stream of its own, so that drawing more numbers from one leaves the others as they
//! were. A number drawn by a key depends on no earlier draw.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// An endless stream of random numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(Pcg32);

impl Stream {
    /// Makes the stream of a seed and a use; different uses of one seed have different numbers.
    pub fn new(seed: u32, usage: u32) -> Stream {
        Stream(Pcg32::seed_from_u64(
            (u64::from(usage) << 32) | u64::from(seed),
        ))
    }

    /// Returns a random number from [0, 1), evenly, in steps of 2^-32.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / (1_u64 << 32) as f64
    }

    /// Returns a random number from [low, high), evenly.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a random integer of `low..=high`, each equally likely; `low <= high`.
    pub fn integer(&mut self, low: u32, high: u32) -> u32 {
        let values = u64::from(high - low) + 1;
        low + ((u64::from(self.0.next_u32()) * values) >> 32) as u32
    }
}

/// A random number that depends on its key alone: equal words give equal numbers, in any order of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedDraw(u64);

impl KeyedDraw {
    /// Makes the random number of a seed and a use; different uses of one seed have different numbers.
    pub fn new(seed: u32, usage: u32) -> KeyedDraw {
        KeyedDraw(mixed((u64::from(usage) << 32) | u64::from(seed)))
    }

    /// Returns the random number of this key extended by `word`.
    #[must_use]
    pub fn with(self, word: u64) -> KeyedDraw {
        KeyedDraw(mixed(self.0 ^ mixed(word)))
    }

    /// Returns the number scaled to [0, 1), in steps of 2^-32.
    pub fn unit(self) -> f64 {
        (self.0 >> 32) as f64 / (1_u64 << 32) as f64
    }

    /// Returns the number scaled to [low, high).
    pub fn between(self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// A step of SplitMix64 (Steele, Lea and Flood, 2014), which is a bijection: every bit of the word moves half of the bits.
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_range_and_reach_both_ends() {
        let mut stream = Stream::new(7, 1);
        let dice: Vec<u32> = (0..1000).map(|_| stream.integer(1, 6)).collect();
        assert_eq!((dice.iter().min(), dice.iter().max()), (Some(&1), Some(&6)));
        assert!((0..1000).all(|_| (-2.0..3.0).contains(&stream.between(-2.0, 3.0))));
        let _ = stream.integer(0, u32::MAX);
    }

    #[test]
    fn keyed_draws_are_even_and_neighbouring_keys_have_nothing_in_common() {
        let key = KeyedDraw::new(1, 0x100);
        for word in 0..4 {
            // Counted up in either word, as packets and their fragments are.
            let draws: Vec<f64> = (0..100_000)
                .map(|n| key.with(n).with(word).unit())
                .collect();
            let mean = draws.iter().sum::<f64>() / 100_000.0;
            assert!((mean - 0.5).abs() < 0.005, "{mean}");
            for tenth in 0..10 {
                let share = draws.iter().filter(|&&draw| (draw * 10.0) as u32 == tenth);
                let share = share.count() as f64 / 100_000.0;
                assert!((share - 0.1).abs() < 0.005, "tenth {tenth}: {share}");
            }
            // Correlation of a packet with the next, and of a fragment with the next: below 4 standard errors.
            let next = |n: u64, draw: f64| {
                let (packet, fragment) = (key.with(n + 1).with(word), key.with(n).with(word + 1));
                [packet, fragment].map(|next| 12.0 * (next.unit() - 0.5) * (draw - 0.5))
            };
            let sums = (0..).zip(&draws).fold([0.0; 2], |sums, (n, &draw)| {
                let [packet, fragment] = next(n, draw);
                [sums[0] + packet, sums[1] + fragment]
            });
            assert!(
                sums.iter().all(|sum| sum.abs() / 100_000.0 < 0.0127),
                "{sums:?}"
            );
        }
        assert_ne!(key.with(1).with(2), key.with(2).with(1));
    }
}
