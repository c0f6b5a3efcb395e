//! Rows as text: a line of names, then a line a row, fields parted by commas or semicolons, perhaps within quotes.

use super::rows::{Columns, NAMES, Row, RowError, Rows, number, whole};
use super::{Motion, MotionError};
use crate::settings::shorten;

/// Columns that there must be: tick, object, position, orientation.
const REQUIRED: usize = 9;

/// Returns true if bytes begin as such a text does: with one of the names.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let bytes = without_mark(bytes).trim_ascii_start();
    let name = bytes
        .split(|byte| matches!(byte, b',' | b';' | b'\n' | b'\r' | b' ' | b'\t'))
        .next();
    name.is_some_and(|name| {
        let name = name.strip_prefix(b"\"").unwrap_or(name);
        let name = name.strip_suffix(b"\"").unwrap_or(name);
        let known = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
        NAMES.iter().any(known)
    })
}

/// The motion of a text.
///
/// # Errors
/// When its header does not name what there must be, or a row is refused; rows go by their lines, from 1.
pub(super) fn read(bytes: &[u8]) -> Result<Motion, MotionError> {
    let mut lines = (1..).zip(without_mark(bytes).split(|&byte| byte == b'\n'));
    let header = lines
        .by_ref()
        .map(|(_, line)| line)
        .find(|line| !line.trim_ascii().is_empty());
    let header = std::str::from_utf8(header.unwrap_or_default());
    let header = header.map_err(|_| MotionError::Header("it is not text".to_string()))?;
    let parts = if header.contains(';') { ';' } else { ',' };
    let places = places(header, parts)?;
    let mut rows = Rows::new(columns(&places)?);
    let mut numbers = Vec::with_capacity(NAMES.len());
    for (line, text) in lines {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let row = row(text, parts, &places, rows.columns(), &mut numbers);
        let row = row.map_err(|cause| MotionError::Row { row: line, cause })?;
        rows.add(line, &row)?;
    }
    rows.finish()
}

/// Some editors begin a text with a mark of its encoding.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A field without the quotes that some programs put round each.
fn bare(field: &str) -> &str {
    field.trim().trim_matches('"').trim()
}

/// By the place in a line: which of the names it is.
fn places(header: &str, parts: char) -> Result<Vec<usize>, MotionError> {
    let mut places = Vec::new();
    for text in header.split(parts).map(bare) {
        let place = NAMES
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text));
        let place = place.ok_or_else(|| {
            MotionError::Header(format!(
                "there is no column \"{}\": they are {}",
                shorten(text),
                NAMES.join(",")
            ))
        })?;
        if places.contains(&place) {
            return Err(MotionError::Header(format!(
                "column {} comes twice",
                NAMES[place]
            )));
        }
        places.push(place);
    }
    if let Some(missing) = (0..REQUIRED).find(|place| !places.contains(place)) {
        return Err(MotionError::Header(format!(
            "column {} is missing",
            NAMES[missing]
        )));
    }
    Ok(places)
}

fn columns(places: &[usize]) -> Result<Columns, MotionError> {
    let three = |first: usize| {
        let there = (first..first + 3)
            .filter(|place| places.contains(place))
            .count();
        match there {
            0 => Ok(false),
            3 => Ok(true),
            _ => Err(MotionError::Header(format!(
                "of columns {} some are missing",
                NAMES[first..first + 3].join(",")
            ))),
        }
    };
    Ok(Columns {
        linear_velocity: three(9)?,
        angular_velocity: three(12)?,
        half_size: three(15)?,
    })
}

fn row(
    text: &[u8],
    parts: char,
    places: &[usize],
    columns: Columns,
    numbers: &mut Vec<f32>,
) -> Result<Row, RowError> {
    // What is not text is no number, and told as such.
    let text = String::from_utf8_lossy(text);
    let fields = text.split(parts).count();
    if fields != places.len() {
        return Err(RowError::Fields {
            fields,
            expected: places.len(),
        });
    }
    let (mut tick, mut object) = (0, 0);
    let mut by_place = [0.0; NAMES.len()];
    for (field, &place) in text.split(parts).map(bare).zip(places) {
        let column = NAMES[place];
        match place {
            0 => tick = whole(field, column)?,
            1 => object = whole(field, column)?,
            _ => by_place[place] = number(field, column)?,
        }
    }
    numbers.clear();
    numbers.extend(places_sorted(places).map(|place| by_place[place]));
    Ok(Row::new(tick, object, numbers, columns))
}

/// Those of the numbers, in the order of a row.
fn places_sorted(places: &[usize]) -> impl Iterator<Item = usize> {
    (2..NAMES.len()).filter(|place| places.contains(place))
}
