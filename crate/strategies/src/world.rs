//! The world that a receiver simulates with.

use snapshot_codec::CubeState;

/// A simulation that is lent to a receiver at each tick. The receiver never owns it, so it can hold no truth.
///
/// Two worlds of equal state must stay equal, bit for bit, when both are given the same calls.
pub trait World {
    /// Ticks simulated so far.
    fn tick(&self) -> u64;

    /// Every cube after that tick.
    fn states(&self) -> &[CubeState];

    /// Simulates one step with these six bits of input, and numbers the result `tick`. Ticks between are left out.
    fn step_to(&mut self, tick: u64, input: u8);

    /// Replaces the state of these cubes, by index. `interacting` is left to the world.
    fn set_states(&mut self, states: &[(usize, CubeState)]);
}

/// No world: a receiver of snapshots needs none, and never calls it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorld;

impl World for NoWorld {
    fn tick(&self) -> u64 {
        0
    }

    fn states(&self) -> &[CubeState] {
        &[]
    }

    fn step_to(&mut self, _tick: u64, _input: u8) {}

    fn set_states(&mut self, _states: &[(usize, CubeState)]) {}
}
