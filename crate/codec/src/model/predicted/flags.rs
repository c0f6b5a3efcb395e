//! Circumstances of a cube as contexts of its flags.

use core::f32::consts::LN_2;

use super::learned::COUNTERS;
use super::memory::Motion;
use super::neighbours::{Cell, NearMotion};
use super::tables::LOOKUPS;
use crate::cube::Cube;
use crate::model::geometry::{Geometry, half_side};
use crate::model::logistic::{exp, log_size, log2, size_class};
use crate::model::rotation::{Quaternion, Vector, length, support};

/// A cube's pose in the baseline. Most cubes lie as they did in the packet before, so this is kept for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaselinePose {
    codes: [i32; 4],
    position: [i32; 3],
    pub(super) orientation: Quaternion,
    pub(super) place: Vector,
    /// Height of the lowest corner above the floor.
    pub(super) lift: f32,
    /// Class of it and of the tilt.
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
            cell: Cell::of(place),
        }
    }

    /// Becomes how the cube lies now.
    pub(super) fn follow(&mut self, geometry: &Geometry, is_player: bool, base: &Cube) {
        if self.codes != base.orientation || self.position != base.position {
            *self = Self::new(geometry, is_player, base);
        }
    }

    pub(super) fn place(&self) -> Vector {
        self.place
    }
}

/// The few circumstances that tell of most cubes that they have not changed: little enough that all cubes' are at hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FlagFeatures {
    /// Square of the distance, as [`Scene::square_from_player`](super::scene::Scene::square_from_player) has it.
    pub(super) square: f32,
    distance_class: u8,
    unsettled: u8,
    interacting: bool,
    /// The flag "changed" that an encoder writes.
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

    /// All that flags depend on, of a cube without past and neighbours.
    pub(super) fn key(&self) -> [u8; 3] {
        [self.distance_class, self.unsettled, self.interacting.into()]
    }
}

/// Circumstances known of every cube: enough to code whether it changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlagContexts<'a> {
    pub(super) features: FlagFeatures,
    pub(super) motion: &'a Motion,
    /// Contexts of flags of which nothing is known yet.
    contexts: [usize; LOOKUPS],
    speed_class: usize,
    /// Neighbours, at most 3.
    near_count: usize,
    /// True where the third context holds the known bits, too.
    third_knows: bool,
    /// True where a simulation foresees that interacting begins or ends; `None` without a simulation.
    pub(super) toggles: Option<bool>,
}

impl<'a> FlagContexts<'a> {
    #[inline]
    pub(super) fn new(
        ticks: u16,
        features: FlagFeatures,
        (motion, rest_ticks): (&'a Motion, u16),
        toggles: Option<bool>,
        near: NearMotion,
    ) -> Self {
        let speed_class = if motion.moving {
            let moved = length(motion.velocity) * f32::from(ticks) * 2.0;
            2 + ((log_size(moved) * 1.5) as usize).min(13)
        } else {
            usize::from(rest_ticks > 0)
        };
        let interacting = usize::from(features.interacting);
        let count = near.count.min(3);
        let near_speed = if count == 0 {
            0
        } else {
            size_class(length(near.moved), 5)
        };
        let third_knows = !features.interacting || rest_ticks == 0;
        let third = if third_knows {
            (near_speed << 4 | count << 2) + 96 * interacting
        } else {
            // Interacting ends a fixed time after rest begins.
            192 + usize::from((rest_ticks + ticks).saturating_sub(6) / 3).min(63)
        };
        Self {
            toggles,
            features,
            motion,
            contexts: [
                interacting << 8 | count << 6 | speed_class << 2,
                interacting << 7 | usize::from(features.distance_class) << 2,
                third,
                interacting << 7 | usize::from(features.unsettled) << 2,
            ],
            speed_class,
            near_count: count,
            third_knows,
        }
    }

    /// Number of the flag's set of mixing weights.
    pub(super) fn flag_set(&self) -> usize {
        usize::from(self.features.interacting) + 2 * usize::from(self.motion.moving)
    }

    /// Contexts of a flag in what is learned; of `known` the two lowest bits count.
    pub(super) fn learned(&self, known: usize) -> [usize; COUNTERS] {
        let known = known & 3;
        let error = (self.motion.errors[0] as usize).min(7);
        [
            self.speed_class << 3 | usize::from(self.features.interacting) << 2 | known,
            error << 4 | self.near_count << 2 | known,
        ]
    }

    /// Contexts of "changed", after the last cubes had changed or not.
    pub(super) fn changed_contexts(&self, recent_changes: usize) -> [usize; LOOKUPS] {
        self.flag_contexts(recent_changes & 3, self.speed_class.min(3))
    }

    /// Contexts of a flag of a changed cube; `known` is what the flags before it say, 0 to 3.
    pub(super) fn flag_contexts(&self, known: usize, second: usize) -> [usize; LOOKUPS] {
        let [a, b, c, d] = self.contexts;
        let third_known = if self.third_knows { known } else { 0 };
        [a + known, b + second, c + third_known, d + known]
    }
}

/// Distances from the player are told apart in so many classes, thirds of an octave of 1/8 m and above.
const DISTANCE_CLASSES: usize = 32;
/// Exponents of a square that has a class of its own, and the bits of its mantissa that count.
const EXPONENTS: usize = 38;
const MANTISSA_BITS: u32 = 3;
static CLASSES: [u8; EXPONENTS << MANTISSA_BITS] = distance_classes();

/// By the square of [`Scene::square_from_player`](super::scene::Scene::square_from_player), as far as its highest bits tell.
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
