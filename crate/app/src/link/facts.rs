//! Facts about a motion's file in a link: the meaning of its columns, its axes and units, as a person entered them in the
//! form.
//!
//! In the link's text, letters, digits, `-` and `_` stand for themselves, `~` for the end of a line, `:` for `=`. Any other
//! byte is a dot and two hexadecimal digits.

const MOST_BYTES: usize = 4096;

pub(super) fn format(facts: &str) -> String {
    let written = |byte: u8| match byte {
        b'\n' => "~".to_owned(),
        b'=' => ":".to_owned(),
        b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => char::from(byte).to_string(),
        _ => format!(".{byte:02x}"),
    };
    facts.bytes().map(written).collect()
}

/// Reads facts; `None` for a text that [`format()`] does not write.
pub(super) fn parse(text: &str) -> Option<String> {
    let mut rest = text.bytes();
    let mut facts = Vec::new();
    while let Some(byte) = rest.next() {
        facts.push(match byte {
            b'~' => b'\n',
            b':' => b'=',
            b'.' => {
                let mut digit = || char::from(rest.next().unwrap_or(b'x')).to_digit(16);
                // What is no digit makes a text that is not written so.
                let (high, low) = (digit().unwrap_or(0), digit().unwrap_or(0));
                (high << 4 | low) as u8
            }
            byte => byte,
        });
    }
    let is_whole = |facts: &String| facts.len() <= MOST_BYTES && format(facts) == text;
    String::from_utf8(facts).ok().filter(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn facts_survive_a_link_and_other_texts_are_refused(facts in "(\\PC|\n|=){0,60}", text in "[a-z.~:%+&]{0,12}") {
            let written = format(&facts);
            prop_assert!(written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~:".contains(&byte)));
            prop_assert_eq!(parse(&written), Some(facts));
            if let Some(facts) = parse(&text) {
                prop_assert_eq!(format(&facts), text);
            }
        }
    }

    #[test]
    fn a_form_s_lines_stay_readable() {
        assert_eq!(format("up=y\nx=Pos X\n"), "up:y~x:Pos.20X~");
        assert!(parse(&"a".repeat(MOST_BYTES + 1)).is_none());
    }
}
