//! Numbers of any size in few bytes. Each number has one valid form only.

/// Upper limit of the length of a number, bytes.
const BYTES_MAX: usize = 10;

/// Appends a number: seven bits a byte, the lowest first. All bytes but the last have the highest bit.
pub(super) fn put_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; `None` if the bytes end within it, or its form is longer than needed.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for at in 0..BYTES_MAX {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let is_too_long = byte == 0 && at > 0 || at + 1 == BYTES_MAX && byte > 1;
        if is_too_long {
            return None;
        }
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes a string of bytes off the front; its length stands before it as a number.
pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let count = usize::try_from(take_number(bytes)?).ok()?;
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// Appends a string of bytes, with its length before it as a number.
pub(super) fn put_bytes(content: &[u8], bytes: &mut Vec<u8>) {
    put_number(content.len() as u64, bytes);
    bytes.extend_from_slice(content);
}

/// Returns a signed difference as an unsigned number, small if the difference is: 0, -1, 1, -2 become 0, 1, 2, 3.
pub(super) const fn folded(difference: i64) -> u64 {
    (difference << 1 ^ difference >> 63).cast_unsigned()
}

/// Returns the signed difference of a number that [`folded`] made.
pub(super) const fn unfolded(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_comes_back(number: u64, shift in 0..64_u32) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            put_number(number, &mut bytes);
            prop_assert_eq!(take_number(&mut &bytes[..]), Some(number));
            prop_assert_eq!(take_number(&mut &bytes[..bytes.len() - 1]), None);
            let difference = number.cast_signed();
            prop_assert_eq!(unfolded(folded(difference)), difference);
        }

        #[test]
        fn any_bytes_are_a_number_in_its_one_form_or_none(bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 0x7f, 0x80, 0x81, 0xff]), 0..12)) {
            let mut rest = &bytes[..];
            if let Some(number) = take_number(&mut rest) {
                let mut written = Vec::new();
                put_number(number, &mut written);
                prop_assert_eq!(&written[..], &bytes[..bytes.len() - rest.len()]);
            }
        }
    }
}
