//! The right world of lockstep, and the ways to make it err on purpose.

use super::Observer;
use crate::step_to;
use snapshot_codec::CubeState;
use snapshot_physics::Input;
use snapshot_physics::world::World;
use snapshot_settings::Desync;

/// Frames after which one bit of the world is disturbed: a second of agreement is seen first, and the player is about to
/// land.
const DISTURBED_AFTER_FRAMES: u64 = 60;

/// The right world.
pub(crate) struct RightWorld {
    world: World,
    desync: Desync,
    frames_stepped: u64,
}

impl RightWorld {
    /// Forks the left world, and prepares the error that `desync` asks for.
    pub(super) fn new(world: &World, desync: Desync) -> RightWorld {
        RightWorld {
            world: match desync {
                Desync::None | Desync::Bit => world.fork(),
                Desync::Order => world.reinserted(),
            },
            desync,
            frames_stepped: 0,
        }
    }

    /// Lends the world to the receiver for a tick. `observer` is told of each of its frames, and `mismatches` counts
    /// those whose input was not the left one's.
    pub(crate) fn lend<'a>(
        &'a mut self,
        observer: &'a mut Observer,
        mismatches: &'a mut u64,
    ) -> LentRightWorld<'a> {
        LentRightWorld {
            right: self,
            observer,
            mismatches,
        }
    }

    /// Memory that it takes, bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.world.held_bytes()
    }
}

/// The right world in one tick, under the observer's eyes.
pub(crate) struct LentRightWorld<'a> {
    right: &'a mut RightWorld,
    observer: &'a mut Observer,
    mismatches: &'a mut u64,
}

impl snapshot_strategies::World for LentRightWorld<'_> {
    fn tick(&self) -> u64 {
        self.right.world.tick()
    }

    fn states(&self) -> &[CubeState] {
        self.right.world.truth()
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        let right = &mut *self.right;
        if right.desync == Desync::Bit && right.frames_stepped == DISTURBED_AFTER_FRAMES {
            right.world.disturb_one_bit();
        }
        step_to(&mut right.world, tick, input);
        right.frames_stepped += 1;
        let input = Input::from_bits(input);
        let as_pressed = self.observer.stepped_right(tick, input, &right.world);
        *self.mismatches += u64::from(!as_pressed);
    }

    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        self.right.world.set_states(states.iter().copied());
    }
}
