//! Rung `arithmetic`: the fields of a changed cube, each decision coded with a probability that adapts to what came before.
//!
//! Class `chained` goes on from the probabilities as they were after the baseline, and expects cubes to move and turn on as
//! they came to it. The one description below serves both directions.

use alloc::vec;
use alloc::vec::Vec;

use super::Transition;
use super::coder::Coder;
use super::geometry::Geometry;
use super::logistic::ONE;
use super::rotation::{Vector, difference, multiply, rotation, scale};
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::fields::{CODED_AXES, CODED_COMPONENTS};
use crate::format::Format;
use crate::history::room;
use crate::ledger::Kind;

/// Sizes of numbers are told apart as their bits, up to so many.
const SIZES: usize = 12;
/// Errors are told apart as a third of their bits.
const ERRORS: usize = 4;
/// Decisions of a number: zero, sign, has it more than e bits (e = 1 to 12 and above), the bit below the leading one (of 2 to 9 bits and above).
const NODES: usize = 2 + 12 + 8;
/// x and y, z, components of an orientation.
const NUMBER_KINDS: usize = 3;
/// x, y, z, and the three components.
const NUMBERS: usize = 6;
const NUMBER_CONTEXTS: usize = (NUMBER_KINDS + NUMBERS) * SIZES * ERRORS;
const FLAGS: usize = 5;
const FLAG_CONTEXTS: usize = 32;

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

    fn sum(self) -> u32 {
        u32::from(self.fast) + u32::from(self.slow)
    }

    #[inline(always)]
    fn adapt(&mut self, bit: bool) {
        let target = if bit { 0xffff } else { 0 };
        let approach = |from: u16, shift: u32| {
            (i32::from(from) + ((target - i32::from(from)) >> shift)) as u16
        };
        self.fast = approach(self.fast, 4);
        self.slow = approach(self.slow, 7);
    }
}

/// A cube's motion from its baseline to a snapshot.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    ticks: u16,
    moved: [i32; 3],
    turned: Vector,
    /// Greatest errors of what was expected, of an axis and of a component.
    moved_error: i32,
    turned_error: i32,
}

impl Motion {
    /// The same motion for so many ticks.
    fn over(self, ticks: u16) -> Self {
        let before = self.ticks.max(1);
        Self {
            moved: self
                .moved
                .map(|by| by * i32::from(ticks) / i32::from(before)),
            turned: scale(self.turned, f32::from(ticks) / f32::from(before)),
            ..self
        }
    }

    fn size(&self) -> i32 {
        greatest(self.moved)
    }
}

/// State that class `chained` stores beside a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    flags: Vec<Adaptive>,
    numbers: Vec<[Adaptive; NODES]>,
    /// Motions of the cubes that have one, by rising index.
    motions: Vec<(u16, Motion)>,
}

impl Memory {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            flags: vec![Adaptive::OPEN; FLAGS * FLAG_CONTEXTS],
            numbers: vec![[Adaptive::OPEN; NODES]; NUMBER_CONTEXTS],
            motions: Vec::with_capacity(cube_count),
        }
    }

    /// Resets all probabilities and motions; keeps its room.
    pub(crate) fn clear(&mut self) {
        self.flags.fill(Adaptive::OPEN);
        self.numbers.fill([Adaptive::OPEN; NODES]);
        self.motions.clear();
    }

    /// Bytes of allocated memory.
    pub(crate) fn held_bytes(&self) -> usize {
        room(&self.flags) + room(&self.numbers) + room(&self.motions)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.flags.clone_from(&other.flags);
        self.numbers.clone_from(&other.numbers);
        self.motions.clone_from(&other.motions);
    }

    fn flag(&mut self, coder: &mut impl Coder, flag: Flag, context: usize, value: bool) -> bool {
        debug_assert!(context < FLAG_CONTEXTS);
        let adaptive = &mut self.flags[flag as usize * FLAG_CONTEXTS + context];
        let value = coder.code((adaptive.sum() / 2).clamp(32, 65_504), value);
        adaptive.adapt(value);
        value
    }

    /// Zero or not, sign, bits one by one, then the bits below the leading one. The two contexts differ.
    fn number(&mut self, coder: &mut impl Coder, contexts: [usize; 2], value: i32) -> i32 {
        let [one, other] = self
            .numbers
            .get_disjoint_mut(contexts)
            .expect("contexts of different kinds");
        coder.in_a_row(|coder| Pair(one, other).number(coder, value))
    }
}

/// The decisions of a number, each by two probabilities.
struct Pair<'a>(&'a mut [Adaptive; NODES], &'a mut [Adaptive; NODES]);

impl Pair<'_> {
    #[inline(always)]
    fn decide(&mut self, coder: &mut impl Coder, node: usize, bit: bool) -> bool {
        let (one, other) = (&mut self.0[node], &mut self.1[node]);
        let p_true = ((one.sum() + other.sum()) / 4).clamp(32, 65_504);
        let bit = coder.code(p_true, bit);
        one.adapt(bit);
        other.adapt(bit);
        bit
    }

    #[inline(always)]
    fn number(mut self, coder: &mut impl Coder, value: i32) -> i32 {
        if self.decide(coder, 0, value == 0) {
            return 0;
        }
        let negative = self.decide(coder, 1, value < 0);
        let size = value.unsigned_abs();
        let mut exponent = 0;
        while exponent < 23 && self.decide(coder, 2 + exponent.min(11), size >> exponent > 1) {
            exponent += 1;
        }
        let mut low = 1 << exponent;
        if exponent > 0 {
            let half = 1 << (exponent - 1);
            if self.decide(coder, 14 + (exponent - 1).min(7), size & half != 0) {
                low += half;
            }
            low += coder.code_uniform(size & (half - 1), exponent as u32 - 1);
        }
        if negative { -(low as i32) } else { low as i32 }
    }
}

#[derive(Clone, Copy)]
enum Flag {
    Changed,
    Interacting,
    PositionChanged,
    OrientationChanged,
    Largest,
}

/// Codes snapshots of one format. Between packets it remembers nothing.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    format: Format,
    geometry: Geometry,
    /// The motions of the baseline's memory, while their place is taken by the packet's.
    motions: Vec<(u16, Motion)>,
}

impl Model {
    pub(crate) fn new(format: &Format) -> Self {
        Self {
            format: *format,
            geometry: Geometry::new(format),
            motions: Vec::with_capacity(format.cube_count()),
        }
    }

    /// Bytes of allocated memory.
    pub(crate) fn held_bytes(&self) -> usize {
        room(&self.motions)
    }

    pub(crate) fn cube_count(&self) -> usize {
        self.format.cube_count()
    }

    /// The one description of a packet: both directions.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl Coder,
        transition: Transition,
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        let mut known = core::mem::take(&mut self.motions);
        core::mem::swap(&mut known, &mut memory.motions);
        memory.motions.clear();
        let result = self.code_cubes(coder, transition, &known, memory);
        self.motions = known;
        result
    }

    fn code_cubes<C: Coder>(
        &self,
        coder: &mut C,
        transition: Transition,
        known: &[(u16, Motion)],
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        let Transition {
            ticks,
            wanted,
            settled,
            changed,
            snapshot,
        } = transition;
        let mut changing = changed.iter().copied().peekable();
        let mut known = known.iter().peekable();
        let mut recent_changes = 0;
        for (index, cube) in snapshot.iter_mut().enumerate() {
            let base = *cube;
            let motion = known
                .next_if(|(of, _)| usize::from(*of) == index)
                .map_or(Motion::default(), |(_, motion)| motion.over(ticks));
            if base.is_settled(index, settled) {
                continue;
            }
            coder.about(Kind::Index, index);
            let speed = bits(motion.size()).div_ceil(3).min(3);
            let context = recent_changes & 3 | usize::from(base.interacting) << 2 | speed << 3;
            let wants_change = changing.next_if_eq(&index).is_some();
            let changed = memory.flag(coder, Flag::Changed, context, wants_change);
            coder.said("changed", changed.into());
            recent_changes = recent_changes << 1 | usize::from(changed);
            if !changed {
                continue;
            }
            let motion = self.code_cube(coder, memory, index, motion, &wanted[index], cube)?;
            memory
                .motions
                .push((index as u16, Motion { ticks, ..motion }));
        }
        Ok(())
    }

    /// `cube` is as in the baseline before; `motion` is what is expected. Returns what it turned out to be.
    fn code_cube(
        &self,
        coder: &mut impl Coder,
        memory: &mut Memory,
        index: usize,
        motion: Motion,
        wanted: &Cube,
        cube: &mut Cube,
    ) -> Result<Motion, DecodeError> {
        let base = *cube;
        let mut actual = Motion::default();
        let moving = usize::from(motion.size() > 0);
        coder.about(Kind::Interacting, index);
        let context = usize::from(base.interacting) | moving << 1;
        cube.interacting = memory.flag(coder, Flag::Interacting, context, wanted.interacting);
        coder.said("interacting", cube.interacting.into());
        coder.about(Kind::Flags, index);
        let context = usize::from(cube.interacting != base.interacting) | moving << 1;
        let moved = memory.flag(
            coder,
            Flag::PositionChanged,
            context,
            wanted.position != base.position,
        );
        coder.said("position changed", moved.into());
        let context = context | usize::from(moved) << 2;
        let turned = memory.flag(
            coder,
            Flag::OrientationChanged,
            context,
            wanted.orientation != base.orientation,
        );
        coder.said("orientation changed", turned.into());

        coder.about(Kind::Position, index);
        let axes = self.format.position_axes();
        let mut error = 0;
        for axis in (0..3).filter(|_| moved) {
            let contexts = [
                number_context(axis / 2, motion.size(), error),
                number_context(NUMBER_KINDS + axis, motion.moved_error, error),
            ];
            let expected = axes[axis].clamp(base.position[axis] + motion.moved[axis]);
            error = memory.number(
                coder,
                contexts,
                wanted.position[axis].wrapping_sub(expected),
            );
            cube.position[axis] = expected + error;
            coder.said(CODED_AXES[axis], cube.position[axis].into());
            actual.moved[axis] = cube.position[axis] - base.position[axis];
            actual.moved_error = actual.moved_error.max(error.abs());
        }

        coder.about(Kind::Orientation, index);
        if turned {
            let before = self.geometry.orientation(base.orientation);
            let guess = multiply(rotation(motion.turned), before);
            let [guessed, ..] = self.geometry.codes(guess, None);
            let context = bits(actual.moved_error).min(SIZES - 1);
            let as_guessed = memory.flag(
                coder,
                Flag::Largest,
                context,
                wanted.orientation[0] == guessed,
            );
            // If not as guessed, one of the three others: how many further on, going round.
            let further = wanted.orientation[0].wrapping_sub(guessed) & 3;
            let step = if as_guessed {
                0
            } else if coder.code(ONE / 3, further == 1) {
                1
            } else {
                2 + i32::from(coder.code(ONE / 2, further == 3))
            };
            let largest = (guessed + step) & 3;
            let expected = self.geometry.codes(guess, Some(largest));
            cube.orientation[0] = largest;
            coder.said("largest", largest.into());
            let spin = (scale(motion.turned, 256.0)).map(|c| c as i32);
            let mut error = actual.moved_error;
            for (slot, &expected) in expected.iter().enumerate().skip(1) {
                let contexts = [
                    number_context(2, greatest(spin).max(motion.size() / 8), error),
                    number_context(NUMBER_KINDS + 2 + slot, motion.turned_error, error),
                ];
                error = memory.number(
                    coder,
                    contexts,
                    wanted.orientation[slot].wrapping_sub(expected),
                );
                cube.orientation[slot] = expected + error;
                coder.said(CODED_COMPONENTS[slot - 1], cube.orientation[slot].into());
                actual.turned_error = actual.turned_error.max(error.abs());
            }
            actual.turned = difference(before, self.geometry.orientation(cube.orientation));
        }
        self.format
            .check_changed(index, &base, cube, [moved, turned])?;
        Ok(actual)
    }
}

/// Number of a context, from the number's kind, the size of the motion before, and the error coded last.
fn number_context(kind: usize, size: i32, error: i32) -> usize {
    let error = bits(error).div_ceil(3).min(ERRORS - 1);
    (kind * SIZES + bits(size).min(SIZES - 1)) * ERRORS + error
}

fn greatest(values: [i32; 3]) -> i32 {
    values[0].abs().max(values[1].abs()).max(values[2].abs())
}

/// Bits of a number's size.
fn bits(value: i32) -> usize {
    (32 - value.unsigned_abs().leading_zeros()) as usize
}
