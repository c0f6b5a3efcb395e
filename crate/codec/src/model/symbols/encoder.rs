//! Encoder of symbols: an arithmetic coder.

use super::{LAST, SymbolCoder};
use crate::ledger::{BIT_65536THS, Kind, Ledger};
use crate::model::coder::{Account, Coder};
use crate::model::logarithms::log2_65536ths;

/// An arithmetic coder that writes a packet, and fills a ledger where one is given.
#[derive(Debug)]
pub(crate) struct SymbolEncoder<'a> {
    bytes: &'a mut Vec<u8>,
    start_byte: usize,
    /// The lower end of the coder's interval: `pending` bits that are not written yet, and a carry above them.
    low: u64,
    pending: u32,
    /// The length of the coder's interval, 2^15 to 2^16 - 1.
    range: u32,
    account: Account<'a>,
}

impl<'a> SymbolEncoder<'a> {
    /// Makes an encoder of a packet, which begins with the header. The header's cost belongs to no cube.
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

    /// Cost of everything coded so far, in 1/65,536 bits.
    fn spent_65536ths(&self) -> i64 {
        let shifted = 8 * (self.bytes.len() - self.start_byte) as i64 + i64::from(self.pending);
        shifted * BIT_65536THS - i64::from(log2_65536ths(self.range))
    }

    /// Narrows the coder's interval to a part of it.
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

    /// Appends `count` bytes, and adds the carry above them to the bytes already written.
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

    /// Writes at most 16 raw bits, all values equally likely.
    #[inline(always)]
    fn raw(&mut self, value: u32, bits: u32) {
        self.low = (self.low << bits) + u64::from(value * self.range);
        self.pending += bits;
        self.give();
        if self.account.keeps_spans() {
            self.keep_decision(value, (1 << 16) >> bits);
        }
    }

    /// Ends the packet with the shortest bytes that lie within the coder's interval, and the lowest of these.
    pub(crate) fn finish(mut self) {
        if self.account.is_traced() {
            self.account.settle(self.spent_65536ths());
        }
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
        if self.account.is_traced() {
            let bytes = self.bytes.len() - self.start_byte;
            self.account.pad(8 * bytes as i64);
        }
    }
}

impl Coder for SymbolEncoder<'_> {
    #[inline(always)]
    fn code(&mut self, p_true: u32, bit: bool) -> bool {
        let split = (self.range * ((1 << 16) - p_true)) >> 16;
        self.narrow(
            if bit { split } else { 0 },
            if bit { self.range } else { split },
        );
        if self.account.keeps_spans() {
            let probability = if bit { p_true } else { (1 << 16) - p_true };
            self.keep_decision(bit.into(), probability);
        }
        bit
    }

    #[inline(always)]
    fn code_uniform(&mut self, value: u32, bits: u32) -> u32 {
        if bits > 16 {
            self.raw(value >> 16, bits - 16);
            self.raw(value & 0xffff, 16);
        } else {
            self.raw(value & ((1 << bits) - 1), bits);
        }
        value
    }

    fn keeps_spans(&self) -> bool {
        self.account.keeps_spans()
    }

    fn looked_at(&mut self, cube: usize) {
        if self.account.keeps_spans() {
            self.account.looked_at(cube);
        }
    }

    #[inline]
    fn about(&mut self, kind: Kind, cube: usize) {
        if self.account.is_traced() {
            let spent = self.spent_65536ths();
            self.account.about(kind, Some(cube as u32), spent);
        }
    }

    fn about_packet(&mut self, kind: Kind) {
        if self.account.is_traced() {
            let spent = self.spent_65536ths();
            self.account.about(kind, None, spent);
        }
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
    fn symbol(&mut self, end: impl Fn(usize) -> u16, class: usize) -> usize {
        let class = class & LAST;
        // The last end is 0, and so the beginning of the first class.
        let [from, to] = [end(class.wrapping_sub(1) & LAST), end(class)].map(u32::from);
        let split = |end: u32| (self.range * end) >> 16;
        let rest = if class == LAST { self.range } else { split(to) };
        self.narrow(split(from), rest);
        if self.account.keeps_spans() {
            let to = if class == LAST { 1 << 16 } else { to };
            self.keep_decision(class as u32, to - from);
        }
        class
    }

    #[inline]
    fn said_change(&mut self, end: impl Fn(usize) -> u16, happened: usize) {
        if self.account.is_traced() {
            let spent = self.spent_65536ths();
            let changed = (1 << 16) - u32::from(end(0));
            let before = end(happened.wrapping_sub(1) & LAST);
            let share = u32::from(end(happened).wrapping_sub(before));
            self.account.said_change(happened, changed, share, spent);
        }
    }
}
