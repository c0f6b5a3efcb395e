//! The name of a guest: bounded, and without control characters.

/// Upper limit of a name's length, characters.
pub const NAME_CHARS_MAX: usize = 24;

/// Name of a guest who gave none.
pub(super) const UNNAMED: &str = "Guest";

/// Returns the name in a guest's token, cut and cleaned.
pub(super) fn name_of(token: &[u8]) -> String {
    let text = String::from_utf8_lossy(token);
    // Marks that turn the direction of text would reorder what stands beside the name.
    let is_plain = |letter: &char| {
        !letter.is_control()
            && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let plain: String = text.chars().filter(is_plain).take(NAME_CHARS_MAX).collect();
    match plain.trim() {
        "" => UNNAMED.to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_cut_and_cleaned() {
        let name = |token: &str| name_of(token.as_bytes());
        assert_eq!(name(" Ann\n"), "Ann");
        assert_eq!(name(""), "Guest");
        assert_eq!(name("\u{202e}Ann"), "Ann");
        assert_eq!(name(&"x".repeat(99)).chars().count(), NAME_CHARS_MAX);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_name(token in prop::collection::vec(any::<u8>(), 0..64)) {
            let name = name_of(&token);
            prop_assert!(!name.is_empty() && name.chars().count() <= NAME_CHARS_MAX);
            prop_assert!(!name.chars().any(char::is_control));
        }
    }
}
