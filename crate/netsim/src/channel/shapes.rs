//! Shapes of jitter, as inverse distribution functions: a share of packets in, the delay that they do not exceed out.
//!
//! The formulas of pareto and paretonormal are those of netem's tables (iproute2, `netem/`), without the clip at 4 sigma.

mod tables;

/// The distribution of jitter: the time that a packet takes beside the latency.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum DelayShape {
    /// Uniform, from the latency minus the jitter to the latency plus the jitter.
    #[default]
    Uniform,
    /// Normal around the latency; the jitter is the standard deviation.
    Normal,
    /// Exponential above the latency; the jitter is the mean.
    Exponential,
    /// Pareto's distribution with index 3, as in netem: the mean is the latency, the jitter is netem's sigma.
    Pareto,
    /// A mixture as in netem: a quarter normal and three quarters Pareto.
    ParetoNormal,
    /// Lognormal above the latency: the jitter is the median, and the 90th percentile is five times as much.
    Lognormal,
    /// Measured quantiles of the delay above the latency: pairs of a share of packets and a delay that they do not exceed, as a
    /// multiple of the jitter. Both rise; between pairs the delay is interpolated linearly. The first share is 0, the last is
    /// 1.
    Table(&'static [[f64; 2]]),
}

/// Standard deviation of the logarithm at which the 90th percentile is five medians: ln 5 / 1.2816.
const LOG_SIGMA: f64 = 1.255_851;

impl DelayShape {
    /// All named shapes; a link stores the index in this array, so the order must not change.
    pub const ALL: [DelayShape; 10] = [
        DelayShape::Uniform,
        DelayShape::Normal,
        DelayShape::Exponential,
        DelayShape::Pareto,
        DelayShape::ParetoNormal,
        DelayShape::Lognormal,
        DelayShape::MOBILE_4G,
        DelayShape::MOBILE_5G,
        DelayShape::STARLINK,
        DelayShape::LONG_HAUL,
    ];

    /// Delay above the latency as measured on a 4G mobile network while driving.
    pub const MOBILE_4G: DelayShape = DelayShape::Table(tables::MOBILE_4G);
    /// Delay above the latency as measured on a 5G mobile network at rest.
    pub const MOBILE_5G: DelayShape = DelayShape::Table(tables::MOBILE_5G);
    /// Delay above the latency as measured over satellites in low orbit.
    pub const STARLINK: DelayShape = DelayShape::Table(tables::STARLINK);
    /// Delay above the latency as measured over a long way by land and sea.
    pub const LONG_HAUL: DelayShape = DelayShape::Table(tables::LONG_HAUL);

    /// Returns the quantile: the delay that a share of packets does not exceed, counted from the latency, as a multiple of the
    /// jitter. `share` is above 0 and below 1.
    pub fn quantile(self, share: f64) -> f64 {
        match self {
            DelayShape::Uniform => 2.0 * share - 1.0,
            DelayShape::Normal => normal(share),
            DelayShape::Exponential => -libm::log(1.0 - share),
            DelayShape::Pareto => pareto(share),
            DelayShape::ParetoNormal => 0.25 * normal(share) + 0.75 * pareto(share),
            DelayShape::Lognormal => libm::exp(LOG_SIGMA * normal(share)),
            DelayShape::Table(rows) => between(rows, share),
        }
    }
}

fn pareto(share: f64) -> f64 {
    4.0 / 3.0 * (1.0 / libm::cbrt(1.0 - share) - 1.5)
}

fn between(rows: &[[f64; 2]], share: f64) -> f64 {
    let after = rows.partition_point(|row| row[0] <= share);
    let after = after.clamp(1, rows.len() - 1);
    let ([from, low], [to, high]) = (rows[after - 1], rows[after]);
    low + (high - low) * (share - from) / (to - from)
}

/// Returns the quantile of the normal distribution, by Acklam's rational approximation with a relative error below 1.2e-9.
fn normal(share: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 6] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 5] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
        1.0,
    ];
    /// Share of packets in each tail of the normal distribution, where another formula is used.
    const TAIL: f64 = 0.024_25;
    let polynomial = |factors: &[f64], x: f64| factors.iter().fold(0.0, |sum, f| sum * x + f);
    let tail = |share: f64| {
        let x = libm::sqrt(-2.0 * libm::log(share));
        polynomial(&C, x) / polynomial(&D, x)
    };
    if share < TAIL {
        tail(share)
    } else if share > 1.0 - TAIL {
        -tail(1.0 - share)
    } else {
        let x = share - 0.5;
        x * polynomial(&A, x * x) / polynomial(&B, x * x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_has_the_percentiles_of_its_formula() {
        use std::f64::consts::{LN_2, LN_10};
        // p50, p90 and p99. Normal and exponential from any table; the others by the formulas on these.
        let pareto = |tail: f64| 4.0 / 3.0 * (1.0 / tail - 1.5);
        let normal = [0.0, 1.281_552, 2.326_348];
        // Cube roots of 0.5, 0.1 and 0.01.
        let by_pareto = [0.793_700_5, 0.464_158_9, 0.215_443_5].map(pareto);
        let expected = [
            (DelayShape::Uniform, [0.0, 0.8, 0.98]),
            (DelayShape::Normal, normal),
            (DelayShape::Exponential, [LN_2, LN_10, 2.0 * LN_10]),
            (DelayShape::Pareto, by_pareto),
            (
                DelayShape::ParetoNormal,
                std::array::from_fn(|i| 0.25 * normal[i] + 0.75 * by_pareto[i]),
            ),
            (DelayShape::Lognormal, [1.0, 5.0, 18.57]),
            (DelayShape::MOBILE_4G, [1.0, 2.222_222, 16.375]),
        ];
        for (shape, values) in expected {
            for (share, value) in [0.5, 0.9, 0.99].into_iter().zip(values) {
                let found = shape.quantile(share);
                assert!(
                    (found - value).abs() < 1e-3,
                    "{shape:?} at {share}: {found}"
                );
            }
        }
        assert!((DelayShape::Normal.quantile(1e-9) + 5.997_807).abs() < 1e-5);
        assert!((DelayShape::Normal.quantile(1.0 - 1e-9) - 5.997_807).abs() < 1e-5);
    }

    #[test]
    fn each_shape_rises_over_all_shares_that_are_drawn() {
        for shape in DelayShape::ALL {
            let ends = [0.5 / 4_294_967_296.0, 1.0 - 0.5 / 4_294_967_296.0];
            let shares = (1..100_000).map(|n| f64::from(n) / 100_000.0);
            let shares = [ends[0]].into_iter().chain(shares).chain([ends[1]]);
            let delays: Vec<f64> = shares.map(|share| shape.quantile(share)).collect();
            assert!(delays.iter().all(|delay| delay.is_finite()), "{shape:?}");
            assert!(delays.windows(2).all(|two| two[0] <= two[1]), "{shape:?}");
        }
    }
}
