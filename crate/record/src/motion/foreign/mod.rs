//! Texts of other programs. A text is turned into a table of rows, or its refusal names the program and a way to get such a
//! table.
//!
//! Lines of facts, such as `rate=60`, may stand above any text.

mod json;
mod named;
mod side_by_side;

use super::csv::header::Facts;
use super::csv::table::{LineNumbers, TableText};
use super::{MotionError, csv};
use snapshot_base::text::shorten;
use std::borrow::Cow;

/// Upper limit of the length of a text that is turned into a table, bytes, and of that table.
const BYTES_MAX: usize = 64 << 20;
const TABLE_BYTES_MAX: usize = 256 << 20;
/// Upper limit of the number of names that a note lists.
const NAMES_LISTED_MAX: usize = 6;

/// Returns the columns of a text's table, as [`csv::columns`] does, and also of a table that this module makes from another
/// form of text.
pub fn columns(bytes: &[u8]) -> Vec<csv::TableColumn> {
    match csv::columns(bytes) {
        own if !own.is_empty() => own,
        none => match table(bytes).map(|text| text.bytes) {
            Ok(Cow::Owned(made)) => csv::columns(&made),
            Ok(Cow::Borrowed(_)) | Err(_) => none,
        },
    }
}

/// Returns true if a text is of a kind that this module knows: it reads the text as a motion, or names the kind in a refusal.
pub fn begins(head: &[u8]) -> bool {
    let text = snapshot_base::text::utf8(head);
    let body = &text[body_start(&text)..];
    named::sentence(head).is_some()
        || json::begins(body)
        || side_by_side::read(&text).is_some()
        || is_without_names(body)
}

/// Returns the table of a text. A table of one row for each object and instant is returned as it is.
///
/// # Errors
/// When the text is of another known kind, or cannot be turned into a table.
pub(super) fn table(text: &[u8]) -> Result<TableText<'_>, MotionError> {
    if let Some(sentence) = named::sentence(text) {
        return Err(MotionError(sentence.to_string()));
    }
    let own = TableText {
        bytes: text.into(),
        lines: LineNumbers::OWN,
        notes: Vec::new(),
        is_json: false,
    };
    if csv::names_poses(text) {
        return Ok(own);
    }
    let start = body_start(text);
    if json::begins(&text[start..]) {
        check_length(text.len())?;
        let table = json::read(&text[..start], &text[start..])?;
        return match (
            csv::names_poses(&table.bytes),
            side_by_side::read(&table.bytes),
        ) {
            (false, Some(beside)) => Ok(TableText {
                lines: LineNumbers {
                    first: 1,
                    ..beside.as_ref().map_or(LineNumbers::OWN, |it| it.lines)
                },
                ..beside?
            }),
            _ => Ok(table),
        };
    }
    if let Some(beside) = side_by_side::read(text) {
        check_length(text.len())?;
        return beside;
    }
    match is_without_names(&text[start..]) {
        true => Err(MotionError::header(format!(
            "the first row has no names, but values: \"{}\". Write a line of names above it, such as time,object,x,y,z for a motion or sent_ms,delay_ms for a network",
            first_row(&text[start..])
        ))),
        false => Ok(own),
    }
}

/// Returns a sentence about a text that is no table of poses; `None` if the bytes are no text.
pub fn unknown_text(head: &[u8]) -> Option<String> {
    let head = snapshot_base::text::utf8(&head[..head.len().min(1 << 14)]);
    let is_control = |byte: &u8| *byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    let is_text = match std::str::from_utf8(&head) {
        Ok(_) => true,
        // The head may end within a letter.
        Err(error) => error.error_len().is_none() || error.valid_up_to() * 10 > head.len() * 9,
    };
    let row = first_row(&head);
    (is_text && !row.is_empty() && !head.iter().any(is_control)).then(|| {
        format!("text; its first row is \"{row}\"; no column of x, y, z. A line x=NAME above the names says which column is x")
    })
}

fn first_row(text: &[u8]) -> String {
    let row = text
        .split(|&byte| byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty());
    shorten(String::from_utf8_lossy(row.unwrap_or_default()).trim())
}

/// Returns the offset of the first line that is no fact.
fn body_start(text: &[u8]) -> usize {
    let mut facts = Facts::default();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_fact = std::str::from_utf8(line).is_ok_and(|line| {
            line.trim().is_empty() || matches!(facts.read_line(line.trim()), Ok(true))
        });
        if !is_fact {
            break;
        }
        start += line.len();
    }
    start
}

/// Returns true if the first row of a text has values where a table has names.
fn is_without_names(body: &[u8]) -> bool {
    const LEAST: usize = 4;
    const LEAST_NUMBERS: usize = 3;
    let line = body.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(&line[..line.len().min(1 << 14)]);
    let delimiter = snapshot_base::text::Delimiter::detect(&line);
    let fields: Vec<&str> = delimiter.fields(&line).take(64).collect();
    let numbers = fields
        .iter()
        .filter(|field| delimiter.number(field).is_some());
    let numbers = numbers.count();
    fields.len() >= LEAST && numbers >= LEAST_NUMBERS && numbers * 2 > fields.len()
}

fn check_length(bytes: usize) -> Result<(), MotionError> {
    match bytes > BYTES_MAX {
        true => Err(MotionError(format!(
            "more than {} MB that are no rows: write a row for each object and tick",
            BYTES_MAX >> 20
        ))),
        false => Ok(()),
    }
}

fn too_long() -> MotionError {
    MotionError(format!(
        "as rows it has more than {} MB",
        TABLE_BYTES_MAX >> 20
    ))
}

/// Lists names for a note: the first [`NAMES_LISTED_MAX`], and the number of further names.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(NAMES_LISTED_MAX)
        .map(|name| shorten(name))
        .collect();
    let more = if names.len() > NAMES_LISTED_MAX {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", quoted.join(", "))
}
