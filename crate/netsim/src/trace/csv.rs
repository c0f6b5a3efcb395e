//! Rows as text: `sent_ms,delay_ms`, with `lost` in place of a lost packet's delay, and perhaps its bytes as a third field.
//!
//! Fields are parted by commas or semicolons, perhaps within quotes. A line of the columns' names may come first.

use super::SENT_MS_MAX;
use super::delays::{DelayCollector, Delays};
use super::error::{TraceError, TraceRowError};
use snapshot_base::text::shorten;
use std::fmt::Write;

const COLUMNS: [&str; 3] = ["sent_ms", "delay_ms", "bytes"];
const LOST: &str = "lost";
/// Length of a trace of a single row.
const SINGLE_MS: f64 = 1000.0;

/// Returns true if a line begins as such a text does: with the first column's name, or with a number before a separator.
pub(super) fn begins(line: &str) -> bool {
    let Some((first, _)) = line.split_once([',', ';']) else {
        return false;
    };
    bare(first).eq_ignore_ascii_case(COLUMNS[0]) || bare(first).parse::<f64>().is_ok()
}

/// Reads a text.
///
/// # Errors
/// When a row is refused, or nothing arrives.
pub(super) fn read(text: &str) -> Result<Delays, TraceError> {
    let lines = (1..).zip(text.lines());
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
    let parts = match lines.peek() {
        Some((_, first)) if first.contains(';') => ';',
        _ => ',',
    };
    if let Some((line, header)) = lines.next_if(|(_, line)| is_header(line, parts)) {
        check_header(header, parts).map_err(|cause| cause.at(line))?;
    }
    let mut recorder = DelayCollector::default();
    for (line, text) in lines {
        let added = row(text, parts)
            .and_then(|(sent_ms, delay_ms, bytes)| recorder.add(sent_ms, delay_ms, bytes));
        added.map_err(|cause| cause.at(line))?;
    }
    recorder.finish(SINGLE_MS)
}

/// Writes rows of send time, delay and bytes, with the line of names. [`super::Trace::read`] reads the same numbers back.
pub fn write(rows: impl IntoIterator<Item = (f64, Option<f64>, Option<u16>)>) -> String {
    let mut text = COLUMNS.join(",");
    for (sent_ms, delay_ms, bytes) in rows {
        let _ = match delay_ms {
            Some(delay_ms) => write!(text, "\n{sent_ms},{delay_ms}"),
            None => write!(text, "\n{sent_ms},{LOST}"),
        };
        if let Some(bytes) = bytes {
            let _ = write!(text, ",{bytes}");
        }
    }
    text.push('\n');
    text
}

/// A field without the quotes that some programs put round each.
fn bare(field: &str) -> &str {
    field.trim().trim_matches('"').trim()
}

fn is_header(line: &str, parts: char) -> bool {
    let first = line.split(parts).next().unwrap_or_default();
    bare(first).eq_ignore_ascii_case(COLUMNS[0])
}

fn check_header(line: &str, parts: char) -> Result<(), TraceRowError> {
    let names: Vec<&str> = line.split(parts).map(bare).collect();
    let known = names.len() >= 2
        && names.len() <= COLUMNS.len()
        && (names.iter().zip(COLUMNS)).all(|(name, column)| name.eq_ignore_ascii_case(column));
    let text = || shorten(line.trim());
    known
        .then_some(())
        .ok_or_else(|| TraceRowError::Header { text: text() })
}

type CsvFields = (f64, Option<f64>, Option<u16>);

fn row(text: &str, parts: char) -> Result<CsvFields, TraceRowError> {
    let fields = text.split(parts).count();
    let mut values = text.split(parts).map(bare);
    let (Some(sent), Some(delay), bytes, None) =
        (values.next(), values.next(), values.next(), values.next())
    else {
        return Err(TraceRowError::Fields { fields });
    };
    let sent_ms = number(sent, COLUMNS[0], SENT_MS_MAX)?;
    let delay_ms = if delay.eq_ignore_ascii_case(LOST) {
        None
    } else {
        Some(number(delay, COLUMNS[1], super::DELAY_MS_MAX)?)
    };
    let bytes = bytes.filter(|bytes| !bytes.is_empty());
    let bytes = bytes.map(|text| {
        text.parse().map_err(|_| TraceRowError::NotANumber {
            column: COLUMNS[2],
            text: shorten(text),
        })
    });
    Ok((sent_ms, delay_ms, bytes.transpose()?))
}

fn number(text: &str, column: &'static str, most: f64) -> Result<f64, TraceRowError> {
    let value: Option<f64> = text.parse().ok();
    let value = value.filter(|value| !value.is_nan());
    let value = value.ok_or_else(|| TraceRowError::NotANumber {
        column,
        text: shorten(text),
    })?;
    if (0.0..=most).contains(&value) {
        // Without the sign of a negative zero.
        Ok(value.abs())
    } else {
        Err(TraceRowError::OutOfRange {
            column,
            value,
            most,
        })
    }
}
