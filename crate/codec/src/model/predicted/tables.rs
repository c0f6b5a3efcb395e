//! The outcome of training: the coefficients and logits that rung `predicted` decides by. They never change while packets
//! are coded.

use alloc::vec;
use alloc::vec::Vec;

use super::shape::{NODES, Shapes};
use crate::history::room;
use crate::model::logistic::{self, Probabilities, log2};
use crate::rungs::Class;

/// Most features of a linear prediction.
pub(crate) const FEATURES: usize = 16;
/// Ticks between snapshot and baseline for which coefficients and mixing weights are trained. Between two of them those of
/// both are blended, beyond the last they are its own.
pub(crate) const DISTANCES: [u16; 5] = [1, 3, 6, 16, 48];
/// A cube's situation, which selects the coefficients: neighbours coded already, on the floor, near the player, moving.
pub(crate) const SITUATIONS: usize = 16;

/// The values that are predicted linearly.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Linear {
    /// Mean of the displacement along x, y, z.
    Moved(usize),
    /// Mean of the turn about a level axis (0, 1) or the vertical one (2).
    Turned(usize),
    /// log2 of the error of the displacement along x, y, z.
    MovedError(usize),
    /// log2 of the error of the three components that are sent of an orientation.
    TurnedError(usize),
}

impl Linear {
    pub(crate) const COUNT: usize = 3 + 2 + 3 + 3;

    /// Row of the coefficients.
    pub(crate) fn row(self, situation: usize) -> usize {
        let number = match self {
            Self::Moved(axis) => axis,
            Self::Turned(axis) => 3 + axis / 2,
            Self::MovedError(axis) => 5 + axis,
            Self::TurnedError(slot) => 8 + slot,
        };
        number * SITUATIONS + situation
    }
}

/// Logits looked up for a decision.
pub(crate) const LOOKUPS: usize = 4;
/// Inputs that a decision is mixed from: the logits looked up, that of the distribution, and a constant.
pub(crate) const INPUTS: usize = LOOKUPS + 2;

/// Half octaves of the expected error.
pub(crate) const SCALES: usize = 24;
/// Contexts of each lookup of a number.
const NUMBER_CONTEXTS: [usize; LOOKUPS] = [
    SCALES * DISTANCES.len(),
    SCALES / 3 * 4,
    SCALES / 3 * 8,
    SCALES / 4 * SITUATIONS,
];
/// Numbers with logits of their own: displacement along the floor, upwards, component of an orientation.
pub(crate) const NUMBER_KINDS: usize = 3;
/// Numbers with mixing weights of their own: x, y, z, and the three components.
pub(crate) const NUMBERS: usize = 6;
/// Flags, as [`Flag`](super::decide::Flag) has them.
pub(crate) const FLAGS: usize = 6;
/// Contexts of each lookup of a flag.
pub(crate) const FLAG_CONTEXTS: usize = 512;
/// Mixing weights of a flag are chosen by one of so many.
pub(crate) const FLAG_SETS: usize = 4;

pub(crate) const KIND_LOGITS: usize =
    (NUMBER_CONTEXTS[0] + NUMBER_CONTEXTS[1] + NUMBER_CONTEXTS[2] + NUMBER_CONTEXTS[3]) * NODES;
pub(crate) const LOGIT_COUNT: usize = NUMBER_KINDS * KIND_LOGITS + FLAGS * LOOKUPS * FLAG_CONTEXTS;
pub(crate) const MIX_COUNT: usize = FLAG_MIXES + FLAGS * FLAG_SETS;
const ROW_COUNT: usize = Linear::COUNT * SITUATIONS;

/// Bytes of the tables.
pub(crate) const TABLE_BYTES: usize =
    DISTANCES.len() * 2 * (ROW_COUNT * FEATURES + MIX_COUNT * INPUTS) + LOGIT_COUNT;

/// Steps of a unit. Coefficients and weights are stored in steps of 1/1024, of which only the highest bits count, logits in
/// steps of 1/8. Finer ones would gain little, and take a sixth more of a page's compressed code.
const COEFFICIENT_STEPS: f32 = 1024.0;
#[cfg(feature = "train")]
const COEFFICIENT_BITS: u32 = 6;
pub(crate) const LOGIT_STEPS: f32 = 8.0;

/// The tables of one class.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// For each of [`DISTANCES`].
    pub(crate) trained: Vec<Coefficients>,
    /// In steps of 1/8.
    pub(crate) logits: Vec<i8>,
    pub(crate) shapes: Shapes,
    pub(crate) probabilities: Probabilities,
}

/// The part of the tables that depends on the ticks between snapshot and baseline.
#[derive(Clone, Debug)]
pub(crate) struct Coefficients {
    pub(crate) linear: Vec<[f32; FEATURES]>,
    /// Mixing weights of numbers, by input and node, and of flags: from lookups in their steps, distributions in those of
    /// [`Probabilities`] and the constant to the latter. All by powers of two, which changes no result.
    pub(crate) numbers: Vec<[[f32; NODES]; INPUTS]>,
    pub(crate) flags: Vec<[f32; INPUTS]>,
    /// The nearest of [`DISTANCES`].
    pub(crate) nearest: usize,
}

/// A decision's constant input.
pub(crate) const BIAS: f32 = 0.25;
/// By which weights are multiplied in [`Coefficients`].
const WEIGHT_FACTORS: [f32; INPUTS] = [
    logistic::LOGIT_STEPS / LOGIT_STEPS,
    logistic::LOGIT_STEPS / LOGIT_STEPS,
    logistic::LOGIT_STEPS / LOGIT_STEPS,
    logistic::LOGIT_STEPS / LOGIT_STEPS,
    1.0,
    logistic::LOGIT_STEPS * BIAS,
];

impl Coefficients {
    fn new(linear: Vec<[f32; FEATURES]>, mixes: &[[f32; INPUTS]]) -> Self {
        let mut coefficients = Self {
            linear,
            numbers: vec![[[0.0; NODES]; INPUTS]; NUMBERS],
            flags: vec![[0.0; INPUTS]; FLAGS * FLAG_SETS],
            nearest: 0,
        };
        for (at, &mix) in mixes.iter().enumerate() {
            coefficients.set_mix(at, mix);
        }
        coefficients
    }

    /// Bytes of allocated memory.
    pub(crate) fn held_bytes(&self) -> usize {
        room(&self.linear) + room(&self.numbers) + room(&self.flags)
    }

    /// Sets mixing weights, as they are stored.
    pub(crate) fn set_mix(&mut self, at: usize, mix: [f32; INPUTS]) {
        for (input, weight) in mix.into_iter().enumerate() {
            *self.weight_mut(at, input) = weight * WEIGHT_FACTORS[input];
        }
    }

    /// Mixing weights as they are stored.
    #[cfg(feature = "train")]
    pub(crate) fn mix(&self, at: usize) -> [f32; INPUTS] {
        let weight = |input: usize| match at.checked_sub(FLAG_MIXES) {
            None => self.numbers[at / NODES][input][at % NODES],
            Some(at) => self.flags[at][input],
        };
        core::array::from_fn(|input| weight(input) / WEIGHT_FACTORS[input])
    }

    fn weight_mut(&mut self, at: usize, input: usize) -> &mut f32 {
        match at.checked_sub(FLAG_MIXES) {
            None => &mut self.numbers[at / NODES][input][at % NODES],
            Some(at) => &mut self.flags[at][input],
        }
    }

    /// Becomes `near`, moved by so much of the way to `far`.
    fn blend(&mut self, near: &Self, far: &Self, part: f32) {
        fn blend<const N: usize>(
            to: &mut [[f32; N]],
            near: &[[f32; N]],
            far: &[[f32; N]],
            part: f32,
        ) {
            for ((to, near), far) in to.iter_mut().zip(near).zip(far) {
                *to = core::array::from_fn(|i| near[i] + (far[i] - near[i]) * part);
            }
        }
        blend(&mut self.linear, &near.linear, &far.linear, part);
        blend(&mut self.flags, &near.flags, &far.flags, part);
        blend(
            self.numbers.as_flattened_mut(),
            near.numbers.as_flattened(),
            far.numbers.as_flattened(),
            part,
        );
    }
}

impl Tables {
    /// Reads the trained tables of that class; `snapshot-lab train` makes them.
    pub(crate) fn of(class: Class) -> Self {
        match class {
            Class::Strict => Self::from_bytes(include_bytes!("strict.tables")),
            Class::Chained => Self::from_bytes(include_bytes!("chained.tables")),
        }
    }

    /// The start of training: nothing moves, errors of 8 steps, every decision open.
    #[cfg(feature = "train")]
    pub(crate) fn untrained() -> Self {
        let mut linear = vec![[0.0; FEATURES]; ROW_COUNT];
        for row in &mut linear[Linear::MovedError(0).row(0)..] {
            row[0] = 3.0;
        }
        let mut mix = [0.0; INPUTS];
        mix[LOOKUPS] = 1.0;
        let coefficients = Coefficients::new(linear, &[mix; MIX_COUNT]);
        Self {
            trained: vec![coefficients; DISTANCES.len()],
            logits: vec![0; LOGIT_COUNT],
            shapes: Shapes::new(),
            probabilities: Probabilities::new(),
        }
    }

    /// Makes `coefficients` those of so many ticks.
    pub(crate) fn blend(&self, ticks: u16, coefficients: &mut Coefficients) {
        let ticks = ticks.clamp(1, DISTANCES[DISTANCES.len() - 1]);
        let far = DISTANCES
            .partition_point(|&distance| distance < ticks)
            .max(1);
        let [from, to] = [DISTANCES[far - 1], DISTANCES[far]].map(|ticks| log2(f32::from(ticks)));
        let part = (log2(f32::from(ticks)) - from) / (to - from);
        coefficients.nearest = if part < 0.5 { far - 1 } else { far };
        coefficients.blend(&self.trained[far - 1], &self.trained[far], part);
    }

    /// The inverse of `Tables::to_bytes`.
    pub(crate) fn from_bytes(bytes: &[u8; TABLE_BYTES]) -> Self {
        let (mut rest, logits) = bytes.split_at(TABLE_BYTES - LOGIT_COUNT);
        fn rows<const N: usize>(rest: &mut &[u8], count: usize) -> Vec<[f32; N]> {
            let (rows, behind) = rest.split_at(2 * N * count);
            *rest = behind;
            let coefficient =
                |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / COEFFICIENT_STEPS;
            rows.chunks_exact(2 * N)
                .map(|row| core::array::from_fn(|i| coefficient(&row[2 * i..])))
                .collect()
        }
        let trained = DISTANCES
            .iter()
            .map(|_| Coefficients::new(rows(&mut rest, ROW_COUNT), &rows(&mut rest, MIX_COUNT)))
            .collect();
        Self {
            trained,
            logits: logits.iter().map(|&step| step as i8).collect(),
            shapes: Shapes::new(),
            probabilities: Probabilities::new(),
        }
    }

    /// For each distance coefficients, then mixing weights, each a little-endian i16; then logits, each an i8.
    #[cfg(feature = "train")]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let coarse = |coefficient: f32| {
            let steps = libm::roundf(coefficient * COEFFICIENT_STEPS) as i32;
            let bits = 32 - steps.unsigned_abs().leading_zeros();
            let unit = 1 << bits.saturating_sub(COEFFICIENT_BITS);
            let rounded = libm::roundf(steps as f32 / unit as f32) as i32 * unit;
            rounded.clamp(-0x7fff, 0x7fff) as i16
        };
        let coefficients = self.trained.iter().flat_map(|trained| {
            let linear = trained.linear.iter().copied().flatten();
            linear.chain((0..MIX_COUNT).flat_map(|at| trained.mix(at)))
        });
        coefficients
            .flat_map(|coefficient| coarse(coefficient).to_le_bytes())
            .chain(self.logits.iter().map(|&step| step as u8))
            .collect()
    }
}

/// In which rows of a logit a node the logits of a number are, by lookup: its kind, then a context.
pub(crate) fn number_rows(kind: usize, contexts: [usize; LOOKUPS]) -> [usize; LOOKUPS] {
    let mut first = kind * (KIND_LOGITS / NODES);
    core::array::from_fn(|i| {
        debug_assert!(contexts[i] < NUMBER_CONTEXTS[i]);
        let at = first + contexts[i];
        first += NUMBER_CONTEXTS[i];
        at
    })
}

/// Places of the logits of a flag.
pub(crate) fn flag_logits(flag: usize, contexts: [usize; LOOKUPS]) -> [usize; LOOKUPS] {
    core::array::from_fn(|i| {
        debug_assert!(contexts[i] < FLAG_CONTEXTS);
        NUMBER_KINDS * KIND_LOGITS + (flag * LOOKUPS + i) * FLAG_CONTEXTS + contexts[i]
    })
}

/// Place of the mixing weights of a number's first node, and of those of the first flag.
pub(crate) fn number_mix(number: usize) -> usize {
    number * NODES
}
pub(crate) const FLAG_MIXES: usize = NUMBERS * NODES;

/// Place of the mixing weights of a flag, among those of flags.
pub(crate) fn flag_mix(flag: usize, set: usize) -> usize {
    flag * FLAG_SETS + set
}
