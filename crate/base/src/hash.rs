//! A stable hash of bits (FNV-1a, 64 bits wide, over 32-bit words): the same on every machine and version.

/// An FNV-1a hash that is computed step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// Makes the hash of no data.
    #[expect(
        clippy::new_without_default,
        reason = "a hash always begins explicitly"
    )]
    pub fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a word to the hash.
    pub fn add_u32(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x100_0000_01b3);
    }

    /// Adds bytes to the hash.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add_u32(u32::from(byte)));
    }

    /// Adds bytes as little-endian words of four bytes. Bytes after the last whole word are added one by one.
    pub fn add_words(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words
            .iter()
            .for_each(|word| self.add_u32(u32::from_le_bytes(*word)));
        self.add_bytes(rest);
    }

    /// Returns the hash of all added data.
    pub fn finish(self) -> u64 {
        self.0
    }

    /// Returns the hash of all added data, folded to 32 bits.
    pub fn folded(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

/// Returns the fingerprint of a file's bytes, by which a link names the file.
pub fn fingerprint(bytes: &[u8]) -> u32 {
    let mut hash = Fnv::new();
    hash.add_words(bytes);
    hash.folded()
}
