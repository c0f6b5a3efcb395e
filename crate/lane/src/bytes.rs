//! Reading of the little-endian numbers in the messages that guests and their hosts exchange.

/// Upper limit of a tick in a message: beyond it an `f64` skips whole numbers.
pub(crate) const TICKS_END: f64 = (1_u64 << 53) as f64;

/// Splits the first `N` bytes off `rest`; `None` if there are fewer.
pub(crate) fn next<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*first)
}
