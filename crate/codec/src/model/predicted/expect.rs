//! Predictions of a cube's values and of their errors. They come from the trained tables, or from rivals: simpler predictions
//! that compete with the tables'.

use super::contest::RIVALS;
use super::flight::Flight;
use super::learned::{ERRORS_BEFORE, OWN_ERRORS};
use super::numbers::{Decider, NumberContext};
use super::observer::CoderObserver;
use super::scene::Scene;
use super::simd::{Axes, columns, each};
use super::tables::{EARLY, FEATURES, LATE, Linear};
use super::values::ValueFeatures;
use crate::format::Format;
use crate::model::geometry::Geometry;
use crate::model::logarithms::{log2, size_class};
use crate::model::rotation::Vector3;

/// Returns the offset from a coded number to its probable value before rounding, in steps. If predictions are good (`expected`,
/// the expected error, is small), the probable value is near the prediction.
#[inline(always)]
pub(super) fn probable_offset(error: f32, expected: f32) -> f32 {
    let beyond = (expected - 0.5).max(0.0);
    (-error / (1.0 + 8.0 * beyond * beyond)).clamp(-0.5, 0.5)
}

/// Returns log2(|error| + 0.4). The 0.4 makes all errors far below a step nearly equal.
#[inline(always)]
fn error_log2(error: f32) -> f32 {
    log2(error.abs() + 0.4)
}

/// Predicted sizes of the errors of three numbers, with the competing predictions of these sizes.
pub(super) struct ExpectedErrors {
    /// Kind of the three numbers: displacements (0) or orientations (1).
    which: usize,
    features: [f32; EARLY],
    /// Part of the predicted sizes that is known before the first number is coded, by axis: features times coefficients,
    /// summed.
    early: Axes,
    rivals: [Axes; RIVALS],
}

/// The state of coding one changed cube.
pub(super) struct CubeCoder<'a, 'd, C> {
    pub(super) decider: &'a mut Decider<'d, C>,
    pub(super) format: &'a Format,
    pub(super) scene: &'a Scene,
    pub(super) geometry: &'a Geometry,
    pub(super) values: &'a ValueFeatures<'a>,
    /// The cube's filters, if the format has flights.
    pub(super) flight: Option<Flight>,
    pub(super) index: usize,
}

impl<C: CoderObserver> CubeCoder<'_, '_, C> {
    pub(super) fn said(&mut self, rule: &'static str, value: impl Into<i64>) {
        self.decider.coder.said(rule, value.into());
    }

    /// Codes a number of the displacement (0) or orientation (1): by the cube's filter, whose mean `flown` returns, or as is
    /// expected.
    #[inline(always)]
    pub(super) fn number(
        &mut self,
        which: usize,
        flown: impl FnOnce(&Flight) -> f32,
        expected: &NumberContext,
        value: i32,
    ) -> i32 {
        let Some(flight) = &mut self.flight else {
            return self.decider.number(expected, value);
        };
        let mean = flown(flight);
        let value = match flight.is_flown(which) {
            true => self.decider.flown(flight, which, mean, value),
            false => self.decider.number(expected, value),
        };
        flight.miss(which, value as f32 - mean, value as f32 - expected.mean);
        value
    }

    /// Returns the part of a group's prediction that is known before its first value, by axis: each feature times its
    /// coefficient, summed.
    #[inline(always)]
    pub(super) fn predict(&self, group: Linear, features: &[Axes; EARLY]) -> Axes {
        let coefficients = self.coefficients(group);
        let mut sums = [[0.0; 4]; 2];
        for (at, (c, x)) in coefficients.iter().zip(features).enumerate() {
            let sum = &mut sums[at & 1];
            *sum = each(|i| sum[i] + c[i] * x[i]);
        }
        each(|i| sums[0][i] + sums[1][i])
    }

    /// Returns the part of a prediction that is known once earlier axes are coded, on one axis: each feature times its
    /// coefficient, summed.
    #[inline(always)]
    pub(super) fn predict_late(&self, group: Linear, axis: usize, features: &[f32; LATE]) -> f32 {
        let [.., a, b, c, d] = self.coefficients(group);
        let [x, y, z, w] = features;
        (a[axis] * x + b[axis] * y) + (c[axis] * z + d[axis] * w)
    }

    #[inline(always)]
    fn coefficients(&self, group: Linear) -> &[Axes; FEATURES] {
        let situation = self.values.situation;
        self.decider.coefficients.get(group, situation)
    }

    /// Returns the prediction on an axis: the one of `rivals` that was best lately, or in training always the tables'
    /// prediction.
    #[inline(always)]
    pub(super) fn pick(&mut self, which: usize, rivals: &[Axes; RIVALS], axis: usize) -> f32 {
        if self.decider.coder.fits() {
            return rivals[0][axis];
        }
        let contest = self.decider.learned.contest(which, self.values.situation);
        rivals[contest.best(axis)][axis]
    }

    /// Updates the mean losses of five competing predictions, now that the three predicted values are known. An error of 1
    /// counts as `steps` position steps or 9-bit codes.
    #[inline(always)]
    pub(super) fn score(
        &mut self,
        which: usize,
        rivals: &[Axes; RIVALS],
        values: Vector3,
        steps: f32,
    ) {
        if self.decider.coder.fits() {
            return;
        }
        let values = columns(values);
        let mut losses = [[0.0; 4]; RIVALS];
        for (loss, rival) in losses.iter_mut().zip(rivals) {
            *loss = each(|i| error_log2((values[i] - rival[i]) * steps));
        }
        let contest = self.decider.learned.contest(which, self.values.situation);
        contest.score(&losses);
    }

    /// Returns the predicted sizes of the errors of three numbers, before the first error is known. The rivals of the tables'
    /// prediction are the last error, the mean of recent errors, and that mean adjusted by an already known error.
    #[inline(always)]
    pub(super) fn expect_errors(&self, group: Linear) -> ExpectedErrors {
        let which = match group {
            Linear::Moved | Linear::MovedError => 0,
            Linear::Turned | Linear::TurnedError => 1,
        };
        let features = self.values.error_features(which);
        let mut sides = [[0.0; 4]; EARLY];
        for (side, feature) in sides.iter_mut().zip(features) {
            *side = [feature; 4];
        }
        let early = self.predict(group, &sides);
        let motion = self.values.flags.motion;
        let (last, slow) = (motion.errors[which], motion.slow_errors[which]);
        ExpectedErrors {
            which,
            features,
            early,
            rivals: [[0.0; 4], [0.0; 4], [last; 4], [slow; 4], [slow; 4]],
        }
    }

    /// Returns the log2 of the expected error on an axis; the expected error is limited to 1/8 to 512.
    #[inline(always)]
    pub(super) fn expect_error(
        &mut self,
        group: Linear,
        errors: &mut ExpectedErrors,
        axis: usize,
        features: &[f32; LATE],
    ) -> f32 {
        let tables = errors.early[axis] + self.predict_late(group, axis, features);
        let tables = tables.clamp(-3.0, 9.0);
        let [of_tables, corrected, .., with_known] = &mut errors.rivals;
        (of_tables[axis], corrected[axis]) = (tables, tables);
        with_known[axis] = (with_known[axis] + features[1]) * 0.5;
        if self.decider.coder.fits() {
            return tables;
        }
        let situation = self.values.situation;
        let contest = self.decider.learned.error_contest(errors.which, situation);
        contest.pick(axis, &errors.rivals).clamp(-3.0, 9.0)
    }

    /// Updates the mean loss of each candidate error size by the errors that occurred.
    #[inline(always)]
    pub(super) fn learn_errors(&mut self, expected: &ExpectedErrors, errors: Vector3) {
        if self.decider.coder.fits() {
            return;
        }
        let values = each(|i| errors.get(i).map_or(0.0, |&error| error_log2(error)));
        let situation = self.values.situation;
        let contest = self
            .decider
            .learned
            .error_contest(expected.which, situation);
        contest.score(&expected.rivals, &values);
    }

    /// Passes the error that occurred to training, with the features of its prediction.
    #[inline(always)]
    pub(super) fn teach_error(
        &mut self,
        group: Linear,
        axis: usize,
        expected: &ExpectedErrors,
        late: &[f32; LATE],
        error: f32,
    ) {
        if self.decider.coder.fits() {
            let features = whole(&expected.features, late);
            self.fit(group, axis, &features, error_log2(error), 1.0);
        }
    }

    /// Returns the index of a number's context, by two error sizes. One is the cube's last error, of positions (0) or
    /// orientations (1); the other is an error already coded.
    pub(super) fn error_context(&self, which: usize, known: f32) -> usize {
        let own = (self.values.flags.motion.errors[which] as usize).min(OWN_ERRORS - 1);
        own + OWN_ERRORS * (size_class(known, 3) / 2).min(ERRORS_BEFORE - 1)
    }

    /// Passes a prediction's features, its true value and its weight to training. Weighted least squares come near the fewest
    /// bits; the weights make the fit independent of where training begins.
    #[inline(always)]
    pub(super) fn teach(
        &mut self,
        (group, axis): (Linear, usize),
        (early, late): (&[Axes; EARLY], &[f32; LATE]),
        target: f32,
        expected: f32,
        error: f32,
    ) {
        if self.decider.coder.fits() {
            let weight = 1.0 / (expected * (expected + error.abs()));
            let features = whole(&early.map(|columns| columns[axis]), late);
            self.fit(group, axis, &features, target, weight);
        }
    }

    fn fit(
        &mut self,
        group: Linear,
        axis: usize,
        features: &[f32; FEATURES],
        target: f32,
        weight: f32,
    ) {
        let row = group.row(axis, self.values.situation);
        let coder = &mut self.decider.coder;
        coder.predicted(row, features, target, weight);
    }
}

/// Joins the early and late features of a prediction.
fn whole(early: &[f32; EARLY], late: &[f32; LATE]) -> [f32; FEATURES] {
    let mut features = [0.0; FEATURES];
    features[..EARLY].copy_from_slice(early);
    features[EARLY..].copy_from_slice(late);
    features
}
