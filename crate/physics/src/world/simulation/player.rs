//! The forces of a player's six keys: on the player and, with push and pull, on the small cubes around it.
//!
//! The keys act as forces over the whole tick, and not as impulses at its start. Rapier's substeps share out the contact
//! forces of the last tick, and a ball pulled by impulses would never be still.

use rapier3d::prelude::*;
use snapshot_codec::CubeState;
use std::ops::Range;

use super::super::constants::*;
use super::interacting::ContactFlood;
use super::physics::Physics;
use crate::input::Input;

/// Applies the keys of a tick to the bodies as forces; `truth` is the state before the tick.
pub(super) struct Keys<'a> {
    pub(super) physics: &'a mut Physics,
    pub(super) interacting: &'a mut ContactFlood,
    pub(super) truth: &'a [CubeState],
    /// Indices of the small cubes, which players push and pull.
    pub(super) small: Range<usize>,
    pub(super) tick: u64,
}

impl Keys<'_> {
    pub(super) fn apply(&mut self, player: usize, input: Input) {
        if input == Input::NONE {
            return;
        }
        let pushing = input.contains(Input::PUSH);
        let drive = drive_force(self.physics.body(player).linvel(), input);
        let body = self.physics.body_mut(player);
        body.add_force(drive, true);
        if pushing {
            hover(body, drive, self.tick, input.contains(Input::PULL));
            self.push(player);
        } else if input.contains(Input::PULL) {
            self.pull(player);
        }
    }

    /// Blows the small cubes away from a point under the player.
    fn push(&mut self, player: usize) {
        let [x, y, _] = self.truth[player].position;
        let origin = Vector::new(x, y, PUSH_ORIGIN_Z_M);
        for index in self.small.clone() {
            let cube = &self.truth[index];
            let acceleration = push_at(Vector::from_array(cube.position) - origin);
            if acceleration != Vector::ZERO {
                let body = self.physics.body_mut(index);
                body.add_force(acceleration * body.mass(), true);
                self.interacting.touch(index);
            }
        }
    }

    /// Pulls the small cubes to the player's centre, and damps their motion relative to the player. The player gets the
    /// opposite force, so that a ball does not push itself along.
    fn pull(&mut self, player: usize) {
        let state = self.truth[player];
        let centre = Vector::from_array(state.position);
        let velocity = Vector::from_array(state.linear_velocity);
        let spin = Vector::from_array(state.angular_velocity);
        let mut reaction = Vector::ZERO;
        let mut reaction_torque = Vector::ZERO;
        for index in self.small.clone() {
            let cube = &self.truth[index];
            let offset = Vector::from_array(cube.position) - centre;
            let distance = offset.length();
            if distance <= PULL_RANGE_M.start || distance >= PULL_RANGE_M.end {
                continue;
            }
            let pull = -offset / distance * (PULL_AT_1_M / (distance * distance)).min(PULL_MAX);
            let slip = Vector::from_array(cube.linear_velocity) - (velocity + spin.cross(offset));
            let body = self.physics.body_mut(index);
            let force = (pull - slip * PULL_DAMPING) * body.mass();
            body.add_force(force, true);
            self.interacting.touch(index);
            reaction -= force;
            reaction_torque -= offset.cross(force);
        }
        let body = self.physics.body_mut(player);
        body.add_force(reaction, true);
        body.add_torque(reaction_torque, true);
    }
}

/// Returns the force of the arrow keys, N. There is no torque: friction makes the player roll.
fn drive_force(velocity: Vector, input: Input) -> Vector {
    let axis = |negative, positive, speed: f32| {
        let direction = f32::from(u8::from(input.contains(positive)))
            - f32::from(u8::from(input.contains(negative)));
        let brakes = direction * speed < 0.0 && !input.contains(Input::PUSH);
        direction * ARROW_FORCE_N * if brakes { ARROW_BRAKE_FACTOR } else { 1.0 }
    };
    Vector::new(
        axis(Input::LEFT, Input::RIGHT, velocity.x),
        axis(Input::DOWN, Input::UP, velocity.y),
        0.0,
    )
}

/// Holds the player in the air, where it wobbles, and leans towards the arrow keys' force.
fn hover(player: &mut RigidBody, drive: Vector, tick: u64, jump: bool) {
    // Three sines that never line up, other for each axis.
    let frame = tick as f32;
    let sines = |phase: f32| {
        libm::sinf(frame * 0.11 + phase)
            + libm::sinf(frame * 0.047 + 2.0 * phase)
            + libm::sinf(frame * 0.93 + 3.0 * phase)
    };
    let wobble = Vector::new(sines(1.0), sines(2.3), sines(4.1));

    let height = player.translation().z - PUSH_ORIGIN_Z_M - HOVER_OFFSET_M;
    let factor = if jump { JUMP_FACTOR } else { 1.0 };
    let lift = push_at(Vector::new(0.0, 0.0, height)) * factor;
    player.add_force(lift + wobble * WOBBLE_FORCE_N, true);
    let torque = upright_torque(player, drive) + wobble * WOBBLE_TORQUE_NM;
    player.add_torque(torque, true);

    let velocity = player.linvel();
    let kept = Vector::new(
        HOVER_HORIZONTAL_KEPT,
        HOVER_HORIZONTAL_KEPT,
        HOVER_VERTICAL_KEPT,
    );
    player.set_linvel(velocity * kept, true);
    player.set_angvel(player.angvel() * HOVER_ANGULAR_KEPT, true);
}

/// Returns the torque, N m, that turns the player's uppermost face upright, leaning a little towards the arrow keys' force.
fn upright_torque(player: &RigidBody, drive: Vector) -> Vector {
    let tilt = (TILT_RAD_PER_N * drive.length()).min(TILT_MAX_RAD);
    let target = drive.normalize_or_zero() * libm::sinf(tilt) + Vector::Z * libm::cosf(tilt);
    let rotation = player.rotation();
    let axes = [
        rotation * Vector::X,
        rotation * Vector::Y,
        rotation * Vector::Z,
    ];
    let steepest = axes.into_iter().fold(Vector::ZERO, |best, axis| {
        if axis.z.abs() > best.z.abs() {
            axis
        } else {
            best
        }
    });
    let up = if steepest.z < 0.0 {
        -steepest
    } else {
        steepest
    };
    let turn = up.cross(target);
    let angle = libm::atan2f(turn.length(), up.dot(target));
    turn.normalize_or_zero() * angle * UPRIGHT_TORQUE_NM
}

/// Returns the push at an offset from its origin: m/s2 for a small cube, N for the player.
fn push_at(offset: Vector) -> Vector {
    let distance = offset.length();
    if distance <= PUSH_RANGE_M.start || distance >= PUSH_RANGE_M.end {
        return Vector::ZERO;
    }
    offset / distance * (PUSH_AT_1_M / (distance * distance)).min(PUSH_MAX)
}
