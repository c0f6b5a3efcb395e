//! Coder state of rung `simulated`, stored beside a snapshot: positions and velocities of its cubes, from which the next
//! simulation starts.

use super::super::predicted;
use super::FORESEEN_TICKS_MAX;
use crate::buffers::{fit, room};
use crate::cube::{Cube, CubeState, Life};
use crate::format::Format;
use crate::model::geometry::Geometry;
use crate::model::rotation::{
    Quaternion, Vector3, add, difference, length, multiply, rotation, scale, subtract,
};
use crate::quantise::{ANGULAR_SPEED_MAX, LINEAR_SPEED_MAX};

/// Length of a tick, s.
pub(super) const TICK_S: f32 = 1.0 / 60.0;
/// Ticks without a change after which a cube counts as at rest.
const REST_TICKS: u16 = 3;

/// Coder state of rung `simulated`, stored with a snapshot: the states from which the next simulation starts.
#[derive(Clone, Debug)]
pub(crate) struct SimulatedMemory {
    /// True if the snapshot was decoded from a baseline.
    pub(super) is_known: bool,
    pub(super) motions: predicted::PredictedMemory,
    /// States of the cubes that aren't at rest, by rising index.
    pub(super) states: Vec<(u16, CubeState)>,
    /// Input of the snapshot's tick.
    pub(super) input: u8,
}

impl SimulatedMemory {
    pub(crate) fn new(format: &Format) -> Self {
        Self {
            is_known: false,
            motions: predicted::PredictedMemory::new(format),
            states: Vec::with_capacity(format.cube_count()),
            input: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.is_known = false;
        self.motions.clear();
        self.states.clear();
        self.input = 0;
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.is_known = other.is_known;
        self.motions.copy_from(&other.motions);
        self.states.clone_from(&other.states);
        self.input = other.input;
    }

    /// Makes `self` equal to `other`'s state before the call, in buffers of about the needed size. `other` keeps its buffers;
    /// its learned statistics are swapped with those of `self`.
    pub(crate) fn assign_from(&mut self, other: &mut Self) {
        self.is_known = other.is_known;
        self.motions.assign_from(&mut other.motions);
        fit(&mut self.states, &other.states);
        self.input = other.input;
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.motions.held_bytes() + room(&self.states)
    }

    /// Returns true if a packet `ticks` ticks after the stored snapshot is predicted by a simulation.
    pub(crate) fn foresees(&self, ticks: u16) -> bool {
        self.is_known && ticks <= FORESEEN_TICKS_MAX
    }

    /// Replaces `states` by the states of all cubes of the snapshot.
    pub(crate) fn states(&self, format: &Format, cubes: &[Cube], states: &mut Vec<CubeState>) {
        states.clear();
        states.extend(cubes.iter().map(|cube| CubeState {
            at_rest: true,
            ..format.dequantise(cube)
        }));
        for &(index, state) in &self.states {
            states[usize::from(index)] = state;
        }
    }
}

/// An estimator of cubes' states: it combines the simulated snapshot with the decoded one.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    format: Format,
    /// Greatest rounding error of a quantised position, m.
    half_step_m: f32,
    half_step_rad: f32,
}

impl Filter {
    pub(super) fn new(format: &Format) -> Self {
        let geometry = Geometry::new(format);
        Self {
            format: *format,
            half_step_m: geometry.position_step * (0.5 / 512.0),
            half_step_rad: 1.0 / geometry.codes,
        }
    }

    pub(super) fn keep(
        &self,
        ticks: u16,
        baseline: &[Cube],
        snapshot: &[Cube],
        foreseen: Option<&[CubeState]>,
        states: &mut Vec<(u16, CubeState)>,
    ) {
        states.clear();
        let per_s = 1.0 / (f32::from(ticks) * TICK_S);
        for (index, (base, cube)) in baseline.iter().zip(snapshot).enumerate() {
            let unchanged = base.position == cube.position && base.orientation == cube.orientation;
            let foreseen = foreseen.map(|states| states[index]);
            let rests = foreseen.is_none_or(|state| state.at_rest);
            if unchanged && (rests || ticks >= REST_TICKS) {
                continue;
            }
            let state = match foreseen {
                Some(foreseen) => self.corrected(&foreseen, cube, per_s),
                None => self.between(base, cube, per_s),
            };
            states.push((index as u16, state));
        }
    }

    /// Estimates the cubes' states at the baseline: their velocities lead straight to the snapshot.
    pub(super) fn lead(
        &self,
        ticks: u16,
        baseline: &[Cube],
        snapshot: &[Cube],
        states: &mut Vec<CubeState>,
    ) {
        let per_s = 1.0 / (f32::from(ticks) * TICK_S);
        states.clear();
        states.extend(baseline.iter().zip(snapshot).map(|(base, cube)| {
            let from = self.format.dequantise(base);
            if base.position == cube.position && base.orientation == cube.orientation {
                return CubeState {
                    at_rest: true,
                    ..from
                };
            }
            CubeState {
                position: from.position,
                orientation: from.orientation,
                interacting: from.interacting,
                ..self.between(base, cube, per_s)
            }
        }));
    }

    /// Estimates a cube's state from the baseline and the snapshot alone.
    fn between(&self, base: &Cube, cube: &Cube, per_s: f32) -> CubeState {
        let (from, to) = (self.format.dequantise(base), self.format.dequantise(cube));
        let velocity = scale(subtract(to.position, from.position), per_s);
        let spin = scale(difference(from.orientation, to.orientation), per_s);
        CubeState {
            linear_velocity: limited(velocity, LINEAR_SPEED_MAX as f32),
            angular_velocity: limited(spin, ANGULAR_SPEED_MAX as f32),
            at_rest: false,
            ..to
        }
    }

    /// Corrects a foreseen state by the decoded cube: the pose moves as little as needed, and the velocity changes to match.
    fn corrected(&self, foreseen: &CubeState, cube: &Cube, per_s: f32) -> CubeState {
        let came = self.format.dequantise(cube);
        let half = self.half_step_m;
        let position: Vector3 = core::array::from_fn(|i| {
            foreseen.position[i].clamp(came.position[i] - half, came.position[i] + half)
        });
        let pushed = subtract(position, foreseen.position);
        let apart = difference(foreseen.orientation, came.orientation);
        let angle = length(apart);
        let turn = if angle > self.half_step_rad {
            scale(apart, 1.0 - self.half_step_rad / angle)
        } else {
            [0.0; 3]
        };
        let velocity = add(foreseen.linear_velocity, scale(pushed, per_s));
        let spin = add(foreseen.angular_velocity, scale(turn, per_s));
        CubeState {
            position,
            orientation: turned(foreseen.orientation, turn),
            linear_velocity: limited(velocity, LINEAR_SPEED_MAX as f32),
            angular_velocity: limited(spin, ANGULAR_SPEED_MAX as f32),
            interacting: cube.interacting,
            at_rest: false,
            life: Life::FIRST,
        }
    }
}

fn limited(vector: Vector3, most: f32) -> Vector3 {
    let size = length(vector);
    if size <= most {
        vector
    } else {
        scale(vector, most / size)
    }
}

/// Rotates an orientation by a rotation vector.
pub(super) fn turned(orientation: Quaternion, by: Vector3) -> Quaternion {
    if by == [0.0; 3] {
        return orientation;
    }
    crate::quantise::normalise(multiply(rotation(by), orientation))
}
