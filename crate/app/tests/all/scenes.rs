//! Traffic of the scripted scenes: at the pace of the articles.

use snapshot_app::Lab;
use snapshot_physics::Input;
use snapshot_settings::permalink;

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
