//! A recorded link in place of a modelled one: delay and loss of each packet over time.
//!
//! A trace repeats. A packet takes the newest row sent at or before it, so its fate depends on its send time and the trace
//! alone. Formats are told apart by content: tables ([`csv`]), the output of `ping` and its relatives, and packets that other
//! programs recorded.

mod capture;
pub mod csv;
mod delays;
mod error;
mod ping;

use crate::table::Table;
use serde::{Deserialize, Serialize};
use snapshot_base::hash::fingerprint;
use snapshot_base::text::{beginning, decoded, lines};

pub use delays::{Delays, TracePacket};
pub use error::TraceError;

/// Upper limit of the number of packets in a trace: 4.6 hours at 60 a second.
pub const ROWS_MAX: usize = 1_000_000;
/// Upper limit of the size of a file, bytes.
pub const BYTES_MAX: usize = 64 << 20;
/// Upper limit of a delay in one direction, ms.
pub const DELAY_MS_MAX: f64 = 60_000.0;
/// Upper limit of a row's time of sending, ms; Unix times in ms are below it.
pub const SENT_MS_MAX: f64 = 1e13;
/// Share of packets that arrive within the `spread_ms` of a trace or of a link.
pub const IN_TIME: f64 = 0.99;

/// Interval between packets if a file has none, ms: that of `ping`.
const INTERVAL_MS: f64 = 1000.0;
/// Range of the interval that a person may state above a file without times, ms.
const INTERVALS_MS: std::ops::RangeInclusive<f64> = 0.1..=60_000.0;

/// Number of bytes at the start of a file from which its format is recognised: some hundred lines. The first hundred replies
/// may be lost.
const LOOKED_AT_BYTES: usize = 1 << 14;

/// Names of the facts above a trace.
const FACTS: [&str; 4] = ["interval_ms", "columns", "comma", "sep"];

/// A recorded link: delays and losses to replay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace {
    delays: Delays,
    /// The delays on the way back, if the file has separate ones.
    back: Option<Delays>,
    description: String,
    assumed_interval: bool,
    fingerprint: u32,
    /// Offset into the file at which the trace begins, ms.
    begins_ms: f64,
}

/// The delays of a file, and how its text was understood.
#[derive(Debug)]
struct Reading {
    delays: Delays,
    /// The delays on the way back, if the file has separate ones.
    back: Option<Delays>,
    /// True if the file has round trips, so that the delays are half of them.
    round_trips: bool,
    /// True if the file has no times, so that packets count as sent one a second.
    assumed_interval: bool,
    /// Notes on how the file was read: changes and doubts, a clause each.
    notes: Vec<String>,
}

/// Traces are equal if they start at the same offset and their files have the same fingerprint and length.
impl PartialEq for Trace {
    fn eq(&self, other: &Trace) -> bool {
        let key = |trace: &Trace| {
            let begins_ms = trace.begins_ms.to_bits();
            (trace.fingerprint, trace.packets(), begins_ms)
        };
        key(self) == key(other)
    }
}

impl Eq for Trace {}

impl Trace {
    /// Reads a file of any of the formats.
    ///
    /// # Errors
    /// When the file has none of the formats, or something in it is refused.
    pub fn read(bytes: &[u8]) -> Result<Trace, TraceError> {
        if bytes.len() > BYTES_MAX {
            let reason = format!("it has more than {} MB", BYTES_MAX >> 20);
            return Err(TraceError::new(reason));
        }
        let text = decoded(bytes);
        let table = table(&text);
        let body = &text[table.head_at..];
        if body.trim().is_empty() {
            return Err(TraceError::EMPTY);
        }
        let mut reading = match recognise(body) {
            Some(Format::Ping) => ping::read(body)?,
            Some(Format::Irtt) => capture::irtt(body)?,
            Some(Format::Mahimahi) => capture::mahimahi(body)?,
            None => csv::read(&table)?,
        };
        let stated_ms = stated_interval_ms(&table);
        match stated_ms {
            Some(interval_ms) if reading.assumed_interval => {
                reading.delays.stretch(interval_ms / INTERVAL_MS);
                reading.assumed_interval = false;
                let interval = short(interval_ms);
                let note = format!("sent every {interval} ms, as its first line says");
                reading.notes.push(note);
            }
            Some(_) => {
                let note = "it tells its times: the interval of the first line is not used";
                reading.notes.push(note.to_string());
            }
            None => {}
        }
        Ok(Trace {
            description: reading.description(),
            delays: reading.delays,
            back: reading.back,
            assumed_interval: reading.assumed_interval,
            fingerprint: fingerprint(bytes),
            begins_ms: 0.0,
        })
    }

    /// Returns the parsed trace as bytes: one thread reads the file, and another uses the trace.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("a trace has only numbers and a text")
    }

    /// Makes a trace from the bytes of [`Trace::to_bytes`]; `None` if other bytes are given.
    pub fn of_bytes(bytes: &[u8]) -> Option<Trace> {
        let (trace, rest) = postcard::take_from_bytes::<Trace>(bytes).ok()?;
        let mut both = std::iter::once(&trace.delays).chain(&trace.back);
        let begins = trace.delays.rows().first()?.sent_ms == 0.0;
        (rest.is_empty() && begins && both.all(Delays::is_whole)).then_some(trace)
    }

    /// Returns the same trace, started at an offset into the file; the rows before the offset come last. It begins with the
    /// first packet at or after the offset.
    #[must_use]
    pub fn from_ms(&self, offset_ms: f64) -> Trace {
        let origin_ms = (self.delays).next_ms(offset_ms.rem_euclid(self.length_ms()));
        let back = self.back.as_ref();
        Trace {
            delays: self.delays.rotated(origin_ms),
            back: back.map(|back| back.rotated(origin_ms)),
            begins_ms: self.begins_ms + offset_ms,
            ..self.clone()
        }
    }

    /// Offset into the file at which the trace begins, ms.
    pub fn begins_ms(&self) -> f64 {
        self.begins_ms
    }

    /// Returns true if a file is a trace for certain, by its first lines: the output of a known program, or a table whose
    /// columns are known.
    pub fn begins(bytes: &[u8]) -> bool {
        // Cheap for a file of 256 MB.
        let text = decoded(&bytes[..bytes.len().min(LOOKED_AT_BYTES)]);
        let table = table(&text);
        recognise(&text[table.head_at..]).is_some() || csv::is_known(&table)
    }

    /// The delays and losses over time, which replace those of the link to the receiver.
    pub fn delays(&self) -> &Delays {
        &self.delays
    }

    /// The delays and losses on the way back: those of the file's path `up`, or else the same as to the receiver.
    pub fn delays_back(&self) -> &Delays {
        self.back.as_ref().unwrap_or(&self.delays)
    }

    /// Returns true if the file has no times, so that packets count as sent one a second.
    pub fn has_assumed_interval(&self) -> bool {
        self.assumed_interval
    }

    /// Fingerprint of the file, by which a link names the trace.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// Number of packets in the trace.
    pub fn packets(&self) -> usize {
        self.delays.rows().len()
    }

    /// Time after which the trace repeats, ms.
    pub fn length_ms(&self) -> f64 {
        self.delays.length_ms()
    }

    /// Returns one line that says how the file was understood.
    pub fn description(&self) -> &str {
        &self.description
    }
}

impl Reading {
    fn description(&self) -> String {
        let (rows, seconds) = (self.delays.rows(), short(self.delays.length_ms() / 1000.0));
        let packets = rows.len();
        let lost = rows.iter().filter(|row| row.lost).count();
        let arrived = rows.iter().filter(|row| !row.lost).map(|row| row.delay_ms);
        let ways = if self.round_trips { 2.0 } else { 1.0 };
        let least = short(ways * arrived.clone().fold(f64::INFINITY, f64::min));
        let most = short(ways * arrived.fold(0.0, f64::max));
        let mut text = format!("{packets} packets, {seconds} s, {lost} lost, {least} to {most} ms");
        if self.round_trips {
            text += " there and back, a half for each way";
        }
        if self.assumed_interval {
            text += "; the file tells no times, so a packet counts as sent each second";
        }
        for note in &self.notes {
            text += "; ";
            text += note;
        }
        text
    }
}

/// Formats a number with about three digits.
fn short(value: f64) -> String {
    match value {
        value if value >= 9.95 => format!("{value:.0}"),
        value if value >= 0.095 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// Returns the table below the facts of a text; any text is one.
fn table(text: &str) -> Table<'_> {
    Table::read(text, &|name| FACTS.contains(&name))
}

/// Returns the interval between packets that a person states above the output of a program that prints no times, ms.
fn stated_interval_ms(table: &Table<'_>) -> Option<f64> {
    let facts = table
        .facts
        .iter()
        .filter(|fact| fact.name.eq_ignore_ascii_case(FACTS[0]));
    let mut stated = facts.filter_map(|fact| fact.value.parse::<f64>().ok());
    stated.rfind(|interval_ms| INTERVALS_MS.contains(interval_ms))
}

/// A format other than a table of packets.
enum Format {
    Ping,
    Irtt,
    Mahimahi,
}

/// Returns the format of a text, by its first lines; `None` for a table and any other text.
fn recognise(text: &str) -> Option<Format> {
    let head = beginning(text, LOOKED_AT_BYTES).trim_start();
    let is_ping = |line: &str| !line.contains('\0') && ping::begins(line);
    match () {
        () if head.starts_with("# mahimahi mm-link") => Some(Format::Mahimahi),
        () if head.starts_with('{')
            && (head.contains("\"irtt\"") || head.contains("\"round_trips\"")) =>
        {
            Some(Format::Irtt)
        }
        () => lines(head).any(is_ping).then_some(Format::Ping),
    }
}

/// Reads any bytes as a trace and checks the reader: a trace keeps the limits, and a refusal is a sentence of bounded
/// length. The fuzz target `trace` and the test that replays its corpus call this.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    let trace = match Trace::read(data) {
        Ok(trace) => trace,
        Err(error) => return assert!(error.to_string().len() < 4000, "{error}"),
    };
    assert!(Trace::begins(data) || data.len() > LOOKED_AT_BYTES);
    assert!((1..=ROWS_MAX).contains(&trace.packets()));
    let length_ms = trace.length_ms();
    assert!(length_ms.is_finite() && length_ms > 0.0);
    let delays = trace.delays();
    let rows = delays.rows();
    assert_eq!(rows[0].sent_ms, 0.0);
    assert!(rows.is_sorted_by(|a, b| a.sent_ms <= b.sent_ms));
    let is_delay = |row: &TracePacket| (0.0..=DELAY_MS_MAX).contains(&row.delay_ms);
    assert!(rows.iter().all(is_delay) && rows.iter().any(|row| !row.lost));
    for row in rows {
        assert_eq!(delays.at(row.sent_ms).sent_ms, row.sent_ms);
    }
    let file = rows.iter().map(|row| {
        let delay_ms = (!row.lost).then_some(row.delay_ms);
        (row.sent_ms, delay_ms, row.bytes)
    });
    let again = Trace::read(csv::write(file).as_bytes());
    let again = again.expect("written rows are read");
    assert!(rows.len() == 1 || again.delays() == delays);
}

#[cfg(test)]
mod tests;
