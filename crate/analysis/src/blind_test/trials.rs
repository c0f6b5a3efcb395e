//! A file of trials. A trial is one answer of a blind test, and a line of the file.
//!
//! The first line names the columns; each other line has their values between commas. No value has a comma or a quote. A file that
//! a spreadsheet has saved is read, too.

use super::axis::AxisRow;
use super::test_run::{Side, Test};
use serde::Deserialize;
use snapshot_base::text::{decoded, shorten};
use snapshot_netsim::table::{Fields, Table};
use std::fmt::Write;

/// Upper limit of a file of trials, bytes: some 8,000 answers.
pub const FILE_BYTES_MAX: usize = 1 << 20;
/// Upper limit of the link in a line, bytes.
const LINK_BYTES_MAX: usize = 2000;
const HEAD: &str = "test,level,x,answer,time_ms,drops,width_px,height_px,refresh_hz,software,link";
const COLUMNS: usize = 11;

/// The screen on which a trial was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Screen {
    /// Size of the picture, device pixels.
    pub width_px: u32,
    pub height_px: u32,
    /// Measured frames a second.
    pub refresh_hz: f64,
    /// True if the picture was drawn by software, without a graphics card.
    pub is_software: bool,
}

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
    pub screen: Screen,
    /// Fragment of the link whose settings were tested.
    pub link: String,
}

impl Trial {
    pub fn is_right(&self) -> bool {
        self.x == self.answer
    }

    /// Returns true if the trial counts for the person: every frame was shown in time. Where no graphics card draws, frames
    /// are always late, so that the test would not end.
    pub fn counts(&self) -> bool {
        self.drops == 0 || self.screen.is_software
    }
}

/// Error: a file is no valid file of trials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrialsError {
    #[error("the file is longer than 1 MiB")]
    TooLong,
    #[error("the file is not text")]
    NotText,
    #[error("the first line is not \"{HEAD}\": this is no file of trials")]
    Head,
    #[error("the file has no trials")]
    Empty,
    #[error("line {line}: {what}")]
    Line { line: usize, what: String },
}

/// Returns the text of a file with these trials.
pub fn write(trials: &[Trial]) -> String {
    let mut text = String::from(HEAD);
    text.push('\n');
    for trial in trials {
        let Screen {
            width_px,
            height_px,
            refresh_hz,
            is_software,
        } = trial.screen;
        let link: String = trial.link.chars().filter(|c| is_plain(*c)).collect();
        let _ = writeln!(
            text,
            "{},{},{},{},{:.0},{},{width_px},{height_px},{refresh_hz:.0},{},{link}",
            trial.test.id(),
            trial.level,
            trial.x.id(),
            trial.answer.id(),
            trial.time_ms,
            trial.drops,
            u8::from(is_software),
        );
    }
    text
}

/// Reads a file of trials.
///
/// # Errors
/// When the file is no file of trials. The error names the wrong line.
pub fn read(bytes: &[u8]) -> Result<Vec<Trial>, TrialsError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(TrialsError::TooLong);
    }
    let text = decoded(bytes);
    if text.contains('\u{fffd}') {
        return Err(TrialsError::NotText);
    }
    // A spreadsheet saves it with other separators, quotes and decimal commas.
    let table = Table::read(&text, &|name| name == "sep");
    let (mut rows, mut fields) = (table.rows_from(table.head_at), Fields::default());
    let head: Vec<&str> = HEAD.split(',').collect();
    let is_head = |fields: &Fields| {
        fields.filled() == COLUMNS && (0..COLUMNS).all(|at| fields.get(at) == head[at])
    };
    if rows.next(&mut fields).is_none() || !is_head(&fields) {
        return Err(TrialsError::Head);
    }
    let mut trials = Vec::new();
    while let Some(at) = rows.next(&mut fields) {
        let trial = trial(&fields, &table);
        trials.push(trial.map_err(|what| TrialsError::Line {
            line: table.line(at) as usize,
            what,
        })?);
    }
    Ok(trials)
}

fn trial(fields: &Fields, table: &Table<'_>) -> Result<Trial, String> {
    // The link may be empty.
    if !(COLUMNS - 1..=COLUMNS).contains(&fields.filled()) || fields.len() < COLUMNS {
        let count = fields.len();
        return Err(format!("it has {count} values, not {COLUMNS}"));
    }
    let [
        test,
        level,
        x,
        answer,
        time,
        drops,
        width,
        height,
        refresh,
        software,
        link,
    ]: [&str; COLUMNS] = std::array::from_fn(|at| fields.get(at));
    let number = |name: &str, text: &str, within: std::ops::RangeInclusive<f64>| {
        let number = table.number(text).filter(|number| within.contains(number));
        number.ok_or_else(|| format!("{name} is \"{}\", not a number in its range", shorten(text)))
    };
    let test = Test::find(test).map_err(|error| error.to_string())?;
    let level = number("level", level, 0.0..=1e6)?;
    if let Test::Axis(row) = test
        && !has_level(row, level)
    {
        return Err(format!("{level} is no level of {}", row.id));
    }
    if link.len() > LINK_BYTES_MAX || !link.chars().all(is_plain) {
        return Err("the link is too long, or no link".to_string());
    }
    Ok(Trial {
        test,
        level,
        x: side("x", x)?,
        answer: side("answer", answer)?,
        time_ms: number("time_ms", time, 0.0..=1e9)?,
        drops: whole("drops", drops)?,
        screen: Screen {
            width_px: whole("width_px", width)?,
            height_px: whole("height_px", height)?,
            refresh_hz: number("refresh_hz", refresh, 0.0..=1e4)?,
            is_software: whole("software", software)? != 0,
        },
        link: link.to_string(),
    })
}

fn has_level(row: &AxisRow, level: f64) -> bool {
    row.levels.contains(&level)
}

/// Returns true for a character that a link may have, other than the comma.
fn is_plain(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, ',' | '"' | '<' | '>')
}

fn side(name: &str, text: &str) -> Result<Side, String> {
    Side::find(text).ok_or_else(|| format!("{name} is \"{}\", not a or b", shorten(text)))
}

fn whole(name: &str, text: &str) -> Result<u32, String> {
    let wrong = || format!("{name} is \"{}\", not a whole number", shorten(text));
    text.parse().map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::super::axis::AXES;
    use super::*;
    use proptest::prelude::*;

    fn any_trial() -> impl Strategy<Value = Trial> {
        let test = (0..=AXES.len(), 0..10_usize, any::<bool>(), any::<bool>());
        let facts = (
            0..90_000_u32,
            0..9_u32,
            0..4000_u32,
            30..240_u32,
            any::<bool>(),
        );
        (test, facts, "[a-z0-9=&._-]{0,40}").prop_map(|((axis, level, x, answer), facts, link)| {
            let (time_ms, drops, width_px, refresh_hz, is_software) = facts;
            let row = AXES.get(axis);
            Trial {
                test: row.map_or(Test::Pair, Test::Axis),
                level: row.map_or(0.0, |row| row.levels[level]),
                x: if x { Side::A } else { Side::B },
                answer: if answer { Side::A } else { Side::B },
                time_ms: f64::from(time_ms),
                drops,
                screen: Screen {
                    width_px,
                    height_px: width_px / 2,
                    refresh_hz: f64::from(refresh_hz),
                    is_software,
                },
                link,
            }
        })
    }

    proptest! {
        #[test]
        fn a_file_holds_its_trials(trials in prop::collection::vec(any_trial(), 0..40)) {
            prop_assert_eq!(read(write(&trials).as_bytes()), Ok(trials));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
            let _ = read(&[HEAD.as_bytes(), b"\n", &bytes].concat());
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let line = "rate,10,a,b,1200,0,800,600,60,0,hz=10";
        let with = |line: &str| read(format!("{HEAD}\r\n\n{line}\n").as_bytes());
        assert_eq!(with(line).unwrap().len(), 1);
        for (from, to, what) in [
            ("rate", "rat", "\"rat\" is no test"),
            (",10,", ",11,", "11 is no level of rate"),
            (",a,", ",x,", "x is \"x\", not a or b"),
            (",1200,", ",NaN,", "time_ms is \"NaN\""),
            (",0,800", ",-1,800", "drops is \"-1\""),
            (",hz=10", ",hz=10,1", "it has 12 values"),
            (",hz=10", ",<b>", "the link"),
        ] {
            let Err(TrialsError::Line { line, what: reason }) = with(&line.replacen(from, to, 1))
            else {
                panic!("{to} was taken");
            };
            assert!(line == 3 && reason.contains(what), "{reason}");
        }
        let saved = with(line).unwrap();
        let text = format!("{HEAD}\n{}\n", line.replace(",10,", ",2,"));
        let german = text
            .replace(',', ";")
            .replace("1200;0", "1200,5;0")
            .replace("hz=10", "\"hz=10\"");
        let wide: Vec<u8> = german.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [german.as_bytes(), &wide, text.replace(',', "\t").as_bytes()] {
            let trials = read(bytes).unwrap();
            assert_eq!((trials.len(), &trials[0].link), (1, &saved[0].link));
            assert!((trials[0].time_ms - 1200.0).abs() < 1.0);
        }
        assert_eq!(read(b"a,b\n"), Err(TrialsError::Head));
        assert_eq!(read(&[0xff; 9]), Err(TrialsError::NotText));
        assert_eq!(
            read(&vec![b'\n'; FILE_BYTES_MAX + 1]),
            Err(TrialsError::TooLong)
        );
    }
}
