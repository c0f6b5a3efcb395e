//! What class `chained` remembers beside a snapshot.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::rotation::{Vector, scale};

/// How a cube came to its place in a snapshot. Rates are a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    /// Of the displacement, 1/512 m.
    pub(crate) velocity: Vector,
    /// Of what the velocity before did not tell.
    pub(crate) velocity_surprise: Vector,
    /// Of the turn.
    pub(crate) spin: Vector,
    pub(crate) spin_surprise: Vector,
    /// Both rates, over some ticks: those of one tick are coarse.
    pub(crate) slow_velocity: Vector,
    pub(crate) slow_spin: Vector,
    /// From where the snapshot has the cube to where it probably is, within a step.
    pub(crate) offset: Vector,
    pub(crate) turn_offset: Vector,
    /// log2 of the prediction's error, of position and orientation.
    pub(crate) errors: [f32; 2],
    /// Their means over some ticks.
    pub(crate) slow_errors: [f32; 2],
    /// Whether it moved or turned.
    pub(crate) moving: bool,
    /// Ticks since it did; 0 where that is long ago.
    pub(crate) rest_ticks: u16,
}

/// A cube that has rested for longer is as one that never moved: 3 s, past the 1.67 s after which it stops interacting.
const REST_TICKS_MAX: u16 = 180;

/// What has not changed for longer does not move slowly: it rests.
const SLOW_TICKS_MAX: u16 = 8;

impl Motion {
    /// Of a cube that has none.
    pub(super) const NONE: Self = Self {
        velocity: [0.0; 3],
        velocity_surprise: [0.0; 3],
        spin: [0.0; 3],
        spin_surprise: [0.0; 3],
        slow_velocity: [0.0; 3],
        slow_spin: [0.0; 3],
        offset: [0.0; 3],
        turn_offset: [0.0; 3],
        errors: [0.0; 2],
        slow_errors: [0.0; 2],
        moving: false,
        rest_ticks: 0,
    };

    /// The cube has not changed for `ticks` more.
    pub(crate) fn rested(self, ticks: u16) -> Self {
        let known = self.moving || self.rest_ticks > 0;
        let rest_ticks = self.rest_ticks.saturating_add(ticks);
        let remembered = known && rest_ticks <= REST_TICKS_MAX;
        let rest_ticks = if remembered { rest_ticks } else { 0 };
        // At a tick's distance what moves slowly does not change every time.
        let still = f32::from(ticks) * (1.0 / 3.0);
        if still >= 1.0 || rest_ticks > SLOW_TICKS_MAX {
            return Self {
                rest_ticks,
                ..Self::NONE
            };
        }
        let part = 1.0 - still;
        Self {
            velocity: scale(self.velocity, part),
            spin: scale(self.spin, part),
            slow_velocity: scale(self.slow_velocity, part),
            slow_spin: scale(self.slow_spin, part),
            velocity_surprise: [0.0; 3],
            spin_surprise: [0.0; 3],
            moving: false,
            rest_ticks,
            ..self
        }
    }
}

/// Motions of the cubes that have one, in the order in which they were coded.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(super) motions: Vec<(u16, Motion)>,
}

impl Memory {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            motions: Vec::with_capacity(cube_count),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.motions.clear();
    }

    /// Memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.motions.capacity() * size_of::<(u16, Motion)>()
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.motions.clone_from(&other.motions);
    }

    /// Keeps the motion of a cube, if it has one.
    pub(super) fn keep(&mut self, index: usize, motion: Motion) {
        if motion != Motion::NONE {
            self.motions.push((index as u16, motion));
        }
    }
}

/// The motions that a memory held, by cube.
#[derive(Clone, Debug)]
pub(super) struct Motions {
    /// Of each cube one more than where in the list its motion is, or 0.
    slots: Vec<u16>,
    list: Vec<(u16, Motion)>,
}

impl Motions {
    pub(super) fn new(cube_count: usize) -> Self {
        Self {
            slots: vec![0; cube_count],
            list: Vec::with_capacity(cube_count),
        }
    }

    /// Takes the motions out of a memory, which is empty then.
    pub(super) fn take(&mut self, memory: &mut Memory) {
        for (index, _) in &self.list {
            self.slots[usize::from(*index)] = 0;
        }
        core::mem::swap(&mut self.list, &mut memory.motions);
        memory.motions.clear();
        for (slot, (index, _)) in (1..).zip(&self.list) {
            self.slots[usize::from(*index)] = slot;
        }
    }

    pub(super) fn of(&self, index: usize) -> Option<&Motion> {
        let slot = usize::from(self.slots[index]).checked_sub(1)?;
        Some(&self.list[slot].1)
    }
}
