//! Circumstances of a cube before it is coded, as contexts of flags and as features of linear predictions.

use core::f32::consts::LN_2;

use super::memory::Motion;
use super::neighbours::{Cell, Glimpse, Near, Neighbours};
use super::tables::{FEATURES, LOOKUPS};
use crate::cube::Cube;
use crate::model::geometry::{CODES_AT_9_BITS, Geometry, half_side};
use crate::model::logistic::{exp, log_size, log2, size_class};
use crate::model::rotation::{
    Quaternion, Vector, add, dot, length, scale, subtract, support, turn,
};
use crate::sqrt::sqrt_f32;

/// Codes of a turn.
pub(super) const HALF_CODES: f32 = CODES_AT_9_BITS * 0.5;
/// Distance of every cube from a player that does not exist: 64 m, in 1/512 m.
const NO_PLAYER_DISTANCE: f32 = 32_768.0;

/// The known part of the packet so far.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) ticks: u16,
    pub(crate) neighbours: Neighbours,
    /// Place of the player in the baseline, if there is one, and its change.
    pub(crate) player_place: Option<Vector>,
    pub(crate) player_moved: Vector,
    pub(crate) player_turned: Vector,
    pub(crate) player_rotation: Quaternion,
    /// Running means of the errors' log2, of position and orientation.
    pub(crate) recent_errors: [f32; 2],
    /// Bits of the last cubes, 1 for changed, newest in the lowest bit.
    pub(crate) recent_changes: usize,
}

impl Scene {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            ticks: 0,
            neighbours: Neighbours::new(cube_count),
            player_place: None,
            player_moved: [0.0; 3],
            player_turned: [0.0; 3],
            player_rotation: [0.0, 0.0, 0.0, 1.0],
            recent_errors: [0.0; 2],
            recent_changes: 0,
        }
    }

    /// Before the first cube of a packet, which is the player where there is one.
    pub(crate) fn begin(&mut self, ticks: u16, player_place: Option<Vector>) {
        self.ticks = ticks;
        self.neighbours.clear();
        self.player_place = player_place;
        self.player_moved = [0.0; 3];
        self.player_turned = [0.0; 3];
        self.player_rotation = [0.0, 0.0, 0.0, 1.0];
        self.recent_errors = [3.0; 2];
        self.recent_changes = 0;
    }

    /// Sum of the squared distances from where the player was and is; where there is none, everything is as far.
    pub(crate) fn square_from_player(&self, place: Vector) -> f32 {
        let Some(player_place) = self.player_place else {
            return 2.0 * NO_PLAYER_DISTANCE * NO_PLAYER_DISTANCE;
        };
        let before = subtract(place, player_place);
        let after = subtract(before, self.player_moved);
        dot(before, before) + dot(after, after)
    }
}

/// A cube's pose in the baseline. Most cubes lie as they did in the packet before, so this is kept for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    codes: [i32; 4],
    position: [i32; 3],
    orientation: Quaternion,
    place: Vector,
    /// Height of the lowest corner above the floor.
    lift: f32,
    /// Class of it and of the tilt.
    unsettled: u8,
    cell: Cell,
}

impl Pose {
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
pub(super) struct Brief {
    /// Square of the distance, as [`Scene::square_from_player`] has it.
    square: f32,
    distance_class: u8,
    unsettled: u8,
    interacting: bool,
    /// The flag "changed" that an encoder writes.
    pub(super) changes: bool,
    pub(super) cell: Cell,
}

impl Brief {
    pub(super) fn new(pose: &Pose, square: f32, interacting: bool) -> Self {
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
pub(super) struct Glance<'a> {
    brief: Brief,
    pub(super) motion: &'a Motion,
    /// Contexts of flags of which nothing is known yet.
    contexts: [usize; LOOKUPS],
    speed_class: usize,
    /// True where the third context holds the known bits, too.
    third_knows: bool,
    /// True where a simulation foresees that interacting begins or ends; `None` without a simulation.
    pub(super) toggles: Option<bool>,
}

impl<'a> Glance<'a> {
    #[inline]
    pub(super) fn new(
        ticks: u16,
        brief: Brief,
        (motion, rest_ticks): (&'a Motion, u16),
        toggles: Option<bool>,
        near: Glimpse,
    ) -> Self {
        let speed_class = if motion.moving {
            let moved = length(motion.velocity) * f32::from(ticks) * 2.0;
            2 + ((log_size(moved) * 1.5) as usize).min(13)
        } else {
            usize::from(rest_ticks > 0)
        };
        let interacting = usize::from(brief.interacting);
        let count = near.count.min(3);
        let near_speed = if count == 0 {
            0
        } else {
            size_class(length(near.moved), 5)
        };
        let third_knows = !brief.interacting || rest_ticks == 0;
        let third = if third_knows {
            (near_speed << 4 | count << 2) + 96 * interacting
        } else {
            // Interacting ends a fixed time after rest begins.
            192 + usize::from((rest_ticks + ticks).saturating_sub(6) / 3).min(63)
        };
        Self {
            toggles,
            brief,
            motion,
            contexts: [
                interacting << 8 | count << 6 | speed_class << 2,
                interacting << 7 | usize::from(brief.distance_class) << 2,
                third,
                interacting << 7 | usize::from(brief.unsettled) << 2,
            ],
            speed_class,
            third_knows,
        }
    }

    /// Number of the flag's set of mixing weights.
    pub(super) fn flag_set(&self) -> usize {
        usize::from(self.brief.interacting) + 2 * usize::from(self.motion.moving)
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

/// A cube, its past and its surroundings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(super) glance: Glance<'a>,
    pub(super) near: Near,
    pub(crate) half: f32,
    pub(crate) place: Vector,
    pub(crate) orientation: Quaternion,
    /// Height of the lowest corner above the floor.
    lift: f32,
    /// Away from the player; 0 where it is far.
    away: Vector,
    /// Depth to which the player has come in, were both round.
    depth: f32,
    away_distance: f32,
    player_near: bool,
    player_rigid: Vector,
    /// Displacement of moving on as before.
    pub(crate) onward: Vector,
    pub(crate) turn_onward: Vector,
    surprise: Vector,
    turn_surprise: Vector,
    recent_errors: [f32; 2],
    ticks: f32,
    /// Log sizes of moving on as before, of the distance from the player in 1/8 m, of the surprise, of the lift.
    log_sizes: [f32; 4],
    /// Log sizes of the differences between moving on and the neighbours' displacement and turn; 0 without neighbours.
    disagreements: [f32; 2],
    /// Log sizes of the differences between moving on as before and the foreseen motion; 0 where nothing is foreseen.
    doubts: [f32; 2],
}

impl<'a> Subject<'a> {
    /// `near` is of those that were found for the glance.
    pub(super) fn new(
        scene: &Scene,
        pose: &Pose,
        glance: Glance<'a>,
        near: Near,
        is_player: bool,
    ) -> Self {
        let (place, motion, ticks) = (pose.place, glance.motion, f32::from(scene.ticks));
        let player_distance = sqrt_f32(glance.brief.square * 0.5);
        let player_near = !is_player && player_distance < 1000.0;
        let arm = subtract(place, scene.player_place.unwrap_or_default());
        let from_player = subtract(arm, scene.player_moved);
        let away_distance = length(from_player).max(1.0);
        let (away, player_rigid) = if player_near {
            let turned = subtract(turn(scene.player_rotation, arm), arm);
            (
                scale(from_player, 1.0 / away_distance),
                add(scene.player_moved, turned),
            )
        } else {
            ([0.0; 3], [0.0; 3])
        };
        let onward = scale(motion.velocity, ticks);
        let surprise = scale(motion.velocity_surprise, ticks);
        let turn_onward = scale(motion.spin, ticks);
        let disagreements = if near.count > 0 {
            let apart = length(subtract(onward, near.rigid));
            let turned_apart = length(subtract(turn_onward, near.turned));
            [log_size(apart), log_size(turned_apart * HALF_CODES)]
        } else {
            [0.0; 2]
        };
        let doubts = if glance.toggles.is_some() {
            [
                log_size(length(motion.offset)),
                log_size(length(motion.turn_offset) * HALF_CODES),
            ]
        } else {
            [0.0; 2]
        };
        Self {
            doubts,
            disagreements,
            near,
            half: half_side(is_player),
            place,
            orientation: pose.orientation,
            lift: pose.lift,
            away,
            depth: (490.0 - away_distance).max(0.0),
            away_distance,
            player_near,
            player_rigid,
            log_sizes: [
                log_size(length(onward)),
                log_size(player_distance * (1.0 / 64.0)),
                log_size(length(surprise)),
                log_size(pose.lift),
            ],
            onward,
            turn_onward,
            surprise,
            turn_surprise: scale(motion.spin_surprise, ticks),
            recent_errors: scene.recent_errors,
            ticks,
            glance,
        }
    }

    /// Says whether the player's deed is among the features.
    pub(super) fn is_player_near(&self) -> bool {
        self.player_near
    }

    /// Number of the situation, which selects the coefficients.
    pub(crate) fn situation(&self) -> usize {
        let neighbours = self.near.count > 0;
        let floor = self.lift < 6.0;
        usize::from(neighbours)
            + 2 * usize::from(floor)
            + 4 * usize::from(self.player_near)
            + 8 * usize::from(self.glance.motion.moving)
    }

    /// Features of the displacement along an axis. `errors` are those of the axes before it; `settle` is how far the floor
    /// and the new orientation would let it down, where that is known.
    pub(crate) fn moved_features(
        &self,
        axis: usize,
        errors: &[f32],
        settle: Option<f32>,
    ) -> [f32; FEATURES] {
        let spin = scale(self.turn_onward, self.half);
        let rolling = [spin[1], -spin[0], 0.0];
        // If a cube went farther along the first axes than expected, it did so along the next.
        let course = if self.glance.motion.moving {
            self.onward
        } else if self.near.count > 0 {
            self.near.rigid
        } else {
            self.away
        };
        let (mut along, mut square) = (0.0, 100.0);
        for (error, course) in errors.iter().zip(course) {
            along += error * course;
            square += course * course;
        }
        let sixths = self.ticks * (1.0 / 6.0);
        [
            self.onward[axis],
            self.surprise[axis],
            self.near.rigid[axis],
            self.near.surprise[axis],
            self.near.moved[axis],
            self.player_rigid[axis],
            self.away[axis] * 10.0,
            self.away[axis] * self.depth,
            self.away[axis] * 1.0e4 / (self.away_distance + 50.0),
            course[axis] * along / square,
            rolling[axis],
            settle.unwrap_or(0.0),
            settle.map_or(0.0, |_| 10.0 * sixths * sixths),
            settle.map_or(0.0, |_| self.lift),
            self.glance.motion.offset[axis],
            self.glance.motion.slow_velocity[axis] * self.ticks,
        ]
    }

    /// Features of the turns about the three axes; `moved` is the displacement along the floor.
    pub(crate) fn turned_features(
        &self,
        moved: Vector,
        player_turned: Vector,
    ) -> [[f32; FEATURES]; 3] {
        let roll = |d: Vector| [-d[1] / self.half, d[0] / self.half, 0.0];
        let player_turned = if self.player_near {
            player_turned
        } else {
            [0.0; 3]
        };
        let of_axes = [
            self.turn_onward,
            self.turn_surprise,
            self.near.turned,
            self.near.turn_surprise,
            player_turned,
            roll(moved),
            roll(self.onward),
            roll(self.near.moved),
            self.glance.motion.turn_offset,
            scale(self.glance.motion.slow_spin, self.ticks),
        ];
        let mut features = [[0.0; FEATURES]; 3];
        for (at, of_axes) in of_axes.into_iter().enumerate() {
            for (features, feature) in features.iter_mut().zip(of_axes) {
                features[at] = feature;
            }
        }
        features
    }

    /// Features of the log2 of a displacement's error; `known` are logs of sizes known already.
    pub(crate) fn moved_error_features(&self, mean: f32, known: [f32; 3]) -> [f32; FEATURES] {
        self.error_features(0, log_size(mean), known)
    }

    /// Features of the log2 of an orientation component's error; `turned` is the log of the expected turn, in codes.
    pub(crate) fn turned_error_features(&self, turned: f32, known: [f32; 3]) -> [f32; FEATURES] {
        self.error_features(1, turned, known)
    }

    fn error_features(&self, which: usize, mean: f32, known: [f32; 3]) -> [f32; FEATURES] {
        [
            1.0,
            self.glance.motion.errors[which],
            self.log_sizes[0],
            mean,
            self.near.errors[which],
            self.disagreements[which],
            known[0],
            known[1],
            known[2],
            self.log_sizes[1],
            self.recent_errors[which],
            if self.glance.brief.interacting {
                1.0
            } else {
                0.0
            },
            self.log_sizes[2],
            self.log_sizes[3],
            self.glance.motion.slow_errors[which],
            self.doubts[which],
        ]
    }

    /// Height of the lowest corner above the floor with another orientation, negative as a displacement.
    pub(crate) fn settle(&self, orientation: Quaternion) -> f32 {
        support(orientation) * self.half - self.place[2]
    }

    /// Difference between the cube's roll and the roll that its displacement suggests, in codes.
    pub(crate) fn roll_mismatch(&self, moved: Vector) -> f32 {
        let [dx, dy, _] = subtract(moved, self.onward);
        length([dx, dy, 0.0]) / self.half * HALF_CODES
    }
}

/// Distances from the player are told apart in so many classes, thirds of an octave of 1/8 m and above.
const DISTANCE_CLASSES: usize = 32;
/// Exponents of a square that has a class of its own, and the bits of its mantissa that count.
const EXPONENTS: usize = 38;
const MANTISSA_BITS: u32 = 3;
static CLASSES: [u8; EXPONENTS << MANTISSA_BITS] = distance_classes();

/// By the square of [`Scene::square_from_player`], as far as its highest bits tell.
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
