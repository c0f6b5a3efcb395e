//! The settings that a world is made from.

use super::constants::*;
use crate::crowd::{CROWD_OTHERS, CROWD_SPACING_M};
use snapshot_codec::Grid;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldSettings {
    /// Number of cubes along a side of the grid, 5 to 60; other values are clamped to that range.
    pub grid_side: u32,
    pub contacts: Contacts,
    /// Grid to which every moving cube is rounded after each step: the sent state is then the simulated one. `None` to
    /// simulate exact states.
    pub on_grid: Option<Grid>,
    /// Driver of a second large cube, which is the last and starts beside the player.
    pub rival: Rival,
    /// Seed of a crowd: 99 further players, which come after the grid, on a wider grid. `None` without a crowd.
    pub crowd_seed: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// Nobody: there is no second large cube.
    None,
    /// The script [`crate::scene::rival_keys`] drives it.
    Script,
    /// A person's second hand drives it.
    Hand,
}

impl Rival {
    /// All kinds of rival, in the order of the settings.
    pub const ALL: [Rival; 3] = [Rival::None, Rival::Script, Rival::Hand];
}

/// The speed at which overlapping cubes are pushed apart. An update can make cubes overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contacts {
    /// The speed at which piles settle and look best while no update changes cubes.
    Usual,
    Soft,
    /// Overlapping cubes are pushed apart at once, which flings them away.
    Stiff,
}

impl WorldSettings {
    pub(super) fn grid_side(&self) -> u32 {
        self.grid_side.clamp(GRID_SIDE_MIN, GRID_SIDE_MAX)
    }

    /// Distance between neighbouring small cubes of the grid, m.
    pub(super) fn spacing_m(&self) -> f32 {
        match self.crowd_seed {
            Some(_) => CROWD_SPACING_M,
            None => GRID_SPACING_M,
        }
    }

    /// Length of the grid's side, m.
    pub fn grid_m(&self) -> f32 {
        self.grid_side as f32 * self.spacing_m()
    }

    /// Returns true if keys steer the cube: the first of `cube_count` cubes, the crowd, and a rival, which is the last.
    pub fn is_player(&self, index: usize, cube_count: usize) -> bool {
        index == 0
            || self.rival_among(cube_count) == Some(index)
            || self.crowd_among(cube_count).contains(&index)
    }

    /// Returns the indices of the crowd's players beside the first; an empty range without a crowd.
    pub fn crowd_among(&self, cube_count: usize) -> Range<usize> {
        let end = cube_count - usize::from(self.rival != Rival::None && cube_count > 0);
        end.saturating_sub(self.crowd_others())..end
    }

    /// Number of players beside the first and the rival.
    pub fn crowd_others(&self) -> usize {
        self.crowd_seed.map_or(0, |_| CROWD_OTHERS)
    }

    pub fn rival_among(&self, cube_count: usize) -> Option<usize> {
        (self.rival != Rival::None).then_some(cube_count - 1)
    }

    /// Half the edge of a cube, m; the last of `cube_count` cubes may be a rival.
    pub fn half_size_m(&self, index: usize, cube_count: usize) -> f32 {
        if self.is_player(index, cube_count) {
            PLAYER_HALF_SIZE_M
        } else {
            CUBE_HALF_SIZE_M
        }
    }
}

impl Default for WorldSettings {
    fn default() -> Self {
        WorldSettings {
            grid_side: GRID_SIDE_DEFAULT,
            contacts: Contacts::Usual,
            on_grid: None,
            rival: Rival::None,
            crowd_seed: None,
        }
    }
}
