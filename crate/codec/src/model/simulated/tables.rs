//! The tables of rung `simulated`: those of rung `predicted`, trained at one distance that serves for all. What is foreseen
//! has the same errors, only larger ones, the farther ahead it is, and how large they are is seen as they come.

#[cfg(feature = "train")]
use alloc::vec::Vec;

use crate::model::predicted::Tables;
use crate::model::predicted::tables::{DISTANCE_BYTES, DISTANCES, TABLE_BYTES};
use crate::rungs::Class;

/// Ticks between the snapshots that the tables are trained on, as an index of [`DISTANCES`].
#[cfg(feature = "train")]
pub(crate) const TRAINED: usize = 2;
/// Bytes of the tables.
const ONE_BYTES: usize = TABLE_BYTES - (DISTANCES.len() - 1) * DISTANCE_BYTES;

/// Reads the trained tables of that class; `snapshot-lab train --codec simulated` makes them.
pub(crate) fn tables(class: Class) -> Tables {
    let one: &[u8; ONE_BYTES] = match class {
        Class::Strict => include_bytes!("strict.tables"),
        Class::Chained => include_bytes!("chained.tables"),
    };
    let (coefficients, rest) = one.split_at(DISTANCE_BYTES);
    let mut all = coefficients.repeat(DISTANCES.len());
    all.extend_from_slice(rest);
    Tables::from_bytes(all.as_slice().try_into().expect("of all distances"))
}

/// Picks the trained distance out of the tables of all distances.
#[cfg(feature = "train")]
pub(crate) fn pick(all: &[u8]) -> Vec<u8> {
    let (coefficients, rest) = all.split_at(DISTANCES.len() * DISTANCE_BYTES);
    let mut one = coefficients[TRAINED * DISTANCE_BYTES..][..DISTANCE_BYTES].to_vec();
    one.extend_from_slice(rest);
    one
}
