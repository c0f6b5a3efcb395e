//! Time of a tick of the world alone: at rest, rolling, hovering, and with a katamari ball on the move.

use criterion::{Criterion, criterion_group, criterion_main};
use snapshot_lab::Input;
use snapshot_lab::scene::{SceneKind, Script};
use snapshot_lab::world::{World, WorldSettings};

/// A world after `ticks` of a scene.
fn played(kind: SceneKind, ticks: u32) -> (World, Script) {
    let settings = WorldSettings::default();
    let mut world = World::new(&settings);
    let mut script = Script::new(kind, 1, settings.grid_side);
    for _ in 0..ticks {
        let input = script.next(world.truth());
        world.step(input);
    }
    (world, script)
}

fn step(criterion: &mut Criterion) {
    for (name, kind, ticks, held) in [
        ("at rest", SceneKind::Drive, 600, Input::NONE),
        ("roll", SceneKind::Roll, 600, Input::NONE),
        ("blow", SceneKind::Blow, 600, Input::PUSH),
        ("katamari", SceneKind::Katamari, 1700, Input::PULL),
    ] {
        let (mut world, mut script) = played(kind, ticks);
        let awake = world.truth().iter().filter(|cube| !cube.at_rest).count();
        criterion.bench_function(&format!("step/{name}, {awake} awake"), |bencher| {
            bencher.iter(|| {
                let input = script.next(world.truth());
                world.step(input | held);
            });
        });
    }
}

criterion_group!(benches, step);
criterion_main!(benches);
