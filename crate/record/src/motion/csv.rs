//! Motion files as text: lines of facts such as `rate=60`, a line of names, then a line for each row. Any separator is
//! recognised, and fields may be quoted.
//!
//! The text is read twice: first for the times and the range of positions, then row by row in the order of the times.

pub(super) mod header;
pub(super) mod table;
mod timing;

use super::recorder::REACH_M;
use super::rows::{Columns, EVENT, MotionRow, MotionRows, NAMES, RowError, TIME};
use super::track::{self, Track, TrackObject};
use super::units::{self, StepSpeeds};
use super::{JumpSpeed, Motion, MotionError, MotionEvent, OBJECTS_EVER_MAX, OBJECTS_MAX};
use header::{ColumnName, FACTS, Facts, Header};
use snapshot_base::clock::{ClockTime, DAY_S};
use snapshot_base::order;
use snapshot_base::text::{Delimiter, shorten};
use snapshot_base::time::WORLD;
use std::collections::BTreeMap;
use table::{LineNumbers, TableText};
use timing::Timing;

/// Upper limit of the memory for a text and its rows, bytes.
const ROOM_BYTES: usize = 560 << 20;
/// Upper limit of the memory for a packed text and its rows, bytes.
const PACKED_ROOM_BYTES: usize = 192 << 20;
/// Upper limit of the memory for a row, bytes.
const ROW_BYTES: usize = 40;
/// Upper limit of the memory for a row of a text with events, bytes.
const EVENT_ROW_BYTES: usize = 64;
/// Upper limit of the length of an object's name, bytes.
const NAME_BYTES_MAX: usize = 256;
/// Upper limit of the ticks from the first row to the last: beyond it a tick is no exact number.
const SPAN_TICKS_MAX: f64 = (1_u64 << 48) as f64;

/// A file is refused if more than one row in this many is invalid; fewer invalid rows are left out.
const ODD_ONE_IN: usize = 100;

/// Greatest share of rows that repeat an object and a tick, as one in this many. A file with more such rows mixes two
/// recordings, and is refused.
const AGAIN_ONE_IN: usize = 4;

/// Returns true if bytes begin like a motion in text: with a column's name, a fact, or the names of any table of numbers.
pub fn begins(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    let end = bytes
        .iter()
        .position(|byte| matches!(byte, b',' | b';' | b'=' | b'\n' | b'\r' | b' ' | b'\t'));
    let (name, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
    let name = name.strip_prefix(b"\"").unwrap_or(name);
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    let known = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
    let is_fact = rest.starts_with(b"=") && FACTS.iter().any(known);
    let is_name = NAMES.iter().chain(&[TIME, "rate"]).any(known);
    is_name || is_fact || names_poses(bytes) || !columns(bytes).is_empty()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    pub name: String,
    /// The standard name of the column's meaning, such as `x`; `None` if neither a fact nor the column's name in the file
    /// reveals the meaning.
    pub holds: Option<&'static str>,
}

/// Returns the columns of a table; empty for any other text. A table has a line of names below any facts, and then a line
/// of as many fields with three numbers or more. Columns with unknown names are returned too, so that a person can state
/// their meaning.
pub fn columns(bytes: &[u8]) -> Vec<TableColumn> {
    table(bytes).map_or_else(Vec::new, |(_, columns)| columns)
}

/// Returns the file with lines of facts inserted above its line of names, where they override earlier facts. If the file is not
/// a table, they are inserted at its start.
pub fn with_facts(bytes: &[u8], facts: &str) -> Vec<u8> {
    let text = snapshot_base::text::utf8(bytes);
    let at = table(&text).map_or(0, |(at, _)| at);
    [&text[..at], facts.as_bytes(), &text[at..]].concat()
}

/// Returns the offset of a table's line of names in a file, and the columns; `None` if the file is not a table.
fn table(bytes: &[u8]) -> Option<(usize, Vec<TableColumn>)> {
    const LEAST: usize = 5;
    const LEAST_NUMBERS: usize = 3;
    let head = &bytes[..bytes.len().min(1 << 14)];
    let mut facts = Facts::default();
    let mut lines = head
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .map(|line| {
            (
                line,
                String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)),
            )
        })
        .skip_while(|(_, line)| matches!(facts.read_line(line), Ok(true)));
    let ((line, names), (_, row)) = (lines.next()?, lines.next()?);
    drop(lines);
    let delimiter = Delimiter::detect(&names);
    let is_number = |field: &str| number(delimiter, field).is_some();
    let named = |name: &str| TableColumn {
        name: name.to_string(),
        holds: facts.column(name).map(ColumnName::name),
    };
    let columns: Vec<TableColumn> = delimiter.fields(&names).map(named).collect();
    let numbers = delimiter.fields(&row).filter(|field| is_number(field));
    let is_table = columns.len() >= LEAST
        && delimiter.fields(&row).count() == columns.len()
        && numbers.count() >= LEAST_NUMBERS
        && !(columns[..columns.len() - 1].iter()).any(|column| column.name.is_empty())
        && !(columns.iter()).any(|column| is_number(&column.name));
    is_table.then(|| (line.as_ptr().addr() - bytes.as_ptr().addr(), columns))
}

/// Parses a number, perhaps an infinite one; `None` if it is not a number.
fn number(delimiter: Delimiter, field: &str) -> Option<f64> {
    delimiter.number(field).filter(|number| !number.is_nan())
}

pub fn names_poses(bytes: &[u8]) -> bool {
    first_lines(bytes).is_ok()
}

/// Lines with their numbers, as bytes.
type Lines<'a> = std::iter::Peekable<Box<dyn Iterator<Item = (u64, &'a [u8])> + 'a>>;

/// Facts, header, line of names, and the lines below.
type FirstLines<'a> = (Facts, Header, &'a [u8], Lines<'a>);

fn first_lines(bytes: &[u8]) -> Result<FirstLines<'_>, MotionError> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let lines: Box<dyn Iterator<Item = (u64, &[u8])>> = Box::new(lines);
    let mut lines = lines.peekable();
    let mut facts = Facts::default();
    loop {
        let line = lines.next().map(|(_, line)| line).unwrap_or_default();
        let line = std::str::from_utf8(line).map_err(|_| MotionError::header("it is not text"))?;
        let line = line.trim_end_matches('\r');
        if !facts.read_line(line)? {
            let header = Header::read(line, &facts)?;
            return Ok((facts, header, line.as_bytes(), lines));
        }
    }
}

/// A text that has been read once, for the times and positions; a second reading takes the rows in order.
struct Sorted<'a> {
    reader: Reader,
    /// The rows, by rising time.
    entries: Vec<Entry>,
    /// The distinct times, rising.
    instants: Vec<f64>,
    odd: OddRows,
    notes: Vec<String>,
    bytes: &'a [u8],
    lines: LineNumbers,
    /// Times at which the clock of a track was set back, s, each with the step, s.
    clock_steps: Vec<(f64, f64)>,
}

/// Returns the number of rows whose entries fit into the memory beside a text of this length.
fn rows_that_fit(text_bytes: usize, packed: bool, has_events: bool) -> usize {
    let room_bytes = if packed {
        PACKED_ROOM_BYTES
    } else {
        ROOM_BYTES
    };
    let row_bytes = if has_events {
        EVENT_ROW_BYTES
    } else {
        ROW_BYTES
    };
    room_bytes.saturating_sub(text_bytes) / row_bytes
}

/// Sorts the rows by time, and notes how many rows came after rows of a later instant.
fn sort_by_time(entries: &mut [Entry], notes: &mut Vec<String>) {
    let pairs = entries.windows(2);
    let late = pairs
        .filter(|pair| pair[1].instant < pair[0].instant)
        .count();
    if late > 0 {
        notes.push(format!(
            "{late} rows come after rows of a later instant: all are sorted"
        ));
        order::sort_by(entries, |a, b| a.instant.total_cmp(&b.instant));
    }
}

impl<'a> Sorted<'a> {
    /// Reads the times and positions of a text. All positions are moved by `moved_m` or, if they are far from the origin, by
    /// a fitting distance.
    fn read(
        text: &'a TableText<'_>,
        packed: bool,
        rows_max: usize,
        reach_m: f32,
        moved_m: Option<[f64; 3]>,
    ) -> Result<Sorted<'a>, MotionError> {
        let bytes = &text.bytes[..];
        let (facts, mut header, names_line, lines) =
            first_lines(bytes).map_err(|error| text.fault(error))?;
        let mut notes = text.notes.clone();
        notes.append(&mut header.notes);
        let numbers = text.lines;
        let mut reader = Reader {
            facts,
            header,
            moved_m: [0.0; 3],
            reach_m,
            names: Vec::new(),
            numbers_of_names: BTreeMap::new(),
            numbers: Vec::with_capacity(NAMES.len()),
        };
        let mut odd = OddRows::default();
        let has_events = reader.header.columns.event;
        let rows_max = rows_max.min(rows_that_fit(bytes.len(), packed, has_events));
        // A vector that grows would take twice the room for a moment.
        let line_ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
        let mut entries = Vec::with_capacity(rows_max.min(line_ends + 1));
        let (mut is_far, mut is_clock) = (false, false);
        let mut days = Days::default();
        let mut recordings = Recordings::default();
        for (line, text) in lines {
            if text.trim_ascii() == names_line.trim_ascii() {
                recordings.begin(numbers.of(line), entries.len(), &mut odd);
                days = Days::default();
                continue;
            }
            odd.rows += 1;
            match reader.entry(text, bytes) {
                Ok(_) if entries.len() == rows_max => {
                    return Err(RowError::too_many_rows(rows_max).at(numbers.of(line)));
                }
                Ok((mut entry, position, clock)) => {
                    if let Some(clock) = clock {
                        is_clock = true;
                        entry.instant = days.seconds(clock);
                    }
                    entries.push(entry);
                    is_far |= !position.iter().all(|at| (-REACH_M..REACH_M).contains(at));
                    recordings.odd_before = odd.left_out;
                }
                Err(cause) => odd.leave_out(|| numbers.of(line), cause),
            }
        }
        notes.extend(recordings.keep_longest(&mut entries));
        odd.check()?;
        if is_clock {
            reader.header.time = Some(Some(1.0));
        }
        let clock_steps = match reach_m > REACH_M {
            true => reader.clock_steps(&mut entries, bytes, numbers, &mut notes),
            false => Vec::new(),
        };
        sort_by_time(&mut entries, &mut notes);
        reader.moved_m = match moved_m {
            Some(moved_m) => moved_m,
            None if is_far => reader.origin(&entries, bytes),
            None => [0.0; 3],
        };
        if reader.moved_m != [0.0; 3] {
            let [x, y, z] = reader.moved_m;
            notes.push(format!("far from the origin: moved by {x}, {y}, {z} m"));
        }
        let mut instants: Vec<f64> = entries.iter().map(|entry| entry.instant).collect();
        instants.dedup();
        Ok(Sorted {
            reader,
            entries,
            instants,
            odd,
            notes,
            bytes,
            lines: numbers,
            clock_steps,
        })
    }

    /// Returns each object with the time of its last row, by falling time.
    fn last_rows(&mut self) -> Vec<(u32, f64)> {
        let mut last: BTreeMap<u32, f64> = BTreeMap::new();
        let header = &self.reader.header;
        let (delimiter, column) = (
            header.delimiter,
            header.places.iter().position(|at| *at == Some(1)),
        );
        for entry in &self.entries {
            let text = String::from_utf8_lossy(entry.text(self.bytes));
            let field = column.and_then(|at| delimiter.fields(&text).nth(at));
            if let Some(Ok(object)) = field.map(|field| self.reader.object(field)) {
                last.insert(object, entry.instant);
            }
        }
        let mut last: Vec<(u32, f64)> = last.into_iter().collect();
        order::sort_by(&mut last, |a, b| b.1.total_cmp(&a.1));
        last
    }

    /// Returns the timing of the rows. Times that span too many ticks are refused.
    fn timing(&mut self) -> Result<Timing, MotionError> {
        let (reader, instants) = (&self.reader, &self.instants);
        let timing = match reader.header.time {
            Some(unit_s) => Timing::of_times(instants, unit_s, &mut self.notes)?,
            None => Timing::of_ticks(instants, reader.facts.hz, &mut self.notes),
        };
        match instants.first().zip(instants.last()) {
            Some((first, last))
                if timing.tick(*last).is_nan() || timing.tick(*last) > SPAN_TICKS_MAX =>
            {
                let refusal =
                    format!("times from {first:.3e} to {last:.3e}: no motion is that long");
                Err(MotionError(refusal))
            }
            _ => Ok(timing),
        }
    }

    /// Returns each object that is silent at the end, with the time of its last row, by falling time. Empty if silence is no
    /// end.
    fn silent_ends(&mut self, timing: &Timing) -> Vec<(u32, f64)> {
        if !self.reader.facts.is_silence_an_end() {
            return Vec::new();
        }
        let half_s = f64::from(timing.tick_rate.hz() / 2);
        let last = timing.tick(self.instants.last().copied().unwrap_or_default());
        let mut ends = self.last_rows();
        ends.retain(|(_, instant)| timing.tick(*instant) + half_s < last);
        ends
    }

    /// Passes each row to `take`, with its time and the tick that `tick_of` computes. `take` returns true if the row stands in
    /// place of an earlier one. Refused rows count as invalid rows. `instant_of` returns the file's tick or time of a tick.
    fn rows(
        &mut self,
        mut tick_of: impl FnMut(f64) -> u64,
        instant_of: impl Fn(u64) -> Option<f64>,
        mut take: impl FnMut(&MotionRow, f64) -> Result<bool, RowError>,
    ) -> Result<(), MotionError> {
        let (mut again, mut first_again) = (0, None);
        let column = self.reader.header.instant();
        for entry in &self.entries {
            let row = (self.reader).row(tick_of(entry.instant), entry.text(self.bytes));
            let line = || self.lines.of(entry.line(self.bytes));
            let word = |tick| format!("{column} {}", instant_of(tick).unwrap_or(entry.instant));
            match row.and_then(|row| Ok((take(&row, entry.instant)?, row.object))) {
                Ok((false, _)) => {}
                Ok((true, object)) => {
                    again += 1;
                    let twice = || {
                        RowError::twice(object, 0).named(&self.reader.names, |_| {
                            format!("{column} {}", entry.instant)
                        })
                    };
                    first_again.get_or_insert_with(|| (line(), twice()));
                }
                Err(cause) if cause.is_final => return Err(cause.at(line())),
                Err(cause) => (self.odd).leave_out(line, cause.named(&self.reader.names, word)),
            }
        }
        self.odd.check()?;
        self.notes.extend(self.odd.note());
        match first_again {
            Some((line, cause)) if again * AGAIN_ONE_IN > self.odd.rows => {
                Err(cause.and_second_recording().at(line))
            }
            Some((line, cause)) => {
                let rows = if again == 1 { "row is a" } else { "rows are a" };
                self.notes.push(format!(
                    "{again} {rows} second of one object and {column}, the first in row {line} ({cause}): the later one counts"
                ));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Reads a motion from a text.
///
/// # Errors
/// When the header lacks a required column, or too many rows are refused. The error counts lines from 1.
pub(super) fn read(
    text: &TableText<'_>,
    packed: bool,
    jumps_over: JumpSpeed,
) -> Result<Motion, MotionError> {
    let mut sorted = Sorted::read(text, packed, usize::MAX, REACH_M, None)?;
    let timing = sorted.timing()?;
    let (facts, header) = (&sorted.reader.facts, &sorted.reader.header);
    let (states_unit, has_sizes) = (header.states_unit, header.columns.half_size);
    let mut rows = MotionRows::new(timing.tick_rate, header.columns, jumps_over);
    rows.shaped(facts.shape(), facts.half_m(header.metres)?);
    if timing.resampled {
        rows.resample();
    }
    let mut ends = sorted.silent_ends(&timing);
    let instants = std::mem::take(&mut sorted.instants);
    let (mut newest, mut number) = (f64::NAN, 0);
    let tick_of = |instant: f64| {
        if instant != newest {
            number += u64::from(!newest.is_nan());
            newest = instant;
        }
        match timing.resampled {
            true => number,
            false => timing.tick(instant).round() as u64,
        }
    };
    let instant_of = |tick: u64| match timing.resampled {
        true => instants.get(tick as usize).copied(),
        false => Some(timing.instant(tick)),
    };
    sorted.rows(tick_of, instant_of, |row, instant| {
        let at = timing.tick(instant);
        while let Some((object, _)) = ends.pop_if(|(_, last)| *last < instant) {
            let end = MotionRow::new(row.tick, object, &[], MotionEvent::End, Columns::default());
            // An object whose rows were all odd is unknown, so its end is refused too.
            let _ = rows.add(&end, at);
        }
        rows.add(row, at)
    })?;
    let mut motion = rows.finish(&mut sorted.notes)?;
    if !states_unit {
        let speeds = StepSpeeds {
            steps: motion.facts.counts.steps,
            fast: motion.facts.counts.fast_steps,
        };
        let halves = motion.agreed.half_m.iter().filter(|_| has_sizes);
        motion.facts.unit_question = speeds.question(halves.flatten().map(|half| f64::from(*half)));
    }
    motion.facts.notes = sorted.notes;
    motion.names = sorted.reader.whole_names();
    Ok(motion)
}

/// Reads a text's rows at their own times, without resampling. Ticks without a rate count as 60 a second.
pub(super) fn read_track(
    text: &TableText<'_>,
    packed: bool,
    rows_max: usize,
    moved_m: Option<[f64; 3]>,
) -> Result<Track, MotionError> {
    let mut sorted = Sorted::read(text, packed, rows_max, track::REACH_M, moved_m)?;
    let clock_steps = std::mem::take(&mut sorted.clock_steps);
    let unit_s = match sorted.reader.header.time {
        Some(Some(unit_s)) => unit_s,
        Some(None) => {
            let steps = sorted.instants.windows(2).map(|pair| pair[1] - pair[0]);
            let steps = order::sorted(steps);
            let median = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
            timing::unit_of(median, &mut sorted.notes)
        }
        None => 1.0 / sorted.reader.facts.hz.unwrap_or(WORLD.hz().into()),
    };
    let mut track = Track::default();
    sorted.rows(
        |_| 0,
        |_| None,
        |row, instant| match row.object as usize {
            OBJECTS_MAX.. => Err(RowError::too_many_objects()),
            _ => track.add(instant * unit_s, row),
        },
    )?;
    if track.frames_s.len() < 2 {
        let rows = sorted.entries.len() as u64;
        return Err(MotionError::too_short(rows));
    }
    let names = sorted.reader.whole_names();
    track.objects.resize(names.len(), TrackObject::default());
    let both = track.objects.iter_mut().zip(names);
    both.for_each(|(object, name)| object.name = name);
    track.tells_of_ends = sorted.reader.header.columns.event;
    let (facts, header) = (&sorted.reader.facts, &sorted.reader.header);
    track.shape = facts.shape();
    track.unsized_half_m = facts.half_m(header.metres)?;
    track.moved_m = sorted.reader.moved_m;
    let steps = clock_steps
        .into_iter()
        .map(|(at, by)| (at * unit_s, by * unit_s));
    track.clock_steps = steps.collect();
    track.notes = sorted.notes;
    if !sorted.reader.header.states_unit {
        let question = track.step_speeds().question(std::iter::empty());
        let says = |question| format!("{question}. A first line unit=cm tells it");
        track.notes.extend(question.map(says));
    }
    track.assumes_rate = sorted.reader.header.time.is_none() && sorted.reader.facts.hz.is_none();
    Ok(track)
}

/// Count of invalid rows, which are left out as long as they are few, with the cause of the first.
#[derive(Default)]
struct OddRows {
    rows: usize,
    left_out: usize,
    first: Option<(u64, RowError)>,
}

impl OddRows {
    fn leave_out(&mut self, line: impl FnOnce() -> u64, cause: RowError) {
        self.left_out += 1;
        self.first.get_or_insert_with(|| (line(), cause));
    }

    /// Returns an error with the first invalid row if there are too many.
    fn check(&mut self) -> Result<(), MotionError> {
        match self.left_out * ODD_ONE_IN > self.rows {
            false => Ok(()),
            true => Err(match self.first.take() {
                Some((row, cause)) => cause.at(row),
                None => MotionError::too_short(0),
            }),
        }
    }

    fn note(&self) -> Option<String> {
        let (line, cause) = self.first.as_ref()?;
        let rows = if self.left_out == 1 {
            "row is"
        } else {
            "rows are"
        };
        Some(format!(
            "{} {rows} left out, the first row {line}: {cause}",
            self.left_out
        ))
    }
}

/// A row's time and place. It is small, because a file may have millions; the rest is read again.
struct Entry {
    /// The row's tick or time, in the file's unit.
    instant: f64,
    start: u32,
}

impl Entry {
    fn text<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        let rest = &file[self.start as usize..];
        rest.split(|&byte| byte == b'\n').next().unwrap_or(rest)
    }

    /// Number of the row's line, from 1.
    fn line(&self, file: &[u8]) -> u64 {
        let before = file[..self.start as usize].iter();
        before.filter(|&&byte| byte == b'\n').count() as u64 + 1
    }
}

/// An entry, its position in metres, and its time of day or date.
type ReadEntry = (Entry, [f32; 3], Option<ClockTime>);

/// Conversion of times of day, in the order of the file, to seconds that continue past midnight.
#[derive(Default)]
struct Days {
    before_s: Option<f64>,
    days: f64,
}

impl Days {
    fn seconds(&mut self, time: ClockTime) -> f64 {
        if !time.is_time_of_day {
            return time.seconds;
        }
        if self
            .before_s
            .is_some_and(|before_s| time.seconds + DAY_S / 2.0 < before_s)
        {
            self.days += 1.0;
        }
        self.before_s = Some(time.seconds);
        self.days * DAY_S + time.seconds
    }
}

/// Recordings of one file, each under the same line of names.
#[derive(Default)]
struct Recordings {
    /// For each recording after the first, the line of its names and the number of entries before it.
    begins: Vec<(u64, usize)>,
    /// Number of odd rows before the newest entry.
    odd_before: usize,
}

impl Recordings {
    fn begin(&mut self, line: u64, entries: usize, odd: &mut OddRows) {
        // Lines of facts stand above the names.
        odd.left_out = self.odd_before;
        if odd.left_out == 0 {
            odd.first = None;
        }
        self.begins.push((line, entries));
    }

    /// Keeps the longest recording, and returns a note about it; `None` if there is one alone.
    fn keep_longest(&self, entries: &mut Vec<Entry>) -> Option<String> {
        let (line, _) = self.begins.first()?;
        let starts = std::iter::once(0).chain(self.begins.iter().map(|begin| begin.1));
        let ends = self
            .begins
            .iter()
            .map(|begin| begin.1)
            .chain([entries.len()]);
        let parts = starts.zip(ends).enumerate();
        // Of equally long ones the first.
        let length =
            |(at, (start, end)): &(usize, (usize, usize))| (end - start, std::cmp::Reverse(*at));
        let (at, (start, end)) = parts.max_by_key(length)?;
        entries.truncate(end);
        entries.drain(..start);
        let which = match at.checked_sub(1).and_then(|before| self.begins.get(before)) {
            Some((line, _)) => format!("that from row {line} on"),
            None => "the first".to_string(),
        };
        Some(format!(
            "{} recordings in one file, as the line of names comes again in row {line}: {which} is taken, the longest",
            self.begins.len() + 1
        ))
    }
}

struct Reader {
    facts: Facts,
    header: Header,
    moved_m: [f64; 3],
    /// Upper limit of a moved position along an axis, m.
    reach_m: f32,
    /// Names of objects by number, shortened for use in error texts.
    names: Vec<String>,
    numbers_of_names: BTreeMap<String, u32>,
    numbers: Vec<f32>,
}

impl Reader {
    /// Reads the time and the position of a row. A time of day or a date is returned beside the entry, which has no time then.
    fn entry(&self, text: &[u8], file: &[u8]) -> Result<ReadEntry, RowError> {
        let start = text.as_ptr().addr() - file.as_ptr().addr();
        let lossy = String::from_utf8_lossy(text);
        let fields = self.header.delimiter.fields(&lossy);
        let (mut instant, mut position, mut clock) = (0.0, [0.0; 3], None);
        for (field, place) in fields.zip(&self.header.places) {
            match place {
                Some(0) => match ClockTime::parse(field).filter(|_| self.header.time.is_some()) {
                    Some(time) => clock = Some(time),
                    None => instant = self.instant(field)?,
                },
                // A field that is no number is refused later, unless the object ends here.
                Some(at @ 2..5) => position[at - 2] = self.number(field).unwrap_or(0.0),
                _ => {}
            }
        }
        let start = start as u32;
        let entry = Entry { instant, start };
        let position = self.metres(position).map(|at| at as f32);
        Ok((entry, position, clock))
    }

    /// Finds where the clock of the rows was set back, and moves all later rows, so that their times go on by one step.
    /// Rows that are not in the order of time, such as object after object, do not count as a clock set back.
    fn clock_steps(
        &mut self,
        entries: &mut [Entry],
        file: &[u8],
        lines: LineNumbers,
        notes: &mut Vec<String>,
    ) -> Vec<(f64, f64)> {
        const MOST: usize = 5;
        const ROWS_LOOKED_AT: usize = 200;
        let later = |pair: &[Entry]| pair[1].instant - pair[0].instant;
        let back = entries
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| later(pair) < 0.0);
        let back: Vec<usize> = back.map(|(at, _)| at + 1).take(MOST + 1).collect();
        if back.is_empty() || back.len() > MOST || self.header.time.is_none() {
            return Vec::new();
        }
        let steps = order::sorted(entries.windows(2).map(later).filter(|step| *step > 0.0));
        let step = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
        let mut object_of = |entry: &Entry| {
            let text = String::from_utf8_lossy(entry.text(file)).into_owned();
            let place = self.header.places.iter().position(|at| *at == Some(1));
            place.map(|at| {
                self.header
                    .delimiter
                    .fields(&text)
                    .nth(at)
                    .unwrap_or_default()
                    .to_string()
            })
        };
        let goes_on = |at: &usize| {
            let own = object_of(&entries[*at]);
            let before = &entries[at.saturating_sub(ROWS_LOOKED_AT)..*at];
            // Frames one by one; a frame has a row for each object.
            let frames = before.windows(2).filter(|pair| later(pair) > 0.0).count();
            let mut others = before.iter().map(&mut object_of);
            let first = entries[0].instant;
            entries[*at].instant > first && frames > 0 && others.any(|other| other == own)
        };
        if !back.iter().all(goes_on) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let (mut moved, mut next) = (0.0, back.iter().copied().peekable());
        for at in 0..entries.len() {
            if next.next_if_eq(&at).is_some() {
                let by = entries[at].instant + moved - entries[at - 1].instant - step;
                moved -= by;
                found.push((entries[at].instant + moved, by));
                notes.push(format!(
                    "the clock was set back at row {}, and is taken to go on",
                    lines.of(entries[at].line(file))
                ));
            }
            entries[at].instant += moved;
        }
        found
    }

    /// Returns the whole metres by which to move all positions if some are beyond the codec's reach. The origin moves to
    /// the middle of the positions around the median.
    fn origin(&self, entries: &[Entry], file: &[u8]) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let rows = entries.iter();
            let rows = rows.filter_map(|entry| self.entry(entry.text(file), file).ok());
            let along = rows.map(|(_, position, _)| f64::from(position[axis]));
            let along = order::sorted(along.filter(|at| at.is_finite())).into_iter();
            let along: Vec<f32> = along.map(|at| at as f32).collect();
            let Some(&median) = along.get(along.len() / 2) else {
                return 0.0;
            };
            let near = along
                .iter()
                .filter(|at| (**at - median).abs() < 2.0 * REACH_M);
            let (least, most) = near.fold((median, median), |(least, most), at| {
                (least.min(*at), most.max(*at))
            });
            match least >= -REACH_M && most < REACH_M {
                true => 0.0,
                false => -f64::midpoint(least.into(), most.into()).round(),
            }
        })
    }

    fn instant(&self, field: &str) -> Result<f64, RowError> {
        let instant = self.number(field).filter(|instant| instant.is_finite());
        let is_tick = |instant: &f64| *instant >= 0.0 && instant.fract() == 0.0 && *instant < 1e15;
        let instant = instant.filter(|it| self.header.time.is_some() || is_tick(it));
        instant.ok_or_else(|| RowError::not_a_number(field, self.header.instant()))
    }

    fn number(&self, field: &str) -> Option<f64> {
        number(self.header.delimiter, field)
    }

    /// Converts a position to our axes and metres.
    fn metres(&self, position: [f64; 3]) -> [f64; 3] {
        self.facts.turn(position.map(|at| at * self.header.metres))
    }

    fn row(&mut self, tick: u64, text: &[u8]) -> Result<MotionRow, RowError> {
        // Bytes that are not text are no number, and are refused as such.
        let text = String::from_utf8_lossy(text);
        let delimiter = self.header.delimiter;
        let fields = delimiter.fields(&text).count();
        let expected = self.header.places.len();
        if fields != expected {
            return Err(RowError::new(format!(
                "{fields} fields, where there are {expected} columns"
            )));
        }
        let event = self.event(&text)?;
        let (object, by_place) = self.fields(&text, event)?;
        let columns = self.header.columns;
        let three = |first: usize| [by_place[first], by_place[first + 1], by_place[first + 2]];
        let moved = self.metres(three(2));
        let narrow = |three: [f64; 3]| three.map(|part| part as f32);
        let position = std::array::from_fn(|axis| (moved[axis] + self.moved_m[axis]) as f32);
        if event != MotionEvent::End {
            self.check_reach(position, three(2))?;
        }
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        numbers.extend(position);
        numbers.extend(self.facts.turn_axis(narrow(three(5))));
        numbers.push(by_place[8] as f32);
        if columns.linear_velocity {
            numbers.extend(narrow(self.metres(three(9))));
        }
        if columns.angular_velocity {
            let radians = narrow(three(12)).map(|part| part * self.facts.radians());
            numbers.extend(self.facts.turn_axis(radians));
        }
        if columns.half_size {
            // A refused size keeps its sign.
            let size = three(15).map(|half| half * self.header.metres);
            let [x, y, z] = narrow(size);
            numbers.extend(if self.facts.is_y_up() {
                [x, z, y]
            } else {
                [x, y, z]
            });
        }
        let row = MotionRow::new(tick, object, &numbers, event, columns);
        self.numbers = numbers;
        Ok(row)
    }

    /// Returns the number of an object by its name, which is any text. 12 and 12.0 are one name.
    fn object(&mut self, field: &str) -> Result<u32, RowError> {
        let field = field.strip_suffix(".0").unwrap_or(field);
        if field.is_empty() {
            return Err(RowError::not_a_number(field, NAMES[1]));
        }
        if let Some(number) = self.numbers_of_names.get(field) {
            return Ok(*number);
        }
        if field.len() > NAME_BYTES_MAX {
            let refusal = format!("has a name of more than {NAME_BYTES_MAX} bytes");
            return Err(RowError::of_object(shorten(field), refusal));
        }
        if self.names.len() == OBJECTS_EVER_MAX {
            return Err(RowError::too_many_objects_ever());
        }
        let number = self.names.len() as u32;
        self.names.push(shorten(field));
        self.numbers_of_names.insert(field.to_string(), number);
        Ok(number)
    }

    /// Full names of the objects, by number.
    fn whole_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.names.len()];
        for (name, number) in &self.numbers_of_names {
            names[*number as usize].clone_from(name);
        }
        names
    }

    /// Reads the fields of a row: the object, and the numbers by their place in [`NAMES`].
    fn fields(&mut self, row: &str, event: MotionEvent) -> Result<(u32, [f64; EVENT]), RowError> {
        let mut object = 0;
        let mut by_place = [0.0; EVENT];
        if !self.header.has_orientation {
            by_place[8] = 1.0;
        }
        let delimiter = self.header.delimiter;
        for (at, field) in delimiter.fields(row).enumerate() {
            match self.header.places[at] {
                None | Some(0 | EVENT) => {}
                Some(1) => object = self.object(field)?,
                // An object that ends has no pose.
                _ if event == MotionEvent::End => {}
                Some(place) => {
                    let number = self.number(field);
                    let number =
                        number.ok_or_else(|| RowError::not_a_number(field, NAMES[place]))?;
                    by_place[place] = number;
                }
            }
        }
        Ok((object, by_place))
    }

    /// Refuses a position beyond the reach; the error tells the position as the file `states` it.
    fn check_reach(&self, position_m: [f32; 3], states: [f64; 3]) -> Result<(), RowError> {
        let is_far = |at: &f32| at.is_finite() && at.abs() > self.reach_m;
        if !position_m.iter().any(is_far) {
            return Ok(());
        }
        let [x, y, z] = states;
        Err(RowError::new(format!(
            "x, y, z are {x}, {y}, {z}: more than {} m from the middle{}",
            self.reach_m,
            if self.header.states_unit {
                ""
            } else {
                units::BEYOND
            }
        )))
    }

    /// Reads the event of a line that has as many fields as there are columns.
    fn event(&self, line: &str) -> Result<MotionEvent, RowError> {
        if !self.header.columns.event {
            return Ok(MotionEvent::None);
        }
        let at = self
            .header
            .places
            .iter()
            .position(|place| *place == Some(EVENT));
        let field = at.and_then(|at| self.header.delimiter.fields(line).nth(at));
        let field = field.unwrap_or_default();
        MotionEvent::parse(field).ok_or_else(|| RowError::not_an_event(field))
    }
}
