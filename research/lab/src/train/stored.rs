//! The tables as the codec stores them, filled by training.

use snapshot_codec::training::{
    CHANCE_STEPS, CHANCES, CLASSES, COEFFICIENT_STEPS, DISTANCES, FEATURES, HAPPENED_CLASSES,
    HAPPENED_SETS, INPUTS, LINEAR_BYTES, LINEAR_ROWS, NUMBER_BYTES, NUMBER_COUNT, NUMBER_SETS,
    POWER_STEPS, PRODUCT_INPUTS, PRODUCT_ROWS, QUIET_ROWS, SHARE_STEPS, SITUATIONS, TABLE_BYTES,
    TRAINED, Tables, stored_places,
};

/// Coefficients of each stored row, one set for each of [`DISTANCES`].
pub(super) type Linear = Vec<Vec<[f32; FEATURES]>>;

/// Highest bits of a coefficient that are stored.
const COEFFICIENT_BITS: u32 = 6;
const WEIGHT_STEPS: f64 = 255.0;
/// First stored row of an error's logarithm.
const FIRST_ERROR_ROW: usize = 5 * SITUATIONS;

const SHARES: usize = LINEAR_BYTES;
const CHANCE: usize = SHARES + NUMBER_BYTES + (QUIET_ROWS + PRODUCT_ROWS) * HAPPENED_CLASSES;
const WEIGHTS: usize = CHANCE + CHANCES;
const POWERS: usize = WEIGHTS + NUMBER_SETS * INPUTS;

/// The bytes of the tables of one class.
pub(super) struct Stored(Vec<u8>);

impl Stored {
    /// The start of training: nothing moves, errors of 8 steps, every class open; or numbers by distributions that are given.
    pub(super) fn untrained(numbers: Option<&[u8]>) -> Self {
        let mut bytes = vec![0; TABLE_BYTES];
        if let Some(numbers) = numbers {
            bytes[SHARES..][..NUMBER_BYTES].copy_from_slice(numbers);
        }
        bytes[CHANCE..WEIGHTS].fill(CHANCE_STEPS as u8);
        bytes[WEIGHTS..POWERS].fill(1);
        bytes[POWERS..][..HAPPENED_SETS * PRODUCT_INPUTS].fill(POWER_STEPS as u8 / 4);
        let mut stored = Self(bytes);
        let mut rows = vec![[0.0; FEATURES]; LINEAR_ROWS];
        rows[FIRST_ERROR_ROW..]
            .iter_mut()
            .for_each(|row| row[0] = 3.0);
        stored.store_linear(&vec![rows; DISTANCES.len()]);
        stored
    }

    /// Unpacks the tables as the codec does.
    pub(super) fn tables(&self) -> Tables {
        Tables::from_bytes(self.0.as_slice().try_into().expect("the tables' length"))
    }

    /// The bytes of rung `predicted`.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The bytes of rung `simulated`: one trained distance, without the distributions of numbers.
    pub(super) fn into_simulated(self) -> Vec<u8> {
        let (coefficients, rest) = self.0.split_at(LINEAR_BYTES);
        let of_all = coefficients.chunks_exact(2 * DISTANCES.len());
        let mut one: Vec<u8> = of_all
            .flat_map(|pairs| pairs[2 * TRAINED..][..2].to_vec())
            .collect();
        one.extend_from_slice(&rest[NUMBER_BYTES..]);
        one
    }

    /// Stores all coefficients, each by its highest bits.
    pub(super) fn store_linear(&mut self, linear: &Linear) {
        let pairs = self.0[..LINEAR_BYTES].as_chunks_mut::<2>().0;
        for (pair, (distance, row, feature)) in pairs.iter_mut().zip(stored_places()) {
            *pair = coarse(linear[distance][row][feature]).to_le_bytes();
        }
    }

    /// Stores the shares of a row's classes.
    pub(super) fn store_row(&mut self, row: usize, shares: &[f64]) {
        let (at, classes) = match row.checked_sub(NUMBER_COUNT) {
            None => (row * CLASSES, CLASSES),
            Some(row) => (NUMBER_BYTES + row * HAPPENED_CLASSES, HAPPENED_CLASSES),
        };
        let most = shares[..classes].iter().copied().fold(0.0, f64::max);
        for (to, share) in self.0[SHARES + at..][..classes].iter_mut().zip(shares) {
            *to = steps(share / most, SHARE_STEPS);
        }
    }

    /// Stores a chance.
    pub(super) fn store_chance(&mut self, at: usize, chance: f64) {
        self.0[CHANCE + at] = steps(chance, CHANCE_STEPS);
    }

    /// Stores the weights of a set; their sum is 1.
    pub(super) fn store_weights(&mut self, set: usize, weights: &[f64; INPUTS]) {
        let stored = &mut self.0[WEIGHTS + set * INPUTS..][..INPUTS];
        for (to, weight) in stored.iter_mut().zip(weights) {
            *to = libm::round(weight * WEIGHT_STEPS).clamp(1.0, 255.0) as u8;
        }
    }

    /// Stores the powers of a set of what happened.
    pub(super) fn store_powers(&mut self, set: usize, powers: &[f64; PRODUCT_INPUTS]) {
        let stored = &mut self.0[POWERS + set * PRODUCT_INPUTS..];
        for (to, power) in stored.iter_mut().zip(powers) {
            *to = libm::round(power * f64::from(POWER_STEPS)).clamp(-127.0, 127.0) as i8 as u8;
        }
    }
}

fn steps(share: f64, unit: f32) -> u8 {
    libm::round(libm::log2(share.max(1.0e-12)) * f64::from(-unit)).clamp(0.0, 255.0) as u8
}

fn coarse(coefficient: f32) -> i16 {
    let steps = libm::roundf(coefficient * COEFFICIENT_STEPS) as i32;
    let bits = 32 - steps.unsigned_abs().leading_zeros();
    let unit = 1 << bits.saturating_sub(COEFFICIENT_BITS);
    let rounded = libm::roundf(steps as f32 / unit as f32) as i32 * unit;
    rounded.clamp(-0x7fff, 0x7fff) as i16
}
