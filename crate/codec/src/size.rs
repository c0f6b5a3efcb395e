//! The size of the longest packet of a format.

use crate::format::Format;
use crate::model::simulated::FORESEEN_BYTES_MAX;
use crate::quantise::FixedPoint;
use crate::rungs::{Rung, ValueCoding};

/// Greatest cost of an arithmetic coder's decision or symbol, bits: the least share is 1 in 2^16.
const SYMBOL_BITS: u32 = 16;
/// Greatest cost of a class in one distribution, and of a sign, bits: no share is below 6 in 32,768.
const CLASS_BITS: u32 = 13;
/// Bits for the bit length of a large number.
const EXPONENT_BITS: u32 = 4;

impl Format {
    /// Upper bound of a packet's size in this format, bytes.
    ///
    /// On rungs 0 to 11, without slots and with their own widths, a packet is as long. Rung 12 has been seen to send a third of it, rung
    /// 13 a fifth: not every symbol of a packet can be the dearest.
    pub fn packet_bytes_max(&self) -> usize {
        let cubes = self.cube_count();
        let bits = if self.rung().is_arithmetic() {
            // A decision a slot tells of its life. Slots are then told whole, by fewer bits than a changed cube.
            let lives = usize::from(self.has_slots()) * (1 + cubes);
            let decisions = lives * SYMBOL_BITS as usize;
            // The coder's last bytes may be rounded up by one.
            33 + 8 + decisions + cubes * self.coded_cube_bits() as usize
        } else if self.rung().is_delta() {
            let lives = usize::from(self.has_slots()) * (2 + cubes);
            // Indices are sent only where they are fewer bits than one a cube.
            let list = usize::from(self.rung() != Rung::NotChanged) + cubes;
            33 + lives + list + cubes * self.cube_bits() as usize
        } else {
            16 + cubes * self.cube_bits() as usize
        };
        let foreseen = if self.rung().needs_simulation() {
            FORESEEN_BYTES_MAX
        } else {
            0
        };
        (bits + self.row_section_bits()).div_ceil(8) + foreseen
    }

    /// Upper bound of a cube's size on a rung without an arithmetic coder, bits.
    fn cube_bits(&self) -> u32 {
        let (rung, row) = (self.rung(), self.rung().row());
        let life = 2 * u32::from(self.has_slots());
        let flags = 1 + u32::from(row.at_rest_flag) + 2 * u32::from(row.changed_flags);
        let relative = |coding, absolute: u32, differences: u32| {
            if coding == ValueCoding::Relative {
                1 + absolute.max(differences)
            } else {
                absolute
            }
        };
        let position = if row.position == ValueCoding::Float {
            3 * 32
        } else {
            let absolute = self.position_axes().map(FixedPoint::code_bits);
            let differences = self.position_widths().bits_max();
            relative(row.position, absolute.iter().sum(), differences)
        };
        let orientation = if row.orientation == ValueCoding::Float {
            4 * 32
        } else {
            let absolute = 2 + 3 * self.smallest_three().component_bits();
            let differences = self.orientation_widths().bits_max();
            relative(row.orientation, absolute, differences)
        };
        let velocity = if !rung.sends_velocity() {
            0
        } else if row.linear_velocity == ValueCoding::Float {
            3 * 32
        } else {
            3 * self.velocity_axis().code_bits()
        };
        life + flags + position + orientation + velocity
    }

    /// Upper bound of a changed cube's size on an arithmetic rung, bits: six symbols and decisions, and six numbers.
    fn coded_cube_bits(&self) -> u32 {
        let axes = self.position_axes().map(FixedPoint::code_bits);
        let components = [self.smallest_three().component_bits(); 3];
        let values = axes.into_iter().chain(components);
        let numbers = values.map(|bits| {
            if self.rung() == Rung::Arithmetic {
                // A class, its bits, a sign; the expected value is in range.
                CLASS_BITS + EXPONENT_BITS + CLASS_BITS + bits
            } else {
                // A symbol, a class beyond all symbols, its bits, a sign; the expected value is within 60,000.
                SYMBOL_BITS + CLASS_BITS + EXPONENT_BITS + 1 + bits.max(16) + 1
            }
        });
        6 * SYMBOL_BITS + numbers.sum::<u32>()
    }

    /// Upper bound of the size of a packet's rows, bits.
    fn row_section_bits(&self) -> usize {
        let Some(fields) = self.fields() else {
            return 0;
        };
        let all = 0..fields.count();
        let sizes = all.map(|field| (fields.bits(field), fields.small_bits(field).is_some()));
        if self.rung().is_arithmetic() {
            // Of a row two decisions. Of a field one, a symbol if it is a counter, and the field.
            let changes = sizes
                .map(|(bits, is_counter)| SYMBOL_BITS + CLASS_BITS * u32::from(is_counter) + bits);
            let row = 2 * SYMBOL_BITS + fields.row_bits().max(changes.sum());
            return SYMBOL_BITS as usize + self.cube_count() * row as usize;
        }
        if !self.rung().is_delta() {
            return self.cube_count() * fields.row_bits() as usize;
        }
        // A flag of the list, whether it is anew, and the row or its changes.
        let changes = sizes.map(|(bits, is_counter)| 1 + u32::from(is_counter) + bits);
        let row = 2 + fields.row_bits().max(changes.sum());
        2 + self.cube_count() * row as usize
    }
}
