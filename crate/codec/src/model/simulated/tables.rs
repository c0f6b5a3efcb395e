//! The tables of rung `simulated`: those of rung `predicted`, trained at one distance from the baseline that serves for all. At
//! greater distances, errors of the simulation grow but keep their kind, and the coder learns their size from decoded packets.
//! Numbers have the distributions of rung `predicted`.

use crate::model::predicted::Tables;
use crate::model::predicted::tables::{DISTANCES, LINEAR_BYTES, NUMBER_BYTES, TABLE_BYTES};
use crate::rungs::Class;

/// Index in [`DISTANCES`] of the one distance that these tables are trained for: 6 ticks.
pub const TRAINED: usize = 2;
/// Size of the coefficients of one distance, bytes.
const DISTANCE_BYTES: usize = LINEAR_BYTES / DISTANCES.len();
/// Size of the stored tables of one class, bytes.
const ONE_BYTES: usize = DISTANCE_BYTES + TABLE_BYTES - LINEAR_BYTES - NUMBER_BYTES;

/// Reads the trained tables of a class; training, in `research`, makes them.
pub(crate) fn tables(class: Class) -> Tables {
    let one: &[u8; ONE_BYTES] = match class {
        Class::Strict => include_bytes!("strict.tables"),
        Class::Chained => include_bytes!("chained.tables"),
    };
    let (coefficients, rest) = one.split_at(DISTANCE_BYTES);
    let pairs = coefficients.as_chunks::<2>().0.iter();
    let mut all: Vec<u8> = pairs
        .flat_map(|pair| pair.repeat(DISTANCES.len()))
        .collect();
    all.extend_from_slice(Tables::numbers_of(class));
    all.extend_from_slice(rest);
    Tables::from_bytes(all.as_slice().try_into().expect("of all distances"))
}
