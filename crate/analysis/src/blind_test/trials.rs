//! A file of trials. A trial is one answer of a blind test, and a line of the file, whose first line names the columns.

use super::test_run::{Side, Test};
use std::fmt::Write;

/// Upper limit of a file of trials, bytes: some 30,000 answers.
pub const FILE_BYTES_MAX: usize = 1 << 20;
const HEAD: &str = "test,level,x,answer,time_ms,drops";

/// One answer of a blind test.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub test: Test,
    /// The tried level; 0 for a test of lane A against lane B.
    pub level: f64,
    /// The side that X was.
    pub x: Side,
    pub answer: Side,
    /// Time from the first press to the answer, ms.
    pub time_ms: f64,
    /// Frames that the machine did not show in time.
    pub drops: u32,
}

impl Trial {
    pub fn is_right(&self) -> bool {
        self.x == self.answer
    }

    /// Returns true if the trial counts for the person: every frame was shown in time.
    pub fn counts(&self) -> bool {
        self.drops == 0
    }
}

/// Error: a file is no valid file of trials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrialsError {
    #[error("the file is longer than 1 MiB")]
    TooLong,
    #[error("the first line does not begin with \"{HEAD}\": this is no file of trials")]
    Head,
    #[error("the file has no trials")]
    Empty,
    #[error("line {0} is no trial")]
    Line(usize),
}

/// Returns the text of a file with these trials.
pub fn write(trials: &[Trial]) -> String {
    let mut text = format!("{HEAD}\n");
    for trial in trials {
        let (test, x, answer) = (trial.test.id(), trial.x.id(), trial.answer.id());
        let (level, time_ms, drops) = (trial.level, trial.time_ms, trial.drops);
        let _ = writeln!(text, "{test},{level},{x},{answer},{time_ms:.0},{drops}");
    }
    text
}

/// Reads a file of trials. More columns may follow: earlier versions wrote five more.
///
/// # Errors
/// When the file is no file of trials. The error names the wrong line.
pub fn read(text: &str) -> Result<Vec<Trial>, TrialsError> {
    if text.len() > FILE_BYTES_MAX {
        return Err(TrialsError::TooLong);
    }
    let mut lines = text.lines();
    if !lines.next().is_some_and(|head| head.starts_with(HEAD)) {
        return Err(TrialsError::Head);
    }
    let lines = lines.zip(2..);
    let trials = lines.map(|(text, line)| trial(text).ok_or(TrialsError::Line(line)));
    trials.collect()
}

/// Reads a line; `None` if it is no trial.
fn trial(line: &str) -> Option<Trial> {
    let mut fields = line.split(',');
    let mut next = || fields.next();
    let trial = Trial {
        test: Test::find(next()?).ok()?,
        level: next()?.parse().ok()?,
        x: Side::find(next()?)?,
        answer: Side::find(next()?)?,
        time_ms: next()?.parse().ok()?,
        drops: next()?.parse().ok()?,
    };
    let has_level = match trial.test {
        Test::Pair => trial.level == 0.0,
        Test::Axis(row) => row.levels.contains(&trial.level),
    };
    (has_level && (0.0..=1e9).contains(&trial.time_ms)).then_some(trial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = read(&text);
            let _ = read(&format!("{HEAD}\n{text}"));
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let line = "rate,10,a,b,1200,0";
        let with = |line: &str| read(&format!("{HEAD}\n{line}\n"));
        let wrong = [
            ("rate", "rat"),
            (",10,", ",11,"),
            (",a,", ",x,"),
            (",1200,", ",NaN,"),
            (",0", ",-1"),
            (",0", ""),
        ];
        for (from, to) in wrong {
            let found = with(&line.replacen(from, to, 1));
            assert_eq!(found, Err(TrialsError::Line(2)), "{to}");
        }
        assert_eq!(read("a,b\n"), Err(TrialsError::Head));
        let long = "\n".repeat(FILE_BYTES_MAX + 1);
        assert_eq!(read(&long), Err(TrialsError::TooLong));
        // A file of earlier versions.
        let head = format!("{HEAD},width_px,height_px,refresh_hz,software,link");
        let read = read(&format!("{head}\n{line},800,600,60,0,hz=10\n"));
        assert_eq!(read, with(line));
    }
}
