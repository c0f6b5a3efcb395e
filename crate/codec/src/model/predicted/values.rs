//! Circumstances of a cube as features of the linear predictions of its values.

use super::contest::RIVALS;
use super::flags::{BaselinePose, FlagContexts};
use super::neighbours::Near;
use super::scene::Scene;
use super::tables::FEATURES;
use crate::model::geometry::{CODES_AT_9_BITS, half_side};
use crate::model::logistic::log_size;
use crate::model::rotation::{Quaternion, Vector, add, length, scale, subtract, support, turn};
use crate::sqrt::sqrt_f32;

/// Codes of a turn.
pub(super) const HALF_CODES: f32 = CODES_AT_9_BITS * 0.5;

/// A cube, its past and its surroundings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueFeatures<'a> {
    pub(super) flags: FlagContexts<'a>,
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

impl<'a> ValueFeatures<'a> {
    /// `near` is of those that were found for the flags.
    pub(super) fn new(
        scene: &Scene,
        pose: &BaselinePose,
        flags: FlagContexts<'a>,
        near: Near,
        is_player: bool,
    ) -> Self {
        let (place, motion, ticks) = (pose.place, flags.motion, f32::from(scene.ticks));
        let player_distance = sqrt_f32(flags.features.square * 0.5);
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
        let doubts = if flags.toggles.is_some() {
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
            flags,
        }
    }

    /// Says whether the player's change is among the features.
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
            + 8 * usize::from(self.flags.motion.moving)
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
        let course = if self.flags.motion.moving {
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
            self.flags.motion.offset[axis],
            self.flags.motion.slow_velocity[axis] * self.ticks,
        ]
    }

    /// Rivals for the displacement along an axis: the tables' expectation; moving on as before, without and with the last
    /// change of it, whole and half; moving as one with the neighbours.
    pub(super) fn moved_rivals(&self, axis: usize, tables: f32) -> [f32; RIVALS] {
        let (onward, surprise) = (self.onward[axis], self.surprise[axis]);
        let rigid = self.near.rigid[axis];
        [
            tables,
            onward,
            onward + surprise,
            onward + surprise * 0.5,
            rigid,
        ]
    }

    /// The same for the turn about an axis.
    pub(super) fn turned_rivals(&self, axis: usize, tables: f32) -> [f32; RIVALS] {
        let (onward, surprise) = (self.turn_onward[axis], self.turn_surprise[axis]);
        let turned = self.near.turned[axis];
        [
            tables,
            onward,
            onward + surprise,
            onward + surprise * 0.5,
            turned,
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
            self.flags.motion.turn_offset,
            scale(self.flags.motion.slow_spin, self.ticks),
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
            self.flags.motion.errors[which],
            self.log_sizes[0],
            mean,
            self.near.errors[which],
            self.disagreements[which],
            known[0],
            known[1],
            known[2],
            self.log_sizes[1],
            self.recent_errors[which],
            if self.flags.features.interacting() {
                1.0
            } else {
                0.0
            },
            self.log_sizes[2],
            self.log_sizes[3],
            self.flags.motion.slow_errors[which],
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
