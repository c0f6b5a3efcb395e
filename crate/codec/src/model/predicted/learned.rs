//! Knowledge that both ends gain from decoded packets, beside the tables.
//!
//! Each decision is mixed from the tables' logit and from those of two counters, by weights that adapt, after the mixers of
//! the PAQ family. A counter that has not been seen says what the tables say. Class `chained` goes on from what was learned
//! up to the baseline, class `strict` begins anew with each packet.

use alloc::vec;
use alloc::vec::Vec;

use super::contest::Contest;
use super::shape::NODES;
use super::tables::{FLAGS, Linear, NUMBERS, SCALES, SITUATIONS};
use crate::history::room;
use crate::model::logistic::{LOGIT_LIMIT, LOGIT_STEPS, ONE, Probabilities};

/// Counters of a decision.
pub(super) const COUNTERS: usize = 2;
/// Contexts of a number: its expected scale; sizes of errors that are known of this cube.
const NUMBER_CONTEXTS: [usize; COUNTERS] = [SCALES / 2, OWN_ERRORS * ERRORS_BEFORE];
pub(super) const OWN_ERRORS: usize = 8;
pub(super) const ERRORS_BEFORE: usize = 4;
/// Contexts of a flag, of either counter.
pub(super) const FLAG_CONTEXTS: usize = 128;
/// Contests of a linear prediction: neighbours or not, near the player or not, moving or not.
const CONTESTS: usize = 8;

/// A counter moves by 1 / its age, which ends here.
const AGE_MAX: u16 = 40;
/// A counter's probability keeps this far from certainty.
const COUNTER_LEAST: f32 = 32.0;

/// The start of what is learned: how far the tables are trusted on such a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trust {
    /// Weight of the tables' logit; the counters share the rest.
    tables: f32,
    /// A counter begins as if it had been seen so often.
    age: u16,
    /// By which the weights move, for each logit and unit of error.
    rate: f32,
    /// The rivals of the tables begin with so much more loss.
    head_start: f32,
}

impl Trust {
    /// A world with a player, as those that the tables were trained on.
    pub(super) const TRAINED: Self = Self {
        tables: 0.75,
        age: 10,
        rate: 0.01,
        head_start: 1.0,
    };
    /// A motion in which nobody is the player.
    pub(super) const FOREIGN: Self = Self {
        tables: 0.2,
        age: 3,
        rate: 0.02,
        head_start: 0.0,
    };

    fn weights(&self) -> [f32; COUNTERS + 1] {
        let rest = (1.0 - self.tables) * 0.5;
        [self.tables, rest, rest]
    }
}

/// A probability that adapts, out of 65,536; 0 where it has not been seen.
#[derive(Clone, Copy, Debug)]
struct Counter {
    p: u16,
    age: u16,
}

/// Everything that is learned from packets, whatever the number of cubes.
#[derive(Clone, Debug)]
pub(super) struct Learned {
    trust: Trust,
    /// By number and context, by node.
    numbers: Vec<[Counter; NODES]>,
    /// By flag and context.
    flags: Vec<Counter>,
    number_weights: [[[f32; COUNTERS + 1]; NODES]; NUMBERS],
    flag_weights: [[f32; COUNTERS + 1]; FLAGS],
    contests: [Contest; Linear::COUNT * CONTESTS],
}

impl Learned {
    pub(super) fn new(has_player: bool) -> Self {
        let trust = if has_player {
            Trust::TRAINED
        } else {
            Trust::FOREIGN
        };
        let counter = Counter {
            p: 0,
            age: trust.age,
        };
        let number_rows = NUMBERS * (NUMBER_CONTEXTS[0] + NUMBER_CONTEXTS[1]);
        Self {
            trust,
            numbers: vec![[counter; NODES]; number_rows],
            flags: vec![counter; FLAGS * COUNTERS * FLAG_CONTEXTS],
            number_weights: [[trust.weights(); NODES]; NUMBERS],
            flag_weights: [trust.weights(); FLAGS],
            contests: [Contest::new(trust.head_start); Linear::COUNT * CONTESTS],
        }
    }

    /// Forgets everything; keeps its room.
    pub(super) fn clear(&mut self) {
        let counter = Counter {
            p: 0,
            age: self.trust.age,
        };
        self.numbers.fill([counter; NODES]);
        self.flags.fill(counter);
        self.number_weights = [[self.trust.weights(); NODES]; NUMBERS];
        self.flag_weights = [self.trust.weights(); FLAGS];
        self.contests = [Contest::new(self.trust.head_start); Linear::COUNT * CONTESTS];
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.trust = other.trust;
        self.numbers.clone_from(&other.numbers);
        self.flags.clone_from(&other.flags);
        self.number_weights = other.number_weights;
        self.flag_weights = other.flag_weights;
        self.contests = other.contests;
    }

    /// Bytes of allocated memory, beside itself.
    pub(super) fn held_bytes(&self) -> usize {
        room(&self.numbers) + room(&self.flags)
    }

    /// The contest of a linear prediction in a situation.
    pub(super) fn contest(&mut self, linear: Linear, situation: usize) -> &mut Contest {
        // On the floor or not tells little.
        let at = situation & 1 | situation >> 1 & 6;
        &mut self.contests[linear.row(0) / SITUATIONS * CONTESTS + at]
    }

    /// Rows of the counters of a number.
    pub(super) fn number_rows(number: usize, contexts: [usize; COUNTERS]) -> [usize; COUNTERS] {
        debug_assert!(contexts[0] < NUMBER_CONTEXTS[0] && contexts[1] < NUMBER_CONTEXTS[1]);
        [
            number * NUMBER_CONTEXTS[0] + contexts[0],
            NUMBERS * NUMBER_CONTEXTS[0] + number * NUMBER_CONTEXTS[1] + contexts[1],
        ]
    }

    /// The learned part of a number's decision.
    #[inline(always)]
    pub(super) fn number(
        &mut self,
        number: usize,
        rows: [usize; COUNTERS],
        node: usize,
    ) -> Mixer<'_> {
        let [a, b] = self.numbers.get_disjoint_mut(rows).expect("rows differ");
        Mixer {
            rate: self.trust.rate,
            counters: [&mut a[node], &mut b[node]],
            weights: &mut self.number_weights[number][node],
        }
    }

    /// The learned part of a flag.
    #[inline(always)]
    pub(super) fn flag(&mut self, flag: usize, contexts: [usize; COUNTERS]) -> Mixer<'_> {
        debug_assert!(contexts.into_iter().all(|context| context < FLAG_CONTEXTS));
        let first = flag * COUNTERS * FLAG_CONTEXTS;
        let places = [first + contexts[0], first + FLAG_CONTEXTS + contexts[1]];
        let counters = self.flags.get_disjoint_mut(places);
        Mixer {
            rate: self.trust.rate,
            counters: counters.expect("places differ"),
            weights: &mut self.flag_weights[flag],
        }
    }
}

/// The counters and weights of one decision.
pub(super) struct Mixer<'a> {
    rate: f32,
    counters: [&'a mut Counter; COUNTERS],
    weights: &'a mut [f32; COUNTERS + 1],
}

impl Mixer<'_> {
    /// Decides by the tables' logit, in steps, and by what was learned; learns from the outcome.
    #[inline(always)]
    pub(super) fn decide(
        self,
        probabilities: &Probabilities,
        tables_steps: f32,
        decide: impl FnOnce(u32) -> bool,
    ) -> bool {
        let tables_steps = tables_steps.clamp(-LOGIT_LIMIT, LOGIT_LIMIT);
        let [a, b] = &self.counters;
        let logit = |counter: &Counter| match counter.p {
            0 => tables_steps,
            p => probabilities.logit(p),
        };
        let inputs = [tables_steps, logit(a), logit(b)];
        let weights = *self.weights;
        let mixed = inputs[0] * weights[0] + inputs[1] * weights[1] + inputs[2] * weights[2];
        let p_true = probabilities.of(mixed);
        let bit = decide(p_true);
        let target = if bit { (ONE - 1) as f32 } else { 0.0 };
        let step = (target - p_true as f32) * (self.rate / ONE as f32);
        *self.weights =
            core::array::from_fn(|i| weights[i] + step * inputs[i] * (1.0 / LOGIT_STEPS));
        for counter in self.counters {
            if counter.p == 0 {
                counter.p = probabilities.of(tables_steps) as u16;
            }
            let p = f32::from(counter.p);
            let p = p + (target - p) * RATES[usize::from(counter.age)];
            counter.p = p.clamp(COUNTER_LEAST, (ONE - 1) as f32 - COUNTER_LEAST) as u16;
            counter.age = (counter.age + 1).min(AGE_MAX);
        }
        bit
    }
}

/// 1 / age.
static RATES: [f32; AGE_MAX as usize + 1] = rates();

const fn rates() -> [f32; AGE_MAX as usize + 1] {
    let mut rates = [1.0; AGE_MAX as usize + 1];
    let mut age = 2;
    while age < rates.len() {
        rates[age] = 1.0 / age as f32;
        age += 1;
    }
    rates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probability of a flag after it came out so, where the tables leave it open.
    fn after(learned: &mut Learned, contexts: [usize; COUNTERS], outcomes: &[bool]) -> u32 {
        let probabilities = Probabilities::new();
        let mut last = 0;
        for &outcome in outcomes {
            let mixer = learned.flag(2, contexts);
            mixer.decide(&probabilities, 0.0, |p| {
                last = p;
                outcome
            });
        }
        last
    }

    #[test]
    fn an_unseen_context_says_what_the_tables_say() {
        for has_player in [false, true] {
            let mut learned = Learned::new(has_player);
            let probabilities = Probabilities::new();
            for steps in [-2560.0, -300.0, 0.0, 77.0, 2560.0_f32] {
                let mut found = 0;
                let mixer = learned.number(1, Learned::number_rows(1, [3, 7]), 5);
                mixer.decide(&probabilities, steps, |p| {
                    found = p;
                    true
                });
                let expected = probabilities.of(steps);
                assert!(found.abs_diff(expected) <= 1, "{found} {expected}");
                learned.clear();
            }
        }
    }

    #[test]
    fn what_comes_again_and_again_is_expected_in_its_context_alone() {
        let mut learned = Learned::new(false);
        assert!(after(&mut learned, [3, 9], &[true; 200]) > 60_000);
        assert!(after(&mut learned, [3, 9], &[false; 200]) < 5_000);
        assert_eq!(after(&mut learned, [4, 10], &[true]), ONE / 2);
        learned.clear();
        assert_eq!(after(&mut learned, [3, 9], &[true]), ONE / 2);
    }

    #[test]
    fn probabilities_stay_within_their_range_for_ever() {
        let mut learned = Learned::new(false);
        for outcome in [true, false] {
            let p = after(&mut learned, [0, 0], &[outcome; 20_000]);
            assert!((1..ONE).contains(&p), "{p}");
            let seen = learned.flags.iter().filter(|counter| counter.p > 0);
            assert!(seen.clone().count() == 2 && seen.clone().all(|counter| counter.p >= 32));
        }
        assert!(
            learned
                .flag_weights
                .as_flattened()
                .iter()
                .all(|w| w.is_finite())
        );
    }
}
