//! The world of the original (the *Networked Physics* demo) on rapier: 901 cubes on an infinite floor, pushed about by six
//! keys.
//!
//! One [`World::step`] is one tick of 1/60 s. The keys turn into forces ([`player`]), rapier moves the bodies, and speeds
//! and positions are clamped. Then cubes that came to rest may sleep ([`rest`]), and `interacting` spreads through the
//! contacts ([`interacting`]). The same settings and inputs give the same bits on every machine.
//!
//! The reasons are in `docs/decisions/0021-physics-on-rapier.md`.

mod checksum;
mod constants;
mod dispatcher;
mod interacting;
mod physics;
mod player;
mod rest;
mod settings;

use snapshot_codec::{CubeState, Grid};

use crate::crowd::{crowd_keys, place_m};
use crate::input::Inputs;
use constants::*;
use interacting::ContactFlood;
use physics::Physics;
use rest::RestTicks;
pub use settings::{Contacts, Rival, WorldSettings};
use snapshot_base::hash::Fnv;

/// The simulation. Cube 0 is the player; cube `1 + x + side * y` starts at column x, row y of the grid. A crowd comes
/// next, a rival last.
pub struct World {
    physics: Physics,
    interacting: ContactFlood,
    rest: RestTicks,
    truth: Vec<CubeState>,
    made_from: WorldSettings,
    /// True if bodies were changed from outside since the last step.
    written: bool,
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
            physics: Physics::new(&cubes, settings),
            interacting: ContactFlood::new(cubes.len()),
            rest: RestTicks::new(cubes.len()),
            truth: cubes,
            made_from: *settings,
            written: false,
            tick,
        }
    }

    /// Copies the world. With the same inputs both copies stay equal, bit for bit.
    pub fn fork(&self) -> World {
        World {
            physics: self.physics.fork(),
            interacting: self.interacting.clone(),
            rest: self.rest.clone(),
            truth: self.truth.clone(),
            made_from: self.made_from,
            written: self.written,
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
            interacting: true,
            ..CubeState::default()
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

    pub fn step(&mut self, inputs: impl Into<Inputs>) {
        self.advance(inputs.into());
    }

    fn advance(&mut self, inputs: Inputs) {
        self.settle_what_was_written();
        self.physics.clear_forces();
        let (settings, cube_count) = (self.made_from, self.truth.len());
        let rival = settings.rival_among(cube_count);
        let crowd = settings.crowd_among(cube_count);
        let mut keys = player::Keys {
            physics: &mut self.physics,
            interacting: &mut self.interacting,
            truth: &self.truth,
            small: 1..crowd.start.max(1),
            tick: self.tick,
        };
        keys.apply(0, inputs.hand);
        if let Some(seed) = settings.crowd_seed.filter(|_| !inputs.is_crowd_idle) {
            let (side, tick) = (settings.grid_side(), self.tick);
            for (other, index) in crowd.enumerate() {
                let input = crowd_keys(seed, tick, other, side, &self.truth[index]);
                keys.apply(index, input);
            }
        }
        if let Some(rival) = rival {
            keys.apply(rival, inputs.rival);
        }
        self.physics.step();
        self.written |= self.rest.hold(&mut self.physics, &self.truth);
        self.rest.update(&mut self.physics, &self.truth);
        self.physics.read(&mut self.truth);
        for (index, cube) in self.truth.iter_mut().enumerate() {
            cube.at_rest |= self.rest.is_held(index);
        }
        let is_player = |index| settings.is_player(index, cube_count);
        self.interacting
            .flood(&self.physics, &mut self.truth, is_player);
        if let Some(grid) = self.made_from.on_grid {
            self.put_on_grid(&grid);
        }
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
                self.physics.place(index, &state);
                self.rest.set(index, state.at_rest);
                self.truth[index] = state;
                self.written = true;
            }
        }
    }

    /// Sets the tick. The hover's wobble depends on it.
    pub fn set_tick(&mut self, tick: u64) {
        self.tick = tick;
    }

    /// Quantises the states of awake cubes. A cube falls asleep at its place after the step before. That place is quantised
    /// already, so a sleeping cube is never written again.
    fn put_on_grid(&mut self, grid: &Grid) {
        for (index, cube) in self.truth.iter_mut().enumerate() {
            if !cube.at_rest {
                let state = grid.snap(cube);
                if *cube != state {
                    self.physics.place(index, &state);
                    *cube = state;
                    self.written = true;
                }
            }
        }
    }

    /// Lets rapier wake changed cubes and their neighbours, then puts every cube to sleep that should sleep. Runs once for
    /// all changes since the last step, because it costs as much as finding every contact.
    fn settle_what_was_written(&mut self) {
        if !std::mem::take(&mut self.written) {
            return;
        }
        self.physics.process_changes();
        self.rest.settle(&mut self.physics, &self.truth);
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

#[cfg(test)]
mod tests;
