//! Streams of a packet's bits, most significant first. One description of the fields serves both directions: a writer writes a
//! value, a reader replaces it by the read one. A hex dump of a packet shows its bits in this order.

use crate::error::{CubeField, DecodeError};
use crate::ledger::{Kind, Sink};
use crate::quantise::{FixedPoint, SmallestThree, float_from_bits};
use crate::ranges::{Rules, Widths};

/// The source or destination of a packet's bits. Writing never fails and leaves the values unchanged.
pub trait PacketStream {
    /// True if the stream reads: values come from the packet.
    const READS: bool;

    /// Reads or writes a code of `bits` bits. When writing, `value` is the meaning of the code, for the ledger.
    fn code(
        &mut self,
        kind: Kind,
        rule: &'static str,
        value: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError>;

    /// Names the cube that the following fields describe, or no cube.
    fn about(&mut self, _cube: Option<usize>) {}

    /// Reads or writes a flag as one bit.
    fn flag(&mut self, kind: Kind, rule: &'static str, flag: &mut bool) -> Result<(), DecodeError> {
        let mut code = u32::from(*flag);
        self.code(kind, rule, i64::from(*flag), &mut code, 1)?;
        *flag = code == 1;
        Ok(())
    }
}

/// Reason why writing to a stream cannot fail, for a panic's text.
pub const WRITING: &str = "writing refuses nothing";

/// A stream that writes a packet's bits into a sink.
pub struct Writing<'a, S>(pub &'a mut S);

impl<S: Sink> PacketStream for Writing<'_, S> {
    const READS: bool = false;

    fn code(
        &mut self,
        kind: Kind,
        rule: &'static str,
        value: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError> {
        self.0.put(kind, rule, value, *code, bits);
        Ok(())
    }

    fn about(&mut self, cube: Option<usize>) {
        self.0.about(cube);
    }
}

/// A stream that reads the bits of a packet.
#[derive(Debug)]
pub struct Reading<'a>(pub BitReader<'a>);

impl PacketStream for Reading<'_> {
    const READS: bool = true;

    fn code(
        &mut self,
        _: Kind,
        _: &'static str,
        _: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError> {
        *code = self.0.read(bits)?;
        Ok(())
    }
}

/// A writer that appends values of up to 32 bits to a byte vector. Call [`BitWriter::finish`], or up to 31 bits stay unwritten.
#[derive(Debug)]
pub(crate) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// Bits not in `bytes` yet: the lowest `pending_bits`, fewer than 32. Higher bits have been written.
    pending: u64,
    pending_bits: u32,
    start_byte: usize,
}

impl<'a> BitWriter<'a> {
    /// Makes a writer that appends to `bytes`.
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        let start_byte = bytes.len();
        Self {
            bytes,
            pending: 0,
            pending_bits: 0,
            start_byte,
        }
    }

    /// Appends the lowest `bits` bits of `value`, at most 32. The caller makes sure that all higher bits are zero.
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

    /// Number of bits written so far.
    pub(crate) fn bit_length(&self) -> usize {
        (self.bytes.len() - self.start_byte) * 8 + self.pending_bits as usize
    }

    /// Zero bits that [`BitWriter::finish`] would add now, 0 to 7.
    pub(crate) fn padding_bits(&self) -> u32 {
        self.pending_bits.wrapping_neg() % 8
    }

    /// Pads the last byte with zeros and appends it.
    pub(crate) fn finish(self) {
        let padded_bits = self.pending_bits + self.padding_bits();
        let word = (self.pending << self.padding_bits() << (32 - padded_bits)) as u32;
        self.bytes
            .extend_from_slice(&word.to_be_bytes()[..padded_bits as usize / 8]);
    }
}

/// A reader of a packet's bits; reading past the end is an error, not a panic.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at_bit: usize,
}

impl<'a> BitReader<'a> {
    /// Makes a reader that begins at the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at_bit: 0 }
    }

    /// Reads the next `bits` bits, at most 32.
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

    /// Refuses padding other than zero, and unread bytes.
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

/// The coding of a field of three fixed-point numbers: its kind and rule in the ledger, and the field that errors name.
pub struct Vector {
    kind: Kind,
    field: CubeField,
    relative: &'static str,
}

impl Vector {
    /// The coding of a cube's position.
    pub const POSITION: Self = Self {
        kind: Kind::Position,
        field: CubeField::Position,
        relative: "relative position",
    };
    /// The coding of a cube's linear velocity.
    pub const LINEAR_VELOCITY: Self = Self {
        kind: Kind::LinearVelocity,
        field: CubeField::LinearVelocity,
        relative: "relative linear velocity",
    };
    /// The coding of a cube's angular velocity.
    pub const ANGULAR_VELOCITY: Self = Self {
        kind: Kind::AngularVelocity,
        field: CubeField::AngularVelocity,
        relative: "relative angular velocity",
    };

    /// Codes three numbers: as differences from the expected ones if these are within reach, else absolute. `cube` is used in
    /// errors.
    pub fn code<S: PacketStream>(
        &self,
        stream: &mut S,
        cube: usize,
        axes: [FixedPoint; 3],
        expected: Option<([i32; 3], Widths)>,
        steps: &mut [i32; 3],
    ) -> Result<(), DecodeError> {
        let field = self.field;
        let within = |steps: [i32; 3]| {
            expected.is_some_and(|(expected, ranges)| ranges.contain(subtract(steps, expected)))
        };
        let mut relative = within(*steps);
        if expected.is_some() {
            stream.flag(self.kind, self.relative, &mut relative)?;
        }
        if let Some((expected, ranges)) = expected.filter(|_| relative) {
            let mut differences = subtract(*steps, expected);
            ranges.code(stream, self.kind, &AXES, &mut differences)?;
            *steps = add(expected, differences);
        } else {
            for ((axis, step), rule) in axes.into_iter().zip(&mut *steps).zip(AXES.absolute) {
                let (mut code, value) = (axis.code(*step), i64::from(*step));
                stream.code(self.kind, rule, value, &mut code, axis.code_bits())?;
                *step = axis.step(code);
            }
        }
        if S::READS {
            let mut parts = axes.into_iter().zip(*steps);
            if !parts.all(|(axis, step)| axis.contains(step)) {
                return Err(DecodeError::OutOfRange { cube, field });
            }
            if !relative && within(*steps) {
                return Err(DecodeError::NeedlessAbsolute { cube, field });
            }
        }
        Ok(())
    }
}

/// Codes an orientation. It is sent as differences from the expected one if both have the same largest component and the other
/// components are within reach; else absolute.
pub fn orientation<S: PacketStream>(
    stream: &mut S,
    cube: usize,
    smallest_three: SmallestThree,
    expected: Option<([i32; 4], Widths)>,
    orientation: &mut [i32; 4],
) -> Result<(), DecodeError> {
    let (kind, field) = (Kind::Orientation, CubeField::Orientation);
    let within = |[largest, codes @ ..]: [i32; 4]| {
        expected.is_some_and(|([expected, base @ ..], ranges)| {
            largest == expected && ranges.contain(subtract(codes, base))
        })
    };
    let mut relative = within(*orientation);
    if expected.is_some() {
        stream.flag(kind, "relative orientation", &mut relative)?;
    }
    let [largest, codes @ ..] = *orientation;
    if let Some(([expected, base @ ..], ranges)) = expected.filter(|_| relative) {
        let mut differences = subtract(codes, base);
        ranges.code(stream, kind, &COMPONENTS, &mut differences)?;
        let [a, b, c] = add(base, differences);
        *orientation = [expected, a, b, c];
    } else {
        let mut code = largest as u32;
        stream.code(kind, "largest", i64::from(code), &mut code, 2)?;
        orientation[0] = code as i32;
        let bits = smallest_three.component_bits();
        for (component, rule) in orientation[1..].iter_mut().zip(COMPONENTS.absolute) {
            let mut code = *component as u32;
            stream.code(kind, rule, i64::from(code), &mut code, bits)?;
            *component = code as i32;
        }
    }
    if S::READS {
        if !smallest_three.contains(*orientation) {
            return Err(DecodeError::OutOfRange { cube, field });
        }
        if !relative && within(*orientation) {
            return Err(DecodeError::NeedlessAbsolute { cube, field });
        }
    }
    Ok(())
}

/// Codes floats, given by their bit patterns, in 32 bits each.
pub(crate) fn floats<S: PacketStream>(
    stream: &mut S,
    cube: usize,
    (kind, field): (Kind, CubeField),
    floats: &mut [i32],
) -> Result<(), DecodeError> {
    for (bits, rule) in floats.iter_mut().zip(FLOATS) {
        let mut code = *bits as u32;
        stream.code(kind, rule, i64::from(code), &mut code, 32)?;
        *bits = code as i32;
    }
    let finite = |&bits: &i32| float_from_bits(bits).is_finite();
    if S::READS && !floats.iter().all(finite) {
        return Err(DecodeError::NotFinite { cube, field });
    }
    Ok(())
}

const AXES: Rules = Rules {
    absolute: ["x absolute", "y absolute", "z absolute"],
    small: ["x small", "y small", "z small"],
    large: ["x large", "y large", "z large"],
};
const COMPONENTS: Rules = Rules {
    absolute: ["a absolute", "b absolute", "c absolute"],
    small: ["a small", "b small", "c small"],
    large: ["a large", "b large", "c large"],
};
/// Rule names of the axes under an arithmetic coder, which has no small and large ranges.
pub(crate) const CODED_AXES: [&str; 3] = ["x", "y", "z"];
pub(crate) const CODED_COMPONENTS: [&str; 3] = ["a", "b", "c"];
const FLOATS: [&str; 4] = ["x float", "y float", "z float", "w float"];

fn add(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    core::array::from_fn(|i| a[i] + b[i])
}

fn subtract(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    core::array::from_fn(|i| a[i] - b[i])
}

#[cfg(test)]
mod tests {

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
            prop_assert_eq!(reader.at_bit, expected_bits);
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }
}
