//! Names of guests: bounded, without control characters, and told apart.

/// Upper limit of a name's length, characters.
pub const NAME_CHARS_MAX: usize = 24;

/// Returns the name in a guest's token, cut and cleaned. A guest without a name is called "Guest". A name that is already
/// taken gets a number.
pub(super) fn name_of<'a>(token: &[u8], taken: impl Iterator<Item = &'a str> + Clone) -> String {
    let text = String::from_utf8_lossy(token);
    // Marks that turn the direction of text would reorder what stands beside the name.
    let is_plain = |letter: &char| {
        !letter.is_control()
            && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let plain: String = text.chars().filter(is_plain).take(NAME_CHARS_MAX).collect();
    let plain = match plain.trim() {
        "" => "Guest",
        name => name,
    };
    let mut name = plain.to_string();
    let mut number = 1;
    while taken.clone().any(|other| other == name) {
        number += 1;
        name = format!("{plain} {number}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_cut_cleaned_and_told_apart() {
        let name = |token: &str, taken: &[&str]| name_of(token.as_bytes(), taken.iter().copied());
        assert_eq!(name(" Ann\n", &[]), "Ann");
        assert_eq!(name("", &[]), "Guest");
        assert_eq!(name("Ann", &["Ann", "Ann 2"]), "Ann 3");
        assert_eq!(name("\u{202e}Ann", &[]), "Ann");
        assert_eq!(name(&"x".repeat(99), &[]).chars().count(), NAME_CHARS_MAX);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_name(token in prop::collection::vec(any::<u8>(), 0..64)) {
            let name = name_of(&token, ["Guest"].into_iter());
            prop_assert!(!name.is_empty() && name.chars().count() <= NAME_CHARS_MAX + 2);
            prop_assert!(!name.chars().any(char::is_control));
        }
    }
}
