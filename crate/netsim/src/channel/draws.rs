//! The random numbers of one direction of a link: a stream for each use.

use snapshot_base::random::KeyedDraw;

/// Uses of random numbers. A use keeps its number for ever: with another one each seed gives another network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use {
    Loss = 0,
    Jitter = 1,
    Duplication = 2,
    Reordering = 3,
    Retransmission = 4,
    Correlation = 5,
    Survival = 6,
    Stalls = 7,
    Neighbour = 8,
}

/// The random numbers of a direction under a seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    pub(super) seed: u32,
    pub(super) direction: u32,
}

impl Draws {
    /// Returns the random number of a use. No other use has the same.
    pub(super) fn of(self, of: Use) -> KeyedDraw {
        KeyedDraw::new(self.seed, 0x100 + 0x10 * self.direction + of as u32)
    }
}
