//! Probabilities and motions that class `chained` stores beside a snapshot, and the coding of numbers.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::history::{fit, room};
use crate::model::coder::Coder;
use crate::model::rotation::{Quaternion, difference, rotation, scale};
use crate::model::symbols::{Distributions, SymbolCoder};

/// Sizes of numbers are told apart as their bits, up to so many.
const SIZES: usize = 12;
/// Errors are told apart as a third of their bits.
const ERRORS: usize = 4;
/// x and y, z, components of an orientation.
pub(super) const NUMBER_KINDS: usize = 3;
/// x, y, z, and the three components.
pub(super) const NUMBERS: usize = 6;
const NUMBER_CONTEXTS: usize = (NUMBER_KINDS + NUMBERS) * SIZES * ERRORS;
/// Speed, interacting, the last two; and behind them one for quiet cubes.
pub(super) const HAPPENED_CONTEXTS: usize = 4 * 2 * 4 + 1;
const FLAG_CONTEXTS: usize = 16;
/// Signs of the expected change, of the cube's error at the baseline, of the error before.
const SIGN_CONTEXTS: usize = NUMBER_KINDS * 27;

/// The class of numbers of 128 to 255, and that of larger ones.
const LAST_CLASS: usize = 14;
const ESCAPE: usize = 15;

/// The decisions that have probabilities.
#[derive(Clone, Copy)]
pub(super) enum Flag {
    AnyQuiet,
    Quiet,
    Largest,
    SecondLargest,
}
const FLAGS: usize = 4;

/// A probability that adapts: the mean of a fast and of a slow estimate, each out of 65,536.
#[derive(Clone, Copy, Debug)]
struct Adaptive {
    fast: u16,
    slow: u16,
}

impl Adaptive {
    const OPEN: Self = Self {
        fast: 0x8000,
        slow: 0x8000,
    };

    #[inline(always)]
    fn code(&mut self, coder: &mut impl Coder, bit: bool) -> bool {
        let sum = u32::from(self.fast) + u32::from(self.slow);
        let bit = coder.code((sum / 2).clamp(32, 65_504), bit);
        let target = if bit { 0xffff } else { 0 };
        let approach = |from: u16, shift: u32| {
            (i32::from(from) + ((target - i32::from(from)) >> shift)) as u16
        };
        self.fast = approach(self.fast, 4);
        self.slow = approach(self.slow, 7);
        bit
    }
}

/// A cube's motion from its baseline to a snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub(super) ticks: u16,
    /// Bits of the greatest errors of what was expected, of an axis and of a component.
    pub(super) moved_error: u8,
    pub(super) turned_error: u8,
    pub(super) moved: [i32; 3],
    pub(super) turn: Quaternion,
    /// Signs of the errors of all numbers.
    pub(super) signs: [i8; NUMBERS],
}

impl Motion {
    pub(super) const NONE: Self = Self {
        ticks: 0,
        moved_error: 0,
        turned_error: 0,
        moved: [0; 3],
        turn: [0.0, 0.0, 0.0, 1.0],
        signs: [0; NUMBERS],
    };

    /// The same motion for so many ticks.
    pub(super) fn over(self, ticks: u16) -> Self {
        if self.ticks == ticks {
            return self;
        }
        let before = self.ticks.max(1);
        let turned = difference([0.0, 0.0, 0.0, 1.0], self.turn);
        Self {
            moved: self
                .moved
                .map(|by| by * i32::from(ticks) / i32::from(before)),
            turn: rotation(scale(turned, f32::from(ticks) / f32::from(before))),
            ..self
        }
    }

    pub(super) fn size(&self) -> i32 {
        let [x, y, z] = self.moved.map(i32::abs);
        x.max(y).max(z)
    }
}

/// Probabilities that adapt.
#[derive(Clone, Debug)]
pub(super) struct Learned {
    numbers: Distributions<NUMBER_CONTEXTS>,
    pub(super) happened: Distributions<HAPPENED_CONTEXTS>,
    signs: [Adaptive; SIGN_CONTEXTS],
    flags: [[Adaptive; FLAG_CONTEXTS]; FLAGS],
}

impl Learned {
    const OPEN: Self = Self {
        numbers: Distributions::OPEN,
        happened: Distributions::OPEN,
        signs: [Adaptive::OPEN; SIGN_CONTEXTS],
        flags: [[Adaptive::OPEN; FLAG_CONTEXTS]; FLAGS],
    };

    pub(super) fn flag(
        &mut self,
        coder: &mut impl Coder,
        flag: Flag,
        context: usize,
        value: bool,
    ) -> bool {
        self.flags[flag as usize][context & (FLAG_CONTEXTS - 1)].code(coder, value)
    }

    /// A class of the size, the sign, the bits below the class.
    #[inline(always)]
    pub(super) fn number(
        &mut self,
        coder: &mut impl SymbolCoder,
        contexts: [usize; 2],
        sign_context: usize,
        value: i32,
    ) -> i32 {
        let size = value.unsigned_abs();
        let class = coder.adaptive(&mut self.numbers, contexts, class_of(size));
        if class == 0 {
            return 0;
        }
        let exponent = if class == ESCAPE {
            8 + coder.code_uniform(size.max(1).ilog2().wrapping_sub(8) & 15, 4)
        } else {
            0
        };
        let negative = self.signs[sign_context].code(coder, value < 0);
        let (least, bits) = match class {
            0..4 => (class as u32, 0),
            4..LAST_CLASS => {
                let bits = class as u32 / 2 - 1;
                ((2 + (class as u32 & 1)) << bits, bits)
            }
            LAST_CLASS => (128, 7),
            _ => (1 << exponent, exponent),
        };
        let low = if bits > 0 {
            coder.code_uniform(size.wrapping_sub(least) & ((1 << bits) - 1), bits)
        } else {
            0
        };
        let size = (least + low) as i32;
        if negative { -size } else { size }
    }
}

/// Class of a size: 0 to 3 as they are, then half octaves.
#[inline(always)]
fn class_of(size: u32) -> usize {
    match size {
        0..4 => size as usize,
        4..128 => {
            let exponent = size.ilog2();
            (2 * exponent + (size >> (exponent - 1) & 1)) as usize
        }
        128..256 => LAST_CLASS,
        _ => ESCAPE,
    }
}

/// State that class `chained` stores beside a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(super) learned: Box<Learned>,
    /// Motions of the cubes that have one, by rising index.
    pub(super) motions: Vec<(u16, Motion)>,
}

impl Memory {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            learned: Box::new(Learned::OPEN),
            motions: Vec::with_capacity(cube_count),
        }
    }

    /// Resets all probabilities and motions; keeps its room.
    pub(crate) fn clear(&mut self) {
        *self.learned = Learned::OPEN;
        self.motions.clear();
    }

    /// Bytes of allocated memory.
    pub(crate) fn held_bytes(&self) -> usize {
        size_of::<Learned>() + room(&self.motions)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.learned.clone_from(&other.learned);
        self.motions.clone_from(&other.motions);
    }

    /// The same in about the room that it needs; `other` is left with other probabilities.
    pub(crate) fn take(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.learned, &mut other.learned);
        fit(&mut self.motions, &other.motions);
    }
}

/// Number of a context, from the number's kind, the bits of a size, and the error coded last.
pub(super) fn number_context(kind: usize, size_bits: usize, error: i32) -> usize {
    let error = bits(error).div_ceil(3).min(ERRORS - 1);
    (kind * SIZES + size_bits.min(SIZES - 1)) * ERRORS + error
}

/// Number of a sign's context, from the number's kind and three signs.
pub(super) fn sign_context(kind: usize, change: i32, error_before: i8, error: i32) -> usize {
    let three = |value: i32| (value.signum() + 1) as usize;
    kind * 27 + three(change) * 9 + three(error_before.into()) * 3 + three(error)
}

/// Bits of a number's size.
pub(super) fn bits(value: i32) -> usize {
    (32 - value.unsigned_abs().leading_zeros()) as usize
}
