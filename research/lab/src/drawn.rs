//! Drawn motions that no table was trained on: bodies that fly freely, tumble, swing, or go in straight lines.

use glam::{EulerRot, Quat, Vec3};
use snapshot_base::random::Stream;
use snapshot_codec::CubeState;

/// Number of bodies in a motion.
pub const BODIES: usize = 40;
const TICK_S: f32 = 1.0 / 60.0;
const GRAVITY: f32 = 9.81;
/// Use of a seed's stream of random numbers.
const USE: u32 = 0xd2a3_0001;

/// A kind of drawn motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Drones that fly from point to point, and tilt as they accelerate.
    Drones,
    /// Bodies of three unequal moments of inertia that are thrown, tumble, bounce, and are thrown again.
    Thrown,
    /// Boxes on belts that stop and go on.
    Conveyor,
    /// Pendulums in a plane each.
    Pendulums,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Drones, Self::Thrown, Self::Conveyor, Self::Pendulums];
}

/// A motion in progress.
pub struct RandomSettings {
    kind: Kind,
    draw: Stream,
    bodies: Vec<Body>,
}

struct Body {
    position: Vec3,
    velocity: Vec3,
    orientation: Quat,
    /// Angular velocity: of a thrown body in its own axes, rad/s.
    spin: Vec3,
    /// Target of a drone, or the point from which a pendulum hangs.
    goal: Vec3,
    /// Yaw and swing, rad.
    angles: [f32; 2],
    /// Length of a pendulum, m; s until a body's next change.
    length: f32,
    left_s: f32,
}

impl RandomSettings {
    /// Makes a motion of a kind and seed.
    pub fn new(kind: Kind, seed: u32) -> Self {
        let mut draw = Stream::new(seed, USE + kind as u32);
        let bodies = (0..BODIES).map(|_| Body {
            position: point(&mut draw, 15.0) + Vec3::Z * 20.0,
            velocity: Vec3::ZERO,
            orientation: Quat::IDENTITY,
            spin: Vec3::ZERO,
            goal: point(&mut draw, 15.0) + Vec3::Z * 20.0,
            angles: [(); 2].map(|()| draw.between(-1.5, 1.5) as f32),
            length: draw.between(0.5, 4.0) as f32,
            left_s: draw.between(0.0, 2.0) as f32,
        });
        Self {
            kind,
            bodies: bodies.collect(),
            draw,
        }
    }

    /// Moves all bodies by a tick.
    pub fn step(&mut self) {
        for body in &mut self.bodies {
            body.left_s -= TICK_S;
            match self.kind {
                Kind::Drones => body.fly(&mut self.draw),
                Kind::Thrown => body.tumble(&mut self.draw),
                Kind::Conveyor => body.ride(&mut self.draw),
                Kind::Pendulums => body.swing(),
            }
        }
    }

    /// Returns the state of every body.
    pub fn states(&self) -> Vec<CubeState> {
        let state = |body: &Body| CubeState {
            position: body.position.to_array(),
            orientation: body.orientation.to_array(),
            ..CubeState::default()
        };
        self.bodies.iter().map(state).collect()
    }
}

impl Body {
    fn fly(&mut self, draw: &mut Stream) {
        if self.left_s <= 0.0 {
            self.goal = point(draw, 15.0) + Vec3::Z * 20.0;
            self.left_s = draw.between(1.0, 5.0) as f32;
            self.spin.z = draw.between(-1.0, 1.0) as f32;
        }
        let pull = (self.goal - self.position) * 1.5 - self.velocity * 2.0;
        let acceleration = pull.clamp_length_max(6.0);
        self.velocity += acceleration * TICK_S;
        self.position += self.velocity * TICK_S;
        self.angles[0] += self.spin.z * TICK_S;
        let tilt = Quat::from_rotation_arc(Vec3::Z, (acceleration + Vec3::Z * GRAVITY).normalize());
        self.orientation = tilt * yaw(self.angles[0]);
    }

    fn tumble(&mut self, draw: &mut Stream) {
        if self.left_s <= 0.0 {
            self.velocity = point(draw, 6.0) + Vec3::Z * 8.0;
            self.spin = point(draw, 6.0);
            self.left_s = draw.between(2.0, 5.0) as f32;
        }
        self.velocity.z -= GRAVITY * TICK_S;
        self.position += self.velocity * TICK_S;
        if self.position.z < 0.5 && self.velocity.z < 0.0 {
            self.velocity *= Vec3::new(0.8, 0.8, -0.5);
            self.spin = self.spin * 0.7 + point(draw, 1.0);
        }
        // Euler's equations without a torque, for moments of inertia of 1, 2 and 2.6.
        let Vec3 { x, y, z } = self.spin;
        self.spin += Vec3::new(-0.6 * y * z, 0.8 * z * x, -x * y / 2.6) * TICK_S;
        self.orientation =
            (self.orientation * Quat::from_scaled_axis(self.spin * TICK_S)).normalize();
    }

    fn ride(&mut self, draw: &mut Stream) {
        if self.left_s <= 0.0 {
            let direction = yaw(std::f32::consts::FRAC_PI_2 * draw.integer(0, 3) as f32);
            let speed = [0.0, 0.4, 1.0, 2.0][draw.integer(0, 3) as usize];
            self.velocity = direction * Vec3::X * speed;
            self.left_s = draw.between(0.5, 6.0) as f32;
        }
        self.position += self.velocity * TICK_S;
        self.orientation = yaw(self.angles[0]);
    }

    fn swing(&mut self) {
        let [plane, angle] = &mut self.angles;
        self.spin.y -= GRAVITY / self.length * libm::sinf(*angle) * TICK_S;
        *angle += self.spin.y * TICK_S;
        self.orientation = Quat::from_euler(EulerRot::ZYX, *plane, *angle, 0.0);
        self.position = self.goal - self.orientation * Vec3::Z * self.length;
    }
}

fn yaw(angle: f32) -> Quat {
    Quat::from_rotation_z(angle)
}

fn point(draw: &mut Stream, half: f64) -> Vec3 {
    let [x, y, z] = [(); 3].map(|()| draw.between(-half, half) as f32);
    Vec3::new(x, y, z)
}
