//! Packets by hand, after FORMAT.md and not by the codec's own writer.

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
