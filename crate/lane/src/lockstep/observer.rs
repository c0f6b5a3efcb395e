//! The left world's frames, held against those of the right one.

use crate::measure::metrics::ObserverFigures;
use snapshot_physics::input::Input;
use snapshot_physics::world::World;
use snapshot_record::tape::Frame;
use std::collections::VecDeque;

/// Sees both worlds of lockstep.
#[derive(Default)]
pub(crate) struct Observer {
    /// The expected states of the right world, for the frames that it has not reached, oldest first.
    expected: VecDeque<Expected>,
    figures: ObserverFigures,
}

struct Expected {
    input: Input,
    checksum: Option<u64>,
}

impl Observer {
    /// The observer's figures since the lane's start.
    pub(crate) fn figures(&self) -> &ObserverFigures {
        &self.figures
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.expected.capacity() * size_of::<Expected>()
    }

    /// The left world has stepped a frame whose input will be sent: not for ever, as the sender gives up.
    pub(crate) fn stepped_left(&mut self, frame: &Frame<'_>) {
        self.expected.push_back(Expected {
            input: frame.input,
            checksum: frame.checksum,
        });
    }

    /// Notes that the right world has stepped a frame; says whether the input was the left world's.
    pub(crate) fn stepped_right(&mut self, frame: u64, input: Input, world: &World) -> bool {
        let Some(expected) = self.expected.pop_front() else {
            return true;
        };
        if let Some(checksum) = expected.checksum {
            self.figures.frames_checked += 1;
            if checksum != world.checksum() {
                self.figures.first_desync_frame.get_or_insert(frame);
            }
        }
        input == expected.input
    }
}
