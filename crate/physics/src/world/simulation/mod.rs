//! The bodies of a world in rapier, and what moves them: keys, contacts and the rule of rest.

mod dispatcher;
mod interacting;
mod physics;
mod player;
mod rest;

use super::WorldSettings;
use crate::crowd::crowd_keys;
use crate::input::Inputs;
use interacting::ContactFlood;
use physics::Physics;
use rest::RestTicks;
use snapshot_codec::{CubeState, Grid};
use std::ops::{Deref, DerefMut};

/// A part of a program that simulates.
pub struct Simulating<T>(Box<T>);

impl<T> Deref for Simulating<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Simulating<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// The bodies of a world. Its cubes' states are the world's own, and are lent to it.
pub(super) struct Simulation {
    physics: Physics,
    interacting: ContactFlood,
    rest: RestTicks,
    /// True if bodies were changed from outside since the last step.
    written: bool,
}

impl Simulation {
    /// Makes the bodies of these cubes.
    pub(super) fn new(cubes: &[CubeState], settings: &WorldSettings) -> Simulation {
        Simulation {
            physics: Physics::new(cubes, settings),
            interacting: ContactFlood::new(cubes.len()),
            rest: RestTicks::new(cubes.len()),
            written: false,
        }
    }

    pub(super) fn simulating<T>(&self, part: impl FnOnce() -> T) -> Simulating<T> {
        Simulating(Box::new(part()))
    }

    /// Copies the bodies. With the same inputs both copies stay equal, bit for bit.
    pub(super) fn fork(&self) -> Simulation {
        Simulation {
            physics: self.physics.fork(),
            interacting: self.interacting.clone(),
            rest: self.rest.clone(),
            written: self.written,
        }
    }

    /// Copies the bodies, inserted into rapier in the opposite order.
    pub(super) fn reinserted(&self, cubes: &[CubeState], settings: &WorldSettings) -> Simulation {
        Simulation {
            physics: Physics::in_order(cubes, (0..cubes.len()).rev(), settings),
            written: false,
            ..self.fork()
        }
    }

    /// Moves the bodies and their cubes by the tick that follows `tick`.
    pub(super) fn advance(
        &mut self,
        cubes: &mut [CubeState],
        settings: &WorldSettings,
        tick: u64,
        inputs: Inputs,
    ) {
        self.settle_what_was_written(cubes);
        self.physics.clear_forces();
        let cube_count = cubes.len();
        let rival = settings.rival_among(cube_count);
        let crowd = settings.crowd_among(cube_count);
        let mut keys = player::Keys {
            physics: &mut self.physics,
            interacting: &mut self.interacting,
            truth: cubes,
            small: 1..crowd.start.max(1),
            tick,
        };
        keys.apply(0, inputs.hand);
        if let Some(seed) = settings.crowd_seed.filter(|_| !inputs.is_crowd_idle) {
            let side = settings.grid_side();
            for (other, index) in crowd.enumerate() {
                let input = crowd_keys(seed, tick, other, side, &cubes[index]);
                keys.apply(index, input);
            }
        }
        if let Some(rival) = rival {
            keys.apply(rival, inputs.rival);
        }
        self.physics.step();
        self.written |= self.rest.hold(&mut self.physics, cubes);
        self.rest.update(&mut self.physics, cubes);
        self.physics.read(cubes);
        for (index, cube) in cubes.iter_mut().enumerate() {
            cube.at_rest |= self.rest.is_held(index);
        }
        let is_player = |index| settings.is_player(index, cube_count);
        self.interacting.flood(&self.physics, cubes, is_player);
        if let Some(grid) = settings.on_grid {
            self.put_on_grid(cubes, &grid);
        }
    }

    /// Places a body as a cube's state says.
    pub(super) fn place(&mut self, index: usize, state: &CubeState) {
        self.physics.place(index, state);
        self.rest.set(index, state.at_rest);
        self.written = true;
    }

    /// Moves a body without waking it.
    pub(super) fn move_to(&mut self, index: usize, position: [f32; 3]) {
        self.physics.move_to(index, position);
    }

    /// Returns the clocks of rest and of `interacting`, and the impulses with which the solver starts warm.
    pub(super) fn hidden_state(&self) -> ([&[u8]; 2], impl Iterator<Item = f32>) {
        let clocks = [self.rest.clocks(), self.interacting.clocks()];
        (clocks, self.physics.warm_start_impulses())
    }

    /// Quantises the states of awake cubes. A cube falls asleep at its place after the step before. That place is quantised
    /// already, so a sleeping cube is never written again.
    fn put_on_grid(&mut self, cubes: &mut [CubeState], grid: &Grid) {
        for (index, cube) in cubes.iter_mut().enumerate() {
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
    fn settle_what_was_written(&mut self, cubes: &[CubeState]) {
        if !std::mem::take(&mut self.written) {
            return;
        }
        self.physics.process_changes();
        self.rest.settle(&mut self.physics, cubes);
    }
}

#[cfg(test)]
mod tests;
