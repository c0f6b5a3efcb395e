//! Coder state of rung `predicted`, which class `chained` stores beside a snapshot: known motions and learned statistics.

use super::flight::{self, Filter, Flights, StoredFilter};
use super::learned::LearnedState;
use super::neighbours::CubeChange;
use crate::buffers::{fit, room};
use crate::format::Format;
use crate::model::rotation::{Vector3, add, scale, subtract};

/// A cube's motion from its baseline to a snapshot, with rates per tick. Numbers that are not known are 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CubeMotion {
    /// Linear velocity, 1/512 m a tick.
    pub(crate) velocity: Vector3,
    /// Change of `velocity` from the motion before to this one, 1/512 m a tick.
    pub(crate) velocity_surprise: Vector3,
    /// Angular velocity, as a rotation vector for each tick.
    pub(crate) spin: Vector3,
    pub(crate) spin_surprise: Vector3,
    /// Linear velocity averaged over some ticks, because the velocity of one tick is coarsely quantised; 1/512 m a tick.
    pub(crate) slow_velocity: Vector3,
    pub(crate) slow_spin: Vector3,
    /// Offset from the quantised position to the probable exact one, less than a step, 1/512 m.
    pub(crate) offset: Vector3,
    pub(crate) turn_offset: Vector3,
    /// log2 of the last prediction errors of position and orientation.
    pub(crate) errors: [f32; 2],
    /// Running means of `errors` over some ticks.
    pub(crate) slow_errors: [f32; 2],
    /// Filters of position and orientation, in a format with flights.
    pub(super) filters: [Filter; 2],
    /// True if the cube moved or turned.
    pub(crate) moving: bool,
    /// Ticks since the cube last moved or turned; 0 if more than `REST_TICKS_MAX` have passed.
    pub(crate) rest_ticks: u16,
}

/// Ticks after which a resting cube counts as one that never moved: 3 s, past the 1.67 s after which it stops interacting.
const REST_TICKS_MAX: u16 = 180;

/// Weight of the newest tick in the averaged velocities; older ticks keep the rest.
const SLOW: f32 = 0.25;

/// Number of ticks without a change up to which a cube may count as moving slowly; after more ticks it counts as resting.
const SLOW_TICKS_MAX: u16 = 8;

impl CubeMotion {
    /// Returns the motion after a change over `ticks` ticks; `self` is the motion before it.
    pub(super) fn after(&self, change: &CubeChange, ticks: f32, moving: bool) -> Self {
        let by = 1.0 / ticks;
        let velocity = scale(add(change.moved, subtract(change.offset, self.offset)), by);
        let spin = scale(
            add(
                change.turned,
                subtract(change.turn_offset, self.turn_offset),
            ),
            by,
        );
        let slow_part = (ticks * SLOW).min(1.0);
        fn slow<const N: usize>(
            moving: bool,
            before: [f32; N],
            now: [f32; N],
            part: f32,
        ) -> [f32; N] {
            if !moving {
                return now;
            }
            core::array::from_fn(|i| before[i] + (now[i] - before[i]) * part)
        }
        Self {
            velocity_surprise: scale(change.surprise, by),
            spin_surprise: scale(change.turn_surprise, by),
            slow_velocity: slow(self.moving, self.slow_velocity, velocity, slow_part),
            slow_spin: slow(self.moving, self.slow_spin, spin, slow_part),
            velocity,
            spin,
            offset: change.offset,
            turn_offset: change.turn_offset,
            errors: change.errors,
            slow_errors: slow(self.moving, self.slow_errors, change.errors, slow_part),
            filters: self.filters,
            moving,
            rest_ticks: 0,
        }
    }

    /// Returns the part of a motion that is still known after `ticks` more ticks without a change.
    pub(crate) fn rested(&self, ticks: u16) -> KnownMotion {
        let known = self.moving || self.rest_ticks > 0;
        let rest_ticks = if known {
            rest_longer(self.rest_ticks, ticks)
        } else {
            0
        };
        // At a tick's distance what moves slowly does not change every time.
        let still = f32::from(ticks) * (1.0 / 3.0);
        if still >= 1.0 || rest_ticks > SLOW_TICKS_MAX {
            return KnownMotion::Rest(rest_ticks);
        }
        let part = 1.0 - still;
        KnownMotion::Motion(Self {
            velocity: scale(self.velocity, part),
            spin: scale(self.spin, part),
            slow_velocity: scale(self.slow_velocity, part),
            slow_spin: scale(self.slow_spin, part),
            velocity_surprise: [0.0; 3],
            spin_surprise: [0.0; 3],
            filters: <[Filter; 2]>::default(),
            moving: false,
            rest_ticks,
            ..*self
        })
    }
}

fn rest_longer(rest_ticks: u16, ticks: u16) -> u16 {
    let rest_ticks = rest_ticks.saturating_add(ticks);
    if rest_ticks <= REST_TICKS_MAX {
        rest_ticks
    } else {
        0
    }
}

/// The known part of a cube's motion: the whole motion, or only its time at rest.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "made and taken apart for one cube at a time"
)]
pub(crate) enum KnownMotion {
    /// Ticks at rest; 0 if nothing is known.
    Rest(u16),
    Motion(CubeMotion),
}

/// Number of values in a stored motion.
const NUMBERS: usize = 8 * 3 + 2 * 2;

/// A stored motion, each number in 16 bits.
#[derive(Clone, Copy, Debug)]
struct StoredMotion {
    index: u16,
    /// Ticks at rest; the highest bit is the flag `MOVING`.
    rest_ticks: u16,
    halves: [u16; NUMBERS],
}

/// Bit in a stored motion's `rest_ticks` that says whether the cube moves.
const MOVING: u16 = 1 << 15;

impl StoredMotion {
    fn new(index: u16, motion: &CubeMotion) -> Self {
        let mut numbers = [0.0; NUMBERS];
        let vectors = [
            motion.velocity,
            motion.velocity_surprise,
            motion.spin,
            motion.spin_surprise,
            motion.slow_velocity,
            motion.slow_spin,
            motion.offset,
            motion.turn_offset,
        ];
        numbers[..24].copy_from_slice(vectors.as_flattened());
        numbers[24..26].copy_from_slice(&motion.errors);
        numbers[26..].copy_from_slice(&motion.slow_errors);
        let mut halves = [0; NUMBERS];
        for (half, number) in halves.iter_mut().zip(numbers) {
            *half = to_half(number);
        }
        Self {
            index,
            rest_ticks: motion.rest_ticks | if motion.moving { MOVING } else { 0 },
            halves,
        }
    }

    fn says_nothing(&self) -> bool {
        self.rest_ticks == 0 && self.halves == [0; NUMBERS]
    }

    fn rest_ticks(&self) -> u16 {
        self.rest_ticks & !MOVING
    }

    fn motion(&self) -> CubeMotion {
        let mut numbers = [0.0; NUMBERS];
        for (number, half) in numbers.iter_mut().zip(self.halves) {
            *number = of_half(half);
        }
        let vector = |at: usize| [numbers[3 * at], numbers[3 * at + 1], numbers[3 * at + 2]];
        CubeMotion {
            velocity: vector(0),
            velocity_surprise: vector(1),
            spin: vector(2),
            spin_surprise: vector(3),
            slow_velocity: vector(4),
            slow_spin: vector(5),
            offset: vector(6),
            turn_offset: vector(7),
            errors: [numbers[24], numbers[25]],
            slow_errors: [numbers[26], numbers[27]],
            filters: <[Filter; 2]>::default(),
            moving: self.rest_ticks & MOVING != 0,
            rest_ticks: self.rest_ticks(),
        }
    }
}

/// Number of mantissa bits that an f32 has and a 16-bit float does not.
const LOST_BITS: u32 = 13;
const FIRST_EXPONENT: i32 = 112 << 10;
/// Bit pattern of the largest 16-bit float: exponent and mantissa.
const HALF_MAX: i32 = (31 << 10) - 1;

/// Converts a float to 16 bits: 11 significant bits and a 5-bit exponent. Too small values become 0, too large ones the
/// maximum.
#[inline(always)]
fn to_half(x: f32) -> u16 {
    let bits = x.to_bits();
    let size = (((bits & 0x7fff_ffff) + (1 << (LOST_BITS - 1))) >> LOST_BITS) as i32;
    let half = (size - FIRST_EXPONENT).clamp(0, HALF_MAX) as u32;
    let sign = if half > 0 { bits >> 16 & 0x8000 } else { 0 };
    (half | sign) as u16
}

/// Converts a 16-bit half back to a float.
#[inline(always)]
fn of_half(half: u16) -> f32 {
    let size = u32::from(half & 0x7fff);
    let bits = (size + FIRST_EXPONENT as u32) << LOST_BITS;
    let sign = u32::from(half & 0x8000) << 16;
    f32::from_bits(if size > 0 { bits | sign } else { 0 })
}

/// Coder state of rung `predicted`, stored with a snapshot.
#[derive(Clone, Debug)]
pub struct PredictedMemory {
    pub(super) known: KnownMotions,
    /// Learned statistics, boxed because all rungs share one enum of coder states.
    pub(super) learned: Box<LearnedState>,
    /// Shared state of flights: one entry in a format with flights, else none.
    pub(super) flights: Vec<Flights>,
}

impl PredictedMemory {
    pub(crate) fn new(format: &Format) -> Self {
        Self {
            known: KnownMotions::new(format),
            learned: Box::new(LearnedState::new(format)),
            flights: vec![Flights::OPEN; usize::from(flight::flies(format))],
        }
    }

    pub fn clear(&mut self) {
        self.known.clear();
        self.learned.clear();
        self.flights.iter_mut().for_each(Flights::clear);
    }

    pub(crate) fn held_bytes(&self) -> usize {
        size_of::<LearnedState>() + self.known.held_bytes() + room(&self.flights)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.known.copy_from(&other.known);
        self.learned.clone_from(&other.learned);
        self.flights.clone_from(&other.flights);
    }

    /// Makes `self` equal to `other`'s state before the call. The statistics are swapped; the motions are copied, so `other`
    /// keeps its motions.
    pub(crate) fn assign_from(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.learned, &mut other.learned);
        core::mem::swap(&mut self.flights, &mut other.flights);
        self.known.fit(&other.known);
    }
}

/// Known motions of cubes, in the order in which the cubes are coded.
#[derive(Clone, Debug)]
pub(super) struct KnownMotions {
    motions: Vec<StoredMotion>,
    /// Filters of the motions, in the same order, if the format has flights.
    filters: Option<Vec<[StoredFilter; 2]>>,
    /// Index and ticks at rest of cubes of which only the time at rest is known.
    rests: Vec<(u16, u16)>,
}

impl KnownMotions {
    fn new(format: &Format) -> Self {
        let cube_count = format.cube_count();
        Self {
            motions: Vec::with_capacity(cube_count),
            filters: flight::flies(format).then(|| Vec::with_capacity(cube_count)),
            rests: Vec::with_capacity(cube_count),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.motions.clear();
        self.filters.iter_mut().for_each(Vec::clear);
        self.rests.clear();
    }

    pub(crate) fn held_bytes(&self) -> usize {
        let filters = self.filters.as_ref().map_or(0, room);
        room(&self.motions) + filters + room(&self.rests)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.motions.clone_from(&other.motions);
        self.filters.clone_from(&other.filters);
        self.rests.clone_from(&other.rests);
    }

    /// Replaces the content by a copy of `other`'s, in buffers of about the needed size.
    pub(crate) fn fit(&mut self, other: &Self) {
        fit(&mut self.motions, &other.motions);
        if let (Some(own), Some(other)) = (&mut self.filters, &other.filters) {
            fit(own, other);
        }
        fit(&mut self.rests, &other.rests);
    }

    /// Stores the known part of a cube's motion; stores nothing if nothing is known.
    pub(super) fn keep(&mut self, index: usize, known: KnownMotion) {
        match known {
            KnownMotion::Rest(0) => {}
            KnownMotion::Rest(ticks) => self.rests.push((index as u16, ticks)),
            KnownMotion::Motion(motion) => {
                let stored = StoredMotion::new(index as u16, &motion);
                if !stored.says_nothing() {
                    self.motions.push(stored);
                    if let Some(filters) = &mut self.filters {
                        filters.push(motion.filters.map(|filter| StoredFilter::new(&filter)));
                    }
                }
            }
        }
    }
}

/// A baseline's known motions, found by cube.
#[derive(Clone, Debug)]
pub(super) struct Motions {
    /// For each cube, the place of its motion. 0 means that nothing is stored. i + 1 is entry i of the motions. 2^16 - (i + 1)
    /// is entry i of the times at rest.
    slots: Vec<u16>,
    memory: KnownMotions,
}

impl Motions {
    pub(super) fn new(format: &Format) -> Self {
        Self {
            slots: vec![0; format.cube_count()],
            memory: KnownMotions::new(format),
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        room(&self.slots) + self.memory.held_bytes()
    }

    /// Swaps the motions out of `memory`, whose list is empty then, and indexes them by cube.
    pub(super) fn load(&mut self, memory: &mut PredictedMemory) {
        for stored in &self.memory.motions {
            self.slots[usize::from(stored.index)] = 0;
        }
        for (index, _) in &self.memory.rests {
            self.slots[usize::from(*index)] = 0;
        }
        core::mem::swap(&mut self.memory, &mut memory.known);
        memory.known.clear();
        for (slot, stored) in (1..).zip(&self.memory.motions) {
            self.slots[usize::from(stored.index)] = slot;
        }
        for (slot, (index, _)) in (1_u16..).zip(&self.memory.rests) {
            self.slots[usize::from(*index)] = slot.wrapping_neg();
        }
    }

    /// Returns true if nothing is stored about a cube's motion.
    pub(super) fn forgot(&self, index: usize) -> bool {
        self.slots[index] == 0
    }

    /// Returns the part of a cube's motion that is still known after `ticks` more ticks without a change.
    pub(super) fn rested(&self, index: usize, ticks: u16) -> KnownMotion {
        match self.slots[index] {
            0 => KnownMotion::Rest(0),
            slot @ 1..0x8000 => self.motion(slot).rested(ticks),
            slot => KnownMotion::Rest(rest_longer(self.rest_ticks(slot), ticks)),
        }
    }

    /// Returns a cube's motion (no motion if unknown), and the number of ticks that it has been at rest.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> (CubeMotion, u16) {
        match self.slots[index] {
            0 => (CubeMotion::default(), 0),
            slot @ 1..0x8000 => {
                let motion = self.motion(slot);
                (motion, motion.rest_ticks)
            }
            slot => (CubeMotion::default(), self.rest_ticks(slot)),
        }
    }

    fn motion(&self, slot: u16) -> CubeMotion {
        let at = usize::from(slot) - 1;
        let mut motion = self.memory.motions[at].motion();
        if let Some(filters) = &self.memory.filters {
            motion.filters = filters[at].map(|stored| stored.filter());
        }
        motion
    }

    fn rest_ticks(&self, slot: u16) -> u16 {
        self.memory.rests[usize::from(slot.wrapping_neg()) - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_stored_within_a_2048th_and_a_stored_one_stays() {
        for n in -4000..4000 {
            for scale in [0.01, 1.0, 16.0] {
                let x = n as f32 * scale;
                let stored = of_half(to_half(x));
                assert!((stored - x).abs() <= x.abs() / 2048.0, "{x} {stored}");
                assert_eq!(to_half(stored), to_half(x));
            }
        }
        assert_eq!([1.0e-6, -1.0e-6, 0.0].map(to_half), [0; 3]);
        assert_eq!(of_half(to_half(-1.0e9)), -65_504.0);
    }
}
