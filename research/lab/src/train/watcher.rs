//! The coder that writes nothing and watches.

use super::equations::Equations;
use super::stored::Stored;
use snapshot_codec::training::{
    CHANCES, CLASSES, Coder, CoderObserver, DISTANCES, ERRORS, ESCAPE, FEATURES, HAPPENED_CLASSES,
    HAPPENED_SETS, INPUTS, LARGEST, LAST, LINEAR_ROWS, Logs, NUMBER_COUNT, NUMBER_SETS,
    PRODUCT_INPUTS, PRODUCT_ROWS, QUIET_CHANCES, QUIET_ROWS, SCALES, SHAPES, SITUATIONS, Shape,
    SymbolCoder, log2_65536ths, sizes_of,
};

/// Distributions that are used as they are, and all of them.
const OWN_ROWS: usize = NUMBER_COUNT + QUIET_ROWS;
const ROW_COUNT: usize = OWN_ROWS + PRODUCT_ROWS;

/// Weights of the distances in the counts, which serve for all. The challenge's distance counts most.
const COUNT_WEIGHTS: [u32; DISTANCES.len()] = [1, 1, 8, 1, 1];
/// Weight of the counts of earlier passes, after the first passes of a stage. Each pass fits to other stretches.
const MEMORY: f64 = 0.7;
const ROUGH_PASSES: usize = 3;
/// Passes for the linear predictions, which depend on each other's errors.
const LINEAR_PASSES: usize = 6;
/// Passes that count classes.
const COUNT_PASSES: usize = 1;
/// Passes of Newton's method for the powers of what happened.
const POWER_PASSES: usize = 4;
/// Passes for the weights of mixtures.
const WEIGHT_PASSES: usize = 2;
pub(super) const PASSES: usize = LINEAR_PASSES + COUNT_PASSES + POWER_PASSES + WEIGHT_PASSES;
/// The start of powers, to which they are held as if by so many decisions.
const POWER_START: f64 = 0.25;
const POWER_HOLD: f64 = 20.0;
/// The classes of a number that was rarely seen are as if the logistic distribution had been seen so often.
const PRIOR_COUNT: f64 = 4.0;
/// Each class of what happened is as if it had been seen so often.
const HAPPENED_PRIOR: f64 = 0.05;

/// A coder that writes nothing and watches.
pub(super) struct Watcher {
    /// Equations of each of [`DISTANCES`].
    linear: Vec<Vec<Equations<FEATURES>>>,
    /// Index of the distance that is watched.
    pub(super) distance: usize,
    classes: Vec<[u32; CLASSES]>,
    /// False where distributions of numbers are given.
    counts_numbers: bool,
    chances: Vec<[u32; 2]>,
    parts: Vec<[f64; INPUTS]>,
    products: Vec<Equations<PRODUCT_INPUTS>>,
    powers: [[f64; PRODUCT_INPUTS]; HAPPENED_SETS],
    /// Parts of the distributions that were mixed last.
    last_parts: [f64; INPUTS],
    pub(super) stage: Stage,
    pub(super) pass: usize,
    pub(super) looks: bool,
    pub(super) cost_65536ths: u64,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stage {
    Linear,
    Counts,
    Powers,
    Weights,
}

impl Watcher {
    /// Newton's step of multinomial regression on the logs.
    fn product(&mut self, set: usize, logs: [&Logs; PRODUCT_INPUTS], class: usize) {
        let powers = self.powers[set];
        let logs = logs.map(|logs| logs.map(|log| f64::from(log) * core::f64::consts::LN_2));
        let sum =
            |i: usize| -> f64 { (0..PRODUCT_INPUTS).map(|at| logs[at][i] * powers[at]).sum() };
        let sums: [f64; HAPPENED_CLASSES] = core::array::from_fn(sum);
        let most = sums.iter().copied().fold(f64::MIN, f64::max);
        let shares = sums.map(|sum| libm::exp(sum - most));
        let all: f64 = shares.iter().sum();
        let means = logs.map(|logs| -> f64 {
            logs.iter()
                .zip(&shares)
                .map(|(log, share)| log * share / all)
                .sum()
        });
        let equations = &mut self.products[set];
        for (i, share) in shares.iter().enumerate() {
            let apart: [f32; PRODUCT_INPUTS] =
                core::array::from_fn(|at| (logs[at][i] - means[at]) as f32);
            let now: f64 = (0..PRODUCT_INPUTS)
                .map(|at| f64::from(apart[at]) * powers[at])
                .sum();
            let came = f64::from(u8::from(i == class));
            equations.add(&apart, share / all, share / all * now + came);
        }
    }

    fn spend(&mut self, probability: u32) {
        self.cost_65536ths += u64::from((16 << 16) - log2_65536ths(probability));
    }
}

impl Coder for Watcher {
    fn code(&mut self, p_true: u32, bit: bool) -> bool {
        self.spend(if bit { p_true } else { (1 << 16) - p_true });
        bit
    }

    fn code_uniform(&mut self, value: u32, bits: u32) -> u32 {
        self.cost_65536ths += u64::from(bits) << 16;
        value
    }
}

impl SymbolCoder for Watcher {
    fn symbol(&mut self, end: impl Fn(usize) -> u16, class: usize) -> usize {
        let before = u32::from(end(class.wrapping_sub(1) & LAST));
        let to = if class == LAST {
            1 << 16
        } else {
            u32::from(end(class))
        };
        self.spend(to - before);
        class
    }
}

impl CoderObserver for Watcher {
    fn fits(&self) -> bool {
        self.stage == Stage::Linear
    }

    fn predicted(&mut self, row: usize, features: &[f32; FEATURES], target: f32, weight: f32) {
        if self.looks && self.stage == Stage::Linear {
            let weight = f64::from(weight);
            self.linear[self.distance][row].add(features, weight, weight * f64::from(target));
        }
    }

    fn mixed(&mut self, parts: &[f32; INPUTS], sum: f32) {
        self.last_parts = parts.map(|part| f64::from(part / sum));
    }

    fn classified(&mut self, set: Option<usize>, rows: &[usize], class: usize) {
        let weight = COUNT_WEIGHTS[self.distance];
        match self.stage {
            _ if !self.looks => {}
            Stage::Linear => {}
            Stage::Counts => rows
                .iter()
                .for_each(|&row| self.classes[row][class] += weight),
            Stage::Weights => {
                if let Some(set) = set {
                    for (sum, part) in self.parts[set].iter_mut().zip(self.last_parts) {
                        *sum += part;
                    }
                }
            }
            Stage::Powers => {}
        }
    }

    fn happened(
        &mut self,
        set: usize,
        rows: &[usize; PRODUCT_INPUTS],
        logs: [&Logs; PRODUCT_INPUTS],
        class: usize,
    ) {
        let weight = COUNT_WEIGHTS[self.distance];
        match self.stage {
            _ if !self.looks => {}
            Stage::Linear => {}
            Stage::Counts => {
                for row in rows {
                    self.classes[OWN_ROWS + row][class] += weight;
                }
            }
            Stage::Powers => self.product(set, logs, class),
            Stage::Weights => {}
        }
    }

    fn chanced(&mut self, at: usize, value: bool) {
        if self.looks && self.stage == Stage::Counts {
            self.chances[at][usize::from(value)] += COUNT_WEIGHTS[self.distance];
        }
    }
}

impl Watcher {
    pub(super) fn new(counts_numbers: bool) -> Self {
        Self {
            counts_numbers,
            linear: vec![vec![Equations::NONE; LINEAR_ROWS]; DISTANCES.len()],
            distance: 0,
            classes: vec![[0; CLASSES]; ROW_COUNT],
            chances: vec![[0; 2]; CHANCES],
            parts: vec![[0.0; INPUTS]; NUMBER_SETS],
            products: vec![Equations::NONE; HAPPENED_SETS],
            powers: [[0.25; PRODUCT_INPUTS]; HAPPENED_SETS],
            last_parts: [0.0; INPUTS],
            stage: Stage::Linear,
            pass: 0,
            looks: true,
            cost_65536ths: 0,
        }
    }

    /// Before each pass.
    pub(super) fn begin(&mut self, pass: usize) {
        self.pass = pass;
        self.stage = match pass {
            _ if pass < LINEAR_PASSES => Stage::Linear,
            _ if pass < LINEAR_PASSES + COUNT_PASSES => Stage::Counts,
            _ if pass < LINEAR_PASSES + COUNT_PASSES + POWER_PASSES => Stage::Powers,
            _ => Stage::Weights,
        };
        self.cost_65536ths = 0;
        let memory = if pass < ROUGH_PASSES { 0.0 } else { MEMORY };
        let equations = self.linear.iter_mut().flatten();
        equations.for_each(|sums| sums.fade(memory));
        self.classes.fill([0; CLASSES]);
        self.chances.fill([0; 2]);
        self.parts.fill([0.0; INPUTS]);
        self.products.fill(Equations::NONE);
    }

    pub(super) fn improve(&mut self, tables: &mut Stored) {
        match self.stage {
            Stage::Linear => {
                let solved = self.linear.iter().map(|linear| solve_linear(linear));
                tables.store_linear(&solved.collect());
            }
            Stage::Counts => self.store_counts(tables),
            Stage::Powers => {
                for (set, powers) in self.powers.iter_mut().enumerate() {
                    let mut held = self.products[set].clone();
                    for i in 0..PRODUCT_INPUTS {
                        held.matrix[i][i] += POWER_HOLD;
                        held.vector[i] += POWER_HOLD * POWER_START;
                    }
                    *powers = held.solve(&[0.0; PRODUCT_INPUTS], 0.0);
                    tables.store_powers(set, powers);
                }
            }
            Stage::Weights => {
                for (set, parts) in self.parts.iter().enumerate() {
                    let sum: f64 = parts.iter().sum();
                    let count = sum + f64::from(u8::from(sum == 0.0));
                    tables.store_weights(set, &parts.map(|part| part / count));
                }
            }
        }
    }

    /// Rows that were rarely seen lean on what is expected of them.
    fn store_counts(&self, tables: &mut Stored) {
        let first = if self.counts_numbers { 0 } else { NUMBER_COUNT };
        for (row, classes) in self.classes.iter().enumerate().skip(first) {
            let shares: Vec<f64> = if row < NUMBER_COUNT {
                let prior = prior_of_number(row);
                classes
                    .iter()
                    .zip(prior)
                    .map(|(&count, share)| f64::from(count) + PRIOR_COUNT * share)
                    .collect()
            } else {
                let classes = classes[..HAPPENED_CLASSES].iter();
                classes
                    .map(|&count| f64::from(count) + HAPPENED_PRIOR)
                    .collect()
            };
            tables.store_row(row, &shares);
        }
        for (at, &[no, yes]) in self.chances.iter().enumerate() {
            let (no, yes) = (f64::from(no), f64::from(yes));
            let prior = if at < QUIET_CHANCES { 0.01 } else { 0.7 };
            tables.store_chance(at, (yes + prior) / (no + yes + 1.0));
        }
    }
}

/// The shape to expect of a row of a number.
fn shape_of_row(row: usize) -> Shape {
    let row = row % (SHAPES + SCALES / 2 * ERRORS);
    let (scale, fraction) = match (
        row.checked_sub(SHAPES),
        row.checked_sub(SHAPES - (SCALES - 16)),
    ) {
        (Some(row), _) => (row / ERRORS * 2 + 1, 3),
        (None, Some(row)) => (row + 16, 3),
        (None, None) => (row / 8, row % 8),
    };
    Shape { scale, fraction }
}

/// Shares of the classes of a number's row by the logistic distribution of its scale.
fn prior_of_number(row: usize) -> [f64; CLASSES] {
    let shape = shape_of_row(row);
    let mean = (shape.fraction as f64 + 0.5) / 16.0;
    let scale = libm::exp2((shape.scale as f64 - 12.0) / 4.0);
    let alphabet = shape.alphabet();
    let below = |x: f64| 1.0 / (1.0 + libm::exp(-(x - mean) / scale));
    let between = |from: f64, to: f64| (below(to) - below(from)).max(0.0);
    let largest = f64::from(LARGEST[alphabet]) + 0.5;
    let mut shares = [1.0e-4; CLASSES];
    for (class, share) in shares.iter_mut().enumerate().take(ESCAPE) {
        let of = if alphabet < 2 {
            class.div_ceil(2)
        } else {
            class
        };
        let (least, bits) = sizes_of(alphabet, of);
        let (from, to) = (f64::from(least) - 0.5, f64::from(least + (1 << bits)) - 0.5);
        *share += match (alphabet, class) {
            (_, 0) => between(-0.5, 0.5),
            (0 | 1, _) if class & 1 == 1 => between(from, to),
            (0 | 1, _) => between(-to, -from),
            _ => between(from, to) + between(-to, -from),
        };
    }
    shares[ESCAPE] += below(-largest) + 1.0 - below(largest);
    shares
}

/// Each situation leans on all of them together.
fn solve_linear(linear: &[Equations<FEATURES>]) -> Vec<[f32; FEATURES]> {
    let mut rows = Vec::with_capacity(linear.len());
    for equations in linear.chunks(SITUATIONS) {
        let mut together = Equations::NONE;
        equations.iter().for_each(|one| together.merge(one));
        let common = together.solve(&[0.0; FEATURES], 1.0e-6);
        for equations in equations {
            let solved = equations.solve(&common, 1.0e-3);
            rows.push(solved.map(|c| c.clamp(-31.0, 31.0) as f32));
        }
    }
    rows
}
