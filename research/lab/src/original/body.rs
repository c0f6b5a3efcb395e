//! A cube, and how it moves in a step between contacts.

use glam::{Quat, Vec3};
use snapshot_codec::CubeState;

/// Length of a step, s.
pub(super) const STEP_S: f32 = 1.0 / 60.0;
/// m/s, and rad/s.
const SPEED_MAX: f32 = 32.0;
const SPIN_MAX: f32 = 16.0;
/// A cube that is slower than this, m/s and rad/s, for this long falls asleep.
const REST_SPEED: f32 = 0.25;
const REST_S: f32 = 0.1;
/// The share of the velocity that a step takes away. Below the second, m/s and rad/s, nothing is damped.
pub(super) const DAMPING: f32 = 0.01;
const DAMPED_FROM: f32 = 0.01;
/// Cubes stay within these, m.
const BOUNDS_M: [Vec3; 2] = [
    Vec3::new(-256.0, -256.0, 0.0),
    Vec3::new(256.0, 256.0, 32.0),
];

/// A cube of density 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) position: Vec3,
    pub(super) orientation: Quat,
    pub(super) velocity: Vec3,
    pub(super) spin: Vec3,
    pub(super) half_edge_m: f32,
    pub(super) mass: f32,
    /// About any axis.
    pub(super) inertia: f32,
    /// Touched by the player, or by what interacts, and not yet at rest for long.
    pub(super) interacting: bool,
    /// Time for which the body has been slow; from [`REST_S`] on the body sleeps.
    still_s: f32,
    /// The tick's force, N, and torque, N m.
    pub(super) force: Vec3,
    pub(super) torque: Vec3,
}

impl Body {
    pub(super) fn new(cube: &CubeState, half_edge_m: f32) -> Self {
        let edge = 2.0 * half_edge_m;
        let mass = edge * edge * edge;
        Self {
            position: Vec3::from_array(cube.position),
            orientation: Quat::from_array(cube.orientation),
            velocity: Vec3::from_array(cube.linear_velocity),
            spin: Vec3::from_array(cube.angular_velocity),
            half_edge_m,
            mass,
            inertia: mass * edge * edge / 6.0,
            interacting: cube.interacting,
            still_s: if cube.at_rest { REST_S } else { 0.0 },
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
        }
    }

    /// For this tick; it wakes the cube.
    pub(super) fn add_force(&mut self, force: Vec3) {
        self.force += force;
        self.still_s = 0.0;
    }

    pub(super) fn is_awake(&self) -> bool {
        self.still_s < REST_S
    }

    /// Before a step: speeds are bounded, and who has been slow for long is asleep.
    pub(super) fn begin(&mut self) {
        let is_slow = self.velocity.length_squared() < REST_SPEED * REST_SPEED
            && self.spin.length_squared() < REST_SPEED * REST_SPEED;
        self.velocity = self.velocity.clamp_length_max(SPEED_MAX);
        self.spin = self.spin.clamp_length_max(SPIN_MAX);
        self.still_s = if is_slow { self.still_s + STEP_S } else { 0.0 };
    }

    /// After the contacts: the pose goes on with the velocities, and these are damped.
    pub(super) fn go_on(&mut self) {
        self.position = (self.position + self.velocity * STEP_S).clamp(BOUNDS_M[0], BOUNDS_M[1]);
        let turning = Quat::from_vec4((self.spin * (0.5 * STEP_S)).extend(0.0));
        self.orientation = (self.orientation + turning * self.orientation).normalize();
        for speed in [&mut self.velocity, &mut self.spin] {
            if speed.length_squared() > DAMPED_FROM * DAMPED_FROM {
                *speed *= 1.0 - DAMPING;
            }
        }
    }
}
