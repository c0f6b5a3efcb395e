//! Training's view of the packets that are coded.

use super::tables::{FEATURES, INPUTS, LOOKUPS};
use crate::model::coder::{Coder, RangeDecoder, RangeEncoder};

/// A coder that may look on: those of packets don't.
pub(crate) trait Observer: Coder {
    /// True where it watches.
    const WATCHES: bool = false;

    /// A decision of the tables.
    fn decided(
        &mut self,
        _mix: usize,
        _logits: [usize; LOOKUPS],
        _inputs: &[f32; INPUTS],
        _bit: bool,
    ) {
    }

    /// Takes the features of a linear prediction, and the value that it should have had.
    fn predicted(&mut self, _row: usize, _features: &[f32; FEATURES], _target: f32, _weight: f32) {}
}

impl Observer for RangeEncoder<'_> {}
impl Observer for RangeDecoder<'_> {}
