//! Adaptive estimate of a threshold: the psi-marginal method.
//!
//! Kontsevich and Tyler 1999 ("Bayesian adaptive estimation of psychometric slope and threshold") choose the level with the
//! least expected entropy of threshold and slope. Prins 2013 ("The psi-marginal adaptive method") takes the entropy of the
//! threshold alone; the slope is summed out. Levels and thresholds are logarithms to base 10, in decades.

/// Share of right answers of a person who guesses: X is A or B.
const GUESSES: f64 = 0.5;
/// Share of answers of a person who does not look (2 %); half of them are right.
const LAPSES: f64 = 0.02;
/// Possible slopes of the psychometric curve, per decade, equally likely at first. The curve is the probability of a right
/// answer by level.
const SLOPES: [f64; 8] = [5.0, 7.0, 10.0, 14.0, 20.0, 28.0, 40.0, 56.0];
/// Distance between neighbouring possible thresholds, decades.
const THRESHOLD_STEP: f64 = 0.01;
/// Distance by which a threshold may lie outside the tried levels, decades.
const BEYOND: f64 = 0.3;
/// Probability below which a threshold is left out of the choice of the next level.
const NEGLIGIBLE: f64 = 1e-7;
/// Probability below the 95 % interval, and above it.
const TAIL: f64 = 0.025;

/// Returns the probability of a right answer at a distance from the threshold (decades): a logistic curve between guessing
/// and the lapses.
pub(super) fn right_probability(distance: f64, slope: f64) -> f64 {
    GUESSES + (1.0 - GUESSES - LAPSES) / (1.0 + libm::exp(-slope * distance))
}

/// Estimate of a threshold, decades, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// Probability of each threshold and slope of the psychometric curve, given the answers so far.
pub struct Psi {
    levels: Vec<f64>,
    thresholds: Vec<f64>,
    /// Probability of each threshold and slope; the slopes of a threshold follow one another.
    weights: Vec<f64>,
    /// Probability of a right answer at each level, for each threshold and slope.
    right: Vec<Vec<f64>>,
}

impl Psi {
    /// Creates an estimate over rising levels, before any answer.
    pub fn new(levels: Vec<f64>) -> Psi {
        let first = levels.first().copied().unwrap_or_default() - BEYOND;
        let last = levels.last().copied().unwrap_or_default() + BEYOND;
        let count = libm::ceil((last - first) / THRESHOLD_STEP) as usize + 1;
        let thresholds: Vec<_> = (0..count)
            .map(|place| first + THRESHOLD_STEP * place as f64)
            .collect();
        let of_level = |level: &f64| {
            let pairs = thresholds
                .iter()
                .flat_map(|at| SLOPES.map(|slope| (level - at, slope)));
            pairs
                .map(|(distance, slope)| right_probability(distance, slope))
                .collect()
        };
        Psi {
            right: levels.iter().map(of_level).collect(),
            weights: vec![1.0 / (count * SLOPES.len()) as f64; count * SLOPES.len()],
            thresholds,
            levels,
        }
    }

    /// Returns the index of the level to try next: its answer is expected to leave the least entropy of the threshold.
    pub fn next_level(&self) -> usize {
        let likely: Vec<_> = (0..self.thresholds.len())
            .filter(|place| self.marginal(*place) > NEGLIGIBLE)
            .collect();
        let expected = (0..self.levels.len()).map(|level| self.expected_entropy(level, &likely));
        let best = expected
            .enumerate()
            .min_by(|(_, one), (_, other)| one.total_cmp(other));
        best.map_or(0, |(level, _)| level)
    }

    /// Adds an answer at a level, given by its index.
    pub fn add(&mut self, level: usize, is_right: bool) {
        for (weight, right) in self.weights.iter_mut().zip(&self.right[level]) {
            *weight *= if is_right { *right } else { 1.0 - right };
        }
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// Returns the estimate of the threshold after the answers so far.
    pub fn threshold(&self) -> Threshold {
        let of = |place: usize| (self.thresholds[place], self.marginal(place));
        let all: Vec<_> = (0..self.thresholds.len()).map(of).collect();
        let quantile = |share: f64| {
            let mut sum = 0.0;
            let at = all.iter().find(|(_, weight)| {
                sum += weight;
                sum >= share
            });
            at.or(all.last()).map_or(0.0, |(at, _)| *at)
        };
        Threshold {
            mean: all.iter().map(|(at, weight)| at * weight).sum(),
            low: quantile(TAIL),
            high: quantile(1.0 - TAIL),
        }
    }

    /// Returns the expected probability of a right answer at a level, over all thresholds and slopes.
    pub fn right_at(&self, level: usize) -> f64 {
        let pairs = self.weights.iter().zip(&self.right[level]);
        pairs.map(|(weight, right)| weight * right).sum()
    }

    fn marginal(&self, threshold: usize) -> f64 {
        let first = threshold * SLOPES.len();
        self.weights[first..first + SLOPES.len()].iter().sum()
    }

    /// Expected entropy of the threshold after an answer at a level, nats. Less is better.
    fn expected_entropy(&self, level: usize, likely: &[usize]) -> f64 {
        let mut answers = [(0.0, 0.0); 2];
        for threshold in likely {
            let first = threshold * SLOPES.len();
            let both = first..first + SLOPES.len();
            let pairs = self.weights[both.clone()]
                .iter()
                .zip(&self.right[level][both]);
            let (mut right, mut wrong) = (0.0, 0.0);
            for (weight, is_right) in pairs {
                right += weight * is_right;
                wrong += weight * (1.0 - is_right);
            }
            for ((sum, logs), part) in answers.iter_mut().zip([right, wrong]) {
                *sum += part;
                *logs += part * libm::log(part.max(f64::MIN_POSITIVE));
            }
        }
        let entropies = answers.map(|(sum, logs)| sum * libm::log(sum) - logs);
        entropies.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_base::random::Stream;

    const TRIALS: usize = 40;
    const LEVELS: usize = 17;

    /// Runs of an observer with a known threshold and slope: mean error and mean absolute error, as parts of the threshold,
    /// and the share of intervals that hold the threshold.
    fn observed(slope: f64, runs: u32) -> (f64, f64, f64) {
        let levels: Vec<_> = (0..LEVELS).map(|level| 0.125 * level as f64).collect();
        let (mut error, mut distance, mut held) = (0.0, 0.0, 0.0);
        for run in 0..runs {
            let mut draws = Stream::new(run, slope as u32);
            let truth = draws.between(0.6, 1.4);
            let mut psi = Psi::new(levels.clone());
            for _ in 0..TRIALS {
                let level = psi.next_level();
                let share = right_probability(levels[level] - truth, slope);
                psi.add(level, draws.unit() < share);
            }
            let found = psi.threshold();
            let part = libm::exp10(found.mean - truth) - 1.0;
            error += part;
            distance += part.abs();
            held += f64::from(u8::from((found.low..=found.high).contains(&truth)));
        }
        let runs = f64::from(runs);
        (error / runs, distance / runs, held / runs)
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_known_threshold_is_found() {
        for slope in [10.0, 20.0, 40.0] {
            let (bias, distance, held) = observed(slope, 45);
            println!("slope {slope}: bias {bias:.3}, mean error {distance:.3}, held {held:.4}");
            assert!(bias.abs() < 0.1, "{slope}: bias {bias}");
            assert!(distance < 0.2, "{slope}: mean error {distance}");
            assert!(held >= 0.93, "{slope}: {held} of the intervals hold it");
        }
    }

    #[test]
    fn before_any_answer_nothing_is_known() {
        let psi = Psi::new(vec![0.0, 1.0, 2.0]);
        let Threshold { mean, low, high } = psi.threshold();
        assert!(
            (mean - 1.0).abs() < 1e-9 && low < -0.2 && high > 2.2,
            "{mean} {low} {high}"
        );
        assert_eq!(psi.next_level(), 1);
    }

    #[test]
    fn right_answers_lower_the_threshold() {
        let mut psi = Psi::new(vec![0.0, 0.5, 1.0]);
        let before = psi.threshold().mean;
        (0..8).for_each(|_| psi.add(1, true));
        let after = psi.threshold();
        assert!(after.mean < before && after.high < 0.55, "{after:?}");
        assert!(psi.right_at(2) > psi.right_at(0));
    }
}
