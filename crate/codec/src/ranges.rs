//! Three differences to a baseline, each in as few bits as it needs.

use crate::bits::BitReader;
use crate::error::DecodeError;
use crate::ledger::{Kind, Sink};

/// Two signed ranges of a difference. The large one begins on either side where the small one ends, so that no two
/// codes mean the same: 5 and 9 bits reach -272 to 271.
#[derive(Clone, Copy)]
pub(crate) struct Ranges {
    small_bits: u32,
    large_bits: u32,
}

impl Ranges {
    pub(crate) fn new(small_bits_at_9: u32, large_bits_at_9: u32, bits: u32) -> Self {
        let width = |bits_at_9: u32| (bits_at_9 + bits).saturating_sub(9).max(2);
        Self {
            small_bits: width(small_bits_at_9),
            large_bits: width(large_bits_at_9),
        }
    }

    /// No three differences take more bits.
    pub(crate) fn bits_max(self) -> u32 {
        3 * (1 + self.small_bits.max(self.large_bits))
    }

    /// No three differences take fewer bits.
    pub(crate) fn bits_min(self) -> u32 {
        3 * (1 + self.small_bits.min(self.large_bits))
    }

    /// Small differences are in -half_small..half_small.
    const fn half_small(self) -> i32 {
        1 << (self.small_bits - 1)
    }

    /// The large range adds so many on either side.
    const fn half_large(self) -> i32 {
        1 << (self.large_bits - 1)
    }

    pub(crate) fn contain(self, differences: [i32; 3]) -> bool {
        let reach = self.half_small() + self.half_large();
        differences
            .into_iter()
            .all(|difference| -reach <= difference && difference < reach)
    }

    pub(crate) fn write(
        self,
        sink: &mut impl Sink,
        kind: Kind,
        rules: &Rules,
        differences: [i32; 3],
    ) {
        for (i, difference) in differences.into_iter().enumerate() {
            let half = self.half_small();
            let small = -half <= difference && difference < half;
            let (rule, beyond, bits) = if small {
                (rules.small[i], difference, self.small_bits)
            } else if difference < 0 {
                (rules.large[i], difference + half, self.large_bits)
            } else {
                (rules.large[i], difference - half, self.large_bits)
            };
            let twos_complement = beyond as u32 & ((1 << bits) - 1);
            sink.put(
                kind,
                rule,
                i64::from(difference),
                u32::from(small) << bits | twos_complement,
                1 + bits,
            );
        }
    }

    pub(crate) fn read(self, reader: &mut BitReader) -> Result<[i32; 3], DecodeError> {
        let mut differences = [0; 3];
        for difference in &mut differences {
            let half = self.half_small();
            let small = reader.read_flag()?;
            let bits = if small {
                self.small_bits
            } else {
                self.large_bits
            };
            let beyond = ((reader.read(bits)? << (32 - bits)) as i32) >> (32 - bits);
            *difference = if small {
                beyond
            } else if beyond < 0 {
                beyond - half
            } else {
                beyond + half
            };
        }
        Ok(differences)
    }
}

/// Names of the rules of three values, for the inspector.
pub(crate) struct Rules {
    pub(crate) absolute: [&'static str; 3],
    pub(crate) small: [&'static str; 3],
    pub(crate) large: [&'static str; 3],
}
