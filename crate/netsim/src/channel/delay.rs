//! Time that a packet travels: the latency, and jitter of some shape, drawn by the packet's number.

use super::Conditions;
use super::shapes::DelayShape;
use snapshot_base::random::KeyedDraw;

/// Half a step of a draw. It keeps draws off both ends, where some shapes are infinite.
const HALF_STEP: f64 = 0.5 / (1_u64 << 32) as f64;

/// The draws of one way's delays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delay {
    jitter: KeyedDraw,
    correlation: KeyedDraw,
}

impl Delay {
    pub(super) fn new(jitter: KeyedDraw, correlation: KeyedDraw) -> Delay {
        Delay {
            jitter,
            correlation,
        }
    }

    /// Travel time in ms of a packet or of its copy: the time of the slowest fragment.
    pub(super) fn travel_ms(
        &self,
        conditions: &Conditions,
        number: u64,
        copy: bool,
        fragments: u32,
    ) -> f64 {
        let number = self.drawn_for(number, conditions.correlation);
        let keyed = self.jitter.with(number).with(u64::from(copy));
        let extra_ms = (0..u64::from(fragments.max(1)))
            .map(|fragment| extra_ms(conditions, keyed.with(fragment)))
            .fold(f64::NEG_INFINITY, f64::max);
        let travel_ms = (conditions.latency_ms + extra_ms).max(0.0);
        conditions
            .longest_ms
            .map_or(travel_ms, |longest_ms| travel_ms.min(longest_ms))
    }

    /// The packet whose draw a packet takes: its own, or with the probability of the correlation the one before.
    fn drawn_for(&self, mut number: u64, correlation: f64) -> u64 {
        if correlation > 0.0 {
            while number > 0 && self.correlation.with(number).unit() < correlation {
                number -= 1;
            }
        }
        number
    }
}

fn extra_ms(conditions: &Conditions, draw: KeyedDraw) -> f64 {
    let jitter_ms = conditions.jitter_ms;
    match conditions.shape {
        DelayShape::Uniform => draw.between(-jitter_ms, jitter_ms),
        _ if jitter_ms == 0.0 => 0.0,
        shape => jitter_ms * shape.quantile(draw.unit() + HALF_STEP),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay() -> Delay {
        Delay::new(KeyedDraw::new(1, 0x101), KeyedDraw::new(1, 0x105))
    }

    fn travels(conditions: &Conditions, packets: u64) -> Vec<f64> {
        let delay = delay();
        let travel_ms = |number| delay.travel_ms(conditions, number, false, 1);
        (0..packets).map(travel_ms).collect()
    }

    #[test]
    fn jitter_is_even() {
        let conditions = Conditions {
            latency_ms: 50.0,
            jitter_ms: 20.0,
            ..Conditions::PERFECT
        };
        let delay = delay();
        for copy in [false, true] {
            let mut tenths = [0; 10];
            for number in 0..100_000 {
                let travel_ms = delay.travel_ms(&conditions, number, copy, 1);
                tenths[((travel_ms - 30.0) / 4.0) as usize] += 1;
            }
            assert!(
                tenths.iter().all(|tenth| (9_600..10_400).contains(tenth)),
                "{tenths:?}"
            );
        }
    }

    #[test]
    fn a_million_draws_of_each_shape_have_its_percentiles() {
        for shape in DelayShape::ALL {
            let conditions = Conditions {
                latency_ms: 40.0,
                jitter_ms: 8.0,
                shape,
                ..Conditions::PERFECT
            };
            let mut travels = travels(&conditions, 1_000_000);
            travels.sort_by(f64::total_cmp);
            for share in [0.5, 0.9, 0.99] {
                let found = travels[(1e6 * share) as usize];
                let expected = 40.0 + 8.0 * shape.quantile(share);
                assert!(
                    (found - expected).abs() < 0.02 * expected,
                    "{shape:?} p{share}: {found} against {expected}"
                );
            }
        }
    }

    #[test]
    fn no_packet_travels_longer_than_the_longest_delay() {
        let conditions = Conditions {
            latency_ms: 14.0,
            jitter_ms: 20.0,
            shape: DelayShape::Lognormal,
            longest_ms: Some(250.0),
            ..Conditions::PERFECT
        };
        let travels = travels(&conditions, 100_000);
        let longest = travels
            .iter()
            .filter(|travel_ms| **travel_ms == 250.0)
            .count();
        // The share above 236 ms of lognormal jitter: ln(236 / 20) is 1.97 sigma.
        assert!((2_200..2_700).contains(&longest), "{longest}");
        assert!(travels.iter().all(|travel_ms| *travel_ms <= 250.0));
    }

    #[test]
    fn delays_are_correlated_as_was_set() {
        for correlation in [0.0, 0.3, 0.48, 0.9, 0.99] {
            let conditions = Conditions {
                latency_ms: 50.0,
                jitter_ms: 20.0,
                correlation,
                ..Conditions::PERFECT
            };
            let travels = travels(&conditions, 1_000_000);
            let of = travels.len() as f64;
            let mean = travels.iter().sum::<f64>() / of;
            let variance = travels
                .iter()
                .map(|ms| (ms - mean) * (ms - mean))
                .sum::<f64>()
                / of;
            let pairs = travels.windows(2);
            let covariance = pairs
                .map(|two| (two[0] - mean) * (two[1] - mean))
                .sum::<f64>()
                / of;
            let found = covariance / variance;
            assert!(
                (found - correlation).abs() < 0.01,
                "{found} for {correlation}"
            );
        }
    }
}
