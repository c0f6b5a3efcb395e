//! Motion files as text: an optional line with the rate, a line of names, then a line for each row. Commas, semicolons or tabs
//! separate fields, which may be quoted.

use super::rows::{Columns, EVENT, MotionRow, MotionRows, NAMES, RowError, TIME};
use super::{JumpSpeed, Motion, MotionError, MotionEvent};
use snapshot_base::text::shorten;
use snapshot_base::time::{TickRate, WORLD};

/// Number of required columns: tick, object, position, orientation.
const REQUIRED: usize = 9;
/// Name in the optional line before the header that gives the tick rate.
const RATE: &str = "rate";

/// Greatest distance of a time from its tick, in ticks: times in whole milliseconds stay within it up to 240 Hz.
const OFF_TICK_MAX: f64 = 0.25;

/// Returns true if bytes begin like a motion in text: with a column's name or with the rate.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    let name = bytes
        .split(|byte| matches!(byte, b',' | b';' | b'=' | b'\n' | b'\r' | b' ' | b'\t'))
        .next();
    name.is_some_and(|name| {
        let name = name.strip_prefix(b"\"").unwrap_or(name);
        let name = name.strip_suffix(b"\"").unwrap_or(name);
        let known = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
        NAMES.iter().chain(&[TIME, RATE]).any(known)
    })
}

/// Reads a motion from a text.
///
/// # Errors
/// When its header does not name what there must be, or a row is refused; rows go by their lines, from 1.
pub(super) fn read(bytes: &[u8], jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let mut lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let mut header = || {
        let line = lines.next().map(|(_, line)| line).unwrap_or_default();
        std::str::from_utf8(line).map_err(|_| MotionError::Header("it is not text".to_string()))
    };
    let mut names = header()?;
    let given = rate_line(names)?;
    if given.is_some() {
        names = header()?;
    }
    let parts = [';', '\t'].into_iter().find(|part| names.contains(*part));
    let parts = parts.unwrap_or(',');
    let head = CsvColumns::read(names, parts)?;
    let columns = head.columns()?;
    let tick_rate = match (given, head.time) {
        (Some(rate), _) => rate,
        (None, Some(at)) => rate_of_times(lines.clone().map(|(_, line)| line), parts, at)?,
        (None, None) => WORLD,
    };
    let mut reader = Reader {
        head,
        columns,
        parts,
        tick_rate,
        times: None,
        numbers: Vec::with_capacity(NAMES.len()),
    };
    let mut rows = MotionRows::new(tick_rate, columns, jumps_over);
    for (line, text) in lines {
        let row = reader.row(text);
        let row = row.map_err(|cause| MotionError::Row { row: line, cause })?;
        rows.add(line, &row)?;
    }
    rows.finish()
}

/// Reads the tick rate from an optional line like `rate=240` before the header; `None` for another line.
fn rate_line(line: &str) -> Result<Option<TickRate>, MotionError> {
    let is_sign = |sign: char| sign.is_whitespace() || matches!(sign, '=' | ',' | ';' | '"');
    let line = line.trim_matches(is_sign);
    let told = line
        .get(..RATE.len())
        .filter(|name| name.eq_ignore_ascii_case(RATE));
    let Some(told) = told.and(line.get(RATE.len()..)) else {
        return Ok(None);
    };
    let told = told.trim_matches(is_sign);
    let rate = told.parse().ok().and_then(TickRate::new);
    rate.map(Some)
        .ok_or_else(|| MotionError::Rate(format!("\"{}\"", shorten(told))))
}

/// Estimates the tick rate from the times of rows: by the mean step, without steps over 1.5 times the shortest. Those longer
/// steps span ticks without rows.
fn rate_of_times<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    parts: char,
    at: usize,
) -> Result<TickRate, MotionError> {
    let mut last = None;
    let mut steps_s = Vec::new();
    for line in lines {
        let line = String::from_utf8_lossy(line);
        // A row that cannot be read is refused later, by its number.
        let Some(now) = line.split(parts).nth(at).and_then(|it| time(bare(it)).ok()) else {
            continue;
        };
        steps_s.extend(last.map(|last| now - last).filter(|step_s| *step_s > 0.0));
        last = Some(now);
    }
    let shortest_s = steps_s.iter().copied().fold(f64::INFINITY, f64::min);
    let is_one = |step_s: &&f64| **step_s < 1.5 * shortest_s;
    let (sum_s, count) = (steps_s.iter().filter(is_one))
        .fold((0.0, 0.0), |(sum_s, count), step_s| {
            (sum_s + step_s, count + 1.0)
        });
    let hz = count / sum_s;
    let rate = (hz.is_finite()).then(|| TickRate::new(hz.round() as u32));
    rate.flatten().ok_or_else(|| {
        let told = match hz.is_finite() {
            true => format!("{hz:.1} by the times"),
            false => "not told, as all times are the same".to_owned(),
        };
        MotionError::Rate(told)
    })
}

/// Removes the quotes that some programs put around a field.
fn bare(field: &str) -> &str {
    field.trim().trim_matches('"').trim()
}

/// The columns of a line.
struct CsvColumns {
    /// For each position in a line, the index of its column name.
    places: Vec<usize>,
    /// Position of the field that is a time instead of a tick, if any.
    time: Option<usize>,
}

impl CsvColumns {
    fn read(header: &str, parts: char) -> Result<CsvColumns, MotionError> {
        let (mut places, mut time) = (Vec::new(), None);
        for (at, text) in header.split(parts).map(bare).enumerate() {
            let is_time = text.eq_ignore_ascii_case(TIME);
            if is_time {
                time = Some(at);
            }
            let mut names = NAMES.iter();
            let place = names.position(|name| name.eq_ignore_ascii_case(text));
            let place = place.or(is_time.then_some(0)).ok_or_else(|| {
                MotionError::Header(format!(
                    "there is no column \"{}\": they are {}, and {TIME} in place of {}",
                    shorten(text),
                    NAMES.join(","),
                    NAMES[0]
                ))
            })?;
            if places.contains(&place) {
                let twice = match place {
                    0 => "tick or time".to_string(),
                    _ => format!("column {}", NAMES[place]),
                };
                return Err(MotionError::Header(format!("{twice} comes twice")));
            }
            places.push(place);
        }
        if let Some(missing) = (0..REQUIRED).find(|place| !places.contains(place)) {
            return Err(MotionError::Header(format!(
                "column {} is missing",
                NAMES[missing]
            )));
        }
        Ok(CsvColumns { places, time })
    }

    fn columns(&self) -> Result<Columns, MotionError> {
        let three = |first: usize| {
            let there = (first..first + 3)
                .filter(|place| self.places.contains(place))
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
            event: self.places.contains(&EVENT),
        })
    }
}

/// A reader of lines, in order.
struct Reader {
    head: CsvColumns,
    columns: Columns,
    parts: char,
    tick_rate: TickRate,
    /// The first and the newest row's time, s.
    times: Option<[f64; 2]>,
    numbers: Vec<f32>,
}

impl Reader {
    fn row(&mut self, text: &[u8]) -> Result<MotionRow, RowError> {
        // What is not text is no number, and told as such.
        let text = String::from_utf8_lossy(text);
        let fields = text.split(self.parts).count();
        let expected = self.head.places.len();
        if fields != expected {
            return Err(RowError::Fields { fields, expected });
        }
        let event = self.event(&text)?;
        let (mut tick, mut object) = (0, 0);
        let mut by_place = [0.0; EVENT];
        for (at, field) in text.split(self.parts).map(bare).enumerate() {
            let place = self.head.places[at];
            match place {
                0 if self.head.time.is_some() => tick = self.tick(time(field)?)?,
                0 => tick = whole(field, NAMES[0])?,
                1 => object = whole(field, NAMES[1])?,
                // Of an object that ends there is no pose to tell.
                EVENT => {}
                _ if event == MotionEvent::End => {}
                _ => by_place[place] = number(field, NAMES[place])?,
            }
        }
        let places = (2..EVENT).filter(|place| self.head.places.contains(place));
        self.numbers.clear();
        self.numbers.extend(places.map(|place| by_place[place]));
        Ok(MotionRow::new(
            tick,
            object,
            &self.numbers,
            event,
            self.columns,
        ))
    }

    /// Reads the event of a line that has as many fields as there are columns.
    fn event(&self, line: &str) -> Result<MotionEvent, RowError> {
        let mut places = self.head.places.iter();
        let Some(at) = places.position(|place| *place == EVENT) else {
            return Ok(MotionEvent::None);
        };
        let field = line.split(self.parts).nth(at).map_or("", bare);
        MotionEvent::parse(field).ok_or_else(|| RowError::NotAnEvent {
            text: shorten(field),
        })
    }

    /// Converts a time to its tick.
    fn tick(&mut self, time: f64) -> Result<u64, RowError> {
        let [first_time, before] = self.times.unwrap_or([time; 2]);
        if time < before {
            return Err(RowError::TimeBefore { time, before });
        }
        self.times = Some([first_time, time]);
        let hz = self.tick_rate.hz();
        let ticks = (time - first_time) * f64::from(hz);
        let off = (ticks - ticks.round()).abs();
        if off > OFF_TICK_MAX {
            let off_ms = self.tick_rate.ms_of_tick(off);
            return Err(RowError::OffTick { time, hz, off_ms });
        }
        Ok(ticks.round() as u64)
    }
}

/// Reads a field as a whole number; `column` is used in errors.
fn whole<T: TryFrom<u64>>(text: &str, column: &'static str) -> Result<T, RowError> {
    let number = text
        .trim()
        .parse()
        .ok()
        .and_then(|number: u64| T::try_from(number).ok());
    number.ok_or_else(|| not_a_number(text, column))
}

/// Reads a field as a finite time, s.
fn time(text: &str) -> Result<f64, RowError> {
    let time = decimal(text.trim().as_bytes());
    time.filter(|time| time.is_finite())
        .ok_or_else(|| not_a_number(text, TIME))
}

/// Reads a field as a decimal number; `column` is used in errors.
fn number(text: &str, column: &'static str) -> Result<f32, RowError> {
    let number = decimal(text.trim().as_bytes());
    number
        .map(|number| number as f32)
        .ok_or_else(|| not_a_number(text, column))
}

fn not_a_number(text: &str, column: &'static str) -> RowError {
    RowError::NotANumber {
        column,
        text: shorten(text.trim()),
    }
}

/// Parses a decimal number such as `-12.5` or `3e-7`. The standard library's parser has a table of 10 kB that the page would
/// carry for this alone. Up to 15 digits and 22 places this one is as exact; beyond, the last bit of the f32 may be off.
fn decimal(text: &[u8]) -> Option<f64> {
    const PLACES_MAX: i32 = 400;
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut parts = text.splitn(2, |byte| byte.eq_ignore_ascii_case(&b'e'));
    let (digits, exponent) = (parts.next()?, parts.next());
    let exponent: i32 = match exponent {
        Some(text) => std::str::from_utf8(text).ok()?.parse().ok()?,
        None => 0,
    };
    let point = digits.iter().position(|&byte| byte == b'.');
    let (whole, fraction) = digits.split_at(point.unwrap_or(digits.len()));
    let fraction = fraction.get(1..).unwrap_or_default();
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut mantissa, mut dropped) = (0_u64, 0_i32);
    for digit in whole.iter().chain(fraction) {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        if mantissa < u64::MAX / 100 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else {
            dropped = dropped.saturating_add(1);
        }
    }
    let fraction = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let places = exponent.saturating_add(dropped).saturating_sub(fraction);
    let mut value = mantissa as f64;
    let mut scale = 1.0_f64;
    (0..places.abs().min(PLACES_MAX)).for_each(|_| scale *= 10.0);
    if places < 0 {
        value /= scale;
    } else if mantissa > 0 {
        value *= scale;
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests;
