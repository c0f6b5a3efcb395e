//! The predicted world of all cubes, with forks of its past.

use super::comparison::{ServerSnapshot, is_same, still};
use crate::strategy::game::{Keys, Simulator};
use crate::tape_world::TapeWorld;
use snapshot_codec::CubeState;
use std::collections::VecDeque;

/// Least number of ticks between two forks (copies of the world). A fork of 901 cubes takes 3 MB.
const FORK_TICKS: u64 = 3;
/// Upper limit of the number of forks. Above it every second fork is dropped, and a correction steps from an earlier fork.
const FORKS_MAX: usize = 16;

/// The world at the client's tick, and at some ticks before.
pub(super) struct ForkedWorld {
    pub(super) world: TapeWorld,
    pub(super) tick: u64,
    pub(super) forks: VecDeque<(u64, TapeWorld)>,
    pub(super) most_forks: usize,
}

impl ForkedWorld {
    pub(super) fn new(sim: &mut dyn Simulator, world: TapeWorld, tick: u64) -> ForkedWorld {
        let fork = sim.fork(&world);
        ForkedWorld {
            world,
            tick,
            forks: VecDeque::from([(tick, fork)]),
            most_forks: 0,
        }
    }

    /// Stores a fork of the world, unless the last fork is less than [`FORK_TICKS`] old.
    pub(super) fn fork(&mut self, sim: &mut dyn Simulator) {
        let (tick, last) = (self.tick, self.forks.back().map_or(0, |fork| fork.0));
        if tick < last + FORK_TICKS {
            return;
        }
        if self.forks.len() == FORKS_MAX {
            let mut at = 0;
            self.forks.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
        let fork = sim.fork(&self.world);
        self.forks.push_back((tick, fork));
        self.most_forks = self.most_forks.max(self.forks.len());
    }

    /// Drops the forks before a tick; the newest fork always stays.
    pub(super) fn forget_before(&mut self, tick: u64) {
        while self.forks.len() > 1 && self.forks[0].0 < tick {
            self.forks.pop_front();
        }
    }

    /// Removes and returns the newest fork at or before a tick, with the fork's tick; `None` if there is no such fork.
    pub(super) fn take_fork(&mut self, tick: u64) -> Option<(u64, TapeWorld)> {
        while self.forks.get(1).is_some_and(|fork| fork.0 <= tick) {
            self.forks.pop_front();
        }
        self.forks.pop_front_if(|fork| fork.0 <= tick)
    }

    /// Writes corrected states into a fork, and makes this fork the present world.
    pub(super) fn restart(
        &mut self,
        sim: &mut dyn Simulator,
        (tick, mut base): (u64, TapeWorld),
        writes: &[(usize, CubeState)],
    ) {
        sim.set_states(&mut base, writes);
        self.forks.clear();
        let fork = sim.fork(&base);
        self.forks.push_back((tick, fork));
        (self.world, self.tick) = (base, tick);
    }
}

/// Simulates a tick.
pub(super) fn step(
    sim: &mut dyn Simulator,
    world: &mut TapeWorld,
    keys: Keys,
    held: Option<(&ServerSnapshot, &[bool])>,
) {
    sim.step(world, keys);
    if let Some((snapshot, predicted)) = held {
        hold(sim, world, snapshot, predicted);
    }
}

/// Moves the cubes that are not predicted back to their places in a snapshot.
pub(super) fn hold(
    sim: &mut dyn Simulator,
    world: &mut TapeWorld,
    snapshot: &ServerSnapshot,
    predicted: &[bool],
) {
    let states = sim.states(world);
    let held = snapshot.cubes.iter().zip(predicted).enumerate();
    let held = held.filter(|(_, (_, is_predicted))| !**is_predicted);
    let held = held.map(|(index, (cube, _))| (index, still(cube.state)));
    let held: Vec<_> = held
        .filter(|(index, state)| !is_same(&states[*index], state))
        .collect();
    if !held.is_empty() {
        sim.set_states(world, &held);
    }
}
