//! Decisions: flags and numbers, each mixed from what the tables know and from a distribution.

use super::observer::Observer;
use super::tables::{
    INPUTS, LOOKUPS, NODES, SCALES, SITUATIONS, Tables, flag_logits, flag_mix, number_logits,
    number_mix,
};
use crate::model::logistic::{Logistic, log2, logit, probability};

/// The constant among a decision's inputs.
const BIAS: f32 = 0.25;
/// A residual has at most so many bits: positions differ by less than 2^22 steps.
const EXPONENT_MAX: usize = 23;

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
    pub(crate) distribution: Logistic,
    pub(crate) situation: usize,
    /// Class of an error of this cube that is known already, 0 to 7.
    pub(crate) error_class: usize,
}

/// Codes decisions by tables.
pub(crate) struct Decider<'a, C> {
    pub(crate) coder: &'a mut C,
    pub(crate) tables: &'a Tables,
}

impl<'a, C: Observer> Decider<'a, C> {
    pub(crate) fn new(coder: &'a mut C, tables: &'a Tables) -> Self {
        Self { coder, tables }
    }

    pub(crate) fn flag(
        &mut self,
        flag: Flag,
        set: usize,
        contexts: [usize; LOOKUPS],
        value: bool,
    ) -> bool {
        let flag = flag as usize;
        self.decide(flag_mix(flag, set), flag_logits(flag, contexts), 0.0, value)
    }

    /// Zero or not, sign, number of bits one by one, then the bits below the leading one; all of the difference to the
    /// nearest integer of the expected mean.
    pub(crate) fn number(&mut self, expected: &Expected, value: i32) -> i32 {
        let Logistic { mean, scale } = expected.distribution;
        // Truncation rounds to nearest, because the sum is positive.
        let mean = mean.clamp(-60_000.0, 60_000.0);
        let nearest = (mean + 65_536.5) as i32 - 65_536;
        let fraction = mean - nearest as f32;
        let class = ((log2(scale) * 2.0 + 6.0) as i32).clamp(0, SCALES as i32 - 1) as usize;
        let quarter = ((fraction + 0.5) * 4.0).clamp(0.0, 3.0) as usize;
        let kind = [0, 0, 1, 2, 2, 2][expected.number];
        let logits = number_logits(
            kind,
            [
                class,
                class / 3 * 4 + quarter,
                class / 3 * 8 + expected.error_class,
                class / 4 * SITUATIONS + expected.situation,
            ],
        );
        let mix = number_mix(expected.number);
        let decide = |this: &mut Self, node: usize, yes: f32, no: f32, bit: bool| {
            debug_assert!(node < NODES);
            this.decide(
                mix + node,
                logits.map(|first| first + node),
                logit(yes, no),
                bit,
            )
        };

        let residual = value - nearest;
        let above = Logistic {
            mean: fraction,
            scale,
        }
        .above(0.5);
        let below = Logistic {
            mean: -fraction,
            scale,
        }
        .above(0.5);
        if decide(self, 0, 1.0 - above - below, above + below, residual == 0) {
            return nearest;
        }
        let positive = decide(self, 1, above, below, residual > 0);
        let side = Logistic {
            mean: if positive { fraction } else { -fraction },
            scale,
        };
        let size = residual.unsigned_abs();

        let mut exponent = 0;
        let mut rest = side.above(0.5);
        let mut beyond = side.above(1.5);
        while exponent < EXPONENT_MAX
            && decide(
                self,
                2 + exponent.min(9),
                beyond,
                rest - beyond,
                size >> exponent > 1,
            )
        {
            exponent += 1;
            rest = beyond;
            beyond = side.above((2_u32 << exponent) as f32 - 0.5);
        }
        let mut low = 1_u32 << exponent;
        for bit in (0..exponent).rev() {
            let half = 1 << bit;
            let middle = side.above((low + half) as f32 - 0.5);
            let (yes, no) = (middle - beyond, rest - middle);
            let upper = if bit + 1 == exponent {
                decide(self, 11 + exponent.min(8), yes, no, size & half != 0)
            } else {
                self.coder
                    .code(probability(logit(yes, no)), size & half != 0)
            };
            if upper {
                low += half;
                rest = middle;
            } else {
                beyond = middle;
            }
        }
        if positive {
            nearest + low as i32
        } else {
            nearest - low as i32
        }
    }

    fn decide(
        &mut self,
        mix: usize,
        logits: [usize; LOOKUPS],
        distribution: f32,
        bit: bool,
    ) -> bool {
        let mut inputs = [0.0; INPUTS];
        for (input, at) in inputs.iter_mut().zip(logits) {
            *input = self.tables.logits[at];
        }
        inputs[LOOKUPS] = distribution;
        inputs[LOOKUPS + 1] = BIAS;
        let mut mixed = 0.0;
        for (input, weight) in inputs.iter().zip(&self.tables.mixes[mix]) {
            mixed += input * weight;
        }
        let bit = self.coder.code(probability(mixed), bit);
        self.coder.decided(mix, logits, &inputs, bit);
        bit
    }
}
