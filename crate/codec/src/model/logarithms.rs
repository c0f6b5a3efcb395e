//! Fast approximations of logarithms and powers.
//!
//! Everything here is integers or IEEE `+ - * /` in a fixed order, so that native and wasm agree bit for bit.

use core::f32::consts::{LN_2, LOG2_E};

/// Approximates e^x; |x| is clamped to 80. It sets 2^whole by exponent bits and uses a Taylor series for the rest (relative
/// error below 1e-4).
pub(crate) const fn exp(x: f32) -> f32 {
    exp2(x.clamp(-80.0, 80.0) * LOG2_E)
}

/// Returns 2^x, for |x| <= 116.
#[inline(always)]
pub(crate) const fn exp2(twos: f32) -> f32 {
    // Truncation rounds to nearest, because the sum is positive.
    let whole = truncate(twos + 128.5);
    let f = (twos - (whole as i32 - 128) as f32) * LN_2;
    let series = 1.0 + f * (1.0 + f * (1.0 / 2.0 + f * (1.0 / 6.0 + f * (1.0 / 24.0))));
    series * f32::from_bits((whole - 1) << 23)
}

/// Returns the integer part of a number from 0 to 2^22. Unlike a cast, it can be vectorised.
#[inline(always)]
pub(crate) const fn truncate(x: f32) -> u32 {
    /// The smallest float from which on neighbouring floats are 1 apart.
    const WHOLE: f32 = (1 << 23) as f32;
    let nearest = x + WHOLE;
    (nearest.to_bits() - WHOLE.to_bits()) - (nearest - WHOLE > x) as u32
}

/// Returns log2 of a positive number, within 0.01: exponent bits, and a parabola over the mantissa.
#[inline(always)]
pub(crate) const fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    exponent as f32 + mantissa * (1.343 - 0.343 * mantissa)
}

/// Returns log2 of (1 + the magnitude of `x`).
#[inline(always)]
pub(crate) fn log_size(x: f32) -> f32 {
    log2(1.0 + x.abs())
}

/// Returns the class of a number's magnitude: the exponent of 1 + the magnitude, at most `top`.
#[inline(always)]
pub(crate) const fn size_class(x: f32, top: usize) -> usize {
    let class = ((1.0 + x.abs()).to_bits() >> 23) as usize - 127;
    if class < top { class } else { top }
}

/// Returns log2 of a number of at least 1, in 1/65,536 bits.
pub fn log2_65536ths(x: u32) -> u32 {
    let exponent = 31 - x.leading_zeros();
    let mantissa = (x << (31 - exponent) >> 15) & 0xffff;
    let (at, part) = ((mantissa >> 8) as usize, mantissa & 0xff);
    let [below, above] = [LOG2_65536THS[at], LOG2_65536THS[at + 1]];
    (exponent << 16) + below + (((above - below) * part + 0x80) >> 8)
}

/// Table of 65,536 log2(1 + i / 256), rounded. Linear interpolation between entries is off by a quarter of a unit at most.
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
        for i in -800..=800 {
            let x = i as f32 / 100.0;
            assert!((f64::from(exp(x)) / libm::exp(f64::from(x)) - 1.0).abs() < 1e-4);
        }
        for p in 1..1_u32 << 16 {
            // Small numbers and large ones.
            for x in [p, p << 15 | 0x1357] {
                let bits = libm::log2(f64::from(x));
                let error = f64::from(log2_65536ths(x)) - bits * 65_536.0;
                assert!(error.abs() < 2.0, "{x}");
            }
        }
    }
}
