//! Fields that a game declares for its objects, and snapshots that contain their values.

use crate::cube::Cube;
use crate::error::{ConfigError, CubeField, SnapshotError};

/// Upper limit of the number of declared fields of a slot.
pub const FIELDS_MAX: usize = 16;

/// Index of the id in a row, which has the numbers of a slot. The kind comes next, then the fields.
pub(crate) const ID: usize = 0;
pub(crate) const KIND: usize = 1;
pub(crate) const FIRST_FIELD: usize = 2;

/// A declaration of the numbers that each slot has beside its cube: an id of 32 bits, a kind and up to [`FIELDS_MAX`] fields.
/// The kind is the game's number for the type of an object.
///
/// Id and kind are meant to change only when the slot's life changes; fields may change in any snapshot. A slot's row holds the
/// id, the kind, then the fields in the order of their declaration. An empty slot has a row of zeros.
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
    /// Bit mask: bit i is 1 if field i is a counter.
    counters: u16,
}

impl Fields {
    /// Makes a declaration without fields. An object's kind, the game's number for its type, takes `kind_bits`, 0 to 16.
    ///
    /// # Errors
    /// When `kind_bits` is above 16.
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

    /// Adds a field of 1 to 24 bits. A changed value is sent whole, not as a difference.
    ///
    /// # Errors
    /// When `bits` is not 1 to 24, or there are [`FIELDS_MAX`] fields already.
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

    /// Adds a counter: a field that mostly changes by a little and may wrap. A small change is sent as a difference.
    ///
    /// # Errors
    /// The same as of [`Fields::with`].
    pub const fn with_counter(self, bits: u32) -> Result<Self, ConfigError> {
        match self.with(bits) {
            Ok(mut fields) => {
                fields.counters |= 1 << self.count;
                Ok(fields)
            }
            refused => refused,
        }
    }

    /// Number of declared fields.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Number of values in a row: id, kind and all fields.
    pub const fn row_len(&self) -> usize {
        FIRST_FIELD + self.count as usize
    }

    /// Number of bits of an object's kind, 0 to 16.
    pub const fn kind_bits(&self) -> u32 {
        self.kind_bits as u32
    }

    /// Number of bits of the field with this index, counted from 0.
    ///
    /// # Panics
    /// When there is no field with this index.
    pub fn bits(&self, field: usize) -> u32 {
        self.bits[..self.count()][field].into()
    }

    /// Returns true if the field with this index is a counter.
    pub const fn is_counter(&self, field: usize) -> bool {
        field < FIELDS_MAX && self.counters >> field & 1 == 1
    }

    /// Returns the number of bits in which a small difference of a field is sent; `None` for a field that is always sent whole.
    /// Such a field is no counter, or a counter of 3 bits or fewer.
    pub(crate) fn small_bits(&self, field: usize) -> Option<u32> {
        let bits = self.bits(field);
        (self.is_counter(field) && bits > 3).then_some(bits / 2)
    }

    /// Returns `value` - `base` as a signed number, wrapped to the field's bits: of both differences the smaller.
    pub(crate) fn difference(&self, field: usize, base: u32, value: u32) -> i32 {
        let unused = 32 - self.bits(field);
        (value.wrapping_sub(base) << unused).cast_signed() >> unused
    }

    /// Adds a wrapped difference to a field's value, the inverse of [`Fields::difference`].
    pub(crate) fn moved(&self, field: usize, base: u32, difference: i32) -> u32 {
        base.wrapping_add_signed(difference) & ((1 << self.bits(field)) - 1)
    }

    /// Number of bits of all values of a row together.
    pub(crate) fn row_bits(&self) -> u32 {
        let fields = self.bits[..self.count()].iter().copied().map(u32::from);
        32 + self.kind_bits() + fields.sum::<u32>()
    }

    /// Returns an error if a number in the row of an occupied slot does not fit into its bits.
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

/// A snapshot: the cubes and, in a format with declared [`Fields`], their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// The cubes, one for each slot of the format.
    pub cubes: &'a [Cube],
    /// The rows of all slots, one after another; empty in a format without fields.
    pub rows: &'a [u32],
}

impl<'a> From<&'a [Cube]> for Snapshot<'a> {
    fn from(cubes: &'a [Cube]) -> Self {
        Self { cubes, rows: &[] }
    }
}

impl<'a> From<&'a Vec<Cube>> for Snapshot<'a> {
    fn from(cubes: &'a Vec<Cube>) -> Self {
        Self { cubes, rows: &[] }
    }
}

impl<'a, const N: usize> From<&'a [Cube; N]> for Snapshot<'a> {
    fn from(cubes: &'a [Cube; N]) -> Self {
        Self { cubes, rows: &[] }
    }
}
