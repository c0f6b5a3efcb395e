//! JSON as a table: an array of objects, lines of objects, or frames that each hold an array of objects.
//!
//! The names of nested values are joined by dots, such as `position.x`.

use super::{TABLE_BYTES_MAX, too_long};
use crate::motion::MotionError;
use crate::motion::csv::header::{ColumnName, Facts};
use crate::motion::csv::table::{LineNumbers, TableText};
use serde_json::{Map, Value};
use snapshot_base::text::shorten;
use std::collections::BTreeMap;

/// Number of records whose names become columns, and the upper limit of these names.
const RECORDS_NAMED: usize = 1000;
const COLUMNS_MAX: usize = 64;
/// Upper limit of the length of a text that is one value, bytes: such a value is parsed as a whole.
const WHOLE_BYTES_MAX: usize = 16 << 20;
/// Upper limit of the number of components of a vector.
const PARTS_MAX: usize = 4;

/// Returns true if a text begins as an array of objects or as an object.
pub(super) fn begins(body: &[u8]) -> bool {
    let body = body.trim_ascii_start();
    let after = |sign: u8| {
        let rest = body.strip_prefix(&[sign])?.trim_ascii_start();
        rest.first().copied()
    };
    after(b'[') == Some(b'{') || after(b'{') == Some(b'"')
}

/// Turns a text into a table, below the facts.
///
/// # Errors
/// When a part is no JSON, or holds no objects with fields.
pub(super) fn read(facts: &[u8], body: &[u8]) -> Result<TableText<'static>, MotionError> {
    let mut names = Names::default();
    let mut records = 0;
    each_row(body, &mut |row| {
        records += 1;
        names.add(row);
        Ok(records < RECORDS_NAMED)
    })?;
    let columns: Vec<&String> = names.order.iter().collect();
    if columns.is_empty() {
        return Err(MotionError(
            "it is JSON without objects of fields. Write an array of objects with time, object, x, y, z".to_string(),
        ));
    }
    let mut table = facts.to_vec();
    let head = table.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let clean = |text: &str| text.replace(['\t', '\n', '\r', '"'], " ");
    let line: Vec<String> = columns.iter().map(|name| clean(name)).collect();
    table.extend_from_slice(line.join("\t").as_bytes());
    each_row(body, &mut |row| {
        table.push(b'\n');
        for (at, name) in columns.iter().enumerate() {
            if at > 0 {
                table.push(b'\t');
            }
            let field = row.get(*name).map(String::as_str).unwrap_or_default();
            table.extend_from_slice(clean(field).as_bytes());
        }
        match table.len() > TABLE_BYTES_MAX {
            true => Err(too_long()),
            false => Ok(true),
        }
    })?;
    Ok(TableText {
        bytes: table.into(),
        lines: LineNumbers {
            head,
            first: 1,
            per_row: 1,
        },
        notes: vec!["JSON: its objects are numbered from 1".to_string()],
        is_json: true,
    })
}

/// The fields of a row by name.
type Row = BTreeMap<String, String>;

/// Names of fields in the order in which they come.
#[derive(Default)]
struct Names {
    order: Vec<String>,
}

impl Names {
    fn add(&mut self, row: &Row) {
        for name in row.keys() {
            if self.order.len() < COLUMNS_MAX && !self.order.contains(name) {
                self.order.push(name.clone());
            }
        }
    }
}

/// Passes each row to `take` until it returns false.
fn each_row(
    body: &[u8],
    take: &mut dyn FnMut(&Row) -> Result<bool, MotionError>,
) -> Result<(), MotionError> {
    let body = body.trim_ascii();
    if !body.starts_with(b"[") && is_one_value(body) {
        if body.len() > WHOLE_BYTES_MAX {
            return Err(MotionError(format!(
                "one JSON value of more than {} MB: write an array or lines of flat objects",
                WHOLE_BYTES_MAX >> 20
            )));
        }
        let value: Value = serde_json::from_slice(body).map_err(|_| no_json(1))?;
        rows(&value, &Row::new(), take)?;
        return Ok(());
    }
    for (number, record) in (1..).zip(records(body)) {
        let value: Value = serde_json::from_slice(record).map_err(|_| no_json(number))?;
        if !rows(&value, &Row::new(), take)? {
            break;
        }
    }
    Ok(())
}

fn no_json(number: u64) -> MotionError {
    MotionError(format!(
        "it begins as JSON, and object {number} of it is none: it is cut off or damaged"
    ))
}

/// Returns true if a text of objects is a single one: its first object reaches to the end.
fn is_one_value(body: &[u8]) -> bool {
    records(body)
        .next()
        .is_none_or(|first| first.len() == body.len())
}

/// Splits an array, or objects one after the other, into its objects. The last one may be cut off.
fn records(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body.strip_prefix(b"[").unwrap_or(body);
    std::iter::from_fn(move || {
        let start = rest
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b','))?;
        rest = &rest[start..];
        if rest[0] == b']' {
            return None;
        }
        let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
        let end = rest.iter().position(|&byte| {
            match (quoted, byte) {
                _ if escaped => escaped = false,
                (true, b'\\') => escaped = true,
                (_, b'"') => quoted = !quoted,
                (false, b'{' | b'[') => depth += 1,
                (false, b'}' | b']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && !quoted
        });
        let end = end.map_or(rest.len(), |end| end + 1);
        let (record, after) = rest.split_at(end);
        rest = after;
        Some(record)
    })
}

/// Passes the rows of a value to `take`: a row for an object of fields, and the rows of the object's arrays of objects.
/// Returns false once `take` does.
fn rows(
    value: &Value,
    around: &Row,
    take: &mut dyn FnMut(&Row) -> Result<bool, MotionError>,
) -> Result<bool, MotionError> {
    let Value::Object(fields) = value else {
        return Ok(true);
    };
    let (mut row, mut lists) = (Row::new(), Vec::new());
    flatten(fields, "", &mut row, &mut lists);
    // A frame's own name is no object's.
    let facts = Facts::default();
    let meaning = |name: &String| facts.column(name).map(ColumnName::name);
    let own: Vec<_> = row.keys().filter_map(meaning).collect();
    for (name, value) in around {
        if meaning(name).is_none_or(|meaning| !own.contains(&meaning)) {
            row.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    if lists.is_empty() {
        return take(&row);
    }
    for element in lists.into_iter().flatten() {
        if !rows(element, &row, take)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn flatten<'a>(
    fields: &'a Map<String, Value>,
    before: &str,
    row: &mut Row,
    lists: &mut Vec<&'a Vec<Value>>,
) {
    for (name, value) in fields {
        if row.len() > COLUMNS_MAX {
            return;
        }
        let name = shorten(&format!("{before}{name}"));
        let mut add = |name: String, value: &Value| {
            let text = match value {
                Value::String(text) => shorten(text),
                Value::Number(number) => number.to_string(),
                Value::Bool(is) => u8::from(*is).to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
            };
            row.insert(name, text);
        };
        match value {
            Value::Object(inner) => flatten(inner, &format!("{name}."), row, lists),
            Value::Array(all) if all.iter().any(Value::is_object) => lists.push(all),
            Value::Array(all) if all.len() <= PARTS_MAX => {
                for (at, part) in all.iter().enumerate() {
                    add(format!("{name}.{at}"), part);
                }
            }
            // A list of numbers is no field.
            Value::Array(_) => {}
            value => add(name, value),
        }
    }
}
