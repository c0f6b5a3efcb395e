//! Helpers for text from outside: decoding, lines, and shortening for messages.

use std::borrow::Cow;

/// Converts a text of UTF-16, or one with a byte order mark, to UTF-8 without the mark; returns other bytes unchanged.
/// PowerShell on Windows redirects output as UTF-16. Without a mark, zero bytes beside letters tell it.
pub fn utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let wide = |bytes: &[u8], word: fn([u8; 2]) -> u16| {
        let (words, _) = bytes.as_chunks();
        let words: Vec<u16> = words.iter().map(|&bytes| word(bytes)).collect();
        String::from_utf16_lossy(&words).into_bytes()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes).into(),
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.into(),
        _ if is_wide(bytes, 1) => wide(bytes, u16::from_le_bytes).into(),
        _ if is_wide(bytes, 0) => wide(bytes, u16::from_be_bytes).into(),
        _ => bytes.into(),
    }
}

/// Returns true if the first pairs of bytes are letters of UTF-16, with the zero bytes at `zero` in most pairs.
fn is_wide(bytes: &[u8], zero: usize) -> bool {
    const PAIRS: std::ops::RangeInclusive<usize> = 4..=256;
    let (pairs, _) = bytes.as_chunks::<2>();
    let pairs = &pairs[..pairs.len().min(*PAIRS.end())];
    // Packed numbers have pairs of two zeros.
    let narrow = pairs
        .iter()
        .filter(|pair| pair[zero] == 0 && pair[1 - zero] >= b'\t');
    PAIRS.contains(&pairs.len())
        && narrow.count() * 4 >= pairs.len() * 3
        && !pairs.contains(&[0, 0])
}

/// Returns a text as UTF-8; bytes that are no text become the replacement character.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match utf8(bytes) {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
    }
}

/// Splits a text into its lines, which end by `\n`, `\r\n` or `\r`. A line has its end, so that lines join to the text.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest.find(['\n', '\r'])?;
        let end = at + if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
    .chain(last_line(text))
}

/// Returns the line after the last line end; `None` if it is empty.
fn last_line(text: &str) -> Option<&str> {
    text.rsplit(['\n', '\r'])
        .next()
        .filter(|line| !line.is_empty())
}

/// Decodes the percent-encoded characters of a link, as programs write them that pass links on. Control characters and bytes
/// that are not UTF-8 stay encoded.
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    let mut read = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('%') {
        let (before, encoded) = rest.split_at(start);
        let (triples, _) = encoded.as_bytes().as_chunks::<3>();
        let run: Vec<u8> = triples.iter().map_while(|&triple| byte(triple)).collect();
        // Text at the end of the run is decoded; all before it stays.
        let last = run.utf8_chunks().last();
        let text = last.filter(|chunk| chunk.invalid().is_empty());
        let text = text.map_or("", |chunk| chunk.valid());
        let text = text.rsplit(char::is_control).next().unwrap_or_default();
        let (kept, after) = encoded.split_at((3 * run.len()).max(1));
        read.push_str(before);
        read.push_str(&kept[..kept.len() - 3 * text.len()]);
        read.push_str(text);
        rest = after;
    }
    match read.is_empty() {
        true => text.into(),
        false => (read + rest).into(),
    }
}

fn byte([percent, high, low]: [u8; 3]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = digit(high)? << 4 | digit(low)?;
    (percent == b'%').then_some(byte as u8)
}

/// Returns as many whole characters of a text's beginning as fit that many bytes.
pub fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut len = bytes_max.min(text.len());
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    &text[..len]
}

/// Shortens a text to 40 characters, so that a message about hostile input stays bounded.
pub fn shorten(text: &str) -> String {
    const MOST_CHARS: usize = 40;
    let mut short: String = text.chars().take(MOST_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_by_any_sign_and_join_to_the_text() {
        for text in ["", "a", "a\n", "a\r\nb\rc\n\nd", "\r\r\n"] {
            assert_eq!(lines(text).collect::<String>(), text);
        }
        let all: Vec<&str> = lines("a\r\nb\rc\n\nd").collect();
        assert_eq!(all, ["a\r\n", "b\r", "c\n", "\n", "d"]);
    }

    #[test]
    fn utf_16_is_known_by_its_mark_or_its_zeros() {
        let text = "tick;x\n0;1,5\n";
        let wide = |mark: &str, bytes: fn(u16) -> [u8; 2]| {
            let text = format!("{mark}{text}");
            text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
        };
        for mark in ["", "\u{feff}"] {
            assert_eq!(decoded(&wide(mark, u16::to_le_bytes)), text);
            assert_eq!(decoded(&wide(mark, u16::to_be_bytes)), text);
        }
        for bytes in [
            &[3, 0, 0, 0, 0, 1, 0, 0, 5, 0, 0, 0][..],
            b"SLMOTION\x02\0\0\0",
            b"a\0",
        ] {
            assert_eq!(utf8(bytes), bytes);
        }
        assert_eq!(decoded(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn a_beginning_has_whole_characters() {
        for (bytes_max, cut) in [(0, ""), (1, "a"), (2, "a"), (3, "aä"), (9, "aä")] {
            assert_eq!(beginning("aä", bytes_max), cut);
        }
    }

    #[test]
    fn percent_encoded_text_is_read_once() {
        for (text, read) in [
            ("", ""),
            ("hz=20", "hz=20"),
            ("%68z%3D20", "hz=20"),
            ("a%c3%A4%C3%b6b", "aäöb"),
            ("%2568", "%68"),
            ("100%&%4", "100%&%4"),
            ("%zz%20%", "%zz %"),
            ("%00%1b[2J", "%00%1b[2J"),
            ("%ff%41", "%ffA"),
            ("ä%C3", "ä%C3"),
            ("%e2%82%41%0a%42%c3", "%e2%82%41%0a%42%c3"),
            ("%c3%e2%82%41%0a%42", "%c3%e2%82%41%0aB"),
        ] {
            assert_eq!(percent_decoded(text), read, "{text}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_types, reason = "what is not linear takes minutes")]
    fn hostile_lines_take_linear_time() {
        let started = std::time::Instant::now();
        assert_eq!(lines(&"\r".repeat(4 << 20)).count(), 4 << 20);
        let encoded = "%ff".repeat(1 << 20);
        assert_eq!(percent_decoded(&encoded), encoded);
        // Quadratic, any of them would take minutes.
        assert!(started.elapsed().as_secs() < 20);
    }
}
