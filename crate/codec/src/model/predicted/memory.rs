//! What class `chained` remembers beside a snapshot.

use alloc::vec::Vec;

use crate::model::rotation::Vector;

/// How a cube came to its place in a snapshot. Rates are a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// Of the displacement, 1/512 m.
    pub(crate) velocity: Vector,
    /// Of what the velocity before did not tell.
    pub(crate) velocity_surprise: Vector,
    /// Of the turn.
    pub(crate) spin: Vector,
    pub(crate) spin_surprise: Vector,
    /// log2 of the prediction's error, of position and orientation.
    pub(crate) errors: [f32; 2],
    /// Whether it moved or turned.
    pub(crate) moving: bool,
    /// Ticks since it did; 0 where that is long ago.
    pub(crate) rest_ticks: u16,
}

/// A cube that has rested for longer is as one that never moved: 3 s, past the 1.67 s after which it stops interacting.
const REST_TICKS_MAX: u16 = 180;

impl Motion {
    /// The cube has not changed for `ticks` more.
    pub(crate) fn rested(self, ticks: u16) -> Self {
        let known = self.moving || self.rest_ticks > 0;
        let rest_ticks = self.rest_ticks.saturating_add(ticks);
        let remembered = known && rest_ticks <= REST_TICKS_MAX;
        Self {
            rest_ticks: if remembered { rest_ticks } else { 0 },
            ..Self::default()
        }
    }
}

/// Motions of the cubes that have one, by rising index.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    motions: Vec<(u16, Motion)>,
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

    /// Lays the motions out, one a cube.
    pub(crate) fn spread(&self, motions: &mut [Motion]) {
        motions.fill(Motion::default());
        for (index, motion) in &self.motions {
            motions[usize::from(*index)] = *motion;
        }
    }

    /// The inverse of [`Memory::spread`].
    pub(crate) fn gather(&mut self, motions: &[Motion]) {
        self.motions.clear();
        let known = motions
            .iter()
            .enumerate()
            .filter(|(_, motion)| **motion != Motion::default());
        self.motions
            .extend(known.map(|(index, motion)| (index as u16, *motion)));
    }
}
