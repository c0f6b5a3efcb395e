//! The world of the original (the *Networked Physics* demo) on rapier: 901 cubes on an infinite floor, pushed about by six
//! keys.
//!
//! One [`World::step`] is one tick of 1/60 s. The keys turn into forces (`player`), rapier moves the bodies, and speeds
//! and positions are clamped. Then cubes that came to rest may sleep (`rest`), and `interacting` spreads through the
//! contacts. The same settings and inputs give the same bits on every machine.
//!
//! The reasons are in `docs/decisions/0021-physics-on-rapier.md`.

mod checksum;
mod constants;
mod settings;
#[cfg(feature = "rapier")]
mod simulation;
#[cfg(not(feature = "rapier"))]
#[path = "no_simulation.rs"]
mod simulation;

use crate::crowd::place_m;
use crate::input::Inputs;
use constants::*;
pub use settings::{Contacts, Rival, WorldSettings};
pub use simulation::Simulating;
use simulation::Simulation;
use snapshot_base::hash::Fnv;
use snapshot_codec::{CubeState, Life};

/// The simulation. Cube 0 is the player; cube `1 + x + side * y` starts at column x, row y of the grid. A crowd comes
/// next, a rival last.
pub struct World {
    simulation: Simulation,
    truth: Vec<CubeState>,
    made_from: WorldSettings,
    tick: u64,
}

impl World {
    /// Makes the world at tick 0: player and rival in the air, the grid asleep.
    pub fn new(settings: &WorldSettings) -> World {
        World::from_cubes(World::initial(settings), settings, 0)
    }

    /// Makes a world of these cubes at a tick; the player is the first cube, a rival the last.
    pub fn from_cubes(cubes: Vec<CubeState>, settings: &WorldSettings, tick: u64) -> World {
        World {
            tick,
            made_from: *settings,
            simulation: Simulation::new(&cubes, settings),
            truth: cubes,
        }
    }

    /// Copies the world. With the same inputs both copies stay equal, bit for bit.
    pub fn fork(&self) -> World {
        World {
            simulation: self.simulation.fork(),
            truth: self.truth.clone(),
            made_from: self.made_from,
            tick: self.tick,
        }
    }

    pub fn made_from(&self) -> &WorldSettings {
        &self.made_from
    }

    /// Returns the state at tick 0: the first baseline, which both ends of a network know without a packet.
    pub fn initial(settings: &WorldSettings) -> Vec<CubeState> {
        let side = settings.grid_side();
        let still = CubeState {
            position: [0.0, 0.0, PLAYER_START_HEIGHT_M],
            orientation: [0.0, 0.0, 0.0, 1.0],
            linear_velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            interacting: true,
            at_rest: false,
            life: Life::FIRST,
        };
        let along = |i: u32| (i as f32 - (side - 1) as f32 * 0.5) * settings.spacing_m();
        let grid = (0..side * side).map(|i| CubeState {
            position: [along(i % side), along(i / side), CUBE_HALF_SIZE_M],
            interacting: false,
            at_rest: true,
            ..still
        });
        let crowd = (0..settings.crowd_others()).map(|other| {
            let [x, y] = place_m(other, side);
            CubeState {
                position: [x, y, PLAYER_START_HEIGHT_M],
                ..still
            }
        });
        let rival = CubeState {
            position: [RIVAL_START_X_M, 0.0, PLAYER_START_HEIGHT_M],
            ..still
        };
        let rival = (settings.rival != Rival::None).then_some(rival);
        core::iter::once(still)
            .chain(grid)
            .chain(crowd)
            .chain(rival)
            .map(|cube| settings.on_grid.map_or(cube, |grid| grid.snap(&cube)))
            .collect()
    }

    /// Makes a part of a program that simulates.
    pub fn simulating<T>(&self, part: impl FnOnce() -> T) -> Simulating<T> {
        self.simulation.simulating(part)
    }

    /// Moves the world by a tick.
    pub fn step(&mut self, inputs: impl Into<Inputs>) {
        let (settings, tick) = (&self.made_from, self.tick);
        (self.simulation).advance(&mut self.truth, settings, tick, inputs.into());
        self.tick += 1;
    }

    /// Replaces the states of these cubes exactly, asleep or awake. The flag `interacting` does not change.
    pub fn set_states(&mut self, states: impl IntoIterator<Item = (usize, CubeState)>) {
        for (index, state) in states {
            let state = CubeState {
                interacting: self.truth[index].interacting,
                ..state
            };
            if self.truth[index] != state {
                self.simulation.place(index, &state);
                self.truth[index] = state;
            }
        }
    }

    /// Sets the tick. The hover's wobble depends on it.
    pub fn set_tick(&mut self, tick: u64) {
        self.tick = tick;
    }

    /// Number of ticks stepped so far.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// State of every cube after the last step, the player first.
    pub fn truth(&self) -> &[CubeState] {
        &self.truth
    }

    /// Number of cubes, player and rival included.
    pub fn cube_count(&self) -> usize {
        self.truth.len()
    }

    pub fn state_hash(&self) -> u64 {
        state_hash(&self.truth)
    }
}

/// Returns a stable hash over all visible state: the bits of every cube's pose, velocities, sleep and `interacting`.
pub fn state_hash(truth: &[CubeState]) -> u64 {
    let mut hash = Fnv::new();
    for cube in truth {
        let vectors = [
            &cube.position[..],
            &cube.orientation,
            &cube.linear_velocity,
            &cube.angular_velocity,
        ];
        for value in vectors.into_iter().flatten() {
            hash.add_u32(value.to_bits());
        }
        hash.add_u32(u32::from(cube.interacting) | u32::from(cube.at_rest) << 1);
    }
    hash.finish()
}
