//! Hooks through which training observes the coding of packets.

use super::sizes::{FEATURES, INPUTS, Logs, PRODUCT_INPUTS};
use crate::model::symbols::{SymbolCoder, SymbolDecoder, SymbolEncoder};

/// A symbol coder that may observe predictions and coded classes, for training; coders of packets ignore them.
pub trait CoderObserver: SymbolCoder {
    /// Returns true while training fits the linear predictions; then only these are used, and no rival predictions.
    #[inline(always)]
    fn fits(&self) -> bool {
        false
    }

    /// Observes the features of a linear prediction, and the value that the prediction should have given.
    #[inline(always)]
    fn predicted(&mut self, _row: usize, _features: &[f32; FEATURES], _target: f32, _weight: f32) {}

    /// Observes a coded class: the table rows of the distributions that coded it, and the index of the set of mixing weights,
    /// if any.
    #[inline(always)]
    fn classified(&mut self, _set: Option<usize>, _rows: &[usize], _class: usize) {}

    /// Observes a coded change symbol: the table rows and logs of its shares, and the index of the set of powers.
    #[inline(always)]
    fn happened(
        &mut self,
        _set: usize,
        _rows: &[usize; PRODUCT_INPUTS],
        _logs: [&Logs; PRODUCT_INPUTS],
        _class: usize,
    ) {
    }

    /// Observes the share of each mixed distribution in the probability of the coded class, and the sum of these shares.
    #[inline(always)]
    fn mixed(&mut self, _parts: &[f32; INPUTS], _sum: f32) {}

    /// Observes a coded flag, and the table index of its probability.
    #[inline(always)]
    fn chanced(&mut self, _at: usize, _value: bool) {}
}

impl CoderObserver for SymbolEncoder<'_> {}
impl CoderObserver for SymbolDecoder<'_> {}
