//! The shape of an expected distribution, and the alphabet of classes that it selects.

use crate::model::logarithms::truncate;

/// Number of scales (widths) of expected distributions; each is a quarter of an octave wider than the one before.
pub const SCALES: usize = 48;
/// Number of classes of the distance from a distribution's mean to the nearest integer, in sixteenths of a step.
pub(crate) const FRACTIONS: usize = 8;
/// Number of alphabets of size classes; an alphabet says which sizes a class covers.
pub(crate) const ALPHABETS: usize = 3;
/// Number of scales of expected distributions that use one alphabet; the last alphabet has all larger scales.
const ALPHABET_SCALES: usize = 8;
/// Number of scales at which the mean's fraction of a step selects the distribution; at larger scales the fraction has no
/// effect.
pub(crate) const FINE_SCALES: usize = 2 * ALPHABET_SCALES;
/// Number of table rows for distributions of numbers in one context: one for each shape.
pub const SHAPES: usize = FINE_SCALES * FRACTIONS + SCALES - FINE_SCALES;

/// The class for residuals that are too large for their alphabet.
pub const ESCAPE: usize = 15;

/// The shape of a residual's expected distribution: its scale, and the mean's fraction of a step.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub scale: usize,
    pub fraction: usize,
}

impl Shape {
    /// Makes a shape from the distance between the mean and the nearest integer, and the log2 of the scale.
    pub(crate) fn new(apart: f32, scale_log2: f32) -> Self {
        let scale = (scale_log2 * 4.0 + 12.5).clamp(0.0, (SCALES - 1) as f32);
        let fraction = (apart.abs() * 16.0).min((FRACTIONS - 1) as f32);
        Self {
            scale: truncate(scale) as usize,
            fraction: truncate(fraction) as usize,
        }
    }

    pub(crate) fn row(self) -> usize {
        if self.scale < FINE_SCALES {
            self.scale * FRACTIONS + self.fraction
        } else {
            FINE_SCALES * FRACTIONS + self.scale - FINE_SCALES
        }
    }

    /// Returns the alphabet for this shape: the finest for small scales.
    pub fn alphabet(self) -> usize {
        (self.scale / ALPHABET_SCALES).min(ALPHABETS - 1)
    }
}

/// Largest size of a residual that needs no escape, by alphabet.
pub const LARGEST: [u32; ALPHABETS] = [7, 15, 255];

/// Returns the class of a residual's size, without its sign: 0 to 7 in the first two alphabets, 0 to 14 in the last; else
/// `ESCAPE`.
#[inline(always)]
pub(crate) fn size_of(alphabet: usize, size: u32) -> usize {
    if size > LARGEST[alphabet] {
        return ESCAPE;
    }
    let octaves = |size: u32| {
        let exponent = size.ilog2();
        (2 * exponent + (size >> (exponent - 1) & 1)) as usize
    };
    match alphabet {
        0 => size as usize,
        1 => match size {
            0..4 => size as usize,
            4..8 => size as usize / 2 + 2,
            _ => size as usize / 4 + 4,
        },
        _ => match size {
            0..4 => size as usize,
            4..128 => octaves(size),
            _ => 14,
        },
    }
}

/// Returns the least size in the class `of`, and the number of extra bits that select a size within the class.
#[inline(always)]
pub fn sizes_of(alphabet: usize, of: usize) -> (u32, u32) {
    let (class, of) = (of as u32, of);
    match alphabet {
        0 => (class, 0),
        1 => match of {
            0..4 => (class, 0),
            4..6 => (2 * class - 4, 1),
            _ => (4 * class - 16, 2),
        },
        _ => match of {
            0..4 => (class, 0),
            4..14 => {
                let bits = class / 2 - 1;
                ((2 + (class & 1)) << bits, bits)
            }
            _ => (128, 7),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_is_in_its_class() {
        for (alphabet, &largest) in LARGEST.iter().enumerate() {
            let mut next = 0;
            let classes = if alphabet < 2 { 8 } else { 15 };
            for class in 0..classes {
                let (least, bits) = sizes_of(alphabet, class);
                assert_eq!(least, next);
                next = least + (1 << bits);
                assert!((least..next).all(|size| size_of(alphabet, size) == class));
            }
            assert_eq!(next, largest + 1);
            assert_eq!(size_of(alphabet, next), ESCAPE);
        }
    }
}
