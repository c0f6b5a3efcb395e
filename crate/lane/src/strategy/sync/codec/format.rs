//! The settings that both ends of state synchronisation agree on out of band.

use snapshot_codec::{ConfigError, Grid, QuantisationBits};

/// Switches for two kinds of compression beyond quantising.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compression {
    /// True if cubes near the player are sent relative to the player.
    pub relative: bool,
    /// True if cubes are sent relative to their last acknowledged state.
    pub delta: bool,
}

/// The format of state synchronisation: the grid of the sent states, and the compression. If the grid has no velocities,
/// the receiver keeps the velocities of its simulation. If it has no player, no cube is sent relative to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyncFormat {
    pub grid: Grid,
    pub compression: Compression,
}

impl SyncFormat {
    /// Makes a format of 1 to 4096 cubes, with the articles' bounds and with cube 0 as the player.
    ///
    /// # Errors
    /// When `cube_count` is not 1 to 4096.
    pub fn new(
        bits: QuantisationBits,
        cube_count: usize,
        compression: Compression,
        velocities: bool,
    ) -> Result<Self, ConfigError> {
        let grid = Grid::new(bits, cube_count, velocities)?;
        Ok(Self { grid, compression })
    }

    /// Returns a cube's rank in the order of updates: the player first, then the other cubes by index.
    pub(super) fn rank(&self, index: usize) -> usize {
        if self.grid.player() == Some(index) {
            0
        } else {
            1 + index
        }
    }
}
