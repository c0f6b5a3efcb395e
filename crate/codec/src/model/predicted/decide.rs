//! Decisions: flags and numbers, each mixed from what the tables know and from a distribution.

use super::observer::Observer;
use super::shape::{self, EXPONENT_MAX, NODES, Shape};
use super::tables::{
    BIAS, Coefficients, FLAG_MIXES, INPUTS, LOGIT_STEPS, LOOKUPS, SCALES, SITUATIONS, Tables,
    flag_logits, flag_mix, number_mix, number_rows,
};
use crate::model::logistic::{self, place};

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
}

/// Codes decisions by tables.
pub(crate) struct Decider<'a, C> {
    pub(crate) coder: &'a mut C,
    pub(crate) coefficients: &'a Coefficients,
    tables: &'a Tables,
}

impl<'a, C: Observer> Decider<'a, C> {
    pub(crate) fn new(
        coder: &'a mut C,
        coefficients: &'a Coefficients,
        tables: &'a Tables,
    ) -> Self {
        Self {
            coder,
            coefficients,
            tables,
        }
    }

    pub(crate) fn flag(
        &mut self,
        flag: Flag,
        set: usize,
        contexts: [usize; LOOKUPS],
        value: bool,
    ) -> bool {
        let value = self
            .coder
            .code(self.flag_probability(flag, set, contexts), value);
        self.watch_flag(flag, set, contexts, value);
        value
    }

    /// Probability of a flag, out of 65,536.
    pub(crate) fn flag_probability(
        &self,
        flag: Flag,
        set: usize,
        contexts: [usize; LOOKUPS],
    ) -> u32 {
        let [a, b, c, d] =
            flag_logits(flag as usize, contexts).map(|at| f32::from(self.tables.logits[at]));
        let weights = &self.coefficients.flags[flag_mix(flag as usize, set)];
        self.tables.probabilities.of(a * weights[0]
            + b * weights[1]
            + c * weights[2]
            + d * weights[3]
            + weights[5])
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
        self.coder
            .in_a_row(|coder| number(coder, tables, coefficients, expected, value))
    }
}

#[inline(always)]
fn number<C: Observer>(
    coder: &mut C,
    tables: &Tables,
    coefficients: &Coefficients,
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
    let first = |node: usize| {
        probabilities.of(number.common[node] + distribution[node] * number.weights[4][node])
    };
    let p_zero = first(shape::ZERO);
    if number.decide(coder, shape::ZERO, distribution, p_zero, residual == 0) {
        return nearest;
    }
    let p_positive = first(shape::POSITIVE);
    let positive = number.decide(
        coder,
        shape::POSITIVE,
        distribution,
        p_positive,
        residual > 0,
    );
    let distribution = shapes.logits(if positive { shape } else { shape.mirrored() });
    let mut common = [0; COMMON_NODES];
    for (node, common) in common.iter_mut().enumerate() {
        *common = place(number.common[node] + distribution[node] * number.weights[4][node]);
    }
    let decide = |coder: &mut C, node: usize, bit: bool| {
        let place = match common.get(node) {
            Some(&common) => common,
            None => place(number.mixed(node) + distribution[node] * number.weights[4][node]),
        };
        number.decide(coder, node, distribution, probabilities.at(place), bit)
    };
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
