//! Rung `arithmetic`: the fields of a changed cube, each coded with probabilities that adapt to what came before.
//!
//! Class `chained` goes on from the probabilities as they were after the baseline, and expects cubes to move and turn on as
//! they came to it. The one description below serves both directions.

mod memory;

use alloc::vec::Vec;

pub(crate) use memory::Memory;

use self::memory::{
    Flag, HAPPENED_CONTEXTS, Learned, Motion, NUMBER_KINDS, bits, number_context, sign_context,
};
use super::Transition;
use super::geometry::Geometry;
use super::rotation::{Quaternion, multiply};
use super::symbols::SymbolCoder;
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::fields::{CODED_AXES, CODED_COMPONENTS};
use crate::format::Format;
use crate::history::room;
use crate::ledger::Kind;

/// Cubes in a row that say together what happened to them.
const BLOCK: usize = 16;
/// Bits of the symbol that says what happened to a cube.
const INTERACTING: usize = 1;
const POSITION: usize = 2;
const ORIENTATION: usize = 4;

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
        coder: &mut impl SymbolCoder,
        transition: Transition,
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        core::mem::swap(&mut self.motions, &mut memory.motions);
        memory.motions.clear();
        let Transition {
            ticks,
            wanted,
            settled,
            changed,
            snapshot,
        } = transition;
        let mut packet = Packet {
            format: &self.format,
            geometry: &self.geometry,
            coder,
            learned: &mut memory.learned,
            motions: &mut memory.motions,
            known: &self.motions,
            changed,
            settled,
            wants: 0,
            ticks,
            recent: 0,
            recent_quiet: 0,
            recent_blocks: 0,
        };
        let blocks = snapshot.chunks_mut(BLOCK).zip(wanted.chunks(BLOCK));
        for (block, (cubes, wanted)) in blocks.enumerate() {
            packet.block(BLOCK * block, cubes, wanted)?;
        }
        Ok(())
    }
}

/// A packet on its way through the coder.
struct Packet<'a, C> {
    format: &'a Format,
    geometry: &'a Geometry,
    coder: &'a mut C,
    learned: &'a mut Learned,
    motions: &'a mut Vec<(u16, Motion)>,
    /// The baseline's motions and the wanted changes, from the next block on.
    known: &'a [(u16, Motion)],
    changed: &'a [usize],
    settled: &'a [usize],
    /// A bit for each cube of the block that an encoder says has changed.
    wants: u32,
    ticks: u16,
    /// Bits of the last cubes with a motion, of the last quiet ones, and of the last blocks: 1 for changed.
    recent: usize,
    recent_quiet: usize,
    recent_blocks: usize,
}

impl<C: SymbolCoder> Packet<'_, C> {
    /// Codes what happened to each cube of a block, then the fields of those that changed.
    fn block(
        &mut self,
        first: usize,
        cubes: &mut [Cube],
        wanted: &[Cube],
    ) -> Result<(), DecodeError> {
        let mut happened = [0; BLOCK];
        let mut motions = [Motion::NONE; BLOCK];
        let mut quiet = 0_u32;
        self.wants = 0;
        while let [index, rest @ ..] = self.changed
            && *index < first + BLOCK
        {
            self.wants |= 1 << (index - first);
            self.changed = rest;
        }
        for (at, cube) in cubes.iter().enumerate() {
            let index = first + at;
            let known = match self.known {
                [(of, motion), rest @ ..] if usize::from(*of) == index => {
                    self.known = rest;
                    motions[at] = motion.over(self.ticks);
                    true
                }
                _ => false,
            };
            if cube.is_settled(index, self.settled) {
                continue;
            }
            if !known && !cube.interacting {
                quiet |= 1 << at;
                continue;
            }
            let speed = bits(motions[at].size()).div_ceil(3).min(3);
            let context = speed << 3 | usize::from(cube.interacting) << 2 | self.recent & 3;
            let change = self.wanted_change(at, cube, &wanted[at]);
            self.coder.about(Kind::Index, index);
            happened[at] = self.happened(index, context, change)?;
            self.recent = self.recent << 1 | usize::from(happened[at] > 0);
        }
        if quiet != 0 {
            self.quiet(first, cubes, wanted, quiet, &mut happened)?;
        }
        for (at, happened) in happened.into_iter().enumerate() {
            if happened > 0 {
                let index = first + at;
                let motion =
                    self.fields(index, happened, &motions[at], &wanted[at], &mut cubes[at])?;
                self.motions.push((index as u16, motion));
            }
        }
        Ok(())
    }

    /// Codes which quiet cubes of a block changed, and how.
    fn quiet(
        &mut self,
        first: usize,
        cubes: &[Cube],
        wanted: &[Cube],
        quiet: u32,
        happened: &mut [usize; BLOCK],
    ) -> Result<(), DecodeError> {
        let others = usize::from(happened.iter().any(|&happened| happened > 0));
        let (learned, context) = (&mut *self.learned, self.recent_blocks & 3 | others << 2);
        self.coder.about_packet(Kind::Index);
        let any = learned.flag(self.coder, Flag::AnyQuiet, context, self.wants & quiet != 0);
        self.coder.said("quiet cubes changed", any.into());
        self.recent_blocks = self.recent_blocks << 1 | usize::from(any);
        if !any {
            return Ok(());
        }
        let last = quiet.ilog2() as usize;
        let mut none_yet = true;
        for at in (0..BLOCK).filter(|at| quiet >> at & 1 == 1) {
            let index = first + at;
            let change = self.wanted_change(at, &cubes[at], &wanted[at]);
            self.coder.about(Kind::Index, index);
            let changed = (at == last && none_yet) || {
                let context = self.recent_quiet & 3 | others << 2;
                let learned = &mut *self.learned;
                let changed = learned.flag(self.coder, Flag::Quiet, context, change > 0);
                self.coder.said("changed", changed.into());
                changed
            };
            self.recent_quiet = self.recent_quiet << 1 | usize::from(changed);
            if changed {
                none_yet = false;
                happened[at] = self.happened(index, HAPPENED_CONTEXTS - 1, change)?;
                if happened[at] == 0 {
                    return Err(DecodeError::CubeNotChanged { cube: index });
                }
            }
        }
        Ok(())
    }

    /// The wanted change of a cube of the block.
    fn wanted_change(&self, at: usize, base: &Cube, wanted: &Cube) -> usize {
        if self.wants >> at & 1 == 0 {
            return 0;
        }
        usize::from(wanted.interacting != base.interacting) * INTERACTING
            + usize::from(wanted.position != base.position) * POSITION
            + usize::from(wanted.orientation != base.orientation) * ORIENTATION
    }

    /// The symbol that says what happened to a cube.
    fn happened(
        &mut self,
        index: usize,
        context: usize,
        change: usize,
    ) -> Result<usize, DecodeError> {
        let distributions = &mut self.learned.happened;
        let happened = self.coder.adaptive_one(distributions, context, change);
        self.coder.said("what changed", happened as i64);
        if happened > INTERACTING + POSITION + ORIENTATION {
            return Err(DecodeError::SymbolWithoutMeaning { cube: index });
        }
        Ok(happened)
    }

    /// Codes the fields of a changed cube. `cube` is as in the baseline before; `motion` is what is expected. Returns what it
    /// turned out to be.
    fn fields(
        &mut self,
        index: usize,
        happened: usize,
        motion: &Motion,
        wanted: &Cube,
        cube: &mut Cube,
    ) -> Result<Motion, DecodeError> {
        let base = *cube;
        let [moved, turned] = [POSITION, ORIENTATION].map(|field| happened & field > 0);
        cube.interacting = base.interacting != (happened & INTERACTING > 0);
        let mut actual = Motion {
            ticks: self.ticks,
            ..Motion::NONE
        };
        let (mut moved_error, mut error) = (0, 0);
        if moved {
            self.coder.about(Kind::Position, index);
            let axes = self.format.position_axes();
            for axis in 0..3 {
                let contexts = [
                    number_context(axis / 2, bits(motion.size()), error),
                    number_context(NUMBER_KINDS + axis, motion.moved_error.into(), error),
                ];
                let sign = sign_context(axis / 2, motion.moved[axis], motion.signs[axis], error);
                let expected = axes[axis].clamp(base.position[axis] + motion.moved[axis]);
                let value = wanted.position[axis].wrapping_sub(expected);
                error = self.learned.number(self.coder, contexts, sign, value);
                cube.position[axis] = expected + error;
                self.coder
                    .said(CODED_AXES[axis], cube.position[axis].into());
                actual.moved[axis] = cube.position[axis] - base.position[axis];
                actual.signs[axis] = error.signum() as i8;
                moved_error = moved_error.max(error.abs());
            }
        }
        actual.moved_error = bits(moved_error) as u8;
        if turned {
            self.orientation(index, motion, &base, wanted, cube, moved_error, &mut actual);
        }
        self.format
            .check_changed(index, &base, cube, [moved, turned])?;
        Ok(actual)
    }

    #[allow(clippy::too_many_arguments, reason = "one half of `fields`")]
    fn orientation(
        &mut self,
        index: usize,
        motion: &Motion,
        base: &Cube,
        wanted: &Cube,
        cube: &mut Cube,
        moved_error: i32,
        actual: &mut Motion,
    ) {
        self.coder.about(Kind::Orientation, index);
        let before = self.geometry.unit(base.orientation);
        let guess = multiply(motion.turn, before);
        let largest = self.largest(guess, wanted.orientation[0]);
        let expected = self.geometry.codes(guess, Some(largest));
        cube.orientation[0] = largest;
        self.coder.said("largest", largest.into());
        let [x, y, z, _] = motion.turn.map(|c| ((c * 512.0) as i32).abs());
        let size = bits(x.max(y).max(z).max(motion.size() / 8));
        let (mut error, mut turned_error) = (moved_error, 0);
        for slot in 1..4 {
            let contexts = [
                number_context(2, size, error),
                number_context(NUMBER_KINDS + 2 + slot, motion.turned_error.into(), error),
            ];
            let change = if largest == base.orientation[0] {
                expected[slot] - base.orientation[slot]
            } else {
                0
            };
            let sign = sign_context(2, change, motion.signs[2 + slot], error);
            let value = wanted.orientation[slot].wrapping_sub(expected[slot]);
            error = self.learned.number(self.coder, contexts, sign, value);
            cube.orientation[slot] = expected[slot] + error;
            self.coder
                .said(CODED_COMPONENTS[slot - 1], cube.orientation[slot].into());
            actual.signs[2 + slot] = error.signum() as i8;
            turned_error = turned_error.max(error.abs());
        }
        actual.turned_error = bits(turned_error) as u8;
        let after = self.geometry.unit(cube.orientation);
        let turn = multiply(after, [-before[0], -before[1], -before[2], before[3]]);
        actual.turn = if turn[3] < 0.0 {
            turn.map(|c| -c)
        } else {
            turn
        };
    }

    /// Codes the largest component: the guess's, its second, or one of the two others.
    fn largest(&mut self, guess: Quaternion, wanted: i32) -> i32 {
        let greater = |most: usize, i: usize| {
            if guess[i].abs() > guess[most].abs() {
                i
            } else {
                most
            }
        };
        let first = (1..4).fold(0, greater);
        let second = (0..4).filter(|&i| i != first).reduce(greater).unwrap_or(0);
        let gap = ((guess[first].abs() - guess[second].abs()) * 128.0) as usize;
        let (learned, is) = (&mut *self.learned, |i: usize| wanted == i as i32);
        let largest = if learned.flag(self.coder, Flag::Largest, gap.min(15), is(first)) {
            first
        } else if learned.flag(self.coder, Flag::SecondLargest, 0, is(second)) {
            second
        } else {
            let mut others = (0..4).filter(|&i| i != first && i != second);
            let [one, other] = [others.next(), others.next()].map(Option::unwrap_or_default);
            if self.coder.code_uniform(is(other).into(), 1) == 1 {
                other
            } else {
                one
            }
        };
        largest as i32
    }
}
