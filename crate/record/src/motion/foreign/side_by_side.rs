//! Tables whose objects stand side by side. Each object has columns of its own, under one line of names such as `ball_x`,
//! or under two lines.

use super::{TABLE_BYTES_MAX, body_start, listed, too_long};
use crate::motion::csv::header::{ColumnName, Facts, Header, LeftOut};
use crate::motion::csv::table::{LineNumbers, TableText};
use crate::motion::rows::NAMES;
use crate::motion::{MotionError, OBJECTS_MAX};
use snapshot_base::text::{Delimiter, shorten};
use std::io::Write;

/// Columns that each object may have, as ranges of [`NAMES`].
const PARTS: [std::ops::Range<usize>; 5] = [2..5, 5..9, 9..12, 12..15, 15..18];
/// The quaternion of an object without one.
const UNTURNED: [&str; 4] = ["0", "0", "0", "1"];
/// Upper limit of the number of columns that are read: 16 columns for each of the most objects.
const COLUMNS_MAX: usize = OBJECTS_MAX * 16;

/// An object's name, and its columns by the index of their names.
struct Beside {
    name: String,
    places: [Option<usize>; NAMES.len()],
}

impl Beside {
    fn has(&self, part: &std::ops::Range<usize>) -> bool {
        part.clone().all(|place| self.places[place].is_some())
    }
}

struct Columns {
    time_at: usize,
    objects: Vec<Beside>,
    /// Metres in a unit of the positions, if the columns' names state the unit.
    metres: Option<f64>,
    left_out: LeftOut,
}

/// Reads objects side by side as a table. `None` if the text is no such table.
pub(super) fn read(text: &[u8]) -> Option<Result<TableText<'static>, MotionError>> {
    let start = body_start(text);
    let head_lines = text[..start].iter().filter(|&&byte| byte == b'\n').count() as u64;
    let mut lines = (head_lines + 1..)
        .zip(text[start..].split(|&byte| byte == b'\n'))
        .filter(|(_, line)| !line.trim_ascii().is_empty());
    let mut line = || {
        let (number, line) = lines.next()?;
        let line = std::str::from_utf8(line).ok()?;
        Some((number, line.trim_end_matches('\r').to_string()))
    };
    let (first, second) = (line()?, line()?);
    let delimiter = Delimiter::detect(&first.1);
    let mut facts = Facts::default();
    for line in String::from_utf8_lossy(&text[..start]).lines() {
        let _ = facts.read_line(line);
    }
    if Header::read(&first.1, &facts).is_ok() {
        return None;
    }
    let fields = |line: &str| -> Vec<String> {
        let fields = delimiter.fields(line).take(COLUMNS_MAX);
        fields.map(str::to_string).collect()
    };
    let (names, below) = (fields(&first.1), fields(&second.1));
    let is_number = |field: &String| delimiter.number(field).is_some();
    let (names, body_from) = match below.iter().any(is_number) {
        true => (
            names.into_iter().map(|name| (None, name)).collect(),
            first.0 + 1,
        ),
        false if below.len() == names.len() => (two_lines(names, below), second.0 + 1),
        false => return None,
    };
    let columns = Columns::read(&names, &facts)?;
    let rows = text[start..].split(|&byte| byte == b'\n');
    let rows = rows.skip((body_from - head_lines - 1) as usize);
    Some(columns.write(&text[..start], body_from, delimiter, &names, rows))
}

/// Joins the names of two lines. In the upper line an object's name is once above all of its columns, or above each.
fn two_lines(above: Vec<String>, below: Vec<String>) -> Vec<(Option<String>, String)> {
    let mut object = String::new();
    let both = above.into_iter().zip(below).map(|(above, below)| {
        if !above.is_empty() {
            object = above;
        }
        (Some(object.clone()), below)
    });
    both.collect()
}

impl Columns {
    /// Finds a time and the objects; `None` without both.
    fn read(names: &[(Option<String>, String)], facts: &Facts) -> Option<Columns> {
        let mut columns = Columns {
            time_at: usize::MAX,
            objects: Vec::new(),
            metres: None,
            left_out: LeftOut::default(),
        };
        let mut numbers = std::collections::BTreeMap::new();
        let (mut time_at, mut tick_at) = (None, None);
        for (at, (object, name)) in names.iter().enumerate() {
            match facts.column(name) {
                Some(ColumnName::Time(_)) => {
                    time_at.get_or_insert(at);
                    continue;
                }
                Some(ColumnName::At(0, _)) => {
                    tick_at.get_or_insert(at);
                    continue;
                }
                _ => {}
            }
            let split = match object {
                Some(object) => {
                    pose(name, facts).map(|(place, metres)| (object.clone(), place, metres))
                }
                None => split(name, facts),
            };
            let Some((object, place, metres)) = split else {
                columns.left_out.add_once(name);
                continue;
            };
            columns.metres = metres.or(columns.metres);
            let number = *numbers
                .entry(object.clone())
                .or_insert(columns.objects.len());
            if number == columns.objects.len() {
                let name = shorten(&object.replace('\t', " "));
                columns.objects.push(Beside {
                    name,
                    places: [None; NAMES.len()],
                });
            }
            columns.objects[number].places[place].get_or_insert(at);
        }
        columns.time_at = time_at.or(tick_at)?;
        let is_whole = |object: &Beside| object.has(&PARTS[0]) && !object.name.is_empty();
        columns.objects.retain(is_whole);
        (!columns.objects.is_empty()).then_some(columns)
    }

    /// Writes a line for each object of each row. An object without a position has an empty line.
    fn write<'a>(
        mut self,
        facts: &[u8],
        body_from: u64,
        delimiter: Delimiter,
        names: &[(Option<String>, String)],
        rows: impl Iterator<Item = &'a [u8]>,
    ) -> Result<TableText<'static>, MotionError> {
        // Orientations may be those of some objects, all else is of all or of none.
        let some_turn = self.objects.iter().any(|object| object.has(&PARTS[1]));
        let parts: Vec<_> = PARTS
            .into_iter()
            .filter(|part| {
                part.start == 5 && some_turn || self.objects.iter().all(|it| it.has(part))
            })
            .collect();
        for object in &self.objects {
            for (place, at) in object.places.iter().enumerate() {
                let is_taken = parts
                    .iter()
                    .any(|part| part.contains(&place) && object.has(part));
                if let Some(at) = at.filter(|_| !is_taken) {
                    self.left_out.add_once(&names[at].1);
                }
            }
        }
        let mut bytes = self.head(facts, names, &parts);
        let head = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        for row in rows {
            self.write_row(&String::from_utf8_lossy(row), delimiter, &parts, &mut bytes)?;
        }
        let objects: Vec<_> = self.objects.iter().map(|it| it.name.clone()).collect();
        let mut notes = vec![format!("objects stand side by side: {}", listed(&objects))];
        notes.extend(self.left_out.note());
        Ok(TableText {
            bytes: bytes.into(),
            lines: LineNumbers {
                head,
                first: body_from,
                per_row: self.objects.len() as u64,
            },
            notes,
            is_json: false,
        })
    }

    /// Returns the lines of facts, and the line of the names of time, object and parts.
    fn head(
        &self,
        facts: &[u8],
        names: &[(Option<String>, String)],
        parts: &[std::ops::Range<usize>],
    ) -> Vec<u8> {
        let mut table = Vec::new();
        if let Some(metres) = self.metres {
            let _ = writeln!(table, "unit={metres}");
        }
        table.extend_from_slice(facts);
        let time = &names[self.time_at].1;
        let _ = write!(table, "{}\tobject", time.replace('\t', " "));
        for name in parts.iter().flat_map(|part| &NAMES[part.clone()]) {
            let _ = write!(table, "\t{name}");
        }
        table
    }

    fn write_row(
        &self,
        row: &str,
        delimiter: Delimiter,
        parts: &[std::ops::Range<usize>],
        table: &mut Vec<u8>,
    ) -> Result<(), MotionError> {
        let fields = delimiter.fields(row.trim_end_matches('\r'));
        let fields: Vec<&str> = fields.take(COLUMNS_MAX).collect();
        let field = |at: Option<usize>| {
            let field = at.and_then(|at| fields.get(at));
            field.copied().unwrap_or_default()
        };
        for object in &self.objects {
            table.push(b'\n');
            if field(object.places[2]).is_empty() {
                continue;
            }
            // Writing to a vector cannot fail.
            let _ = write!(table, "{}\t{}", field(Some(self.time_at)), object.name);
            for part in parts {
                for (at, place) in part.clone().enumerate() {
                    let value = match object.has(part) {
                        true => field(object.places[place]),
                        false => UNTURNED[at.min(3)],
                    };
                    let _ = write!(table, "\t{value}");
                }
            }
            if table.len() > TABLE_BYTES_MAX {
                return Err(too_long());
            }
        }
        Ok(())
    }
}

/// Returns the index of a name of a pose's part, and the metres in its unit.
fn pose(name: &str, facts: &Facts) -> Option<(usize, Option<f64>)> {
    match facts.column(name)? {
        ColumnName::At(place @ 2..18, metres) => Some((place, metres)),
        ColumnName::At(..) | ColumnName::Time(_) => None,
    }
}

/// Splits a name such as `ball_x`, `Ball Pos X`, `x_ball` or `x1` into an object and a part of its pose.
fn split(name: &str, facts: &Facts) -> Option<(String, usize, Option<f64>)> {
    let named = |object: &str, (place, metres): (usize, Option<f64>)| {
        let object = object.trim_matches(|letter: char| !letter.is_alphanumeric());
        (!object.is_empty()).then(|| (object.to_string(), place, metres))
    };
    let starts = word_starts(name);
    let after = starts
        .iter()
        .skip(1)
        .find_map(|&at| named(&name[..at], pose(&name[at..], facts)?));
    let before = || {
        let mut ends = starts.iter().skip(1).rev();
        ends.find_map(|&at| named(&name[at..], pose(&name[..at], facts)?))
    };
    let numbered = || {
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = &name[stem.len()..];
        (!number.is_empty())
            .then(|| named(number, pose(stem, facts)?))
            .flatten()
    };
    after.or_else(before).or_else(numbered)
}

/// Returns where words begin: after a sign, and at a capital letter after a small one or a digit.
fn word_starts(name: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut before = ' ';
    for (at, letter) in name.char_indices() {
        let is_new = !before.is_alphanumeric() || !before.is_uppercase() && letter.is_uppercase();
        if letter.is_alphanumeric() && is_new {
            starts.push(at);
        }
        before = letter;
    }
    starts
}
