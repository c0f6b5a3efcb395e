//! Results of the scripted scenes: the same state on every machine, and traffic at the pace of the articles.

use std::fmt::Write;

use snapshot_app::Lab;
use snapshot_physics::Input;
use snapshot_physics::scene::{SceneKind, Script};
use snapshot_physics::world::{World, WorldSettings};
use snapshot_settings::permalink;

/// A line a scene: its name and `World::state_hash` in hex after 600 ticks, seed 1, the default grid. Every build checks
/// itself against this one file: debug, release and wasm.
const STATE_HASHES: &str = include_str!("../state-hashes.txt");

#[test]
fn every_scene_reaches_its_known_state_after_600_ticks() {
    let mut actual = String::new();
    for kind in SceneKind::ALL {
        let settings = WorldSettings::default();
        let mut world = World::new(&settings);
        let mut script = Script::new(kind, 1, settings.grid_side);
        for _ in 0..600 {
            let input = script.next(world.truth());
            world.step(input);
        }
        writeln!(actual, "{} {:016x}", kind.name(), world.state_hash()).unwrap();
    }
    assert_eq!(
        actual, STATE_HASHES,
        "if the world was meant to change, state-hashes.txt becomes:\n{actual}"
    );
}

/// Mean kbit/s of `mixed`, headers of IPv4 and UDP counted, on the last bit-packed rung.
fn mixed_kbps(seed: u32) -> f64 {
    let link = format!("#v=1&hz=60&codec=changed-flags&latency=50&loss=5&scene=mixed&seed={seed}");
    let (settings, notices) = permalink::parse(&link);
    assert!(notices.is_empty(), "{notices:?}");
    let mut lab = Lab::new(settings);
    for _ in 0..47 * 60 {
        lab.tick(Input::NONE);
    }
    lab.report().kbps_mean
}

#[test]
fn mixed_is_paced_to_stay_below_256_kbps() {
    let kbps = mixed_kbps(1);
    assert!((225.0..255.0).contains(&kbps), "{kbps}");
}

#[test]
fn mixed_of_other_seeds_stays_near() {
    for seed in 2..=4 {
        let kbps = mixed_kbps(seed);
        println!("seed {seed}: {kbps:.1} kbit/s");
        assert!((200.0..280.0).contains(&kbps), "seed {seed}: {kbps}");
    }
}
