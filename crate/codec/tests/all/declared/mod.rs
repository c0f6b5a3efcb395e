//! Declarations of fields as the files of packets have them.

use snapshot_codec::Fields;

/// Reads `KIND-BITS BITS[c]...`; c marks a counter.
pub(crate) fn declared(words: &[&str]) -> Fields {
    let bits = |word: &str| word.parse().expect("bits");
    let none = Fields::new(bits(words[0])).expect("0 to 16");
    words[1..].iter().fold(none, |fields, word| {
        let more = match word.strip_suffix('c') {
            Some(word) => fields.with_counter(bits(word)),
            None => fields.with(bits(word)),
        };
        more.expect("1 to 24")
    })
}
