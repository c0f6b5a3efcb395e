//! Traces as rows of text: `sent_ms,delay_ms`, with `lost` in place of a lost packet's delay, and perhaps its bytes as a third
//! field.
//!
//! A column `path` names the link of each row if there are several, as in the proxy's recording. One path is read: the one with
//! the most packets, of those named `down...` if there are any. Beside a path `down-1`, `up-1` is read as the direction back.
//!
//! A first line may name the columns in any order, with their units: `time_s`, `rtt (us)`. Fields are separated by commas,
//! semicolons, tabs or spaces, perhaps within quotes. Commas that do not separate fields may be decimal commas.

use super::delays::{DelayCollector, Delays};
use super::error::TraceError;
use super::{DELAY_MS_MAX, INTERVAL_MS, ROWS_MAX, Reading, SENT_MS_MAX};
use snapshot_base::clock::{ClockTime, DAY_S};
use snapshot_base::order;
use snapshot_base::text::{Delimiter, shorten};
use std::collections::BTreeMap;
use std::fmt::Write;

const COLUMNS: [&str; 3] = ["sent_ms", "delay_ms", "bytes"];
const LOST: &str = "lost";
/// Prefixes of the names of paths from the server to a client, and from a client to the server.
const DOWN: &str = "down";
const UP: &str = "up";
/// Upper limit of the number of ignored columns that a note names.
const LEFT_OUT_NAMED: usize = 8;
/// Delays without a unit may be seconds if all are below this.
const PERHAPS_SECONDS: f64 = 1.0;

/// Returns true if a line begins as a table of a trace does: with names of columns, or with a number before a delimiter.
pub(super) fn begins(line: &str) -> bool {
    let delimiter = Delimiter::detect(line);
    let mut fields = delimiter.fields(line);
    let first = fields.next().unwrap_or_default();
    let is_row = fields.next().is_some() && is_time(first, delimiter);
    let is_first_name = first.eq_ignore_ascii_case(COLUMNS[0]);
    is_row || is_first_name || Names::read(line, delimiter).is_ok()
}

/// Returns true if a line has more values than a row of a trace, and no names.
pub(super) fn is_too_wide(line: &str) -> bool {
    let delimiter = Delimiter::detect(line);
    let has_values = delimiter
        .fields(line)
        .next()
        .is_some_and(|first| is_time(first, delimiter));
    has_values && delimiter.fields(line).take(COLUMNS.len() + 1).count() > COLUMNS.len()
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
    let table = Table::read(&names, delimiter, lines)?;
    let mut notes = names.left_out.clone();
    let assumed_interval = is_header && names.sent.is_none();
    let (mut rows, back_rows) = table.fullest_path(!assumed_interval, &mut notes);
    sort_rows(&mut rows, &mut notes);
    check_delays(&rows, &names)?;
    notes.extend(perhaps_seconds(&rows, &names));
    let origin_ms = rows.first().map(|row| row.0);
    let mut recorder = DelayCollector::default();
    for (sent_ms, delay_ms, bytes) in rows {
        let added = recorder.add(sent_ms, delay_ms, bytes);
        added.map_err(|cause| cause.at(line))?;
    }
    let delays = recorder.finish(INTERVAL_MS)?;
    let back = match back_rows.zip(origin_ms) {
        Some((rows, origin_ms)) => read_back(rows, origin_ms, delays.length_ms())?,
        None => None,
    };
    if back.is_some() {
        notes.push("the path up is the way back".to_string());
    }
    Ok(Reading {
        delays,
        back,
        round_trips: names.delay.is_some_and(|column| column.share < 1.0),
        assumed_interval,
        notes,
    })
}

/// The rows of a file, and the indices of the rows of each path.
struct Table<'a> {
    rows: Vec<Row>,
    paths: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Table<'a> {
    fn read(
        names: &Names,
        delimiter: Delimiter,
        lines: impl Iterator<Item = (u64, &'a str)>,
    ) -> Result<Self, TraceError> {
        let (mut rows, mut paths) = (Vec::new(), BTreeMap::<_, Vec<usize>>::new());
        let (mut before_ms, mut days_ms) = (0.0, 0.0);
        for (line, text) in lines {
            if rows.len() == ROWS_MAX {
                return Err(TraceError::too_many().at(line));
            }
            let row = names.row(text, delimiter, rows.len());
            let (mut sent_ms, delay_ms, bytes, is_time_of_day) =
                row.map_err(|cause| cause.at(line))?;
            if is_time_of_day {
                // The clock starts anew at midnight.
                if sent_ms + DAY_S * 500.0 < before_ms {
                    days_ms += DAY_S * 1000.0;
                }
                before_ms = sent_ms;
                sent_ms += days_ms;
            }
            let path = names.path.and_then(|at| delimiter.fields(text).nth(at));
            let of_path = paths.entry(path.unwrap_or_default()).or_default();
            of_path.push(rows.len());
            rows.push((sent_ms, delay_ms, bytes));
        }
        Ok(Self { rows, paths })
    }

    /// Returns the rows of the chosen path, and those of the direction back if rows have times. Adds a note that names the path
    /// if there are several.
    fn fullest_path(
        self,
        has_times: bool,
        notes: &mut Vec<String>,
    ) -> (Vec<Row>, Option<Vec<Row>>) {
        let Self { rows, paths } = self;
        let paths_and_rows = paths.iter();
        let chosen = paths_and_rows.max_by_key(|(path, of)| (path.starts_with(DOWN), of.len()));
        let Some((path, of_path)) = chosen.filter(|_| paths.len() > 1) else {
            return (rows, None);
        };
        let of = |places: &Vec<usize>| places.iter().map(|at| rows[*at]).collect();
        let link = path.strip_prefix(DOWN).filter(|_| has_times);
        let of_back = link.and_then(|link| paths.get(&*format!("{UP}{link}")));
        let (count, path) = (paths.len(), shorten(path));
        notes.push(format!("{count} paths, of which {path} is taken"));
        (of(of_path), of_back.map(of))
    }
}

/// Sorts rows by the time of sending. Notes how many were not in this order.
fn sort_rows(rows: &mut [Row], notes: &mut Vec<String>) {
    let late = rows.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
    if late > 0 {
        notes.push(format!(
            "{late} rows were sent before the row above them: all are sorted by the time of sending"
        ));
        order::sort_by(rows, |a, b| a.0.total_cmp(&b.0));
    }
}

/// Returns a doubt as a note, if the delays have no unit and are so short that they may be in seconds.
fn perhaps_seconds(rows: &[Row], names: &Names) -> Option<String> {
    let delays = rows.iter().filter_map(|row| row.1);
    let longest = delays.clone().fold(0.0, f64::max);
    let has_no_unit = names.delay.is_none_or(|column| column.has_no_unit);
    let is_short = has_no_unit && (1e-6..PERHAPS_SECONDS).contains(&longest);
    let shortest = delays.fold(longest, f64::min);
    is_short.then(|| {
        format!(
            "delays from {shortest:.2} to {longest:.2} ms: are these seconds? Then name the columns in a first line, as sent_ms,delay_s"
        )
    })
}

/// Reads the rows of the way back of a trace that begins at an origin on the file's clock, ms, and repeats after a length.
/// Returns `None` if no packet arrives in that time.
fn read_back(
    mut rows: Vec<Row>,
    origin_ms: f64,
    length_ms: f64,
) -> Result<Option<Delays>, TraceError> {
    rows.retain(|row| (origin_ms..origin_ms + length_ms).contains(&row.0));
    order::sort_by(&mut rows, |a, b| a.0.total_cmp(&b.0));
    let mut recorder = DelayCollector::from_origin(origin_ms);
    for (sent_ms, delay_ms, bytes) in rows {
        recorder.add(sent_ms, delay_ms, bytes)?;
    }
    Ok(recorder.finish_back(length_ms))
}

/// Checks that a column without a name, or without a unit, may be a delay in ms: it varies, and stays below ten seconds.
fn check_delays(rows: &[Row], names: &Names) -> Result<(), TraceError> {
    const LEAST_ROWS: usize = 10;
    const LONG_MS: f64 = 10_000.0;
    let mut arrived = rows.iter().filter_map(|row| row.1);
    let Some(first) = arrived.next() else {
        return Ok(());
    };
    let is_unnamed = names.delay.is_none();
    let longest = arrived.clone().fold(first, f64::max);
    let is_even = rows.len() >= LEAST_ROWS && arrived.all(|delay| delay == first);
    let says = "Then write a first line sent_ms,delay_ms above the rows; if another column is the delay, name them all";
    match () {
        () if is_unnamed && is_even => Err(TraceError::new(format!(
            "the second column is {first} in every row: is it a delay in ms? {says}"
        ))),
        () if is_unnamed && longest > LONG_MS => Err(TraceError::new(format!(
            "the second column goes up to {longest}: is it a delay in ms? {says}"
        ))),
        () if longest > LONG_MS && names.delay.is_some_and(|column| column.has_no_unit) => {
            Err(TraceError::new(format!(
                "delays of up to {longest} ms: are these microseconds? Then name the column with its unit, such as rtt_us; rtt_ms says milliseconds"
            )))
        }
        () => Ok(()),
    }
}

/// Time of sending, delay, and bytes.
type Row = (f64, Option<f64>, Option<u16>);

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
    field.eq_ignore_ascii_case(LOST) || is_time(field, delimiter)
}

fn is_time(field: &str, delimiter: Delimiter) -> bool {
    delimiter.number(field).is_some() || ClockTime::parse(field).is_some()
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
                "sent" | "time" | "t" | "timestamp" | "datetime" | "sendtime" | "senttime"
                | "senttimestamp"
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
                _ if unknown.len() < LEFT_OUT_NAMED => unknown.push(shorten(field)),
                _ => {}
            }
        }
        if names.delay.is_none() {
            let (columns, line) = (COLUMNS.join(","), shorten(line.trim()));
            let reason = format!("the columns are {columns}, not \"{line}\"");
            return Err(TraceError::new(reason));
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

    /// Returns the values of a row: time of sending, delay and bytes, and true if the time is one of day. Rows without times are
    /// sent one a second.
    fn row(
        &self,
        text: &str,
        delimiter: Delimiter,
        number: usize,
    ) -> Result<(f64, Option<f64>, Option<u16>, bool), TraceError> {
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
            let count = delimiter.fields(text).count();
            return Err(TraceError::new(format!(
                "{count} fields, where sent_ms,delay_ms are two, and three with bytes"
            )));
        }
        let at = |column: Option<TimeColumn>, place| column.map_or(place, |column| column.place);
        let scaled = |text: &str, column: Option<TimeColumn>, name, most| {
            let factor = column.map_or(1.0, |column| column.factor * column.share);
            number_of(text, delimiter, name, factor, most)
        };
        let has_time = !named || self.sent.is_some();
        let sent = has_time.then(|| fields[at(self.sent, 0)]);
        let clock = sent.and_then(ClockTime::parse);
        let sent_ms = match (sent, clock) {
            (None, _) => number as f64 * INTERVAL_MS,
            (_, Some(clock)) if (0.0..=SENT_MS_MAX).contains(&(clock.seconds * 1000.0)) => {
                clock.seconds * 1000.0
            }
            (Some(sent), _) => scaled(sent, self.sent, COLUMNS[0], SENT_MS_MAX)?,
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
        let is_time_of_day = clock.is_some_and(|clock| clock.is_time_of_day);
        Ok((sent_ms, delay_ms, bytes.transpose()?, is_time_of_day))
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
