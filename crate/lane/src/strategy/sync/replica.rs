//! The receiver's world of state synchronisation, lent to the receiver for a tick.

use crate::tape_world::TapeWorld;
use snapshot_codec::CubeState;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;

/// The receiver's world, with the tape. While the world equals the tape's, its states are read from the tape.
pub(crate) struct LentReplica<'a> {
    pub(super) world: &'a mut TapeWorld,
    pub(super) tape: &'a Tape,
}

impl crate::strategy::World for LentReplica<'_> {
    fn tick(&self) -> u64 {
        self.world.tick()
    }

    fn states(&self) -> &[CubeState] {
        self.world.truth()
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        self.world
            .step_to(self.tape, tick, Input::from_bits(input).into());
    }

    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        self.world.set_states(self.tape, states);
    }
}
