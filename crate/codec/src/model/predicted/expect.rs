//! Expectations of values and of their errors: by the tables, and by the rivals of their contests.

use super::contest::RIVALS;
use super::learned::{ERRORS_BEFORE, OWN_ERRORS};
use super::numbers::Decider;
use super::observer::Observer;
use super::scene::Scene;
use super::tables::{FEATURES, Linear};
use super::values::ValueFeatures;
use crate::format::Format;
use crate::model::geometry::Geometry;
use crate::model::logistic::{log2, size_class};

/// A logistic distribution's scale is so much of 2^(mean log2 of its errors).
const SCALE_OF_ERROR: f32 = 0.8;

/// log2 of a number's scale, less that of the error to expect, where an error of 1 is so many steps.
pub(super) fn scale_log2(steps: f32) -> f32 {
    log2(SCALE_OF_ERROR * steps)
}

/// Steps from the coded number to the probable one before rounding, by the prediction's error and the error to expect of
/// it. Where predictions are good, the probable one is near the prediction.
pub(super) fn probable_offset(error: f32, expected: f32) -> f32 {
    let beyond = (expected - 0.5).max(0.0);
    (-error / (1.0 + 8.0 * beyond * beyond)).clamp(-0.5, 0.5)
}

/// log2 of an error, of 0.4 more than that: errors below a step are alike.
fn error_log2(error: f32) -> f32 {
    log2(error.abs() + 0.4)
}

/// An expected error, as its log2, and its rivals.
pub(super) struct ExpectedError {
    rivals: [f32; RIVALS],
    corrected: [f32; RIVALS],
    /// From that of 1/8 to that of 512.
    pub(super) log2: f32,
}

/// Codes one changed cube.
pub(super) struct CubeCoder<'a, 'd, C> {
    pub(super) decider: &'a mut Decider<'d, C>,
    pub(super) format: &'a Format,
    pub(super) scene: &'a Scene,
    pub(super) geometry: &'a Geometry,
    pub(super) values: &'a ValueFeatures<'a>,
    pub(super) index: usize,
}

impl<C: Observer> CubeCoder<'_, '_, C> {
    pub(super) fn said(&mut self, rule: &'static str, value: impl Into<i64>) {
        self.decider.coder.said(rule, value.into());
    }

    pub(super) fn predict(&self, linear: Linear, features: &[f32; FEATURES]) -> f32 {
        let row = &self.decider.coefficients.linear[linear.row(self.values.situation())];
        let mut sums = [0.0; 4];
        for (coefficients, features) in row
            .as_chunks::<4>()
            .0
            .iter()
            .zip(features.as_chunks::<4>().0)
        {
            sums = core::array::from_fn(|lane| sums[lane] + coefficients[lane] * features[lane]);
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Picks the rival that was nearest lately; in training the tables' expectation.
    pub(super) fn pick(&mut self, linear: Linear, rivals: &[f32; RIVALS]) -> f32 {
        let situation = self.values.situation();
        match self.decider.coder.fits() {
            true => rivals[0],
            false => self.decider.learned.contest(linear, situation).pick(rivals),
        }
    }

    /// Tells a contest the value, where an error of 1 is so many steps or codes at 9 bits.
    pub(super) fn score(&mut self, linear: Linear, rivals: &[f32; RIVALS], value: f32, steps: f32) {
        if self.decider.coder.fits() {
            return;
        }
        let situation = self.values.situation();
        let losses = rivals.map(|rival| error_log2((value - rival) * steps));
        self.decider
            .learned
            .contest(linear, situation)
            .score(losses);
    }

    /// Gives the error to expect, of several rivals. Two are by the tables, without and with their mean error. One is the last
    /// error, one the mean of the last ones, and one adds an error that is known already to that mean.
    pub(super) fn expect_error(
        &mut self,
        linear: Linear,
        features: &[f32; FEATURES],
    ) -> ExpectedError {
        let tables = self.predict(linear, features).clamp(-3.0, 9.0);
        let [_, last, _, _, _, _, known, .., slow, _] = *features;
        let rivals = [tables, tables, last, slow, (slow + known) * 0.5];
        let situation = self.values.situation();
        let contest = self.decider.learned.contest(linear, situation);
        let corrected = contest.corrected(&rivals);
        let log2 = self.pick(linear, &corrected).clamp(-3.0, 9.0);
        ExpectedError {
            rivals,
            corrected,
            log2,
        }
    }

    /// Tells training and contest the error that came of an expectation.
    pub(super) fn learn_error(
        &mut self,
        linear: Linear,
        features: &[f32; FEATURES],
        expected: &ExpectedError,
        error: f32,
    ) {
        let (target, situation) = (error_log2(error), self.values.situation());
        if self.decider.coder.fits() {
            let row = linear.row(situation);
            return self.decider.coder.predicted(row, features, target, 1.0);
        }
        let contest = self.decider.learned.contest(linear, situation);
        contest.correct(&expected.rivals, target);
        contest.score(expected.corrected.map(|rival| {
            let miss = target - rival;
            miss * miss * 0.15
        }));
    }

    /// Class of the last error of positions (0) or orientations (1), and of an error that is known already.
    pub(super) fn error_context(&self, which: usize, known: f32) -> usize {
        let own = (self.values.flags.motion.errors[which] as usize).min(OWN_ERRORS - 1);
        own + OWN_ERRORS * (size_class(known, 3) / 2).min(ERRORS_BEFORE - 1)
    }

    /// Tells training of a prediction and its weight. The weighted least of squares is near the least of bits. With these
    /// weights it does not depend on where training begins.
    pub(super) fn teach(
        &mut self,
        linear: Linear,
        features: &[f32; FEATURES],
        target: f32,
        expected: f32,
        error: f32,
    ) {
        if !self.decider.coder.fits() {
            return;
        }
        let weight = 1.0 / (expected * (expected + error.abs()));
        self.decider.coder.predicted(
            linear.row(self.values.situation()),
            features,
            target,
            weight,
        );
    }
}
