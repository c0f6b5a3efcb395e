//! Decisions: flags and numbers, each mixed from what the tables know and from a distribution.

use super::observer::Observer;
use super::shape::{self, EXPONENT_MAX, Shape};
use super::tables::{
    Coefficients, INPUTS, LOOKUPS, NODES, SCALES, SITUATIONS, flag_logits, flag_mix, number_logits,
    number_mix,
};
use crate::model::logistic::{log2, probability};

/// The constant among a decision's inputs.
const BIAS: f32 = 0.25;

/// The flags of a cube.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flag {
    Changed,
    Interacting,
    PositionChanged,
    OrientationChanged,
    Largest,
    SecondLargest,
}

/// Which number it is, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// x, y, z, and the three components of an orientation.
    pub(crate) number: usize,
    /// Of a logistic distribution.
    pub(crate) mean: f32,
    pub(crate) scale: f32,
    pub(crate) situation: usize,
    /// Class of an error of this cube that is known already, 0 to 7.
    pub(crate) error_class: usize,
}

/// Codes decisions by tables.
pub(crate) struct Decider<'a, C> {
    pub(crate) coder: &'a mut C,
    pub(crate) coefficients: &'a Coefficients,
    logits: &'a [f32],
    /// The last flag, where its logits are, and its probability: cubes that lie far off are mostly alike.
    last: (usize, [usize; LOOKUPS], u32),
}

impl<'a, C: Observer> Decider<'a, C> {
    pub(crate) fn new(coder: &'a mut C, coefficients: &'a Coefficients, logits: &'a [f32]) -> Self {
        Self {
            coder,
            coefficients,
            logits,
            last: (usize::MAX, [0; LOOKUPS], 0),
        }
    }

    pub(crate) fn flag(
        &mut self,
        flag: Flag,
        set: usize,
        contexts: [usize; LOOKUPS],
        value: bool,
    ) -> bool {
        let flag = flag as usize;
        let (mix, logits) = (flag_mix(flag, set), flag_logits(flag, contexts));
        if (self.last.0, self.last.1) != (mix, logits) {
            let mixed = dot(&self.inputs(logits, 0.0), &self.coefficients.mixes[mix]);
            self.last = (mix, logits, probability(mixed));
        }
        let value = self.coder.code(self.last.2, value);
        if C::WATCHES {
            let inputs = self.inputs(logits, 0.0);
            self.coder.decided(mix, logits, &inputs, value);
        }
        value
    }

    /// Zero or not, sign, number of bits one by one, then the bits below the leading one; all of the difference to the
    /// nearest integer of the expected mean.
    pub(crate) fn number(&mut self, expected: &Expected, value: i32) -> i32 {
        // Truncation rounds to nearest, because the sum is positive.
        let mean = expected.mean.clamp(-60_000.0, 60_000.0);
        let nearest = (mean + 65_536.5) as i32 - 65_536;
        let shape = Shape::new(mean - nearest as f32, expected.scale);
        let mut number = Number::new(self.coefficients, self.logits, expected, shape);
        let residual = value - nearest;
        if number.decide(self.coder, shape::ZERO, residual == 0) {
            return nearest;
        }
        let positive = number.decide(self.coder, shape::POSITIVE, residual > 0);
        if !positive {
            number.distribution = shape.mirrored().logits();
        }
        let size = residual.unsigned_abs();
        let mut e = 0;
        while e < EXPONENT_MAX && number.decide(self.coder, shape::beyond(e), size >> e > 1) {
            e += 1;
        }
        let mut low = 1_u32 << e;
        if e > 0 {
            let half = low / 2;
            if number.decide(self.coder, shape::first_bit(e), size & half != 0) {
                low += half;
            }
            let fall = shape.fall(e);
            for bit in (0..e - 1).rev() {
                let half = 1 << bit;
                let p_true = probability(-fall * half as f32);
                if self.coder.code(p_true, size & half != 0) {
                    low += half;
                }
            }
        }
        if positive {
            nearest + low as i32
        } else {
            nearest - low as i32
        }
    }

    fn inputs(&self, logits: [usize; LOOKUPS], distribution: f32) -> [f32; INPUTS] {
        let [a, b, c, d] = logits.map(|at| self.logits[at]);
        [a, b, c, d, distribution, BIAS]
    }
}

fn dot(inputs: &[f32; INPUTS], weights: &[f32; INPUTS]) -> f32 {
    let mut sum = 0.0;
    for (input, weight) in inputs.iter().zip(weights) {
        sum += input * weight;
    }
    sum
}

/// The most frequent decisions of a number are mixed together, in vectors.
const MIXED_NODES: usize = 8;

/// The decisions of a number.
struct Number<'a> {
    /// Of each lookup, by node.
    logits: [&'a [f32; NODES]; LOOKUPS],
    first_logits: [usize; LOOKUPS],
    weights: &'a [[f32; NODES]; INPUTS],
    mix: usize,
    /// All but the distribution's part.
    mixed: [f32; MIXED_NODES],
    distribution: &'static [f32; NODES],
}

impl<'a> Number<'a> {
    fn new(
        coefficients: &'a Coefficients,
        logits: &'a [f32],
        expected: &Expected,
        shape: Shape,
    ) -> Self {
        let class =
            ((log2(expected.scale) * 2.0 + 6.0) as i32).clamp(0, SCALES as i32 - 1) as usize;
        let contexts = [
            class + coefficients.nearest * SCALES,
            class / 3 * 4 + shape.quarter(),
            class / 3 * 8 + expected.error_class,
            class / 4 * SITUATIONS + expected.situation,
        ];
        let kind = [0, 0, 1, 2, 2, 2][expected.number];
        let first_logits = number_logits(kind, contexts);
        let rows = logits.as_chunks().0;
        let logits = first_logits.map(|first| &rows[first / NODES]);
        let weights = &coefficients.weights[expected.number];
        let mut mixed = [0.0; MIXED_NODES];
        let [a, b, c, d] = logits;
        for (node, mixed) in mixed.iter_mut().enumerate() {
            *mixed = a[node] * weights[0][node]
                + b[node] * weights[1][node]
                + c[node] * weights[2][node]
                + d[node] * weights[3][node]
                + BIAS * weights[5][node];
        }
        Self {
            logits,
            first_logits,
            weights,
            mix: number_mix(expected.number),
            mixed,
            distribution: shape.logits(),
        }
    }

    #[inline(always)]
    fn decide<C: Observer>(&mut self, coder: &mut C, node: usize, bit: bool) -> bool {
        let weights = self.weights;
        let mixed = self.mixed.get(node).copied().unwrap_or_else(|| {
            let [a, b, c, d] = self.logits.map(|row| row[node]);
            a * weights[0][node]
                + b * weights[1][node]
                + c * weights[2][node]
                + d * weights[3][node]
                + BIAS * weights[5][node]
        });
        let distribution = self.distribution[node];
        let bit = coder.code(probability(mixed + distribution * weights[4][node]), bit);
        if C::WATCHES {
            let [a, b, c, d] = self.logits.map(|row| row[node]);
            coder.decided(
                self.mix + node,
                self.first_logits.map(|first| first + node),
                &[a, b, c, d, distribution, BIAS],
                bit,
            );
        }
        bit
    }
}
