//! Makes the tables of rung `predicted` from recordings: three kinds of regression, all of them in closed form or by
//! Newton's method, so that the same recordings give the same bytes.

use alloc::vec;
use alloc::vec::Vec;

use super::Transition;
use super::coder::Coder;
use super::logistic::{ONE, cost_65536ths};
use super::predicted::tables::{FEATURES, INPUTS, LOOKUPS, SITUATIONS, Tables};
use super::predicted::{Memory, Model, Observer};
use crate::cube::Cube;
use crate::format::{Class, Format};

/// Ticks, and frames, between a frame and its baseline.
const INTERVAL: usize = super::predicted::TRAINED_TICKS as usize;
/// Passes for the linear predictions, which depend on each other's errors.
const LINEAR_PASSES: usize = 6;
/// Passes of Newton's method for the mixing weights, after one that counts.
const MIX_PASSES: usize = 6;
const PASSES: usize = LINEAR_PASSES + 1 + MIX_PASSES;
/// A context that was rarely seen leans on an open decision, as if that had been seen so often each way.
const PRIOR_COUNT: f64 = 0.4;
/// What mixing begins with, and is held to as if by so many decisions.
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
    linear: Vec<Equations<FEATURES>>,
    mixes: Vec<Equations<INPUTS>>,
    counts: Vec<[u32; 2]>,
    mixing: Vec<[f32; INPUTS]>,
    stage: Stage,
    cost_65536ths: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Linear,
    Counts,
    Mixes,
}

impl Coder for Watcher {
    const READS: bool = false;

    fn code(&mut self, p_true: u32, bit: bool) -> bool {
        self.cost_65536ths += u64::from(cost_65536ths(if bit { p_true } else { ONE - p_true }));
        bit
    }
}

impl Observer for Watcher {
    const WATCHES: bool = true;

    fn decided(&mut self, mix: usize, logits: [usize; LOOKUPS], inputs: &[f32; INPUTS], bit: bool) {
        match self.stage {
            Stage::Linear => {}
            Stage::Counts => logits
                .into_iter()
                .for_each(|at| self.counts[at][usize::from(bit)] += 1),
            Stage::Mixes => {
                let mixed: f64 = inputs
                    .iter()
                    .zip(&self.mixing[mix])
                    .map(|(i, w)| f64::from(i * w))
                    .sum();
                let p = 1.0 / (1.0 + libm::exp(-mixed));
                self.mixes[mix].add(inputs, p * (1.0 - p), f64::from(u8::from(bit)) - p);
            }
        }
    }

    fn predicted(&mut self, row: usize, features: &[f32; FEATURES], target: f32, weight: f32) {
        if self.stage == Stage::Linear {
            let weight = f64::from(weight);
            self.linear[row].add(features, weight, weight * f64::from(target));
        }
    }
}

impl Watcher {
    fn new(tables: &Tables, stage: Stage) -> Self {
        Self {
            linear: vec![Equations::NONE; tables.linear.len()],
            mixes: vec![Equations::NONE; tables.mixes.len()],
            counts: vec![[0; 2]; tables.logits.len()],
            mixing: tables.mixes.clone(),
            stage,
            cost_65536ths: 0,
        }
    }

    fn improve(&self, tables: &mut Tables) {
        match self.stage {
            Stage::Linear => self.solve_linear(tables),
            Stage::Counts => {
                for (logit, &[no, yes]) in tables.logits.iter_mut().zip(&self.counts) {
                    let odds = (f64::from(yes) + PRIOR_COUNT) / (f64::from(no) + PRIOR_COUNT);
                    *logit = libm::log(odds).clamp(-7.9, 7.9) as f32;
                }
                tables.mixes.fill(MIX_START);
            }
            Stage::Mixes => {
                for (mix, equations) in tables.mixes.iter_mut().zip(&self.mixes) {
                    let mut held = equations.clone();
                    for i in 0..INPUTS {
                        held.matrix[i][i] += MIX_HOLD;
                        held.vector[i] += MIX_HOLD * f64::from(MIX_START[i] - mix[i]);
                    }
                    let step = held.solve(&[0.0; INPUTS], 0.0);
                    for (weight, step) in mix.iter_mut().zip(step) {
                        *weight += step.clamp(-0.5, 0.5) as f32;
                    }
                }
            }
        }
    }

    /// Each situation leans on all of them together.
    fn solve_linear(&self, tables: &mut Tables) {
        for (rows, equations) in tables
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
}

/// Trains the tables of the format's class on recordings, each of them frames a tick, each frame against the one 6 before it.
/// `progress` is told passes done, all passes, and the mean bytes a packet of the pass.
pub fn train(
    format: &Format,
    recordings: &[Vec<Vec<Cube>>],
    progress: &mut dyn FnMut(usize, usize, f64),
) -> Vec<u8> {
    let mut model = Model::new(format, Tables::untrained());
    for pass in 0..PASSES {
        let stage = match pass {
            _ if pass < LINEAR_PASSES => Stage::Linear,
            LINEAR_PASSES => Stage::Counts,
            _ => Stage::Mixes,
        };
        let mut watcher = Watcher::new(model.tables_mut(), stage);
        let mut packets = 0_u32;
        let mut snapshot = Vec::new();
        for frames in recordings {
            let mut memories = vec![Memory::new(format.cube_count()); INTERVAL];
            for at in INTERVAL..frames.len() {
                // For what has few coefficients a third of the packets is enough, in whole chains.
                if stage != Stage::Counts && !(at / (12 * INTERVAL)).is_multiple_of(3) {
                    memories[at % INTERVAL].clear();
                    continue;
                }
                snapshot.clear();
                snapshot.extend_from_slice(&frames[at - INTERVAL]);
                let memory = &mut memories[at % INTERVAL];
                if format.class() == Class::Strict {
                    memory.clear();
                }
                let transition = Transition {
                    ticks: INTERVAL as u16,
                    wanted: &frames[at],
                    snapshot: &mut snapshot,
                };
                model
                    .code(&mut watcher, transition, memory)
                    .expect("recordings are of the format");
                packets += 1;
            }
        }
        watcher.improve(model.tables_mut());
        let bytes = model.tables_mut().to_bytes();
        *model.tables_mut() =
            Tables::from_bytes(bytes.as_slice().try_into().expect("the tables' length"));
        progress(
            pass + 1,
            PASSES,
            watcher.cost_65536ths as f64 / 524_288.0 / f64::from(packets.max(1)),
        );
    }
    model.tables_mut().to_bytes()
}
