//! Contexts of a cube's change symbol: the facts by which its probabilities are chosen.

use core::f32::consts::LN_2;

use super::memory::CubeMotion;
use super::mixture::FACTORS;
use super::neighbours::{Cell, NearMotion};
use crate::cube::Cube;
use crate::model::geometry::{Geometry, half_side};
use crate::model::logarithms::{exp, log_size, log2, size_class};
use crate::model::rotation::{Quaternion, Vector3, length, support};

/// A cube's pose in the baseline, cached because most cubes stay the same from packet to packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaselinePose {
    codes: [i32; 4],
    position: [i32; 3],
    pub(super) orientation: Quaternion,
    pub(super) place: Vector3,
    /// Height of the cube's lowest corner above the floor, 1/512 m.
    pub(super) lift: f32,
    /// Class of the cube's height above the floor and of its tilt, 0 to 23.
    unsettled: u8,
    cell: Cell,
}

impl BaselinePose {
    pub(super) fn new(geometry: &Geometry, is_player: bool, base: &Cube) -> Self {
        let place = geometry.place(base);
        let orientation = geometry.orientation(base.orientation);
        let support = support(orientation);
        let (lift, tilt) = (place[2] - support * half_side(is_player), support - 1.0);
        Self {
            codes: base.orientation,
            position: base.position,
            orientation,
            place,
            lift,
            unsettled: (size_class(tilt * 100.0, 5) + 6 * size_class(lift, 3)) as u8,
            cell: Cell::at(place),
        }
    }

    /// Computes the cached pose again if the cube's pose in the baseline has changed.
    #[inline(always)]
    pub(super) fn follow(&mut self, geometry: &Geometry, is_player: bool, base: &Cube) {
        if self.codes != base.orientation || self.position != base.position {
            self.renew(geometry, is_player, base);
        }
    }

    #[cold]
    #[inline(never)]
    fn renew(&mut self, geometry: &Geometry, is_player: bool, base: &Cube) {
        *self = Self::new(geometry, is_player, base);
    }

    pub(super) fn place(&self) -> Vector3 {
        self.place
    }
}

/// The few facts from which both ends predict that a cube has not changed, small enough to keep for all cubes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FlagFeatures {
    /// Squared distance from the player, as computed by [`Scene::square_from_player`](super::scene::Scene::square_from_player).
    pub(super) square: f32,
    distance_class: u8,
    unsettled: u8,
    interacting: bool,
    /// True if the cube changed, known to an encoder only.
    pub(super) changes: bool,
    pub(super) cell: Cell,
}

impl FlagFeatures {
    pub(super) fn new(pose: &BaselinePose, square: f32, interacting: bool) -> Self {
        Self {
            square,
            distance_class: distance_class(square),
            unsettled: pose.unsettled,
            interacting,
            changes: false,
            cell: pose.cell,
        }
    }

    pub(super) fn interacting(&self) -> bool {
        self.interacting
    }

    /// Returns two indices for a quiet cube: of its probability of change in the tables, and of its distance group. The first
    /// depends on its pose and on whether the last two cubes changed, the two lowest bits of `recent`.
    #[inline(always)]
    pub(super) fn quiet(&self, recent: usize) -> (usize, usize) {
        let distance = usize::from(self.distance_class);
        (
            (distance * UNSETTLED + usize::from(self.unsettled)) << 2 | recent & 3,
            distance / 8,
        )
    }
}

/// Number of classes of a cube's height above the floor and tilt together.
const UNSETTLED: usize = 24;

/// Facts about a cube from which the contexts of its change symbol are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlagContexts<'a> {
    pub(super) features: FlagFeatures,
    pub(super) motion: &'a CubeMotion,
    /// True if a simulation foresees that the cube's flag `interacting` changes; `None` without a simulation.
    pub(super) toggles: Option<bool>,
    speed_class: usize,
    /// Number of neighbours; more than 3 count as 3.
    near_count: usize,
    near_speed: usize,
    /// Ticks of rest up to the packet, in thirds; `None` where the cube moves or does not interact.
    rest: Option<usize>,
}

impl<'a> FlagContexts<'a> {
    #[inline]
    pub(super) fn new(
        ticks: u16,
        features: FlagFeatures,
        (motion, rest_ticks): (&'a CubeMotion, u16),
        toggles: Option<bool>,
        near: NearMotion,
    ) -> Self {
        let speed_class = if motion.moving {
            let moved = length(motion.velocity) * f32::from(ticks) * 2.0;
            2 + ((log_size(moved) * 1.5) as usize).min(13)
        } else {
            usize::from(rest_ticks > 0)
        };
        let near_count = near.count.min(3);
        let near_speed = if near_count == 0 {
            0
        } else {
            size_class(length(near.moved), 5)
        };
        // Interacting ends a fixed time after rest begins.
        let rest = (features.interacting && rest_ticks > 0)
            .then(|| usize::from((rest_ticks + ticks).saturating_sub(6) / 3).min(63));
        Self {
            toggles,
            features,
            motion,
            speed_class,
            near_count,
            near_speed,
            rest,
        }
    }

    /// Returns the table rows of shares for coding the change symbol, one for each of four contexts. Bits of `recent` say which
    /// of the last cubes changed.
    pub(super) fn happened(&self, recent: usize) -> [usize; 4] {
        let interacting = usize::from(self.features.interacting);
        let recent = recent & 3;
        let toggles = usize::from(self.toggles == Some(true));
        let near = self.near_speed << 4 | self.near_count << 2;
        [
            toggles << 9 | interacting << 8 | self.near_count << 6 | self.speed_class << 2 | recent,
            interacting << 7
                | usize::from(self.features.distance_class) << 2
                | self.speed_class.min(3),
            self.rest
                .map_or(near + 96 * interacting + recent, |rest| 192 + rest),
            interacting << 7 | usize::from(self.features.unsettled) << 2 | recent,
        ]
    }

    /// Returns the indices of the learned factors for coding the change symbol, one for each of three contexts.
    pub(super) fn learned(&self, recent: usize) -> [usize; FACTORS] {
        let error = (self.motion.errors[0] as usize).min(7);
        let recent = recent & 3;
        [
            self.speed_class << 3 | usize::from(self.features.interacting) << 2 | recent,
            error << 4 | self.near_count << 2 | recent,
            usize::from(self.features.unsettled) << 1 | usize::from(self.motion.moving),
        ]
    }

    /// Returns the index (0 to 3) of the set of powers for coding the change symbol: the tables' shares are raised to these.
    pub(super) fn set(&self) -> usize {
        usize::from(self.features.interacting) + 2 * usize::from(self.motion.moving)
    }

    /// Returns the context for coding a quiet cube's change symbol.
    pub(super) fn quiet(&self) -> usize {
        (usize::from(self.features.distance_class) / 4) << 1 | usize::from(self.near_count > 0)
    }
}

/// Number of classes of a distance from the player; a class is a third of an octave, from 1/8 m.
const DISTANCE_CLASSES: usize = 32;
/// Number of binary exponents of a squared distance that have separate classes.
const EXPONENTS: usize = 38;
const MANTISSA_BITS: u32 = 3;
static CLASSES: [u8; EXPONENTS << MANTISSA_BITS] = distance_classes();

/// Returns the class of a squared distance (see [`Scene::square_from_player`](super::scene::Scene::square_from_player)) by its
/// highest bits.
fn distance_class(square: f32) -> u8 {
    let at = (square.to_bits() >> (23 - MANTISSA_BITS)).saturating_sub(127 << MANTISSA_BITS);
    CLASSES[(at as usize).min(CLASSES.len() - 1)]
}

const fn distance_classes() -> [u8; EXPONENTS << MANTISSA_BITS] {
    let mut classes = [0; EXPONENTS << MANTISSA_BITS];
    let mut at = 0;
    while at < classes.len() {
        let square = f32::from_bits(((127 << MANTISSA_BITS) + at as u32) << (23 - MANTISSA_BITS));
        let distance = exp(log2(square * 0.5) * (0.5 * LN_2));
        let class = (log2(1.0 + distance * (1.0 / 64.0)) * 3.0) as usize;
        classes[at] = if class < DISTANCE_CLASSES {
            class
        } else {
            DISTANCE_CLASSES - 1
        } as u8;
        at += 1;
    }
    classes
}
