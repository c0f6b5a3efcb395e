//! Decoder of symbols: it refuses packets that no encoder writes.

use super::{CLASSES, LAST, Mixture, SymbolCoder};
use crate::error::DecodeError;
use crate::model::coder::Coder;

/// A decoder of a [`SymbolEncoder`](super::SymbolEncoder)'s packets. Any bytes decode to some decisions. At the end it checks
/// that the bytes are the canonical ones for these decisions.
#[derive(Debug)]
pub(crate) struct SymbolDecoder<'a> {
    bytes: &'a [u8],
    /// Number of loaded bytes, including zeros behind the packet's end.
    next: usize,
    /// The packet's value minus the lower end of the coder's interval, aligned so that the interval is in the highest 16 bits.
    window: u64,
    range: u32,
    /// Bit position in `window` for the next byte's lowest bit.
    place: i32,
}

impl<'a> SymbolDecoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            bytes,
            next: 0,
            window: 0,
            range: 1 << 15,
            place: 55,
        };
        decoder.load();
        decoder
    }

    /// Refills `window` four bytes at a time, so that fewer than 32 of its bits stay empty.
    #[inline(always)]
    fn load(&mut self) {
        while self.place >= 24 {
            let four = match self.bytes.get(self.next..self.next + 4) {
                Some(&[a, b, c, d]) => u32::from_be_bytes([a, b, c, d]),
                _ => self.last_four(),
            };
            self.place -= 32;
            self.window |= u64::from(four) << (self.place + 8);
            self.next += 4;
        }
    }

    #[cold]
    fn last_four(&self) -> u32 {
        (0..4).fold(0, |four, at| {
            let byte = self.bytes.get(self.next + at).copied().unwrap_or(0);
            four << 8 | u32::from(byte)
        })
    }

    #[inline(always)]
    fn narrow(&mut self, from: u32, to: u32) {
        let range = to - from;
        let by = range.leading_zeros() - 16;
        self.window = (self.window - (u64::from(from) << 48)) << by;
        self.range = range << by;
        self.place += by as i32;
        self.load();
    }

    /// Reads at most 16 raw bits, all values equally likely.
    #[inline(always)]
    fn raw(&mut self, bits: u32) -> u32 {
        let value = (self.window >> (48 - bits)) as u32 / self.range;
        self.window -= u64::from(value * self.range) << (48 - bits);
        self.window <<= bits;
        self.place += bits as i32;
        self.load();
        value
    }

    /// Returns an error if the packet's bytes are not the canonical ones for its decisions.
    pub(crate) fn finish(mut self) -> Result<(), DecodeError> {
        let packet_bytes = self.bytes.len();
        // Whole bytes that the window still has room for, beyond those in it.
        while self.next < packet_bytes && self.place >= 0 {
            self.window |= u64::from(self.bytes[self.next]) << self.place;
            self.place -= 8;
            self.next += 1;
        }
        if self.next < packet_bytes {
            return Err(DecodeError::TrailingBytes {
                used_bytes: self.next,
                packet_bytes,
            });
        }
        let Some(&last) = self.bytes.last() else {
            return Ok(());
        };
        // The place of the last byte's lowest bit.
        let unit = i64::from(self.place) + 8 + 8 * (self.next - packet_bytes) as i64;
        let end = u64::from(self.range) << 48;
        let is_shortest = last != 0
            && (unit >= 64 || {
                let next_shorter =
                    u128::from(self.window) + (u128::from(256 - u16::from(last)) << unit);
                self.window >> unit == 0 && next_shorter >= u128::from(end)
            });
        if is_shortest {
            Ok(())
        } else {
            Err(DecodeError::NotShortest { packet_bytes })
        }
    }
}

impl Coder for SymbolDecoder<'_> {
    #[inline(always)]
    fn code(&mut self, p_true: u32, _: bool) -> bool {
        let split = (self.range * ((1 << 16) - p_true)) >> 16;
        let bit = (self.window >> 48) as u32 >= split;
        // Both parts are computed: a branch on an even bit is mispredicted every other time.
        self.narrow(
            if bit { split } else { 0 },
            if bit { self.range } else { split },
        );
        bit
    }

    #[inline(always)]
    fn code_uniform(&mut self, _: u32, bits: u32) -> u32 {
        if bits > 16 {
            let high = self.raw(bits - 16);
            return high << 16 | self.raw(16);
        }
        self.raw(bits)
    }
}

impl SymbolCoder for SymbolDecoder<'_> {
    #[inline(always)]
    fn symbol(&mut self, end: impl Fn(usize) -> u16, _: usize) -> usize {
        let (range, value) = (self.range as u16, (self.window >> 48) as u16);
        // The last split is 0, and so the beginning of the first class.
        let splits: [u16; CLASSES] =
            core::array::from_fn(|i| ((u32::from(range) * u32::from(end(i))) >> 16) as u16);
        let reached: u16 = splits.iter().map(|&split| u16::from(split <= value)).sum();
        let class = usize::from(reached.wrapping_sub(1)) & LAST;
        let from = splits[class.wrapping_sub(1) & LAST].into();
        let to = if class == LAST {
            self.range
        } else {
            splits[class].into()
        };
        self.narrow(from, to);
        class
    }

    #[inline(always)]
    fn mixed_symbol(&mut self, mixture: &Mixture, class: usize) -> usize {
        let ends = mixture.ends();
        self.symbol(|i| ends[i], class)
    }
}
