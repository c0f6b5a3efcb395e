//! The inputs of a packet: mostly the same as the one before.

use alloc::vec::Vec;

use crate::error::DecodeError;
use crate::model::coder::Coder;

/// A whole.
const ONE: u32 = 1 << 16;
/// Probability that an input is the one before.
const SAME: u32 = ONE - ONE / 16;
/// Probability that a key is another, where some key is.
const TOGGLED: u32 = ONE / 4;
const KEYS: u32 = 6;

/// Appends one input a tick. `last` is that of the baseline's tick, where it is known; `wanted` ends with the newest, and where
/// it has too few, nothing was pressed before.
pub(super) fn code(
    coder: &mut impl Coder,
    mut last: u8,
    ticks: u16,
    wanted: &[u8],
    inputs: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    let ticks = usize::from(ticks);
    for at in 0..ticks {
        let input = (at + wanted.len())
            .checked_sub(ticks)
            .map_or(0, |at| wanted[at] & ((1 << KEYS) - 1));
        if !coder.code(SAME, input == last) {
            let toggled = (0..KEYS).fold(0, |toggled, key| {
                let differs = (input ^ last) >> key & 1 != 0;
                toggled | u8::from(coder.code(TOGGLED, differs)) << key
            });
            if toggled == 0 {
                return Err(DecodeError::InputRepeated { at });
            }
            last ^= toggled;
        }
        coder.said("input", last.into());
        inputs.push(last);
    }
    Ok(())
}
