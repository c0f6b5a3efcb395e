//! What widths of small and large ranges would cost, over samples of orientations and their baselines.
//!
//! The estimator is the one behind the figures published with the articles; it treats ranges as one code narrower on
//! either side than they are. [`written_bits`] is what the codec really writes.

use alloc::vec::Vec;
use core::fmt;
use core::num::ParseIntError;

use crate::fields::write_orientation;
use crate::format::Format;
use crate::ledger::BitCounter;

/// An orientation and that of its baseline, both as smallest three: largest index and three codes of 9 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrientationSample {
    /// The newer one.
    pub orientation: [i32; 4],
    /// Its baseline.
    pub base: [i32; 4],
}

/// Bits of the small and of the large range of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Of the range around zero.
    pub small_bits: u32,
    /// Of the range beyond it.
    pub large_bits: u32,
}

impl Widths {
    const fn new(small_bits: u32, large_bits: u32) -> Self {
        Self {
            small_bits,
            large_bits,
        }
    }
}

/// The ten that figures were published for, best first.
pub const PUBLISHED: [Widths; 10] = [
    Widths::new(5, 8),
    Widths::new(4, 8),
    Widths::new(6, 8),
    Widths::new(5, 9),
    Widths::new(3, 8),
    Widths::new(6, 9),
    Widths::new(4, 9),
    Widths::new(6, 10),
    Widths::new(5, 10),
    Widths::new(3, 9),
];

/// Bits that the published estimator gives for sending all orientations relative to their baselines where possible.
/// Widths are 1 to 16 bits.
pub fn estimated_bits(samples: &[OrientationSample], widths: Widths) -> u64 {
    let small_end = (1 << (widths.small_bits - 1)) - 1;
    let large_end = small_end + (1 << (widths.large_bits - 1)) - 1;
    let absolute_bits = 1 + 2 + 3 * 9;
    let sample_bits = |sample: &OrientationSample| {
        let mut bits = 1;
        for i in 1..4 {
            let difference = (sample.orientation[i] - sample.base[i]).abs();
            if difference >= large_end {
                return absolute_bits;
            }
            bits += 1 + u64::from(if difference < small_end {
                widths.small_bits
            } else {
                widths.large_bits
            });
        }
        if sample.orientation[0] == sample.base[0] {
            bits
        } else {
            absolute_bits
        }
    };
    samples.iter().map(sample_bits).sum()
}

/// Bits that the codec writes for the same orientations in that format.
pub fn written_bits(samples: &[OrientationSample], format: &Format) -> u64 {
    let mut counter = BitCounter::default();
    for sample in samples {
        write_orientation(&mut counter, format, sample.base, sample.orientation);
    }
    counter.bits
}

/// Why a text of samples was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// A line has not eight fields.
    FieldCount {
        /// From 1.
        line: usize,
        /// Fields that it has.
        fields: usize,
    },
    /// A field is no integer.
    NotAnInteger {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        cause: ParseIntError,
    },
    /// A largest index is not 0 to 3, or a code not 0 to 511.
    OutOfRange {
        /// From 1.
        line: usize,
        /// The value.
        value: i32,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FieldCount { line, fields } => {
                write!(f, "line {line}: {fields} fields, 8 expected")
            }
            Self::NotAnInteger { line, cause } => write!(f, "line {line}: {cause}"),
            Self::OutOfRange { line, value } => write!(f, "line {line}: {value} is out of range"),
        }
    }
}

impl core::error::Error for ParseError {}

/// Reads a line a sample: `largest,a,b,c`, then the same four of the baseline.
pub fn parse_samples(text: &str) -> Result<Vec<OrientationSample>, ParseError> {
    text.lines()
        .enumerate()
        .map(|(index, line)| parse_sample(index + 1, line))
        .collect()
}

fn parse_sample(line: usize, text: &str) -> Result<OrientationSample, ParseError> {
    let fields = text.split(',').count();
    if fields != 8 {
        return Err(ParseError::FieldCount { line, fields });
    }
    let mut values = [0; 8];
    for ((i, value), field) in values.iter_mut().enumerate().zip(text.split(',')) {
        *value = field
            .trim()
            .parse()
            .map_err(|cause| ParseError::NotAnInteger { line, cause })?;
        let max = if i % 4 == 0 { 3 } else { 511 };
        if !(0..=max).contains(value) {
            return Err(ParseError::OutOfRange {
                line,
                value: *value,
            });
        }
    }
    let [l, a, b, c, base_l, base_a, base_b, base_c] = values;
    Ok(OrientationSample {
        orientation: [l, a, b, c],
        base: [base_l, base_a, base_b, base_c],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_names_what_it_refuses() {
        let sample = OrientationSample {
            orientation: [3, 0, 511, 7],
            base: [0, 1, 2, 3],
        };
        assert_eq!(parse_samples("3,0,511,7,0,1,2,3\n"), Ok([sample].into()));
        assert_eq!(
            parse_samples("3,0,511,7,0,1,2,3\n1"),
            Err(ParseError::FieldCount { line: 2, fields: 1 })
        );
        assert_eq!(
            parse_samples("4,0,0,0,0,0,0,0"),
            Err(ParseError::OutOfRange { line: 1, value: 4 })
        );
        assert_eq!(
            parse_samples("0,0,0,0,0,0,0,512"),
            Err(ParseError::OutOfRange {
                line: 1,
                value: 512
            })
        );
        assert!(matches!(
            parse_samples("x,0,0,0,0,0,0,0"),
            Err(ParseError::NotAnInteger { line: 1, .. })
        ));
    }

    #[test]
    fn estimates_as_published() {
        let cost = |difference, widths| {
            estimated_bits(
                &[OrientationSample {
                    orientation: [0, 200 + difference, 0, 0],
                    base: [0, 200, 0, 0],
                }],
                widths,
            )
        };
        let widths = Widths::new(5, 8);
        assert_eq!(
            [14, 15, -15, 141, 142].map(|d| cost(d, widths)),
            [19, 22, 22, 22, 30]
        );
    }
}
