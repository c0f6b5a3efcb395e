//! The trained tables of rung `predicted`: coefficients and distributions. Coding never changes them.

use super::mixture::{self, HAPPENED_CLASSES, INPUTS, Logs, PRODUCT_INPUTS, Powers, Weights};
use super::shape::{ALPHABETS, SCALES, SHAPES};
use super::simd::{Axes, each};
pub use super::sizes::FEATURES;
use crate::buffers::room;
use crate::model::logarithms::{exp2, log2};
use crate::model::symbols::{CLASSES, ClassEnds};
use crate::rungs::Class;

/// Distances in ticks from baseline to snapshot for which coefficients were trained. Between two of these distances
/// coefficients are interpolated; beyond the last, its coefficients are used.
pub const DISTANCES: [u16; 5] = [1, 3, 6, 16, 48];
/// Number of situations of a cube, which select its coefficients: has neighbours already coded or not, on the floor or not,
/// near the player or not, moving or not.
pub const SITUATIONS: usize = 16;

/// The groups of linear predictions; each group predicts three values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Linear {
    /// Mean displacement along x, y, z.
    Moved,
    /// Mean rotation about a level axis (0, 1) or the vertical axis (2).
    Turned,
    /// log2 of the error of a displacement along x, y, z.
    MovedError,
    /// log2 of the error of an orientation's three sent components.
    TurnedError,
}

/// Number of features that are known before the first of a prediction's three values; `LATE` features become known later.
pub(crate) const EARLY: usize = 12;
pub(crate) const LATE: usize = FEATURES - EARLY;
/// Number of groups of linear predictions.
const GROUPS: usize = 4;
/// Number of stored coefficient rows for a situation. Both level axes of a rotation share a row.
const ROWS: usize = 3 + 2 + 3 + 3;

impl Linear {
    /// Index of the coefficients of this group in a situation.
    #[inline(always)]
    fn place(self, situation: usize) -> usize {
        self as usize * SITUATIONS + situation
    }

    /// Index of the stored row of an axis in a situation.
    pub(crate) fn row(self, axis: usize, situation: usize) -> usize {
        let number = match self {
            Self::Moved => axis,
            Self::Turned => 3 + axis / 2,
            Self::MovedError => 5 + axis,
            Self::TurnedError => 8 + axis,
        };
        number * SITUATIONS + situation
    }

    /// Returns the group and the axes that use a stored row.
    fn of_row(row: usize) -> (Self, core::ops::Range<usize>) {
        match row / SITUATIONS {
            axis @ 0..3 => (Self::Moved, axis..axis + 1),
            3 => (Self::Turned, 0..2),
            4 => (Self::Turned, 2..3),
            axis @ 5..8 => (Self::MovedError, axis - 5..axis - 4),
            axis => (Self::TurnedError, axis - 8..axis - 7),
        }
    }
}

/// Number of kinds of coded numbers: displacement along the floor, displacement upwards, orientation component.
pub(crate) const NUMBER_KINDS: usize = 3;
/// Number of classes of the size of a cube's error that is already known.
pub const ERRORS: usize = 8;
/// Numbers of table rows for a kind of number, by two contexts. The first is the shape. The second is the scale in half
/// octaves, with the class of a known error.
const NUMBER_ROWS: [usize; 2] = [SHAPES, SCALES / 2 * ERRORS];
const KIND_ROWS: usize = NUMBER_ROWS[0] + NUMBER_ROWS[1];
/// Number of the tables' distributions of numbers, for all kinds of numbers together.
pub const NUMBER_COUNT: usize = NUMBER_KINDS * KIND_ROWS;
/// Number of the tables' distributions of the change symbol, for quiet cubes that changed.
pub const QUIET_ROWS: usize = 16;
/// Numbers of table rows of shares of the change symbol, for cubes that are not quiet. There is one for each of the four
/// contexts that [`FlagContexts`](super::flags::FlagContexts) computes.
pub(crate) const HAPPENED_ROWS: [usize; PRODUCT_INPUTS] = [1024, 256, 256, 256];
pub const PRODUCT_ROWS: usize =
    HAPPENED_ROWS[0] + HAPPENED_ROWS[1] + HAPPENED_ROWS[2] + HAPPENED_ROWS[3];

/// Number of table entries for the probability that a quiet cube changed: by distance, pose, and which of the last two cubes
/// changed.
pub const QUIET_CHANCES: usize = 32 * 24 * 4;
/// Number of table entries for the two flags that code an orientation's largest component. The component's lead over the next
/// one, and the size of the rotation, choose an entry.
pub(crate) const LARGEST_CHANCES: usize = 2 * 32 * 8;
pub const CHANCES: usize = QUIET_CHANCES + LARGEST_CHANCES;

/// Number of sets of mixing weights: one for each kind of number and alphabet.
pub const NUMBER_SETS: usize = NUMBER_KINDS * ALPHABETS;
/// Number of sets of powers for the change symbol: a cube moves or not, and interacts or not.
pub const HAPPENED_SETS: usize = 4;

pub const LINEAR_ROWS: usize = ROWS * SITUATIONS;
const SHARE_BYTES: usize = NUMBER_BYTES + (QUIET_ROWS + PRODUCT_ROWS) * HAPPENED_CLASSES;
const WEIGHT_BYTES: usize = NUMBER_SETS * INPUTS;
const POWER_BYTES: usize = HAPPENED_SETS * PRODUCT_INPUTS;

/// Total size of the tables, bytes.
pub const TABLE_BYTES: usize = LINEAR_BYTES + SHARE_BYTES + CHANCES + WEIGHT_BYTES + POWER_BYTES;
/// Size of the stored coefficients, bytes.
pub const LINEAR_BYTES: usize = DISTANCES.len() * 2 * LINEAR_ROWS * FEATURES;
pub const NUMBER_BYTES: usize = NUMBER_COUNT * CLASSES;

/// Number of steps in a coefficient of 1; only the highest bits of a coefficient in steps are stored. Shares are stored as
/// their -log2 in steps of 1/2, probabilities in steps of 1/16. Finer steps would gain little, and enlarge a page's compressed
/// code.
pub const COEFFICIENT_STEPS: f32 = 1024.0;
pub const SHARE_STEPS: f32 = 2.0;
pub const CHANCE_STEPS: f32 = 16.0;
pub const POWER_STEPS: f32 = 32.0;

/// The trained tables of one class.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Trained coefficients for each of the [`DISTANCES`].
    pub(crate) trained: Vec<Coefficients>,
    /// Distributions of numbers, then of the change symbol of quiet cubes.
    pub(crate) rows: Vec<ClassEnds>,
    /// log2 of the shares of the change symbol's classes, for cubes that are not quiet.
    pub(crate) logs: Vec<Logs>,
    /// Probabilities from 0 to 1: that a quiet cube changed, and that a component is the largest.
    pub(crate) chances: Vec<f32>,
    /// Starting weights of the mixtures; each set sums to 1.
    pub(crate) weights: [Weights; NUMBER_SETS],
    /// Starting powers of the change symbol's products.
    pub(crate) powers: [Powers; HAPPENED_SETS],
}

/// The coefficients for one distance from baseline to snapshot. An entry belongs to a group of predictions and a situation of a
/// cube; it has a coefficient for each feature and axis.
#[derive(Clone, Debug)]
pub(crate) struct Coefficients(Vec<[Axes; FEATURES]>);

impl Coefficients {
    fn none() -> Self {
        Self(vec![[[0.0; 4]; FEATURES]; GROUPS * SITUATIONS])
    }

    /// Replaces one coefficient of a stored row.
    fn set(&mut self, row: usize, feature: usize, coefficient: f32) {
        let (group, axes) = Linear::of_row(row);
        self.0[group.place(row % SITUATIONS)][feature][axes].fill(coefficient);
    }

    /// Returns the coefficients of a group of linear predictions, by feature and axis. `situation` is below [`SITUATIONS`].
    #[inline(always)]
    pub(crate) fn get(&self, group: Linear, situation: usize) -> &[Axes; FEATURES] {
        &self.0[group.place(situation)]
    }

    pub(crate) fn held_bytes(&self) -> usize {
        room(&self.0)
    }

    /// Sets the coefficients to an interpolation from `near` (`part` = 0) to `far` (`part` = 1).
    fn blend(&mut self, near: &Self, far: &Self, part: f32) {
        let both = near.0.as_flattened().iter().zip(far.0.as_flattened());
        for (to, (near, far)) in self.0.as_flattened_mut().iter_mut().zip(both) {
            *to = each(|i| near[i] + (far[i] - near[i]) * part);
        }
    }
}

/// Iterates over the stored coefficients as triples: index of the distance, row, feature. Coefficients that are stored side by
/// side have similar values.
pub fn stored_places() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..LINEAR_ROWS * FEATURES * DISTANCES.len()).map(|at| {
        let (at, distance) = (at / DISTANCES.len(), at % DISTANCES.len());
        let (at, situation) = (at / SITUATIONS, at % SITUATIONS);
        let (number, feature) = (at / FEATURES, at % FEATURES);
        (distance, number * SITUATIONS + situation, feature)
    })
}

impl Tables {
    /// Reads the trained tables of a class; training, in `research`, makes them.
    pub(crate) fn trained(class: Class) -> Self {
        Self::from_bytes(Self::bytes_of(class))
    }

    fn bytes_of(class: Class) -> &'static [u8; TABLE_BYTES] {
        match class {
            Class::Strict => include_bytes!("strict.tables"),
            Class::Chained => include_bytes!("chained.tables"),
        }
    }

    /// Returns the stored distributions of numbers of a class.
    pub fn numbers_of(class: Class) -> &'static [u8] {
        &Self::bytes_of(class)[LINEAR_BYTES..][..NUMBER_BYTES]
    }

    /// Sets `coefficients` to those for a distance of `ticks` ticks from baseline to snapshot, interpolated.
    pub(crate) fn blend(&self, ticks: u16, coefficients: &mut Coefficients) {
        let ticks = ticks.clamp(1, DISTANCES[DISTANCES.len() - 1]);
        let far = DISTANCES
            .partition_point(|&distance| distance < ticks)
            .max(1);
        let [from, to] = [DISTANCES[far - 1], DISTANCES[far]].map(|ticks| log2(f32::from(ticks)));
        let part = (log2(f32::from(ticks)) - from) / (to - from);
        coefficients.blend(&self.trained[far - 1], &self.trained[far], part);
    }

    /// Reads tables from bytes. First come the coefficients in the order of [`stored_places`], each a little-endian i16; then
    /// shares, probabilities and weights, a byte each.
    pub fn from_bytes(bytes: &[u8; TABLE_BYTES]) -> Self {
        let (linear, stored) = bytes.split_at(LINEAR_BYTES);
        let mut trained = vec![Coefficients::none(); DISTANCES.len()];
        for ((distance, row, feature), pair) in stored_places().zip(linear.as_chunks().0) {
            let coefficient = f32::from(i16::from_le_bytes(*pair)) / COEFFICIENT_STEPS;
            trained[distance].set(row, feature, coefficient);
        }
        let (numbers, rest) = stored.split_at(NUMBER_BYTES);
        let (quiet, rest) = rest.split_at(QUIET_ROWS * HAPPENED_CLASSES);
        let (happened, rest) = rest.split_at(PRODUCT_ROWS * HAPPENED_CLASSES);
        let (chances, rest) = rest.split_at(CHANCES);
        let (weights, powers) = rest.split_at(WEIGHT_BYTES);
        fn rows<const K: usize>(bytes: &[u8]) -> impl Iterator<Item = [f32; K]> {
            let log = |&steps: &u8| f32::from(steps) * (-1.0 / SHARE_STEPS);
            let rows = bytes.as_chunks::<K>().0.iter();
            rows.map(move |row| row.each_ref().map(log))
        }
        let numbers = rows::<CLASSES>(numbers).map(|row| mixture::ends_of(&row.map(exp2)));
        let quiet = rows::<HAPPENED_CLASSES>(quiet).map(|row| mixture::ends_of(&row.map(exp2)));
        let chance = |&steps: &u8| exp2(f32::from(steps) * (-1.0 / CHANCE_STEPS));
        let mut tables = Self {
            trained,
            rows: numbers.chain(quiet).collect(),
            logs: rows(happened).collect(),
            chances: chances.iter().map(chance).collect(),
            weights: [Weights::default(); NUMBER_SETS],
            powers: [Powers::default(); HAPPENED_SETS],
        };
        for (set, weights) in tables
            .weights
            .iter_mut()
            .zip(weights.as_chunks::<INPUTS>().0)
        {
            let sum: u32 = weights.iter().map(|&weight| u32::from(weight)).sum();
            *set = weights.map(|weight| f32::from(weight) / sum as f32);
        }
        for (to, &steps) in tables.powers.as_flattened_mut().iter_mut().zip(powers) {
            *to = f32::from(steps as i8) / POWER_STEPS;
        }
        tables
    }

    /// Returns the indices of the tables' two distributions for a number.
    pub(crate) fn number_rows(kind: usize, contexts: [usize; 2]) -> [usize; 2] {
        let mut first = kind * KIND_ROWS;
        core::array::from_fn(|i| {
            debug_assert!(contexts[i] < NUMBER_ROWS[i]);
            let at = first + contexts[i];
            first += NUMBER_ROWS[i];
            at
        })
    }

    /// Returns the table indices of the change symbol's shares, one for each of its four contexts.
    pub(crate) fn happened_rows(contexts: [usize; PRODUCT_INPUTS]) -> [usize; PRODUCT_INPUTS] {
        let mut first = 0;
        core::array::from_fn(|i| {
            debug_assert!(contexts[i] < HAPPENED_ROWS[i]);
            let at = first + contexts[i];
            first += HAPPENED_ROWS[i];
            at
        })
    }

    /// Returns the table index of the distribution of the change symbol of a quiet cube.
    pub(crate) fn quiet_row(context: usize) -> usize {
        debug_assert!(context < QUIET_ROWS);
        NUMBER_COUNT + context
    }
}
