//! A blind test in progress. It chooses the next level, draws whether X is A or B, and estimates the threshold from the
//! answers.

use super::axis::{AxisError, AxisRow};
use super::outcome::{Outcome, PairOutcome};
use super::psi::Psi;
use super::trials::Trial;
use snapshot_base::random::KeyedDraw;

/// Number of trials of a test of lane A against lane B. In 3.8 % of all tests, a guesser gives at least twelve right answers.
const PAIR_TRIALS: usize = 16;
/// Number of trials of a test of an axis, after which its threshold is well known.
const THRESHOLD_TRIALS: usize = 40;
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

/// A blind test of one person.
pub struct TestRun {
    /// The axis, and the estimate of its threshold; `None` for a test of lane A against lane B.
    axis: Option<(&'static AxisRow, Psi)>,
    seed: u32,
    trials: Vec<Trial>,
}

impl TestRun {
    /// Creates a test that continues after these trials. Trials of other tests are left out. In each trial the seed decides
    /// whether X is A or B.
    pub fn new(test: Test, seed: u32, trials: Vec<Trial>) -> TestRun {
        let mut session = TestRun {
            axis: match test {
                Test::Pair => None,
                Test::Axis(row) => Some((row, Psi::new(row.decades()))),
            },
            seed,
            trials: Vec::new(),
        };
        let own = trials.into_iter().filter(|trial| trial.test == test);
        own.for_each(|trial| session.add(trial));
        session
    }

    pub fn test(&self) -> Test {
        self.axis
            .as_ref()
            .map_or(Test::Pair, |(row, _)| Test::Axis(row))
    }

    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Number of trials whose answer counts.
    pub fn counted(&self) -> usize {
        self.trials.iter().filter(|trial| trial.counts()).count()
    }

    /// The level of the present trial; 0 for a test of lane A against lane B.
    pub fn level(&self) -> f64 {
        let level = |(row, psi): &(&AxisRow, Psi)| row.levels[psi.next_level()];
        self.axis.as_ref().map_or(0.0, level)
    }

    /// The side that X is in the present trial: a fair random draw, which depends on no earlier answer.
    pub fn x(&self) -> Side {
        let draw = KeyedDraw::new(self.seed, X_DRAWS).with(self.trials.len() as u64);
        if draw.unit() < 0.5 { Side::A } else { Side::B }
    }

    /// Adds an answered trial. A trial that does not count is stored, and its level is tried again.
    pub fn add(&mut self, trial: Trial) {
        if let Some((row, psi)) = &mut self.axis
            && let Some(level) = row.levels.iter().position(|level| *level == trial.level)
            && trial.counts()
        {
            psi.add(level, trial.is_right());
        }
        self.trials.push(trial);
    }

    pub fn outcome(&self) -> Outcome {
        let counted = self.trials.iter().filter(|trial| trial.counts());
        let right = counted.filter(|trial| trial.is_right()).count();
        let trials = self.counted();
        match &self.axis {
            Some((row, psi)) => Outcome::of_estimate(row, psi, right, trials),
            None => Outcome::Pair(PairOutcome { right, trials }),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::axis::AXES;
    use super::super::trials::{read, write};
    use super::*;

    fn axis(id: &str) -> TestRun {
        TestRun::new(Test::find(id).unwrap(), 7, Vec::new())
    }

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
        }
    }

    /// Answers the present trial of a session.
    pub(in super::super) fn answer(session: &mut TestRun, is_right: bool) {
        let trial = answered(session, is_right);
        session.add(trial);
    }

    /// Answers all trials of a session. `is_right` says for a level whether its answer is right.
    pub(in super::super) fn answer_all(
        session: &mut TestRun,
        mut is_right: impl FnMut(f64) -> bool,
    ) {
        while session.counted() < session.test().trials() {
            let is_right = is_right(session.level());
            answer(session, is_right);
        }
    }

    #[test]
    fn a_trial_with_drops_is_asked_again() {
        let mut session = axis("freeze");
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
        for test in AXES.iter().map(Test::Axis).chain([Test::Pair]) {
            let mut session = TestRun::new(test, 3, Vec::new());
            for number in 0..12 {
                let mut trial = answered(&session, number % 3 > 0);
                trial.drops = u32::from(number == 4);
                session.add(trial);
            }
            let again = TestRun::new(test, 3, read(&write(session.trials())).unwrap());
            assert_eq!(again.trials(), session.trials());
            assert_eq!((again.level(), again.x()), (session.level(), session.x()));
            assert_eq!(again.outcome(), session.outcome());
        }
        let pair = TestRun::new(Test::Pair, 3, vec![answered(&axis("rate"), true)]);
        assert_eq!(pair.trials(), []);
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
