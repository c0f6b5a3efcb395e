//! Motion files as text: lines of facts such as `rate=60`, a line of names, then a line for each row.
//!
//! Columns that are not known for certain are asked about. The text is read twice: first for times, objects and positions,
//! then row by row in the order of the times.

mod checks;
mod header;
mod timing;

use super::recorder::REACH_M;
use super::rows::{EVENT, MotionRow, MotionRows, NAMES, RowError};
use super::track::{self, Track, TrackObject};
use super::{JumpSpeed, Motion, MotionError, MotionEvent, OBJECTS_EVER_MAX, OBJECTS_MAX};
use header::{Facts, Header};
use snapshot_base::clock::{ClockTime, Days};
use snapshot_base::order;
use snapshot_base::text::{self, decoded, shorten};
use snapshot_base::time::WORLD;
use snapshot_netsim::table::asked::Asked;
use snapshot_netsim::table::{Fields, Table, head, is_unclear};
use std::collections::BTreeMap;
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

/// Greatest share of rows that repeat an object and a tick with another pose, as one in this many.
const AGAIN_ONE_IN: usize = 4;

/// Returns true if the columns of a text are known for certain to be those of a motion, by its beginning. A fact with a bad value
/// above known columns leaves it a motion, whose reader refuses the fact.
pub fn is_known(bytes: &[u8]) -> bool {
    let text = decoded(bytes);
    let table = table(head(&text));
    let facts = Facts::read(&table).unwrap_or_default();
    Header::read(&table, &facts).is_ok()
}

/// Returns the table below the facts of a text; any text is one.
pub(super) fn table(text: &str) -> Table<'_> {
    Table::read(text, &header::is_fact)
}

/// Puts what facts and certain names say of a table in place of the guesses.
pub(super) fn answered(table: &Table<'_>, asked: &mut Asked) {
    if let Ok(facts) = Facts::read(table) {
        facts.answer(table, asked);
    }
}

/// Returns the file with lines of facts inserted above its line of names, where they override earlier facts.
pub fn with_facts(bytes: &[u8], facts: &str) -> Vec<u8> {
    let text = text::utf8(bytes);
    let beginning = &text[..text.len().min(1 << 16)];
    let valid = match std::str::from_utf8(beginning) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&beginning[..error.valid_up_to()]).unwrap_or_default(),
    };
    let at = table(valid).head_at;
    // The last fact may have no end.
    let end = if at > 0 && !valid[..at].ends_with(['\n', '\r']) {
        "\n"
    } else {
        ""
    };
    [&text[..at], end.as_bytes(), facts.as_bytes(), &text[at..]].concat()
}

/// A text that has been read once, for the times and positions; a second reading takes the rows in order.
struct Sorted<'a> {
    reader: Reader<'a>,
    /// The rows, by rising time.
    entries: Vec<Entry>,
    /// The distinct times, rising.
    instants: Vec<f64>,
    odd: OddRows,
    notes: Vec<String>,
    /// Times at which the clock of a track was set back, s, each with the step, s.
    clock_steps: Vec<(f64, f64)>,
}

/// Returns the number of rows whose entries fit into the memory beside a text of this length.
fn rows_that_fit(text_bytes: usize, packed: bool, has_events: bool) -> usize {
    let room_bytes = [ROOM_BYTES, PACKED_ROOM_BYTES][usize::from(packed)];
    let row_bytes = [ROW_BYTES, EVENT_ROW_BYTES][usize::from(has_events)];
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
    /// a fitting distance. A track's positions reach further, and its clock may be set back.
    fn read(
        text: &'a str,
        packed: bool,
        rows_max: usize,
        reach_m: f32,
        moved_m: Option<[f64; 3]>,
    ) -> Result<Sorted<'a>, MotionError> {
        let table = table(text);
        let facts = Facts::read(&table)?;
        let mut header = Header::read(&table, &facts)?;
        let mut notes = std::mem::take(&mut header.notes);
        let has_events = header.columns.event;
        let rows_max = rows_max.min(rows_that_fit(text.len(), packed, has_events));
        // A vector that grows would take twice the room for a moment.
        let mut entries = Vec::with_capacity(rows_max.min(table.lines_max()));
        let mut reader = Reader::new(table, facts, header, reach_m);
        let mut odd = OddRows::default();
        let mut is_far = false;
        let mut begins = Vec::new();
        let table = reader.table.clone();
        let (mut rows, mut fields) = (table.rows(), Fields::default());
        // The newest time, and that before the line of names came again.
        let (mut newest, mut named_at) = (f64::NEG_INFINITY, None);
        while let Some(at) = rows.next(&mut fields) {
            if fields.filled() == 1 && fields.get(0).contains('=') {
                // A line of facts above the names of another recording.
                continue;
            }
            if reader.are_names(&fields) {
                named_at = Some(newest);
                reader.days = Days::default();
                continue;
            }
            odd.rows += 1;
            match reader.entry(&fields, at) {
                Ok(_) if entries.len() == rows_max => {
                    return Err(RowError::too_many_rows(rows_max).at(table.line(at)));
                }
                Ok((entry, position)) => {
                    // A log that was rotated has its names again, and goes on.
                    if named_at
                        .take()
                        .is_some_and(|before| entry.instant <= before)
                    {
                        begins.push(entries.len());
                    }
                    newest = newest.max(entry.instant);
                    entries.push(entry);
                    let position = position.map(|at| at as f32);
                    is_far |= !position.iter().all(|at| (-REACH_M..REACH_M).contains(at));
                }
                Err(cause) if cause.is_final => return Err(cause.at(table.line(at))),
                Err(cause) => odd.leave_out(|| table.line(at), cause),
            }
        }
        odd.check()?;
        if reader.has_clock {
            (reader.header.unit_s, reader.header.assumes_seconds) = (Some(1.0), false);
        }
        let clock_steps = match reach_m > REACH_M {
            true => reader.clock_steps(&mut entries, &mut notes),
            false => Vec::new(),
        };
        reader.check_objects(&entries)?;
        let line = |entry: &Entry| reader.table.line(entry.at as usize);
        notes.extend(checks::choose_part(
            &mut entries,
            &begins,
            reader.facts.part,
            line,
        )?);
        sort_by_time(&mut entries, &mut notes);
        checks::spread_coarse_times(&mut entries, reader.header.unit_s, &mut notes);
        reader.moved_m = match moved_m {
            Some(moved_m) => moved_m,
            None if is_far => reader.origin(&entries),
            None => [0.0; 3],
        };
        if reader.moved_m != [0.0; 3] {
            let [x, y, z] = reader.moved_m;
            notes.push(format!("far from the origin: moved by {x}, {y}, {z} m"));
        }
        let mut instants: Vec<f64> = entries.iter().map(|entry| entry.instant).collect();
        instants.dedup();
        reader.check_seconds(&instants)?;
        Ok(Sorted {
            reader,
            entries,
            instants,
            odd,
            notes,
            clock_steps,
        })
    }

    /// Returns the timing of the rows. Times that span too many ticks are refused.
    fn timing(&mut self) -> Result<Timing, MotionError> {
        let (reader, instants) = (&self.reader, &self.instants);
        let timing = match reader.header.unit_s {
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
    fn silent_ends(&self, timing: &Timing) -> Vec<(u32, f64)> {
        if !self.reader.facts.silent_end {
            return Vec::new();
        }
        let half_s = f64::from(timing.tick_rate.hz() / 2);
        let end = timing.tick(self.instants.last().copied().unwrap_or_default());
        let rows = self.entries.iter();
        let last: BTreeMap<u32, f64> = rows.map(|entry| (entry.object, entry.instant)).collect();
        let mut ends: Vec<(u32, f64)> = last.into_iter().collect();
        ends.retain(|(_, instant)| timing.tick(*instant) + half_s < end);
        order::sort_by(&mut ends, |a, b| b.1.total_cmp(&a.1));
        ends
    }

    /// Passes each row to `take`, with its time and the tick that `tick_of` computes. `take` returns true if the row stands in
    /// place of an earlier one. Refused rows count as invalid rows.
    fn rows(
        &mut self,
        mut tick_of: impl FnMut(f64) -> u64,
        mut take: impl FnMut(&MotionRow, f64) -> Result<bool, RowError>,
    ) -> Result<(), MotionError> {
        let (mut again, mut first_again) = (0, None);
        let column = self.reader.header.instant();
        let table = &self.reader.table;
        let (mut rows, mut fields) = (table.rows(), Fields::default());
        for entry in &self.entries {
            rows.read_at(entry.at as usize, &mut fields);
            let (number, instant) = (entry.object, entry.instant);
            let row = self.reader.row(tick_of(instant), number, &fields);
            let line = || table.line(entry.at as usize);
            let names = &self.reader.names;
            let tick = || format!("{column} {instant}");
            match row.and_then(|row| take(&row, instant)) {
                Ok(false) => {}
                Ok(true) => {
                    again += 1;
                    let twice = || RowError::twice(number, 0).named(names, &tick());
                    first_again.get_or_insert_with(|| (line(), twice()));
                }
                Err(cause) if cause.is_final => return Err(cause.at(line())),
                Err(cause) => self.odd.leave_out(line, cause.named(names, &tick())),
            }
        }
        self.odd.check()?;
        self.notes.extend(self.odd.note());
        let Some((line, cause)) = first_again else {
            return Ok(());
        };
        let rows = self.odd.rows;
        if again * AGAIN_ONE_IN > rows {
            let many = format!("{cause}, as {again} of {rows} rows are a second one");
            return Err(RowError::new(many).at(line));
        }
        let rows = if again == 1 { "row is a" } else { "rows are a" };
        self.notes.push(format!(
            "{again} {rows} second of one object and {column}, the first in row {line} ({cause}): the later one counts"
        ));
        Ok(())
    }
}

/// Reads a motion from a text.
///
/// # Errors
/// When the columns are not known for certain, or too many rows are refused. The error counts lines from 1.
pub(super) fn read(text: &str, packed: bool, jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
    let mut sorted = Sorted::read(text, packed, usize::MAX, REACH_M, None)?;
    sorted.notes.extend(sorted.reader.facts.assumed());
    let habits = checks::Habits::read(&sorted);
    habits.leave_out(&mut sorted);
    let timing = sorted.timing()?;
    let (facts, header) = (&sorted.reader.facts, &sorted.reader.header);
    let mut rows = MotionRows::new(timing.tick_rate, header.columns, jumps_over);
    rows.shaped(facts.shape, facts.half_m()?);
    rows.interpolate(habits.every);
    if timing.resampled {
        rows.resample();
    }
    let mut ends = sorted.silent_ends(&timing);
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
    sorted.rows(tick_of, |row, instant| {
        let at = timing.tick(instant);
        while let Some((object, _)) = ends.pop_if(|(_, last)| *last < instant) {
            let event = MotionEvent::End;
            let end = MotionRow {
                object,
                event,
                ..*row
            };
            // An object whose rows were all odd is unknown, so its end is refused too.
            let _ = rows.add(&end, at);
        }
        rows.add(row, at)
    })?;
    let mut motion = rows.finish(&mut sorted.notes)?;
    motion.facts.notes = sorted.notes;
    motion.names = std::mem::take(&mut sorted.reader.names);
    Ok(motion)
}

/// Reads a text's rows at their own times, without resampling. Ticks without a rate count as 60 a second.
pub(super) fn read_track(
    text: &str,
    packed: bool,
    rows_max: usize,
    moved_m: Option<[f64; 3]>,
) -> Result<Track, MotionError> {
    let mut sorted = Sorted::read(text, packed, rows_max, track::REACH_M, moved_m)?;
    let clock_steps = std::mem::take(&mut sorted.clock_steps);
    let unit_s = match sorted.reader.header.unit_s {
        Some(unit_s) => unit_s,
        None => 1.0 / sorted.reader.facts.hz.unwrap_or(WORLD.hz().into()),
    };
    let mut track = Track::default();
    sorted.rows(
        |_| 0,
        |row, instant| match row.object as usize {
            OBJECTS_MAX.. => Err(RowError::too_many_objects()),
            _ => track.add(instant * unit_s, row),
        },
    )?;
    if track.frames_s.len() < 2 {
        let rows = sorted.entries.len() as u64;
        return Err(MotionError::too_short(rows));
    }
    let names = std::mem::take(&mut sorted.reader.names);
    track.objects.resize(names.len(), TrackObject::default());
    let both = track.objects.iter_mut().zip(names);
    both.for_each(|(object, name)| object.name = name);
    let (facts, header) = (&sorted.reader.facts, &sorted.reader.header);
    track.tells_of_ends = header.columns.event;
    track.shape = facts.shape;
    track.unsized_half_m = facts.half_m()?;
    track.moved_m = sorted.reader.moved_m;
    let steps = clock_steps
        .into_iter()
        .map(|(at, by)| (at * unit_s, by * unit_s));
    track.clock_steps = steps.collect();
    track.assumes_rate = header.unit_s.is_none() && facts.hz.is_none();
    track.notes = sorted.notes;
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
        let (count, rows) = (self.left_out, ["rows are", "row is"]);
        let rows = rows[usize::from(count == 1)];
        Some(format!(
            "{count} {rows} left out, the first row {line}: {cause}"
        ))
    }
}

/// A row's time, object and place. It is small, because a file may have millions; the rest is read again.
#[derive(Clone, Copy)]
struct Entry {
    /// The row's tick or time, in the file's unit.
    instant: f64,
    object: u32,
    /// Offset of the row in the text.
    at: u32,
}

/// The columns of a text, and what its rows have shown so far.
struct Reader<'a> {
    table: Table<'a>,
    facts: Facts,
    header: Header,
    /// Number of fields that a row needs at least.
    least: usize,
    moved_m: [f64; 3],
    /// Upper limit of a moved position along an axis, m.
    reach_m: f32,
    /// Names of objects by number.
    names: Vec<String>,
    numbers_of_names: BTreeMap<String, u32>,
    days: Days,
    /// True if times are those of a clock.
    has_clock: bool,
}

impl<'a> Reader<'a> {
    fn new(table: Table<'a>, facts: Facts, header: Header, reach_m: f32) -> Reader<'a> {
        let last = header.places.iter().rposition(Option::is_some);
        Reader {
            least: last.map_or(0, |at| at + 1),
            table,
            facts,
            header,
            moved_m: [0.0; 3],
            reach_m,
            names: Vec::new(),
            numbers_of_names: BTreeMap::new(),
            days: Days::default(),
            has_clock: false,
        }
    }

    /// Returns true for the line of names, which may come again.
    fn are_names(&self, fields: &Fields) -> bool {
        let names = &self.table.names;
        self.table.named > 0
            && fields.len() == self.table.named
            && (0..fields.len()).all(|at| fields.get(at) == names[at])
    }

    /// Returns the field of a column, by the index of its name; `None` without the column.
    fn field<'f>(&self, fields: &'f Fields, place: usize) -> Option<&'f str> {
        let mut places = self.header.places.iter();
        Some(fields.get(places.position(|it| *it == Some(place))?))
    }

    /// Returns a row's position in our axes and metres. A field that is no number counts as 0: it is refused later, unless the
    /// object ends here.
    fn position(&self, fields: &Fields) -> [f64; 3] {
        let along = |axis: usize| self.table.number(self.field(fields, 2 + axis)?);
        self.metres(std::array::from_fn(|axis| along(axis).unwrap_or(0.0)))
    }

    /// Reads time, object and position of a row.
    fn entry(&mut self, fields: &Fields, at: usize) -> Result<(Entry, [f64; 3]), RowError> {
        let whole = self.table.check_row(fields, self.least, self.least);
        whole.map_err(|text| RowError::of_field(text, fields.spans_lines))?;
        let field = self.field(fields, 0).unwrap_or_default();
        let clock = ClockTime::parse(field).filter(|_| self.header.unit_s.is_some());
        let instant = match clock {
            Some(_) => 0.0,
            None => self.instant(field)?,
        };
        let object = self.field(fields, 1).unwrap_or("0");
        let object = self.object(object)?;
        self.has_clock |= clock.is_some();
        let entry = Entry {
            instant: clock.map_or(instant, |clock| self.days.seconds(clock)),
            object,
            at: at as u32,
        };
        Ok((entry, self.position(fields)))
    }

    /// Finds where the clock of the rows was set back, and moves all later rows, so that their times go on by one step.
    /// Rows that are not in the order of time, such as object after object, do not count as a clock set back.
    fn clock_steps(&self, entries: &mut [Entry], notes: &mut Vec<String>) -> Vec<(f64, f64)> {
        const MOST: usize = 5;
        const ROWS_LOOKED_AT: usize = 200;
        let later = |pair: &[Entry]| pair[1].instant - pair[0].instant;
        let back = entries
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| later(pair) < 0.0);
        let back: Vec<usize> = back.map(|(at, _)| at + 1).take(MOST + 1).collect();
        if back.is_empty() || back.len() > MOST || self.header.unit_s.is_none() {
            return Vec::new();
        }
        let steps = order::sorted(entries.windows(2).map(later).filter(|step| *step > 0.0));
        let step = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
        let goes_on = |at: &usize| {
            let own = entries[*at].object;
            let before = &entries[at.saturating_sub(ROWS_LOOKED_AT)..*at];
            // Frames one by one; a frame has a row for each object.
            let frames = before.windows(2).filter(|pair| later(pair) > 0.0).count();
            let first = entries[0].instant;
            let mut others = before.iter().map(|entry| entry.object);
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
                    self.table.line(entries[at].at as usize)
                ));
            }
            entries[at].instant += moved;
        }
        found
    }

    /// Asks for the column of objects if there is none, many rows share a time, and a column was left out.
    fn check_objects(&self, entries: &[Entry]) -> Result<(), MotionError> {
        const SHARED_ONE_IN: usize = 10;
        let pairs = entries.windows(2);
        let shared = pairs.filter(|pair| pair[0].instant == pair[1].instant);
        let shared = shared.count();
        let are_many = shared > 0 && shared * SHARED_ONE_IN >= entries.len();
        let is_open = self.facts.words().is_none() && !self.header.has_objects();
        let has_others = self.header.places.contains(&None);
        match are_many && is_open && has_others {
            true => Err(self.header.ask(
                &self.table,
                &format!("{shared} rows share a time with the row before, and no column is named object: "),
            )),
            false => Ok(()),
        }
    }

    /// Refuses times of a column without a unit that step as no seconds do.
    fn check_seconds(&self, instants: &[f64]) -> Result<(), MotionError> {
        const LONGEST_S: f64 = 1.5;
        const COUNTED_MIN: usize = 20;
        let is_count = |pair: &[f64]| pair[1] - pair[0] == 1.0 && pair[0].fract() == 0.0;
        if self.header.assumes_seconds
            && instants.len() > COUNTED_MIN
            && instants.windows(2).all(is_count)
        {
            return Err(MotionError::header(
                "time goes on by exactly 1 from row to row, as ticks do: is it a tick, with rate=60 for the ticks of a second? A first line columns= with a word for each column says so, also for seconds, with time_s".to_string(),
            ));
        }
        let steps = order::sorted(instants.windows(2).map(|pair| pair[1] - pair[0]));
        match steps
            .get(steps.len() / 2)
            .filter(|step| self.header.assumes_seconds && **step >= LONGEST_S)
        {
            Some(step) => Err(MotionError::header(format!(
                "time goes on by {step} from row to row: these are no seconds. Name the column time_ms, time_us or time_ns, or say so in a first line columns= with a word for each column"
            ))),
            None => Ok(()),
        }
    }

    /// Returns the whole metres by which to move all positions if some are beyond the codec's reach. The origin moves to
    /// the middle of the positions around the median.
    fn origin(&self, entries: &[Entry]) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let (mut rows, mut fields) = (self.table.rows(), Fields::default());
            let along = entries.iter().map(|entry| {
                rows.read_at(entry.at as usize, &mut fields);
                self.position(&fields)[axis]
            });
            let along = order::sorted(along.filter(|at| at.is_finite()));
            let Some(&median) = along.get(along.len() / 2) else {
                return 0.0;
            };
            let reach_m = f64::from(REACH_M);
            let is_near = |at: &&f64| (**at - median).abs() < 2.0 * reach_m;
            let near = || along.iter().filter(is_near).copied();
            let (least, most) = (near().fold(median, f64::min), near().fold(median, f64::max));
            match least >= -reach_m && most < reach_m {
                true => 0.0,
                false => -f64::midpoint(least, most).round(),
            }
        })
    }

    fn instant(&self, field: &str) -> Result<f64, RowError> {
        let column = self.header.instant();
        let instant = self.number(field, column)?;
        let is_tick = |instant: f64| instant >= 0.0 && instant.fract() == 0.0 && instant < 1e15;
        match instant.is_finite() && (self.header.unit_s.is_some() || is_tick(instant)) {
            true => Ok(instant),
            false => Err(RowError::not_a_number(field, column)),
        }
    }

    /// Parses a number. A file whose commas and points are not clear is refused as a whole.
    fn number(&self, field: &str, column: &str) -> Result<f64, RowError> {
        let number = self.table.number_of(field, column);
        number.map_err(|text| RowError::of_field(text, is_unclear(field)))
    }

    /// Converts a position to our axes and metres.
    fn metres(&self, position: [f64; 3]) -> [f64; 3] {
        self.facts.turn(position.map(|at| at * self.facts.metres()))
    }

    fn row(&self, tick: u64, object: u32, fields: &Fields) -> Result<MotionRow, RowError> {
        let event = self.event(fields)?;
        let by_place = self.numbers(fields, event)?;
        let (columns, facts) = (self.header.columns, &self.facts);
        let three = |first: usize| [by_place[first], by_place[first + 1], by_place[first + 2]];
        let narrow = |three: [f64; 3]| three.map(|part| part as f32);
        let moved = self.metres(three(2));
        let position = std::array::from_fn(|axis| (moved[axis] + self.moved_m[axis]) as f32);
        if event != MotionEvent::End {
            self.check_reach(position, three(2))?;
        }
        let [x, y, z] = facts.turn_axis(narrow(three(5)));
        let turns = || narrow(three(12)).map(|part| part * facts.radians());
        // A refused size keeps its sign.
        let half_size = || {
            let [x, y, z] = narrow(three(15).map(|half| half * facts.metres()));
            if facts.y_up { [x, z, y] } else { [x, y, z] }
        };
        Ok(MotionRow {
            tick,
            object,
            position,
            orientation: [x, y, z, by_place[8] as f32],
            linear_velocity: (columns.linear_velocity).then(|| narrow(self.metres(three(9)))),
            angular_velocity: (columns.angular_velocity).then(|| facts.turn_axis(turns())),
            half_size: columns.half_size.then(half_size),
            event,
        })
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
        self.names.push(field.to_string());
        self.numbers_of_names.insert(field.to_string(), number);
        Ok(number)
    }

    /// Reads the numbers of a row by their place in [`NAMES`].
    fn numbers(&self, fields: &Fields, event: MotionEvent) -> Result<[f64; EVENT], RowError> {
        let mut by_place = [0.0; EVENT];
        if !self.header.has_orientation {
            by_place[8] = 1.0;
        }
        // An object that ends has no pose.
        if event == MotionEvent::End {
            return Ok(by_place);
        }
        for (at, place) in self.header.places.iter().enumerate() {
            if let Some(place @ 2..EVENT) = *place {
                by_place[place] = self.number(fields.get(at), NAMES[place])?;
            }
        }
        Ok(by_place)
    }

    /// Refuses a position beyond the reach; the error tells the position as the file `states` it.
    fn check_reach(&self, position_m: [f32; 3], states: [f64; 3]) -> Result<(), RowError> {
        const UNIT: &str = ". If these are no metres, a first line such as unit=cm says so";
        let is_far = |at: &f32| at.is_finite() && at.abs() > self.reach_m;
        if !position_m.iter().any(is_far) {
            return Ok(());
        }
        let [x, y, z] = states;
        Err(RowError::new(format!(
            "x, y, z are {x}, {y}, {z}: more than {} m from the middle{}",
            self.reach_m,
            if self.facts.states_unit() { "" } else { UNIT }
        )))
    }

    /// Reads the event of a row.
    fn event(&self, fields: &Fields) -> Result<MotionEvent, RowError> {
        match self.field(fields, EVENT) {
            Some(field) => MotionEvent::parse(field).ok_or_else(|| RowError::not_an_event(field)),
            None => Ok(MotionEvent::None),
        }
    }
}
