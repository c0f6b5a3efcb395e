//! Coding of one changed cube.

use core::f32::consts::LN_2;

use super::expect::{CubeCoder, probable_offset, scale_log2};
use super::happened::{INTERACTING, ORIENTATION, POSITION};
use super::neighbours::CubeChange;
use super::numbers::Expected;
use super::observer::Observer;
use super::orientation::Turn;
use super::tables::{FEATURES, Linear};
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::fields::CODED_AXES;
use crate::ledger::Kind;
use crate::model::logistic::{exp, log_size, size_class};
use crate::model::rotation::{Vector, difference, rotation, subtract};

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

impl<C: Observer> CubeCoder<'_, '_, C> {
    pub(super) fn code(
        &mut self,
        base: &Cube,
        wanted: &Cube,
        happened: usize,
    ) -> Result<(Cube, CubeChange), DecodeError> {
        let values = self.values;
        let mut cube = *base;
        cube.interacting = base.interacting != (happened & INTERACTING > 0);
        let [position_changed, orientation_changed] =
            [POSITION, ORIENTATION].map(|field| happened & field > 0);

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
            self.orientation(
                base,
                wanted,
                &mut cube,
                displacement.moved,
                displacement.errors,
            )
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
        let tables = self.predict(Linear::Moved(axis), &features);
        let rivals = self
            .values
            .moved_rivals(axis, tables.clamp(-MOVED_MAX, MOVED_MAX));
        let mean = self
            .pick(Linear::Moved(axis), &rivals)
            .clamp(-MOVED_MAX, MOVED_MAX);
        let error_features = self.values.moved_error_features(mean, known);
        let expected_error = self.expect_error(Linear::MovedError(axis), &error_features);
        let error_log2 = expected_error.log2;
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
            learned: self
                .error_context(0, axis.checked_sub(1).map_or(0.0, |before| errors[before])),
        };
        let value = self.decider.number(
            &expected,
            wanted.position[axis].wrapping_sub(base.position[axis]),
        );
        cube.position[axis] = base.position[axis].wrapping_add(value);
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
        self.score(Linear::Moved(axis), &rivals, moved[axis], 1.0);
        self.learn_error(
            Linear::MovedError(axis),
            &error_features,
            &expected_error,
            errors[axis],
        );
    }
}
