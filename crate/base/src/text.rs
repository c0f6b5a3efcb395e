//! Text from elsewhere, repeated in a sentence of ours.

/// Shortens a text to 40 characters, so that a message about hostile input stays bounded.
pub fn shorten(text: &str) -> String {
    const MOST_CHARS: usize = 40;
    let mut short: String = text.chars().take(MOST_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
