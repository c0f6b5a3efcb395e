//! The context that the already coded part of a packet gives for the next cube.

use super::neighbours::Neighbours;
use crate::model::rotation::{Quaternion, Vector3, dot, subtract};

/// Distance from the player that every cube counts as having in a world without a player: 64 m, in 1/512 m.
const NO_PLAYER_DISTANCE: f32 = 32_768.0;

/// Context for coding the next cube, from the part of the packet that is already coded.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) ticks: u16,
    pub(crate) neighbours: Neighbours,
    /// Position of the player in the baseline, if there is a player, and the player's motion since.
    pub(crate) player_place: Option<Vector3>,
    pub(crate) player_moved: Vector3,
    pub(crate) player_turned: Vector3,
    pub(crate) player_rotation: Quaternion,
    /// Running means of the log2 of the prediction errors of position and orientation.
    pub(crate) recent_errors: [f32; 2],
    /// A bit for each of the last coded cubes: 1 for changed, the newest in the lowest bit.
    pub(crate) recent_changes: usize,
}

impl Scene {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            ticks: 0,
            neighbours: Neighbours::new(cube_count),
            player_place: None,
            player_moved: [0.0; 3],
            player_turned: [0.0; 3],
            player_rotation: [0.0, 0.0, 0.0, 1.0],
            recent_errors: [0.0; 2],
            recent_changes: 0,
        }
    }

    /// Resets the scene for a packet. The first cube is the player, if there is a player.
    pub(crate) fn begin(&mut self, ticks: u16, player_place: Option<Vector3>) {
        self.ticks = ticks;
        self.neighbours.clear();
        self.player_place = player_place;
        self.player_moved = [0.0; 3];
        self.player_turned = [0.0; 3];
        self.player_rotation = [0.0, 0.0, 0.0, 1.0];
        self.recent_errors = [3.0; 2];
        self.recent_changes = 0;
    }

    /// Returns the sum of the squared distances of `place` from the player's old and new position. Without a player it is the
    /// same for every place.
    pub(crate) fn square_from_player(&self, place: Vector3) -> f32 {
        let Some(player_place) = self.player_place else {
            return 2.0 * NO_PLAYER_DISTANCE * NO_PLAYER_DISTANCE;
        };
        let before = subtract(place, player_place);
        let after = subtract(before, self.player_moved);
        dot(before, before) + dot(after, after)
    }
}
