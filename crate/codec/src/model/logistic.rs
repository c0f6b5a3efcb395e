//! Probabilities out of 65,536, logits, and the logistic distribution.
//!
//! Everything here is integers or IEEE `+ - * /` in a fixed order, so that native and wasm agree bit for bit.

use alloc::boxed::Box;
use core::f32::consts::{LN_2, LOG2_E};

/// Denominator of a probability, which is 1 to `ONE` - 1.
pub(crate) const ONE: u32 = 1 << 16;
/// Probabilities of decisions keep this far from certainty: a wrong one costs at most 13 bits.
const LEAST: f32 = 8.0;

/// Logits are rounded to 1/256 for their probability; this many of these steps either way from an open decision.
pub(crate) const LOGIT_STEPS: f32 = 256.0;
const STEPS_MAX: usize = 2560;
/// The same as a logit.
pub(crate) const LOGIT_LIMIT: f32 = STEPS_MAX as f32;
/// Probabilities with a logit of their own.
const LOGITS: usize = 4096;

/// Probabilities by logits. Worked out when it is made: as a constant it would be a part of every program's size.
#[derive(Clone, Debug)]
pub(crate) struct Probabilities {
    of_logits: Box<[u16; 8192]>,
    /// In steps.
    logits: Box<[f32; LOGITS]>,
}

impl Probabilities {
    pub(crate) fn new() -> Self {
        let mut table = Box::new([0; 8192]);
        for (at, p) in table.iter_mut().enumerate().take(2 * STEPS_MAX + 1) {
            let logit = (at as f32 - STEPS_MAX as f32) * (1.0 / LOGIT_STEPS);
            let exact = ONE as f32 / (1.0 + exp(-logit));
            *p = exact.clamp(LEAST, ONE as f32 - LEAST) as u16;
        }
        let mut logits = Box::new([0.0; LOGITS]);
        for (at, logit) in logits.iter_mut().enumerate() {
            let p = (at as f32 + 0.5) * (1.0 / LOGITS as f32);
            *logit = (log2(p) - log2(1.0 - p)) * LN_2 * LOGIT_STEPS;
        }
        Self {
            of_logits: table,
            logits,
        }
    }

    /// The probability, out of 65,536, of a logit in steps.
    #[inline(always)]
    pub(crate) fn of(&self, steps: f32) -> u32 {
        self.at(place(steps))
    }

    /// The probability at a [`place`].
    #[inline(always)]
    pub(crate) fn at(&self, place: u32) -> u32 {
        self.of_logits[place as usize & 8191].into()
    }

    /// The logit of a probability out of 65,536, in steps.
    #[inline(always)]
    pub(crate) fn logit(&self, p: u16) -> f32 {
        self.logits[usize::from(p) / (ONE as usize / LOGITS)]
    }
}

/// Place of the probability of a logit in steps. The sum has whole steps in the lowest bits of its mantissa, rounded to
/// nearest, on a tie to even: cheaper than a conversion.
#[inline(always)]
pub(crate) fn place(steps: f32) -> u32 {
    const WHOLE: f32 = (1 << 23) as f32;
    let max = STEPS_MAX as f32;
    (steps.clamp(-max, max) + (WHOLE + max)).to_bits() & 8191
}

/// e^x, for |x| > 80 that of 80: 2^whole by exponent bits, the rest by a Taylor series (relative error below 1e-4).
pub(crate) const fn exp(x: f32) -> f32 {
    let twos = x.clamp(-80.0, 80.0) * LOG2_E;
    // Truncation rounds to nearest, because the sum is positive.
    let whole = (twos + 128.5) as i32 - 128;
    let f = (twos - whole as f32) * LN_2;
    let series = 1.0 + f * (1.0 + f * (1.0 / 2.0 + f * (1.0 / 6.0 + f * (1.0 / 24.0))));
    series * f32::from_bits(((whole + 127) as u32) << 23)
}

/// log2 of a positive number, within 0.01: exponent bits, and a parabola over the mantissa.
pub(crate) const fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    exponent as f32 + mantissa * (1.343 - 0.343 * mantissa)
}

/// log2 of 1 + the size of `x`.
pub(crate) fn log_size(x: f32) -> f32 {
    log2(1.0 + x.abs())
}

/// Class of a size: whole part of [`log_size`], at most `top`.
pub(crate) fn size_class(x: f32, top: usize) -> usize {
    (log_size(x) as usize).min(top)
}

/// log2 of a number from 1 on, in 1/65,536 bits.
pub(crate) fn log2_65536ths(x: u32) -> u32 {
    let exponent = 31 - x.leading_zeros();
    let mantissa = (x << (31 - exponent) >> 15) & 0xffff;
    let (at, part) = ((mantissa >> 8) as usize, mantissa & 0xff);
    let [below, above] = [LOG2_65536THS[at], LOG2_65536THS[at + 1]];
    (exponent << 16) + below + (((above - below) * part + 0x80) >> 8)
}

/// 65,536 log2(1 + i / 256), rounded. A straight line from one to the next misses by a quarter of a unit at most.
static LOG2_65536THS: [u32; 257] = log2_table();

const fn log2_table() -> [u32; 257] {
    let mut table = [0; 257];
    let mut i = 0;
    while i < 257 {
        // ln(1 + x) = 2 artanh(x / (2 + x)), whose series falls by a factor of 9 or more a term.
        let x = i as f64 / 256.0;
        let t = x / (2.0 + x);
        let (mut sum, mut power, mut n) = (0.0, t, 1);
        while n < 30 {
            sum += power / n as f64;
            power *= t * t;
            n += 2;
        }
        table[i] = (131_072.0 * sum / core::f64::consts::LN_2 + 0.5) as u32;
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approximations_are_near_the_exact_functions() {
        let probabilities = Probabilities::new();
        for i in -800..=800 {
            let x = i as f32 / 100.0;
            assert!((f64::from(exp(x)) / libm::exp(f64::from(x)) - 1.0).abs() < 1e-4);
            let p = f64::from(probabilities.of(x * LOGIT_STEPS)) / f64::from(ONE);
            assert!((p - 1.0 / (1.0 + libm::exp(-f64::from(x)))).abs() < 1e-3);
        }
        assert_eq!([-1e9, 1e9].map(|x| probabilities.of(x)), [8, 65_528]);
        for p in 1..ONE {
            // Small numbers and large ones.
            for x in [p, p << 15 | 0x1357] {
                let bits = libm::log2(f64::from(x));
                let error = f64::from(log2_65536ths(x)) - bits * 65_536.0;
                assert!(error.abs() < 2.0, "{x}");
            }
        }
    }
}
