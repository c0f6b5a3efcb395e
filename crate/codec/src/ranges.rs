//! Small and large ranges: each of three differences from a baseline takes the bits of the range that it lies in.

use crate::error::{ConfigError, DecodeError};
use crate::ledger::Kind;
use crate::stream::PacketStream;

/// Widths in bits of the two signed ranges of a difference, small and large. The large range begins on either side where the
/// small one ends, so that no two codes mean the same. Widths of 5 and 9 bits reach -272 to 271.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Widths {
    small_bits: u32,
    large_bits: u32,
}

impl Widths {
    /// Least width of a range, bits: one bit would hold nothing but -1 and 0.
    pub const BITS_MIN: u32 = 2;
    /// Greatest width of a range, bits. It is enough for any difference of two positions, as worlds reach 2048 m in steps of
    /// 1/4096 m.
    pub const BITS_MAX: u32 = 24;

    /// Makes widths of 2 to 24 bits each; the small range must not be wider than the large one. (Equal is allowed: the
    /// articles' widths for components of 2 and 3 bits are.)
    ///
    /// # Errors
    /// When a width is not 2 to 24 bits, or the small range is wider than the large one.
    pub const fn new(small_bits: u32, large_bits: u32) -> Result<Self, ConfigError> {
        if small_bits < Self::BITS_MIN || small_bits > large_bits || large_bits > Self::BITS_MAX {
            return Err(ConfigError::Widths {
                small_bits,
                large_bits,
            });
        }
        Ok(Self {
            small_bits,
            large_bits,
        })
    }

    /// Returns the articles' widths for a position of `fractional_bits` bits: 5 and 9 bits at 9.
    pub fn of_position(fractional_bits: u32) -> Self {
        Self::growing(5, 9, fractional_bits)
    }

    /// Returns the articles' widths for an orientation of `component_bits` bits a component: 5 and 8 bits at 9.
    pub fn of_orientation(component_bits: u32) -> Self {
        Self::growing(5, 8, component_bits)
    }

    /// Scales widths that fit a value of 9 bits to a value of `bits` bits: one bit more for each bit more.
    #[doc(hidden)]
    pub fn growing(small_bits_at_9: u32, large_bits_at_9: u32, bits: u32) -> Self {
        let width = |bits_at_9: u32| (bits_at_9 + bits).saturating_sub(9).max(Self::BITS_MIN);
        Self {
            small_bits: width(small_bits_at_9),
            large_bits: width(large_bits_at_9),
        }
    }

    /// Width of the small range, around zero, bits.
    pub const fn small_bits(self) -> u32 {
        self.small_bits
    }

    /// Width of the large range, on either side of the small one, bits.
    pub const fn large_bits(self) -> u32 {
        self.large_bits
    }

    /// Reach r of the small range: differences from -r to r - 1 are small.
    pub const fn small_reach(self) -> i32 {
        1 << (self.small_bits - 1)
    }

    /// Reach r of both ranges together: differences from -r to r - 1 are small or large, so that they can be sent.
    pub const fn reach(self) -> i32 {
        self.small_reach() + (1 << (self.large_bits - 1))
    }

    /// Returns the bits that a difference takes, with its flag. `None` if it is beyond both ranges, so that the value must be
    /// sent absolute.
    pub fn bits(self, difference: i32) -> Option<u32> {
        let width = if self.is_small(difference) {
            self.small_bits
        } else {
            self.large_bits
        };
        self.reaches(difference).then_some(1 + width)
    }

    fn reaches(self, difference: i32) -> bool {
        -self.reach() <= difference && difference < self.reach()
    }

    fn is_small(self, difference: i32) -> bool {
        let half = self.small_reach();
        -half <= difference && difference < half
    }

    /// Returns true if all three differences are within the two ranges, so that they can be sent.
    pub fn contain(self, differences: [i32; 3]) -> bool {
        differences
            .into_iter()
            .all(|difference| self.reaches(difference))
    }

    /// Codes three differences, each in the small or the large range.
    pub(crate) fn code<S: PacketStream>(
        self,
        stream: &mut S,
        kind: Kind,
        rules: &Rules,
        differences: &mut [i32; 3],
    ) -> Result<(), DecodeError> {
        let half = self.small_reach();
        for (i, difference) in differences.iter_mut().enumerate() {
            let mut small = self.is_small(*difference);
            if S::READS {
                stream.flag(kind, rules.small[i], &mut small)?;
            }
            let (rule, bits, beyond) = if small {
                (rules.small[i], self.small_bits, 0)
            } else {
                (rules.large[i], self.large_bits, half)
            };
            let value = i64::from(*difference);
            if S::READS {
                let mut code = 0;
                stream.code(kind, rule, value, &mut code, bits)?;
                let signed = (code << (32 - bits)).cast_signed() >> (32 - bits);
                *difference = signed + if signed < 0 { -beyond } else { beyond };
            } else {
                let signed = *difference + if value < 0 { beyond } else { -beyond };
                let mut code = u32::from(small) << bits | signed as u32 & ((1 << bits) - 1);
                stream.code(kind, rule, value, &mut code, 1 + bits)?;
            }
        }
        Ok(())
    }
}

/// Names of the rules of FORMAT.md for three values, for the inspector.
pub(crate) struct Rules {
    pub absolute: [&'static str; 3],
    pub small: [&'static str; 3],
    pub large: [&'static str; 3],
}
