//! The symbol coder: it turns decisions, symbols of 16 classes and raw bits into bytes, and back. It is a range coder with a
//! carry.
//!
//! The packet is a binary fraction, extended by zeros for ever: zero bytes at its end are not sent.

mod decoder;
mod encoder;
#[cfg(test)]
mod exhaustive;

pub(crate) use decoder::SymbolDecoder;
pub(crate) use encoder::SymbolEncoder;

use super::coder::Coder;

/// Size of a symbol's alphabet: a symbol has one of 16 values, which are called classes.
pub const CLASSES: usize = 16;
/// Index of the last class; it ends where the whole range ends.
pub const LAST: usize = CLASSES - 1;
/// End of a cumulative distribution, which stands for probability 1.
pub(in crate::model) const WHOLE: u16 = 1 << 15;
/// Least share of a class in a distribution, out of 32,768.
pub(in crate::model) const LEAST: u16 = 6;

/// A cumulative distribution over 16 classes: the end of each class, out of 32,768 or modulo 65,536.
pub(crate) type ClassEnds = [u16; CLASSES];

/// Adaptation rates of distributions by age, as right shifts; the oldest age keeps the last rate.
static RATES: [u8; 128] = rates();
const AGE_MAX: u8 = 120;

const fn rates() -> [u8; 128] {
    let mut rates = [7; 128];
    let (mut age, firsts) = (0, [1, 3, 8, 20, 50, 120]);
    let mut rate = 0;
    while age < AGE_MAX as usize {
        if age == firsts[rate] {
            rate += 1;
        }
        rates[age] = rate as u8 + 1;
        age += 1;
    }
    rates
}

/// Cumulative distributions, one for each class, that give all probability to that class.
static CERTAIN: [ClassEnds; CLASSES] = certain();

const fn certain() -> [ClassEnds; CLASSES] {
    let mut table = [[0; CLASSES]; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let mut i = 0;
        while i < CLASSES {
            table[class][i] = if i < class {
                LEAST * (i as u16 + 1)
            } else {
                WHOLE - LEAST * (LAST - i) as u16
            };
            i += 1;
        }
        class += 1;
    }
    table
}

/// The uniform distribution over all classes, with which each distribution starts.
const OPEN: ClassEnds = {
    let mut ends = [0; CLASSES];
    let mut i = 0;
    while i < CLASSES {
        ends[i] = 2048 * (i as u16 + 1);
        i += 1;
    }
    ends
};

/// Adaptive distributions over 16 classes. All 16 class ends are stored, so that two vectors of 8 hold them; ages are stored
/// apart.
#[derive(Clone, Debug)]
pub struct Distributions<const N: usize> {
    ends: [ClassEnds; N],
    ages: [u8; N],
}

impl<const N: usize> Distributions<N> {
    pub(crate) const OPEN: Self = Self {
        ends: [OPEN; N],
        ages: [0; N],
    };

    /// Makes all distributions uniform and unused.
    pub(crate) fn clear(&mut self) {
        self.ends.fill(OPEN);
        self.ages.fill(0);
    }

    /// Sets a distribution's starting ends and age, if it has not been used yet.
    #[inline(always)]
    pub(crate) fn begin(&mut self, at: usize, ends: &ClassEnds, age: u8) {
        if self.ages[at] == 0 {
            (self.ends[at], self.ages[at]) = (*ends, age);
        }
    }

    /// Returns the ends of a distribution, out of 32,768.
    #[inline(always)]
    pub(crate) fn ends(&self, at: usize) -> &ClassEnds {
        &self.ends[at]
    }

    /// Adapts a distribution towards a class; young distributions adapt faster.
    #[inline(always)]
    pub(crate) fn adapt(&mut self, at: usize, class: usize) {
        let (ends, age) = (&mut self.ends[at], &mut self.ages[at]);
        let rate = RATES[usize::from(*age) & (RATES.len() - 1)] & 7;
        *age += u8::from(*age < AGE_MAX);
        let (before, certain) = (*ends, &CERTAIN[class & LAST]);
        *ends = core::array::from_fn(|i| {
            let by = (certain[i].wrapping_sub(before[i]) as i16) >> rate;
            before[i].wrapping_add_signed(by)
        });
    }
}

/// Number of distributions in a mixture.
pub const INPUTS: usize = 4;

/// A weighted mixture of distributions; weights are out of 65,536.
pub struct Mixture<'a> {
    ends: [&'a ClassEnds; INPUTS],
    weights: [u16; INPUTS],
}

impl<'a> Mixture<'a> {
    pub(crate) fn new(ends: [&'a ClassEnds; INPUTS], weights: [u16; INPUTS]) -> Self {
        Self { ends, weights }
    }

    /// Returns the mixture's cumulative share at the end of class `i`, out of 65,536, wrapped to 16 bits.
    #[inline(always)]
    fn end(&self, i: usize) -> u16 {
        if i == LAST {
            return 0;
        }
        let mut end = i as u16 + 1;
        for (of, weight) in self.ends.iter().zip(self.weights) {
            end += high(of[i], weight);
        }
        end << 1
    }

    /// Returns the ends of all classes, computed as vectors.
    #[inline(always)]
    fn ends(&self) -> ClassEnds {
        let mut ends: ClassEnds = core::array::from_fn(|i| i as u16 + 1);
        for (of, weight) in self.ends.iter().zip(self.weights) {
            for (end, of) in ends.iter_mut().zip(*of) {
                *end = end.wrapping_add(high(*of, weight));
            }
        }
        ends[LAST] = 0;
        ends.map(|end| end << 1)
    }
}

/// Returns the high 16 bits of a product.
#[inline(always)]
fn high(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}

/// A coder that also codes symbols of 16 classes.
pub trait SymbolCoder: Coder {
    /// Codes a class, given each class's end out of 65,536. The last class ends at 65,536, which is 0 in 16 bits.
    fn symbol(&mut self, end: impl Fn(usize) -> u16, class: usize) -> usize;

    /// Codes a class by a mixture.
    #[inline(always)]
    fn mixed_symbol(&mut self, mixture: &Mixture, class: usize) -> usize {
        self.symbol(|i| mixture.end(i), class)
    }

    /// Counts the last symbol as a cube's change symbol, in which class 0 means unchanged. By the chain rule it is two
    /// decisions. That the cube changed counts as index; which of its parts changed counts as flags.
    fn said_change(&mut self, _end: impl Fn(usize) -> u16, _happened: usize) {}

    /// Codes a class by the mean of two distributions, which both adapt.
    #[inline(always)]
    fn adaptive<const N: usize>(
        &mut self,
        distributions: &mut Distributions<N>,
        [one, other]: [usize; 2],
        class: usize,
    ) -> usize {
        let (a, b) = (distributions.ends(one), distributions.ends(other));
        let class = self.symbol(|i| a[i].wrapping_add(b[i]), class);
        distributions.adapt(one, class);
        distributions.adapt(other, class);
        class
    }

    /// Codes a class by one distribution, which adapts.
    #[inline(always)]
    fn adaptive_one<const N: usize>(
        &mut self,
        distributions: &mut Distributions<N>,
        one: usize,
        class: usize,
    ) -> usize {
        let ends = distributions.ends(one);
        let class = self.symbol(|i| ends[i] << 1, class);
        distributions.adapt(one, class);
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Ledger;

    /// Codes by a script that numbers make up: kinds of steps, contexts, values.
    fn play<C: SymbolCoder>(coder: &mut C, seed: u64, steps: usize, skew: u32) -> Vec<u32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = move |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) as u32) % below
        };
        let mut contexts = Distributions::<4>::OPEN;
        let mut values = Vec::new();
        for _ in 0..steps {
            let value = match draw(4) {
                0 => {
                    let p = [2, 32, 0x8000, 65_504, 65_534][draw(5) as usize];
                    u32::from(coder.code(p, draw(skew) == 0))
                }
                1 => {
                    let bits = draw(25);
                    let value = (draw(1 << 12) << 12 | draw(1 << 12)) & ((1 << bits) - 1);
                    coder.code_uniform(value, bits)
                }
                _ => {
                    let class = draw(CLASSES as u32).saturating_sub(skew) as usize;
                    let at = draw(3) as usize;
                    coder.adaptive(&mut contexts, [at, 3], class) as u32
                }
            };
            values.push(value);
        }
        values
    }

    #[test]
    fn comes_back_and_has_one_packet_alone() {
        for seed in 0..400 {
            for (steps, skew) in [(0, 1), (1, 9), (3, 2), (40, 15), (300, 1), (900, 14)] {
                let mut bytes = Vec::new();
                let mut ledger = Ledger::with_spans();
                let mut encoder = SymbolEncoder::new(&mut bytes, Some(&mut ledger));
                let sent = play(&mut encoder, seed, steps, skew);
                encoder.said("all", 0);
                encoder.finish();
                assert_eq!(ledger.total_65536ths() >> 16, 8 * bytes.len() as i64);
                let read = |bytes: &[u8]| {
                    let mut decoder = SymbolDecoder::new(bytes);
                    (play(&mut decoder, seed, steps, skew), decoder.finish())
                };
                assert_eq!(read(&bytes), (sent.clone(), Ok(())), "{seed} {steps}");
                // No other bytes near it are a packet of the same values.
                let mut others = vec![[&bytes[..], &[0]].concat(), [&bytes[..], &[1]].concat()];
                if let Some((last, rest)) = bytes.split_last() {
                    others.push(rest.to_vec());
                    others.push([rest, &[last.wrapping_add(1)]].concat());
                    others.push([rest, &[last.wrapping_sub(1)]].concat());
                }
                for other in others {
                    let (values, end) = read(&other);
                    assert!(
                        values != sent || end.is_err(),
                        "{seed} {steps} {other:?} {bytes:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_cleared_distribution_is_uniform() {
        let mut seen = Distributions::<1>::OPEN;
        (0..9).for_each(|class| seen.adapt(0, class));
        assert_ne!(*seen.ends(0), OPEN);
        seen.clear();
        assert_eq!((*seen.ends(0), seen.ages), (OPEN, [0]));
    }

    #[test]
    fn every_class_keeps_its_least_share() {
        let mut seen = Distributions::<1>::OPEN;
        for class in (0..4000).map(|n| if n < 2000 { 3 } else { n * n % 16 }) {
            seen.adapt(0, class);
            let ends = [&[0], &seen.ends(0)[..]].concat();
            assert_eq!(ends[CLASSES], WHOLE);
            assert!(
                ends.windows(2).all(|pair| pair[1] >= pair[0] + LEAST),
                "{ends:?}"
            );
        }
    }
}
