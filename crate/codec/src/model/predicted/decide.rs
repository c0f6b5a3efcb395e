//! Decisions: flags and numbers, each mixed from the tables' logits and a distribution, then with what was learned.

use super::learned::{COUNTERS, Learned};
use super::observer::Observer;
use super::shape::{self, EXPONENT_MAX, NODES, Shape};
use super::tables::{
    BIAS, Coefficients, FLAG_MIXES, INPUTS, LOGIT_STEPS, LOOKUPS, SCALES, SITUATIONS, Tables,
    flag_logits, flag_mix, number_mix, number_rows,
};
use crate::model::logistic;

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

/// The number to code, and its known circumstances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// x, y, z, and the three components of an orientation.
    pub(crate) number: usize,
    /// Mean of a logistic distribution, and the log2 of its scale.
    pub(crate) mean: f32,
    pub(crate) scale_log2: f32,
    pub(crate) situation: usize,
    /// Class of an error of this cube that is known already, 0 to 7.
    pub(crate) error_class: usize,
    /// Class of two errors, which selects a counter of what is learned.
    pub(crate) learned: usize,
}

/// Codes decisions by tables.
pub(crate) struct Decider<'a, C> {
    pub(crate) coder: &'a mut C,
    pub(crate) coefficients: &'a Coefficients,
    tables: &'a Tables,
    pub(crate) learned: &'a mut Learned,
}

impl<'a, C: Observer> Decider<'a, C> {
    pub(crate) fn new(
        coder: &'a mut C,
        coefficients: &'a Coefficients,
        tables: &'a Tables,
        learned: &'a mut Learned,
    ) -> Self {
        Self {
            coder,
            coefficients,
            tables,
            learned,
        }
    }

    /// A flag in its contexts of the tables, and in those of what is learned.
    pub(crate) fn flag(
        &mut self,
        flag: Flag,
        set: usize,
        contexts: [usize; LOOKUPS],
        learned: [usize; COUNTERS],
        value: bool,
    ) -> bool {
        let steps = self.flag_steps(flag, set, contexts);
        let value = self.flag_of(flag, steps, learned, value);
        self.watch_flag(flag, set, contexts, value);
        value
    }

    /// The same where the tables' logit is known, in steps. Training leaves out what is learned.
    pub(crate) fn flag_of(
        &mut self,
        flag: Flag,
        steps: f32,
        learned: [usize; COUNTERS],
        value: bool,
    ) -> bool {
        let (coder, probabilities) = (&mut *self.coder, &self.tables.probabilities);
        if C::WATCHES {
            return coder.code(probabilities.of(steps), value);
        }
        let mixer = self.learned.flag(flag as usize, learned);
        mixer.decide(probabilities, steps, |p| coder.code(p, value))
    }

    /// The tables' logit of a flag, in steps.
    pub(crate) fn flag_steps(&self, flag: Flag, set: usize, contexts: [usize; LOOKUPS]) -> f32 {
        let [a, b, c, d] =
            flag_logits(flag as usize, contexts).map(|at| f32::from(self.tables.logits[at]));
        let weights = &self.coefficients.flags[flag_mix(flag as usize, set)];
        a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3] + weights[5]
    }

    /// A flag has been coded with its probability.
    pub(crate) fn watch_flag(
        &mut self,
        flag: Flag,
        set: usize,
        contexts: [usize; LOOKUPS],
        value: bool,
    ) {
        if C::WATCHES {
            let (mix, at) = (
                FLAG_MIXES + flag_mix(flag as usize, set),
                flag_logits(flag as usize, contexts),
            );
            let [a, b, c, d] = at.map(|at| f32::from(self.tables.logits[at]) / LOGIT_STEPS);
            self.coder.decided(mix, at, &[a, b, c, d, 0.0, BIAS], value);
        }
    }

    /// Zero or not, sign, number of bits one by one, then the bits below the leading one; all of the difference to the
    /// nearest integer of the expected mean.
    pub(crate) fn number(&mut self, expected: &Expected, value: i32) -> i32 {
        let (tables, coefficients) = (self.tables, self.coefficients);
        let learned = &mut *self.learned;
        self.coder
            .in_a_row(|coder| number(coder, tables, coefficients, learned, expected, value))
    }
}

#[inline(always)]
fn number<C: Observer>(
    coder: &mut C,
    tables: &Tables,
    coefficients: &Coefficients,
    learned: &mut Learned,
    expected: &Expected,
    value: i32,
) -> i32 {
    // Truncation rounds to nearest, because the sum is positive.
    let mean = expected.mean.clamp(-60_000.0, 60_000.0);
    let nearest = (mean + 65_536.5) as i32 - 65_536;
    let shape = Shape::new(mean - nearest as f32, expected.scale_log2);
    let Tables {
        logits,
        shapes,
        probabilities,
        ..
    } = tables;
    let number = Number::new(coefficients, logits, expected, shape);
    let residual = value - nearest;
    let distribution = shapes.logits(shape);
    let rows = Learned::number_rows(expected.number, [number.class / 2, expected.learned]);
    let mut decide = |coder: &mut C, node: usize, distribution: &[f32; NODES], bit: bool| {
        let common = match number.common.get(node) {
            Some(&common) => common,
            None => number.mixed(node),
        };
        let steps = common + distribution[node] * number.weights[4][node];
        let mut decide = |p| number.decide(coder, node, distribution, p, bit);
        if C::WATCHES {
            return decide(probabilities.of(steps));
        }
        let mixer = learned.number(expected.number, rows, node);
        mixer.decide(probabilities, steps, decide)
    };
    if decide(coder, shape::ZERO, distribution, residual == 0) {
        return nearest;
    }
    let positive = decide(coder, shape::POSITIVE, distribution, residual > 0);
    let distribution = shapes.logits(if positive { shape } else { shape.mirrored() });
    let mut decide = |coder: &mut C, node: usize, bit: bool| decide(coder, node, distribution, bit);
    let size = residual.unsigned_abs();
    let mut e = 0;
    while e < EXPONENT_MAX && decide(coder, shape::beyond(e), size >> e > 1) {
        e += 1;
    }
    let mut low = 1_u32 << e;
    if e > 0 {
        let half = low / 2;
        if decide(coder, shape::first_bit(e), size & half != 0) {
            low += half;
        }
        low += coder.code_uniform(size & (half - 1), e as u32 - 1);
    }
    if positive {
        nearest + low as i32
    } else {
        nearest - low as i32
    }
}

/// The most frequent decisions of a number are mixed together, in vectors.
const COMMON_NODES: usize = 8;

/// The decisions of a number.
struct Number<'a> {
    /// Logits of each lookup, by node.
    logits: [&'a [i8; NODES]; LOOKUPS],
    rows: [usize; LOOKUPS],
    weights: &'a [[f32; NODES]; INPUTS],
    mix: usize,
    class: usize,
    /// All but the distribution's part.
    common: [f32; COMMON_NODES],
}

impl<'a> Number<'a> {
    #[inline(always)]
    fn new(
        coefficients: &'a Coefficients,
        logits: &'a [i8],
        expected: &Expected,
        shape: Shape,
    ) -> Self {
        let class = ((expected.scale_log2 * 2.0 + 6.0) as i32).clamp(0, SCALES as i32 - 1) as usize;
        let contexts = [
            class + coefficients.nearest * SCALES,
            class / 3 * 4 + shape.quarter(),
            class / 3 * 8 + expected.error_class,
            class / 4 * SITUATIONS + expected.situation,
        ];
        let kind = [0, 0, 1, 2, 2, 2][expected.number];
        let rows = number_rows(kind, contexts);
        let all_rows = logits.as_chunks().0;
        let mut number = Self {
            logits: rows.map(|row| &all_rows[row]),
            rows,
            weights: &coefficients.numbers[expected.number],
            mix: number_mix(expected.number),
            class,
            common: [0.0; COMMON_NODES],
        };
        let mut common = [0.0; COMMON_NODES];
        for (node, common) in common.iter_mut().enumerate() {
            *common = number.mixed(node);
        }
        number.common = common;
        number
    }

    /// All but the distribution's part.
    #[inline(always)]
    fn mixed(&self, node: usize) -> f32 {
        let weights = self.weights;
        let [a, b, c, d] = self.logits.map(|row| f32::from(row[node]));
        a * weights[0][node]
            + b * weights[1][node]
            + c * weights[2][node]
            + d * weights[3][node]
            + weights[5][node]
    }

    #[inline(always)]
    fn decide<C: Observer>(
        &self,
        coder: &mut C,
        node: usize,
        distribution: &[f32; NODES],
        p_true: u32,
        bit: bool,
    ) -> bool {
        let bit = coder.code(p_true, bit);
        if C::WATCHES {
            let [a, b, c, d] = self.logits.map(|row| f32::from(row[node]) / LOGIT_STEPS);
            coder.decided(
                self.mix + node,
                self.rows.map(|row| row * NODES + node),
                &[a, b, c, d, distribution[node] / logistic::LOGIT_STEPS, BIAS],
                bit,
            );
        }
        bit
    }
}
