//! The symbol coder: decisions, symbols of 16 classes and raw bits as bytes, and back. After the range coders with a carry.
//!
//! The packet is a binary fraction, extended by zeros for ever: zero bytes at its end are not sent.

use alloc::vec::Vec;

use super::coder::{Account, Coder};
use super::logistic::log2_65536ths;
use crate::error::DecodeError;
use crate::ledger::{BIT_65536THS, Kind, Ledger};

/// Classes of a symbol.
pub(crate) const CLASSES: usize = 16;
/// Place of a distribution's age, behind the ends of its first 15 classes.
const AGE: usize = CLASSES - 1;
/// The end of the last class.
const WHOLE: u16 = 1 << 15;
/// Share of a class that is never expected.
const LEAST: u16 = 6;

/// A distribution over 16 classes that adapts: the ends of the first 15, out of 32,768, and its age.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distribution([u16; CLASSES]);

/// Shifts by age; from the last on it stays.
static RATES: [u8; 121] = rates();

const fn rates() -> [u8; 121] {
    let mut rates = [7; 121];
    let (mut age, firsts) = (0, [1, 3, 8, 20, 50, 120]);
    let mut rate = 0;
    while age < 120 {
        if age == firsts[rate] {
            rate += 1;
        }
        rates[age] = rate as u8 + 1;
        age += 1;
    }
    rates
}

/// The ends of a distribution that is certain of a class.
static CERTAIN: [[u16; CLASSES]; CLASSES] = certain();

const fn certain() -> [[u16; CLASSES]; CLASSES] {
    let mut table = [[0; CLASSES]; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let mut i = 0;
        while i < CLASSES {
            table[class][i] = if i < class {
                LEAST * (i as u16 + 1)
            } else {
                WHOLE - LEAST * (AGE - i) as u16
            };
            i += 1;
        }
        class += 1;
    }
    table
}

impl Distribution {
    /// Nothing is known: all classes are as likely.
    pub(crate) const OPEN: Self = {
        let mut ends = [0; CLASSES];
        let mut i = 0;
        while i < AGE {
            ends[i] = 2048 * (i as u16 + 1);
            i += 1;
        }
        Self(ends)
    };

    #[inline(always)]
    fn adapt(&mut self, class: usize) {
        let age = self.0[AGE];
        let rate = RATES[usize::from(age)];
        let certain = &CERTAIN[class & (CLASSES - 1)];
        for (end, certain) in self.0.iter_mut().zip(certain) {
            *end = end.wrapping_add_signed((certain.wrapping_sub(*end) as i16) >> rate);
        }
        self.0[AGE] = (age + 1).min(RATES.len() as u16 - 1);
    }
}

/// Ends out of 65,536 of the mean of two distributions, without the last, which is 65,536.
#[inline(always)]
fn mean(one: &Distribution, other: &Distribution) -> [u16; CLASSES] {
    core::array::from_fn(|i| one.0[i].wrapping_add(other.0[i]))
}

/// A coder that has symbols.
pub(crate) trait SymbolCoder: Coder {
    /// A class by the mean of two distributions.
    fn symbol(&mut self, ends: [u16; CLASSES], class: usize) -> usize;

    /// The same; both distributions adapt.
    #[inline(always)]
    fn adaptive(&mut self, [one, other]: [&mut Distribution; 2], class: usize) -> usize {
        let class = self.symbol(mean(one, other), class);
        one.adapt(class);
        other.adapt(class);
        class
    }

    /// A class by one distribution.
    #[inline(always)]
    fn adaptive_one(&mut self, one: &mut Distribution, class: usize) -> usize {
        let class = self.symbol(mean(one, one), class);
        one.adapt(class);
        class
    }
}

/// Writes a packet, and accounts for it where a ledger is asked for.
#[derive(Debug)]
pub(crate) struct SymbolEncoder<'a> {
    bytes: &'a mut Vec<u8>,
    start_byte: usize,
    /// The interval's lower end: its last `pending` bits, and a carry above them.
    low: u64,
    pending: u32,
    /// The interval's length, 2^15 to 2^16 - 1.
    range: u32,
    account: Account<'a>,
}

impl<'a> SymbolEncoder<'a> {
    /// Begins with the header, which is about no cube.
    pub(crate) fn new(bytes: &'a mut Vec<u8>, ledger: Option<&'a mut Ledger>) -> Self {
        Self {
            start_byte: bytes.len(),
            bytes,
            low: 0,
            pending: 15,
            range: 1 << 15,
            account: Account::new(ledger),
        }
    }

    /// Bits that everything so far costs.
    fn spent_65536ths(&self) -> i64 {
        let shifted = 8 * (self.bytes.len() - self.start_byte) as i64 + i64::from(self.pending);
        shifted * BIT_65536THS - i64::from(log2_65536ths(self.range))
    }

    /// Goes on with a part of the interval.
    #[inline(always)]
    fn narrow(&mut self, from: u32, to: u32) {
        let range = to - from;
        let by = range.leading_zeros() - 16;
        self.low = (self.low + u64::from(from)) << by;
        self.range = range << by;
        self.pending += by;
        self.give();
    }

    /// Writes the highest 32 of the pending bits, once there are 48.
    #[inline(always)]
    fn give(&mut self) {
        if self.pending >= 48 {
            let given = self.low >> (self.pending - 32);
            self.pending -= 32;
            self.low &= (1 << self.pending) - 1;
            self.push(given, 4);
        }
    }

    /// Appends so many bytes, and adds the carry above them to those before.
    #[inline(always)]
    fn push(&mut self, given: u64, count: usize) {
        let carry = given >> (8 * count);
        if carry > 0 {
            self.carry(carry);
        }
        self.bytes
            .extend_from_slice(&given.to_be_bytes()[8 - count..]);
    }

    #[cold]
    fn carry(&mut self, mut carry: u64) {
        for byte in self.bytes[self.start_byte..].iter_mut().rev() {
            let sum = u64::from(*byte) + carry;
            *byte = sum as u8;
            carry = sum >> 8;
            if carry == 0 {
                break;
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn keep_decision(&mut self, value: u32, probability: u32) {
        let spent = self.spent_65536ths();
        self.account.keep_decision(value, probability, spent);
    }

    /// Ends the packet with the shortest string of the interval, of these the lowest.
    pub(crate) fn finish(mut self) {
        self.account.settle(self.spent_65536ths());
        // The fewest bytes of the pending bits that suffice; the lowest multiple of the last one's unit.
        let end = self.low + u64::from(self.range);
        for count in 0..=6 {
            let unit = (self.pending as i32 - 8 * count).max(0);
            let value = ((self.low + ((1 << unit) - 1)) >> unit) << unit;
            if value < end {
                let surplus = (8 * count - self.pending as i32).max(0);
                let shifted = if surplus > 0 {
                    value << surplus
                } else {
                    value >> unit
                };
                self.push(shifted, count as usize);
                break;
            }
        }
        while self.bytes.len() > self.start_byte && self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        let bytes = self.bytes.len() - self.start_byte;
        self.account.pad(8 * bytes as i64);
    }
}

impl Coder for SymbolEncoder<'_> {
    #[inline(always)]
    fn code(&mut self, p_true: u32, bit: bool) -> bool {
        let split = self.range * ((1 << 16) - p_true) >> 16;
        if bit {
            self.narrow(split, self.range);
        } else {
            self.narrow(0, split);
        }
        if self.account.keeps_spans() {
            let probability = if bit { p_true } else { (1 << 16) - p_true };
            self.keep_decision(bit.into(), probability);
        }
        bit
    }

    #[inline(always)]
    fn code_uniform(&mut self, value: u32, bits: u32) -> u32 {
        if bits > 16 {
            self.code_uniform(value >> 16, bits - 16);
        }
        let bits_here = if bits > 16 { 16 } else { bits };
        let low = value & ((1 << bits_here) - 1);
        self.low = (self.low << bits_here) + u64::from(low * self.range);
        self.pending += bits_here;
        self.give();
        if self.account.keeps_spans() {
            self.keep_decision(low, (1 << 16) >> bits_here);
        }
        value
    }

    fn keeps_spans(&self) -> bool {
        self.account.keeps_spans()
    }

    #[inline]
    fn about(&mut self, kind: Kind, cube: usize) {
        if self.account.is_traced() {
            let spent = self.spent_65536ths();
            self.account.about(kind, Some(cube as u32), spent);
        }
    }

    fn about_packet(&mut self, kind: Kind) {
        let spent = self.spent_65536ths();
        self.account.about(kind, None, spent);
    }

    #[inline]
    fn said(&mut self, rule: &'static str, value: i64) {
        if self.account.keeps_spans() {
            let spent = self.spent_65536ths();
            self.account.said(rule, value, spent);
        }
    }
}

impl SymbolCoder for SymbolEncoder<'_> {
    #[inline(always)]
    fn symbol(&mut self, ends: [u16; CLASSES], class: usize) -> usize {
        let class = class & (CLASSES - 1);
        let end = |at: usize| self.range * u32::from(ends[at]) >> 16;
        let from = if class == 0 { 0 } else { end(class - 1) };
        let to = if class == AGE { self.range } else { end(class) };
        self.narrow(from, to);
        if self.account.keeps_spans() {
            let share = |at: usize| {
                if at == AGE {
                    1 << 16
                } else {
                    u32::from(ends[at])
                }
            };
            let before = if class == 0 { 0 } else { share(class - 1) };
            self.keep_decision(class as u32, share(class) - before);
        }
        class
    }
}

/// Reads what a [`SymbolEncoder`] wrote. Any bytes are decisions; the end tells whether they are the one packet for them.
#[derive(Debug)]
pub(crate) struct SymbolDecoder<'a> {
    bytes: &'a [u8],
    /// Loaded bytes, those behind the packet's end included.
    next: usize,
    /// The packet's value less the interval's lower end; the interval is in the highest 16 bits.
    window: u64,
    range: u32,
    /// Place in the window of the lowest bit of the next byte.
    place: i32,
}

impl<'a> SymbolDecoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            bytes,
            next: 0,
            window: 0,
            range: 1 << 15,
            place: 55,
        };
        decoder.load();
        decoder
    }

    /// Loads four bytes at a time; fewer than 32 bits of the window are without theirs then.
    #[inline(always)]
    fn load(&mut self) {
        while self.place >= 24 {
            let four = match self.bytes.get(self.next..self.next + 4) {
                Some(&[a, b, c, d]) => u32::from_be_bytes([a, b, c, d]),
                _ => self.last_four(),
            };
            self.place -= 32;
            self.window |= u64::from(four) << (self.place + 8);
            self.next += 4;
        }
    }

    #[cold]
    fn last_four(&self) -> u32 {
        (0..4).fold(0, |four, at| {
            let byte = self.bytes.get(self.next + at).copied().unwrap_or(0);
            four << 8 | u32::from(byte)
        })
    }

    #[inline(always)]
    fn narrow(&mut self, from: u32, to: u32) {
        let range = to - from;
        let by = range.leading_zeros() - 16;
        self.window = (self.window - (u64::from(from) << 48)) << by;
        self.range = range << by;
        self.place += by as i32;
        self.load();
    }

    /// Refuses whatever is not the one packet for these decisions.
    pub(crate) fn finish(mut self) -> Result<(), DecodeError> {
        let packet_bytes = self.bytes.len();
        // Whole bytes that the window still has room for, beyond those in it.
        while self.next < packet_bytes && self.place >= 0 {
            self.window |= u64::from(self.bytes[self.next]) << self.place;
            self.place -= 8;
            self.next += 1;
        }
        if self.next < packet_bytes {
            return Err(DecodeError::TrailingBytes {
                used_bytes: self.next,
                packet_bytes,
            });
        }
        let Some(&last) = self.bytes.last() else {
            return Ok(());
        };
        // The place of the last byte's lowest bit.
        let unit = i64::from(self.place) + 8 + 8 * (self.next - packet_bytes) as i64;
        let end = u64::from(self.range) << 48;
        let is_shortest = last != 0
            && (unit >= 64 || {
                let next_shorter =
                    u128::from(self.window) + (u128::from(256 - u16::from(last)) << unit);
                self.window >> unit == 0 && next_shorter >= u128::from(end)
            });
        if is_shortest {
            Ok(())
        } else {
            Err(DecodeError::NotShortest { packet_bytes })
        }
    }
}

impl Coder for SymbolDecoder<'_> {
    #[inline(always)]
    fn code(&mut self, p_true: u32, _: bool) -> bool {
        let split = self.range * ((1 << 16) - p_true) >> 16;
        let bit = (self.window >> 48) as u32 >= split;
        if bit {
            self.narrow(split, self.range);
        } else {
            self.narrow(0, split);
        }
        bit
    }

    #[inline(always)]
    fn code_uniform(&mut self, _: u32, bits: u32) -> u32 {
        let high = if bits > 16 {
            self.code_uniform(0, bits - 16) << 16
        } else {
            0
        };
        let bits = if bits > 16 { 16 } else { bits };
        let value = (self.window >> (48 - bits)) as u32 / self.range;
        self.window -= u64::from(value * self.range) << (48 - bits);
        self.window <<= bits;
        self.place += bits as i32;
        self.load();
        high | value
    }
}

impl SymbolCoder for SymbolDecoder<'_> {
    #[inline(always)]
    fn symbol(&mut self, ends: [u16; CLASSES], _: usize) -> usize {
        let (range, value) = (self.range as u16, (self.window >> 48) as u16);
        let splits: [u16; CLASSES] =
            core::array::from_fn(|i| (u32::from(range) * u32::from(ends[i]) >> 16) as u16);
        let class: u16 = splits[..AGE]
            .iter()
            .map(|&split| u16::from(split <= value))
            .sum();
        let class = usize::from(class) & (CLASSES - 1);
        let from = if class == 0 {
            0
        } else {
            splits[class - 1].into()
        };
        let to = if class == AGE {
            self.range
        } else {
            splits[class].into()
        };
        self.narrow(from, to);
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes by a script that numbers make up: kinds of steps, contexts, values.
    fn play<C: SymbolCoder>(coder: &mut C, seed: u64, steps: usize, skew: u32) -> Vec<u32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = move |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) as u32) % below
        };
        let mut contexts = [Distribution::OPEN; 4];
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
                    let [a, b] = contexts.get_disjoint_mut([at, 3]).unwrap();
                    coder.adaptive([a, b], class) as u32
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
                let mut others =
                    alloc::vec![[&bytes[..], &[0]].concat(), [&bytes[..], &[1]].concat()];
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
    fn every_class_keeps_its_least_share() {
        let mut seen = Distribution::OPEN;
        for class in (0..4000).map(|n| if n < 2000 { 3 } else { n * n % 16 }) {
            seen.adapt(class);
            let ends = [&[0], &seen.0[..AGE], &[WHOLE]].concat();
            assert!(
                ends.windows(2).all(|pair| pair[1] >= pair[0] + LEAST),
                "{ends:?}"
            );
        }
    }
}
