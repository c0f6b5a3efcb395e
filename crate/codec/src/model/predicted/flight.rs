//! Flight: motion that a filter predicts better than two snapshots do.
//!
//! A number that is rounded to steps has an error of half a step, and a prediction from two of them up to one and a half. A
//! body that flies freely keeps its velocity for hundreds of snapshots. So a Kalman filter (Kalman 1960, *A New Approach to
//! Linear Filtering and Prediction Problems*) estimates position and velocity from all of them. Its model is a velocity that
//! is nearly constant: it is an alpha-beta filter (Benedict and Bordner 1962) whose gains fall from snapshot to snapshot. A
//! residual beyond the filter's doubt is a contact or a force, and raises the doubt again. A body that falls freely has an
//! acceleration in common with others: see `pull`.
//!
//! The filter's state is stored beside each snapshot, and advances from baseline to packet: a packet depends on its baseline
//! alone. Only class `chained` has it, and only formats without a player: the tables know cubes around a player better. A
//! cube's numbers are coded by the filter where it was nearer than the other prediction lately.

use super::neighbours::CubeChange;
use super::pull::Pull;
use super::shape::ESCAPE;
use crate::format::Format;
use crate::model::geometry::Geometry;
use crate::model::logarithms::log2;
use crate::model::rotation::{
    Quaternion, Vector3, add, difference, multiply, rotation, scale, subtract,
};
use crate::model::symbols::Distributions;
use crate::rungs::{Class, Rung};

/// Variance of a rounded number, steps squared: an even error of half a step at most.
const NOISE: f32 = 1.0 / 12.0;
/// Growth of the variance of a velocity, steps^2 per tick^3. It keeps an old filter awake: with it the standard deviation of a
/// prediction stays above 1/40 of a step.
const WANDER: f32 = 1.0e-7;
/// Variance of an unknown velocity, (steps a tick)^2. Faster ones are surprises. A far greater variance would cancel in f32.
const UNKNOWN: f32 = 1.0;
/// Least variance of a velocity: f32 rounds off what is below.
const RATE_MIN: f32 = 1.0e-9;
/// Greatest residual that a filter without doubt expects, steps: half a step of rounding, and 0.4 because its model errs.
const EXPECTED: f32 = 0.9;
/// Factor from a standard deviation to the greatest expected deviation.
const DEVIATIONS: f32 = 3.0;
/// Variance below which a filter is used, steps squared. It is reached with the third snapshot after a contact.
const KNOWN: f32 = 0.25;
/// Favour above which a filter or the pull is used. A favour is the mean log2 of the other prediction's residuals over its own.
const FAVOUR: f32 = 0.05;
/// Weight of the newest snapshot in a favour.
const FAVOUR_RATE: f32 = 0.125;

/// Classes of a filter's doubt: octaves of its variance, from 2^-10 steps squared up to `KNOWN`.
const DOUBTS: usize = 8;
const LEAST_DOUBT: i32 = 10;
/// Classes of the distance of a mean from the middle between two integers.
const MARGINS: usize = 8;
/// Contexts of a number in a flight: doubt and margin, or doubt and a known surprise.
const COLUMNS: usize = MARGINS + 2;
/// Learned distributions of numbers: of displacements, and of components.
type FlightNumbers = Distributions<{ 2 * DOUBTS * COLUMNS }>;

/// State of the flights that all cubes of a snapshot share.
#[derive(Clone, Debug)]
pub(super) struct Flights {
    pub(super) numbers: FlightNumbers,
    pull: Pull,
}

impl Flights {
    pub(super) const OPEN: Self = Self {
        numbers: FlightNumbers::OPEN,
        pull: Pull::NONE,
    };

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.pull = Pull::NONE;
    }
}

/// Returns true if a format has flights.
pub(super) fn flies(format: &Format) -> bool {
    let chained = format.class() == Class::Chained && format.rung() == Rung::Predicted;
    chained && format.player().is_none()
}

/// Covariance of a filter's value and rate, the same for all three axes; in steps and ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doubt {
    value: f32,
    cross: f32,
    rate: f32,
}

impl Default for Doubt {
    /// Covariance of an object whose position is known and whose velocity is not.
    fn default() -> Self {
        Self {
            value: NOISE,
            cross: 0.0,
            rate: UNKNOWN,
        }
    }
}

impl Doubt {
    /// Predicts the covariance `ticks` ticks later.
    fn onward(self, ticks: f32) -> Self {
        let (by_rate, wander) = (ticks * self.rate, WANDER * ticks);
        Self {
            value: self.value
                + ticks * (self.cross + self.cross + by_rate)
                + wander * ticks * ticks,
            cross: self.cross + by_rate + wander * ticks,
            rate: self.rate + wander,
        }
    }

    /// Corrects a predicted covariance, given the greatest residual of the prediction in steps. Returns it with the gains of
    /// value and rate.
    fn correct(mut self, missed: f32, ticks: f32) -> (Self, [f32; 2]) {
        if missed > self.expected() {
            // As if a force had changed the velocity somewhere in between.
            let square = missed * missed;
            self.value += square * 0.25;
            self.cross += square * 0.25 / ticks;
            self.rate += square * 0.5 / (ticks * ticks);
        }
        let by = 1.0 / (self.value + NOISE);
        let gains = [self.value * by, self.cross * by];
        let corrected = Self {
            // (1 - gain) x the predicted one, without a difference of near numbers.
            value: NOISE * gains[0],
            cross: NOISE * gains[1],
            rate: (self.rate - gains[1] * self.cross).max(RATE_MIN),
        };
        (corrected, gains)
    }

    /// Greatest residual that is no surprise, steps.
    fn expected(self) -> f32 {
        EXPECTED + DEVIATIONS * self.value.sqrt()
    }
}

/// The state of a cube's filter of position or orientation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filter {
    /// Offset from the sent value to the estimated one, steps.
    offset: Vector3,
    /// Steps a tick.
    rate: Vector3,
    doubt: Doubt,
    favour: f32,
    /// Mean log2 by which the residuals with the pull were less than those without, of positions.
    pull_favour: f32,
}

/// A filter as it is stored beside a snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredFilter {
    /// In 1/64 steps.
    offset: [i8; 3],
    /// Highest 24 bits of a float.
    rate: [[u8; 3]; 3],
    /// Highest 16 bits of a float.
    doubt: [u16; 3],
    /// In 1/64.
    favour: i8,
    pull_favour: i8,
}

impl StoredFilter {
    pub(super) fn new(filter: &Filter) -> Self {
        let Doubt { value, cross, rate } = filter.doubt;
        Self {
            offset: filter.offset.map(in_64ths),
            rate: filter.rate.map(|rate| {
                let [a, b, c, _] = (rate.to_bits() + 0x80).to_be_bytes();
                [a, b, c]
            }),
            doubt: [value, cross, rate].map(|x| ((x.to_bits() + 0x8000) >> 16) as u16),
            favour: in_64ths(filter.favour),
            pull_favour: in_64ths(filter.pull_favour),
        }
    }

    pub(super) fn filter(&self) -> Filter {
        let of_64ths = |x: i8| f32::from(x) * (1.0 / 64.0);
        let [value, cross, rate] = self.doubt.map(|high| f32::from_bits(u32::from(high) << 16));
        Filter {
            offset: self.offset.map(of_64ths),
            rate: self.rate.map(|[a, b, c]| f32::from_be_bytes([a, b, c, 0])),
            doubt: Doubt { value, cross, rate },
            favour: of_64ths(self.favour),
            pull_favour: of_64ths(self.pull_favour),
        }
    }
}

/// Returns the greatest magnitude of three numbers.
pub(super) fn greatest(of: Vector3) -> f32 {
    let [x, y, z] = of.map(f32::abs);
    x.max(y).max(z)
}

/// Rounds to the nearest 64th, within an i8.
fn in_64ths(x: f32) -> i8 {
    ((x.clamp(-1.9, 1.9) * 64.0 + 128.5) as i32 - 128) as i8
}

/// The filters of a cube, while its packet is coded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    filters: [Filter; 2],
    /// Predicted displacements at a constant velocity and with the pull, steps.
    displacements: [Vector3; 2],
    is_pulled: bool,
    /// Change of the velocity by the pull, steps a tick.
    gained: Vector3,
    /// Predicted orientation.
    pub(super) orientation: Quaternion,
    /// Predicted covariances of displacement and orientation.
    doubts: [Doubt; 2],
    /// Greatest residual of the numbers so far, steps.
    missed: [f32; 2],
    /// Sums of the numbers' favours, and how many they are.
    favours: [(f32, f32); 2],
}

impl Flight {
    /// Predicts a cube; `orientation` is that of the baseline.
    pub(super) fn new(
        geometry: &Geometry,
        filters: [Filter; 2],
        orientation: Quaternion,
        flights: &Flights,
        ticks: f32,
    ) -> Self {
        let [place, turn] = filters;
        let free = add(place.offset, scale(place.rate, ticks));
        let fallen = scale(flights.pull.acceleration, ticks * ticks * 0.5);
        let is_pulled = place.pull_favour > FAVOUR && flights.pull.is_known();
        let pulled_ticks = if is_pulled { ticks } else { 0.0 };
        let probable = multiply(
            rotation(scale(turn.offset, geometry.turn_step)),
            orientation,
        );
        let turned = rotation(scale(turn.rate, ticks * geometry.turn_step));
        Self {
            filters,
            displacements: [free, add(free, fallen)],
            is_pulled,
            gained: scale(flights.pull.acceleration, pulled_ticks),
            orientation: multiply(turned, probable),
            doubts: filters.map(|filter| filter.doubt.onward(ticks)),
            missed: [0.0; 2],
            favours: [(0.0, 0.0); 2],
        }
    }

    /// Returns true if the filter codes the displacement (0) or the orientation (1).
    pub(super) fn is_flown(&self, which: usize) -> bool {
        self.filters[which].favour > FAVOUR && self.doubts[which].value < KNOWN
    }

    /// Mean of the displacement along an axis, steps.
    pub(super) fn moved(&self, axis: usize) -> f32 {
        self.displacements[usize::from(self.is_pulled)][axis]
    }

    /// Mean of a code, if this component is the largest.
    pub(super) fn code(&self, geometry: &Geometry, component: usize, largest: usize) -> f32 {
        let q = &self.orientation;
        let sign = if q[largest] < 0.0 { -1.0 } else { 1.0 };
        q[component] * sign * geometry.codes + geometry.zero_code
    }

    /// Returns the index of the learned distribution of a number whose mean is `apart` from the nearest integer.
    pub(super) fn place(&self, which: usize, apart: f32) -> usize {
        let (doubt, missed) = (self.doubts[which], self.missed[which]);
        let exponent = (doubt.value.to_bits() >> 23) as i32 - 127;
        let class = (exponent + LEAST_DOUBT).clamp(0, DOUBTS as i32 - 1) as usize;
        let column = if missed > doubt.expected() {
            MARGINS + usize::from(missed > 3.0)
        } else {
            let margin = (0.5 - apart.abs()).max(0.0) * 2.0;
            (margin / doubt.value.sqrt()).min((MARGINS - 1) as f32) as usize
        };
        (which * DOUBTS + class) * COLUMNS + column
    }

    /// Takes the residuals of a number by the filter and by the other prediction, steps.
    pub(super) fn miss(&mut self, which: usize, residual: f32, other: f32) {
        let size = residual.abs();
        self.missed[which] = self.missed[which].max(size);
        let (sum, count) = &mut self.favours[which];
        *sum += log2(other.abs() + 0.4) - log2(size + 0.4);
        *count += 1.0;
    }

    /// Returns the filters after a change, and learns the pull.
    pub(super) fn filters(
        &self,
        geometry: &Geometry,
        change: &CubeChange,
        orientation: Quaternion,
        flights: &mut Flights,
        ticks: f32,
    ) -> [Filter; 2] {
        let moved = scale(change.moved, geometry.position_steps);
        let by_pull = self.displacements.map(|of| subtract(moved, of));
        // What the pull has failed to predict, such as a body at rest on the floor, says nothing of it.
        if self.filters[0].pull_favour >= 0.0 {
            let (part, missed) = match self.is_pulled {
                true => (0.5, by_pull[0]),
                // Against the mean velocity of the motion before, half of `ticks` ago.
                false => (1.0, scale(change.surprise, geometry.position_steps)),
            };
            flights.pull.learn(missed, part, ticks);
        }
        let [without, with] = by_pull.map(|missed| log2(greatest(missed) + 0.4));
        let turned = difference(self.orientation, orientation);
        let missed = [
            by_pull[usize::from(self.is_pulled)],
            scale(turned, geometry.turn_steps),
        ];
        let gained = [self.gained, [0.0; 3]];
        let pull_gains = [without - with, 0.0];
        core::array::from_fn(|which| {
            let (missed, before): (Vector3, _) = (missed[which], self.filters[which]);
            let (doubt, [near, rate]) = self.doubts[which].correct(greatest(missed), ticks);
            let (sum, count) = self.favours[which];
            let favour = if count > 0.0 {
                sum / count
            } else {
                before.favour
            };
            Filter {
                offset: missed.map(|missed| ((near - 1.0) * missed).clamp(-0.5, 0.5)),
                rate: add(add(before.rate, gained[which]), scale(missed, rate)),
                doubt,
                favour: before.favour + (favour - before.favour) * FAVOUR_RATE,
                pull_favour: before.pull_favour
                    + (pull_gains[which] - before.pull_favour) * FAVOUR_RATE,
            }
        })
    }
}

/// Returns the class of a residual: 0, then a class for each size and sign up to 7, then the escape.
pub(super) fn class_of(residual: i32) -> usize {
    match residual.unsigned_abs() as usize {
        0 => 0,
        size @ 1..=7 => 2 * size - usize::from(residual > 0),
        _ => ESCAPE,
    }
}

/// Returns the residual of a class but the escape.
pub(super) fn residual_of(class: usize) -> i32 {
    let size = class.div_ceil(2) as i32;
    if class & 1 == 0 { -size } else { size }
}
