//! Logits of a logistic distribution for each decision of a number, worked out when a coder is made: for scales a quarter of an
//! octave apart and means a sixteenth of a step apart. As a constant it would be 30 kB of a page's compressed code.
//!
//! Finer steps gain nothing that could be measured; what the tables know of the same decisions is mixed in anyway.

use alloc::vec::Vec;
use core::f32::consts::LN_2;

use crate::model::logistic::{LOGIT_STEPS, exp, log2};

/// Scales, from 2^-3 on.
const SCALES: usize = 48;
/// Fractions of a step between the nearest integer and the mean.
const FRACTIONS: usize = 16;
/// A residual has at most so many bits: positions differ by less than 2^24 steps.
pub(crate) const EXPONENT_MAX: usize = 23;

/// Decisions of a number: zero, sign, is it beyond 2^(e + 1) (e = 0 to 8 and above), first bit below the leading one (e = 1 to 7
/// and above).
pub(crate) const NODES: usize = 20;

/// Nodes of a number's decisions, the most frequent first.
pub(crate) const ZERO: usize = 0;
pub(crate) const POSITIVE: usize = 1;

/// Is the size beyond 2^(e + 1)? From 9 on all are one.
pub(crate) const fn beyond(e: usize) -> usize {
    match e {
        0..4 => 2 + e,
        4..9 => 4 + e,
        _ => 13,
    }
}

/// The first bit below the leading one, of 2^e; e is at least 1, and from 8 on all are one.
pub(crate) const fn first_bit(e: usize) -> usize {
    match e {
        1..3 => 5 + e,
        3..8 => 11 + e,
        _ => 19,
    }
}

/// The distribution of a residual, as the nearest that there is.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    scale: usize,
    fraction: usize,
}

impl Shape {
    /// Makes a shape from a mean between -0.5 and 0.5, and the log2 of a scale.
    pub(crate) fn new(mean: f32, scale_log2: f32) -> Self {
        // Truncation rounds to nearest, because the sum is positive where it counts.
        let scale = (scale_log2 * 4.0 + 12.5) as i32;
        let fraction = ((mean + 0.5) * FRACTIONS as f32) as i32;
        Self {
            scale: scale.clamp(0, SCALES as i32 - 1) as usize,
            fraction: fraction.clamp(0, FRACTIONS as i32 - 1) as usize,
        }
    }

    /// The same seen from the other side.
    pub(crate) fn mirrored(self) -> Self {
        Self {
            fraction: FRACTIONS - 1 - self.fraction,
            ..self
        }
    }

    /// The quarter of a step that the mean is in.
    pub(crate) fn quarter(self) -> usize {
        self.fraction / (FRACTIONS / 4)
    }
}

/// Logits of all shapes, in the steps of [`Probabilities`](crate::model::logistic::Probabilities).
#[derive(Clone, Debug)]
pub(crate) struct Shapes(Vec<[f32; NODES]>);

impl Shapes {
    pub(crate) fn new() -> Self {
        let all = (0..SCALES * FRACTIONS).map(|row| {
            let mean = ((row % FRACTIONS) as f32 + 0.5) / FRACTIONS as f32 - 0.5;
            logits(mean, scale(row / FRACTIONS)).map(|logit| logit * LOGIT_STEPS)
        });
        Self(all.collect())
    }

    /// Logits of the decisions of a number that is zero or positive.
    #[inline(always)]
    pub(crate) fn logits(&self, shape: Shape) -> &[f32; NODES] {
        &self.0[shape.scale * FRACTIONS + shape.fraction]
    }
}

fn scale(class: usize) -> f32 {
    exp((class as f32 - 12.0) * (0.25 * LN_2))
}

fn ln(x: f32) -> f32 {
    log2(x.max(1.0e-30)) * LN_2
}

/// With A(x) = 1 / (1 + e^u), u = (x - mean) / scale, the part of the distribution above x.
fn logits(mean: f32, scale: f32) -> [f32; NODES] {
    let mut logits = [0.0; NODES];
    let above = 1.0 / (1.0 + exp((0.5 - mean) / scale));
    let below = 1.0 / (1.0 + exp((0.5 + mean) / scale));
    logits[ZERO] = limit(ln(1.0 - above - below) - ln(above + below));
    logits[POSITIVE] = limit(ln(above) - ln(below));
    for e in 0..10 {
        let low = (1 << e) as f32;
        let u = exp(-(low - 0.5 - mean) / scale);
        // A(2 low - 0.5) to A(low - 0.5) less that.
        let width = low / scale;
        logits[beyond(e)] = limit(ln(1.0 + u) - ln(exp(width.min(30.0)) - 1.0));
        if (1..9).contains(&e) {
            // Of what is between, the upper to the lower half.
            let half = (0.5 * width).min(15.0);
            logits[first_bit(e)] = limit(half + ln(1.0 + u) - ln(u + exp(2.0 * half)));
        }
    }
    logits
}

fn limit(logit: f32) -> f32 {
    logit.clamp(-8.0, 8.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_near_the_exact_distribution() {
        let shapes = Shapes::new();
        for (mean, scale) in [
            (0.0, 0.5),
            (0.3, 1.0),
            (-0.45, 0.2),
            (0.1, 20.0),
            (-0.2, 300.0),
        ] {
            let above = |x: f64| 1.0 / (1.0 + libm::exp((x - f64::from(mean)) / f64::from(scale)));
            let below = |x: f64| 1.0 - above(-x);
            let logits = shapes.logits(Shape::new(mean, log2(scale)));
            let check = |node: usize, yes: f64, no: f64| {
                let expected = libm::log(yes / no);
                if expected.abs() < 6.0 {
                    let found = f64::from(logits[node] / LOGIT_STEPS);
                    assert!(
                        (found - expected).abs() < 0.2 + 0.2 * expected.abs(),
                        "{mean} {scale} {node}"
                    );
                }
            };
            let zero = 1.0 - above(0.5) - below(0.5);
            check(ZERO, zero, 1.0 - zero);
            check(POSITIVE, above(0.5), below(0.5));
            for e in 0..8 {
                let low = f64::from(1 << e);
                let [rest, beyond_it] = [above(low - 0.5), above(2.0 * low - 0.5)];
                check(beyond(e), beyond_it, rest - beyond_it);
                let middle = above(1.5 * low - 0.5);
                if e > 0 {
                    check(first_bit(e), middle - beyond_it, rest - middle);
                }
            }
        }
    }

    #[test]
    fn each_node_is_one_decision() {
        let mut nodes: alloc::vec::Vec<_> =
            (0..10).map(beyond).chain((1..9).map(first_bit)).collect();
        nodes.extend([ZERO, POSITIVE]);
        nodes.sort_unstable();
        assert!(nodes.into_iter().eq(0..NODES));
        assert_eq!((beyond(23), first_bit(23)), (beyond(9), first_bit(8)));
    }
}
