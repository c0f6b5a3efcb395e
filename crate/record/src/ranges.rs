//! Rising ranges of numbers, as a link writes them: `57.60-62`.

use crate::motion::TICKS_MAX;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// Appends `&id=` and the ranges to a fragment; nothing if there are no ranges.
pub fn write(fragment: &mut String, id: &str, ranges: impl Iterator<Item = RangeInclusive<u64>>) {
    for (place, range) in ranges.enumerate() {
        let (first, last) = range.into_inner();
        let _ = match place {
            0 => write!(fragment, "&{id}={first}"),
            _ => write!(fragment, ".{first}"),
        };
        if last > first {
            let _ = write!(fragment, "-{last}");
        }
    }
}

/// Parses rising ranges of numbers with gaps between them; `None` for other text. Numbers are limited to those of the longest
/// motion, so the result is bounded for any text.
pub fn read(text: &str) -> Option<Vec<RangeInclusive<u64>>> {
    let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
    for part in text.split('.') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] =
            [first, last].map(|text| text.parse().ok().filter(|number| *number <= TICKS_MAX));
        let range = first?..=last?;
        let before = ranges.last().map(|range| *range.end());
        if range.is_empty() || before.is_some_and(|before| before + 1 >= *range.start()) {
            return None;
        }
        ranges.push(range);
    }
    Some(ranges)
}
