//! The outcome of a blind test as text in a link: `rate~19~17~29~12~24~31~40`, or `pair~13~16`.
//!
//! The fields of a threshold are: axis, level of the threshold, both ends of its interval, two levels, right answers and
//! trials. The two levels are the least bad level told apart, and the worst not told apart. A `-` stands for a missing level.
//! A pair has right answers and trials.

use super::axis::AxisRow;
use super::outcome::{Outcome, PairOutcome, ThresholdOutcome};
use super::test_run::Test;

/// Upper limit of an outcome's text, bytes.
pub const OUTCOME_BYTES_MAX: usize = 100;
/// Upper limit of the number of trials in an outcome.
const TRIALS_MAX: usize = 100_000;
const BETWEEN: char = '~';

impl Outcome {
    /// Returns the text of the outcome for a link.
    pub fn text(&self) -> String {
        match self {
            Outcome::Pair(found) => format!("pair~{}~{}", found.right, found.trials),
            Outcome::Threshold(found) => {
                let level = |level: Option<f64>| level.map_or("-".to_string(), short);
                let [low, high] = found.interval.map(short);
                let (noticed, unnoticed) = (level(found.noticed), level(found.unnoticed));
                let (id, threshold) = (found.axis.id, short(found.threshold));
                let (right, trials) = (found.right, found.trials);
                format!("{id}~{threshold}~{low}~{high}~{noticed}~{unnoticed}~{right}~{trials}")
            }
        }
    }

    /// Reads an outcome of a link; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Outcome> {
        if text.len() > OUTCOME_BYTES_MAX {
            return None;
        }
        let mut parts = text.split(BETWEEN);
        let test = Test::find(parts.next()?).ok()?;
        let rest: Vec<_> = parts.collect();
        match (test, &rest[..]) {
            (Test::Pair, &[right, trials]) => {
                let (right, trials) = counts(right, trials)?;
                Some(Outcome::Pair(PairOutcome { right, trials }))
            }
            (Test::Axis(axis), &[threshold, low, high, noticed, unnoticed, right, trials]) => {
                let [threshold, low, high] = [threshold, low, high].map(|text| number(axis, text));
                let (threshold, low, high) = (threshold?, low?, high?);
                let (right, trials) = counts(right, trials)?;
                let is_ordered = low <= threshold && threshold <= high;
                is_ordered.then_some(Outcome::Threshold(ThresholdOutcome {
                    axis,
                    threshold,
                    interval: [low, high],
                    noticed: level(axis, noticed)?,
                    unnoticed: level(axis, unnoticed)?,
                    right,
                    trials,
                }))
            }
            (Test::Pair | Test::Axis(_), _) => None,
        }
    }

    /// Returns the outcome as a question to whoever opens its link.
    pub fn question(&self) -> String {
        match self {
            Outcome::Pair(found) => format!(
                "Somebody tells A from B in {} of {} trials. Can you?",
                found.right, found.trials
            ),
            Outcome::Threshold(found) => {
                let (unit, original) = (found.axis.unit, found.original());
                match (found.unnoticed, found.noticed) {
                    (Some(level), _) => format!(
                        "“I cannot tell {} {unit} from {original}.” Can you?",
                        found.axis.level_text(level)
                    ),
                    (None, Some(level)) => format!(
                        "“I can tell {} {unit} from {original}.” Can you?",
                        found.axis.level_text(level)
                    ),
                    (None, None) => format!("“I could tell no {unit} from {original}.” Can you?"),
                }
            }
        }
    }
}

/// Returns a number as text with four significant digits, without trailing zeros.
fn short(number: f64) -> String {
    let digits = (3.0 - libm::floor(libm::log10(number.abs().max(1e-9)))).max(0.0);
    let scale = libm::exp10(digits);
    format!("{}", libm::round(number * scale) / scale)
}

/// Reads a number up to a thousand times the greatest level of the axis; `None` for any other text.
fn number(axis: &AxisRow, text: &str) -> Option<f64> {
    let most = axis.levels.iter().copied().fold(axis.reference, f64::max) * 1000.0;
    let number = text.parse().ok();
    number.filter(|number| (-most..=most).contains(number))
}

fn level(axis: &AxisRow, text: &str) -> Option<Option<f64>> {
    if text == "-" {
        return Some(None);
    }
    let level = text.parse().ok();
    level.filter(|level| axis.levels.contains(level)).map(Some)
}

fn counts(right: &str, trials: &str) -> Option<(usize, usize)> {
    let (right, trials) = (right.parse().ok()?, trials.parse().ok()?);
    (right <= trials && trials <= TRIALS_MAX).then_some((right, trials))
}

#[cfg(test)]
mod tests {
    use super::super::axis::AXES;
    use super::super::test_run::TestRun;
    use super::super::test_run::tests::answer;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn an_outcome_survives_its_link(
            axis in 0..=AXES.len(),
            answers in prop::collection::vec(any::<bool>(), 0..30),
        ) {
            let test = AXES.get(axis).map_or(Test::Pair, Test::Axis);
            let mut session = TestRun::new(test, 5, Vec::new());
            for is_right in answers {
                answer(&mut session, is_right);
            }
            let text = session.outcome().text();
            let read = Outcome::parse(&text).unwrap();
            prop_assert_eq!(read.text(), text.clone());
            prop_assert!(text.len() <= OUTCOME_BYTES_MAX);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0-9~.-]{0,60}") {
            if let Some(outcome) = Outcome::parse(&text) {
                let _ = (outcome.sentence(), outcome.question());
            }
        }
    }

    #[test]
    fn hostile_outcomes_are_refused() {
        let good = "rate~19~17~29~12~24~31~40";
        let question = Outcome::parse(good).unwrap().question();
        assert_eq!(
            question,
            "“I cannot tell 24 packets a second from 60.” Can you?"
        );
        for text in [
            "",
            "rate",
            "pair~17~16",
            "pair~1~1000000",
            "<b>~1~2",
            "rate~19~29~17~12~24~31~40",
            "rate~NaN~17~29~12~24~31~40",
            "rate~1e300~17~1e301~12~24~31~40",
            "rate~19~17~29~13~24~31~40",
            "rate~19~17~29~12~24~31~40~1",
        ] {
            assert_eq!(Outcome::parse(text), None, "{text}");
        }
    }
}
