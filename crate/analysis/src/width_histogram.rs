//! Histogram of the differences between cubes and their baselines. From one histogram follows the cost of each pair of
//! widths. A pair is the number of bits of a small and of a large difference.
//!
//! With s and l bits a component is small below 2^(s-1). All three components can be sent as differences below 2^(s-1) +
//! 2^(l-1), the reach of the pair. So two counts suffice. The first counts differences by the two neighbouring reaches
//! between which their greatest component lies. The second counts their components by the least s with which each is small. A
//! test compares the result with the codec's own rule, difference by difference.

use crate::widths::Bin;
use snapshot_codec::{Cube, Widths};

/// Difference of a position or an orientation to its baseline, three components; `None` if it can only be sent absolute.
pub(crate) type Difference = Option<[i32; 3]>;

const BITS_MAX: usize = Widths::BITS_MAX as usize;
/// Magnitude up to which each magnitude has a separate bin; above it every doubling has four bins.
const FINE: u32 = 8;
const BINS: usize = FINE as usize + 4 * BITS_MAX;

/// A bucket of differences (three components each) whose greatest component lies between two consecutive reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bucket {
    threes: u64,
    /// Number of components, indexed by the least width of the small range in which the component fits.
    needing: [u64; BITS_MAX + 1],
}

/// Histogram of the differences of one quantity, position or orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WidthHistogram {
    pub(crate) values: u64,
    /// Number of orientations whose largest component is not that of their baseline: these are always sent absolute.
    pub(crate) absolute: u64,
    /// Reaches (greatest magnitudes that can be sent as differences) of all pairs of widths, rising.
    reaches: Vec<u32>,
    /// Counts of differences, a bucket for each reach: differences within it, but beyond the reach before. The last bucket
    /// counts differences beyond all reaches.
    buckets: Vec<Bucket>,
    bins: [u64; BINS],
}

impl Default for WidthHistogram {
    fn default() -> Self {
        let mut reaches: Vec<u32> = all_widths(Widths::BITS_MAX).map(reach).collect();
        reaches.sort_unstable();
        reaches.dedup();
        Self {
            values: 0,
            absolute: 0,
            buckets: vec![Bucket::default(); reaches.len() + 1],
            reaches,
            bins: [0; BINS],
        }
    }
}

impl WidthHistogram {
    pub(crate) fn add(&mut self, difference: &Difference) {
        self.values += 1;
        let Some(difference) = difference else {
            self.absolute += 1;
            return;
        };
        let magnitudes = difference.map(magnitude);
        let greatest = magnitudes.into_iter().max().unwrap_or(0);
        let place = self.reaches.partition_point(|&reach| reach < greatest);
        let bucket = &mut self.buckets[place];
        bucket.threes += 1;
        for magnitude in magnitudes {
            let bits = small_bits(magnitude).min(BITS_MAX);
            bucket.needing[bits] += 1;
            self.bins[bin(magnitude)] += 1;
        }
    }

    /// Returns the total bits of all values for each pair of widths up to `bits_max`, sorted by the small, then by the large
    /// width. A value that is sent absolute has `absolute_bits`.
    pub(crate) fn bits(&self, bits_max: u32, absolute_bits: u32) -> Vec<(Widths, u64)> {
        // All up to a reach, and of their components those that are small with so many bits or fewer.
        let mut within = Vec::with_capacity(self.reaches.len());
        let mut all = Bucket::default();
        for bucket in &self.buckets[..self.reaches.len()] {
            all.threes += bucket.threes;
            let mut small = 0;
            for (all, needing) in all.needing.iter_mut().zip(bucket.needing) {
                small += needing;
                *all += small;
            }
            within.push(all);
        }
        let bits = |widths: Widths| {
            let place = self.reaches.partition_point(|&r| r < reach(widths));
            let Bucket { threes, needing } = &within[place];
            let [small_bits, large_bits] = [widths.small_bits(), widths.large_bits()];
            let small = needing[small_bits as usize];
            let relative = threes * u64::from(1 + 3 * (1 + large_bits))
                - small * u64::from(large_bits - small_bits);
            let absolute = (self.values - threes) * u64::from(1 + absolute_bits);
            (widths, relative + absolute)
        };
        all_widths(bits_max).map(bits).collect()
    }

    /// Returns the histogram of component magnitudes, from the least to the greatest one counted.
    pub(crate) fn bins(&self) -> Vec<Bin> {
        let count = self.bins.iter().rposition(|&count| count > 0);
        let bins = 0..count.map_or(0, |last| last + 1);
        bins.map(|bin| Bin {
            least: least(bin),
            most: least(bin + 1) - 1,
            components: self.bins[bin],
        })
        .collect()
    }
}

/// Returns the difference of a position to its baseline.
pub(crate) fn moved(cube: &Cube, base: &Cube) -> Difference {
    Some(std::array::from_fn(|i| cube.position[i] - base.position[i]))
}

/// Returns the difference between the codes of an orientation and of its baseline; `None` if the largest components differ.
pub(crate) fn turned(cube: &Cube, base: &Cube) -> Difference {
    let is_alike = cube.orientation[0] == base.orientation[0];
    is_alike.then(|| std::array::from_fn(|i| cube.orientation[i + 1] - base.orientation[i + 1]))
}

/// Iterates over every pair of widths up to `bits_max` that the codec accepts.
fn all_widths(bits_max: u32) -> impl Iterator<Item = Widths> {
    let bits = Widths::BITS_MIN..=bits_max;
    bits.clone().flat_map(move |small| {
        let bits = bits.clone();
        bits.filter_map(move |large| Widths::new(small, large).ok())
    })
}

/// Returns the reach of a pair of widths: the greatest magnitude that it can send as a difference.
fn reach(widths: Widths) -> u32 {
    (1 << (widths.small_bits() - 1)) + (1 << (widths.large_bits() - 1))
}

/// Returns the magnitude of a difference: a range of n bits holds magnitudes up to 2^(n-1), on either side.
fn magnitude(difference: i32) -> u32 {
    if difference >= 0 {
        difference.unsigned_abs() + 1
    } else {
        difference.unsigned_abs()
    }
}

/// Returns the number of bits of the narrowest small range that holds a magnitude.
fn small_bits(magnitude: u32) -> usize {
    magnitude.next_power_of_two().ilog2() as usize + 1
}

fn bin(magnitude: u32) -> usize {
    if magnitude <= FINE {
        return magnitude as usize - 1;
    }
    // What is just above a power of two begins four bars.
    let beyond = magnitude - 1;
    let octave = beyond.ilog2();
    let quarter = beyond >> (octave - 2) & 3;
    ((octave - FINE.ilog2()) * 4 + quarter + FINE) as usize
}

/// Returns the least magnitude that falls in a bin.
fn least(bin: usize) -> u32 {
    let bin = bin as u32;
    if bin < FINE {
        return bin + 1;
    }
    let (octave, quarter) = ((bin - FINE) / 4 + FINE.ilog2(), (bin - FINE) % 4);
    (1 << octave) + (quarter << (octave - 2)) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn differences() -> impl Strategy<Value = Vec<Difference>> {
        let component = prop_oneof![
            3 => -40_i32..40,
            2 => -600_i32..600,
            1 => (1_u32..24, -1_i32..=1, any::<bool>()).prop_map(|(bits, by, negative)| {
                let edge = (1 << (bits - 1)) + by;
                if negative { -edge } else { edge }
            }),
            1 => -(1_i32 << 23)..(1 << 23),
        ];
        let difference = prop::option::weighted(0.9, prop::array::uniform3(component));
        prop::collection::vec(difference, 0..60)
    }

    proptest! {
        #[test]
        fn every_pair_costs_what_the_codecs_rule_says(differences in differences()) {
            let mut histogram = WidthHistogram::default();
            differences.iter().for_each(|difference| histogram.add(difference));
            prop_assert_eq!(histogram.values, differences.len() as u64);
            for absolute_bits in [29, 50] {
                let pairs = histogram.bits(24, absolute_bits);
                prop_assert_eq!(pairs.len(), 23 * 24 / 2);
                for (widths, bits) in pairs {
                    let relative = |three: &[i32; 3]| three.iter().map(|&by| widths.bits(by)).sum();
                    let one = |by: &Difference| 1 + by.as_ref().and_then(relative).unwrap_or(absolute_bits);
                    let one_by_one: u32 = differences.iter().map(one).sum();
                    prop_assert_eq!(bits, u64::from(one_by_one), "{:?}", widths);
                }
            }
            let components = histogram.bins().iter().map(|bin| bin.components).sum::<u64>();
            prop_assert_eq!(components, 3 * (histogram.values - histogram.absolute));
        }

        #[test]
        fn every_magnitude_has_its_bar(difference in -(1_i32 << 23)..(1 << 23)) {
            let mut histogram = WidthHistogram::default();
            histogram.add(&Some([difference; 3]));
            let histogram = histogram.bins();
            let bin = histogram.last().unwrap();
            let of = magnitude(difference);
            prop_assert!(bin.least <= of && of <= bin.most, "{:?} {}", bin, of);
            for pair in histogram.windows(2) {
                prop_assert_eq!(pair[0].most + 1, pair[1].least);
            }
        }
    }

    #[test]
    fn bars_end_where_ranges_do() {
        let mut histogram = WidthHistogram::default();
        histogram.add(&Some([1 << 20; 3]));
        let ends: Vec<u32> = histogram.bins().iter().map(|bin| bin.most).collect();
        assert_eq!(ends[..12], [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]);
        for bits in 1..20 {
            assert!(ends.contains(&(1 << bits)), "{bits}");
        }
    }
}
