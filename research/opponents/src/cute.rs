//! The arithmetic coder of Cute Framework, after its description: exclusive or with the baseline, a changed bit for each cube, then the
//! bytes of the difference. All probabilities begin anew with each packet.

use crate::bytes::{CUBE_BYTES, applied, difference};
use crate::contest::Opponent;
use snapshot_codec::Cube;

/// The codec. The bytes share one tree of probabilities.
pub struct Cute {
    /// Part of the way to a bit's value that its probability goes, as a power of 1/2. The description leaves it open.
    pub rate: u32,
}

impl Opponent for Cute {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        packet.clear();
        let mut models = Models::new(self.rate);
        let mut writer = Writer {
            low: 0,
            high: u32::MAX,
            bytes: packet,
        };
        for (cube, base) in snapshot.iter().zip(baseline) {
            models.code_changed(&mut writer, cube != base);
            if cube != base {
                for byte in difference(cube, base) {
                    models.code_byte(&mut writer, byte);
                }
            }
        }
        writer.finish();
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let mut models = Models::new(self.rate);
        let mut reader = Reader::new(packet);
        snapshot.clear();
        for base in baseline {
            let mut bytes = [0; CUBE_BYTES];
            if models.code_changed(&mut reader, false) {
                for byte in &mut bytes {
                    *byte = models.code_byte(&mut reader, 0);
                }
            }
            snapshot.push(applied(bytes, base));
        }
        Ok(())
    }
}

/// The probabilities of a packet.
struct Models {
    rate: u32,
    changed: Bit,
    /// By the bits of a byte so far, after a leading 1.
    byte: [Bit; 256],
}

impl Models {
    fn new(rate: u32) -> Models {
        Models {
            rate,
            changed: Bit::EVEN,
            byte: [Bit::EVEN; 256],
        }
    }

    fn code_changed(&mut self, coder: &mut impl Coder, changed: bool) -> bool {
        self.changed.code(coder, self.rate, changed)
    }

    fn code_byte(&mut self, coder: &mut impl Coder, byte: u8) -> u8 {
        let mut node = 1;
        for bit in (0..8).rev() {
            let is_set = self.byte[node].code(coder, self.rate, byte >> bit & 1 == 1);
            node = 2 * node + usize::from(is_set);
        }
        (node & 0xff) as u8
    }
}

/// The probability of a bit that is set, in 1/65,536.
#[derive(Clone, Copy)]
struct Bit(u16);

impl Bit {
    const EVEN: Bit = Bit(1 << 15);

    fn code(&mut self, coder: &mut impl Coder, rate: u32, bit: bool) -> bool {
        let probability = u32::from(self.0).max(1 << rate);
        let bit = coder.code(probability, bit);
        if bit {
            self.0 += (u16::MAX - self.0) >> rate;
        } else {
            self.0 -= self.0 >> rate;
        }
        bit
    }
}

/// A direction of the coder.
trait Coder {
    /// Writes the given bit, or reads a bit; returns the bit.
    fn code(&mut self, probability: u32, bit: bool) -> bool;
}

/// The point that divides an interval by the probability of a set bit.
fn split(low: u32, high: u32, probability: u32) -> u32 {
    let range = u64::from(high - low);
    low + ((range * u64::from(probability)) >> 16) as u32
}

struct Writer<'a> {
    low: u32,
    high: u32,
    bytes: &'a mut Vec<u8>,
}

impl Writer<'_> {
    /// Ends with as few bytes as name the interval; zeros follow for ever.
    fn finish(self) {
        for kept in 0..=4_u32 {
            let mask = u32::MAX.checked_shr(8 * kept).unwrap_or(0);
            let rounded_up = self.low.checked_add(mask).map(|value| value & !mask);
            if let Some(value) = rounded_up.filter(|value| *value <= self.high) {
                self.bytes
                    .extend_from_slice(&value.to_be_bytes()[..kept as usize]);
                break;
            }
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
    }
}

impl Coder for Writer<'_> {
    fn code(&mut self, probability: u32, bit: bool) -> bool {
        let split = split(self.low, self.high, probability);
        if bit {
            self.high = split;
        } else {
            self.low = split + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        bit
    }
}

struct Reader<'a> {
    low: u32,
    high: u32,
    value: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Reader<'a> {
    fn new(packet: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader {
            low: 0,
            high: u32::MAX,
            value: 0,
            bytes: packet.iter(),
        };
        (0..4).for_each(|_| reader.next_byte());
        reader
    }

    fn next_byte(&mut self) {
        self.value = self.value << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Coder for Reader<'_> {
    fn code(&mut self, probability: u32, _: bool) -> bool {
        let split = split(self.low, self.high, probability);
        let bit = self.value <= split;
        if bit {
            self.high = split;
        } else {
            self.low = split + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.next_byte();
        }
        bit
    }
}
