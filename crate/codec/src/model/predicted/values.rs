//! Features for the linear predictions of a cube's values: known numbers, which are multiplied by trained coefficients.

use super::contest::RIVALS;
use super::flags::{BaselinePose, FlagContexts};
use super::neighbours::NeighbourMeans;
use super::scene::Scene;
use super::simd::{Axes, all_columns};
use super::tables::{EARLY, LATE};
use crate::model::geometry::{CODES_AT_9_BITS, half_side};
use crate::model::logarithms::log_size;
use crate::model::rotation::{Quaternion, Vector3, add, length, scale, subtract, support, turn};

/// Factor from a rotation vector to a rotation in 9-bit codes.
pub(super) const HALF_CODES: f32 = CODES_AT_9_BITS * 0.5;

/// A cube's past and surroundings, from which the features of its predictions are computed.
#[derive(Debug)]
pub(crate) struct ValueFeatures<'a> {
    pub(super) flags: FlagContexts<'a>,
    pub(super) near: NeighbourMeans,
    pub(crate) half: f32,
    pub(crate) place: Vector3,
    pub(crate) orientation: Quaternion,
    /// Index of the cube's situation, such as "near the player", which selects the coefficients.
    pub(crate) situation: usize,
    /// Height of the cube's lowest corner above the floor, 1/512 m.
    lift: f32,
    /// Probable direction of the cube's motion. It spreads the error on one axis to the next. A cube that moved farther than
    /// expected along one axis also does so along the others.
    course: Vector3,
    /// Direction away from the player; 0 if the player is far.
    away: Vector3,
    /// Depth to which the player overlaps the cube, both taken as spheres, 1/512 m.
    depth: f32,
    away_distance: f32,
    player_near: bool,
    player_rigid: Vector3,
    /// Displacement by dead reckoning, in which the motion continues unchanged, 1/512 m.
    pub(crate) onward: Vector3,
    pub(crate) turn_onward: Vector3,
    surprise: Vector3,
    turn_surprise: Vector3,
    recent_errors: [f32; 2],
    ticks: f32,
    /// Logarithms of the sizes of four values: displacement by dead reckoning, distance from the player in 1/8 m, change of
    /// velocity, height above the floor.
    log_sizes: [f32; 4],
    /// Logarithms of the differences between dead reckoning and the neighbours' displacement and rotation; 0 without
    /// neighbours.
    disagreements: [f32; 2],
    /// Logarithms of the differences in position and orientation between dead reckoning and the simulated motion. Both are 0
    /// without a simulation.
    doubts: [f32; 2],
}

impl<'a> ValueFeatures<'a> {
    /// Makes the features; `near` has the means of the neighbours that were found for the flags.
    pub(super) fn new(
        scene: &Scene,
        pose: &BaselinePose,
        flags: FlagContexts<'a>,
        near: NeighbourMeans,
        is_player: bool,
    ) -> Self {
        let (place, motion, ticks) = (pose.place, flags.motion, f32::from(scene.ticks));
        let player_distance = (flags.features.square * 0.5).sqrt();
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
        let disagreements = disagreements(&near, onward, turn_onward);
        let doubts = match flags.toggles {
            Some(_) => sizes(motion.offset, motion.turn_offset),
            None => [0.0; 2],
        };
        let situation = usize::from(near.count > 0)
            + 2 * usize::from(pose.lift < 6.0)
            + 4 * usize::from(player_near)
            + 8 * usize::from(motion.moving);
        let course = if motion.moving {
            onward
        } else if near.count > 0 {
            near.rigid
        } else {
            away
        };
        Self {
            situation,
            course,
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

    /// Returns true if the player's cube is near enough for its motion to be a feature of the prediction.
    pub(super) fn is_player_near(&self) -> bool {
        self.player_near
    }

    /// Returns the features of the cube's displacement that are known before its first axis is coded, by axis.
    #[inline(always)]
    pub(crate) fn moved_features(&self) -> [Axes; EARLY] {
        let spin = scale(self.turn_onward, self.half);
        all_columns([
            self.onward,
            self.surprise,
            self.near.rigid,
            self.near.surprise,
            self.near.moved,
            self.player_rigid,
            scale(self.away, 10.0),
            scale(self.away, self.depth),
            scale(self.away, 1.0e4 / (self.away_distance + 50.0)),
            [spin[1], -spin[0], 0.0],
            self.flags.motion.offset,
            scale(self.flags.motion.slow_velocity, self.ticks),
        ])
    }

    /// Returns the features of the displacement along an axis that are known once earlier axes are coded. `errors` are the
    /// errors of the earlier axes. `settle` is the displacement that brings the cube down to the floor in its new orientation,
    /// if known.
    #[inline(always)]
    pub(crate) fn late_moved_features(
        &self,
        axis: usize,
        errors: &[f32],
        settle: Option<f32>,
    ) -> [f32; LATE] {
        let (mut along, mut square) = (0.0, 100.0);
        for (error, course) in errors.iter().zip(self.course) {
            along += error * course;
            square += course * course;
        }
        let course = self.course[axis] * along / square;
        let sixths = self.ticks * (1.0 / 6.0);
        settle.map_or([course, 0.0, 0.0, 0.0], |settle| {
            [course, settle, 10.0 * sixths * sixths, self.lift]
        })
    }

    /// Returns the competing predictions of the displacement. Entry 0 is left for the tables' prediction. The next three
    /// continue the motion: unchanged, with its last change, and with half of it. The last entry moves with the neighbours.
    #[inline(always)]
    pub(super) fn moved_rivals(&self) -> [Axes; RIVALS] {
        rivals(self.onward, self.surprise, self.near.rigid)
    }

    /// Returns the competing predictions of the rotation, in the order of [`Self::moved_rivals`].
    #[inline(always)]
    pub(super) fn turned_rivals(&self) -> [Axes; RIVALS] {
        rivals(self.turn_onward, self.turn_surprise, self.near.turned)
    }

    /// Returns the features of the cube's rotation, by axis; `moved` is its displacement along the floor.
    #[inline(always)]
    pub(crate) fn turned_features(&self, moved: Vector3, player_turned: Vector3) -> [Axes; EARLY] {
        let by = 1.0 / self.half;
        let roll = |d: Vector3| [-d[1] * by, d[0] * by, 0.0];
        let player_turned = if self.player_near {
            player_turned
        } else {
            [0.0; 3]
        };
        all_columns([
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
            [0.0; 3],
            [0.0; 3],
        ])
    }

    /// Returns the features for predicting the log2 of an error of displacements (0) or orientations (1), known before its
    /// first value.
    #[inline(always)]
    pub(crate) fn error_features(&self, which: usize) -> [f32; EARLY] {
        [
            1.0,
            self.flags.motion.errors[which],
            self.log_sizes[0],
            self.near.errors[which],
            self.disagreements[which],
            self.log_sizes[1],
            self.recent_errors[which],
            f32::from(u8::from(self.flags.features.interacting())),
            self.log_sizes[2],
            self.log_sizes[3],
            self.flags.motion.slow_errors[which],
            self.doubts[which],
        ]
    }

    /// Returns the vertical displacement that puts the lowest corner on the floor in another orientation.
    pub(crate) fn settle(&self, orientation: Quaternion) -> f32 {
        support(orientation) * self.half - self.place[2]
    }

    /// Returns the difference between two rotations in 9-bit codes: the cube's by dead reckoning, and that of rolling over its
    /// displacement.
    pub(crate) fn roll_mismatch(&self, moved: Vector3) -> f32 {
        let [dx, dy, _] = subtract(moved, self.onward);
        length([dx, dy, 0.0]) / self.half * HALF_CODES
    }
}

#[inline(always)]
fn rivals(onward: Vector3, surprise: Vector3, neighbours: Vector3) -> [Axes; RIVALS] {
    let further = |part: f32| core::array::from_fn(|i| onward[i] + surprise[i] * part);
    all_columns([[0.0; 3], onward, further(1.0), further(0.5), neighbours])
}

/// Returns the logarithms of the differences in displacement and rotation between dead reckoning and moving with the
/// neighbours.
#[inline(always)]
fn disagreements(near: &NeighbourMeans, onward: Vector3, turn_onward: Vector3) -> [f32; 2] {
    if near.count == 0 {
        return [0.0; 2];
    }
    sizes(
        subtract(onward, near.rigid),
        subtract(turn_onward, near.turned),
    )
}

/// Returns the logarithms of the sizes of a displacement, and of a rotation in 9-bit codes.
#[inline(always)]
fn sizes(moved: Vector3, turned: Vector3) -> [f32; 2] {
    [
        log_size(length(moved)),
        log_size(length(turned) * HALF_CODES),
    ]
}
