//! Mixtures of distributions: of the trained tables' ones, which never change, and of learned ones.
//!
//! A distribution's weight follows the probability that it gave to the coded classes, as in a Bayesian mixture that forgets.
//! The change symbol of a cube uses a product instead: powers of the tables' shares, times learned factors.

use super::observer::CoderObserver;
pub(crate) use super::sizes::{HAPPENED_CLASSES, INPUTS, Logs, PRODUCT_INPUTS, Powers, Weights};
use crate::model::logarithms::{exp2, truncate};
use crate::model::symbols::{CLASSES, ClassEnds, Distributions, LAST, LEAST, Mixture, WHOLE};

/// Number by which a mixture's weights are multiplied: 65,536 minus the least shares of all classes.
const WHOLE_WEIGHT: f32 = 65_504.0;
/// 2^23: adding it to a float rounds that float to an integer in the lowest bits.
const ONE_STEP: f32 = (1 << 23) as f32;
/// Number of distributions in a mixture that come from the tables.
const STATICS: usize = 2;
/// Least weight of a distribution in a mixture.
const LEAST_PART: f32 = 0.01;

/// Rounds to the nearest integer, ties to even. Unlike a cast, it can be vectorised.
#[inline(always)]
fn nearest(x: f32) -> i16 {
    ((x + 1.5 * ONE_STEP).to_bits() & 0xffff) as u16 as i16
}

/// Turns shares into a cumulative distribution: each class gets the least share or more, the last class the remainder.
#[inline(always)]
pub(crate) fn ends_of<const K: usize>(shares: &[f32; K]) -> ClassEnds {
    let sum = shares.iter().fold(0.0, |sum, share| sum + share);
    let by = f32::from(WHOLE - CLASSES as u16 * LEAST) / sum;
    let mut ends = [WHOLE; CLASSES];
    let mut end = 0;
    for (i, to) in ends.iter_mut().enumerate().take(LAST) {
        end += shares.get(i).map_or(0, |share| truncate(share * by) as u16) + LEAST;
        *to = end;
    }
    ends
}

/// Codes a class by a mixture of two distributions of the tables and two learned ones. Then the learned distributions adapt to
/// the class, and the weights adapt at `rate`.
#[inline(always)]
pub(super) fn code<C: CoderObserver, const N: usize>(
    coder: &mut C,
    statics: [&ClassEnds; STATICS],
    (learned, places, age): (&mut Distributions<N>, [usize; INPUTS - STATICS], u8),
    weights: &mut Weights,
    rate: f32,
    class: usize,
) -> usize {
    for (place, of_tables) in places.into_iter().zip(statics) {
        learned.begin(place, of_tables, age);
    }
    let all: [&ClassEnds; INPUTS] = core::array::from_fn(|at| match at {
        _ if at < STATICS => statics[at],
        _ => learned.ends(places[at - STATICS]),
    });
    let integers = weights.map(|weight| (weight * WHOLE_WEIGHT + ONE_STEP).to_bits() as u16);
    let class = coder.mixed_symbol(&Mixture::new(all, integers), class) & LAST;
    let before = class.wrapping_sub(1) & LAST;
    // The end of the last class, modulo 32,768, is the beginning of the first.
    let shares = all.map(|of| of[class] - (of[before] & (WHOLE - 1)));
    let parts: Weights = core::array::from_fn(|at| weights[at] * f32::from(shares[at]));
    let sum = parts.iter().fold(0.0, |sum, part| sum + part);
    let by = rate * (1.0 - INPUTS as f32 * LEAST_PART) / sum;
    *weights =
        core::array::from_fn(|at| weights[at] * (1.0 - rate) + parts[at] * by + rate * LEAST_PART);
    for place in places {
        learned.adapt(place, class);
    }
    coder.mixed(&parts, sum);
    class
}

pub(super) const FACTORS: usize = 3;
/// Learned factors of the change symbol's classes, as log2 in steps of `FACTOR_UNIT`.
pub(super) type Factors = [i16; HAPPENED_CLASSES];
const FACTOR_UNIT: f32 = 1.0 / 1024.0;
/// Upper limit of the magnitude of a learned factor. The sum of three factors then fits into 16 bits.
const FACTOR_MAX: f32 = 10_000.0;
/// Learning rate of the learned factors: size of the step along the gradient of the cost.
const FACTOR_RATE: f32 = 0.12;
const POWER_RATE: f32 = 0.002;

/// Codes a change symbol's class by a product: the tables' shares raised to powers, times learned factors. Then powers and
/// factors take a step that lowers the cost of this class.
#[inline(always)]
pub(super) fn code_product<C: CoderObserver>(
    coder: &mut C,
    logs: [&Logs; PRODUCT_INPUTS],
    powers: &mut Powers,
    (learned, places): (&mut [Factors], [usize; FACTORS]),
    class: usize,
) -> usize {
    let [a, b, c, d] = logs;
    let [e, f, g] = places.map(|place| learned[place]);
    let mut shares = Logs::default();
    for i in 0..HAPPENED_CLASSES {
        let of_tables =
            (a[i] * powers[0] + b[i] * powers[1]) + (c[i] * powers[2] + d[i] * powers[3]);
        shares[i] =
            exp2((of_tables + FACTOR_UNIT * f32::from(e[i] + f[i] + g[i])).clamp(-60.0, 60.0));
    }
    let ends = ends_of(&shares);
    let class = coder.symbol(|i| ends[i] << 1, class);
    coder.said_change(|i| ends[i] << 1, class);
    let by = 1.0 / shares.iter().fold(0.0, |sum, share| sum + share);
    let misses: Logs = core::array::from_fn(|i| f32::from(u8::from(i == class)) - shares[i] * by);
    for place in places {
        for (factor, miss) in learned[place].iter_mut().zip(misses) {
            let moved = f32::from(*factor) + (FACTOR_RATE / FACTOR_UNIT) * miss;
            *factor = nearest(moved.clamp(-FACTOR_MAX, FACTOR_MAX));
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
