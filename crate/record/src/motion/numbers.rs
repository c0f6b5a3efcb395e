//! Fields of a text as numbers.

use super::rows::{RowError, TIME};
use snapshot_base::text::shorten;

/// A field as a whole number of its column.
pub(super) fn whole<T: TryFrom<u64>>(text: &str, column: &'static str) -> Result<T, RowError> {
    let number = text
        .trim()
        .parse()
        .ok()
        .and_then(|number: u64| T::try_from(number).ok());
    number.ok_or_else(|| not_a_number(text, column))
}

/// A field as a finite time in s.
pub(super) fn time(text: &str) -> Result<f64, RowError> {
    let time = decimal(text.trim().as_bytes());
    time.filter(|time| time.is_finite())
        .ok_or_else(|| not_a_number(text, TIME))
}

/// A field as a decimal number of its column.
pub(super) fn number(text: &str, column: &'static str) -> Result<f32, RowError> {
    let number = decimal(text.trim().as_bytes());
    number
        .map(|number| number as f32)
        .ok_or_else(|| not_a_number(text, column))
}

fn not_a_number(text: &str, column: &'static str) -> RowError {
    RowError::NotANumber {
        column,
        text: shorten(text.trim()),
    }
}

/// `-12.5`, `3e-7`. The standard library's reader has a table of 10 kB that the page would carry for this alone. Of 15 digits
/// and up to 22 places it is as exact; of more the last bit of the f32 may be off.
fn decimal(text: &[u8]) -> Option<f64> {
    const PLACES_MAX: i32 = 400;
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut parts = text.splitn(2, |byte| byte.eq_ignore_ascii_case(&b'e'));
    let (digits, exponent) = (parts.next()?, parts.next());
    let exponent: i32 = match exponent {
        Some(text) => std::str::from_utf8(text).ok()?.parse().ok()?,
        None => 0,
    };
    let point = digits.iter().position(|&byte| byte == b'.');
    let (whole, fraction) = digits.split_at(point.unwrap_or(digits.len()));
    let fraction = fraction.get(1..).unwrap_or_default();
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut mantissa, mut dropped) = (0_u64, 0_i32);
    for digit in whole.iter().chain(fraction) {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        if mantissa < u64::MAX / 100 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else {
            dropped = dropped.saturating_add(1);
        }
    }
    let fraction = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let places = exponent.saturating_add(dropped).saturating_sub(fraction);
    let mut value = mantissa as f64;
    let mut scale = 1.0_f64;
    (0..places.abs().min(PLACES_MAX)).for_each(|_| scale *= 10.0);
    if places < 0 {
        value /= scale;
    } else if mantissa > 0 {
        value *= scale;
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests;
