//! JSON as a table: an array of flat objects, or lines of them. The names of their fields become the names of columns.

use super::MotionError;
use serde_json::{Map, Value};
use snapshot_base::text::shorten;
use std::fmt::Write;

/// Number of objects whose names become columns, and the upper limit of these names.
const RECORDS_NAMED: usize = 1000;
const COLUMNS_MAX: usize = 64;
/// Upper limits of the length of a text that is turned into a table, and of that table, bytes.
const BYTES_MAX: usize = 64 << 20;
const TABLE_BYTES_MAX: usize = 256 << 20;

/// Returns true if a text begins as an array of objects or as an object.
pub(super) fn begins(body: &str) -> bool {
    let body = body.trim_start();
    let after = |sign: char| body.strip_prefix(sign).map(str::trim_start);
    after('[').is_some_and(|rest| rest.starts_with('{'))
        || after('{').is_some_and(|rest| rest.starts_with('"'))
}

/// Turns a text into a table below the facts.
///
/// # Errors
/// When a part is no JSON, or an object is not flat.
pub(super) fn table(facts: &str, body: &str) -> Result<String, MotionError> {
    if body.len() > BYTES_MAX {
        return Err(MotionError(format!(
            "more than {} MB of JSON: write rows",
            BYTES_MAX >> 20
        )));
    }
    let mut names: Vec<String> = Vec::new();
    for record in records(body).take(RECORDS_NAMED) {
        for name in record?.keys() {
            if names.len() < COLUMNS_MAX && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let mut table = facts.to_string();
    let clean = |text: &str| text.replace(['\t', '\n', '\r', '"'], " ");
    let line: Vec<String> = names.iter().map(|name| clean(&shorten(name))).collect();
    table += &line.join("\t");
    for record in records(body) {
        let record = record?;
        for (at, name) in names.iter().enumerate() {
            table.push(if at == 0 { '\n' } else { '\t' });
            // Writing to a text cannot fail.
            let _ = match record.get(name) {
                Some(Value::String(text)) => write!(table, "{}", clean(text)),
                Some(Value::Number(number)) => write!(table, "{number}"),
                Some(Value::Bool(is)) => write!(table, "{}", u8::from(*is)),
                Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => Ok(()),
            };
        }
        if table.len() > TABLE_BYTES_MAX {
            let most = TABLE_BYTES_MAX >> 20;
            return Err(MotionError(format!("as rows it has more than {most} MB")));
        }
    }
    Ok(table)
}

/// Iterates over the flat objects of an array, or of lines.
fn records(body: &str) -> impl Iterator<Item = Result<Map<String, Value>, MotionError>> {
    let mut rest = body.trim().strip_prefix('[').unwrap_or(body.trim());
    (1..).map_while(move |number| {
        rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() || sign == ',');
        if rest.is_empty() || rest == "]" {
            return None;
        }
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let value = values.next().and_then(Result::ok);
        rest = &rest[values.byte_offset()..];
        let is_flat = |field: &Value| !matches!(field, Value::Array(_) | Value::Object(_));
        Some(match value {
            Some(Value::Object(record)) if record.values().all(is_flat) => Ok(record),
            _ => {
                rest = "";
                Err(MotionError(format!(
                    "it is JSON, and object {number} is cut off or has more than plain fields. Write an array or lines of flat objects, with time, object, x, y, z"
                )))
            }
        })
    })
}
