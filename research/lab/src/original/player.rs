//! Forces of the six keys, by the original's rules.

use super::body::Body;
use glam::{Mat3, Vec3, vec3};

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;
const PUSH: u8 = 16;
const PULL: u8 = 32;

/// N along each axis, and how much more against the motion.
const DRIVE_N: f32 = 120.0;
const BRAKE_FACTOR: f32 = 2.0;
/// From so far below the floor, m, and the player seems so much lower than it is.
const PUSH_ORIGIN_Z_M: f32 = -0.1;
const HOVER_OFFSET_M: f32 = 0.7;
/// At 1 m, and at most: m/s2 for a small cube, N for the player, who gets so much more when pull is held too.
const STRENGTH_AT_1_M: f32 = 200.0;
const PUSH_MAX: f32 = 500.0;
const PULL_MAX: f32 = 2000.0;
const JUMP_FACTOR: f32 = 20.0;
/// Nearer and farther, m, nothing acts.
const PUSH_RANGE_M: [f32; 2] = [0.01, 2.0];
const PULL_RANGE_M: [f32; 2] = [0.2, 1.8];
const WOBBLE_FORCE_N: f32 = 2.0;
const WOBBLE_TORQUE_NM: f32 = 1.5;
/// While an arrow is held, rad.
const TILT_RAD: f32 = 0.25;
/// Torque, N m a rad of tilt, and the tilt from which it no longer grows.
const UPRIGHT_TORQUE_NM: f32 = 100.0;
const UPRIGHT_MAX_RAD: f32 = 0.5;
/// Shares of spin and velocity that are left after a tick of hovering.
const HOVER_SPIN_KEPT: f32 = 0.95;
const HOVER_VELOCITY_KEPT: Vec3 = vec3(0.96, 0.96, 0.999);
/// Weaker ones, N, neither move nor wake.
const FORCE_MIN_N: f32 = 0.001;

/// Applies the keys of a tick before its step. The player is the first body; it was at `pull_origin` a tick ago.
pub(super) fn apply(bodies: &mut [Body], pull_origin: &mut Vec3, input: u8, frame: i32) {
    let [push, pull] = [PUSH, PULL].map(|key| input & key != 0);
    let drive = drive_force(bodies[0].velocity, input);
    add_force(bodies, 0, drive);
    if push {
        hover(bodies, drive, frame);
        blow(bodies, pull);
    } else if pull {
        draw(bodies, *pull_origin);
    }
    // The original moves the origin of the pull after the keys have acted: it is a tick behind.
    *pull_origin = bodies[0].position;
}

fn drive_force(velocity: Vec3, input: u8) -> Vec3 {
    let held = |key: u8| f32::from(u8::from(input & key != 0));
    let drive = vec3(held(RIGHT) - held(LEFT), held(UP) - held(DOWN), 0.0) * DRIVE_N;
    let brakes = input & PUSH == 0 && velocity.dot(drive) < 0.0;
    drive * if brakes { BRAKE_FACTOR } else { 1.0 }
}

/// Wobbles the player, and leans the player towards the drive.
fn hover(bodies: &mut [Body], drive: Vec3, frame: i32) {
    // Of each axis: three sines of the frame number, by rad a frame and phase.
    let frame = frame as f32;
    let wobble = |axes: [[(f32, f32); 3]; 3]| {
        let sine = |(speed, phase): (f32, f32)| libm::sinf(frame * speed + phase);
        Vec3::from_array(axes.map(|[a, b, c]| sine(a) + sine(b) + sine(c)))
    };
    let force = wobble([
        [(0.1, 1.0), (0.05, 3.0), (1.0, 10.0)],
        [(0.1, 2.0), (0.05, 4.0), (1.0, 11.0)],
        [(0.1, 3.0), (0.05, 5.0), (1.0, 12.0)],
    ]);
    let torque = wobble([
        [(0.05, 10.0), (0.05, 22.0), (1.1, 0.0)],
        [(0.09, 5.0), (0.045, 16.0), (1.11, 0.0)],
        [(0.05, 4.0), (0.055, 9.0), (1.12, 0.0)],
    ]);
    add_force(bodies, 0, force * WOBBLE_FORCE_N);
    let player = &mut bodies[0];
    let tilt = if drive == Vec3::ZERO { 0.0 } else { TILT_RAD };
    let target = drive.normalize_or_zero() * libm::sinf(tilt) + Vec3::Z * libm::cosf(tilt);
    let up = Mat3::from_quat(player.orientation).z_axis;
    let angle = libm::acosf(target.dot(up).clamp(-1.0, 1.0)).min(UPRIGHT_MAX_RAD);
    player.torque += torque * WOBBLE_TORQUE_NM + up.cross(target) * (UPRIGHT_TORQUE_NM * angle);
    player.spin *= HOVER_SPIN_KEPT;
    player.velocity *= HOVER_VELOCITY_KEPT;
}

/// Pushes everything away from below the player, and so the player up.
fn blow(bodies: &mut [Body], jump: bool) {
    let origin = bodies[0].position.with_z(PUSH_ORIGIN_Z_M);
    for index in 0..bodies.len() {
        let body = &bodies[index];
        let offset = body.position - origin;
        let strength = |offset| strength(offset, PUSH_RANGE_M, PUSH_MAX);
        let force = match index {
            0 => strength(offset - Vec3::Z * HOVER_OFFSET_M) * if jump { JUMP_FACTOR } else { 1.0 },
            _ => strength(offset) * body.mass,
        };
        add_force(bodies, index, force);
    }
}

/// Pulls the small cubes to where the player was a tick ago.
fn draw(bodies: &mut [Body], pull_origin: Vec3) {
    for index in 1..bodies.len() {
        let body = &bodies[index];
        let offset = body.position - pull_origin;
        let force = strength(offset, PULL_RANGE_M, PULL_MAX) * -body.mass;
        add_force(bodies, index, force);
    }
}

/// Along the offset, falling with its square.
fn strength(offset: Vec3, [nearest, farthest]: [f32; 2], max: f32) -> Vec3 {
    let squared = offset.length_squared();
    if squared <= nearest * nearest || squared >= farthest * farthest {
        return Vec3::ZERO;
    }
    offset * ((STRENGTH_AT_1_M / squared).min(max) / libm::sqrtf(squared))
}

fn add_force(bodies: &mut [Body], index: usize, force: Vec3) {
    if force.length_squared() > FORCE_MIN_N * FORCE_MIN_N {
        bodies[index].add_force(force);
        bodies[index].interacting = true;
    }
}
