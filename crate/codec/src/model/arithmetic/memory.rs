//! Coder state of rung `arithmetic`, which class `chained` stores beside a snapshot: probabilities and motions. Also the coding
//! of numbers.

use crate::buffers::{fit, room};
use crate::model::coder::Coder;
use crate::model::rotation::{Quaternion, difference, rotation, scale};
use crate::model::symbols::{CLASSES, Distributions, SymbolCoder};

/// Number of classes of the size by which a number's context is chosen; the class is the size's bit length.
const SIZES: usize = 12;
/// Number of classes of a prediction error; the class is a third of the error's bit length.
const ERRORS: usize = 4;
/// Number of kinds of numbers that have separate probabilities: x and y, z, components of an orientation.
pub(super) const NUMBER_KINDS: usize = 3;
/// Number of values coded for a cube: x, y, z, and three components of its orientation.
pub(super) const NUMBERS: usize = 6;
const NUMBER_CONTEXTS: usize = (NUMBER_KINDS + NUMBERS) * SIZES * ERRORS;
/// Number of contexts of a cube's change symbol: by its speed, whether it interacts, and which of the last two coded cubes
/// changed. The last context is for quiet cubes, those without a stored motion.
const HAPPENED_CONTEXTS: usize = QUIET + 1;
pub(super) const QUIET: usize = 4 * 2 * 4;
const FLAG_CONTEXTS: usize = 16;
/// Number of contexts of a number's sign, by the signs of three numbers: the expected change, the cube's error at the baseline,
/// the last coded error.
const SIGN_CONTEXTS: usize = NUMBER_KINDS * 27;

/// The size class of numbers from 128 to 255. The class after it is the escape class, for larger numbers.
const LAST_CLASS: usize = 14;
const ESCAPE: usize = 15;

/// The binary decisions whose probabilities adapt to the values coded before.
#[derive(Clone, Copy)]
pub(super) enum Flag {
    AnyQuiet,
    Quiet,
    Largest,
    SecondLargest,
}
const FLAGS: usize = 4;

/// A probability that adapts to the coded bits: the mean of a fast and of a slow estimate, each out of 65,536.
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

/// A cube's motion from its baseline to a snapshot, as a coder stores it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaselineMotion {
    pub(super) cube: u16,
    /// Bit length of the greatest prediction error among the three position axes.
    pub(super) moved_error: u8,
    pub(super) turned_error: u8,
    /// Displacement, quantisation steps. 16 bits hold 64 m at 1/512 m, farther than any cube moves between two packets.
    pub(super) moved: [i16; 3],
    /// Signs of the prediction errors of all six numbers of the cube, two bits each.
    pub(super) signs: u16,
    pub(super) turn: Quaternion,
}

impl BaselineMotion {
    pub(super) const NONE: Self = Self {
        cube: 0,
        moved_error: 0,
        turned_error: 0,
        moved: [0; 3],
        signs: 0,
        turn: [0.0, 0.0, 0.0, 1.0],
    };

    /// Rescales the motion from a duration of `ticks` ticks to a duration of `other` ticks, as if the velocity were constant.
    fn scale(&mut self, ticks: u16, other: u16) {
        self.moved = self
            .moved
            .map(|by| saturated(i32::from(by) * i32::from(other) / i32::from(ticks)));
        let turned = difference([0.0, 0.0, 0.0, 1.0], self.turn);
        self.turn = rotation(scale(turned, f32::from(other) / f32::from(ticks)));
    }

    /// Returns the sign of the prediction error of the number with this index: -1, 0 or 1.
    pub(super) fn sign(&self, number: usize) -> i32 {
        let pair = (self.signs >> (2 * number)) as i32;
        pair << 30 >> 30
    }

    /// Stores the sign of the prediction error of the number with this index; to be called once for each number.
    pub(super) fn keep_sign(&mut self, number: usize, error: i32) {
        self.signs |= ((error.signum() & 3) as u16) << (2 * number);
    }

    pub(super) fn size(&self) -> u32 {
        let [x, y, z] = self.moved.map(|by| u32::from(by.unsigned_abs()));
        x.max(y).max(z)
    }
}

/// Returns the number clamped to 16 bits.
pub(super) fn saturated(by: i32) -> i16 {
    by.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Probabilities of all symbols and binary decisions; they adapt to the values coded before.
#[derive(Clone, Debug)]
pub(super) struct AdaptiveProbabilities {
    numbers: Distributions<NUMBER_CONTEXTS>,
    pub(super) happened: Distributions<HAPPENED_CONTEXTS>,
    signs: [Adaptive; SIGN_CONTEXTS],
    flags: [[Adaptive; FLAG_CONTEXTS]; FLAGS],
}

impl AdaptiveProbabilities {
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

    /// Codes and returns a number: a size class, a sign, and the bits that select a size within the class.
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
        let (mut least, mut bits) = LOWS[class & (CLASSES - 1)];
        if class == ESCAPE {
            bits += coder.code_uniform(size.max(1).ilog2().wrapping_sub(8) & 15, 4);
            least = 1 << bits;
        }
        let negative = self.signs[sign_context].code(coder, value < 0);
        let low = size.wrapping_sub(least) & ((1 << bits) - 1);
        let low = if class < 4 {
            0
        } else {
            coder.code_uniform(low, bits)
        };
        let size = (least + low) as i32;
        if negative { -size } else { size }
    }
}

/// For each size class, its least size, and the number of bits that select a size within the class.
static LOWS: [(u32, u32); CLASSES] = lows();

const fn lows() -> [(u32, u32); CLASSES] {
    let mut lows = [(0, 0); CLASSES];
    let mut class = 1;
    while class < CLASSES as u32 {
        lows[class as usize] = match class {
            0..4 => (class, 0),
            4..14 => ((2 + class % 2) << (class / 2 - 1), class / 2 - 1),
            14 => (128, 7),
            _ => (256, 8),
        };
        class += 1;
    }
    lows
}

/// Returns the class of a size: sizes 0 to 3 have a class each, then each half octave has one.
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
pub(crate) struct ArithmeticMemory {
    pub(super) learned: Box<AdaptiveProbabilities>,
    /// Ticks from the snapshot's baseline to the snapshot: the duration of all stored motions.
    ticks: u16,
    /// Motions of the moving cubes, by rising index of the cube.
    pub(super) motions: Vec<BaselineMotion>,
}

impl ArithmeticMemory {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            learned: Box::new(AdaptiveProbabilities::OPEN),
            ticks: 1,
            motions: Vec::with_capacity(cube_count),
        }
    }

    /// Resets all probabilities and motions; keeps allocated memory.
    pub(crate) fn clear(&mut self) {
        *self.learned = AdaptiveProbabilities::OPEN;
        self.motions.clear();
    }

    pub(crate) fn held_bytes(&self) -> usize {
        size_of::<AdaptiveProbabilities>() + room(&self.motions)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.learned.clone_from(&other.learned);
        self.ticks = other.ticks;
        self.motions.clone_from(&other.motions);
    }

    /// Makes `self` equal to `other`'s state before the call. The probabilities are swapped; the motions are copied, and
    /// `other` keeps its list of motions.
    pub(crate) fn assign_from(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.learned, &mut other.learned);
        self.ticks = other.ticks;
        fit(&mut self.motions, &other.motions);
    }

    /// Moves the stored motions into `motions`, scaled to a duration of `ticks` ticks, and empties the stored list.
    pub(super) fn give_motions(&mut self, motions: &mut Vec<BaselineMotion>, ticks: u16) {
        core::mem::swap(motions, &mut self.motions);
        self.motions.clear();
        if self.ticks != ticks {
            let before = self.ticks.max(1);
            motions
                .iter_mut()
                .for_each(|motion| motion.scale(before, ticks));
            self.ticks = ticks;
        }
    }
}

/// Returns the index of a number's context: by its kind, by the bit length of a size, and by the previously coded error.
pub(super) fn number_context(kind: usize, size_bits: usize, error: u32) -> usize {
    (kind * SIZES + size_bits.min(SIZES - 1)) * ERRORS + thirds(error)
}

/// Returns the index of the context of a number's sign: by the number's kind and three other signs.
pub(super) fn sign_context(kind: usize, change: i32, error_before: i32, error: i32) -> usize {
    let three = |value: i32| (value.signum() + 1) as usize;
    kind * 27 + three(change) * 9 + three(error_before) * 3 + three(error)
}

/// Returns the bit length of a size.
pub(super) fn bits(size: u32) -> usize {
    (32 - size.leading_zeros()) as usize
}

/// Returns a third of a size's bit length, rounded up, at most 3.
pub(super) fn thirds(size: u32) -> usize {
    usize::from(size > 0) + usize::from(size > 7) + usize::from(size > 63)
}
