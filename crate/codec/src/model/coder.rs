//! Interface of the entropy coders: one description of a packet encodes and decodes it. Also the count of its cost for the
//! ledger.

use super::logarithms::log2_65536ths;
use crate::ledger::{BIT_65536THS, Decision, Kind, Ledger, TRACES};

/// An entropy coder of binary decisions, either a writer or a reader. A writer codes the given bit; a reader ignores it and
/// returns the bit read. So one description of a packet serves both directions.
pub trait Coder {
    /// Codes a bit whose probability of being true is `p_true` out of 65,536; returns the bit.
    fn code(&mut self, p_true: u32, bit: bool) -> bool;

    /// Counts the cost of the following decisions as bits of `kind`, for this cube.
    fn about(&mut self, _kind: Kind, _cube: usize) {}

    /// Counts the cost of the following decisions as bits of `kind`, for no cube.
    fn about_packet(&mut self, _kind: Kind) {}

    /// Ends a field: all decisions since the field before coded `value` by FORMAT.md's `rule`.
    fn said(&mut self, _rule: &'static str, _value: i64) {}

    /// Returns true if each decision is recorded in the ledger.
    fn keeps_spans(&self) -> bool {
        false
    }

    /// Records that the current cube is predicted from the motion of `_cube`, which was coded before.
    fn looked_at(&mut self, _cube: usize) {}

    /// Codes the lowest `bits` bits of a value, all values equally likely.
    fn code_uniform(&mut self, value: u32, bits: u32) -> u32;
}

/// The part of an encoder that counts the cost of decisions, and fills a ledger with it. It does nothing without a ledger.
#[derive(Debug)]
pub(crate) struct Account<'a> {
    ledger: Option<&'a mut Ledger>,
    keeps_spans: bool,
    kind: Kind,
    cube: Option<u32>,
    /// Cost that the ledger has so far, in 1/65,536 bits.
    accounted_65536ths: i64,
    decision_start_65536ths: i64,
    /// Cost up to the first decision of the current kind and cube, in 1/65,536 bits.
    begun_65536ths: i64,
}

impl<'a> Account<'a> {
    /// Makes an account of a packet's cost. It begins with the header, which belongs to no cube.
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
        TRACES && self.ledger.is_some()
    }

    #[inline(always)]
    pub(crate) fn keeps_spans(&self) -> bool {
        TRACES && self.keeps_spans
    }

    /// Adds the cost since the last call to the current kind in the ledger; returns that cost. `spent_65536ths` is the cost so
    /// far.
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

    /// Adds the cost of a field to the ledger, and records its span. Without spans, consecutive fields of one kind can be added
    /// together.
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

    /// Adds the cost of a cube's change symbol to the ledger in two parts. The first part is the cost of "changed", whose
    /// probability is `changed` out of 65,536. The second is the cost of which parts changed, rounding included, because a rare
    /// class is rounded most.
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

    pub(crate) fn looked_at(&mut self, cube: usize) {
        if let (Some(of), Some(ledger)) = (self.cube, &mut self.ledger) {
            ledger.push_neighbour(of, cube as u32);
        }
    }

    /// Adds the cost of the last field to the ledger, at the packet's end.
    pub(crate) fn settle(&mut self, spent_65536ths: i64) {
        let last_65536ths = self.account(spent_65536ths);
        assert!(
            !self.keeps_spans || last_65536ths == 0,
            "decisions that belong to no field"
        );
    }

    /// Counts the difference between the packet's bits and its decisions' cost as padding, so that the ledger's sum is the
    /// packet's size.
    pub(crate) fn pad(self, packet_bits: i64) {
        let Some(ledger) = self.ledger else {
            return;
        };
        let padding_65536ths = packet_bits * BIT_65536THS - self.accounted_65536ths;
        ledger.add_65536ths(Kind::Padding, padding_65536ths);
        ledger.push_span(Kind::Padding, "padding", None, 0, padding_65536ths);
    }
}
