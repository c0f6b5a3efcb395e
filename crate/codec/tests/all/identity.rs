//! Whole turns of a format with an exact identity.

use snapshot_codec::{CubeState, Format, QuantisationBits, Rung};

/// The angle between two rotations, degrees.
fn angle(a: [f32; 4], b: [f32; 4]) -> f64 {
    let [a, b] = [a, b].map(|q| q.map(f64::from));
    let length = |q: [f64; 4]| q.iter().map(|c| c * c).sum::<f64>().sqrt();
    // By the sine of the half angle: the cosine has no digits left near 1.
    let sign = if a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
        -1.0
    } else {
        1.0
    };
    let apart: [f64; 4] = std::array::from_fn(|i| a[i] / length(a) - sign * b[i] / length(b));
    4.0 * libm::asin(length(apart) / 2.0).to_degrees()
}

#[test]
fn an_exact_identity_brings_whole_turns_back() {
    for component_bits in 2..=16 {
        let bits = QuantisationBits::new(9, component_bits, 5).unwrap();
        let format = Format::new(Rung::ChangedFlags, bits, 1).unwrap();
        let exact = format.with_exact_identity(true);
        let seen = |format: Format, orientation| {
            let state = CubeState {
                orientation,
                ..CubeState::default()
            };
            format.dequantise(&format.quantise(&state)).orientation
        };
        let identity = [0.0, 0.0, 0.0, 1.0];
        assert_eq!(seen(exact, identity), identity);
        let tilted = angle(seen(format, identity), identity);
        assert!(tilted > 0.001, "{component_bits} {tilted}");
        if component_bits == 9 {
            assert!((0.26..0.28).contains(&tilted), "{tilted}");
        }
        for axis in 0..3 {
            let mut half = [0.0; 4];
            half[axis] = 1.0;
            assert_eq!(seen(exact, half), half);
            for sign in [-1.0, 1.0] {
                let mut quarter = [0.0, 0.0, 0.0, 0.5_f32.sqrt()];
                quarter[axis] = sign * 0.5_f32.sqrt();
                let off = angle(seen(exact, quarter), quarter);
                assert!(off < 0.0001, "{component_bits} {off}");
            }
        }
    }
}
