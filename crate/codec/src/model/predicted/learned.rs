//! Statistics that both ends learn from the packets of a stream, in addition to the trained tables.
//!
//! Class `chained` starts each packet with the statistics that it had after the baseline; class `strict` starts each packet
//! anew.

use super::contest::{CorrectedContest, RivalRecord};
use super::mixture::{self, FACTORS, Factors, Powers, Weights};
use super::shape::{ALPHABETS, FINE_SCALES, SCALES, Shape};
use super::tables::{HAPPENED_SETS, NUMBER_KINDS, NUMBER_SETS, Tables};
use crate::format::Format;
use crate::model::logarithms::exp2;
use crate::model::symbols::{CLASSES, ClassEnds, Distributions};
use crate::rungs::Class;

/// Number of learned distributions in the mixture that codes a number; as many come from the tables.
pub(super) const LEARNED: usize = 2;
pub(super) const OWN_ERRORS: usize = 8;
pub(super) const ERRORS_BEFORE: usize = 2;
/// Number of contests between predictions: a cube has neighbours or not, is near the player or not, moves or not.
const CONTESTS: usize = 8;
/// Number of learned distributions, for each kind of number, that are selected by the shape of the expected distribution.
const BY_SHAPE: usize = SCALES;
const BY_ERRORS: usize = OWN_ERRORS * ERRORS_BEFORE * ALPHABETS;
const KIND_CONTEXTS: usize = BY_SHAPE + BY_ERRORS;
/// Numbers of sets of learned factors for the change symbol, in each of its three contexts.
pub(super) const HAPPENED: [usize; FACTORS] = [128, 128, 48];
/// Number of groups of quiet cubes by their distance from the player. Each has a learned correction of the tables' probability
/// of a change.
pub(super) const QUIET_GROUPS: usize = 4;
/// Factor by which the counts of quiet cubes shrink from one packet to the next.
const QUIET_MEMORY: f32 = 0.98;
/// Number of contexts for the index of an orientation's largest component. Two flags code it: is it the predicted largest, and
/// is it the second largest? Each flag has 32 classes of that component's lead over the next smaller one.
pub(super) const LARGEST_CONTEXTS: usize = 2 * 32;

/// The number that stands for a learned probability of 1.
const CHANCE_ONE: f32 = 65_536.0;

/// The likeliest exponent of an escape, a number too large for its alphabet of size classes, by alphabet. Each exponent farther
/// away is less likely by 2^-`ESCAPE_SLOPE`.
const ESCAPES: [f32; ALPHABETS] = [1.0, 2.5, 6.5];
const ESCAPE_SLOPE: f32 = 0.75;

/// Returns the initial distribution of the exponent in an alphabet's escapes.
pub(super) fn escapes(alphabet: usize) -> ClassEnds {
    let share = |exponent: usize| {
        let apart = (exponent as f32 - ESCAPES[alphabet]).abs();
        exp2(apart * -ESCAPE_SLOPE)
    };
    mixture::ends_of::<CLASSES>(&core::array::from_fn(share))
}

/// Initial trust in the trained tables: lower for motions unlike those that they were trained on.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableTrust {
    /// Starting weights of the tables' distributions together, and of the learned ones together; `None` takes the trained
    /// weights.
    weights: Option<[f32; 2]>,
    /// Rate at which a mixture's weights adapt.
    rate: f32,
    /// Extra loss that each rival of the tables' predictions starts with, so that the tables are preferred at first.
    head_start: f32,
    /// Age with which a learned distribution starts, as a copy of one from the tables. The age sets how fast it adapts.
    age: u8,
    /// True if changes of quiet cubes are learned without the tables.
    quiet: bool,
    /// True if all numbers have the alphabet of large scales. Displacements of unknown bodies differ too much for finer ones:
    /// half of them may be 0.
    coarse: bool,
}

impl TableTrust {
    /// Trust in the trained tables if the world has a player, as those of the training have.
    pub(super) const TRAINED: Self = Self {
        weights: None,
        rate: 0.005,
        head_start: 1.0,
        age: 5,
        quiet: false,
        coarse: false,
    };
    /// Trust for a motion without a player.
    pub(super) const FOREIGN: Self = Self {
        weights: Some([0.2, 0.8]),
        rate: 0.2,
        head_start: -0.3,
        age: 0,
        quiet: true,
        coarse: true,
    };
}

/// Numbers of changed quiet cubes in a distance group: the number that changed, and the predicted number, a sum of
/// probabilities.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QuietCounts {
    pub(super) changed: f32,
    pub(super) expected: f32,
}

impl QuietCounts {
    /// Returns the factor that corrects the tables' probability of a change.
    pub(super) fn factor(&self) -> f32 {
        (self.changed + 4.0) / (self.expected + 4.0)
    }

    /// Returns the probability of a change where the tables give none: the estimator of Krichevsky and Trofimov (1981).
    pub(super) fn probability(&self) -> f32 {
        (self.changed + 0.5) / (self.expected + 1.0)
    }
}

/// All learned statistics; their size does not depend on the number of cubes.
#[derive(Clone, Debug)]
pub(crate) struct LearnedState {
    trust: TableTrust,
    /// True until the starting weights are set.
    is_new: bool,
    pub(super) numbers: Distributions<{ NUMBER_KINDS * KIND_CONTEXTS }>,
    /// Learned factors of the change symbol's classes, as log2 in steps of `FACTOR_UNIT`.
    pub(super) happened: [Factors; HAPPENED[0] + HAPPENED[1] + HAPPENED[2]],
    pub(super) powers: [Powers; HAPPENED_SETS],
    pub(super) escapes: Distributions<ALPHABETS>,
    /// Change symbols of quiet cubes without and with neighbours, where the tables do not give them.
    pub(super) happened_in_quiet: Distributions<2>,
    pub(super) weights: [Weights; NUMBER_SETS],
    pub(super) quiet: [QuietCounts; QUIET_GROUPS],
    /// Learned probabilities of the largest component, out of 65,536; 0 before the first use of a context.
    largest: [u16; LARGEST_CONTEXTS],
    /// Records of the contests of displacements (0) and of rotations (1), for each situation of a cube.
    contests: [[RivalRecord; 2]; CONTESTS],
    error_contests: [[CorrectedContest; 2]; CONTESTS],
}

impl LearnedState {
    pub(super) fn new(format: &Format) -> Self {
        let mut trust = match format.player() {
            Some(_) => TableTrust::TRAINED,
            None => TableTrust::FOREIGN,
        };
        trust.coarse &= format.class() == Class::Strict;
        Self {
            trust,
            is_new: true,
            numbers: Distributions::OPEN,
            happened: [Factors::default(); HAPPENED[0] + HAPPENED[1] + HAPPENED[2]],
            powers: [Powers::default(); HAPPENED_SETS],
            escapes: Distributions::OPEN,
            happened_in_quiet: Distributions::OPEN,
            weights: [Weights::default(); NUMBER_SETS],
            quiet: [QuietCounts::default(); QUIET_GROUPS],
            largest: [0; LARGEST_CONTEXTS],
            contests: [[RivalRecord::new(trust.head_start); 2]; CONTESTS],
            error_contests: [[CorrectedContest::new(trust.head_start); 2]; CONTESTS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.is_new = true;
        self.numbers.clear();
        self.happened.fill(Factors::default());
        self.escapes.clear();
        self.happened_in_quiet.clear();
        self.quiet.fill(QuietCounts::default());
        self.largest.fill(0);
        let head_start = self.trust.head_start;
        self.contests.fill([RivalRecord::new(head_start); 2]);
        self.error_contests
            .fill([CorrectedContest::new(head_start); 2]);
    }

    /// Prepares for a packet: sets the starting weights once, and lets the counts of quiet cubes decay.
    pub(super) fn begin(&mut self, tables: &Tables) {
        if self.is_new {
            self.is_new = false;
            self.weights = tables.weights;
            self.powers = tables.powers;
            if let Some([of_tables, of_learned]) = self.trust.weights {
                let weights = core::array::from_fn(|at| match at {
                    _ if at < LEARNED => of_tables / LEARNED as f32,
                    _ => of_learned / LEARNED as f32,
                });
                self.weights.fill(weights);
            }
        }
        for quiet in &mut self.quiet {
            quiet.changed *= QUIET_MEMORY;
            quiet.expected *= QUIET_MEMORY;
        }
    }

    pub(super) fn rate(&self) -> f32 {
        self.trust.rate
    }

    /// Age with which a learned distribution starts.
    pub(super) fn age(&self) -> u8 {
        self.trust.age
    }

    /// Returns true if changes of quiet cubes are learned without the tables.
    pub(super) fn learns_quiet(&self) -> bool {
        self.trust.quiet
    }

    /// Returns the least scale of a number's shape.
    pub(super) fn least_scale(&self) -> usize {
        if self.trust.coarse { FINE_SCALES } else { 0 }
    }

    /// Returns the factor of each group's chances of a change.
    pub(super) fn quiet_factors(&self) -> [f32; QUIET_GROUPS] {
        match self.trust.quiet {
            true => self.quiet.map(|quiet| quiet.probability()),
            false => self.quiet.map(|quiet| quiet.factor()),
        }
    }

    /// Returns the record of the contest of displacements (0) or rotations (1), for cubes in this situation.
    #[inline(always)]
    pub(super) fn contest(&mut self, which: usize, situation: usize) -> &mut RivalRecord {
        &mut self.contests[contest_of(situation)][which]
    }

    /// Returns the record of the contest of predicted error sizes, for cubes in this situation. `which` is 0 for displacements
    /// and 1 for rotations.
    #[inline(always)]
    pub(super) fn error_contest(
        &mut self,
        which: usize,
        situation: usize,
    ) -> &mut CorrectedContest {
        &mut self.error_contests[contest_of(situation)][which]
    }

    /// Returns the indices of the two learned distributions that code a number: by the scale of its shape, and by known errors.
    #[inline(always)]
    pub(super) fn number_places(
        kind: usize,
        alphabet: usize,
        shape: Shape,
        errors: usize,
    ) -> [usize; LEARNED] {
        let of_kind = kind * KIND_CONTEXTS;
        let by_errors = of_kind + BY_SHAPE;
        [
            of_kind + (shape.scale & !1 | usize::from(shape.fraction >= 4)),
            by_errors + alphabet * (OWN_ERRORS * ERRORS_BEFORE) + errors,
        ]
    }

    /// Returns the indices of the learned factors for the change symbol, one for each of its three contexts.
    #[inline(always)]
    pub(super) fn happened_places(contexts: [usize; FACTORS]) -> [usize; FACTORS] {
        debug_assert!(contexts.iter().zip(HAPPENED).all(|(&at, count)| at < count));
        [
            contexts[0],
            HAPPENED[0] + contexts[1],
            HAPPENED[0] + HAPPENED[1] + contexts[2],
        ]
    }

    /// Returns the probability that a component is the largest, out of 65,536: the mean of the tables' and the learned
    /// probability.
    pub(super) fn largest(&mut self, context: usize, chance: f32) -> u32 {
        let of_tables = (chance * CHANCE_ONE).clamp(32.0, 65_504.0) as u32;
        let learned = &mut self.largest[context];
        if *learned == 0 {
            *learned = of_tables as u16;
        }
        (of_tables + u32::from(*learned)) / 2
    }

    /// Adapts the learned probability that a component is the largest, now that `value` says whether it was.
    pub(super) fn learn_largest(&mut self, context: usize, value: bool) {
        let learned = &mut self.largest[context];
        let target: u16 = if value { 65_504 } else { 32 };
        *learned = if value {
            *learned + ((target - *learned) >> 5)
        } else {
            *learned - ((*learned - target) >> 5)
        };
    }
}

/// Returns the index (0 to 7) of the contest for a situation. It leaves out the bit "on the floor", which makes little
/// difference.
fn contest_of(situation: usize) -> usize {
    situation & 1 | situation >> 1 & 6
}
