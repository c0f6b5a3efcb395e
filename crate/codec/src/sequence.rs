//! 16-bit sequence numbers that wrap: at 60 ticks a second once in 18.2 minutes.

use crate::error::DecodeError;

/// Returns true if `a` comes after `b`, by the shorter way round the wrap. If they are half the range apart, neither is newer.
pub const fn is_newer(a: u16, b: u16) -> bool {
    a != b && ticks_since(a, b) < 0x8000
}

/// Returns the number of ticks from `older` to `newer`, modulo 65,536.
pub const fn ticks_since(newer: u16, older: u16) -> u16 {
    newer.wrapping_sub(older)
}

/// Returns an error if a packet's sequence is newer than the horizon, the newest sequence possible by now.
pub(crate) fn check_horizon(sequence: u16, horizon: u16) -> Result<(), DecodeError> {
    if is_newer(sequence, horizon) {
        let (sequence, horizon) = (sequence.into(), horizon.into());
        return Err(DecodeError::TooFarAhead { sequence, horizon });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_survives_the_wrap() {
        assert!(is_newer(0, 65_535) && !is_newer(65_535, 0));
        assert!(is_newer(32_767, 0) && !is_newer(0, 32_767));
        assert!(!is_newer(32_768, 0) && !is_newer(0, 32_768));
        assert!(!is_newer(5, 5));
        assert_eq!(ticks_since(3, 65_534), 5);
    }
}
