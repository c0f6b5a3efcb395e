//! Traces as tables: a row for each packet, with its time of sending and its delay, or `lost` in place of a lost packet's delay.
//!
//! Names that tell their unit, such as `sent_ms` or `rtt_us`, are known; any other table is asked about. A column `path` names
//! the link of each row if there are several, as in the proxy's recording. One path is read: the one with the most packets, of
//! those named `down...` if there are any. Beside a path `down-1`, `up-1` is read as the direction back. A column `seq` has the
//! packets' numbers; a person says whether those that are missing were lost.

use super::delays::{DelayCollector, Delays};
use super::error::TraceError;
use super::{DELAY_MS_MAX, INTERVAL_MS, ROWS_MAX, Reading, SENT_MS_MAX};
use crate::table::asked::{self, Asked, LEFT_OUT};
use crate::table::{Fields, Table};
use snapshot_base::clock::{ClockTime, Days};
use snapshot_base::order;
use snapshot_base::text::shorten;
use std::collections::BTreeMap;
use std::fmt::Write;

const LOST: &str = "lost";
/// Prefixes of the names of paths from the server to a client, and from a client to the server.
const DOWN: &str = "down";
const UP: &str = "up";
/// Interval between packets above which rows are doubted to be packets, s.
const DOUBTFUL_S: f64 = 60.0;

/// The end of a message that asks about the columns of a network.
const NEEDS: &str = ". A network has rows of time_s, time_ms or time, and of delay_ms (one way) or rtt_ms (there and back)";

/// Returns true if the columns of a table are known for certain to be those of a trace.
pub(super) fn is_known(table: &Table<'_>) -> bool {
    Columns::read(table).is_ok()
}

/// Reads a table of packets.
///
/// # Errors
/// When the columns are not known, a row is refused, or no packet arrives.
pub(super) fn read(table: &Table<'_>) -> Result<Reading, TraceError> {
    let columns = Columns::read(table)?;
    let first_line = table.line(table.rows_at);
    let mut notes = Vec::from_iter(table.left_out_note(columns.left_out()));
    let paths = read_paths(&columns, table, &mut notes)?;
    let has_times = columns.sent.is_some();
    let (mut rows, back_rows) = fullest_path(paths, has_times, &mut notes);
    let late = rows.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
    if late > 0 {
        notes.push(format!(
            "{late} rows were sent before the row above them: all are sorted by the time of sending"
        ));
    }
    let delays = collect(&mut rows, DelayCollector::default()).map_err(|it| it.at(first_line))?;
    if !columns.are_stated {
        check_interval(&rows)?;
    }
    let (origin_ms, delays) = (rows.first().map(|row| row.0), delays.finish(INTERVAL_MS)?);
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
        round_trips: columns.share < 1.0,
        assumed_interval: !has_times,
        notes,
    })
}

/// Time of sending, delay, and bytes.
type Row = (f64, Option<f64>, Option<u16>);

/// Reads the rows of each path. Without a column of paths all rows are of one.
fn read_paths(
    columns: &Columns,
    table: &Table<'_>,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<String, Vec<Row>>, TraceError> {
    let (mut paths, mut count) = (BTreeMap::<String, (Vec<Row>, Vec<u64>)>::new(), 0);
    let (mut rows, mut fields, mut days) = (table.rows(), Fields::default(), Days::default());
    while let Some(at) = rows.next(&mut fields) {
        let refused = |cause: TraceError| cause.at(table.line(at));
        if count == ROWS_MAX {
            return Err(refused(TraceError::too_many()));
        }
        let row = columns.row(&fields, table, count, &mut days);
        let row = row.map_err(refused)?;
        let path = columns.path.map_or("", |at| fields.get(at));
        let (of_path, seqs) = paths.entry(path.to_string()).or_default();
        seqs.extend(columns.seq(&fields, table).map_err(refused)?);
        of_path.push(row);
        count += 1;
    }
    let mut missing = 0;
    for (rows, seqs) in paths.values_mut().filter(|(_, seqs)| !seqs.is_empty()) {
        let added = add_missing(rows, seqs, columns.sent.is_some());
        missing += added.ok_or(TraceError::fixed("seq lacks more numbers than there are rows, or has many twice: do they begin anew? A first line columns= with - for that column leaves it out"))?;
    }
    match missing {
        0 => {}
        _ if columns.are_stated => notes.push(format!(
            "{missing} numbers of seq are missing in the file, each a lost packet"
        )),
        _ => {
            return Err(TraceError::new(format!(
                "seq lacks {missing} of its numbers: were these packets lost? A first line columns= with a word for each column says so: seq for yes, - to leave the column out"
            )));
        }
    }
    let paths = paths.into_iter();
    Ok(paths.map(|(path, (rows, _))| (path, rows)).collect())
}

/// Adds the packets whose numbers are missing as lost ones, evenly between their neighbours, and returns their count. Rows
/// without times are sent at their numbers. Numbers of 16 bits begin anew after 65,535, as those of RTP do (RFC 3550, A.1).
/// `None` where more are missing than there are rows, or many come again, as the numbers of two runs do.
fn add_missing(rows: &mut Vec<Row>, seqs: &mut [u64], has_times: bool) -> Option<usize> {
    const AGAIN_ONE_IN: usize = 10;
    const LAP: u64 = 1 << 16;
    if seqs.iter().all(|seq| *seq < LAP) {
        // A lap above 0, as the second packet may be older than the first.
        let mut newest = LAP + seqs.first().copied().unwrap_or(0);
        for seq in &mut *seqs {
            let ahead = (*seq as u16).wrapping_sub(newest as u16).cast_signed();
            *seq = newest.saturating_add_signed(ahead.into());
            newest = newest.max(*seq);
        }
    }
    let first = seqs.iter().copied().min().unwrap_or(0);
    if !has_times {
        for (row, seq) in rows.iter_mut().zip(&*seqs) {
            row.0 = (seq - first) as f64 * INTERVAL_MS;
        }
    }
    let both = seqs.iter().zip(&*rows);
    let mut by_seq: Vec<(u64, f64)> = both.map(|(seq, row)| (*seq, row.0)).collect();
    by_seq.sort_by_key(|(seq, _)| *seq);
    let received = rows.len();
    let (mut missing, mut again) = (0, 0);
    for pair in by_seq.windows(2) {
        let ((before, from_ms), (after, to_ms)) = (pair[0], pair[1]);
        let gap = (after - before).saturating_sub(1);
        again += usize::from(after == before);
        missing += usize::try_from(gap)
            .ok()
            .filter(|gap| missing + gap <= received)?;
        let step_ms = (to_ms - from_ms) / (gap + 1) as f64;
        rows.extend((1..=gap).map(|n| (from_ms + n as f64 * step_ms, None, None)));
    }
    if missing > 0 {
        order::sort_by(rows, |a, b| a.0.total_cmp(&b.0));
    }
    (again * AGAIN_ONE_IN <= received).then_some(missing)
}

/// Returns the rows of the chosen path, and those of the direction back if rows have times. Adds a note that names the path
/// if there are several.
fn fullest_path(
    mut paths: BTreeMap<String, Vec<Row>>,
    has_times: bool,
    notes: &mut Vec<String>,
) -> (Vec<Row>, Option<Vec<Row>>) {
    let count = paths.len();
    let by_fullness = |(path, rows): &(&String, &Vec<Row>)| (path.starts_with(DOWN), rows.len());
    let chosen = paths.iter().max_by_key(by_fullness);
    let path = chosen.map_or(String::new(), |(path, _)| path.clone());
    let rows = paths.remove(&path).unwrap_or_default();
    if count > 1 {
        let path = shorten(&path);
        notes.push(format!("{count} paths, of which {path} is taken"));
    }
    let link = path.strip_prefix(DOWN).filter(|_| has_times);
    let back = link.and_then(|link| paths.remove(&format!("{UP}{link}")));
    (rows, back)
}

/// Sorts rows by the time of sending, and adds them to a collector.
fn collect(rows: &mut [Row], mut collector: DelayCollector) -> Result<DelayCollector, TraceError> {
    order::sort_by(rows, |a, b| a.0.total_cmp(&b.0));
    for (sent_ms, delay_ms, bytes) in rows {
        collector.add(*sent_ms, *delay_ms, *bytes)?;
    }
    Ok(collector)
}

/// Refuses rows that are too far apart to be packets, such as tests of speed each hour.
fn check_interval(rows: &[Row]) -> Result<(), TraceError> {
    let steps = order::sorted(rows.windows(2).map(|pair| (pair[1].0 - pair[0].0) / 1000.0));
    match steps
        .get(steps.len() / 2)
        .filter(|step_s| **step_s > DOUBTFUL_S)
    {
        Some(step_s) => Err(TraceError::new(format!(
            "a row each {step_s:.0} s: are these packets, and is the unit of their times right? A first line columns= with a word for each column, such as columns=time_ms,delay_ms, says so"
        ))),
        None => Ok(()),
    }
}

/// Reads the rows of the way back of a trace that begins at an origin on the file's clock, ms, and repeats after a length.
/// Returns `None` if no packet arrives in that time.
fn read_back(
    mut rows: Vec<Row>,
    origin_ms: f64,
    length_ms: f64,
) -> Result<Option<Delays>, TraceError> {
    rows.retain(|row| (origin_ms..origin_ms + length_ms).contains(&row.0));
    let collector = collect(&mut rows, DelayCollector::from_origin(origin_ms))?;
    Ok(collector.finish_back(length_ms))
}

/// Returns rows of send time, delay and bytes as text, with a line of names. [`super::Trace::read`] reads the same numbers
/// back.
pub fn write(rows: impl IntoIterator<Item = (f64, Option<f64>, Option<u16>)>) -> String {
    let mut text = "sent_ms,delay_ms,bytes".to_string();
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

/// The columns of a trace by their places.
struct Columns {
    /// The column of times with the ms in its unit, if it has one; `None` if rows have no times.
    sent: Option<(usize, Option<f64>)>,
    /// The column of delays with the ms in its unit.
    delay: (usize, f64),
    /// Factor from the recorded delay to one way: 0.5 for a round trip, otherwise 1.
    share: f64,
    lost: Option<usize>,
    bytes: Option<usize>,
    path: Option<usize>,
    /// The column of the packets' numbers.
    seq: Option<usize>,
    /// True if a person's line of facts states the columns.
    are_stated: bool,
    /// Number of columns with a word or a name.
    count: usize,
}

impl Columns {
    /// Finds the columns by a fact, or by names that leave no doubt.
    fn read(table: &Table<'_>) -> Result<Columns, TraceError> {
        let stated = table.words().map_err(TraceError::new)?;
        let are_stated = stated.is_some();
        let is_of_motion =
            |word: &&&str| asked::MOTION_WORDS.contains(word) && asked::instant(word).is_none();
        if let Some(word) = stated.iter().flatten().find(is_of_motion) {
            return Err(TraceError::new(format!(
                "columns has \"{word}\", a word of motions: a network has time_s, time_ms or time, {} or -",
                asked::LINK_WORDS.join(", ")
            )));
        }
        let words: Vec<String> = match stated {
            Some(words) => words.into_iter().map(str::to_string).collect(),
            None => table.names.iter().map(|name| word(name)).collect(),
        };
        let asks = || match Asked::new(table) {
            Some(asked) => TraceError::new(asked.message(NEEDS)),
            None => TraceError::of_first_line(table.first_line()),
        };
        let place = |is_it: &dyn Fn(&str) -> bool| words.iter().position(|word| is_it(word));
        let sent = place(&|word| asked::instant(word).is_some());
        let delay = place(&|word| delay_word(word).is_some()).ok_or_else(asks)?;
        let (is_round_trip, delay_s) = delay_word(&words[delay]).unwrap_or_default();
        let unit_s = sent.and_then(|at| asked::instant(&words[at])).flatten();
        let columns = Columns {
            sent: sent.map(|at| (at, unit_s.map(|unit_s| unit_s * 1000.0))),
            delay: (delay, delay_s * 1000.0),
            share: if is_round_trip { 0.5 } else { 1.0 },
            lost: place(&|word| word == LOST),
            bytes: place(&|word| word == "bytes"),
            path: place(&|word| word == "path"),
            seq: place(&|word| word == "seq"),
            are_stated,
            count: words.len(),
        };
        // Another column with a unit of time may be the right one. A time without a unit is one only in words of a clock.
        let has_unit = |at: usize| {
            let unit = words[at].rsplit('_').next().unwrap_or_default();
            asked::seconds_in(unit).is_some()
        };
        let is_certain = are_stated
            || !columns.left_out().any(has_unit) && (sent.is_some() || table.names.len() == 1);
        match is_certain && columns.is_clock(table) {
            true => Ok(columns),
            false => Err(asks()),
        }
    }

    /// Places of the columns that have no meaning.
    fn left_out(&self) -> impl Iterator<Item = usize> {
        let sent = self.sent.map(|(at, _)| at);
        let (delay, seq) = (Some(self.delay.0), self.seq);
        let taken = [sent, delay, self.lost, self.bytes, self.path, seq];
        (0..self.count).filter(move |at| !taken.contains(&Some(*at)))
    }

    /// Returns false if the time has no unit, and the first row has a number there.
    fn is_clock(&self, table: &Table<'_>) -> bool {
        let Some((at, None)) = self.sent else {
            return true;
        };
        let mut fields = Fields::default();
        let first = table.rows().next(&mut fields);
        first.is_none() || ClockTime::parse(fields.get(at)).is_some()
    }

    /// Returns the values of a row. Rows without times are sent one a second.
    fn row(
        &self,
        fields: &Fields,
        table: &Table<'_>,
        number: usize,
        days: &mut Days,
    ) -> Result<Row, TraceError> {
        let least = self.sent.map_or(0, |(at, _)| at).max(self.delay.0) + 1;
        let words = if self.are_stated { self.count } else { least };
        let whole = table.check_row(fields, least, words);
        whole.map_err(TraceError::new)?;
        let scaled = |at: usize, factor: f64, column: &str, most: f64| {
            let value = table.number_of(fields.get(at), column);
            let value = value.map_err(TraceError::new)? * factor;
            match (0.0..=most).contains(&value) {
                // Without the sign of a negative zero.
                true => Ok(value.abs()),
                false => Err(TraceError::out_of_range(column, value, most)),
            }
        };
        let clock = self
            .sent
            .and_then(|(at, _)| ClockTime::parse(fields.get(at)));
        let clock_ms = clock.map(|clock| days.seconds(clock) * 1000.0);
        let sent_ms = match (self.sent, clock_ms) {
            (None, _) => number as f64 * INTERVAL_MS,
            (_, Some(ms)) if (0.0..=SENT_MS_MAX).contains(&ms) => ms,
            (Some((at, unit_ms)), _) => scaled(at, unit_ms.unwrap_or(1.0), "sent_ms", SENT_MS_MAX)?,
        };
        let (at, unit_ms) = self.delay;
        if let Some(total) = self
            .lost
            .and_then(|at| table.number(fields.get(at)))
            .filter(|it| *it > 1.0)
        {
            return Err(TraceError::new(format!(
                "lost is {total}: it is 0 or 1, or a share, in each row. A first line columns= with - for that column leaves a running total out"
            )));
        }
        let delay_ms = match self.is_lost(fields, table) {
            true => None,
            false => Some(scaled(at, unit_ms * self.share, "delay_ms", DELAY_MS_MAX)?),
        };
        let bytes = self.bytes.map(|at| fields.get(at));
        let bytes = bytes.filter(|bytes| !bytes.is_empty()).map(|text| {
            let refused = || format!("bytes is \"{}\": it goes from 0 to 65535", shorten(text));
            text.parse().map_err(|_| TraceError::new(refused()))
        });
        Ok((sent_ms, delay_ms, bytes.transpose()?))
    }

    /// Returns the number of a row's packet; `None` without the column.
    fn seq(&self, fields: &Fields, table: &Table<'_>) -> Result<Option<u64>, TraceError> {
        const EXACT: f64 = (1_u64 << 53) as f64;
        let Some(field) = self.seq.map(|at| fields.get(at)) else {
            return Ok(None);
        };
        let number = table.number_of(field, "seq").map_err(TraceError::new)?;
        match number.fract() == 0.0 && (0.0..EXACT).contains(&number) {
            true => Ok(Some(number as u64)),
            false => Err(TraceError::not_a_number("seq", field)),
        }
    }

    /// Returns true if the delay is the word of a loss, or the column of losses has a word or a whole share of loss.
    fn is_lost(&self, fields: &Fields, table: &Table<'_>) -> bool {
        let is_word = |field: &str, words: &[&str]| {
            let mut words = words.iter();
            words.any(|word| field.eq_ignore_ascii_case(word))
        };
        is_word(fields.get(self.delay.0), &[LOST])
            || self.lost.map(|at| fields.get(at)).is_some_and(|field| {
                let share = table.number(field);
                is_word(field, &["true", "yes", LOST]) || share.is_some_and(|share| share >= 1.0)
            })
    }
}

/// Returns a column's name as a word: in small letters, its parts joined, such as `rtt_us` for `RTT (us)`.
fn word(name: &str) -> String {
    let parts = name.split(|letter: char| !letter.is_alphanumeric());
    let parts = parts.filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(str::to_lowercase).collect();
    match parts.is_empty() {
        true => LEFT_OUT.to_string(),
        false => parts.join("_"),
    }
}

/// Returns true of a round trip, and the seconds in the unit of a word such as `delay_ms` or `rtt_us`.
fn delay_word(word: &str) -> Option<(bool, f64)> {
    let (name, unit) = word.rsplit_once('_')?;
    let is_round_trip = match name {
        "delay" => false,
        "rtt" => true,
        _ => return None,
    };
    asked::seconds_in(unit).map(|unit_s| (is_round_trip, unit_s))
}
