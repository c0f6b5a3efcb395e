//! Packets by hand, after FORMAT.md and not by the codec's own writer.
#![allow(
    dead_code,
    reason = "not every test that shares this file needs all of it"
)]

/// The bytes of fields of (value, bits), most significant first, the last byte filled with zeros.
pub(crate) fn packet_of(fields: &[(u32, u32)]) -> Vec<u8> {
    let bits: Vec<bool> = fields
        .iter()
        .flat_map(|&(value, bits)| (0..bits).rev().map(move |bit| value >> bit & 1 == 1))
        .collect();
    bits.chunks(8)
        .map(|byte| (0..8).fold(0, |all, i| all << 1 | u8::from(byte.get(i) == Some(&true))))
        .collect()
}

/// The bytes of a packet, from its fields or in hexadecimal.
pub(crate) fn packet_of_words(words: &[&str]) -> Vec<u8> {
    if let [hex] = *words
        && let Some(hex) = hex.strip_prefix('=')
    {
        let bytes = (0..hex.len()).step_by(2);
        return bytes
            .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("a byte"))
            .collect();
    }
    let fields = words.iter().flat_map(|field| {
        let (value, bits) = field.split_once(':').expect("VALUE:BITS");
        let (bits, times) = bits.split_once('*').unwrap_or((bits, "1"));
        let value: i64 = value.parse().expect("a value");
        let (bits, times): (u32, usize) =
            (bits.parse().expect("bits"), times.parse().expect("times"));
        // Longer fields are runs of zeros.
        let parts = std::iter::repeat_n((0, 1), bits.saturating_sub(32) as usize);
        let last = bits.min(32);
        let code = (value as u64 & ((1 << last) - 1)) as u32;
        std::iter::repeat_n(parts.chain([(code, last)]), times).flatten()
    });
    packet_of(&fields.collect::<Vec<_>>())
}
