//! The predicted world of a client: it is ahead of the newest snapshot by the keys that the server has not answered yet.
//!
//! A snapshot is compared with the states that were predicted for its tick. If they differ by more than the snapshot's
//! resolution, the world goes back to that tick. It takes over the cubes that differ, and simulates the later ticks again.

mod comparison;
mod correction;
mod forked;
mod near;

use super::{Keys, Simulator};
use crate::tape_world::TapeWorld;
use comparison::{Comparison, PredictedCubes, ServerSnapshots, distance_mm};
use correction::UnfinishedCorrection;
pub use correction::{Correction, PredictionFigures};
use forked::{ForkedWorld, hold, step};
use near::NearWorld;
use snapshot_base::time::TickRate;
use snapshot_codec::{CubeState, Format};
use snapshot_replication::Object;
use snapshot_settings::Predict;
use std::collections::VecDeque;

/// Distances from the client's own cube within which a cube becomes predicted, and up to which it stays predicted, mm.
const NEAR_MM: [f64; 2] = [2000.0, 3000.0];
/// Longest time that the predicted world may be ahead of the newest snapshot, s. Older states are dropped.
const AHEAD_MAX_S: u64 = 2;

/// The world that a client simulates.
enum PredictedWorld {
    /// All cubes. A correction starts from a fork.
    Forked(ForkedWorld),
    /// The cubes near the client's. A correction makes a new world.
    Near(NearWorld),
}

/// The cubes that hands steer, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SteeredCubes {
    /// The client's own cube.
    pub(super) own: usize,
    /// The cube of another hand; `None` without one.
    pub(super) rival: Option<usize>,
}

pub(super) struct Prediction {
    predict: Predict,
    rate: TickRate,
    send_rate: u32,
    cubes: SteeredCubes,
    tick: u64,
    world: PredictedWorld,
    /// Keys of the last ticks up to `tick`, oldest first.
    keys: VecDeque<Keys>,
    snapshots: ServerSnapshots,
    rival_keys: u8,
    predicted: Vec<bool>,
    /// For each cube, true if it is shown as predicted. While a correction is unfinished, the flags from before it stay.
    shown_predicted: Vec<bool>,
    unfinished: Option<UnfinishedCorrection>,
    /// Corrected states of all cubes at the tick of the last picture.
    corrected: Option<Vec<CubeState>>,
    figures: PredictionFigures,
    corrections: Vec<Correction>,
}

impl Prediction {
    /// Creates a prediction that has not simulated a tick yet. `world` is the server's world at `tick`.
    pub(super) fn new(
        sim: &mut dyn Simulator,
        world: TapeWorld,
        tick: u64,
        predict: Predict,
        (format, rate, send_rate): (Format, TickRate, u32),
        cubes: SteeredCubes,
    ) -> Prediction {
        let snapshots = ServerSnapshots::new(tick, sim.states(&world), format, rate);
        let predicted = vec![false; snapshots.newest.cubes.len()];
        let world = match predict {
            Predict::Touch => PredictedWorld::Near(NearWorld::new(sim, world, tick)),
            Predict::Wait | Predict::Own | Predict::All => {
                PredictedWorld::Forked(ForkedWorld::new(sim, world, tick))
            }
        };
        let mut prediction = Prediction {
            predict,
            rate,
            send_rate,
            cubes,
            tick,
            world,
            keys: VecDeque::new(),
            snapshots,
            rival_keys: 0,
            shown_predicted: predicted.clone(),
            predicted,
            unfinished: None,
            corrected: None,
            figures: PredictionFigures::default(),
            corrections: Vec::new(),
        };
        prediction.choose(sim);
        (prediction.shown_predicted).clone_from(&prediction.predicted);
        prediction
    }

    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the states of all cubes. States of cubes that are not predicted may be old.
    pub(super) fn states<'a>(&'a self, sim: &dyn Simulator) -> &'a [CubeState] {
        match &self.world {
            PredictedWorld::Forked(forked) => sim.states(&forked.world),
            PredictedWorld::Near(near) => near.states(),
        }
    }

    pub(super) fn shown_predicted(&self) -> &[bool] {
        &self.shown_predicted
    }

    pub(super) fn figures(&self) -> PredictionFigures {
        self.figures
    }

    pub(super) fn predicted_cubes(&self) -> usize {
        self.shown_predicted.iter().filter(|it| **it).count()
    }

    pub(super) fn simulated_cubes(&self) -> usize {
        match &self.world {
            PredictedWorld::Forked(_) => self.predicted.len(),
            PredictedWorld::Near(near) => near.members(),
        }
    }

    /// Returns the memory of the world's past, bytes. A fork is counted like a whole world, even if the lane reads it from
    /// a tape.
    pub(super) fn past_bytes(&self) -> usize {
        const FORK_BYTES_A_CUBE: usize = 3_400;
        match &self.world {
            PredictedWorld::Forked(forked) => {
                forked.forks.len() * self.predicted.len() * FORK_BYTES_A_CUBE
            }
            PredictedWorld::Near(near) => near.past_bytes(),
        }
    }

    /// Returns the corrected states of all cubes at the tick of the last picture, once after each correction.
    pub(super) fn take_corrected(&mut self) -> Option<Vec<CubeState>> {
        self.corrected.take()
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
    pub(super) fn advance(&mut self, sim: &mut dyn Simulator, own: u8) {
        let rival = self.rival_keys;
        self.keys.push_back(Keys { own, rival });
        self.tick += 1;
        let keys = Keys { own, rival };
        let has_stand_in = match &mut self.world {
            PredictedWorld::Near(near) => near.step_stand_in(sim, keys),
            PredictedWorld::Forked(_) => false,
        };
        match has_stand_in {
            true => self.figures.simulated_ticks += 1,
            false => self.catch_up(sim, u64::MAX),
        }
        let most = AHEAD_MAX_S * u64::from(self.rate.hz());
        let before = self.tick.saturating_sub(most);
        let oldest = match &mut self.world {
            PredictedWorld::Forked(forked) => {
                forked.forget_before(before);
                forked.forks[0].0
            }
            PredictedWorld::Near(near) => {
                near.forget_before(before);
                near.oldest_tick()
            }
        };
        let needed = self.tick.saturating_sub(oldest) as usize;
        self.keys.drain(..self.keys.len().saturating_sub(needed));
    }

    /// Simulates at most `most_ticks` ticks, up to the client's tick. An unfinished correction is finished at the client's
    /// tick.
    fn catch_up(&mut self, sim: &mut dyn Simulator, most_ticks: u64) {
        let simulated = self.simulated_tick();
        let until = self.tick.min(simulated.saturating_add(most_ticks));
        (simulated + 1..=until).for_each(|tick| self.step_to(sim, tick));
        if until == self.tick
            && let Some(unfinished) = self.unfinished.take()
        {
            self.finish(sim, unfinished);
        }
    }

    /// Returns the newest tick that the corrected world has reached.
    fn simulated_tick(&self) -> u64 {
        match &self.world {
            PredictedWorld::Forked(forked) => forked.tick,
            PredictedWorld::Near(near) => near.tick(),
        }
    }

    /// Simulates a tick. A world with forks gets one if the server sends a snapshot of that tick.
    fn step_to(&mut self, sim: &mut dyn Simulator, tick: u64) {
        let keys = self.keys(tick).unwrap_or_default();
        self.figures.simulated_ticks += 1;
        let number = |tick| self.rate.packet_number(tick, self.send_rate);
        match &mut self.world {
            PredictedWorld::Forked(forked) => {
                let held = (self.predict == Predict::Own)
                    .then_some((&self.snapshots.newest, &self.predicted[..]));
                step(sim, &mut forked.world, keys, held);
                forked.tick = tick;
                if number(tick) != number(tick - 1) {
                    forked.fork(sim);
                    self.figures.most_forks = self.figures.most_forks.max(forked.most_forks);
                }
            }
            PredictedWorld::Near(near) => near.step(sim, keys),
        }
    }

    /// Compares a snapshot of the server with the prediction, and corrects the world if it differs.
    pub(super) fn on_snapshot(
        &mut self,
        sim: &mut dyn Simulator,
        tick: u64,
        objects: impl Iterator<Item = Object>,
    ) {
        if tick <= self.snapshots.newest.tick {
            return;
        }
        self.snapshots.add(tick, objects);
        if let Some(rival) = self.cubes.rival {
            self.rival_keys = self.snapshots.newest.cubes[rival].keys;
        }
        // A client that is behind the server goes on with its last keys.
        let own = self.keys.back().map_or(0, |keys| keys.own);
        while self.tick < tick {
            self.advance(sim, own);
        }
        let simulated = self.simulated_tick();
        self.catch_up(sim, tick.saturating_sub(simulated));
        self.reconcile(sim);
        if self.unfinished.is_none() {
            self.shown_predicted.clone_from(&self.predicted);
        }
    }

    /// Corrects the predicted world by the newest snapshot: goes back, compares, and simulates the ticks since again.
    fn reconcile(&mut self, sim: &mut dyn Simulator) {
        let tick = self.snapshots.newest.tick;
        let Some(base) = self.rewind(sim) else {
            return;
        };
        let before = self.predicted.clone();
        self.choose(sim);
        let predicted = PredictedCubes {
            predict: self.predict,
            now: &self.predicted,
            before: &before,
        };
        let found = match (&self.world, &base) {
            (PredictedWorld::Near(near), _) => {
                (self.snapshots).compare(|index| near.rewound(index), &predicted)
            }
            (PredictedWorld::Forked(_), base) => {
                let states = base.as_ref().map_or(&[][..], |base| sim.states(base));
                self.snapshots
                    .compare(|index| states.get(index), &predicted)
            }
        };
        let rival_keys = self.keys(tick).unwrap_or_default().rival;
        let has_rival_turned = self.predict_rival_keys(tick);
        if found.errors == 0 && !found.has_entered && !has_rival_turned {
            self.figures.below_resolution += u64::from(found.is_below_resolution);
            if let (PredictedWorld::Forked(forked), Some(base)) = (&mut self.world, base) {
                forked.forks.push_front((tick, base));
                if self.predict == Predict::Own {
                    let newest = &self.snapshots.newest;
                    hold(sim, &mut forked.world, newest, &self.predicted);
                }
            }
            return;
        }
        let is_counted = found.errors > 0 || has_rival_turned;
        self.begin(sim, &found, rival_keys, is_counted);
        self.restart(sim, base, &found.writes);
    }

    /// Begins a correction: stores the figures that are known before the ticks up to the client's are simulated again.
    fn begin(&mut self, sim: &dyn Simulator, found: &Comparison, rival_keys: u8, is_counted: bool) {
        let correction = Correction {
            tick: self.snapshots.newest.tick,
            client_tick: self.tick,
            since_tick: self.snapshots.previous.tick,
            cubes: found.errors,
            worst: found.worst,
            worst_positions: found.worst_positions,
            worst_mm: found.worst_mm,
            own_jump_mm: 0.0,
            ticks: self.tick - self.snapshots.newest.tick,
            rival_keys,
        };
        let before = [self.cubes.own, self.cubes.rival.unwrap_or(self.cubes.own)]
            .map(|it| self.states(sim)[it].position);
        let unfinished = UnfinishedCorrection {
            correction,
            is_counted,
            before,
        };
        // The picture never shows a correction that another one replaces.
        if let Some(replaced) = self.unfinished.replace(unfinished)
            && replaced.is_counted
        {
            self.note(replaced.correction);
        }
    }

    /// Counts and stores a correction whose world has reached the client's tick.
    fn finish(&mut self, sim: &dyn Simulator, unfinished: UnfinishedCorrection) {
        let UnfinishedCorrection {
            mut correction,
            is_counted,
            mut before,
        } = unfinished;
        self.shown_predicted.clone_from(&self.predicted);
        let shown = [self.cubes.own, self.cubes.rival.unwrap_or(self.cubes.own)];
        let corrected = match &mut self.world {
            PredictedWorld::Forked(forked) => sim.states(&forked.world).to_vec(),
            PredictedWorld::Near(near) => {
                before = shown.map(|it| near.states()[it].position);
                near.show_newest()
            }
        };
        let after = shown.map(|it| corrected[it].position);
        let is_late = correction.ticks > 0;
        self.corrected = is_late.then_some(corrected);
        if !is_counted {
            return;
        }
        let [own_mm, rival_mm] = [0, 1].map(|at| distance_mm(before[at], after[at]));
        correction.own_jump_mm = own_mm;
        if correction.cubes == 0 {
            // The rival alone was wrong, by its keys.
            correction.worst = shown[1];
            (correction.worst_mm, correction.worst_positions) = (rival_mm, [before[1], after[1]]);
        }
        self.note(correction);
    }

    fn note(&mut self, mut correction: Correction) {
        correction.cubes = correction.cubes.max(1);
        self.figures.corrections += 1;
        self.corrections.push(correction);
    }

    /// Goes back to the newest snapshot's tick. Returns the world as it was predicted for that tick, where it is forked; `None` if
    /// no state is that old.
    fn rewind(&mut self, sim: &mut dyn Simulator) -> Option<Option<TapeWorld>> {
        let tick = self.snapshots.newest.tick;
        let forked = match &mut self.world {
            PredictedWorld::Forked(forked) => forked,
            PredictedWorld::Near(near) => return near.rewind(tick).then_some(None),
        };
        // The fork itself goes on to the snapshot's tick: a copy of it costs as much as some ticks.
        let (fork_tick, mut base) = forked.take_fork(tick)?;
        for at in fork_tick + 1..=tick {
            let keys = self.keys(at).unwrap_or_default();
            let held = (self.predict == Predict::Own)
                .then_some((&self.snapshots.previous, &self.predicted[..]));
            step(sim, &mut base, keys, held);
            self.figures.simulated_ticks += 1;
        }
        Some(Some(base))
    }

    /// Writes the corrected states into the world of the newest snapshot's tick, and simulates the ticks since. The cubes near the
    /// client's are simulated half in this frame, half in the next.
    fn restart(
        &mut self,
        sim: &mut dyn Simulator,
        base: Option<TapeWorld>,
        writes: &[(usize, CubeState)],
    ) {
        let tick = self.snapshots.newest.tick;
        let ago = self.tick - tick;
        self.figures.resimulated_ticks += ago;
        match (&mut self.world, base) {
            (PredictedWorld::Near(near), _) => {
                let seconds = self.rate.seconds_of_ticks(ago) as f32;
                near.restart(sim, seconds, writes, self.cubes);
                self.catch_up(sim, ago.div_ceil(2));
            }
            (PredictedWorld::Forked(forked), Some(base)) => {
                forked.restart(sim, (tick, base), writes);
                self.catch_up(sim, u64::MAX);
            }
            (PredictedWorld::Forked(_), None) => {}
        }
    }

    /// Predicts the rival's keys of the newest snapshot for all ticks after `tick`. Returns true if a predicted rival was
    /// simulated with other keys.
    fn predict_rival_keys(&mut self, tick: u64) -> bool {
        let Some(rival) = self.cubes.rival else {
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

    /// Chooses the cubes to predict: cubes near the present predicted place of the client's cube.
    fn choose(&mut self, sim: &dyn Simulator) {
        let states = match &self.world {
            PredictedWorld::Forked(forked) => sim.states(&forked.world),
            PredictedWorld::Near(near) => near.states(),
        };
        let own = states[self.cubes.own].position;
        for (index, is_predicted) in self.predicted.iter_mut().enumerate() {
            let is_near = match *is_predicted {
                true => distance_mm(states[index].position, own) < NEAR_MM[1],
                false => {
                    distance_mm(self.snapshots.newest.cubes[index].state.position, own) < NEAR_MM[0]
                }
            };
            *is_predicted = match self.predict {
                Predict::Wait => false,
                Predict::Own => index == self.cubes.own,
                Predict::Touch => is_near,
                Predict::All => true,
            };
        }
    }
}
