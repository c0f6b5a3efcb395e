//! The newest snapshots of the server, and the differences of a prediction from these snapshots.

use snapshot_base::math::{Quat, Vec3};
use snapshot_base::time::TickRate;
use snapshot_codec::{CubeState, Format};
use snapshot_replication::Object;
use snapshot_settings::Predict;

/// Factor from the quantisation step of an orientation component to an angle, rad. Orientations with equal codes may differ
/// by that angle.
const STEPS_IN_RAD: f32 = 2.5;

/// A cube of a snapshot of the server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ServerCube {
    pub(super) state: CubeState,
    /// Tick of the state; with a budget a snapshot has older states too.
    tick: u64,
    has_velocities: bool,
    pub(super) keys: u8,
}

/// States of all cubes on the server at a tick.
pub(super) struct ServerSnapshot {
    pub(super) tick: u64,
    pub(super) cubes: Vec<ServerCube>,
}

/// The two newest snapshots of the server.
pub(super) struct ServerSnapshots {
    format: Format,
    rate: TickRate,
    pub(super) newest: ServerSnapshot,
    pub(super) previous: ServerSnapshot,
}

/// Differences of a prediction from a snapshot.
#[derive(Default)]
pub(super) struct Comparison {
    /// Cubes to correct, by index, with the states that they get.
    pub(super) writes: Vec<(usize, CubeState)>,
    /// Number of predicted cubes with an error.
    pub(super) errors: usize,
    pub(super) worst: usize,
    pub(super) worst_mm: f64,
    pub(super) worst_positions: [[f32; 3]; 2],
    /// True if a cube that differs has become predicted since the newest snapshot.
    pub(super) has_entered: bool,
    /// True if a difference is below the snapshot's resolution.
    pub(super) is_below_resolution: bool,
}

/// Flags of the cubes that are predicted `now`, and of those that were predicted `before` the newest snapshot.
pub(super) struct PredictedCubes<'a> {
    pub(super) predict: Predict,
    pub(super) now: &'a [bool],
    pub(super) before: &'a [bool],
}

impl ServerSnapshots {
    /// Makes two equal snapshots of these states, which both ends know.
    pub(super) fn new(
        tick: u64,
        states: &[CubeState],
        format: Format,
        rate: TickRate,
    ) -> ServerSnapshots {
        let cubes = states.iter().map(|state| ServerCube {
            state: *state,
            tick,
            has_velocities: true,
            keys: 0,
        });
        let cubes: Vec<_> = cubes.collect();
        ServerSnapshots {
            format,
            rate,
            previous: ServerSnapshot {
                tick,
                cubes: cubes.clone(),
            },
            newest: ServerSnapshot { tick, cubes },
        }
    }

    /// Adds a newer snapshot.
    pub(super) fn add(&mut self, tick: u64, objects: impl Iterator<Item = Object>) {
        self.previous.tick = std::mem::replace(&mut self.newest.tick, tick);
        for object in objects {
            let index = object.id as usize;
            let age_ticks = self.rate.tick_of_ms(object.age_ms.into()).round() as u64;
            let stated = tick.saturating_sub(age_ticks);
            if let Some(cube) = self
                .newest
                .cubes
                .get_mut(index)
                .filter(|it| it.tick < stated)
            {
                self.previous.cubes[index] = *cube;
                cube.update(stated, &object);
            }
        }
    }

    /// Compares predicted states of the newest snapshot's tick with that snapshot. `mine` returns the state of a cube; `None` for
    /// a cube that was not simulated.
    pub(super) fn compare<'a>(
        &self,
        mine: impl Fn(usize) -> Option<&'a CubeState>,
        predicted: &PredictedCubes<'_>,
    ) -> Comparison {
        let mut found = Comparison::default();
        for (index, cube) in self.newest.cubes.iter().enumerate() {
            let is_predicted = predicted.now[index];
            let Some(mine) = mine(index) else {
                found.has_entered |= is_predicted;
                found
                    .writes
                    .push((index, self.corrected_state(index, None)));
                continue;
            };
            // An obstacle stays at its newest place. A simulated cube is compared with a state of its own tick.
            let is_simulated = is_predicted || predicted.predict != Predict::Own;
            if is_simulated && cube.tick < self.newest.tick {
                continue;
            }
            let state = match (is_predicted, self.difference(mine, &cube.state)) {
                (false, _) if predicted.predict == Predict::Own => still(cube.state),
                (_, Difference::None) => continue,
                (false, _) => self.corrected_state(index, None),
                (true, Difference::BelowResolution) => {
                    found.is_below_resolution = true;
                    continue;
                }
                // It came near just now, and is no error of the prediction.
                (true, Difference::Mm(_)) if !predicted.before[index] => {
                    found.has_entered = true;
                    self.corrected_state(index, None)
                }
                (true, Difference::Mm(mm)) => {
                    found.errors += 1;
                    if mm >= found.worst_mm {
                        (found.worst, found.worst_mm) = (index, mm);
                        found.worst_positions = [mine.position, cube.state.position];
                    }
                    self.corrected_state(index, Some(mine))
                }
            };
            found.writes.push((index, state));
        }
        found
    }

    /// Returns the state of a cube at the newest snapshot. If no velocity was sent, it is computed from the prediction and
    /// its error, or from two snapshots.
    fn corrected_state(&self, index: usize, mine: Option<&CubeState>) -> CubeState {
        let cube = self.newest.cubes[index];
        if cube.has_velocities {
            return cube.state;
        }
        let previous = self.previous.cubes[index];
        let (before, ticks) = (previous.state, (cube.tick - previous.tick).max(1));
        let seconds = self.rate.seconds_of_ticks(ticks) as f32;
        let (position, orientation) = (cube.state.position, cube.state.orientation);
        if (position, orientation) == (before.position, before.orientation) {
            return still(cube.state);
        }
        let way = |from: [f32; 3]| (Vec3(position) - Vec3(from)) * (1.0 / seconds);
        let (linear, angular) = match mine {
            // The snapshot before was met, or corrected: the error grew since.
            Some(mine) => (
                (Vec3(mine.linear_velocity) + way(mine.position)).0,
                mine.angular_velocity,
            ),
            None => {
                let turn = (Quat(orientation) * Quat(before.orientation).conjugate()).normalize();
                let [x, y, z, w] = turn.0;
                let scale = 2.0 * w.signum() / seconds;
                (way(before.position).0, [x * scale, y * scale, z * scale])
            }
        };
        CubeState {
            linear_velocity: linear,
            angular_velocity: angular,
            at_rest: false,
            ..cube.state
        }
    }

    fn difference(&self, mine: &CubeState, theirs: &CubeState) -> Difference {
        // The snapshot's numbers stand for these values, and for no others.
        let sent = self.format.dequantise(&self.format.quantise(mine));
        if (sent.position, sent.orientation) == (theirs.position, theirs.orientation) {
            return Difference::None;
        }
        let bits = self.format.bits();
        let step_m = 1.0 / (1_u64 << bits.position()) as f32;
        let step = core::f32::consts::SQRT_2 / ((1_u64 << bits.orientation()) - 1).max(1) as f32;
        let apart = (0..3).map(|axis| (mine.position[axis] - theirs.position[axis]).abs());
        let turn = Quat(mine.orientation).conjugate() * Quat(theirs.orientation);
        let [x, y, z, _] = turn.0;
        let turn_rad = 2.0 * (x * x + y * y + z * z).sqrt();
        if apart.fold(0.0, f32::max) <= 1.5 * step_m && turn_rad <= STEPS_IN_RAD * 1.5 * step {
            return Difference::BelowResolution;
        }
        Difference::Mm(distance_mm(mine.position, theirs.position))
    }
}

impl ServerCube {
    fn update(&mut self, tick: u64, object: &Object) {
        self.tick = tick;
        let linear = object.velocity.zip(object.angular_velocity);
        let (linear_velocity, angular_velocity) = linear.unwrap_or_default();
        let is_still = (linear_velocity, angular_velocity) == ([0.0; 3], [0.0; 3]);
        self.state = CubeState {
            position: object.position,
            orientation: object.orientation,
            linear_velocity,
            angular_velocity,
            at_rest: linear.is_some() && is_still,
            ..self.state
        };
        (self.has_velocities, self.keys) = (linear.is_some(), object.fields[0] as u8);
    }
}

enum Difference {
    /// Both states are quantised to the same integers.
    None,
    /// The states differ by no more than a quantisation step.
    BelowResolution,
    Mm(f64),
}

/// Returns the state with velocities of 0: an obstacle does not move.
pub(super) fn still(state: CubeState) -> CubeState {
    CubeState {
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        at_rest: true,
        ..state
    }
}

pub(super) fn is_same(a: &CubeState, b: &CubeState) -> bool {
    let interacting = a.interacting;
    *a == CubeState { interacting, ..*b }
}

pub(super) fn distance_mm(a: [f32; 3], b: [f32; 3]) -> f64 {
    f64::from((Vec3(a) - Vec3(b)).length()) * 1000.0
}
