//! Fields of a game's own: what is declared of them, and a snapshot that has them.

use crate::cube::Cube;
use crate::error::{ConfigError, CubeField, SnapshotError};

/// Most fields of a slot.
pub const FIELDS_MAX: usize = 16;

/// Places of id and kind in a row; the fields follow.
pub(crate) const ID: usize = 0;
pub(crate) const KIND: usize = 1;
pub(crate) const FIRST_FIELD: usize = 2;

/// A declaration of what a game's slots have beside a cube: an id of 32 bits, a kind, and up to [`FIELDS_MAX`] fields.
///
/// Id and kind are meant to change with the slot's life. Fields change when they like. All are numbers in a row of the slot:
/// the id, the kind, then the fields in the order of their declaration. The row of an empty slot is 0 throughout.
///
/// ```
/// use snapshot_codec::{Cube, Decoder, Encoder, Fields, Format, QuantisationBits, Rung, Snapshot};
///
/// // Kinds of 4 bits; health of 7 bits; and ammunition, which goes up and down by little.
/// let fields = Fields::new(4)?.with(7)?.with_counter(10)?;
/// let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 2)?.with_fields(fields);
/// let cubes = [Cube { orientation: [3, 256, 256, 256], ..Cube::default() }; 2];
/// let initial = Snapshot { cubes: &cubes, rows: &[501, 3, 100, 60, 502, 3, 100, 60] };
/// let (mut encoder, mut decoder) = (Encoder::new(format, initial)?, Decoder::new(format, initial)?);
///
/// let rows = [501, 3, 100, 59, 502, 3, 88, 60];
/// let (mut packet, mut received) = (Vec::new(), Vec::new());
/// encoder.encode(1, Snapshot { cubes: &cubes, rows: &rows }, &mut packet)?;
/// decoder.decode(&packet, 1, &mut received)?;
/// assert_eq!((&received[..], decoder.rows()), (&cubes[..], &rows[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    kind_bits: u8,
    count: u8,
    bits: [u8; FIELDS_MAX],
    /// Bit i says that field i is a counter.
    counters: u16,
}

impl Fields {
    /// No fields yet, and kinds of 0 to 16 bits.
    ///
    /// # Errors
    /// When these are more.
    pub const fn new(kind_bits: u32) -> Result<Self, ConfigError> {
        if kind_bits > 16 {
            return Err(ConfigError::KindBits(kind_bits));
        }
        Ok(Self {
            kind_bits: kind_bits as u8,
            count: 0,
            bits: [0; FIELDS_MAX],
            counters: 0,
        })
    }

    /// The same with one more field, of 1 to 24 bits. Where it changes it is sent as it is.
    ///
    /// # Errors
    /// When it has other bits, or is one too many.
    pub const fn with(mut self, bits: u32) -> Result<Self, ConfigError> {
        if bits == 0 || bits > 24 {
            return Err(ConfigError::FieldBits(bits));
        }
        if self.count as usize == FIELDS_MAX {
            return Err(ConfigError::FieldCount);
        }
        self.bits[self.count as usize] = bits as u8;
        self.count += 1;
        Ok(self)
    }

    /// The same with one more field that changes by little: where it can, its difference is sent. It wraps.
    ///
    /// # Errors
    /// As of [`Fields::with`].
    pub const fn with_counter(self, bits: u32) -> Result<Self, ConfigError> {
        match self.with(bits) {
            Ok(mut fields) => {
                fields.counters |= 1 << self.count;
                Ok(fields)
            }
            refused => refused,
        }
    }

    /// Number of fields.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Numbers of a row: id, kind and fields.
    pub const fn row_len(&self) -> usize {
        FIRST_FIELD + self.count as usize
    }

    /// Bits of a kind.
    pub const fn kind_bits(&self) -> u32 {
        self.kind_bits as u32
    }

    /// Bits of a field.
    ///
    /// # Panics
    /// When there is no such field.
    pub fn bits(&self, field: usize) -> u32 {
        self.bits[..self.count()][field].into()
    }

    /// Says whether a field was declared a counter.
    pub const fn is_counter(&self, field: usize) -> bool {
        field < FIELDS_MAX && self.counters >> field & 1 == 1
    }

    /// Bits of a small difference; none where a field is sent as it is. Counters of 3 bits or fewer are.
    pub(crate) fn small_bits(&self, field: usize) -> Option<u32> {
        let bits = self.bits(field);
        (self.is_counter(field) && bits > 3).then_some(bits / 2)
    }

    /// The difference of two values of a field, the shorter way round.
    pub(crate) fn difference(&self, field: usize, base: u32, value: u32) -> i32 {
        let unused = 32 - self.bits(field);
        (value.wrapping_sub(base) << unused).cast_signed() >> unused
    }

    /// The value that is so far from another, the inverse of [`Fields::difference`].
    pub(crate) fn moved(&self, field: usize, base: u32, difference: i32) -> u32 {
        base.wrapping_add_signed(difference) & ((1 << self.bits(field)) - 1)
    }

    /// The bits of all numbers of a row.
    pub(crate) fn row_bits(&self) -> u32 {
        let fields = self.bits[..self.count()].iter().copied().map(u32::from);
        32 + self.kind_bits() + fields.sum::<u32>()
    }

    /// Refuses the row of a slot that is alive, if a number is too large.
    pub(crate) fn check_row(&self, index: usize, row: &[u32]) -> Result<(), SnapshotError> {
        let out_of_range = |field| SnapshotError::OutOfRange { cube: index, field };
        if row[KIND] >> self.kind_bits != 0 {
            return Err(out_of_range(CubeField::Kind));
        }
        let values = row[FIRST_FIELD..].iter().zip(self.bits);
        let beyond = values
            .enumerate()
            .find(|(_, (value, bits))| *value >> bits != 0);
        beyond.map_or(Ok(()), |(field, _)| {
            Err(out_of_range(CubeField::Own(field)))
        })
    }
}

/// A snapshot: the cubes, and the rows of [`Fields`] of a format that has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// As many as the format has.
    pub cubes: &'a [Cube],
    /// One after another the rows of all slots; nothing in a format without fields.
    pub rows: &'a [u32],
}

impl<'a> From<&'a [Cube]> for Snapshot<'a> {
    fn from(cubes: &'a [Cube]) -> Self {
        Self { cubes, rows: &[] }
    }
}

impl<'a> From<&'a alloc::vec::Vec<Cube>> for Snapshot<'a> {
    fn from(cubes: &'a alloc::vec::Vec<Cube>) -> Self {
        Self { cubes, rows: &[] }
    }
}

impl<'a, const N: usize> From<&'a [Cube; N]> for Snapshot<'a> {
    fn from(cubes: &'a [Cube; N]) -> Self {
        Self { cubes, rows: &[] }
    }
}
