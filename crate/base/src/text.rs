//! Text from elsewhere: its encoding, and its repetition in a sentence of ours.

use std::borrow::Cow;

/// Turns a text with a byte order mark into UTF-8 without the mark; gives other bytes back. Windows writes UTF-16 where
/// PowerShell redirects.
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

/// Shortens a text to 40 characters, so that a message about hostile input stays bounded.
pub fn shorten(text: &str) -> String {
    const MOST_CHARS: usize = 40;
    let mut short: String = text.chars().take(MOST_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
