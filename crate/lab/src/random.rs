//! Seeded randomness: a stream for each use, so that drawing more from one leaves the others as they were.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// An endless stream of draws, the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(Pcg32);

impl Stream {
    /// The stream that belongs to a seed and a use; uses are numbered by who draws.
    pub fn new(seed: u32, usage: u32) -> Stream {
        Stream(Pcg32::seed_from_u64(
            (u64::from(usage) << 32) | u64::from(seed),
        ))
    }

    /// Evenly in [0, 1), in steps of 2^-32.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / (1_u64 << 32) as f64
    }

    /// Evenly in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly one of `low..=high`; `low <= high`.
    pub fn integer(&mut self, low: u32, high: u32) -> u32 {
        let values = u64::from(high - low) + 1;
        low + ((u64::from(self.0.next_u32()) * values) >> 32) as u32
    }
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
    fn seeds_and_uses_have_streams_of_their_own() {
        let first = |seed, usage| Stream::new(seed, usage).unit();
        assert_eq!(first(1, 1), first(1, 1));
        assert_ne!(first(1, 1), first(2, 1));
        assert_ne!(first(1, 1), first(1, 2));
    }
}
