//! Interpolation held to the original's own motion, which is not part of the project.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use lzma_rust2::XzReader;
use snapshot_codec::{CubeState, Life};
use snapshot_lane::Lane;
use snapshot_lane::measure::report::Report;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;
use std::io::Read;
use std::path::Path;

const CUBES: usize = 901;
/// Little-endian f32 of a cube: position, orientation, linear and angular velocity, interacting.
const FLOATS: usize = 14;

/// The first 1200 ticks of the original's `mixed`, tick by tick.
fn captured() -> Vec<Vec<CubeState>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/mixed-1200.f32.xz");
    let mut bytes = Vec::new();
    XzReader::new(std::fs::File::open(path).unwrap(), true)
        .read_to_end(&mut bytes)
        .unwrap();
    let floats: Vec<f32> = bytes
        .chunks_exact(4)
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let cube = |f: &[f32]| CubeState {
        position: [f[0], f[1], f[2]],
        orientation: [f[3], f[4], f[5], f[6]],
        linear_velocity: [f[7], f[8], f[9]],
        angular_velocity: [f[10], f[11], f[12]],
        interacting: f[13] != 0.0,
        at_rest: f[7..13].iter().all(|&speed| speed == 0.0),
        life: Life::default(),
    };
    let cubes: Vec<CubeState> = floats.chunks_exact(FLOATS).map(cube).collect();
    cubes.chunks_exact(CUBES).map(<[_]>::to_vec).collect()
}

fn report(link: &str, truth: &[Vec<CubeState>]) -> Report {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    let mut tape = Tape::new(&settings);
    let mut lane = Lane::new(&settings.lane(), tape.world());
    truth.iter().for_each(|truth| tape.add_recorded(truth));
    let mut frames = tape.frames_after(0);
    while let Some(frame) = frames.next() {
        lane.tick(&frame);
    }
    Report::new(&lane.figures(), 0)
}

/// Figures of an independent implementation at 10/s without loss, rms over interacting cubes: none 296 mm, linear 23.6,
/// Catmull-Rom 15.2, hermite 10.4.
#[test]
#[ignore = "needs whole captures: cargo xtask captures"]
fn errors_are_those_of_an_independent_implementation() {
    let truth = captured();
    for (link, expected_mm) in [
        ("interp=none&codec=uncompressed", 296.0),
        ("interp=linear&codec=uncompressed", 23.6),
        ("interp=hermite&codec=position&pos=12", 15.2),
        ("interp=hermite&codec=uncompressed", 10.4),
    ] {
        let report = report(&format!("#hz=10&loss=0&jitter=0&{link}"), &truth);
        let rms_mm = report.position_error_mm.rms;
        println!("{link}: {rms_mm:.2} mm against {expected_mm}");
        assert!(
            (rms_mm / expected_mm - 1.0).abs() < 0.05,
            "{link}: {rms_mm} mm against {expected_mm}"
        );
        assert_eq!(report.decode_mismatches, 0);
    }
}
