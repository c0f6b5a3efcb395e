//! Mixtures of distributions: those of the tables, which never change, and those that are learned.
//!
//! The weights follow how well each distribution has told what came, as in a Bayesian mixture that forgets. What happened to a
//! cube goes by a product instead: of powers of the tables' shares, and of factors that are learned.

use super::observer::Observer;
pub(crate) use super::sizes::{HAPPENED_CLASSES, INPUTS, Logs, PRODUCT_INPUTS, Powers, Weights};
use crate::model::logistic::exp2;
use crate::model::symbols::{CLASSES, Distributions, Ends, LAST, LEAST, WHOLE};

/// The age of a learned distribution that begins as one of the tables.
const FIRST_AGE: u8 = 5;
/// A whole in the weights of ends: it leaves room for the least share of each class.
const WHOLE_WEIGHT: f32 = 65_504.0;
/// Each distribution's part is at least this.
const LEAST_PART: f32 = 0.01;

/// The ends of shares: each class has the least share, and the last what is left.
#[inline(always)]
pub(crate) fn ends_of<const K: usize>(shares: &[f32; K]) -> Ends {
    let sum = shares.iter().fold(0.0, |sum, share| sum + share);
    let by = f32::from(WHOLE - CLASSES as u16 * LEAST) / sum;
    let mut ends = [WHOLE; CLASSES];
    let mut end = 0;
    for (i, to) in ends.iter_mut().enumerate().take(LAST) {
        end += shares.get(i).map_or(0, |share| (share * by) as u16) + LEAST;
        *to = end;
    }
    ends
}

/// Codes a class by the mixture of some distributions of the tables and of some learned ones; the latter adapt, and the
/// weights do, by `rate`.
#[inline(always)]
pub(super) fn code<C: Observer, const S: usize, const L: usize, const N: usize>(
    coder: &mut C,
    statics: [&Ends; S],
    (learned, places): (&mut Distributions<N>, [usize; L]),
    weights: &mut Weights,
    rate: f32,
    class: usize,
) -> usize {
    for (place, of_tables) in places.into_iter().zip(statics) {
        learned.begin(place, of_tables, FIRST_AGE);
    }
    let all = |at: usize| {
        if at < S {
            statics[at]
        } else {
            learned.ends(places[at - S])
        }
    };
    let mut ends: Ends = core::array::from_fn(|i| i as u16 + 1);
    for (at, weight) in weights.iter().enumerate().take(S + L) {
        const TO_INTEGER: f32 = (1 << 23) as f32;
        let weight = (weight * WHOLE_WEIGHT + TO_INTEGER).to_bits() & 0xffff;
        for (end, of) in ends.iter_mut().zip(all(at)) {
            *end = end.wrapping_add(((u32::from(*of) * weight) >> 16) as u16);
        }
    }
    ends[LAST] = WHOLE;
    let class = coder.symbol(|i| ends[i] << 1, class) & LAST;
    let before = class.wrapping_sub(1) & LAST;
    let (mut parts, mut sum) = ([0.0; INPUTS], 0.0);
    for at in 0..S + L {
        let of = all(at);
        // The end of the last class, modulo 32,768, is the beginning of the first.
        let share = of[class] - (of[before] & (WHOLE - 1));
        parts[at] = weights[at] * f32::from(share);
        sum += parts[at];
    }
    let by = rate * (1.0 - (S + L) as f32 * LEAST_PART) / sum;
    for at in 0..S + L {
        weights[at] = weights[at] * (1.0 - rate) + parts[at] * by + rate * LEAST_PART;
    }
    for place in places {
        learned.adapt(place, class);
    }
    coder.mixed(&parts, sum);
    class
}

pub(super) const FACTORS: usize = 3;
/// By which learned factors and powers follow an outcome.
const FACTOR_RATE: f32 = 0.12;
const POWER_RATE: f32 = 0.002;

/// Codes a class by a product; its factors and powers follow the gradient of the class's cost.
#[inline(always)]
pub(super) fn code_product<C: Observer>(
    coder: &mut C,
    logs: [&Logs; PRODUCT_INPUTS],
    powers: &mut Powers,
    (learned, places): (&mut [Logs], [usize; FACTORS]),
    class: usize,
) -> usize {
    let shares: Logs = core::array::from_fn(|i| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| logs[at][i] * powers[at]);
        let [e, f, g] = places.map(|place| learned[place][i]);
        exp2((((a + b) + (c + d)) + ((e + f) + g)).clamp(-60.0, 60.0))
    });
    let ends = ends_of(&shares);
    let class = coder.symbol(|i| ends[i] << 1, class);
    coder.said_change(|i| ends[i] << 1, class);
    let by = 1.0 / shares.iter().fold(0.0, |sum, share| sum + share);
    let misses: Logs = core::array::from_fn(|i| f32::from(u8::from(i == class)) - shares[i] * by);
    for place in places {
        for (factor, miss) in learned[place].iter_mut().zip(misses) {
            *factor += FACTOR_RATE * miss;
        }
    }
    for (power, logs) in powers.iter_mut().zip(logs) {
        let pull = logs
            .iter()
            .zip(misses)
            .fold(0.0, |sum, (log, miss)| sum + log * miss);
        *power += POWER_RATE * pull;
    }
    class
}
