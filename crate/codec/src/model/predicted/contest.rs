//! Contests between predictions: decoded packets show both ends which of several predictions was recently the most accurate.
//!
//! The tables predict motions like those they were trained on. Other motions are better predicted by a plain rival: dead
//! reckoning, or moving with the neighbours. Both ends compare the same past errors, so they pick the same rival.

use super::simd::{Axes, each};

/// Number of competing predictions of a value; number 0 is the trained tables' prediction.
pub(super) const RIVALS: usize = 5;
/// Number of rival predictions besides the prediction of the trained tables.
const OTHERS: usize = RIVALS - 1;

/// Least amount by which a rival's mean loss must be below the loss of the tables' prediction, for the rival to replace it.
const MARGIN: f32 = 0.05;
/// Number of values that a running mean of losses averages over at first. It grows to `MOST_LOSSES`. `FIRST_BIASES` and
/// `MOST_BIASES` are the same for a rival's mean error.
const FIRST_LOSSES: f32 = 11.0;
const MOST_LOSSES: f32 = 70.0;
const FIRST_BIASES: f32 = 4.0;
const MOST_BIASES: f32 = 40.0;

/// Mean losses (costs of the errors) of five competing predictions, for three axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RivalRecord {
    /// Mean loss of each rival, minus the mean loss of the tables' prediction.
    losses: [Axes; OTHERS],
    /// Number of values scored so far, at most `MOST_LOSSES`.
    values: f32,
    /// Index of the prediction with the least mean loss, by axis; 0 is the tables' prediction.
    best: [u32; 4],
}

impl RivalRecord {
    /// Makes a record in which every rival of the tables' prediction starts with an extra loss of `head_start`. With a negative
    /// one the first rival is the best at first.
    pub(super) fn new(head_start: f32) -> Self {
        Self {
            losses: [[head_start; 4]; OTHERS],
            values: 0.0,
            best: [u32::from(head_start < -MARGIN); 4],
        }
    }

    /// Returns the index of the prediction with the least mean loss on an axis; 0 is the tables' prediction.
    #[inline(always)]
    pub(super) fn best(&self, axis: usize) -> usize {
        self.best[axis] as usize
    }

    /// Updates the mean losses after a value has been coded, with the loss of each prediction of this value.
    #[inline(always)]
    pub(super) fn score(&mut self, losses: &[Axes; RIVALS]) {
        let rate = 1.0 / (self.values + FIRST_LOSSES).min(MOST_LOSSES);
        let (mut least, mut best) = ([-MARGIN; 4], [0; 4]);
        let others = self.losses.iter_mut().zip(&losses[1..]);
        for (rival, (mean, loss)) in (1..).zip(others) {
            *mean = each(|i| mean[i] + (loss[i] - losses[0][i] - mean[i]) * rate);
            let mut is_less = [0_u32; 4];
            for i in 0..4 {
                is_less[i] = u32::from(mean[i] < least[i]).wrapping_neg();
            }
            for i in 0..4 {
                best[i] = is_less[i] & rival | !is_less[i] & best[i];
            }
            least = each(|i| mean[i].min(least[i]));
        }
        self.best = best;
        self.values = (self.values + 1.0).min(MOST_LOSSES);
    }
}

/// A contest of predictions in which each rival is corrected by its mean error; the tables' prediction is not corrected.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectedContest {
    contest: RivalRecord,
    biases: [Axes; OTHERS],
}

impl CorrectedContest {
    /// Makes a contest in which every rival of the tables' prediction starts with an extra loss of `head_start`.
    pub(super) fn new(head_start: f32) -> Self {
        Self {
            contest: RivalRecord::new(head_start),
            biases: [[0.0; 4]; OTHERS],
        }
    }

    /// Returns the prediction with the least mean loss on an axis; a rival's is corrected by its mean error.
    #[inline(always)]
    pub(super) fn pick(&self, axis: usize, rivals: &[Axes; RIVALS]) -> f32 {
        let best = self.contest.best(axis);
        match best.checked_sub(1).and_then(|at| self.biases.get(at)) {
            Some(biases) => rivals[best % RIVALS][axis] + biases[axis],
            None => rivals[0][axis],
        }
    }

    /// Updates each prediction's mean loss and each rival's mean error by the true values.
    #[inline(always)]
    pub(super) fn score(&mut self, rivals: &[Axes; RIVALS], values: &Axes) {
        let rate = 1.0 / (self.contest.values + FIRST_BIASES).min(MOST_BIASES);
        let mut losses = [[0.0; 4]; RIVALS];
        let loss_of = |misses: &Axes| each(|i| misses[i] * misses[i] * 0.15);
        losses[0] = loss_of(&each(|i| values[i] - rivals[0][i]));
        for at in 0..OTHERS {
            let (bias, rival) = (self.biases[at], &rivals[at + 1]);
            let misses = each(|i| values[i] - rival[i] - bias[i]);
            self.biases[at] = each(|i| bias[i] + misses[i] * rate);
            losses[at + 1] = loss_of(&misses);
        }
        self.contest.score(&losses);
    }
}
