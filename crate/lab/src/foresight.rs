//! What both ends of rung `simulated` foresee: a world of our own, made of a decoded snapshot and run with a packet's inputs.

use crate::input::Input;
use crate::world::{World, WorldSettings};
use snapshot_codec::{Coasting, CubeState, Foresight};

/// The scenes that the tables of rung `simulated` are trained on, so many ticks of each. Those that figures are of have
/// other seeds.
pub const TRAINED_ON: [&str; 5] = [
    "#scene=mixed&seed=11",
    "#scene=katamari&seed=11",
    "#scene=blow&seed=11",
    "#scene=roll&seed=11",
    "#scene=mixed&seed=12",
];
/// See [`TRAINED_ON`].
pub const TRAINED_TICKS: u64 = 2000;
/// Cubes at rest are part of the world as far as this from what moves, m, and as far more as that moves meanwhile.
const REACH_M: f32 = 1.5;
/// Around the player, which pushes and pulls, m.
const PLAYER_REACH_M: f32 = 2.5;

/// A world that is made anew for each packet, so that nothing is in it but what was decoded: what moves, and what lies near.
/// Where there is no physics, cubes go on as they go.
#[derive(Clone, Debug, Default)]
pub struct Simulation {
    made_from: Option<WorldSettings>,
    /// Of the cubes that are in it, the player first.
    indices: Vec<usize>,
}

impl Simulation {
    /// Of a world that those settings make, or of a motion from elsewhere.
    pub fn new(made_from: Option<WorldSettings>) -> Simulation {
        Simulation {
            made_from,
            indices: Vec::new(),
        }
    }

    fn gather(&mut self, cubes: &[CubeState], ticks: usize) {
        let seconds = ticks as f32 / crate::TICKS_PER_S as f32;
        let moving: Vec<([f32; 3], f32)> = cubes
            .iter()
            .enumerate()
            .filter(|(index, cube)| *index == 0 || !cube.at_rest)
            .map(|(index, cube)| {
                let [x, y, z] = cube.linear_velocity;
                let speed = libm::sqrtf(x * x + y * y + z * z);
                let reach = if index == 0 { PLAYER_REACH_M } else { REACH_M };
                (cube.position, reach + speed * seconds)
            })
            .collect();
        let is_near = |cube: &CubeState| {
            moving.iter().any(|([x, y, z], reach)| {
                let [dx, dy, dz] = [
                    cube.position[0] - x,
                    cube.position[1] - y,
                    cube.position[2] - z,
                ];
                dx * dx + dy * dy + dz * dz < reach * reach
            })
        };
        let all = cubes.iter().enumerate();
        self.indices.clear();
        self.indices.extend(
            all.filter(|(index, cube)| *index == 0 || !cube.at_rest || is_near(cube))
                .map(|(index, _)| index),
        );
    }
}

impl Foresight for Simulation {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        let Some(made_from) = self.made_from else {
            return Coasting.foresee(sequence, inputs, cubes);
        };
        self.gather(cubes, inputs.len());
        let part = self.indices.iter().map(|&index| cubes[index]).collect();
        let mut world = World::of(part, &made_from, sequence.into());
        for &input in inputs {
            world.step(Input::from_bits(input));
        }
        for (&index, cube) in self.indices.iter().zip(world.truth()) {
            cubes[index] = *cube;
        }
    }
}
