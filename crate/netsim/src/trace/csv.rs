//! Rows as text: `sent_ms,delay_ms`, with `lost` in place of a lost packet's delay, and perhaps its bytes as a third field.
//!
//! A column `path` tells the paths of several links apart, as the proxy's recording does. One of them is read: that of most
//! packets, of those named `down...` if there are any.
//!
//! A first line may name the columns in any order, with their units: `time_s`, `rtt (us)`. Fields are parted by commas,
//! semicolons, tabs or spaces, perhaps within quotes. Where commas do not part them, decimals may have one.

use super::delays::DelayCollector;
use super::error::TraceError;
use super::{DELAY_MS_MAX, INTERVAL_MS, ROWS_MAX, Reading, SENT_MS_MAX};
use snapshot_base::text::{Delimiter, shorten};
use std::collections::BTreeMap;
use std::fmt::Write;

const COLUMNS: [&str; 3] = ["sent_ms", "delay_ms", "bytes"];
const LOST: &str = "lost";
/// Prefix of the names of paths from the server to a client.
const DOWN: &str = "down";
/// Upper limit of the number of columns left out that a note names.
const LEFT_OUT_TOLD: usize = 8;
/// Delays without a unit may be seconds if all are below this.
const PERHAPS_SECONDS: f64 = 1.0;

/// Returns true if a line begins as a table of a trace does: with names of columns, or with a number before a delimiter.
pub(super) fn begins(line: &str) -> bool {
    let delimiter = Delimiter::detect(line);
    let mut fields = delimiter.fields(line);
    let first = fields.next().unwrap_or_default();
    let is_row = fields.next().is_some() && delimiter.number(first).is_some();
    let is_first_name = first.eq_ignore_ascii_case(COLUMNS[0]);
    is_row || is_first_name || Names::read(line, delimiter).is_ok()
}

/// Reads a table of packets.
///
/// # Errors
/// When a row is refused, or no packet arrives.
pub(super) fn read(text: &str) -> Result<Reading, TraceError> {
    let lines = (1..).zip(text.lines());
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
    let Some(&(line, first)) = lines.peek() else {
        return Err(TraceError::EMPTY);
    };
    let delimiter = Delimiter::detect(first);
    let mut first_fields = delimiter.fields(first);
    let is_header = first_fields
        .next()
        .is_none_or(|field| !is_value(field, delimiter));
    let names = match is_header {
        true => {
            lines.next();
            Names::read(first, delimiter).map_err(|cause| cause.at(line))?
        }
        false => Names::default(),
    };
    let (mut rows, mut paths) = (Vec::new(), BTreeMap::new());
    for (line, text) in lines {
        if rows.len() == ROWS_MAX {
            return Err(TraceError::too_many().at(line));
        }
        let row = names.row(text, delimiter, rows.len());
        rows.push(row.map_err(|cause| cause.at(line))?);
        let path = names.path.and_then(|at| delimiter.fields(text).nth(at));
        let of_path: &mut Vec<usize> = paths.entry(path.unwrap_or_default()).or_default();
        of_path.push(rows.len() - 1);
    }
    let mut notes = names.left_out;
    let chosen = paths
        .iter()
        .max_by_key(|(path, rows)| (path.starts_with(DOWN), rows.len()));
    if let Some((path, of_path)) = chosen.filter(|_| paths.len() > 1) {
        notes.push(format!(
            "{} paths, of which {} is taken",
            paths.len(),
            shorten(path)
        ));
        rows = of_path.iter().map(|at| rows[*at]).collect();
    }
    let late = rows.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
    if late > 0 {
        notes.push(format!(
            "{late} rows were sent before the row above them: all are sorted by the time of sending"
        ));
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let longest = rows.iter().filter_map(|row| row.1).fold(0.0, f64::max);
    if names.delay.is_none_or(|column| column.has_no_unit)
        && (1e-6..PERHAPS_SECONDS).contains(&longest)
    {
        let shortest = rows.iter().filter_map(|row| row.1).fold(longest, f64::min);
        notes.push(format!(
            "delays from {shortest:.2} to {longest:.2} ms: are these seconds? Then name the columns in a first line, as sent_ms,delay_s"
        ));
    }
    let mut recorder = DelayCollector::default();
    for (sent_ms, delay_ms, bytes) in rows {
        let added = recorder.add(sent_ms, delay_ms, bytes);
        added.map_err(|cause| cause.at(line))?;
    }
    Ok(Reading {
        delays: recorder.finish(INTERVAL_MS)?,
        round_trips: names.delay.is_some_and(|column| column.share < 1.0),
        assumed_interval: is_header && names.sent.is_none(),
        notes,
    })
}

/// Returns rows of send time, delay and bytes as text, with a line of names. [`super::Trace::read`] reads the same numbers
/// back.
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

fn is_value(field: &str, delimiter: Delimiter) -> bool {
    field.eq_ignore_ascii_case(LOST) || delimiter.number(field).is_some()
}

#[derive(Clone, Copy, Debug)]
struct TimeColumn {
    place: usize,
    /// Milliseconds in the column's unit.
    factor: f64,
    /// Factor from the recorded delay to one way: 0.5 for a round trip, otherwise 1.
    share: f64,
    has_no_unit: bool,
}

/// The columns that a first line names. Without such a line they are send time, delay and perhaps bytes.
#[derive(Debug, Default)]
struct Names {
    sent: Option<TimeColumn>,
    delay: Option<TimeColumn>,
    bytes: Option<usize>,
    path: Option<usize>,
    fields: usize,
    left_out: Vec<String>,
}

impl Names {
    fn read(line: &str, delimiter: Delimiter) -> Result<Names, TraceError> {
        let mut names = Names::default();
        let mut unknown = Vec::new();
        for (place, field) in delimiter.fields(line).enumerate() {
            names.fields = place + 1;
            let (name, factor) = name_and_unit(field);
            let column = |share| TimeColumn {
                place,
                factor: factor.unwrap_or(1.0),
                share,
                has_no_unit: factor.is_none(),
            };
            match &name[..] {
                "sent" | "time" | "t" | "timestamp" | "sendtime" | "senttime" | "senttimestamp"
                    if names.sent.is_none() =>
                {
                    names.sent = Some(column(1.0));
                }
                "delay" | "latency" | "owd" | "oneway" | "onewaydelay" if names.delay.is_none() => {
                    names.delay = Some(column(1.0));
                }
                "rtt" | "ping" | "roundtrip" | "roundtriptime" if names.delay.is_none() => {
                    names.delay = Some(column(0.5));
                }
                // A statistic of WebRTC, which is in seconds.
                "currentroundtriptime" if names.delay.is_none() => {
                    let seconds = TimeColumn {
                        factor: factor.unwrap_or(1000.0),
                        has_no_unit: false,
                        ..column(0.5)
                    };
                    names.delay = Some(seconds);
                }
                "bytes" | "size" | "length" if names.bytes.is_none() => names.bytes = Some(place),
                "path" if names.path.is_none() => names.path = Some(place),
                _ if unknown.len() < LEFT_OUT_TOLD => unknown.push(shorten(field)),
                _ => {}
            }
        }
        if names.delay.is_none() {
            let told = format!(
                "the columns are {}, not \"{}\"",
                COLUMNS.join(","),
                shorten(line.trim())
            );
            return Err(TraceError::new(told));
        }
        if !unknown.is_empty() {
            names
                .left_out
                .push(format!("columns left out: {}", unknown.join(", ")));
        }
        Ok(names)
    }

    fn least_fields(&self) -> usize {
        let places = [self.sent, self.delay].into_iter().flatten();
        places.map(|column| column.place + 1).max().unwrap_or(0)
    }

    /// Returns the values of a row: time of sending, delay and bytes. Rows without times are sent one a second.
    fn row(
        &self,
        text: &str,
        delimiter: Delimiter,
        number: usize,
    ) -> Result<(f64, Option<f64>, Option<u16>), TraceError> {
        // A field more than fit is enough to refuse the row.
        let most = self.fields.max(COLUMNS.len()) + 1;
        let fields: Vec<&str> = delimiter.fields(text).take(most).collect();
        let named = self.delay.is_some();
        let fits = match named {
            // The last columns may be empty.
            true => (self.least_fields()..=self.fields).contains(&fields.len()),
            false => (2..=COLUMNS.len()).contains(&fields.len()),
        };
        if !fits {
            let told = format!(
                "{} fields, where sent_ms,delay_ms are two, and three with bytes",
                delimiter.fields(text).count()
            );
            return Err(TraceError::new(told));
        }
        let at = |column: Option<TimeColumn>, place| column.map_or(place, |column| column.place);
        let scaled = |text: &str, column: Option<TimeColumn>, name, most| {
            let factor = column.map_or(1.0, |column| column.factor * column.share);
            number_of(text, delimiter, name, factor, most)
        };
        let sent_ms = match named && self.sent.is_none() {
            true => number as f64 * INTERVAL_MS,
            false => scaled(fields[at(self.sent, 0)], self.sent, COLUMNS[0], SENT_MS_MAX)?,
        };
        let delay = fields[at(self.delay, 1)];
        let delay_ms = match delay.eq_ignore_ascii_case(LOST) {
            true => None,
            false => Some(scaled(delay, self.delay, COLUMNS[1], DELAY_MS_MAX)?),
        };
        let place = if named { self.bytes } else { Some(2) };
        let bytes = place.and_then(|place| fields.get(place));
        let bytes = bytes
            .filter(|bytes| !bytes.is_empty())
            .map(|text| (text.parse()).map_err(|_| TraceError::not_a_number(COLUMNS[2], text)));
        Ok((sent_ms, delay_ms, bytes.transpose()?))
    }
}

/// Returns a column's name in small letters without signs, and the ms of the unit at its end; `None` without a unit.
fn name_and_unit(field: &str) -> (String, Option<f64>) {
    let mut words: Vec<String> = (field.split(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let factor = words.last().and_then(|unit| match &unit[..] {
        "s" | "sec" | "seconds" => Some(1000.0),
        "ms" | "msec" | "milliseconds" => Some(1.0),
        "us" | "µs" | "usec" => Some(1e-3),
        "ns" => Some(1e-6),
        _ => None,
    });
    if factor.is_some() {
        words.pop();
    }
    (words.concat(), factor)
}

fn number_of(
    text: &str,
    delimiter: Delimiter,
    column: &'static str,
    factor: f64,
    most: f64,
) -> Result<f64, TraceError> {
    let value = delimiter.number(text).filter(|value| !value.is_nan());
    let value = value.ok_or_else(|| TraceError::not_a_number(column, text))? * factor;
    if (0.0..=most).contains(&value) {
        // Without the sign of a negative zero.
        Ok(value.abs())
    } else {
        Err(TraceError::out_of_range(column, value, most))
    }
}
