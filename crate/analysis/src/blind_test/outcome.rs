//! The outcome of a blind test, in numbers and in a sentence.

use super::axis::AxisRow;
use super::psi::{Psi, Threshold};
use super::test_run::Test;

/// Least expected share of right answers at a level that counts as told apart. It is half way from 74 % at the threshold to
/// 98 %.
const NOTICED_SHARE: f64 = 0.86;
/// Greatest expected share of right answers at a level that counts as not told apart. It is half way from 50 % to 74 % at the
/// threshold.
const UNNOTICED_SHARE: f64 = 0.62;
/// Significance level: greatest probability of as many right answers by guessing at which A and B count as told apart.
const LEVEL: f64 = 0.05;
/// Ratio of the ends of a threshold's 95 % interval above which the threshold is not well known. Then no level counts as told
/// apart.
const WIDE: f64 = 4.0;

/// Counted answers of a test of lane A against lane B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOutcome {
    pub right: usize,
    pub trials: usize,
}

/// The threshold of a person on an axis, in the unit of the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThresholdOutcome {
    pub axis: &'static AxisRow,
    /// The level at which three of four answers are right.
    pub threshold: f64,
    /// The 95 % interval of the threshold, in rising order.
    pub interval: [f64; 2],
    /// The least bad level that is told apart from the reference; `None` if there is none, or the threshold is not well
    /// known.
    pub noticed: Option<f64>,
    /// The worst level that is not told apart from the reference; `None` if all are told apart, or the threshold is not well
    /// known.
    pub unnoticed: Option<f64>,
    pub right: usize,
    pub trials: usize,
}

/// The result of a blind test so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    Pair(PairOutcome),
    Threshold(ThresholdOutcome),
}

impl Outcome {
    pub(super) fn of_estimate(
        row: &'static AxisRow,
        psi: &Psi,
        right: usize,
        trials: usize,
    ) -> Outcome {
        let Threshold { mean, low, high } = psi.threshold();
        let [one, other] = [low, high].map(|decades| row.scale.level(decades));
        let share = |step: usize| psi.right_at(step);
        let is_known = high - low <= libm::log10(WIDE);
        // While the threshold may lie anywhere, no level is said to be told apart, or not.
        let steps = || 0..if is_known { row.levels.len() } else { 0 };
        let noticed = steps().find(|step| share(*step) >= NOTICED_SHARE);
        let unnoticed = steps().rfind(|step| share(*step) <= UNNOTICED_SHARE);
        Outcome::Threshold(ThresholdOutcome {
            axis: row,
            threshold: row.scale.level(mean),
            interval: [one.min(other), one.max(other)],
            noticed: noticed.map(|step| row.levels[step]),
            unnoticed: unnoticed.map(|step| row.levels[step]),
            right,
            trials,
        })
    }

    pub fn test(&self) -> Test {
        match self {
            Outcome::Pair(_) => Test::Pair,
            Outcome::Threshold(found) => Test::Axis(found.axis),
        }
    }

    /// Returns the outcome as a sentence to the tested person.
    pub fn sentence(&self) -> String {
        match self {
            Outcome::Pair(found) => found.sentence(),
            Outcome::Threshold(found) => found.sentence(),
        }
    }
}

impl PairOutcome {
    fn sentence(&self) -> String {
        let PairOutcome { right, trials } = *self;
        let by_guessing = by_guessing(right, trials);
        let chance = match by_guessing * 100.0 {
            percent if percent < 0.1 => "less than 0.1".to_string(),
            percent if percent < 10.0 => format!("{percent:.1}"),
            percent => format!("{percent:.0}"),
        };
        let counted = format!(
            "{right} of {trials} answers are right. Guessing gives as many or more in {chance} % of tests."
        );
        if trials == 0 {
            "No answer counts yet.".to_string()
        } else if by_guessing <= LEVEL {
            format!("You tell A from B: {counted}")
        } else {
            format!("You have not told A from B: {counted}")
        }
    }
}

impl ThresholdOutcome {
    fn sentence(&self) -> String {
        let text = |level: f64| self.axis.level_text(level);
        let [low, high] = self.interval.map(text);
        let (unit, original, trials) = (self.axis.unit, self.original(), self.trials);
        let found = format!(
            "your threshold is {} ({low} to {high})",
            text(self.threshold)
        );
        match (self.noticed, self.unnoticed) {
            _ if trials == 0 => "No answer counts yet.".to_string(),
            (None, None) => format!(
                "After {trials} {answers} little is known: your threshold lies between {low} and {high} {unit}.",
                answers = if trials == 1 { "answer" } else { "answers" },
            ),
            (Some(noticed), Some(unnoticed)) => format!(
                "You tell {} {unit} from {original}, and not {}: {found}.",
                text(noticed),
                text(unnoticed)
            ),
            (Some(noticed), None) => format!(
                "You tell {} {unit} from {original}, the least that is tried: {found}.",
                text(noticed)
            ),
            (None, Some(_)) => {
                format!("You saw no difference from {original} {unit} at any tried level: {found}.")
            }
        }
    }

    /// Returns the reference level as text; "none" for 0.
    pub(super) fn original(&self) -> String {
        match self.axis.reference {
            0.0 => "none".to_string(),
            level => self.axis.level_text(level),
        }
    }
}

/// Returns the probability that a guesser gives at least `right` right answers of `trials`.
fn by_guessing(right: usize, trials: usize) -> f64 {
    let mut ways = libm::exp2(-(trials as f64));
    let mut sum = 0.0;
    for count in 0..=trials {
        if count >= right {
            sum += ways;
        }
        ways *= (trials - count) as f64 / (count + 1) as f64;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::axis::AXES;
    use super::super::test_run::TestRun;
    use super::super::test_run::tests::{answer, answer_all};
    use super::*;
    use snapshot_base::random::Stream;

    #[test]
    fn twelve_of_sixteen_are_seldom_guessed() {
        assert!((by_guessing(12, 16) - 0.038_406).abs() < 1e-6);
        assert!((by_guessing(0, 16) - 1.0).abs() < 1e-12);
        assert_eq!(by_guessing(0, 0), 1.0);
        let sentence = |right| PairOutcome { right, trials: 16 }.sentence();
        assert!(sentence(12).starts_with("You tell A from B"));
        assert!(sentence(11).starts_with("You have not told A from B"));
    }

    #[test]
    fn who_sees_everything_below_twenty_a_second_is_told_so() {
        let mut session = TestRun::new(Test::find("rate").unwrap(), 9, Vec::new());
        let mut draws = Stream::new(4, 4);
        answer_all(&mut session, |level| level < 20.0 || draws.unit() < 0.5);
        let Outcome::Threshold(found) = session.outcome() else {
            panic!("it is an axis");
        };
        assert!((15.0..=24.0).contains(&found.threshold), "{found:?}");
        let [low, high] = found.interval;
        assert!(
            low < found.threshold && found.threshold < high && high < 30.0,
            "{found:?}"
        );
        let sentence = session.outcome().sentence();
        assert!(
            sentence.starts_with("You tell 1") && sentence.contains("from 60"),
            "{sentence}"
        );
    }

    #[test]
    fn after_an_answer_or_two_nothing_is_claimed() {
        for row in &AXES {
            for is_right in [true, false] {
                let mut session = TestRun::new(Test::Axis(row), 2, Vec::new());
                for _ in 0..2 {
                    answer(&mut session, is_right);
                    let sentence = session.outcome().sentence();
                    assert!(sentence.starts_with("After "), "{sentence}");
                }
            }
        }
    }

    #[test]
    fn who_guesses_is_not_said_to_see_anything() {
        let mut claims = 0;
        for seed in 0..40 {
            let mut session = TestRun::new(Test::find("freeze").unwrap(), seed, Vec::new());
            let mut draws = Stream::new(seed, 8);
            answer_all(&mut session, |_| draws.unit() < 0.5);
            claims += u32::from(session.outcome().sentence().starts_with("You tell"));
        }
        assert!(claims <= 2, "{claims} of 40 guessers");
    }
}
