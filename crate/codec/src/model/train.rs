//! Makes the tables of rungs `predicted` and `simulated` from recordings, by three kinds of regression. All are in closed form
//! or by Newton's method: the same recordings give the same bytes.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::Transition;
use super::coder::Coder;
use super::logistic::{ONE, log2_65536ths};
use super::predicted::tables::{
    Coefficients, DISTANCES, FEATURES, INPUTS, LOGIT_STEPS, LOOKUPS, MIX_COUNT, SITUATIONS, Tables,
};
use super::predicted::{Foreseen, Model, Observer};
use super::simulated::{self, Foresight};
use crate::cube::Cube;
use crate::format::Format;
use crate::rungs::{Class, Rung};

/// Least frames of a stretch that is only counted, longer than rest is remembered; one in so many stretches is, by distance.
const COUNTED_FRAMES: usize = 192;
const COUNTED: [usize; DISTANCES.len()] = [2, 2, 1, 1, 1];
/// For what has few coefficients stretches of so many packets of a chain are enough, one in so many.
const FITTED_PACKETS: usize = 12;
const FITTED_FRAMES_MIN: usize = 48;
const FITTED: [usize; DISTANCES.len()] = [8, 8, 4, 3, 1];
/// A chain's first packets, in which little is known of what moves, are not looked at: so many packets, and so many frames.
const UNSEEN_PACKETS: usize = 2;
const UNSEEN_FRAMES: usize = 6;
/// So many chains go side by side at most.
const CHAINS: usize = 6;
/// Each pass fits to other stretches; what the one before has gathered counts so much still, once the first passes of a stage
/// have come near.
const MEMORY: f64 = 0.7;
const ROUGH_PASSES: usize = 3;
/// Passes for the linear predictions, which depend on each other's errors.
const LINEAR_PASSES: usize = 6;
/// Passes of Newton's method for the mixing weights, after one that counts.
const MIX_PASSES: usize = 6;
const PASSES: usize = LINEAR_PASSES + 1 + MIX_PASSES;
/// A context that was rarely seen leans on an open decision, as if that had been seen so often each way.
const PRIOR_COUNT: f64 = 0.4;
/// The start of mixing, to which it is held as if by so many decisions.
const MIX_START: [f32; INPUTS] = [0.2, 0.2, 0.2, 0.2, 0.2, 0.0];
const MIX_HOLD: f64 = 20.0;

/// A square system of linear equations, gathered sample by sample.
#[derive(Clone)]
struct Equations<const N: usize> {
    matrix: [[f64; N]; N],
    vector: [f64; N],
}

#[expect(
    clippy::needless_range_loop,
    reason = "the textbook's indices, of rows and columns alike"
)]
impl<const N: usize> Equations<N> {
    const NONE: Self = Self {
        matrix: [[0.0; N]; N],
        vector: [0.0; N],
    };

    /// Makes all that was gathered count less.
    fn fade(&mut self, by: f64) {
        let sums = self.matrix.as_flattened_mut().iter_mut();
        sums.chain(&mut self.vector).for_each(|sum| *sum *= by);
    }

    fn add(&mut self, features: &[f32; N], curvature: f64, pull: f64) {
        for i in 0..N {
            let feature = f64::from(features[i]);
            self.vector[i] += feature * pull;
            for j in 0..=i {
                self.matrix[i][j] += feature * f64::from(features[j]) * curvature;
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        for i in 0..N {
            self.vector[i] += other.vector[i];
            for j in 0..=i {
                self.matrix[i][j] += other.matrix[i][j];
            }
        }
    }

    /// The solution, drawn a little towards `prior`, which is what it is where nothing was gathered. By Cholesky's method.
    fn solve(&self, prior: &[f64; N], strength: f64) -> [f64; N] {
        let mut lower = self.matrix;
        let mut solution = self.vector;
        for i in 0..N {
            let hold = strength * self.matrix[i][i] + 1.0e-3;
            lower[i][i] += hold;
            solution[i] += hold * prior[i];
        }
        for i in 0..N {
            for j in 0..=i {
                let mut sum = lower[i][j];
                for k in 0..j {
                    sum -= lower[i][k] * lower[j][k];
                }
                lower[i][j] = if i == j {
                    libm::sqrt(sum.max(1.0e-9))
                } else {
                    sum / lower[j][j]
                };
            }
            for k in 0..i {
                solution[i] -= lower[i][k] * solution[k];
            }
            solution[i] /= lower[i][i];
        }
        for i in (0..N).rev() {
            for k in i + 1..N {
                solution[i] -= lower[k][i] * solution[k];
            }
            solution[i] /= lower[i][i];
        }
        solution
    }
}

/// A coder that writes nothing and watches.
struct Watcher {
    /// Packets seen of each of [`DISTANCES`].
    seen: Vec<Seen>,
    /// Index of the distance that is watched.
    distance: usize,
    counts: Vec<[u32; 2]>,
    stage: Stage,
    pass: usize,
    looks: bool,
    cost_65536ths: u64,
}

struct Seen {
    linear: Vec<Equations<FEATURES>>,
    mixes: Vec<Equations<INPUTS>>,
    mixing: Vec<[f32; INPUTS]>,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Linear,
    Counts,
    Mixes,
}

impl Coder for Watcher {
    fn code(&mut self, p_true: u32, bit: bool) -> bool {
        let probability = if bit { p_true } else { ONE - p_true };
        self.cost_65536ths += u64::from((16 << 16) - log2_65536ths(probability));
        bit
    }
}

impl Observer for Watcher {
    const WATCHES: bool = true;

    fn decided(&mut self, mix: usize, logits: [usize; LOOKUPS], inputs: &[f32; INPUTS], bit: bool) {
        match self.stage {
            _ if !self.looks => {}
            Stage::Linear => {}
            Stage::Counts => logits
                .into_iter()
                .for_each(|at| self.counts[at][usize::from(bit)] += 1),
            Stage::Mixes => {
                let seen = &mut self.seen[self.distance];
                let mixed: f64 = inputs
                    .iter()
                    .zip(&seen.mixing[mix])
                    .map(|(i, w)| f64::from(i * w))
                    .sum();
                let p = 1.0 / (1.0 + libm::exp(-mixed));
                let curvature = p * (1.0 - p);
                let pull = curvature * mixed + f64::from(u8::from(bit)) - p;
                seen.mixes[mix].add(inputs, curvature, pull);
            }
        }
    }

    fn predicted(&mut self, row: usize, features: &[f32; FEATURES], target: f32, weight: f32) {
        if self.looks && self.stage == Stage::Linear {
            let weight = f64::from(weight);
            self.seen[self.distance].linear[row].add(features, weight, weight * f64::from(target));
        }
    }
}

fn all_mixes(trained: &Coefficients) -> Vec<[f32; INPUTS]> {
    (0..MIX_COUNT).map(|at| trained.mix(at)).collect()
}

impl Watcher {
    fn new(tables: &Tables) -> Self {
        let seen = |trained: &Coefficients| Seen {
            linear: vec![Equations::NONE; trained.linear.len()],
            mixes: vec![Equations::NONE; MIX_COUNT],
            mixing: all_mixes(trained),
        };
        Self {
            seen: tables.trained.iter().map(seen).collect(),
            distance: 0,
            counts: vec![[0; 2]; tables.logits.len()],
            stage: Stage::Linear,
            pass: 0,
            looks: true,
            cost_65536ths: 0,
        }
    }

    /// Before each pass.
    fn begin(&mut self, pass: usize, tables: &Tables) {
        self.pass = pass;
        self.stage = match pass {
            _ if pass < LINEAR_PASSES => Stage::Linear,
            LINEAR_PASSES => Stage::Counts,
            _ => Stage::Mixes,
        };
        self.cost_65536ths = 0;
        for (seen, trained) in self.seen.iter_mut().zip(&tables.trained) {
            let linear = if pass < ROUGH_PASSES { 0.0 } else { MEMORY };
            seen.linear.iter_mut().for_each(|sums| sums.fade(linear));
            let mixes = if pass < LINEAR_PASSES + 1 + ROUGH_PASSES {
                0.0
            } else {
                MEMORY
            };
            seen.mixes.iter_mut().for_each(|sums| sums.fade(mixes));
            seen.mixing = all_mixes(trained);
        }
    }

    fn improve(&self, tables: &mut Tables) {
        if self.stage == Stage::Counts {
            for (logit, &[no, yes]) in tables.logits.iter_mut().zip(&self.counts) {
                let odds = (f64::from(yes) + PRIOR_COUNT) / (f64::from(no) + PRIOR_COUNT);
                let odds = libm::log(odds).clamp(-7.9, 7.9) as f32;
                *logit = libm::roundf(odds * LOGIT_STEPS) as i8;
            }
        }
        for (trained, seen) in tables.trained.iter_mut().zip(&self.seen) {
            match self.stage {
                Stage::Linear => seen.solve_linear(trained),
                Stage::Counts => (0..MIX_COUNT).for_each(|at| trained.set_mix(at, MIX_START)),
                Stage::Mixes => seen.solve_mixes(trained),
            }
        }
    }
}

impl Seen {
    /// Each situation leans on all of them together.
    fn solve_linear(&self, trained: &mut Coefficients) {
        for (rows, equations) in trained
            .linear
            .chunks_mut(SITUATIONS)
            .zip(self.linear.chunks(SITUATIONS))
        {
            let mut together = Equations::NONE;
            equations.iter().for_each(|one| together.merge(one));
            let common = together.solve(&[0.0; FEATURES], 1.0e-6);
            for (row, equations) in rows.iter_mut().zip(equations) {
                *row = equations
                    .solve(&common, 1.0e-3)
                    .map(|c| c.clamp(-31.0, 31.0) as f32);
            }
        }
    }

    fn solve_mixes(&self, trained: &mut Coefficients) {
        for (at, equations) in self.mixes.iter().enumerate() {
            let mut held = equations.clone();
            for (i, start) in MIX_START.iter().enumerate() {
                held.matrix[i][i] += MIX_HOLD;
                held.vector[i] += MIX_HOLD * f64::from(*start);
            }
            let solved = held.solve(&[0.0; INPUTS], 0.0);
            let mut mix = trained.mix(at);
            for (weight, solved) in mix.iter_mut().zip(solved) {
                *weight += (solved as f32 - *weight).clamp(-0.5, 0.5);
            }
            trained.set_mix(at, mix);
        }
    }
}

/// Frames that tables are trained on, one a tick.
pub struct Recording {
    frames: Vec<Vec<Cube>>,
    /// For rung `simulated`, by frame: what was foreseen of it from the one so many ticks before that are trained.
    foreseen: Option<Vec<Vec<(u16, Foreseen)>>>,
}

impl Recording {
    /// For rung `predicted`.
    pub fn new(frames: Vec<Vec<Cube>>) -> Self {
        Self {
            frames,
            foreseen: None,
        }
    }

    /// For rung `simulated`: with the input that led to each frame.
    pub fn with_foresight(
        format: &Format,
        frames: Vec<Vec<Cube>>,
        inputs: &[u8],
        foresight: &mut dyn Foresight,
    ) -> Self {
        let mut model = simulated::Model::new(format, Arc::new(Tables::untrained()));
        let ticks = DISTANCES[simulated::TRAINED];
        Self {
            foreseen: Some(model.foresee_all(&frames, inputs, ticks, foresight)),
            frames,
        }
    }
}

/// Trains the tables of the format's class on recordings, each of them frames a tick, each frame against the ones so many
/// before it as [`DISTANCES`] has. `progress` is told passes done, all passes, and the mean bytes a packet of the pass.
pub fn train(
    format: &Format,
    recordings: &[Recording],
    progress: &mut dyn FnMut(usize, usize, f64),
) -> Vec<u8> {
    let mut model = Model::new(format, Arc::new(Tables::untrained()));
    let mut watcher = Watcher::new(model.tables());
    for pass in 0..PASSES {
        watcher.begin(pass, model.tables());
        let mut packets = 0_u32;
        for distance in 0..DISTANCES.len() {
            watcher.distance = distance;
            for recording in recordings {
                packets += watch(&mut model, &mut watcher, recording);
            }
        }
        let mut tables = model.tables().clone();
        watcher.improve(&mut tables);
        let bytes = tables.to_bytes();
        model.set_tables(Tables::from_bytes(
            bytes.as_slice().try_into().expect("the tables' length"),
        ));
        progress(
            pass + 1,
            PASSES,
            watcher.cost_65536ths as f64 / 524_288.0 / f64::from(packets.max(1)),
        );
    }
    let all = model.tables().to_bytes();
    if format.rung() == Rung::Simulated {
        simulated::pick(&all)
    } else {
        all
    }
}

/// Goes through a recording at the watcher's distance; returns how many packets that were.
fn watch(model: &mut Model, watcher: &mut Watcher, recording: &Recording) -> u32 {
    let frames = &recording.frames;
    let ticks = usize::from(DISTANCES[watcher.distance]);
    let (stretch_frames, one_in) = match watcher.stage {
        Stage::Counts => (COUNTED_FRAMES, COUNTED[watcher.distance]),
        Stage::Linear | Stage::Mixes => (
            FITTED_FRAMES_MIN.max(FITTED_PACKETS * ticks),
            FITTED[watcher.distance],
        ),
    };
    let foreseen = recording.foreseen.as_ref();
    if foreseen.is_some() && watcher.distance != simulated::TRAINED {
        return 0;
    }
    let (pass, apart) = (watcher.pass, ticks.div_ceil(CHAINS));
    let mut all = vec![Foreseen::default(); frames[0].len()];
    let unseen = match model.class() {
        Class::Strict => 0,
        Class::Chained => UNSEEN_PACKETS.max(UNSEEN_FRAMES.div_ceil(ticks)),
    };
    // Of each chain what is kept, and how many packets it has had.
    let mut chains = vec![(model.memory(), 0); ticks];
    let (mut snapshot, mut settled, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let mut packets = 0;
    for at in (ticks..frames.len()).filter(|at| (at % ticks + pass).is_multiple_of(apart)) {
        let (memory, chain_packets) = &mut chains[at % ticks];
        if !(at / stretch_frames + pass).is_multiple_of(one_in) {
            memory.clear();
            *chain_packets = 0;
            continue;
        }
        watcher.looks = *chain_packets >= unseen;
        *chain_packets += 1;
        if model.class() == Class::Strict {
            memory.clear();
        }
        snapshot.clear();
        snapshot.extend_from_slice(&frames[at - ticks]);
        if let Some(foreseen) = foreseen {
            all.fill(Foreseen::default());
            for &(index, foreseen) in &foreseen[at] {
                all[usize::from(index)] = foreseen;
            }
        }
        settled.clear();
        changed.clear();
        for (index, (base, cube)) in snapshot.iter_mut().zip(&frames[at]).enumerate() {
            if base.life != cube.life {
                *base = *cube;
                settled.push(index);
            } else if base != cube {
                changed.push(index);
            }
        }
        let transition = Transition {
            ticks: ticks as u16,
            wanted: &frames[at],
            settled: &settled,
            changed: &changed,
            snapshot: &mut snapshot,
        };
        model
            .code(watcher, transition, foreseen.map(|_| &all[..]), memory)
            .expect("recordings are of the format");
        packets += 1;
    }
    packets
}
