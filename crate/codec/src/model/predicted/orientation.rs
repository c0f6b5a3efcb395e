//! Coding of a changed orientation.

use super::expect::{CubeCoder, probable_offset};
use super::numbers::{Decider, NumberContext};
use super::observer::CoderObserver;
use super::tables::{LATE, Linear, QUIET_CHANCES};
use super::values::HALF_CODES;
use crate::cube::Cube;
use crate::ledger::Kind;
use crate::model::geometry::{CODES_AT_9_BITS, kept};
use crate::model::logarithms::{exp2, log_size, size_class};
use crate::model::rotation::{
    Quaternion, Vector3, difference, length, multiply, rotation, scale, subtract,
};
use crate::stream::CODED_COMPONENTS;

/// Upper limit of a predicted rotation about an axis, as a component of a rotation vector.
const TURNED_MAX: f32 = 3.0;

/// Returns the indices of the components by falling magnitude; equal ones by index.
fn by_size(q: Quaternion) -> [usize; 4] {
    // The bits of what is not negative rise with it.
    let mut keys: [u64; 4] =
        core::array::from_fn(|i| u64::from(q[i].abs().to_bits()) << 2 | (3 - i as u64));
    for [a, b] in [[0, 1], [2, 3], [0, 2], [1, 3], [1, 2]] {
        (keys[a], keys[b]) = (keys[a].max(keys[b]), keys[a].min(keys[b]));
    }
    keys.map(|key| 3 - (key & 3) as usize)
}

/// A decoded orientation, and the rotation from the baseline to it.
pub(super) struct Turn {
    pub(super) orientation: Quaternion,
    pub(super) turned: Vector3,
    /// Half the sum of the prediction errors of the components, in codes at 9 bits.
    pub(super) error: f32,
    /// Rotation from the decoded orientation to the probable exact one.
    pub(super) offset: Vector3,
}

impl<C: CoderObserver> CubeCoder<'_, '_, C> {
    /// Codes a changed orientation; returns it with its rotation.
    pub(super) fn orientation(
        &mut self,
        base: &Cube,
        wanted: &Cube,
        cube: &mut Cube,
        moved: Vector3,
        moved_errors: Vector3,
    ) -> Turn {
        self.decider.coder.about(Kind::Orientation, self.index);
        let values = self.values;
        let features = values.turned_features(moved, self.scene.player_turned);
        let mut rivals = values.turned_rivals();
        rivals[0] = self
            .predict(Linear::Turned, &features)
            .map(|tables| tables.clamp(-TURNED_MAX, TURNED_MAX));
        let turn: Vector3 =
            core::array::from_fn(|axis| self.pick(1, &rivals, axis).clamp(-TURNED_MAX, TURNED_MAX));
        let guess = multiply(rotation(turn), values.orientation);
        let angle = length(turn);
        let flown = self.flight.filter(|flight| flight.is_flown(1));
        let likely = flown.map_or(guess, |flight| flight.orientation);
        let largest = self.largest(likely, angle, wanted.orientation[0]);
        cube.orientation[0] = largest as i32;
        self.said("largest", cube.orientation[0]);

        let (errors, spread) = self.codes((base, wanted, cube), (turn, guess), moved, moved_errors);
        let orientation = self.geometry.orientation(cube.orientation);
        let turned = difference(values.orientation, orientation);
        let missed = subtract(turned, turn);
        for axis in 0..3 {
            let size = spread * (1.0 / CODES_AT_9_BITS);
            let features = (&features, &[0.0; LATE]);
            self.teach(
                (Linear::Turned, axis),
                features,
                turned[axis],
                size,
                missed[axis],
            );
        }
        self.score(1, &rivals, turned, HALF_CODES);
        // A code's step is about so much of a turn.
        let (step, steps) = (self.geometry.turn_step, self.geometry.turn_steps);
        let expected = spread * (1.0 / 3.0) * self.geometry.codes_of_9_bits;
        Turn {
            orientation,
            turned,
            error: (errors[0].abs() + errors[1].abs() + errors[2].abs()) * 0.5,
            offset: missed.map(|missed| probable_offset(missed * steps, expected) * step),
        }
    }

    /// Codes the three smaller components, given a predicted rotation. Returns the components' prediction errors in codes at 9
    /// bits, and the sum of the expected error sizes.
    #[inline(always)]
    fn codes(
        &mut self,
        (base, wanted, cube): (&Cube, &Cube, &mut Cube),
        (turn, guess): (Vector3, Quaternion),
        moved: Vector3,
        moved_errors: Vector3,
    ) -> (Vector3, f32) {
        let (values, angle) = (self.values, length(turn));
        let largest = cube.orientation[0] as usize;
        let sign = if guess[largest] < 0.0 { -1.0 } else { 1.0 };
        let kept = kept(largest);
        // How the components change if the cube turns on a little: what the first ones miss, the next will miss too.
        let [x, y, z] = scale(turn, 0.5 * sign / angle.max(1.0e-3));
        let course = multiply([x, y, z, 0.0], guess);
        let codes_at_9_bits = self.geometry.codes_at_9_bits;
        let turned_size = log_size(angle * HALF_CODES);
        let moved_error = log_size(moved_errors[0].abs() + moved_errors[1].abs());
        let group = Linear::TurnedError;
        let mut expected_errors = self.expect_errors(group);
        let (mut errors, mut spread) = ([0.0_f32; 3], 0.0);
        let (mut along, mut square) = (0.0, 0.05);
        for slot in 0..3 {
            let (component, at) = (kept[slot], 1 + slot);
            let missed = 0.7 * course[component] * along / square * self.geometry.codes_of_9_bits;
            let code =
                guess[component] * sign * self.geometry.codes + self.geometry.zero_code + missed;
            let mean = code - base.orientation[at] as f32;
            let before = match slot {
                0 => moved_errors[0],
                _ => errors[slot - 1],
            };
            let known = if slot == 0 {
                values.roll_mismatch(moved)
            } else {
                errors[0]
            };
            let late = [
                turned_size,
                log_size(known),
                log_size(errors[1]),
                moved_error,
            ];
            let error_log2 = self.expect_error(group, &mut expected_errors, slot, &late);
            spread += exp2(error_log2);
            let expected = NumberContext {
                number: 3 + slot,
                mean,
                scale_log2: error_log2 + self.geometry.code_scale,
                error_class: size_class(if slot == 0 { before } else { errors[0] }, 7),
                learned: self.error_context(1, before),
            };
            let geometry = self.geometry;
            let from = base.orientation[at] as f32;
            let value = self.number(
                1,
                |flight| flight.code(geometry, component, largest) - from,
                &expected,
                wanted.orientation[at].wrapping_sub(base.orientation[at]),
            );
            cube.orientation[at] = base.orientation[at].wrapping_add(value);
            self.said(CODED_COMPONENTS[slot], cube.orientation[at]);
            let error = (value as f32 - mean) * codes_at_9_bits;
            errors[slot] = error;
            along += error * course[component];
            square += course[component] * course[component];
            self.teach_error(group, slot, &expected_errors, &late, error);
        }
        self.learn_errors(&expected_errors, errors);
        (errors, spread)
    }

    /// Codes the index of the largest component: the largest of `guess`, its second largest, or one of the other two.
    fn largest(&mut self, guess: Quaternion, angle: f32, wanted: i32) -> usize {
        let by_size = by_size(guess);
        let gap = |first: usize| {
            let gap = guess[by_size[first]].abs() - guess[by_size[first + 1]].abs();
            ((log_size(gap * 200.0) * 3.0) as usize).min(31)
        };
        let turn = size_class(angle * 100.0, 7);
        for (first, &component) in by_size.iter().enumerate().take(2) {
            let context = first << 5 | gap(first);
            let at = QUIET_CHANCES + (context << 3 | turn);
            let Decider {
                coder,
                tables,
                learned,
                ..
            } = &mut *self.decider;
            let p_true = learned.largest(context, tables.chances[at]);
            let is_it = coder.code(p_true, wanted == component as i32);
            learned.learn_largest(context, is_it);
            coder.chanced(at, is_it);
            if is_it {
                return component;
            }
        }
        let last = self
            .decider
            .coder
            .code_uniform((wanted == by_size[3] as i32).into(), 1);
        by_size[2 + last as usize]
    }
}
