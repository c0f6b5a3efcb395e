//! The scripted scenes: traffic at the pace of the articles, and a pile at rest.

use snapshot_app::Lab;
use snapshot_app::lane_run::LaneId;
use snapshot_lane::orientation_error_deg;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;

/// Mean kbit/s of `mixed`, headers of IPv4 and UDP counted, on the last bit-packed rung.
fn mixed_kbps(seed: u32) -> f64 {
    let link = format!("#v=2&hz=60&codec=changed-flags&latency=50&loss=5&scene=mixed&seed={seed}");
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

/// Number of cubes that turn or move in a tick, on average over five seconds in which the pile lies.
fn moving(link: &str) -> f64 {
    const TICKS: u64 = 300;
    let settings = permalink::parse(link).0;
    let mut tape = Tape::record(&settings, 1500);
    let mut moved = 0;
    for _ in 0..TICKS {
        let before = tape.newest().to_vec();
        tape.step(Input::NONE, false);
        let cubes = before.iter().zip(tape.newest());
        moved += cubes
            .filter(|(before, now)| {
                before.position != now.position || before.orientation != now.orientation
            })
            .count();
    }
    moved as f64 / TICKS as f64
}

#[test]
fn a_pile_lies_still_and_coarse_bits_make_it_shiver() {
    assert_eq!(moving("scene=rest&grid=12"), 0.0);
    let coarse = moving("scene=rest&grid=12&strategy=sync&both=1&pos=6&rot=5&vel=4");
    let fine = moving("scene=rest&grid=12&strategy=sync&both=1");
    assert_eq!(fine, 0.0);
    assert!(coarse > 0.5, "{coarse} cubes a tick");
}

/// The most that a cube of the lying pile is turned in the right view, degrees, with snapshots of so many bits.
fn tilt_deg(bits: u32) -> f64 {
    let link = format!("scene=rest&grid=12&codec=changed-flags&pos={bits}&rot={bits}");
    let mut lab = Lab::new(permalink::parse(&link).0);
    for _ in 0..1500 {
        lab.tick(Input::NONE);
    }
    let truth = lab.truth_shown(LaneId::A);
    let tilts = (0..truth.len()).map(|cube| orientation_error_deg(lab.right(), cube, &truth[cube]));
    tilts.fold(0.0, f64::max)
}

#[test]
fn a_lying_pile_is_shown_tilted_by_coarse_bits_only() {
    let (coarse, fine) = (tilt_deg(2), tilt_deg(9));
    assert!(coarse > 5.0, "{coarse} degrees");
    assert!(fine < 0.5, "{fine} degrees");
}
