//! A blind test in progress. It chooses the next level, draws whether X is A or B, and estimates the threshold from the
//! answers.

use super::axis::{AxisError, AxisRow};
use super::outcome::Outcome;
use super::psi::{Psi, rising};
use super::trials::Trial;
use snapshot_base::random::KeyedDraw;

/// Number of trials of a test of lane A against lane B. In 3.8 % of all tests, a guesser gives at least twelve right answers.
pub const PAIR_TRIALS: usize = 16;
/// Number of trials of a test of an axis, after which its threshold is well known.
pub const THRESHOLD_TRIALS: usize = 40;
/// Stream of the draws that make X equal to A or to B.
const X_DRAWS: u32 = 0x7e11;

/// One of the two pictures that a person is to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    A,
    B,
}

impl Side {
    /// Returns the side with a name; `None` if there is none.
    pub fn find(name: &str) -> Option<Side> {
        [Side::A, Side::B]
            .into_iter()
            .find(|side| side.id() == name)
    }

    pub fn id(self) -> &'static str {
        match self {
            Side::A => "a",
            Side::B => "b",
        }
    }
}

/// The two pictures that a test compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// Lanes A and B of the laboratory, as they are set.
    Pair,
    /// The reference of an axis, and a level of it that each trial chooses anew.
    Axis(&'static AxisRow),
}

impl Test {
    /// Finds a test by its name in links and files.
    ///
    /// # Errors
    /// When there is no such test.
    pub fn find(id: &str) -> Result<Test, AxisError> {
        match id {
            "pair" => Ok(Test::Pair),
            _ => AxisRow::find(id).map(Test::Axis),
        }
    }

    pub fn id(self) -> &'static str {
        match self {
            Test::Pair => "pair",
            Test::Axis(row) => row.id,
        }
    }

    /// Number of counted trials after which the test is over.
    pub fn trials(self) -> usize {
        match self {
            Test::Pair => PAIR_TRIALS,
            Test::Axis(_) => THRESHOLD_TRIALS,
        }
    }
}

/// The estimate of a threshold: the levels of an axis, least bad first, and the probability of each possible threshold after
/// the answers.
pub(super) struct Estimate {
    /// Levels in the order of `psi`, in the axis's unit.
    pub(super) levels: Vec<f64>,
    pub(super) psi: Psi,
}

impl Estimate {
    pub(super) fn new(row: &AxisRow) -> Estimate {
        let decades: Vec<_> = row.levels.iter().map(|it| row.scale.decades(*it)).collect();
        let steps = rising(&decades);
        Estimate {
            levels: steps.iter().map(|(place, _)| row.levels[*place]).collect(),
            psi: Psi::new(steps.iter().map(|(_, decades)| *decades).collect()),
        }
    }

    pub(super) fn add(&mut self, trial: &Trial) {
        if let Some(step) = self.levels.iter().position(|level| *level == trial.level) {
            self.psi.add(step, trial.is_right());
        }
    }

    fn next_level(&self) -> f64 {
        self.levels[self.psi.next_level()]
    }
}

/// A blind test of one person.
pub struct TestRun {
    test: Test,
    seed: u32,
    estimate: Option<Estimate>,
    trials: Vec<Trial>,
}

impl TestRun {
    /// Creates a test that continues after these trials. Trials of other tests are left out. In each trial the seed decides
    /// whether X is A or B.
    pub fn new(test: Test, seed: u32, trials: Vec<Trial>) -> TestRun {
        let mut session = TestRun {
            test,
            seed,
            estimate: match test {
                Test::Pair => None,
                Test::Axis(row) => Some(Estimate::new(row)),
            },
            trials: Vec::new(),
        };
        let own = trials.into_iter().filter(|trial| trial.test == test);
        own.for_each(|trial| session.add(trial));
        session
    }

    pub fn test(&self) -> Test {
        self.test
    }

    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Number of trials whose answer counts.
    pub fn counted(&self) -> usize {
        self.trials.iter().filter(|trial| trial.counts()).count()
    }

    pub fn is_done(&self) -> bool {
        self.counted() >= self.test.trials()
    }

    /// The level of the present trial; 0 for a test of lane A against lane B.
    pub fn level(&self) -> f64 {
        self.estimate.as_ref().map_or(0.0, Estimate::next_level)
    }

    /// The side that X is in the present trial: a fair random draw, which depends on no earlier answer.
    pub fn x(&self) -> Side {
        let draw = KeyedDraw::new(self.seed, X_DRAWS).with(self.trials.len() as u64);
        if draw.unit() < 0.5 { Side::A } else { Side::B }
    }

    /// Adds an answered trial. A trial that does not count is stored, and its level is tried again.
    pub fn add(&mut self, trial: Trial) {
        if let Some(estimate) = &mut self.estimate
            && trial.counts()
        {
            estimate.add(&trial);
        }
        self.trials.push(trial);
    }

    pub fn outcome(&self) -> Outcome {
        let counted = self.trials.iter().filter(|trial| trial.counts());
        let right = counted.filter(|trial| trial.is_right()).count();
        match (self.test, &self.estimate) {
            (Test::Axis(row), Some(estimate)) => {
                Outcome::of_estimate(row, estimate, right, self.counted())
            }
            (Test::Pair, _) | (Test::Axis(_), None) => Outcome::of_pair(right, self.counted()),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::trials::Screen;
    use super::*;

    pub(in super::super) fn answered(session: &TestRun, is_right: bool) -> Trial {
        let x = session.x();
        Trial {
            test: session.test(),
            level: session.level(),
            x,
            answer: match (x, is_right) {
                (side, true) => side,
                (Side::A, false) => Side::B,
                (Side::B, false) => Side::A,
            },
            time_ms: 4000.0,
            drops: 0,
            screen: Screen::default(),
            link: String::new(),
        }
    }

    /// Answers the present trial of a session.
    pub(in super::super) fn answer(session: &mut TestRun, is_right: bool) {
        let trial = answered(session, is_right);
        session.add(trial);
    }

    #[test]
    fn a_trial_with_drops_is_asked_again() {
        let mut session = TestRun::new(Test::find("freeze").unwrap(), 7, Vec::new());
        let level = session.level();
        let mut dropped = answered(&session, false);
        dropped.drops = 1;
        session.add(dropped);
        assert_eq!((session.level(), session.counted()), (level, 0));
        answer(&mut session, true);
        assert_ne!(session.level(), level);
        assert_eq!((session.trials().len(), session.counted()), (2, 1));
    }

    #[test]
    fn a_test_goes_on_where_its_file_ends() {
        let mut session = TestRun::new(Test::find("rate").unwrap(), 3, Vec::new());
        for number in 0..12 {
            answer(&mut session, number % 3 > 0);
        }
        let again = TestRun::new(session.test(), 3, session.trials().to_vec());
        assert_eq!(again.level(), session.level());
        assert_eq!(again.x(), session.x());
        assert_eq!(again.outcome(), session.outcome());
        let other = TestRun::new(Test::Pair, 3, session.trials().to_vec());
        assert_eq!(other.counted(), 0);
    }

    #[test]
    fn x_is_each_side_equally_often_and_follows_no_pattern() {
        let mut is_a = Vec::new();
        for seed in 0..500 {
            let mut session = TestRun::new(Test::Pair, seed, Vec::new());
            for _ in 0..PAIR_TRIALS {
                is_a.push(session.x() == Side::A);
                answer(&mut session, true);
            }
        }
        let count = is_a.len() as f64;
        let share = is_a.iter().filter(|it| **it).count() as f64 / count;
        let repeats = is_a.windows(2).filter(|two| two[0] == two[1]).count() as f64 / count;
        assert!(
            (share - 0.5).abs() < 0.02 && (repeats - 0.5).abs() < 0.02,
            "{share} {repeats}"
        );
    }
}
