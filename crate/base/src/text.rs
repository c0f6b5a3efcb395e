//! Helpers for text from outside: decoding, and shortening for messages.

use std::borrow::Cow;

/// Converts a text with a byte order mark to UTF-8 without the mark; returns other bytes unchanged. PowerShell on Windows
/// redirects output as UTF-16.
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
        _ => bytes.into(),
    }
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

/// The character between the fields of a table's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter(char);

impl Delimiter {
    /// Returns the delimiter of a table's first line: a tab, semicolon or bar outside of quotes, else a comma, else spaces.
    pub fn detect(line: &str) -> Delimiter {
        let has = |sign: char| {
            let mut quoted = false;
            line.chars().any(|letter| {
                quoted ^= letter == '"';
                letter == sign && !quoted
            })
        };
        let sign = ['\t', ';', '|', ','].into_iter().find(|sign| has(*sign));
        Delimiter(sign.unwrap_or(' '))
    }

    /// Splits a line into its fields, without spaces and quotes around them. A delimiter within quotes does not split.
    pub fn fields<'a>(&self, line: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let Delimiter(sign) = *self;
        let mut rest = Some(if sign == ' ' { line.trim() } else { line });
        // Once a line: once a field would be quadratic.
        let has_quotes = line.contains('"');
        std::iter::from_fn(move || {
            let text = rest?;
            let mut quoted = false;
            let end = match has_quotes {
                false => text.find(sign),
                true => text.find(|letter: char| {
                    quoted ^= letter == '"';
                    letter == sign && !quoted
                }),
            };
            let (field, after) = match end {
                Some(end) => (&text[..end], Some(&text[end + 1..])),
                None => (text, None),
            };
            rest = after.map(|after| match sign {
                ' ' => after.trim_start(),
                _ => after,
            });
            // Most fields have nothing around them.
            let is_bare =
                |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_graphic() && *it != b'"');
            let bytes = field.as_bytes();
            if is_bare(bytes.first()) && is_bare(bytes.last()) {
                return Some(field);
            }
            Some(field.trim().trim_matches('"').trim())
        })
    }

    /// Parses a number, which may have a decimal comma; `None` if it is not a number.
    pub fn number(&self, field: &str) -> Option<f64> {
        match field.contains(',') {
            true => field.replacen(',', ".", 1).parse().ok(),
            false => field.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tables_come_apart_at_any_sign() {
        let fields = |line: &str| -> Vec<String> {
            let fields = Delimiter::detect(line);
            fields.fields(line).map(str::to_string).collect()
        };
        for line in [
            "a,1,5",
            "a ; 1;5",
            "a\t1\t5",
            "\"a\", \"1\" ,5",
            "a|1|5",
            "  a  1 5 ",
        ] {
            assert_eq!(fields(line), ["a", "1", "5"], "{line}");
        }
        assert_eq!(fields("0,\"-60,5\",\"\",x"), ["0", "-60,5", "", "x"]);
        assert_eq!(fields(",,"), ["", "", ""]);
        assert_eq!(Delimiter::detect("a;b").number("-60,5"), Some(-60.5));
        assert_eq!(Delimiter::detect("a,b").number("1,000,5"), None);
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
        let line = ",".repeat(4 << 20);
        assert_eq!(
            Delimiter::detect(&line).fields(&line).count(),
            (4 << 20) + 1
        );
        let quoted = "\"a\",".repeat(1 << 20);
        let count = Delimiter::detect(&quoted).fields(&quoted).count();
        assert_eq!(count, (1 << 20) + 1);
        let encoded = "%ff".repeat(1 << 20);
        assert_eq!(percent_decoded(&encoded), encoded);
        // Quadratic, any of them would take minutes.
        assert!(started.elapsed().as_secs() < 20);
    }
}
