//! Coding of one changed cube.

use core::f32::consts::LN_2;

use super::decide::{Decider, Expected, Flag};
use super::neighbours::CubeChange;
use super::observer::Observer;
use super::scene::Scene;
use super::tables::{FEATURES, Linear};
use super::values::{HALF_CODES, ValueFeatures};
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::fields::{CODED_AXES, CODED_COMPONENTS};
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::geometry::{CODES_AT_9_BITS, Geometry, kept};
use crate::model::logistic::{ONE, exp, log_size, log2, size_class};
use crate::model::rotation::{
    Quaternion, Vector, difference, length, multiply, rotation, scale, subtract,
};

/// A logistic distribution's scale is so much of 2^(mean log2 of its errors).
const SCALE_OF_ERROR: f32 = 0.8;

/// log2 of a number's scale, less that of the error to expect, where an error of 1 is so many steps.
fn scale_log2(steps: f32) -> f32 {
    log2(SCALE_OF_ERROR * steps)
}
/// No displacement is expected beyond 8 m.
const MOVED_MAX: f32 = 4096.0;

/// The outcome of a position, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
struct Displacement {
    moved: Vector,
    /// Less what was expected.
    errors: Vector,
    /// From where the cube is said to be to where it probably is.
    offset: Vector,
}

/// Steps from the coded number to the probable one before rounding, by the prediction's error and the error to expect of
/// it. Where predictions are good, the probable one is near the prediction.
fn probable_offset(error: f32, expected: f32) -> f32 {
    let beyond = (expected - 0.5).max(0.0);
    (-error / (1.0 + 8.0 * beyond * beyond)).clamp(-0.5, 0.5)
}

/// Components by falling magnitude, on a tie by index.
fn by_size(q: Quaternion) -> [usize; 4] {
    // The bits of what is not negative rise with it.
    let mut keys: [u64; 4] =
        core::array::from_fn(|i| u64::from(q[i].abs().to_bits()) << 2 | (3 - i as u64));
    for [a, b] in [[0, 1], [2, 3], [0, 2], [1, 3], [1, 2]] {
        (keys[a], keys[b]) = (keys[a].max(keys[b]), keys[a].min(keys[b]));
    }
    keys.map(|key| 3 - (key & 3) as usize)
}

/// The outcome of an orientation.
struct Turn {
    orientation: Quaternion,
    turned: Vector,
    /// Size of the error, in codes at 9 bits.
    error: f32,
    /// Turn from the decoded orientation to the probable one.
    offset: Vector,
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
    pub(super) fn code(
        &mut self,
        base: &Cube,
        wanted: &Cube,
    ) -> Result<(Cube, CubeChange), DecodeError> {
        let values = self.values;
        let mut cube = *base;
        let (position_changed, orientation_changed) = self.flags(base, wanted, &mut cube);

        let mut displacement = Displacement::default();
        if position_changed {
            for axis in 0..2 {
                let errors = displacement.errors;
                let features = values.moved_features(axis, &errors[..axis], None);
                let known = [log_size(errors[0]), 0.0, 0.0];
                let cubes = (base, wanted, &mut cube);
                self.axis(axis, features, known, cubes, &mut displacement);
            }
        }
        let turn = if orientation_changed {
            self.orientation(base, wanted, &mut cube, &displacement)
        } else {
            Turn {
                orientation: values.orientation,
                turned: difference(values.orientation, values.orientation),
                error: 0.0,
                offset: [0.0; 3],
            }
        };
        if position_changed {
            let errors = displacement.errors;
            let settle = values.settle(turn.orientation);
            let features = values.moved_features(2, &errors[..2], Some(settle));
            let known = [
                log_size(errors[0].abs() + errors[1].abs()),
                log_size(turn.error),
                log_size(settle - values.onward[2]),
            ];
            let cubes = (base, wanted, &mut cube);
            self.axis(2, features, known, cubes, &mut displacement);
        }
        let Displacement {
            moved,
            errors,
            offset,
        } = displacement;

        self.format.check_changed(
            self.index,
            base,
            &cube,
            [position_changed, orientation_changed],
        )?;
        let turned = turn.turned;
        let change = CubeChange {
            place: values.place,
            moved,
            turned,
            rotation: rotation(turned),
            surprise: subtract(moved, values.onward),
            turn_surprise: subtract(turned, values.turn_onward),
            offset,
            turn_offset: turn.offset,
            errors: [
                log_size(errors[0].abs() + errors[1].abs() + errors[2].abs()),
                log_size(turn.error),
            ],
        };
        Ok((cube, change))
    }

    /// Interacting; then whether position and orientation changed, where that is not clear.
    fn flags(&mut self, base: &Cube, wanted: &Cube, cube: &mut Cube) -> (bool, bool) {
        let (values, set) = (self.values, self.values.flags.flag_set());
        self.decider.coder.about(Kind::Interacting, self.index);
        let toggles = usize::from(values.flags.toggles == Some(true));
        let contexts = values.flags.flag_contexts(toggles, toggles);
        cube.interacting = self
            .decider
            .flag(Flag::Interacting, set, contexts, wanted.interacting);
        self.said("interacting", cube.interacting);
        let toggled = usize::from(cube.interacting != base.interacting);

        self.decider.coder.about(Kind::Flags, self.index);
        let contexts = values.flags.flag_contexts(toggled, toggled);
        let position_changed = self.decider.flag(
            Flag::PositionChanged,
            set,
            contexts,
            wanted.position != base.position,
        );
        self.said("position changed", position_changed);
        let known = 2 * usize::from(position_changed) + toggled;
        if known == 0 {
            return (position_changed, true);
        }
        let orientation_changed = self.decider.flag(
            Flag::OrientationChanged,
            set,
            values.flags.flag_contexts(known, known),
            wanted.orientation != base.orientation,
        );
        self.said("orientation changed", orientation_changed);
        (position_changed, orientation_changed)
    }

    fn said(&mut self, rule: &'static str, value: impl Into<i64>) {
        self.decider.coder.said(rule, value.into());
    }

    /// The displacement along an axis.
    fn axis(
        &mut self,
        axis: usize,
        features: [f32; FEATURES],
        known: [f32; 3],
        (base, wanted, cube): (&Cube, &Cube, &mut Cube),
        Displacement {
            moved,
            errors,
            offset,
        }: &mut Displacement,
    ) {
        self.decider.coder.about(Kind::Position, self.index);
        let situation = self.values.situation();
        let mean = self
            .predict(Linear::Moved(axis), &features)
            .clamp(-MOVED_MAX, MOVED_MAX);
        let error_features = self.values.moved_error_features(mean, known);
        let error_log2 = self.expect_error_log2(Linear::MovedError(axis), &error_features);
        let error = exp(error_log2 * LN_2);
        let step = self.geometry.position_step;
        let expected = Expected {
            number: axis,
            mean: mean / step,
            scale_log2: error_log2 + scale_log2(1.0 / step),
            situation,
            error_class: if axis == 0 {
                size_class(self.values.flags.motion.errors[0], 7)
            } else {
                size_class(errors[0], 7)
            },
        };
        let value = self.decider.number(
            &expected,
            wanted.position[axis].wrapping_sub(base.position[axis]),
        );
        cube.position[axis] = base.position[axis] + value;
        self.said(CODED_AXES[axis], cube.position[axis]);
        moved[axis] = value as f32 * step;
        errors[axis] = moved[axis] - mean;
        offset[axis] = probable_offset(errors[axis] / step, error / step) * step;
        self.teach(
            Linear::Moved(axis),
            &features,
            moved[axis],
            error,
            errors[axis],
        );
        self.teach_error(Linear::MovedError(axis), &error_features, errors[axis]);
    }

    /// The orientation.
    fn orientation(
        &mut self,
        base: &Cube,
        wanted: &Cube,
        cube: &mut Cube,
        displacement: &Displacement,
    ) -> Turn {
        let (moved, moved_errors) = (displacement.moved, displacement.errors);
        self.decider.coder.about(Kind::Orientation, self.index);
        let values = self.values;
        let features = values.turned_features(moved, self.scene.player_turned);
        let turn: Vector = core::array::from_fn(|axis| {
            self.predict(Linear::Turned(axis), &features[axis])
                .clamp(-3.0, 3.0)
        });
        let guess = multiply(rotation(turn), values.orientation);
        let largest = self.largest(
            guess,
            length(turn),
            base.orientation[0],
            wanted.orientation[0],
        );
        cube.orientation[0] = largest as i32;
        self.said("largest", cube.orientation[0]);

        let sign = if guess[largest] < 0.0 { -1.0 } else { 1.0 };
        let kept = kept(largest);
        // How the components change if the cube turns on a little: what the first ones miss, the next will miss too.
        let angle = length(turn).max(1.0e-3);
        let [x, y, z] = scale(turn, 0.5 * sign / angle);
        let course = multiply([x, y, z, 0.0], guess);
        let codes = self.geometry.codes;
        let turned_size = log_size(length(turn) * HALF_CODES);
        let moved_error = log_size(moved_errors[0].abs() + moved_errors[1].abs());
        let (mut errors, mut spread) = ([0.0_f32; 3], 0.0);
        for slot in 0..3 {
            let (mut along, mut square) = (0.0, 0.05);
            for before in 0..slot {
                along += errors[before] * course[kept[before]];
                square += course[kept[before]] * course[kept[before]];
            }
            let missed = 0.7 * course[kept[slot]] * along / square * (codes / CODES_AT_9_BITS);
            let code = guess[kept[slot]] * sign * codes + self.geometry.zero_code + missed;
            let mean = code - base.orientation[1 + slot] as f32;
            let known = [
                log_size(if slot == 0 {
                    values.roll_mismatch(moved)
                } else {
                    errors[0]
                }),
                log_size(errors[1]),
                moved_error,
            ];
            let error_features = values.turned_error_features(turned_size, known);
            let error_log2 = self.expect_error_log2(Linear::TurnedError(slot), &error_features);
            spread += exp(error_log2 * LN_2);
            let expected = Expected {
                number: 3 + slot,
                mean,
                scale_log2: error_log2 + scale_log2(codes / CODES_AT_9_BITS),
                situation: values.situation(),
                error_class: size_class(
                    if slot == 0 {
                        moved_errors[0]
                    } else {
                        errors[0]
                    },
                    7,
                ),
            };
            let at = 1 + slot;
            let value = self.decider.number(
                &expected,
                wanted.orientation[at].wrapping_sub(base.orientation[at]),
            );
            cube.orientation[at] = base.orientation[at] + value;
            self.said(CODED_COMPONENTS[slot], cube.orientation[at]);
            errors[slot] = (value as f32 - mean) * (CODES_AT_9_BITS / codes);
            self.teach_error(Linear::TurnedError(slot), &error_features, errors[slot]);
        }
        let orientation = self.geometry.orientation(cube.orientation);
        let turned = difference(values.orientation, orientation);
        for axis in 0..3 {
            let error = turned[axis] - turn[axis];
            self.teach(
                Linear::Turned(axis),
                &features[axis],
                turned[axis],
                spread / CODES_AT_9_BITS,
                error,
            );
        }
        // A code's step is about so much of a turn.
        let step = 2.0 / codes;
        let expected = spread * (1.0 / 3.0) * (codes / CODES_AT_9_BITS);
        Turn {
            orientation,
            turned,
            error: (errors[0].abs() + errors[1].abs() + errors[2].abs()) * 0.5,
            offset: core::array::from_fn(|axis| {
                probable_offset((turned[axis] - turn[axis]) / step, expected) * step
            }),
        }
    }

    /// Codes the index of the largest component: as guessed, else the one that comes next, else one of the two others.
    fn largest(&mut self, guess: Quaternion, angle: f32, base: i32, wanted: i32) -> usize {
        let by_size = by_size(guess);
        let gap = |first: usize| {
            let gap = guess[by_size[first]].abs() - guess[by_size[first + 1]].abs();
            ((log_size(gap * 200.0) * 3.0) as usize).min(31) << 3
        };
        let turn = size_class(angle * 100.0, 7);
        let error = size_class(self.values.flags.motion.errors[1], 7);
        for (first, flag) in [Flag::Largest, Flag::SecondLargest].into_iter().enumerate() {
            let as_base = usize::from(base == by_size[first] as i32);
            let gap = gap(first);
            let contexts = [
                gap | turn,
                gap | self.values.situation() >> 1,
                gap | error,
                gap | as_base,
            ];
            if self
                .decider
                .flag(flag, 0, contexts, wanted == by_size[first] as i32)
            {
                return by_size[first];
            }
        }
        by_size[if self
            .decider
            .coder
            .code(ONE / 2, wanted == by_size[3] as i32)
        {
            3
        } else {
            2
        }]
    }

    fn predict(&self, linear: Linear, features: &[f32; FEATURES]) -> f32 {
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

    /// log2 of the error to expect, which is from 1/8 to 512.
    fn expect_error_log2(&self, linear: Linear, features: &[f32; FEATURES]) -> f32 {
        self.predict(linear, features).clamp(-3.0, 9.0)
    }

    /// For training: the least of squares weighted by the errors expected and made is near the least of bits; with these weights
    /// it is the same from wherever it begins.
    fn teach(
        &mut self,
        linear: Linear,
        features: &[f32; FEATURES],
        target: f32,
        expected: f32,
        error: f32,
    ) {
        if !C::WATCHES {
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

    fn teach_error(&mut self, linear: Linear, features: &[f32; FEATURES], error: f32) {
        if !C::WATCHES {
            return;
        }
        let target = log2(error.abs() + 0.4);
        self.decider
            .coder
            .predicted(linear.row(self.values.situation()), features, target, 1.0);
    }
}
