//! The world that a guest simulates for its prediction.

use crate::strategy::game::{Keys, Simulator};
use crate::tape_world::TapeWorld;
use snapshot_codec::CubeState;
use snapshot_physics::input::{Input, Inputs};
use snapshot_physics::world::{World, WorldSettings};
use snapshot_replication::Object;

/// Simulator of a guest's worlds, in which the guest's own keys steer the second cube.
pub(super) struct GuestSimulator {
    pub(super) made_from: WorldSettings,
}

impl GuestSimulator {
    /// Makes the world of a snapshot. An object without velocities begins at rest.
    pub(super) fn world_of(&self, tick: u64, objects: impl Iterator<Item = Object>) -> TapeWorld {
        let mut cubes = World::initial(&self.made_from);
        for object in objects {
            if let Some(cube) = cubes.get_mut(object.id as usize) {
                let velocities = object.velocity.zip(object.angular_velocity);
                let (linear_velocity, angular_velocity) = velocities.unwrap_or_default();
                cube.position = object.position;
                cube.orientation = object.orientation;
                (cube.linear_velocity, cube.angular_velocity) = (linear_velocity, angular_velocity);
                cube.at_rest = velocities.is_none();
            }
        }
        TapeWorld::of_cubes(&cubes, &self.made_from, tick)
    }
}

impl Simulator for GuestSimulator {
    fn states<'a>(&self, world: &'a TapeWorld) -> &'a [CubeState] {
        world.truth()
    }

    fn step(&mut self, world: &mut TapeWorld, keys: Keys) {
        let inputs = Inputs {
            hand: Input::from_bits(keys.rival),
            rival: Input::from_bits(keys.own),
            // A client does not know the keys of others.
            is_crowd_idle: self.made_from.crowd_seed.is_some(),
        };
        world.step_own(inputs);
    }

    fn set_states(&mut self, world: &mut TapeWorld, states: &[(usize, CubeState)]) {
        world.set_own_states(states);
    }

    fn fork(&mut self, world: &TapeWorld) -> TapeWorld {
        world.fork()
    }

    fn part(&mut self, world: &TapeWorld, ago: u64, cubes: &[CubeState]) -> TapeWorld {
        TapeWorld::of_cubes(cubes, &self.made_from, world.tick() - ago)
    }
}
