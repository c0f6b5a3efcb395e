//! Coding of one changed cube.

use super::contest::RIVALS;
use super::expect::{CubeCoder, ExpectedErrors, probable_offset};
use super::neighbours::CubeChange;
use super::numbers::NumberContext;
use super::observer::CoderObserver;
use super::orientation::Turn;
use super::simd::Axes;
use super::tables::{EARLY, LATE, Linear};
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::ledger::Kind;
use crate::model::logarithms::{exp2, log_size, size_class};
use crate::model::rotation::{Vector3, difference, rotation, subtract};
use crate::model::{INTERACTING, ORIENTATION, POSITION};
use crate::stream::CODED_AXES;

/// Limit of a predicted displacement, 1/512 m: 8 m.
const MOVED_MAX: f32 = 4096.0;

/// The state of coding a displacement, axis after axis.
struct Displacement {
    features: [Axes; EARLY],
    /// Part of the predicted displacement that is known before the first axis is coded, by axis: features times coefficients,
    /// summed.
    early: Axes,
    rivals: [Axes; RIVALS],
    expected: ExpectedErrors,
    /// Expected size of the prediction error, by axis.
    sizes: Vector3,
    moved: Vector3,
    /// Displacement minus its prediction, by axis.
    errors: Vector3,
}

impl<C: CoderObserver> CubeCoder<'_, '_, C> {
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

        let mut displacement = position_changed.then(|| self.expect_displacement());
        if let Some(displacement) = &mut displacement {
            for axis in 0..2 {
                let errors = displacement.errors;
                let features = values.late_moved_features(axis, &errors[..axis], None);
                let known = [log_size(errors[0]), 0.0, 0.0];
                self.axis(
                    axis,
                    features,
                    known,
                    (base, wanted, &mut cube),
                    displacement,
                );
            }
        }
        let so_far = displacement.as_ref();
        let (moved, errors) = so_far.map_or(([0.0; 3], [0.0; 3]), |it| (it.moved, it.errors));
        let turn = if orientation_changed {
            self.orientation(base, wanted, &mut cube, moved, errors)
        } else {
            Turn {
                orientation: values.orientation,
                turned: difference(values.orientation, values.orientation),
                error: 0.0,
                offset: [0.0; 3],
            }
        };
        let mut offset = [0.0; 3];
        if let Some(displacement) = &mut displacement {
            let settle = values.settle(turn.orientation);
            let features = values.late_moved_features(2, &errors[..2], Some(settle));
            let known = [
                log_size(errors[0].abs() + errors[1].abs()),
                log_size(turn.error),
                log_size(settle - values.onward[2]),
            ];
            self.axis(2, features, known, (base, wanted, &mut cube), displacement);
            offset = self.learn_displacement(displacement);
        }
        let known = displacement.as_ref();
        let (moved, errors) = known.map_or(([0.0; 3], [0.0; 3]), |it| (it.moved, it.errors));

        self.format.check_changed(
            self.index,
            base,
            &cube,
            [position_changed, orientation_changed],
        )?;
        let change = self.change(&turn, moved, errors, offset);
        Ok((cube, change))
    }

    fn change(&self, turn: &Turn, moved: Vector3, errors: Vector3, offset: Vector3) -> CubeChange {
        let (values, turned) = (self.values, turn.turned);
        CubeChange {
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
        }
    }

    fn expect_displacement(&self) -> Displacement {
        let features = self.values.moved_features();
        Displacement {
            early: self.predict(Linear::Moved, &features),
            features,
            rivals: self.values.moved_rivals(),
            expected: self.expect_errors(Linear::MovedError),
            sizes: [0.0; 3],
            moved: [0.0; 3],
            errors: [0.0; 3],
        }
    }

    /// Codes the displacement of the cube along one axis.
    #[inline]
    fn axis(
        &mut self,
        axis: usize,
        features: [f32; LATE],
        known: [f32; 3],
        (base, wanted, cube): (&Cube, &Cube, &mut Cube),
        displacement: &mut Displacement,
    ) {
        self.decider.coder.about(Kind::Position, self.index);
        let tables = displacement.early[axis] + self.predict_late(Linear::Moved, axis, &features);
        displacement.rivals[0][axis] = tables.clamp(-MOVED_MAX, MOVED_MAX);
        let mean = self
            .pick(0, &displacement.rivals, axis)
            .clamp(-MOVED_MAX, MOVED_MAX);
        let error_features = [log_size(mean), known[0], known[1], known[2]];
        let group = Linear::MovedError;
        let error_log2 =
            self.expect_error(group, &mut displacement.expected, axis, &error_features);
        let size = exp2(error_log2);
        let errors = &mut displacement.errors;
        let expected = NumberContext {
            number: axis,
            mean: mean * self.geometry.position_steps,
            scale_log2: error_log2 + self.geometry.position_scale,
            error_class: if axis == 0 {
                size_class(self.values.flags.motion.errors[0], 7)
            } else {
                size_class(errors[0], 7)
            },
            learned: self
                .error_context(0, axis.checked_sub(1).map_or(0.0, |before| errors[before])),
        };
        let value = self.number(
            0,
            |flight| flight.moved(axis),
            &expected,
            wanted.position[axis].wrapping_sub(base.position[axis]),
        );
        cube.position[axis] = base.position[axis].wrapping_add(value);
        self.said(CODED_AXES[axis], cube.position[axis]);
        let moved = value as f32 * self.geometry.position_step;
        displacement.moved[axis] = moved;
        displacement.sizes[axis] = size;
        displacement.errors[axis] = moved - mean;
        let error = displacement.errors[axis];
        self.teach(
            (Linear::Moved, axis),
            (&displacement.features, &features),
            moved,
            size,
            error,
        );
        self.teach_error(group, axis, &displacement.expected, &error_features, error);
    }

    /// Lets the learned statistics adapt to a whole displacement. Returns the offset from the decoded position to the probable
    /// exact one, 1/512 m.
    fn learn_displacement(&mut self, displacement: &Displacement) -> Vector3 {
        let Displacement {
            rivals,
            expected,
            sizes,
            moved,
            errors,
            ..
        } = displacement;
        self.score(0, rivals, *moved, 1.0);
        self.learn_errors(expected, *errors);
        let (step, steps) = (self.geometry.position_step, self.geometry.position_steps);
        core::array::from_fn(|axis| {
            probable_offset(errors[axis] * steps, sizes[axis] * steps) * step
        })
    }
}
