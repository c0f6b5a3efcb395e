//! A world of the right side or of a server, simulated only where it can differ from the tape's.
//!
//! Two worlds of equal state that are given the same inputs stay equal, bit for bit. So a world that begins like the tape's
//! equals it at each tick, until an input differs or a write moves a cube. Until then the states are read from the tape.
//! From the first difference on the world is simulated, from the nearest fork, for good. Lockstep always simulates both worlds:
//! its checksums must show that they stay equal.

use snapshot_codec::CubeState;
use snapshot_physics::input::Inputs;
use snapshot_physics::world::{World, WorldSettings};
use snapshot_record::tape::Tape;
use std::rc::Rc;

/// A world after a tick: simulated, or read from the tape while it equals the tape's.
pub(crate) struct TapeWorld {
    state: State,
    tick: u64,
}

enum State {
    /// The world equals the tape's, from which it is read.
    OfTape {
        truth: Vec<CubeState>,
        /// The tape's world at that tick or before, from which a simulation can begin.
        since: Rc<World>,
    },
    /// The world differs from the tape's, so it is simulated.
    Own(Box<World>),
}

impl TapeWorld {
    /// Creates a world that equals `world`, the tape's newest world.
    pub(crate) fn from_world(world: &World) -> TapeWorld {
        TapeWorld {
            state: State::OfTape {
                truth: world.truth().to_vec(),
                since: Rc::new(world.fork()),
            },
            tick: world.tick(),
        }
    }

    /// Creates a simulated world of these cubes at a tick, which is not read from any tape.
    pub(crate) fn of_cubes(cubes: &[CubeState], settings: &WorldSettings, tick: u64) -> TapeWorld {
        let world = World::from_cubes(cubes.to_vec(), settings, tick);
        TapeWorld {
            state: State::Own(Box::new(world)),
            tick,
        }
    }

    pub(crate) fn truth(&self) -> &[CubeState] {
        match &self.state {
            State::OfTape { truth, .. } => truth,
            State::Own(world) => world.truth(),
        }
    }

    pub(crate) fn tick(&self) -> u64 {
        self.tick
    }

    pub(crate) fn is_own(&self) -> bool {
        matches!(self.state, State::Own(_))
    }

    /// Copies the world. With the same calls both copies stay equal.
    pub(crate) fn fork(&self) -> TapeWorld {
        TapeWorld {
            state: match &self.state {
                State::OfTape { truth, since } => State::OfTape {
                    truth: truth.clone(),
                    since: Rc::clone(since),
                },
                State::Own(world) => State::Own(Box::new(world.fork())),
            },
            tick: self.tick,
        }
    }

    /// Simulates one step with inputs, and numbers the result `tick`. Skipped ticks are not simulated.
    pub(crate) fn step_to(&mut self, tape: &Tape, tick: u64, inputs: Inputs) {
        if !self.stays_as_tape(tick, inputs, tape) {
            step_to(self.own(tape), tick, inputs);
        }
        self.tick = tick;
    }

    fn stays_as_tape(&mut self, tick: u64, inputs: Inputs, tape: &Tape) -> bool {
        let State::OfTape { truth, since } = &mut self.state else {
            return false;
        };
        let is_so = tick == self.tick + 1
            && tape.inputs(tick) == Some(inputs)
            && tape.truth().wind(self.tick, tick, truth);
        if let Some(fork) = tape.fork_of(tick).filter(|_| is_so) {
            *since = Rc::clone(fork);
        }
        is_so
    }

    /// Sets states of cubes. Does nothing if every cube has the given state already.
    pub(crate) fn set_states(&mut self, tape: &Tape, states: &[(usize, CubeState)]) {
        let before = self.truth();
        let is_so = |(index, state): &(usize, CubeState)| {
            let interacting = before[*index].interacting;
            let state = CubeState {
                interacting,
                ..*state
            };
            before[*index] == state
        };
        if !states.iter().all(is_so) {
            self.own(tape).set_states(states.iter().copied());
        }
    }

    /// Simulates the next tick of a world that was made of cubes; does nothing for a world that is read from a tape.
    pub(crate) fn step_own(&mut self, inputs: Inputs) {
        if let State::Own(world) = &mut self.state {
            self.tick += 1;
            step_to(world, self.tick, inputs);
        }
    }

    /// Sets states of cubes of a world that was made of cubes; does nothing for a world that is read from a tape.
    pub(crate) fn set_own_states(&mut self, states: &[(usize, CubeState)]) {
        if let State::Own(world) = &mut self.state {
            world.set_states(states.iter().copied());
        }
    }

    /// Simulates the world from now on, even if it still equals the tape's; returns the simulated world.
    pub(crate) fn own(&mut self, tape: &Tape) -> &mut World {
        if let State::OfTape { since, .. } = &self.state {
            self.state = State::Own(Box::new(tape.go_on_from(since, self.tick)));
        }
        match &mut self.state {
            State::Own(world) => world,
            State::OfTape { .. } => unreachable!("it was just made its own"),
        }
    }
}

/// Simulates one step of a world, and numbers the new state `tick`. The wobble of the hovering player depends on the number.
pub(crate) fn step_to(world: &mut World, tick: u64, inputs: impl Into<Inputs>) {
    world.set_tick(tick - 1);
    world.step(inputs);
}
