//! Numbers in the bytes that guests and their hosts exchange: little-endian, as many as are there.

/// Upper limit of a tick in such bytes.
pub(crate) const TICKS_END: f64 = (1_u64 << 53) as f64;

/// Splits the first bytes off; `None` if there are fewer.
pub(crate) fn next<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*first)
}
