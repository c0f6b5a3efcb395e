//! Measured quantiles of delay in one direction: a share of packets, and the greatest delay among them above the minimum, as a
//! multiple of each table's unit.
//!
//! Round trips are halved. Beyond the greatest measured share, the last straight line is continued.

/// Quantiles of delay while driving on 4G, by UCC's 5Gdataset: 663 round trips with p5 68, p50 84, p95 106, p99 330 ms. Delays
/// here are multiples of 8 ms one way (median minus minimum); the minimum is 34 ms.
pub(super) const MOBILE_4G: &[[f64; 2]] = &[
    [0.0, 0.0],
    [0.05, 0.0],
    [0.5, 1.0],
    [0.95, 2.375],
    [0.99, 16.375],
    [1.0, 19.875],
];

/// Delays on 5G of a phone that does not move: pairs of share and delay above the least, in multiples of 1.5 ms one way (median
/// minus least). UCC's 5Gdataset, 1,222 round trips: p5 66, p50 69, p95 89, p99 220 ms; the least is 33 ms one way.
pub(super) const MOBILE_5G: &[[f64; 2]] = &[
    [0.0, 0.0],
    [0.05, 0.0],
    [0.5, 1.0],
    [0.95, 23.0 / 3.0],
    [0.99, 154.0 / 3.0],
    [1.0, 187.0 / 3.0],
];

/// Quantiles of delay over Starlink, from round trips: Ookla's median of 45 ms, APNIC's p25 of 40 and p75 of 60 ms. Delays here
/// are multiples of 2.5 ms one way (median minus minimum); the minimum is 20 ms.
pub(super) const STARLINK: &[[f64; 2]] =
    &[[0.0, 0.0], [0.25, 0.0], [0.5, 1.0], [0.75, 4.0], [1.0, 7.0]];

/// Quantiles of delay over a long way, by netem's `experimental.dat`: 13,448 round trips with min 172.7, p50 186.2, p95 210.4,
/// p99 220.9, p99.9 300.8, max 499.4 ms. Delays here are multiples of 7 ms one way; the minimum is 86 ms.
pub(super) const LONG_HAUL: &[[f64; 2]] = &[
    [0.0, 0.35 / 7.0],
    [0.5, 7.1 / 7.0],
    [0.95, 19.2 / 7.0],
    [0.99, 24.45 / 7.0],
    [0.999, 64.4 / 7.0],
    [1.0, 163.7 / 7.0],
];
