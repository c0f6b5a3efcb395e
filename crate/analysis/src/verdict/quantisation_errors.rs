//! Quantisation errors of this motion for each possible number of bits.

use glam::Quat;
use serde::Serialize;
use snapshot_codec::quantise::{FixedPoint, SmallestThree};
use snapshot_codec::{Bounds, CubeState};
use snapshot_lane::measure::metrics::Distribution;

/// Range of allowed numbers of fractional bits of a position.
pub(super) const POSITION_BITS: std::ops::RangeInclusive<u32> = 1..=12;
/// Range of allowed numbers of bits of an orientation component.
pub(super) const ORIENTATION_BITS: std::ops::RangeInclusive<u32> = 2..=16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BitsOption {
    /// Number of fractional bits of a position's coordinate, or of bits of an orientation's component.
    pub bits: u32,
    /// Greatest error over all states that moved, mm or degrees.
    pub error_max: f64,
    /// 95th percentile of the error, mm or degrees.
    pub error_p95: f64,
}

pub(super) struct QuantisationErrors {
    positions: Vec<([FixedPoint; 3], Distribution)>,
    orientations: Vec<(SmallestThree, Distribution)>,
}

/// Resolution of the percentiles: number of histogram steps for each mm and each degree.
const STEPS: f64 = 10_000.0;

impl QuantisationErrors {
    pub(super) fn new(bounds: Bounds) -> QuantisationErrors {
        let (lower, upper) = (bounds.lower(), bounds.upper());
        let axis = |bits: u32, axis: usize| FixedPoint::new(lower[axis], upper[axis], bits);
        let axes = |bits: u32| std::array::from_fn(|i| axis(bits, i));
        let components = |bits| SmallestThree::new(bits, false);
        QuantisationErrors {
            positions: (POSITION_BITS)
                .map(|bits| (axes(bits), Distribution::new(STEPS)))
                .collect(),
            orientations: (ORIENTATION_BITS)
                .map(|bits| (components(bits), Distribution::new(STEPS)))
                .collect(),
        }
    }

    pub(super) fn add(&mut self, object: &CubeState) {
        for (axes, errors) in &mut self.positions {
            let off = |(axis, at): (&FixedPoint, f32)| {
                f64::from(axis.dequantise(axis.quantise(at))) - f64::from(at)
            };
            let squares = axes
                .iter()
                .zip(object.position)
                .map(off)
                .map(|off| off * off);
            errors.add(1000.0 * squares.sum::<f64>().sqrt());
        }
        let truth = Quat::from_array(object.orientation);
        for (components, errors) in &mut self.orientations {
            let sent = components.dequantise(components.quantise(object.orientation));
            errors.add(degrees_between(Quat::from_array(sent), truth));
        }
    }

    /// Returns all possible numbers of position bits with their errors, fewest bits first.
    pub(super) fn position_options(&self) -> Vec<BitsOption> {
        let all = self.positions.iter().zip(POSITION_BITS);
        all.map(|((_, errors), bits)| option(bits, errors))
            .collect()
    }

    /// Returns all possible numbers of orientation bits with their errors, fewest bits first.
    pub(super) fn orientation_options(&self) -> Vec<BitsOption> {
        let all = self.orientations.iter().zip(ORIENTATION_BITS);
        all.map(|((_, errors), bits)| option(bits, errors))
            .collect()
    }
}

fn option(bits: u32, errors: &Distribution) -> BitsOption {
    BitsOption {
        bits,
        error_max: errors.max(),
        error_p95: errors.p95(),
    }
}

fn degrees_between(a: Quat, b: Quat) -> f64 {
    let a = if a.dot(b) < 0.0 { -a } else { a };
    // The chord is exact where the arc cosine of a dot product near 1 is not.
    let chord = (a - b).length_squared().sqrt();
    f64::from(4.0 * libm::asinf((chord / 2.0).min(1.0))).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors() -> QuantisationErrors {
        let mut errors = QuantisationErrors::new(Bounds::DEFAULT);
        for i in 0..500 {
            let x = i as f32 * 0.173;
            let turn = Quat::from_rotation_z(x) * Quat::from_rotation_x(0.7 * x);
            errors.add(&CubeState {
                position: [x, -0.41 * x, 0.03 * x],
                orientation: turn.to_array(),
                interacting: true,
                ..CubeState::default()
            });
        }
        errors
    }

    #[test]
    fn a_bit_more_halves_the_error() {
        let errors = errors();
        for options in [errors.position_options(), errors.orientation_options()] {
            // The last ones of orientations reach the rounding of floats.
            for pair in options.windows(2).take(9) {
                let times = pair[0].error_p95 / pair[1].error_p95;
                assert!((1.7..2.8).contains(&times), "{pair:?}");
                assert!(pair[0].error_p95 <= pair[0].error_max);
            }
        }
        // No position errs by more than half the diagonal of a step of 1/512 m.
        let nine = errors.position_options()[8];
        assert_eq!(nine.bits, 9);
        assert!((1.3..1.692).contains(&nine.error_max), "{nine:?}");
    }
}
