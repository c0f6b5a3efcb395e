//! The predicted world of a client: it is ahead of the newest snapshot by the keys that the server has not answered yet.
//!
//! A snapshot is compared with what was predicted for its tick. If they differ by more than the snapshot's resolution, the
//! world goes back to its fork of that tick, takes over the cubes that differ, and simulates the ticks since again.

use super::{Keys, OWN, Predict, Simulator};
use snapshot_base::math::{Quat, Vec3};
use snapshot_base::time::TickRate;
use snapshot_codec::{CubeState, Format};
use snapshot_replication::Object;
use std::collections::VecDeque;

/// Distances from the client's own cube within which a cube becomes predicted, and up to which it stays predicted, mm.
const NEAR_MM: [f64; 2] = [2000.0, 3000.0];
/// Least number of ticks between two forks (copies of the world). A fork of 901 cubes takes 3 MB.
const FORK_TICKS: u64 = 3;
/// Longest time that the predicted world is ahead of the newest snapshot, s. Older forks are dropped.
const AHEAD_MAX_S: u64 = 2;
/// Upper limit of the number of forks. Above it every second fork is dropped, and a correction steps from an earlier fork.
const FORKS_MAX: usize = 16;
/// Factor from an orientation component's step to the angle, rad, by which orientations with equal codes may differ.
const STEPS_IN_RAD: f32 = 2.5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredictionFigures {
    /// Number of snapshots after which a cube was corrected.
    pub corrections: u64,
    /// Number of snapshots that differed by less than their resolution, which is not corrected.
    pub below_resolution: u64,
    pub resimulated_ticks: u64,
    /// Number of simulated ticks, repetitions included.
    pub simulated_ticks: u64,
    pub most_forks: usize,
}

/// A correction: a snapshot that differed from the prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    pub tick: u64,
    /// The client's tick when the snapshot came.
    pub client_tick: u64,
    /// Tick of the snapshot before; the cause of the correction came after it.
    pub since_tick: u64,
    pub cubes: usize,
    pub worst: usize,
    /// Predicted and true position of the worst cube at the snapshot's tick, m.
    pub worst_positions: [[f32; 3]; 2],
    /// Error of the worst cube, mm.
    pub worst_mm: f64,
    /// Distance by which the client's cube would jump on the screen, mm.
    pub own_jump_mm: f64,
    pub ticks: u64,
    /// The rival's keys that were predicted for the snapshot's tick.
    pub rival_keys: u8,
}

/// A cube of a snapshot of the server.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ServerCube {
    state: CubeState,
    has_velocities: bool,
    keys: u8,
}

/// All cubes as the server has them at a tick.
struct ServerSnapshot {
    tick: u64,
    cubes: Vec<ServerCube>,
}

/// Differences of a prediction from a snapshot.
#[derive(Default)]
struct Comparison {
    /// Cubes to correct, by index, with the states that they get.
    writes: Vec<(usize, CubeState)>,
    /// Number of predicted cubes with an error.
    errors: usize,
    worst: usize,
    worst_mm: f64,
    worst_positions: [[f32; 3]; 2],
    /// True if a cube that differs became predicted just now.
    has_entered: bool,
    /// True if a difference is below the snapshot's resolution.
    is_below_resolution: bool,
}

pub(super) struct Prediction<W> {
    predict: Predict,
    format: Format,
    rate: TickRate,
    send_rate: u32,
    rival: Option<usize>,
    tick: u64,
    world: W,
    /// Keys of the last ticks up to `tick`, oldest first.
    keys: VecDeque<Keys>,
    forks: VecDeque<(u64, W)>,
    newest: ServerSnapshot,
    previous: ServerSnapshot,
    rival_keys: u8,
    predicted: Vec<bool>,
    figures: PredictionFigures,
    corrections: Vec<Correction>,
}

impl<W> Prediction<W> {
    /// Creates a prediction that has not simulated a tick yet. `world` is the server's world at `tick`.
    pub(super) fn new<S: Simulator<World = W>>(
        sim: &mut S,
        world: W,
        tick: u64,
        predict: Predict,
        (format, rate, send_rate): (Format, TickRate, u32),
        rival: Option<usize>,
    ) -> Prediction<W> {
        let cubes = sim.states(&world).iter().map(|state| ServerCube {
            state: *state,
            has_velocities: true,
            keys: 0,
        });
        let cubes: Vec<_> = cubes.collect();
        let fork = sim.fork(&world);
        let mut prediction = Prediction {
            predict,
            format,
            rate,
            send_rate,
            rival,
            tick,
            world,
            keys: VecDeque::new(),
            forks: VecDeque::from([(tick, fork)]),
            predicted: vec![false; cubes.len()],
            previous: ServerSnapshot {
                tick,
                cubes: cubes.clone(),
            },
            newest: ServerSnapshot { tick, cubes },
            rival_keys: 0,
            figures: PredictionFigures::default(),
            corrections: Vec::new(),
        };
        prediction.choose(sim);
        prediction
    }

    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    pub(super) fn states<'a, S: Simulator<World = W>>(&'a self, sim: &S) -> &'a [CubeState] {
        sim.states(&self.world)
    }

    pub(super) fn predicted(&self) -> &[bool] {
        &self.predicted
    }

    pub(super) fn figures(&self) -> PredictionFigures {
        self.figures
    }

    pub(super) fn forks(&self) -> usize {
        self.forks.len()
    }

    /// Returns the corrections since the last call.
    pub(super) fn drain_corrections(&mut self) -> Vec<Correction> {
        std::mem::take(&mut self.corrections)
    }

    /// Returns the keys that the prediction used for a tick; `None` if they are forgotten.
    pub(super) fn keys(&self, tick: u64) -> Option<Keys> {
        let ago = self.tick.checked_sub(tick)? as usize;
        self.keys.len().checked_sub(ago + 1).map(|at| self.keys[at])
    }

    /// Simulates the next tick with the client's keys and the rival's last known keys.
    pub(super) fn advance<S: Simulator<World = W>>(&mut self, sim: &mut S, own: u8) {
        let rival = self.rival_keys;
        self.keys.push_back(Keys { own, rival });
        self.tick += 1;
        self.step_to(sim, self.tick);
        let most = AHEAD_MAX_S * u64::from(self.rate.hz());
        while self.forks.len() > 1 && self.forks[0].0 + most < self.tick {
            self.forks.pop_front();
        }
        let oldest = self.forks[0].0;
        let needed = self.tick.saturating_sub(oldest) as usize;
        self.keys.drain(..self.keys.len().saturating_sub(needed));
    }

    /// Simulates a tick of the past or the present, and stores a fork if the server sends a snapshot of that tick.
    fn step_to<S: Simulator<World = W>>(&mut self, sim: &mut S, tick: u64) {
        let keys = self.keys(tick).unwrap_or_default();
        sim.step(&mut self.world, keys);
        self.hold(sim);
        self.figures.simulated_ticks += 1;
        let number = |tick| self.rate.packet_number(tick, self.send_rate);
        let is_sent = number(tick) != number(tick - 1);
        let last = self.forks.back().map_or(0, |fork| fork.0);
        if is_sent && tick >= last + FORK_TICKS {
            if self.forks.len() == FORKS_MAX {
                let mut at = 0;
                self.forks.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
            }
            let fork = sim.fork(&self.world);
            self.forks.push_back((tick, fork));
            self.figures.most_forks = self.figures.most_forks.max(self.forks.len());
        }
    }

    /// Moves all cubes but the client's back to their places in the newest snapshot, if only that cube is predicted. In
    /// other modes predicted cubes may push them.
    fn hold<S: Simulator<World = W>>(&mut self, sim: &mut S) {
        if self.predict == Predict::Own {
            hold(sim, &mut self.world, &self.newest.cubes, &self.predicted);
        }
    }

    /// Compares a snapshot of the server with the prediction, and corrects the world if it differs.
    pub(super) fn on_snapshot<S: Simulator<World = W>>(
        &mut self,
        sim: &mut S,
        tick: u64,
        objects: impl Iterator<Item = Object>,
    ) {
        if tick <= self.newest.tick {
            return;
        }
        std::mem::swap(&mut self.newest, &mut self.previous);
        self.newest.tick = tick;
        self.newest.cubes.clone_from(&self.previous.cubes);
        for object in objects {
            if let Some(cube) = self.newest.cubes.get_mut(object.id as usize) {
                cube.update(&object);
            }
        }
        if let Some(rival) = self.rival {
            self.rival_keys = self.newest.cubes[rival].keys;
        }
        // A client that is behind the server goes on with its last keys.
        let own = self.keys.back().map_or(0, |keys| keys.own);
        while self.tick < tick {
            self.advance(sim, own);
        }
        self.reconcile(sim);
    }

    /// Corrects the predicted world by the newest snapshot: goes back, compares, and simulates the ticks since again.
    fn reconcile<S: Simulator<World = W>>(&mut self, sim: &mut S) {
        let Some(base) = self.rewind(sim) else {
            return;
        };
        let was_predicted = self.predicted.clone();
        self.choose(sim);
        let found = self.compare(sim.states(&base), &was_predicted);
        let tick = self.newest.tick;
        let rival_keys = self.keys(tick).unwrap_or_default().rival;
        let has_rival_turned = self.predict_rival_keys(tick);
        if found.errors == 0 && !found.has_entered && !has_rival_turned {
            self.figures.below_resolution += u64::from(found.is_below_resolution);
            self.forks.push_front((tick, base));
            self.hold(sim);
            return;
        }
        let shown = [OWN, self.rival.unwrap_or(OWN)];
        let before = shown.map(|it| sim.states(&self.world)[it].position);
        self.resimulate(sim, base, &found.writes);
        if found.errors == 0 && !has_rival_turned {
            return;
        }
        let after = shown.map(|it| sim.states(&self.world)[it].position);
        let (worst, worst_mm, worst_positions) = match found.errors {
            0 => {
                let moved_mm = distance_mm(before[1], after[1]);
                (shown[1], moved_mm, [before[1], after[1]])
            }
            _ => (found.worst, found.worst_mm, found.worst_positions),
        };
        self.figures.corrections += 1;
        self.corrections.push(Correction {
            tick,
            client_tick: self.tick,
            since_tick: self.previous.tick,
            cubes: found.errors.max(1),
            worst,
            worst_positions,
            worst_mm,
            own_jump_mm: distance_mm(before[0], after[0]),
            ticks: self.tick - tick,
            rival_keys,
        });
    }

    /// Returns the world as it was predicted for the newest snapshot's tick; `None` if no fork is that old.
    fn rewind<S: Simulator<World = W>>(&mut self, sim: &mut S) -> Option<W> {
        let tick = self.newest.tick;
        while self.forks.get(1).is_some_and(|fork| fork.0 <= tick) {
            self.forks.pop_front();
        }
        if self.forks[0].0 > tick {
            return None;
        }
        // The fork itself goes on to the snapshot's tick: a copy of it costs as much as some ticks.
        let (fork_tick, mut base) = self.forks.pop_front()?;
        for at in fork_tick + 1..=tick {
            let keys = self.keys(at).unwrap_or_default();
            sim.step(&mut base, keys);
            if self.predict == Predict::Own {
                hold(sim, &mut base, &self.previous.cubes, &self.predicted);
            }
            self.figures.simulated_ticks += 1;
        }
        Some(base)
    }

    /// Compares the states that were predicted for the newest snapshot's tick with that snapshot.
    fn compare(&self, states: &[CubeState], was_predicted: &[bool]) -> Comparison {
        let mut found = Comparison::default();
        for (index, (cube, mine)) in self.newest.cubes.iter().zip(states).enumerate() {
            let state = match (self.predicted[index], self.difference(mine, &cube.state)) {
                (false, _) if self.predict == Predict::Own => still(cube.state),
                (_, Difference::None) => continue,
                (false, _) => self.corrected_state(index, None),
                (true, Difference::BelowResolution) => {
                    found.is_below_resolution = true;
                    continue;
                }
                // It came near just now, and is no error of the prediction.
                (true, Difference::Mm(_)) if !was_predicted[index] => {
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

    /// Writes the corrected states into the world of the newest snapshot's tick, and simulates the ticks since.
    fn resimulate<S: Simulator<World = W>>(
        &mut self,
        sim: &mut S,
        mut base: W,
        writes: &[(usize, CubeState)],
    ) {
        sim.set_states(&mut base, writes);
        self.forks.clear();
        let fork = sim.fork(&base);
        self.forks.push_back((self.newest.tick, fork));
        self.world = base;
        for at in self.newest.tick + 1..=self.tick {
            self.step_to(sim, at);
        }
        self.figures.resimulated_ticks += self.tick - self.newest.tick;
    }

    /// Predicts the rival's keys of the newest snapshot for all ticks after `tick`. Returns true if a predicted rival was
    /// simulated with other keys.
    fn predict_rival_keys(&mut self, tick: u64) -> bool {
        let Some(rival) = self.rival else {
            return false;
        };
        let after = (self.tick - tick) as usize;
        let from = self.keys.len().saturating_sub(after);
        let mut has_turned = false;
        for keys in self.keys.range_mut(from..) {
            has_turned |= keys.rival != self.rival_keys;
            keys.rival = self.rival_keys;
        }
        has_turned && self.predicted[rival]
    }

    /// Chooses the cubes to predict: those near the client's cube as it is predicted now.
    fn choose<S: Simulator<World = W>>(&mut self, sim: &S) {
        let states = sim.states(&self.world);
        let own = states[OWN].position;
        for (index, is_predicted) in self.predicted.iter_mut().enumerate() {
            let is_near = match *is_predicted {
                true => distance_mm(states[index].position, own) < NEAR_MM[1],
                false => distance_mm(self.newest.cubes[index].state.position, own) < NEAR_MM[0],
            };
            *is_predicted = match self.predict {
                Predict::Wait => false,
                Predict::Own => index == OWN,
                Predict::Touch => is_near,
                Predict::All => true,
            };
        }
    }

    /// Returns the state of a cube at the newest snapshot. If no velocity was sent, it is computed from the prediction and
    /// its error, or from two snapshots.
    fn corrected_state(&self, index: usize, mine: Option<&CubeState>) -> CubeState {
        let cube = self.newest.cubes[index];
        if cube.has_velocities {
            return cube.state;
        }
        let before = self.previous.cubes[index].state;
        let ticks = (self.newest.tick - self.previous.tick).max(1);
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
    fn update(&mut self, object: &Object) {
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

/// Moves the cubes that are not predicted back to where a snapshot has them.
fn hold<S: Simulator>(sim: &mut S, world: &mut S::World, cubes: &[ServerCube], predicted: &[bool]) {
    let states = sim.states(world);
    let held = cubes.iter().zip(predicted).enumerate();
    let held = held.filter(|(_, (_, is_predicted))| !**is_predicted);
    let held = held.map(|(index, (cube, _))| (index, still(cube.state)));
    let held: Vec<_> = held
        .filter(|(index, state)| !is_same(&states[*index], state))
        .collect();
    if !held.is_empty() {
        sim.set_states(world, &held);
    }
}

/// Returns the state with velocities of 0: an obstacle does not move.
fn still(state: CubeState) -> CubeState {
    CubeState {
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        at_rest: true,
        ..state
    }
}

fn is_same(a: &CubeState, b: &CubeState) -> bool {
    let interacting = a.interacting;
    *a == CubeState { interacting, ..*b }
}

fn distance_mm(a: [f32; 3], b: [f32; 3]) -> f64 {
    f64::from((Vec3(a) - Vec3(b)).length()) * 1000.0
}
