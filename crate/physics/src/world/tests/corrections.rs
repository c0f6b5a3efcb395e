//! Cubes that are put somewhere from outside: on the grid, and by updates.

use super::*;
use snapshot_codec::QuantisationBits;
use snapshot_strategies::sync::{Compression, Format};

#[test]
fn on_the_grid_everything_sleeps_on_it_and_is_left_alone() {
    let grid_side = 12;
    let cube_count = 1 + (grid_side * grid_side) as usize;
    let grid = Format::new(
        QuantisationBits::DEFAULT,
        cube_count,
        Compression::default(),
        true,
    )
    .unwrap();
    let settings = WorldSettings {
        grid_side,
        contacts: Contacts::Soft,
        on_grid: Some(grid),
    };
    let mut world = World::new(&settings);
    for leg in [
        Input::PULL,
        Input::PULL | Input::UP,
        Input::PULL | Input::RIGHT,
    ] {
        run(&mut world, leg, 60);
        for cube in world.truth() {
            assert_eq!(grid.snap(cube), *cube);
        }
    }
    let awake = world.truth().iter().filter(|cube| !cube.at_rest).count();
    assert!(awake > 3, "{awake}");
    run(&mut world, Input::NONE, 300);
    assert!(world.truth().iter().all(|cube| cube.at_rest));
    let before: Vec<_> = world.truth().iter().map(|cube| cube.position).collect();
    run(&mut world, Input::NONE, 60);
    let after: Vec<_> = world.truth().iter().map(|cube| cube.position).collect();
    assert_eq!(after, before);
}

#[test]
fn a_cube_that_is_set_to_rest_lies_exactly_there_and_wakes_nobody() {
    let mut world = settled();
    let mut moved = world.truth()[500];
    moved.position[0] += 0.31;
    let mut awake = world.truth()[700];
    (awake.at_rest, awake.linear_velocity[2]) = (false, 3.0);
    world.set_states([(500, moved), (700, awake)]);
    let mut top = 0.0_f32;
    for tick in 0..15 {
        world.step(Input::NONE);
        top = top.max(world.truth()[700].position[2]);
        assert_eq!(world.truth()[500], moved, "{tick}");
        let awake: Vec<usize> = (0..901).filter(|&i| !world.truth()[i].at_rest).collect();
        assert_eq!(awake, [700], "{tick}");
    }
    assert!(top > 0.3, "{top}");
}

#[test]
fn cubes_in_flight_that_are_set_to_rest_lie_exactly_there() {
    let mut world = settled();
    let lying = world.truth().to_vec();
    run(&mut world, Input::PUSH, 60);
    let flying: Vec<usize> = (1..world.cube_count())
        .filter(|&index| !world.truth()[index].at_rest)
        .collect();
    assert!(flying.len() >= 12, "{flying:?}");
    world.set_states(flying.iter().map(|&index| (index, lying[index])));
    let [x, y, _] = world.truth()[0].position;
    let across = |cube: &CubeState| libm::hypotf(cube.position[0] - x, cube.position[1] - y);
    let mut compared = 0;
    // Then the player has sunk back upon those below it, and wakes them.
    for tick in 0..15 {
        world.step(Input::NONE);
        for &index in flying.iter().filter(|&&index| across(&lying[index]) > 1.5) {
            let expected = CubeState {
                interacting: world.truth()[index].interacting,
                ..lying[index]
            };
            assert_eq!(world.truth()[index], expected, "{tick}");
            compared += 1;
        }
    }
    assert!(compared >= 100, "{compared}");
    let held = (0..world.cube_count()).filter(|&index| world.rest.is_held(index));
    assert_eq!(held.count(), 0, "rapier lets them sleep");
}

#[test]
fn cubes_put_into_each_other_are_pushed_apart_gently_only_by_soft_contacts() {
    let fastest = |contacts: Contacts| {
        let row = |x: f32| [x, 0.0, CUBE_HALF_SIZE_M];
        let mut world = with_contacts(&[[9.0, 0.0, 0.75], row(2.0), row(4.0)], contacts);
        let at = |index: usize, x: f32| CubeState {
            position: row(x),
            at_rest: false,
            ..world.truth()[index]
        };
        let overlapping = [(1, at(1, 0.0)), (2, at(2, 0.3))];
        world.set_states(overlapping);
        // What pushes them apart is no velocity that stays: they are moved.
        let mut moved = 0.0_f32;
        for _ in 0..30 {
            let before = world.truth()[1].position[0];
            world.step(Input::NONE);
            moved = moved.max((world.truth()[1].position[0] - before).abs());
        }
        moved / TICK_S
    };
    let [soft, usual, stiff] = [Contacts::Soft, Contacts::Usual, Contacts::Stiff].map(fastest);
    assert!(
        soft < usual && usual < stiff && stiff > 2.0 * soft,
        "{soft} {usual} {stiff} m/s"
    );
}
