//! Coding of the players' inputs in a packet; mostly each input repeats the one of the tick before.

use crate::error::DecodeError;
use crate::model::coder::Coder;

/// The number that stands for a probability of 1.
const ONE: u32 = 1 << 16;
/// Probability that an input repeats the one before, out of `ONE`.
const SAME: u32 = ONE - ONE / 16;
/// Probability that a key toggles in a changed input, out of `ONE`.
const TOGGLED: u32 = ONE / 4;
const KEYS: u32 = 6;

/// Codes one input for each tick, and appends them to `inputs`. `last` is the input at the baseline's tick, where known.
/// `wanted` ends with the newest input; ticks before its first have no key pressed.
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
