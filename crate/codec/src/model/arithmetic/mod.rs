//! Rung `arithmetic`: the fields of a changed cube, each coded with probabilities that adapt to the values coded before.
//!
//! Class `chained` continues with the probabilities that the coder had after the baseline. It expects that each cube's motion
//! up to the baseline continues. One description of a packet serves encoder and decoder.

mod memory;

pub(crate) use memory::ArithmeticMemory;

use self::memory::{
    AdaptiveProbabilities, BaselineMotion, Flag, NUMBER_KINDS, QUIET, bits, number_context,
    saturated, sign_context, thirds,
};
use super::geometry::Geometry;
use super::rotation::{Quaternion, multiply};
use super::symbols::SymbolCoder;
use super::{INTERACTING, ORIENTATION, POSITION, Transition, change_symbol, check_symbol};
use crate::buffers::room;
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::format::Format;
use crate::ledger::Kind;
use crate::stream::{CODED_AXES, CODED_COMPONENTS};

/// Number of cubes in a block: cubes with consecutive indices, of which the quiet ones are coded together. A quiet cube has no
/// stored motion.
const BLOCK: usize = 16;
/// The coder of rung `arithmetic`, for one format. It keeps no coder state between packets.
#[derive(Clone, Debug)]
pub(crate) struct ArithmeticModel {
    format: Format,
    geometry: Geometry,
    /// Motions of the baseline's cubes, taken out of the coder state while the packet's motions are collected there.
    motions: Vec<BaselineMotion>,
}

impl ArithmeticModel {
    pub(crate) fn new(format: &Format) -> Self {
        Self {
            format: *format,
            geometry: Geometry::new(format),
            motions: Vec::with_capacity(format.cube_count()),
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        room(&self.motions)
    }

    pub(crate) fn cube_count(&self) -> usize {
        self.format.cube_count()
    }

    /// Encodes or decodes a packet. One description of the packet serves both directions.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl SymbolCoder,
        transition: Transition,
        memory: &mut ArithmeticMemory,
    ) -> Result<(), DecodeError> {
        let Transition {
            ticks,
            wanted,
            settled,
            changed,
            snapshot,
        } = transition;
        memory.give_motions(&mut self.motions, ticks);
        let mut packet = PacketPass {
            format: &self.format,
            geometry: &self.geometry,
            coder,
            learned: &mut memory.learned,
            motions: &mut memory.motions,
            known: &self.motions,
            changed,
            settled,
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

/// The state of coding one packet.
struct PacketPass<'a, C> {
    format: &'a Format,
    geometry: &'a Geometry,
    coder: &'a mut C,
    learned: &'a mut AdaptiveProbabilities,
    motions: &'a mut Vec<BaselineMotion>,
    /// Motions of the baseline's cubes that are not coded yet. `changed` and `settled` shrink in the same way, block by block.
    known: &'a [BaselineMotion],
    changed: &'a [usize],
    settled: &'a [usize],
    /// A bit for each of the last coded cubes with a motion: 1 for changed, the newest in the lowest bit. `recent_quiet` is the
    /// same for quiet cubes, `recent_blocks` for blocks.
    recent: usize,
    recent_quiet: usize,
    recent_blocks: usize,
}

/// The state of coding one block of cubes. In a bit set of its cubes, the lowest bit is the first cube.
struct Block<'a> {
    first: usize,
    wanted: &'a [Cube],
    /// Bit set of the block's changed cubes, known to an encoder only.
    wants: u32,
    happened: [u8; BLOCK],
}

impl Block<'_> {
    /// Returns the change symbol that an encoder writes for a cube.
    fn change(&self, at: usize, base: &Cube) -> usize {
        match self.wants >> at & 1 {
            0 => 0,
            _ => change_symbol(base, &self.wanted[at]),
        }
    }
}

/// Iterates over the indices of the bits that are 1 in `set`, lowest first.
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let at = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            at
        })
    })
}

/// Removes a block's entries from the front of a list sorted by index; returns the cubes' places in the block as a bit set.
fn split_block<T>(list: &mut &[T], first: usize, index: impl Fn(&T) -> usize) -> u32 {
    let mut set = 0;
    while let [next, rest @ ..] = *list
        && index(next) < first + BLOCK
    {
        set |= 1 << (index(next) - first);
        *list = rest;
    }
    set
}

impl<C: SymbolCoder> PacketPass<'_, C> {
    /// Codes each cube's change symbol in a block, then the fields of the changed cubes.
    fn block(
        &mut self,
        first: usize,
        cubes: &mut [Cube],
        wanted: &[Cube],
    ) -> Result<(), DecodeError> {
        let known = self.known;
        let moving = split_block(&mut self.known, first, |motion| motion.cube.into());
        let motion = |at: usize| {
            let before = moving & ((1 << at) - 1);
            if moving >> at & 1 == 1 {
                known.get(before.count_ones() as usize)
            } else {
                None
            }
        };
        let settled = split_block(&mut self.settled, first, |&index| index);
        let (mut alive, mut interacting) = (0, 0);
        for (at, cube) in cubes.iter().enumerate() {
            alive |= u32::from(!cube.life.is_empty()) << at;
            interacting |= u32::from(cube.interacting) << at;
        }
        alive &= !settled;
        let active = (moving | interacting) & alive;
        let mut block = Block {
            first,
            wanted,
            wants: split_block(&mut self.changed, first, |&index| index),
            happened: [0; BLOCK],
        };
        for at in members(active) {
            let size = motion(at).map_or(0, BaselineMotion::size);
            let interacting = (interacting >> at & 1) as usize;
            let context = thirds(size) << 3 | interacting << 2 | self.recent & 3;
            let change = block.change(at, &cubes[at]);
            self.coder.about(Kind::Index, first + at);
            let happened = self.happened(first + at, context, change)?;
            block.happened[at] = happened;
            self.recent = self.recent << 1 | usize::from(happened > 0);
        }
        if alive != active {
            self.quiet(&mut block, cubes, alive & !active)?;
        }
        for (at, happened) in block.happened.into_iter().enumerate() {
            if happened > 0 {
                let motion = motion(at).unwrap_or(&BaselineMotion::NONE);
                self.fields(first + at, happened, motion, &wanted[at], &mut cubes[at])?;
            }
        }
        Ok(())
    }

    /// Codes which quiet cubes (those without a stored motion) of a block changed, and their change symbols.
    fn quiet(&mut self, block: &mut Block, cubes: &[Cube], quiet: u32) -> Result<(), DecodeError> {
        let others = usize::from(block.happened != [0; BLOCK]);
        let (learned, context) = (&mut *self.learned, self.recent_blocks & 3 | others << 2);
        self.coder.about_packet(Kind::Index);
        let any = block.wants & quiet != 0;
        let any = learned.flag(self.coder, Flag::AnyQuiet, context, any);
        self.coder.said("quiet cubes changed", any.into());
        self.recent_blocks = self.recent_blocks << 1 | usize::from(any);
        if !any {
            return Ok(());
        }
        let last = quiet.ilog2() as usize;
        let mut none_yet = true;
        for at in members(quiet) {
            let index = block.first + at;
            let change = block.change(at, &cubes[at]);
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
                self.coder.about(Kind::Flags, index);
                let happened = self.happened(index, QUIET, change)?;
                if happened == 0 {
                    return Err(DecodeError::CubeNotChanged { cube: index });
                }
                block.happened[at] = happened;
            }
        }
        Ok(())
    }

    /// Codes and returns a cube's change symbol. For a quiet cube it is coded only if the cube changed.
    fn happened(&mut self, index: usize, context: usize, change: usize) -> Result<u8, DecodeError> {
        let distributions = &mut self.learned.happened;
        let happened = if context == QUIET {
            let happened = self.coder.adaptive_one(distributions, QUIET, change);
            self.coder.said("what changed", happened as i64);
            happened
        } else {
            let ends = distributions.ends(context);
            let happened = self.coder.symbol(|i| ends[i] << 1, change);
            self.coder.said_change(|i| ends[i] << 1, happened);
            distributions.adapt(context, happened);
            happened
        };
        check_symbol(index, happened)?;
        Ok(happened as u8)
    }

    /// Codes the fields of a changed cube, and stores its motion. `cube` has the baseline's values before the call, the
    /// packet's after it; `motion` is the predicted motion.
    fn fields(
        &mut self,
        index: usize,
        happened: u8,
        motion: &BaselineMotion,
        wanted: &Cube,
        cube: &mut Cube,
    ) -> Result<(), DecodeError> {
        let base = *cube;
        let [moved, turned] =
            [POSITION, ORIENTATION].map(|field| usize::from(happened) & field > 0);
        cube.interacting = base.interacting != (usize::from(happened) & INTERACTING > 0);
        let mut actual = BaselineMotion {
            cube: index as u16,
            ..BaselineMotion::NONE
        };
        let (mut moved_error, mut error) = (0, 0);
        if moved {
            self.coder.about(Kind::Position, index);
            let axes = self.format.position_axes();
            let size = bits(motion.size());
            for axis in 0..3 {
                let (expected, last) = (i32::from(motion.moved[axis]), i32::unsigned_abs(error));
                let contexts = [
                    number_context(axis / 2, size, last),
                    number_context(NUMBER_KINDS + axis, motion.moved_error.into(), last),
                ];
                let sign = sign_context(axis / 2, expected, motion.sign(axis), error);
                let expected = axes[axis].clamp(base.position[axis] + expected);
                let value = wanted.position[axis].wrapping_sub(expected);
                error = self.learned.number(self.coder, contexts, sign, value);
                cube.position[axis] = expected + error;
                self.coder
                    .said(CODED_AXES[axis], cube.position[axis].into());
                actual.moved[axis] = saturated(cube.position[axis] - base.position[axis]);
                actual.keep_sign(axis, error);
                moved_error = moved_error.max(error.unsigned_abs());
            }
        }
        actual.moved_error = bits(moved_error) as u8;
        if turned {
            self.orientation(motion, &base, wanted, cube, moved_error, &mut actual);
        }
        self.motions.push(actual);
        self.format
            .check_changed(index, &base, cube, [moved, turned])
    }

    fn orientation(
        &mut self,
        motion: &BaselineMotion,
        base: &Cube,
        wanted: &Cube,
        cube: &mut Cube,
        moved_error: u32,
        actual: &mut BaselineMotion,
    ) {
        self.coder.about(Kind::Orientation, actual.cube.into());
        let before = self.geometry.unit(base.orientation);
        let guess = multiply(motion.turn, before);
        let largest = self.largest(guess, wanted.orientation[0]);
        let expected = self.geometry.codes(guess, largest);
        cube.orientation[0] = largest;
        self.coder.said("largest", largest.into());
        let [x, y, z, _] = motion.turn.map(|c| ((c * 512.0) as i32).unsigned_abs());
        let size = bits(x.max(y).max(z).max(motion.size() / 8));
        // Of the number before the size, and for the first no sign.
        let (mut last, mut error, mut turned_error) = (moved_error, moved_error as i32, 0);
        for slot in 1..4 {
            let contexts = [
                number_context(2, size, last),
                number_context(NUMBER_KINDS + 2 + slot, motion.turned_error.into(), last),
            ];
            let change = if largest == base.orientation[0] {
                expected[slot] - base.orientation[slot]
            } else {
                0
            };
            let sign = sign_context(2, change, motion.sign(2 + slot), error);
            let value = wanted.orientation[slot].wrapping_sub(expected[slot]);
            error = self.learned.number(self.coder, contexts, sign, value);
            last = error.unsigned_abs();
            cube.orientation[slot] = expected[slot] + error;
            self.coder
                .said(CODED_COMPONENTS[slot - 1], cube.orientation[slot].into());
            actual.keep_sign(2 + slot, error);
            turned_error = turned_error.max(last);
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

    /// Codes the index of an orientation's largest component, and returns it. A flag says if it is the largest component of
    /// `guess`; a second flag, if it is the second largest. Else a third flag tells the other two components apart.
    fn largest(&mut self, guess: Quaternion, wanted: i32) -> i32 {
        let greatest = |but: usize| {
            let mut greatest = (0, -1.0);
            for (i, c) in guess.into_iter().enumerate() {
                if i != but && c.abs() > greatest.1 {
                    greatest = (i, c.abs());
                }
            }
            greatest
        };
        let (first, most) = greatest(4);
        let (second, less) = greatest(first);
        let gap = ((most - less) * 128.0) as usize;
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
