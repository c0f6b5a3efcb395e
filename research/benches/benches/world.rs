//! Time of a tick of the world alone: at rest, rolling, hovering, and with a katamari ball on the move. Also that of a tick
//! of the lab with two such worlds, in lockstep with their checksums and in state synchronisation.

use criterion::{Criterion, criterion_group, criterion_main};
use snapshot_app::Lab;
use snapshot_physics::Input;
use snapshot_physics::scene::{SceneKind, Script};
use snapshot_physics::world::{World, WorldSettings};
use snapshot_settings::permalink;

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

fn two_worlds(criterion: &mut Criterion) {
    for strategy in ["lockstep", "sync"] {
        let (settings, _) = permalink::parse(&format!("#strategy={strategy}&scene=katamari"));
        let mut lab = Lab::new(settings);
        (0..1700).for_each(|_| lab.tick(Input::NONE));
        lab.take_over();
        criterion.bench_function(&format!("tick/katamari, {strategy}"), |bencher| {
            bencher.iter(|| lab.tick(Input::PULL));
        });
    }
    let (world, _) = played(SceneKind::Katamari, 1700);
    criterion.bench_function("checksum/katamari", |bencher| {
        bencher.iter(|| world.checksum());
    });
}

criterion_group!(benches, step, two_worlds);
criterion_main!(benches);
