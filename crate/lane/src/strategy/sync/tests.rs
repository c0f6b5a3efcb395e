//! State synchronisation in a lane: a cut heals.

use crate::Lane;
use crate::played;
use crate::strategy::strategy_ends::StrategyEnds;
use crate::strategy::sync::ends::SyncEnds;
use crate::tape_world::TapeWorld;
use glam::Vec3;
use snapshot_codec::CubeState;
use snapshot_physics::Input;
use snapshot_physics::world::World;
use snapshot_record::tape::Tape;

fn ends(lane: &Lane) -> &SyncEnds {
    match &lane.ends {
        StrategyEnds::Sync(ends) => ends,
        _ => panic!("a lane of state synchronisation"),
    }
}

fn right_world(lane: &Lane) -> &TapeWorld {
    &ends(lane).world
}

fn held_input(lane: &Lane) -> Input {
    Input::from_bits(ends(lane).receiver.held_input())
}

/// The smoothed error of each cube: the shown place less the simulated place.
fn offsets_m(lane: &Lane, world: &World) -> Vec<Vec3> {
    let cubes = lane.poses.iter().zip(world.truth());
    cubes
        .map(|(shown, cube)| Vec3::from_array(shown.position) - Vec3::from_array(cube.position))
        .collect()
}

/// A person who drives about, and lets go after 8 s.
fn person(tick: u64) -> Input {
    let legs = [
        Input::RIGHT,
        Input::PUSH | Input::UP,
        Input::PULL | Input::LEFT,
        Input::PULL | Input::DOWN,
        Input::PUSH,
    ];
    match tick {
        0..480 => legs[(tick / 40) as usize % legs.len()],
        _ => Input::NONE,
    }
}

/// The network is cut from 6 s to 8 s: the right world goes on with the last input that it received.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn after_a_cut_the_view_glides_and_everything_at_rest_is_exact_within_5_s() {
    let settings = played::settings("#strategy=sync&scene=drive&grid=12&rest=1&loss=0");
    let mut tape = Tape::new(&settings);
    let mut lane = Lane::new(&settings.lane(), tape.world());
    let mut truth = tape.world().truth().to_vec();
    let (mut worst_mm, mut glided) = (0.0_f64, 0);
    for tick in 1..=780 {
        tape.step(person(tick), false);
        lane.set_cut((360..480).contains(&tick));
        let mut own = right_world(&lane).fork().own(&tape).fork();
        let offsets_m = offsets_m(&lane, &own);
        lane.tick(&tape.frame(tick, &mut truth).unwrap());
        let right_tick = right_world(&lane).tick();
        if right_tick != own.tick() {
            own.set_tick(right_tick - 1);
            own.step(held_input(&lane));
            for (index, offset_m) in offsets_m.iter().enumerate() {
                let shown = Vec3::from_array(lane.poses[index].position);
                let expected = Vec3::from_array(own.truth()[index].position) + *offset_m;
                let (error_m, jump_m) = (offset_m.length(), shown.distance(expected));
                let is_glide = jump_m <= 0.15 * error_m + 2e-4;
                assert!(is_glide, "{tick}: cube {index} {jump_m} m of {error_m} m");
                glided += u32::from(error_m > 0.1);
            }
        }
        let now = ends(&lane).metrics().divergence_now;
        worst_mm = worst_mm.max(now.max_mm);
        if tick < 360 {
            assert_eq!(now.max_mm, 0.0, "no loss, both sides quantised");
        }
    }
    assert!(worst_mm > 1000.0, "the cut does harm: {worst_mm} mm");
    assert!(glided > 100, "there is something to heal: {glided}");
    let world = tape.world();
    assert!(world.truth().iter().all(|cube| cube.at_rest));
    let now = ends(&lane).metrics().divergence_now;
    assert_eq!((now.at_rest_max_mm, now.at_rest_apart), (0.0, 0));
    let pose = |cube: &CubeState| (cube.position, cube.orientation);
    for (right, left) in right_world(&lane).truth().iter().zip(tape.world().truth()) {
        // The right world itself is corrected.
        assert_eq!(pose(right), pose(left));
    }
}
