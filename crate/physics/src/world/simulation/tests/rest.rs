//! Cubes that fall asleep, and those that interact.

use super::*;

#[test]
fn a_cube_that_is_still_for_a_tenth_of_a_second_sleeps() {
    // The player alone on the floor, tipped a little so that it has to settle.
    let mut world = with_cubes(&[[0.0, 0.0, 0.9]]);
    run(&mut world, Input::RIGHT, 2);
    let (mut still_ticks, mut ticks) = (0, 0);
    while !world.truth()[0].at_rest {
        world.step(Input::NONE);
        let player = world.truth()[0];
        let still = length(player.linear_velocity) < REST_LINEAR_SPEED
            && length(player.angular_velocity) < REST_ANGULAR_SPEED;
        still_ticks = if still { still_ticks + 1 } else { 0 };
        ticks += 1;
        assert!(ticks < 300, "never rests");
    }
    // Rapier acts on the decision in the step after it.
    assert_eq!(still_ticks, u32::from(REST_TICKS) + 1);
}

#[test]
fn a_world_written_to_every_tick_still_sleeps() {
    let mut world = World::new(&WorldSettings {
        grid_side: 5,
        ..WorldSettings::default()
    });
    let quantise = |value: f32| libm::floorf(value * 4096.0 + 0.5) / 4096.0;
    for tick in 0..600 {
        for index in 0..world.cube_count() {
            if !world.simulation.rest.is_at_rest(index) {
                let position = Vector::from_array(world.truth()[index].position.map(quantise));
                let body = world.simulation.physics.body_mut(index);
                body.set_translation(position, false);
            }
        }
        let is_driven = tick < 120;
        world.step(if is_driven { Input::RIGHT } else { Input::NONE });
    }
    assert!(world.truth().iter().all(|cube| cube.at_rest));
}

#[test]
fn interacting_spreads_through_touching_cubes() {
    let row = |x: f32| [x, 0.0, CUBE_HALF_SIZE_M];
    // The player is driven into a row of three that touch; a fourth stands apart.
    let mut world = with_cubes(&[
        [0.0, 0.0, PLAYER_HALF_SIZE_M],
        row(1.2),
        row(1.6),
        row(2.0),
        row(9.0),
    ]);
    run(&mut world, Input::RIGHT, 40);
    let interacting: Vec<bool> = world.truth().iter().map(|cube| cube.interacting).collect();
    assert_eq!(interacting, [true, true, true, true, false]);
}

#[test]
fn a_sleeping_cube_turns_interacting_but_passes_nothing_on() {
    let row = |x: f32| [x, 0.0, CUBE_HALF_SIZE_M];
    let mut world = with_cubes(&[[0.0, 0.0, PLAYER_HALF_SIZE_M], row(0.95), row(1.35)]);
    run(&mut world, Input::NONE, 1);
    assert!(world.truth().iter().all(|cube| cube.at_rest));
    let interacting: Vec<_> = world.truth().iter().map(|cube| cube.interacting).collect();
    assert_eq!(interacting, [true, true, false]);
}

#[test]
fn interacting_fades_a_hundred_ticks_after_a_cube_fell_asleep() {
    let mut world = settled();
    let mut asleep_red = vec![0; world.cube_count()];
    let mut faded = 0;
    for tick in 0..600 {
        let before = world.truth().to_vec();
        world.step(if tick < 60 { Input::PUSH } else { Input::NONE });
        for (index, cube) in world.truth().iter().enumerate().skip(1) {
            let touches_player = world
                .simulation
                .physics
                .touching(index)
                .any(|other| other == 0);
            if cube.at_rest && cube.interacting && !touches_player {
                asleep_red[index] += 1;
            } else if before[index].interacting && !cube.interacting {
                assert_eq!(asleep_red[index], 100, "cube {index}");
                faded += 1;
            } else {
                asleep_red[index] = 0;
            }
        }
    }
    assert!(faded > 8, "{faded}");
}
