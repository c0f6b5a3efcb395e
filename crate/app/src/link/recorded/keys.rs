//! Recorded keys as text. A character stands for one change, a key that is pressed or let go, and for the number of ticks
//! until the next change.
//!
//! The alphabet is `A-Za-z0-9-_.~`. The first 60 characters are ten for each of the six keys, in the order of
//! [`snapshot_physics::Input`]'s bits. The ten stand for 0 to 9 ticks. The last six, one for each key, stand for 10 ticks and
//! more. The ticks beyond 10 follow as a number in digits of five bits, lowest digit first. The first 32 characters stand for
//! the last digit, the next 32 for a digit that another digit follows. Busy play takes about one character for each change.

use snapshot_physics::Input;

const ALPHABET: &[u8; 66] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
const KEYS: usize = 6;
/// Number of different tick counts that one character can encode.
const SHORT: usize = 10;
const DIGIT_BITS: usize = 5;

pub(super) fn write(keys: &[u8], text: &mut String) {
    let mut held = 0;
    for run in keys.chunk_by(|a, b| a == b) {
        let mut changed = held ^ run[0];
        if changed == 0 {
            // Only the first run has nothing that changes: a key that is let go at once.
            write_change(0, 0, text);
            changed = 1;
        }
        held = run[0];
        while changed != 0 {
            let key = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let ticks = if changed == 0 { run.len() } else { 0 };
            write_change(key, ticks, text);
        }
    }
}

fn write_change(key: usize, ticks: usize, text: &mut String) {
    let mut push = |place: usize| text.push(char::from(ALPHABET[place]));
    if ticks < SHORT {
        push(key * SHORT + ticks);
        return;
    }
    push(KEYS * SHORT + key);
    let mut more = ticks - SHORT;
    while more >= 1 << DIGIT_BITS {
        push((1 << DIGIT_BITS) + more % (1 << DIGIT_BITS));
        more >>= DIGIT_BITS;
    }
    push(more);
}

/// Parses the keys of up to `most` ticks; `None` if there are more, or the text is invalid.
pub(super) fn read(text: &str, most: usize) -> Option<Vec<u8>> {
    let mut places = text
        .bytes()
        .map(|byte| ALPHABET.iter().position(|known| *known == byte));
    let (mut keys, mut held) = (Vec::new(), 0);
    while let Some(place) = places.next() {
        let place = place?;
        let (key, ticks) = match place.checked_sub(KEYS * SHORT) {
            None => (place / SHORT, place % SHORT),
            Some(key) => (key, SHORT.checked_add(read_number(&mut places)?)?),
        };
        held ^= 1 << key;
        let length = keys.len().checked_add(ticks)?;
        if length > most {
            return None;
        }
        keys.resize(length, Input::from_bits(held).bits());
    }
    Some(keys)
}

fn read_number(places: &mut impl Iterator<Item = Option<usize>>) -> Option<usize> {
    // Four digits are more than there are ticks.
    let mut number = 0;
    for shift in (0..4).map(|digit| digit * DIGIT_BITS) {
        let place = places.next()??;
        if place >= 2 << DIGIT_BITS {
            return None;
        }
        number |= (place % (1 << DIGIT_BITS)) << shift;
        if place < 1 << DIGIT_BITS {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(keys: &[u8]) -> String {
        let mut text = String::new();
        write(keys, &mut text);
        text
    }

    #[test]
    fn a_change_is_a_character_and_a_long_one_some_more() {
        for (keys, expected) in [
            (vec![], ""),
            (vec![1; 3], "D"),
            (vec![0; 4], "AE"),
            (vec![1, 1, 3, 2], "CLB"),
            (vec![0b11_0000; 9], "o7"),
            (vec![1; 10], "8A"),
            (vec![32; 41], "~f"),
            (vec![1; 42], "8gB"),
        ] {
            assert_eq!(text(&keys), expected, "{keys:?}");
            assert_eq!(read(expected, 100), Some(keys));
        }
    }

    #[test]
    fn recorded_keys_that_are_too_long_or_cut_off_are_refused() {
        assert_eq!(read("D", 3), Some(vec![1; 3]));
        assert_eq!(read("D", 2), None);
        for cut_off in ["8", "8g", "8gggg", "8ggggA", "8-", "!", "D D", "ä"] {
            assert_eq!(read(cut_off, 36_000), None, "{cut_off}");
        }
    }
}
