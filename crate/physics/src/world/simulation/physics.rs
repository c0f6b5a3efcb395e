//! Rapier, set up like the physics engine of the original (the *Networked Physics* demo), wherever both have the same
//! parameters.
//!
//! The original's solver has an error reduction of 0.25 and a softness of 0.001. Rapier's contacts are springs with a
//! frequency and a damping instead, whose defaults look and settle alike. Bodies sleep by island: cubes that touch fall
//! asleep together and wake together, as in the original's engine.

use rapier3d::prelude::*;
use snapshot_base::order;
use snapshot_codec::CubeState;
use std::borrow::BorrowMut;
use std::ops::{Deref, DerefMut};

use super::super::constants::*;
use super::super::{Contacts, WorldSettings};
use super::dispatcher::CubesAndFloor;

/// `user_data` of the floor's collider; every other collider has the index of its cube.
const FLOOR: u128 = u128::MAX;

/// Time after which rapier itself would put a body to sleep, s: longer than any run, so that only the rule of `rest` does it.
pub(super) const RAPIER_REST_S: f32 = f32::MAX;

pub(super) struct Physics {
    world: RapierWorld,
    /// Body and collider of each cube. Inserted in one order, so that equal worlds are equal inside rapier too.
    cubes: Vec<(RigidBodyHandle, ColliderHandle)>,
}

/// Rapier's world behind a trait object, so that its drop code, 30 kB, is in the wasm once. Otherwise the page's crate would
/// have a second copy.
struct RapierWorld(Box<dyn BorrowMut<PhysicsWorld>>);

impl Deref for RapierWorld {
    type Target = PhysicsWorld;

    fn deref(&self) -> &PhysicsWorld {
        (*self.0).borrow()
    }
}

impl DerefMut for RapierWorld {
    fn deref_mut(&mut self) -> &mut PhysicsWorld {
        (*self.0).borrow_mut()
    }
}

impl Physics {
    /// Makes bodies at the given poses, and a floor. Bodies at rest fall asleep in the first step.
    pub(super) fn new(cubes: &[CubeState], settings: &WorldSettings) -> Physics {
        Physics::in_order(cubes, 0..cubes.len(), settings)
    }

    /// Makes the bodies and the floor, inserted into rapier in the given order.
    pub(super) fn in_order(
        cubes: &[CubeState],
        order: impl Iterator<Item = usize>,
        settings: &WorldSettings,
    ) -> Physics {
        let mut world = empty_world();
        world.gravity = Vector::new(0.0, 0.0, -GRAVITY);
        world.integration_parameters.dt = TICK_S;
        world.integration_parameters.num_solver_iterations = SOLVER_ITERATIONS;
        world.integration_parameters.normalized_max_linear_velocity = LINEAR_SPEED_MAX;
        let parameters = &mut world.integration_parameters;
        let hardness = match settings.contacts {
            Contacts::Usual => None,
            Contacts::Soft => Some(SOFT_CONTACTS),
            Contacts::Stiff => Some(STIFF_CONTACTS),
        };
        if let Some(hardness) = hardness {
            parameters.contact_softness.natural_frequency = hardness.cubes_hz;
            parameters.static_contact_softness.natural_frequency = hardness.floor_hz;
            parameters.normalized_max_corrective_velocity = hardness.apart_speed_max;
        }

        let mut inserted: Vec<_> = order
            .map(|index| {
                let is_player = settings.is_player(index, cubes.len());
                let half_size_m = settings.half_size_m(index, cubes.len());
                let collider = ColliderBuilder::cuboid(half_size_m, half_size_m, half_size_m)
                    .density(DENSITY)
                    .friction(if is_player { FRICTION } else { CUBE_FRICTION })
                    .friction_combine_rule(CoefficientCombineRule::Multiply)
                    .user_data(index as u128);
                (index, insert_cube(&mut world, collider, &cubes[index]))
            })
            .collect();
        order::sort_by_key(&mut inserted, |(index, _)| *index);
        let cubes = inserted.into_iter().map(|(_, handles)| handles).collect();
        // A half-space and not a slab: nothing tunnels through it, however hard it is pressed.
        let floor = ColliderBuilder::new(SharedShape::halfspace(Vector::Z))
            .friction(FRICTION)
            .user_data(FLOOR);
        world.colliders.insert(floor);
        Physics {
            world: RapierWorld(Box::new(world)),
            cubes,
        }
    }

    /// Copies the bodies. Rapier's pipelines keep nothing between steps, so both copies continue alike.
    pub(super) fn fork(&self) -> Physics {
        let from = &self.world;
        let mut world = empty_world();
        world.gravity = from.gravity;
        world.integration_parameters = from.integration_parameters;
        world.islands = from.islands.clone();
        world.broad_phase = from.broad_phase.clone();
        world.narrow_phase = from.narrow_phase.clone();
        world.bodies = from.bodies.clone();
        world.colliders = from.colliders.clone();
        Physics {
            world: RapierWorld(Box::new(world)),
            cubes: self.cubes.clone(),
        }
    }

    /// Sets a body's state. Rapier processes the change at [`Physics::process_changes`].
    pub(super) fn place(&mut self, index: usize, state: &CubeState) {
        let wakes = !state.at_rest;
        let body = self.body_mut(index);
        body.set_position(pose_of(state), wakes);
        body.set_linvel(Vector::from_array(state.linear_velocity), wakes);
        body.set_angvel(Vector::from_array(state.angular_velocity), wakes);
    }

    /// Steps rapier by a time of 0: it processes changed bodies and wakes their neighbours, but moves nothing.
    pub(super) fn process_changes(&mut self) {
        self.world.integration_parameters.dt = 0.0;
        self.world.step();
        self.world.integration_parameters.dt = TICK_S;
    }

    /// Steps rapier once, then clamps velocities before any later step or observer.
    pub(super) fn step(&mut self) {
        self.world.step();
        // A body that was put to sleep beside one that is awake goes on being simulated: then it is awake.
        let active: Vec<RigidBodyHandle> = self.world.islands.active_bodies().collect();
        for handle in active {
            if self.world.bodies[handle].is_sleeping() {
                self.world.bodies[handle].wake_up(true);
            }
        }
        for index in 0..self.cubes.len() {
            let body = self.body(index);
            if !body.is_sleeping() && !within_bounds(body) {
                clamp(self.body_mut(index));
            }
        }
    }

    /// Removes the forces of the last tick. Call it only after `rest` has read these forces.
    pub(super) fn clear_forces(&mut self) {
        for index in 0..self.cubes.len() {
            if is_forced(self.body(index)) {
                let body = self.body_mut(index);
                body.reset_forces(false);
                body.reset_torques(false);
            }
        }
    }

    pub(super) fn body(&self, index: usize) -> &RigidBody {
        &self.world.bodies[self.cubes[index].0]
    }

    /// Returns a body for changing. Rapier revisits each such body at its next step, so call this only to change something.
    pub(super) fn body_mut(&mut self, index: usize) -> &mut RigidBody {
        &mut self.world.bodies[self.cubes[index].0]
    }

    /// Moves a cube without waking it.
    pub(super) fn move_to(&mut self, index: usize, position: [f32; 3]) {
        self.body_mut(index)
            .set_translation(Vector::from_array(position), false);
    }

    /// Iterates over the impulses of each contact from which the solver starts its next step, N s.
    pub(super) fn warm_start_impulses(&self) -> impl Iterator<Item = f32> {
        let points = self
            .world
            .narrow_phase
            .contact_pairs()
            .flat_map(|pair| pair.manifolds())
            .flat_map(|manifold| &manifold.points);
        points.flat_map(|point| {
            let [x, y, z] = point.data.warmstart_tangent_world.to_array();
            let data = &point.data;
            [
                data.warmstart_impulse,
                data.warmstart_twist_impulse,
                x,
                y,
                z,
            ]
        })
    }

    /// Iterates over the indices of the cubes that touched this one in the last step.
    pub(super) fn touching(&self, index: usize) -> impl Iterator<Item = usize> {
        let collider = self.cubes[index].1;
        self.world
            .narrow_phase
            .contact_pairs_with(collider)
            .filter(|pair| pair.has_any_active_contact())
            .filter_map(move |pair| {
                let other = if pair.collider1 == collider {
                    pair.collider2
                } else {
                    pair.collider1
                };
                let user_data = self.world.colliders[other].user_data;
                (user_data != FLOOR).then_some(user_data as usize)
            })
    }

    /// Writes poses, velocities and sleep of every cube into `truth`; leaves `interacting` as it is.
    pub(super) fn read(&self, truth: &mut [CubeState]) {
        for (index, cube) in truth.iter_mut().enumerate() {
            let body = self.body(index);
            cube.at_rest = body.is_sleeping();
            cube.position = body.translation().to_array();
            cube.orientation = body.rotation().to_array();
            cube.linear_velocity = body.linvel().to_array();
            cube.angular_velocity = body.angvel().to_array();
        }
    }
}

/// Returns a world without bodies. It is written out because `PhysicsWorld::new` brings parry's own dispatcher.
fn empty_world() -> PhysicsWorld {
    PhysicsWorld {
        gravity: Vector::ZERO,
        integration_parameters: IntegrationParameters::default(),
        physics_pipeline: PhysicsPipeline::new(),
        collision_pipeline: CollisionPipeline::new(),
        islands: IslandManager::new(),
        broad_phase: DefaultBroadPhase::default(),
        narrow_phase: NarrowPhase::with_query_dispatcher(CubesAndFloor),
        bodies: RigidBodySet::new(),
        colliders: ColliderSet::new(),
        impulse_joints: ImpulseJointSet::new(),
        multibody_joints: MultibodyJointSet::new(),
        soft_bodies: SoftBodySet::new(),
        ccd_solver: CCDSolver::new(),
    }
}

fn pose_of(cube: &CubeState) -> Pose {
    Pose::from_parts(
        Vector::from_array(cube.position),
        Rotation::from_array(cube.orientation),
    )
}

fn insert_cube(
    world: &mut PhysicsWorld,
    collider: ColliderBuilder,
    cube: &CubeState,
) -> (RigidBodyHandle, ColliderHandle) {
    // Rapier divides by 1 + damping * dt in a step.
    let damping = DAMPING_PER_STEP / (1.0 - DAMPING_PER_STEP) / TICK_S;
    let body = RigidBodyBuilder::dynamic()
        .pose(pose_of(cube))
        .linvel(Vector::from_array(cube.linear_velocity))
        .angvel(Vector::from_array(cube.angular_velocity))
        .linear_damping(damping)
        .angular_damping(damping);
    let (body, collider) = world.insert(body, collider);
    hand_over(&mut world.bodies[body], cube.at_rest);
    (body, collider)
}

/// Makes rapier leave the decision on rest to this crate. A body at rest is handed over awake but due to sleep: inserted
/// asleep, it would be woken by its first contact with the floor.
fn hand_over(body: &mut RigidBody, at_rest: bool) {
    let activation = body.activation_mut();
    activation.normalized_linear_threshold = f32::MAX;
    activation.time_until_sleep = RAPIER_REST_S;
    activation.time_since_can_sleep = if at_rest { RAPIER_REST_S } else { 0.0 };
}

/// Returns true if a key acts on the body in this tick.
pub(super) fn is_forced(body: &RigidBody) -> bool {
    body.user_force() != Vector::ZERO || body.user_torque() != Vector::ZERO
}

fn within_bounds(body: &RigidBody) -> bool {
    let [x, y, z] = body.translation().to_array();
    x.abs() <= POSITION_BOUND_XY_M
        && y.abs() <= POSITION_BOUND_XY_M
        && (0.0..=POSITION_BOUND_Z_M).contains(&z)
        && body.linvel().length_squared() <= LINEAR_SPEED_MAX * LINEAR_SPEED_MAX
        && body.angvel().length_squared() <= ANGULAR_SPEED_MAX * ANGULAR_SPEED_MAX
}

fn clamp(body: &mut RigidBody) {
    let low = Vector::new(-POSITION_BOUND_XY_M, -POSITION_BOUND_XY_M, 0.0);
    let high = Vector::new(POSITION_BOUND_XY_M, POSITION_BOUND_XY_M, POSITION_BOUND_Z_M);
    let position = body.translation();
    let clamped = position.clamp(low, high);
    if clamped != position {
        body.set_translation(clamped, false);
    }
    body.set_linvel(body.linvel().clamp_length_max(LINEAR_SPEED_MAX), false);
    body.set_angvel(body.angvel().clamp_length_max(ANGULAR_SPEED_MAX), false);
}
