//! KinematicSoup's benchmark `UnityNetworkTransformBenchmark` (commit of 2025-10-30), by its rules, on rapier.
//!
//! 250 bodies of eight convex meshes fly without gravity in a ball around a fixed sphere. Outside the ball they are pulled back.
//! Inside, each is brought to its own speed. Scales, masses, radius, speeds and accelerations are the benchmark's; its meshes,
//! its generator of random numbers and its engine (Unity) are not.

use rapier3d::prelude::*;
use snapshot_base::random::Stream;
use snapshot_codec::CubeState;

/// Number of bodies.
pub const BODIES: usize = 250;
/// Ticks of the simulation in a second.
pub const TICKS_PER_S: u32 = 60;
const TICK_S: f32 = 1.0 / TICKS_PER_S as f32;
/// Radius of the ball, m: 50 m x (250 / 1,000)^(1/3).
pub const RADIUS_M: f32 = 31.498;
const SPHERE_RADIUS_M: f32 = 5.0;
/// Acceleration towards the origin outside the ball, m/s2.
const PULL: f32 = 10.0;
/// Acceleration towards a body's own speed inside the ball, m/s2.
const THRUST: f32 = 5.0;
/// Difference of squared speeds up to which a body keeps its speed, (m/s)2.
const SPEED_TOLERANCE: f32 = 0.001;
const FRICTION: f32 = 0.6;
const MESHES: usize = 8;
const MESH_POINTS: usize = 24;
/// Use of a seed's stream of random numbers.
const USE: u32 = 0x0a57_e201;

/// The scene in progress.
pub struct Asteroids {
    world: PhysicsWorld,
    /// Each body with its own speed, m/s.
    bodies: Vec<(RigidBodyHandle, f32)>,
}

impl Asteroids {
    /// Makes the scene of a seed, before its first tick.
    pub fn new(seed: u32) -> Self {
        let mut draw = Stream::new(seed, USE);
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        world.integration_parameters.dt = TICK_S;
        let sphere = ColliderBuilder::ball(SPHERE_RADIUS_M);
        world.colliders.insert(sphere.friction(FRICTION));
        let meshes: Vec<Vec<Vector>> = (0..MESHES).map(|_| mesh(&mut draw)).collect();
        let mut placed: Vec<(Vector, f32)> = Vec::with_capacity(BODIES);
        let mut bodies = Vec::with_capacity(BODIES);
        for index in 0..BODIES {
            let scale = draw.between(0.25, 1.0) as f32;
            let place = free_place(&placed, in_ball(&mut draw) * RADIUS_M, scale);
            placed.push((place, scale));
            let speed = draw.between(1.0, 4.0) as f32;
            let body = RigidBodyBuilder::dynamic()
                .pose(Pose::from_parts(place, orientation(&mut draw)))
                .linvel(in_ball(&mut draw).normalize_or(Vector::X) * speed)
                .angvel(in_ball(&mut draw) * 45.0_f32.to_radians())
                // PhysX, the engine of the benchmark, has none unless asked for them.
                .gyroscopic_forces_enabled(false)
                .can_sleep(false);
            let points: Vec<Vector> = meshes[index % MESHES].iter().map(|p| *p * scale).collect();
            let collider = ColliderBuilder::new(hull(&points))
                .mass(scale * scale * scale)
                .friction(FRICTION)
                .restitution(0.0);
            bodies.push((world.insert(body, collider).0, speed));
        }
        Self { world, bodies }
    }

    /// Simulates one tick.
    pub fn step(&mut self) {
        for &(handle, own) in &self.bodies {
            let body = &mut self.world.bodies[handle];
            let (place, velocity) = (body.translation(), body.linvel());
            let distance = place.length();
            let speed = velocity.length();
            if distance > RADIUS_M {
                body.set_linvel(velocity - place * (PULL * TICK_S / distance), true);
            } else if (speed * speed - own * own).abs() >= SPEED_TOLERANCE && speed > 0.0 {
                let change = (own - speed).clamp(-THRUST * TICK_S, THRUST * TICK_S);
                body.set_linvel(velocity * ((speed + change) / speed), true);
            }
        }
        self.world.step();
    }

    /// Returns the state of every body.
    pub fn states(&self) -> Vec<CubeState> {
        let state = |&(handle, _): &(RigidBodyHandle, f32)| {
            let body = &self.world.bodies[handle];
            CubeState {
                position: body.translation().to_array(),
                orientation: body.rotation().to_array(),
                linear_velocity: body.linvel().to_array(),
                angular_velocity: body.angvel().to_array(),
                ..CubeState::default()
            }
        };
        self.bodies.iter().map(state).collect()
    }
}

/// Returns an even point of the unit ball.
fn in_ball(draw: &mut Stream) -> Vector {
    loop {
        let [x, y, z] = [(); 3].map(|()| draw.between(-1.0, 1.0) as f32);
        let point = Vector::new(x, y, z);
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

/// Returns a rotation, all equally likely: an even direction in four dimensions.
fn orientation(draw: &mut Stream) -> Rotation {
    loop {
        let q = [(); 4].map(|()| draw.between(-1.0, 1.0) as f32);
        let square: f32 = q.iter().map(|c| c * c).sum();
        if (0.01..=1.0).contains(&square) {
            return Rotation::from_array(q.map(|c| c / square.sqrt()));
        }
    }
}

/// Returns the corners of an asteroid of scale 1 about its centre of mass: points in even directions, some 0.8 to 1 m away.
fn mesh(draw: &mut Stream) -> Vec<Vector> {
    let corner = |_| {
        let direction = in_ball(draw).normalize_or(Vector::X);
        direction * draw.between(0.8, 1.0) as f32
    };
    let corners: Vec<Vector> = (0..MESH_POINTS).map(corner).collect();
    let centre = hull(&corners).mass_properties(1.0).local_com;
    corners.iter().map(|corner| *corner - centre).collect()
}

fn hull(corners: &[Vector]) -> SharedShape {
    SharedShape::convex_hull(corners).expect("corners in all directions")
}

/// Moves a place outwards in steps of twice the scale, until no other body is within twice the scale.
fn free_place(placed: &[(Vector, f32)], mut place: Vector, scale: f32) -> Vector {
    let outwards = place.normalize_or(Vector::X) * (2.0 * scale);
    let taken = |place: Vector| {
        place.length() < SPHERE_RADIUS_M + 2.0 * scale
            || placed
                .iter()
                .any(|(other, of)| (*other - place).length() < 2.0 * scale + of)
    };
    while taken(place) {
        place += outwards;
    }
    place
}
