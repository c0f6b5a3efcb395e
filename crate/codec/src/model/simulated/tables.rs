//! The tables of rung `simulated`: those of rung `predicted`, trained at one distance that serves for all. What is foreseen
//! has the same errors, only larger ones, the farther ahead it is, and how large they are is seen as they come.

use alloc::vec::Vec;

use crate::model::predicted::Tables;
use crate::model::predicted::shape::NODES;
use crate::model::predicted::tables::{
    DISTANCES, KIND_LOGITS, LOGIT_COUNT, NUMBER_KINDS, SCALES, TABLE_BYTES,
};
use crate::rungs::Class;

/// Ticks between the snapshots that the tables are trained on, as an index of [`DISTANCES`].
#[cfg(feature = "train")]
pub(crate) const TRAINED: usize = 2;
/// Coefficients and mixing weights of a distance.
const DISTANCE_BYTES: usize = (TABLE_BYTES - LOGIT_COUNT) / DISTANCES.len();
/// Logits by distance come first of each kind of number; of each distance so many.
const DISTANCE_LOGITS: usize = SCALES * NODES;
/// Logits behind those of a kind.
const OTHER_LOGITS: usize = KIND_LOGITS - DISTANCES.len() * DISTANCE_LOGITS;
/// Bytes of the tables.
const ONE_BYTES: usize =
    DISTANCE_BYTES + LOGIT_COUNT - NUMBER_KINDS * (DISTANCES.len() - 1) * DISTANCE_LOGITS;

/// Reads the trained tables of that class; `snapshot-lab train --codec simulated` makes them.
pub(crate) fn tables(class: Class) -> Tables {
    let one: &[u8; ONE_BYTES] = match class {
        Class::Strict => include_bytes!("strict.tables"),
        Class::Chained => include_bytes!("chained.tables"),
    };
    let all = spread(one);
    Tables::from_bytes(all.as_slice().try_into().expect("of all distances"))
}

/// The tables of one distance, for each of them.
fn spread(one: &[u8; ONE_BYTES]) -> Vec<u8> {
    let (coefficients, mut logits) = one.split_at(DISTANCE_BYTES);
    let mut all = coefficients.repeat(DISTANCES.len());
    for _ in 0..NUMBER_KINDS {
        let (kind, rest) = logits.split_at(DISTANCE_LOGITS + OTHER_LOGITS);
        let (by_distance, others) = kind.split_at(DISTANCE_LOGITS);
        all.extend(by_distance.repeat(DISTANCES.len()));
        all.extend_from_slice(others);
        logits = rest;
    }
    all.extend_from_slice(logits);
    all
}

/// Picks the trained distance out of the tables of all distances.
#[cfg(feature = "train")]
pub(crate) fn pick(all: &[u8]) -> Vec<u8> {
    let (coefficients, mut logits) = all.split_at(DISTANCES.len() * DISTANCE_BYTES);
    let mut one = coefficients[TRAINED * DISTANCE_BYTES..][..DISTANCE_BYTES].to_vec();
    for _ in 0..NUMBER_KINDS {
        let (kind, rest) = logits.split_at(KIND_LOGITS);
        one.extend_from_slice(&kind[TRAINED * DISTANCE_LOGITS..][..DISTANCE_LOGITS]);
        one.extend_from_slice(&kind[DISTANCES.len() * DISTANCE_LOGITS..]);
        logits = rest;
    }
    one.extend_from_slice(logits);
    one
}
