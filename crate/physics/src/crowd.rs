//! A crowd: 99 scripted players beside the first one, spread over a plane of small cubes.
//!
//! A player of the crowd stays about its place: it rolls to a point, and after some seconds to the next, or stands. Its
//! keys depend on seed, tick and its own state alone. So each copy of a world continues with the same crowd, from any tick.

#![cfg_attr(not(feature = "rapier"), allow(dead_code, reason = "nobody drives"))]

use crate::input::Input;
use crate::scene::arrows;
use snapshot_base::random::KeyedDraw;
use snapshot_base::time::TICKS_PER_S;
use snapshot_codec::CubeState;

/// Number of players in a world with a crowd, the first player included.
pub const CROWD_PLAYERS: usize = 100;
/// Number of scripted players beside the first.
pub(crate) const CROWD_OTHERS: usize = CROWD_PLAYERS - 1;
/// Distance between neighbouring small cubes in a world with a crowd, m. 30 a side span 180 m.
pub(crate) const CROWD_SPACING_M: f32 = 6.0;

/// Number of players' places along a side of the plane.
const PLACES_ALONG: usize = 10;
/// Greatest distance of a player's goal from its place, m along each axis.
const ROAM_M: f64 = 14.0;
/// Speed at which a player rolls, m/s.
const SPEED: f32 = 7.0;
/// Time between two goals, ticks.
const ROUND_TICKS: u64 = 3 * TICKS_PER_S as u64;
/// Share of the rounds in which a player stands.
const STANDS: f64 = 0.3;
/// Share of the rounds in which a player hovers and pushes.
const PUSHES: f64 = 0.1;
const RANDOM_USE: u32 = 3;

/// Returns the place of a player of the crowd, m. `other` counts the players from 0; the plane has `grid_side` small cubes
/// a side.
pub(crate) fn place_m(other: usize, grid_side: u32) -> [f32; 2] {
    let cell_m = grid_side as f32 * CROWD_SPACING_M / PLACES_ALONG as f32;
    // Half the spacing aside, so that no player falls onto a cube of an even grid.
    let along = |place: usize| {
        (place as f32 - (PLACES_ALONG - 1) as f32 * 0.5) * cell_m + 0.5 * CROWD_SPACING_M
    };
    [along(other % PLACES_ALONG), along(other / PLACES_ALONG)]
}

/// Returns a player's keys for the tick after `cube`, the player's present state. `other` counts the players of the crowd
/// from 0.
pub(crate) fn crowd_keys(
    seed: u32,
    tick: u64,
    other: usize,
    grid_side: u32,
    cube: &CubeState,
) -> Input {
    let draw = KeyedDraw::new(seed, RANDOM_USE).with(other as u64);
    // Players turn at different ticks.
    let phase = (draw.with(u64::MAX).unit() * ROUND_TICKS as f64) as u64;
    let round = draw.with((tick + phase) / ROUND_TICKS);
    let mood = round.with(2).unit();
    if mood < STANDS {
        return Input::NONE;
    }
    let place = place_m(other, grid_side);
    let along = |axis: usize| place[axis] + round.with(axis as u64).between(-ROAM_M, ROAM_M) as f32;
    let push = match mood > 1.0 - PUSHES {
        true => Input::PUSH,
        false => Input::NONE,
    };
    arrows(cube, [along(0), along(1)], SPEED) | push
}

#[cfg(all(test, feature = "rapier"))]
mod tests {
    use super::*;
    use crate::input::Inputs;
    use crate::world::{World, WorldSettings};

    fn settings(crowd_seed: Option<u32>) -> WorldSettings {
        WorldSettings {
            crowd_seed,
            ..WorldSettings::default()
        }
    }

    #[test]
    fn a_crowd_is_a_hundred_players_among_a_thousand_cubes_that_stay_apart_and_move() {
        let mut world = World::new(&settings(Some(1)));
        assert_eq!(world.cube_count(), 1000);
        let players = || (0..1000).filter(|&index| settings(Some(1)).is_player(index, 1000));
        assert_eq!(players().count(), CROWD_PLAYERS);
        let before = world.truth().to_vec();
        let (mut moving, ticks) = (0, 10 * TICKS_PER_S);
        for _ in 0..ticks {
            world.step(Input::NONE);
            let truth = world.truth();
            moving += truth.iter().filter(|cube| !cube.at_rest).count();
        }
        let moving = moving / ticks as usize;
        assert!((80..300).contains(&moving), "{moving}");
        for index in players().skip(1) {
            let (from, to) = (before[index].position, world.truth()[index].position);
            let strays = [0, 1].map(|axis| (to[axis] - from[axis]).abs());
            assert!(strays.iter().all(|m| *m < 25.0), "{index}: {strays:?}");
        }
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_crowd_goes_on_alike_from_a_fork_and_stands_where_its_keys_are_unknown() {
        let mut world = World::new(&settings(Some(3)));
        (0..100).for_each(|_| world.step(Input::RIGHT));
        let mut fork = world.fork();
        let mut other_seed = World::from_cubes(world.truth().to_vec(), &settings(Some(4)), 100);
        for _ in 0..100 {
            world.step(Input::UP);
            fork.step(Input::UP);
            other_seed.step(Input::UP);
        }
        assert_eq!(world.checksum(), fork.checksum());
        assert_ne!(world.state_hash(), other_seed.state_hash());
        let idle = Inputs {
            is_crowd_idle: true,
            ..Inputs::default()
        };
        (0..600).for_each(|_| fork.step(idle));
        let moves = |cube: &&CubeState| !cube.at_rest;
        assert_eq!(fork.truth().iter().filter(moves).count(), 0);
    }
}
