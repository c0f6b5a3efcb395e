//! Bits in bytes, most significant first: a hex dump of a packet reads in the order in which it was written.

use alloc::vec::Vec;

use crate::error::DecodeError;

/// Appends values of up to 32 bits to a byte vector. Call [`BitWriter::finish`], or up to 31 bits stay behind.
#[derive(Debug)]
pub(crate) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// The lowest `pending_bits` bits (fewer than 32) are not in `bytes` yet; what is above them has been written.
    pending: u64,
    pending_bits: u32,
    start_byte: usize,
}

impl<'a> BitWriter<'a> {
    /// Writes after what `bytes` already holds.
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        let start_byte = bytes.len();
        Self {
            bytes,
            pending: 0,
            pending_bits: 0,
            start_byte,
        }
    }

    /// Appends the lowest `bits` bits of `value`; the caller sees to it that the others are zero and that `bits` <= 32.
    pub(crate) fn put(&mut self, value: u32, bits: u32) {
        debug_assert!(
            bits <= 32 && u64::from(value) >> bits == 0,
            "{value} does not fit {bits} bits"
        );
        self.pending = self.pending << bits | u64::from(value);
        self.pending_bits += bits;
        if self.pending_bits >= 32 {
            self.pending_bits -= 32;
            let word = (self.pending >> self.pending_bits) as u32;
            self.bytes.extend_from_slice(&word.to_be_bytes());
        }
    }

    /// Bits written so far.
    pub(crate) fn bit_length(&self) -> usize {
        (self.bytes.len() - self.start_byte) * 8 + self.pending_bits as usize
    }

    /// Zero bits that [`BitWriter::finish`] would add now, 0 to 7.
    pub(crate) fn padding_bits(&self) -> u32 {
        self.pending_bits.wrapping_neg() % 8
    }

    /// Fills the last byte with zeros and hands it over.
    pub(crate) fn finish(self) {
        let padded_bits = self.pending_bits + self.padding_bits();
        let word = (self.pending << self.padding_bits() << (32 - padded_bits)) as u32;
        self.bytes
            .extend_from_slice(&word.to_be_bytes()[..padded_bits as usize / 8]);
    }
}

/// Reads the bits of a packet; reading past the end is an error, not a panic.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at_bit: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at_bit: 0 }
    }

    /// The next `bits` bits, at most 32.
    pub fn read(&mut self, bits: u32) -> Result<u32, DecodeError> {
        debug_assert!(bits <= 32);
        let end_bit = self.at_bit + bits as usize;
        if end_bit > self.bytes.len() * 8 {
            return Err(DecodeError::Truncated {
                at_bit: self.at_bit,
                wanted_bits: bits,
                packet_bits: self.bytes.len() * 8,
            });
        }
        let rest = &self.bytes[self.at_bit / 8..];
        let window = if let Some(eight) = rest.first_chunk::<8>() {
            u64::from_be_bytes(*eight)
        } else {
            let mut eight = [0; 8];
            eight[..rest.len()].copy_from_slice(rest);
            u64::from_be_bytes(eight)
        };
        let aligned = window << (self.at_bit % 8) >> 32;
        self.at_bit = end_bit;
        Ok((aligned >> (32 - bits)) as u32)
    }

    /// The next bit.
    pub fn read_flag(&mut self) -> Result<bool, DecodeError> {
        Ok(self.read(1)? == 1)
    }

    /// Bits read so far.
    pub fn bit_position(&self) -> usize {
        self.at_bit
    }

    /// Refuses padding that is not zero, and bytes that nothing has read.
    pub fn finish(mut self) -> Result<(), DecodeError> {
        let used_bytes = self.at_bit.div_ceil(8);
        if used_bytes < self.bytes.len() {
            return Err(DecodeError::TrailingBytes {
                used_bytes,
                packet_bytes: self.bytes.len(),
            });
        }
        let at_bit = self.at_bit;
        match self.read((used_bytes * 8 - at_bit) as u32)? {
            0 => Ok(()),
            _ => Err(DecodeError::NonZeroPadding { at_bit }),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn written_values_are_read_back(values in prop::collection::vec((any::<u32>(), 0_u32..=32), 0..50)) {
            let mask = |value: u32, bits: u32| (u64::from(value) & ((1 << bits) - 1)) as u32;
            let mut bytes = vec![0xaa];
            let mut writer = BitWriter::new(&mut bytes);
            let mut expected_bits = 0;
            for &(value, bits) in &values {
                writer.put(mask(value, bits), bits);
                expected_bits += bits as usize;
                prop_assert_eq!(writer.bit_length(), expected_bits);
            }
            prop_assert_eq!((expected_bits + writer.padding_bits() as usize) % 8, 0);
            writer.finish();
            prop_assert_eq!(bytes.len(), 1 + expected_bits.div_ceil(8));

            let mut reader = BitReader::new(&bytes[1..]);
            for &(value, bits) in &values {
                prop_assert_eq!(reader.read(bits), Ok(mask(value, bits)));
            }
            prop_assert_eq!(reader.bit_position(), expected_bits);
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn most_significant_bit_first() {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes);
        writer.put(0b101, 3);
        writer.put(0x1234, 16);
        writer.finish();
        assert_eq!(bytes, [0b1010_0010, 0b0100_0110, 0b1000_0000]);
    }

    #[test]
    fn a_reader_refuses_truncation_padding_and_trailing_bytes() {
        let mut reader = BitReader::new(&[0b1000_0001]);
        assert_eq!(
            reader.read(9),
            Err(DecodeError::Truncated {
                at_bit: 0,
                wanted_bits: 9,
                packet_bits: 8
            })
        );
        assert_eq!(reader.read(7), Ok(0b100_0000));
        assert_eq!(
            reader.clone().finish(),
            Err(DecodeError::NonZeroPadding { at_bit: 7 })
        );
        assert_eq!(reader.read(1), Ok(1));
        assert_eq!(reader.finish(), Ok(()));
        assert_eq!(
            BitReader::new(&[0]).finish(),
            Err(DecodeError::TrailingBytes {
                used_bytes: 0,
                packet_bytes: 1
            })
        );
    }
}
