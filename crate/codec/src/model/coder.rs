//! The range coder: a decision and its probability to a fraction of a bit, and back. Carry-less, 32 bits, after the
//! coders of the PAQ family.
//!
//! The packet is a binary fraction, extended by zeros for ever: zero bytes at its end are not sent.

use alloc::vec::Vec;

use super::logistic::{ONE, log2_65536ths};
use crate::error::DecodeError;
use crate::ledger::{BIT_65536THS, Decision, Kind, Ledger};

/// Most bytes of a changed cube: five flags and six numbers, a number at most 2 + 23 decisions and 23 bits. A decision takes
/// at most 16 bits: it leaves at least 1 / 2^16 of the interval, or the interval has but 2^16 values left.
pub(crate) const CODED_CUBE_BYTES_MAX: usize = 2 * (8 + 6 * (2 + 23 + 23));

/// One description of a packet serves both directions: to code a decision is to write the given bit, or to read it and
/// leave the given one unseen.
pub(crate) trait Coder {
    /// A decision that is true with a probability of `p_true` out of 65,536.
    fn code(&mut self, p_true: u32, bit: bool) -> bool;

    /// Counts the following decisions as `kind`, about this cube.
    fn about(&mut self, _kind: Kind, _cube: usize) {}

    /// Counts the following decisions as `kind`, about no cube.
    fn about_packet(&mut self, _kind: Kind) {}

    /// The decisions since the last field were one by that rule, and came to that value.
    fn said(&mut self, _rule: &'static str, _value: i64) {}

    /// Says whether decisions are kept one by one.
    fn keeps_spans(&self) -> bool {
        false
    }

    /// Notes a cube, coded before, from whose motion this one is predicted.
    fn looked_at(&mut self, _cube: usize) {}

    /// Codes many decisions in a row, with the interval at hand in registers.
    fn in_a_row<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        run(self)
    }

    /// The lowest `bits` bits of a value of which nothing is expected.
    #[inline]
    fn code_uniform(&mut self, value: u32, bits: u32) -> u32 {
        (0..bits).rev().fold(0, |read, bit| {
            read << 1 | u32::from(self.code(ONE / 2, value >> bit & 1 != 0))
        })
    }
}

/// `low..=high` is what is left of the fraction's interval, from the first byte that is not settled.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Self = Self {
        low: 0,
        high: u32::MAX,
    };

    /// The last value that means true; the others mean false. False is the lower part, so that a packet of nothing but what
    /// was expected to be false is empty.
    fn split(self, p_true: u32) -> u32 {
        let p_false = u64::from(ONE - p_true);
        self.low + ((u64::from(self.high - self.low) * p_false) >> 16) as u32
    }

    fn narrow(&mut self, split: u32, bit: bool) {
        if bit {
            self.low = split + 1
        } else {
            self.high = split
        }
    }

    /// log2 of how many values are left, in 1/65,536 bits.
    fn width_65536ths(self) -> i64 {
        let values = (self.high - self.low).checked_add(1);
        values.map_or(32 * BIT_65536THS, |values| log2_65536ths(values).into())
    }

    /// The first byte, once it is settled.
    fn shift(&mut self) -> Option<u8> {
        let top = (self.low >> 24) as u8;
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        self.low <<= 8;
        self.high = self.high << 8 | 0xff;
        Some(top)
    }

    /// The value with the most zero bytes at its end, of these the lowest.
    fn shortest(self) -> u32 {
        [u32::MAX, 0x00ff_ffff, 0xffff, 0xff]
            .into_iter()
            .filter_map(|below| Some(self.low.checked_add(below)? & !below))
            .find(|&value| value <= self.high)
            .unwrap_or(self.low)
    }
}

/// The part of an encoder that fills a ledger, where one is asked for.
#[derive(Debug)]
pub(crate) struct Account<'a> {
    ledger: Option<&'a mut Ledger>,
    keeps_spans: bool,
    kind: Kind,
    cube: Option<u32>,
    /// Bits accounted for so far, and where the last stored decision ended.
    accounted_65536ths: i64,
    decision_start_65536ths: i64,
    /// Where the decisions about the kind and cube at hand began.
    begun_65536ths: i64,
}

impl<'a> Account<'a> {
    /// Begins with the header, which is about no cube.
    pub(crate) fn new(ledger: Option<&'a mut Ledger>) -> Self {
        Self {
            keeps_spans: ledger.as_deref().is_some_and(Ledger::keeps_spans),
            ledger,
            kind: Kind::Header,
            cube: None,
            accounted_65536ths: 0,
            decision_start_65536ths: 0,
            begun_65536ths: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn is_traced(&self) -> bool {
        self.ledger.is_some()
    }

    #[inline(always)]
    pub(crate) fn keeps_spans(&self) -> bool {
        self.keeps_spans
    }

    /// Counts what has been spent since the last time as the kind at hand; returns how much that is.
    fn account(&mut self, spent_65536ths: i64) -> i64 {
        let length_65536ths = spent_65536ths - self.accounted_65536ths;
        if let Some(ledger) = &mut self.ledger {
            ledger.add_65536ths(self.kind, length_65536ths);
        }
        self.accounted_65536ths = spent_65536ths;
        length_65536ths
    }

    pub(crate) fn about(&mut self, kind: Kind, cube: Option<u32>, spent_65536ths: i64) {
        if self.kind != kind {
            self.account(spent_65536ths);
            self.kind = kind;
        }
        self.cube = cube;
        self.begun_65536ths = spent_65536ths;
    }

    /// Without spans it is enough to account for all fields of a kind in a row at once.
    pub(crate) fn said(&mut self, rule: &'static str, value: i64, spent_65536ths: i64) {
        let length_65536ths = self.account(spent_65536ths);
        if let Some(ledger) = &mut self.ledger {
            ledger.push_span(self.kind, rule, self.cube, value, length_65536ths);
        }
    }

    pub(crate) fn keep_decision(&mut self, value: u32, probability: u32, spent_65536ths: i64) {
        let cost_65536ths = spent_65536ths - self.decision_start_65536ths;
        if let Some(ledger) = &mut self.ledger {
            ledger.push_decision(Decision {
                value,
                probability,
                cost_65536ths,
            });
        }
        self.decision_start_65536ths = spent_65536ths;
    }

    /// Accounts for a symbol that says what happened to a cube: first for the share out of 65,536 of those that changed, then for
    /// the rest. A rare class is rounded most, and the rest has the rounding.
    pub(crate) fn said_change(&mut self, happened: usize, changed: u32, share: u32, spent: i64) {
        if happened == 0 {
            self.said("changed", 0, spent);
            return;
        }
        if let (true, Some(ledger)) = (self.keeps_spans, &mut self.ledger) {
            self.decision_start_65536ths -= ledger.pop_decision();
        }
        let between = self.begun_65536ths + 16 * BIT_65536THS - i64::from(log2_65536ths(changed));
        self.keep_decision(1, changed, between);
        self.said("changed", 1, between);
        self.kind = Kind::Flags;
        self.keep_decision(happened as u32, (share << 16) / changed, spent);
        self.said("what changed", happened as i64, spent);
    }

    fn looked_at(&mut self, cube: usize) {
        if let (Some(of), Some(ledger)) = (self.cube, &mut self.ledger) {
            ledger.push_neighbour(of, cube as u32);
        }
    }

    /// Accounts for the last field.
    pub(crate) fn settle(&mut self, spent_65536ths: i64) {
        let last_65536ths = self.account(spent_65536ths);
        assert!(
            !self.keeps_spans || last_65536ths == 0,
            "decisions that belong to no field"
        );
    }

    /// Counts what the packet has more or fewer bits than its decisions as padding: the ledger's sum is the packet's size.
    pub(crate) fn pad(self, packet_bits: i64) {
        let Some(ledger) = self.ledger else {
            return;
        };
        let padding_65536ths = packet_bits * BIT_65536THS - self.accounted_65536ths;
        ledger.add_65536ths(Kind::Padding, padding_65536ths);
        ledger.push_span(Kind::Padding, "padding", None, 0, padding_65536ths);
    }
}

/// Writes decisions, and accounts for them where a ledger is asked for: a field costs by how much it narrows the interval.
#[derive(Debug)]
pub(crate) struct RangeEncoder<'a> {
    bytes: &'a mut Vec<u8>,
    start_byte: usize,
    interval: Interval,
    account: Account<'a>,
}

impl<'a> RangeEncoder<'a> {
    /// Begins with the header, which is about no cube.
    pub(crate) fn new(bytes: &'a mut Vec<u8>, ledger: Option<&'a mut Ledger>) -> Self {
        Self {
            start_byte: bytes.len(),
            bytes,
            interval: Interval::ALL,
            account: Account::new(ledger),
        }
    }

    /// Bits that all decisions so far cost: bytes that are settled, and what is settled of the next four.
    fn spent_65536ths(&self) -> i64 {
        let settled_bits = 8 * (self.bytes.len() - self.start_byte) as i64;
        (settled_bits + 32) * BIT_65536THS - self.interval.width_65536ths()
    }

    #[cold]
    #[inline(never)]
    fn keep_decision(&mut self, bit: bool, probability: u32) {
        let spent_65536ths = self.spent_65536ths();
        self.account
            .keep_decision(bit.into(), probability, spent_65536ths);
    }

    /// Ends the packet with the fewest bytes that tell it from every other.
    pub(crate) fn finish(mut self) {
        self.account.settle(self.spent_65536ths());
        self.bytes
            .extend_from_slice(&self.interval.shortest().to_be_bytes());
        while self.bytes.len() > self.start_byte && self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        let packet_bits = 8 * (self.bytes.len() - self.start_byte) as i64;
        self.account.pad(packet_bits);
    }
}

impl Coder for RangeEncoder<'_> {
    #[inline(always)]
    fn code(&mut self, p_true: u32, bit: bool) -> bool {
        let split = self.interval.split(p_true);
        self.interval.narrow(split, bit);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        if self.account.keeps_spans() {
            self.keep_decision(bit, if bit { p_true } else { ONE - p_true });
        }
        bit
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

/// Reads what a [`RangeEncoder`] wrote. Any bytes are decisions; whether they are the packet that those decisions make is
/// known at the end.
#[derive(Debug)]
pub(crate) struct RangeDecoder<'a> {
    bytes: &'a [u8],
    next: usize,
    interval: Interval,
    value: u32,
}

impl<'a> RangeDecoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            bytes,
            next: 0,
            interval: Interval::ALL,
            value: 0,
        };
        (0..4).for_each(|_| decoder.read_byte());
        decoder
    }

    fn read_byte(&mut self) {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.value = self.value << 8 | u32::from(byte);
        self.next += 1;
    }

    /// Refuses whatever is not the one packet for these decisions.
    pub(crate) fn finish(self) -> Result<(), DecodeError> {
        let packet_bytes = self.bytes.len();
        if packet_bytes > self.next {
            return Err(DecodeError::TrailingBytes {
                used_bytes: self.next,
                packet_bytes,
            });
        }
        if self.bytes.last() == Some(&0) || self.value != self.interval.shortest() {
            return Err(DecodeError::NotShortest { packet_bytes });
        }
        Ok(())
    }
}

impl Coder for RangeDecoder<'_> {
    #[inline(always)]
    fn code(&mut self, p_true: u32, _: bool) -> bool {
        let split = self.interval.split(p_true);
        let bit = self.value > split;
        self.interval.narrow(split, bit);
        while self.interval.shift().is_some() {
            self.read_byte();
        }
        bit
    }

    #[inline(always)]
    fn in_a_row<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let mut own = Self { ..*self };
        let result = run(&mut own);
        *self = own;
        result
    }
}
