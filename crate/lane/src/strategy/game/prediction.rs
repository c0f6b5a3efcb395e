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

/// A cube as it is in a snapshot of the server.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ToldCube {
    state: CubeState,
    has_velocities: bool,
    keys: u8,
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
    /// Cubes of the newest snapshot, then cubes of the snapshot before it.
    told: [Vec<ToldCube>; 2],
    told_ticks: [u64; 2],
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
        let told = sim.states(&world).iter().map(|state| ToldCube {
            state: *state,
            has_velocities: true,
            keys: 0,
        });
        let told: Vec<_> = told.collect();
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
            predicted: vec![false; told.len()],
            told: [told.clone(), told],
            told_ticks: [tick; 2],
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
    pub(super) fn take_corrections(&mut self) -> Vec<Correction> {
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

    /// If only the client's cube is predicted, moves all other cubes back to their places in the newest snapshot. In other
    /// modes predicted cubes may push them.
    fn hold<S: Simulator<World = W>>(&mut self, sim: &mut S) {
        if self.predict == Predict::Own {
            hold(sim, &mut self.world, &self.told[0], &self.predicted);
        }
    }

    /// Compares a snapshot of the server with the prediction, and corrects the world if it differs.
    pub(super) fn take<S: Simulator<World = W>>(
        &mut self,
        sim: &mut S,
        tick: u64,
        objects: impl Iterator<Item = Object>,
    ) {
        if tick <= self.told_ticks[0] {
            return;
        }
        self.told.swap(0, 1);
        let [told, before] = &mut self.told;
        told.clone_from(before);
        for object in objects {
            if let Some(told) = told.get_mut(object.id as usize) {
                let linear = object.velocity.zip(object.angular_velocity);
                let (linear_velocity, angular_velocity) = linear.unwrap_or_default();
                let has_velocities = linear.is_some();
                told.state = CubeState {
                    position: object.position,
                    orientation: object.orientation,
                    linear_velocity,
                    angular_velocity,
                    at_rest: has_velocities
                        && (linear_velocity, angular_velocity) == ([0.0; 3], [0.0; 3]),
                    ..told.state
                };
                (told.has_velocities, told.keys) = (has_velocities, object.fields[0] as u8);
            }
        }
        self.told_ticks = [tick, self.told_ticks[0]];
        if let Some(rival) = self.rival {
            self.rival_keys = self.told[0][rival].keys;
        }
        // A client that is behind the server goes on with its last keys.
        let own = self.keys.back().map_or(0, |keys| keys.own);
        while self.tick < tick {
            self.advance(sim, own);
        }
        self.reconcile(sim);
    }

    fn reconcile<S: Simulator<World = W>>(&mut self, sim: &mut S) {
        let tick = self.told_ticks[0];
        while self.forks.get(1).is_some_and(|fork| fork.0 <= tick) {
            self.forks.pop_front();
        }
        if self.forks[0].0 > tick {
            return;
        }
        // The fork itself goes on to the snapshot's tick: a copy of it costs as much as some ticks.
        let Some((fork_tick, mut base)) = self.forks.pop_front() else {
            return;
        };
        for at in fork_tick + 1..=tick {
            let keys = self.keys(at).unwrap_or_default();
            sim.step(&mut base, keys);
            if self.predict == Predict::Own {
                hold(sim, &mut base, &self.told[1], &self.predicted);
            }
            self.figures.simulated_ticks += 1;
        }
        let was_predicted = self.predicted.clone();
        self.choose(sim);
        let mut write = Vec::new();
        let (mut cubes, mut has_entered, mut is_below) = (0, false, false);
        let (mut worst, mut worst_mm, mut worst_positions) = (OWN, 0.0, [[0.0; 3]; 2]);
        for (index, told) in self.told[0].iter().enumerate() {
            let mine = sim.states(&base)[index];
            let difference = self.difference(&mine, &told.state);
            match (self.predicted[index], difference) {
                (false, _) if self.predict == Predict::Own => {
                    write.push((index, still(told.state)))
                }
                (_, Difference::None) => {}
                (false, _) => write.push((index, self.put_right(index, None))),
                (true, Difference::BelowResolution) => is_below = true,
                // It came near just now, and is no error of the prediction.
                (true, Difference::Mm(_)) if !was_predicted[index] => {
                    has_entered = true;
                    write.push((index, self.put_right(index, None)));
                }
                (true, Difference::Mm(mm)) => {
                    cubes += 1;
                    if mm >= worst_mm {
                        (worst, worst_mm) = (index, mm);
                        worst_positions = [mine.position, told.state.position];
                    }
                    write.push((index, self.put_right(index, Some(&mine))));
                }
            }
        }
        let rival_keys = self.keys(tick).unwrap_or_default().rival;
        let has_rival_turned = self.press_as_told(tick);
        if cubes == 0 && !has_entered && !has_rival_turned {
            self.figures.below_resolution += u64::from(is_below);
            self.forks.push_front((tick, base));
            self.hold(sim);
            return;
        }
        let before =
            [OWN, self.rival.unwrap_or(OWN)].map(|it| sim.states(&self.world)[it].position);
        sim.set_states(&mut base, &write);
        self.forks.clear();
        let fork = sim.fork(&base);
        self.forks.push_back((tick, fork));
        self.world = base;
        for at in tick + 1..=self.tick {
            self.step_to(sim, at);
        }
        let ticks = self.tick - tick;
        self.figures.resimulated_ticks += ticks;
        if cubes == 0 && !has_rival_turned {
            return;
        }
        let after = [OWN, self.rival.unwrap_or(OWN)].map(|it| sim.states(&self.world)[it].position);
        if cubes == 0 {
            (worst, worst_mm) = (self.rival.unwrap_or(OWN), distance_mm(before[1], after[1]));
            worst_positions = [before[1], after[1]];
        }
        self.figures.corrections += 1;
        self.corrections.push(Correction {
            tick,
            client_tick: self.tick,
            since_tick: self.told_ticks[1],
            cubes: cubes.max(1),
            worst,
            worst_positions,
            worst_mm,
            own_jump_mm: distance_mm(before[0], after[0]),
            ticks,
            rival_keys,
        });
    }

    /// Uses the rival's keys of the newest snapshot for all ticks after it. Returns true if a predicted rival was simulated
    /// with other keys.
    fn press_as_told(&mut self, tick: u64) -> bool {
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
                false => distance_mm(self.told[0][index].state.position, own) < NEAR_MM[0],
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
    fn put_right(&self, index: usize, mine: Option<&CubeState>) -> CubeState {
        let [told, before] = [0, 1].map(|at| self.told[at][index]);
        if told.has_velocities {
            return told.state;
        }
        let seconds = self
            .rate
            .seconds_of_ticks((self.told_ticks[0] - self.told_ticks[1]).max(1))
            as f32;
        let (position, orientation) = (told.state.position, told.state.orientation);
        if (position, orientation) == (before.state.position, before.state.orientation) {
            return still(told.state);
        }
        let way = |from: [f32; 3]| (Vec3(position) - Vec3(from)) * (1.0 / seconds);
        let (linear, angular) = match mine {
            // The snapshot before was met, or put right: the error grew since.
            Some(mine) => (
                (Vec3(mine.linear_velocity) + way(mine.position)).0,
                mine.angular_velocity,
            ),
            None => {
                let turn =
                    (Quat(orientation) * Quat(before.state.orientation).conjugate()).normalize();
                let [x, y, z, w] = turn.0;
                let scale = 2.0 * w.signum() / seconds;
                (
                    way(before.state.position).0,
                    [x * scale, y * scale, z * scale],
                )
            }
        };
        CubeState {
            linear_velocity: linear,
            angular_velocity: angular,
            at_rest: false,
            ..told.state
        }
    }

    fn difference(&self, mine: &CubeState, told: &CubeState) -> Difference {
        // The snapshot's numbers stand for these values, and for no others.
        let sent = self.format.dequantise(&self.format.quantise(mine));
        if (sent.position, sent.orientation) == (told.position, told.orientation) {
            return Difference::None;
        }
        let bits = self.format.bits();
        let step_m = 1.0 / (1_u64 << bits.position()) as f32;
        let step = core::f32::consts::SQRT_2 / ((1_u64 << bits.orientation()) - 1).max(1) as f32;
        let apart = (0..3).map(|axis| (mine.position[axis] - told.position[axis]).abs());
        let turn = Quat(mine.orientation).conjugate() * Quat(told.orientation);
        let [x, y, z, _] = turn.0;
        let turn_rad = 2.0 * (x * x + y * y + z * z).sqrt();
        if apart.fold(0.0, f32::max) <= 1.5 * step_m && turn_rad <= STEPS_IN_RAD * 1.5 * step {
            return Difference::BelowResolution;
        }
        Difference::Mm(distance_mm(mine.position, told.position))
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
fn hold<S: Simulator>(sim: &mut S, world: &mut S::World, told: &[ToldCube], predicted: &[bool]) {
    let states = sim.states(world);
    let held = told.iter().zip(predicted).enumerate();
    let held = held.filter(|(_, (_, is_predicted))| !**is_predicted);
    let held = held.map(|(index, (told, _))| (index, still(told.state)));
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
