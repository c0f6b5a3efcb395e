//! State and outcome of the blind test.

use crate::blind_test::BlindTestRun;
use crate::link;
use crate::session::Session;
use serde::Serialize;
use snapshot_analysis::blind_test::axis::AXES;
use snapshot_analysis::blind_test::clip::Stretch;
use snapshot_analysis::blind_test::outcome::Outcome;
use snapshot_analysis::blind_test::test_run::TestRun;
use snapshot_analysis::blind_test::trials::{Trial, TrialsError, read, write};

/// A blind test of one property, as a choice on the page.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TestChoice {
    id: &'static str,
    label: &'static str,
}

/// An outcome of a blind test, with its sentences.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BlindTestOut {
    /// The test's id.
    test: &'static str,
    /// Least bad level told apart from the reference, and the worst one not told apart, if both are known.
    told: Option<f64>,
    not_told: Option<f64>,
    /// Number of answers that count.
    trials: usize,
    /// The outcome as a sentence to the tested person.
    sentence: String,
    /// The outcome as a question to whoever opens its link.
    question: String,
    /// The outcome as the text in a link.
    text: String,
}

impl From<Outcome> for BlindTestOut {
    fn from(outcome: Outcome) -> BlindTestOut {
        let (told, not_told, trials) = match outcome {
            Outcome::Pair(found) => (None, None, found.trials),
            Outcome::Threshold(found) => (found.noticed, found.unnoticed, found.trials),
        };
        BlindTestOut {
            test: outcome.test().id(),
            told,
            not_told,
            trials,
            sentence: outcome.sentence(),
            question: outcome.question(),
            text: outcome.text(),
        }
    }
}

/// State of a blind test between two answers.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BlindTestState {
    /// Number of frames that a press of a button shows.
    frames: usize,
    /// Number of answers that count.
    counted: usize,
    /// Number of answers after which the test is over.
    of: usize,
    /// Mean time of an answer, ms; null before the first.
    answer_ms: Option<f64>,
}

/// Returns the blind tests of one property each, in the page's order.
pub(super) fn test_choices() -> Vec<TestChoice> {
    let rows = AXES.iter();
    rows.map(|row| TestChoice {
        id: row.id,
        label: row.label,
    })
    .collect()
}

pub(super) fn state(session: &mut Session) -> Option<BlindTestState> {
    let BlindTestRun { test, .. } = session.test()?;
    let run = test.session();
    let trials = run.trials();
    let time_ms: f64 = trials.iter().map(|trial| trial.time_ms).sum();
    Some(BlindTestState {
        frames: test.frames(),
        counted: run.counted(),
        of: run.test().trials(),
        answer_ms: (!trials.is_empty()).then(|| time_ms / trials.len() as f64),
    })
}

pub(super) fn is_ready(session: &mut Session) -> bool {
    session.test().is_none_or(|run| run.is_ready)
}

pub(super) fn file(session: &mut Session) -> Option<String> {
    let BlindTestRun { test, .. } = session.test()?;
    Some(write(test.session().trials()))
}

pub(super) fn ticks_until_test(session: &mut Session) -> u64 {
    if session.played_motion().is_some() {
        return 0;
    }
    let tape = session.lab().tape();
    let held = tape.last_tick() - tape.first_tick();
    Stretch::ticks_needed(tape.tick_rate()).saturating_sub(held)
}

pub(super) fn link_of_outcome(session: &mut Session, outcome: String) -> String {
    let (mut here, _) = link::parse(&session.permalink(false));
    here.at = None;
    here.show = Some("tell".to_owned());
    here.tell = Outcome::parse(&outcome);
    link::format(&here)
}

pub(super) fn outcome_of(file: &[u8]) -> Result<BlindTestOut, TrialsError> {
    let trials: Vec<Trial> = read(&String::from_utf8_lossy(file))?;
    let first = trials.first().map(|trial| trial.test);
    let test = first.ok_or(TrialsError::Empty)?;
    Ok(BlindTestOut::from(TestRun::new(test, 0, trials).outcome()))
}
