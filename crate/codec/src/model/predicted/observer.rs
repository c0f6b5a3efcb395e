//! Training's view of the packets that are coded.

use super::sizes::{FEATURES, INPUTS, Logs, PRODUCT_INPUTS};
use crate::model::symbols::{SymbolCoder, SymbolDecoder, SymbolEncoder};

/// A coder that may look on: those of packets don't.
pub trait CoderObserver: SymbolCoder {
    /// True while linear predictions are fitted: then only they are asked, and no rivals.
    #[inline(always)]
    fn fits(&self) -> bool {
        false
    }

    /// Takes the features of a linear prediction, and the value that it should have had.
    #[inline(always)]
    fn predicted(&mut self, _row: usize, _features: &[f32; FEATURES], _target: f32, _weight: f32) {}

    /// A class came of these rows of the tables, mixed by that set of weights if by any.
    #[inline(always)]
    fn classified(&mut self, _set: Option<usize>, _rows: &[usize], _class: usize) {}

    /// A class of what happened came of these rows of the tables, with these logs, by that set of powers.
    #[inline(always)]
    fn happened(
        &mut self,
        _set: usize,
        _rows: &[usize; PRODUCT_INPUTS],
        _logs: [&Logs; PRODUCT_INPUTS],
        _class: usize,
    ) {
    }

    /// The parts of the distributions that were mixed last in what came, and their sum.
    #[inline(always)]
    fn mixed(&mut self, _parts: &[f32; INPUTS], _sum: f32) {}

    /// A flag came of a chance of the tables.
    #[inline(always)]
    fn chanced(&mut self, _at: usize, _value: bool) {}
}

impl CoderObserver for SymbolEncoder<'_> {}
impl CoderObserver for SymbolDecoder<'_> {}
