//! A recorded link in place of a modelled one: delay and loss of each packet over time.
//!
//! A trace repeats. A packet takes the newest row sent at or before it, so its fate depends on its send time and the trace
//! alone. Formats are told apart by content: rows as text ([`csv`]), the output of `ping` and its relatives, and packets that
//! other programs recorded.

mod capture;
pub mod csv;
mod delays;
mod error;
mod parsed;
mod ping;

use snapshot_base::hash::fingerprint;
use snapshot_base::text::{beginning, utf8};

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

const UNKNOWN: &str = "it is no trace: neither rows of sent_ms,delay_ms, nor the output of ping, fping or irtt, nor pings that Wireshark exports, nor a log of mahimahi";
/// Error text for a file of numbers that does not say what they are; their count is put before the text.
const UNLABELLED: &str = "numbers, one a line: which delays are these? Write rtt_ms (round trips, one a second) or delay_ms (one way) above them";

/// A recorded link: delays and losses to replay.
#[derive(Clone, Debug)]
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

/// A format of trace files, recognised by the first lines.
enum FileFormat {
    Rows,
    Ping,
    Program(capture::Program),
    /// Numbers, one a line, without a name.
    Numbers,
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
        let utf8 = utf8(bytes);
        let text = String::from_utf8_lossy(&utf8);
        let (stated_ms, text) = stated_interval(&text);
        let format = match recognise(text) {
            Some(format) => format,
            None if text.trim().is_empty() => return Err(TraceError::EMPTY),
            None => return Err(TraceError::fixed(UNKNOWN)),
        };
        let mut reading = match format {
            FileFormat::Rows => csv::read(text)?,
            FileFormat::Ping => ping::read(text)?,
            FileFormat::Program(capture::Program::Wireshark) => capture::wireshark(text)?,
            FileFormat::Program(capture::Program::Irtt) => capture::irtt(text)?,
            FileFormat::Program(capture::Program::Pingparsing) => capture::pingparsing(text)?,
            FileFormat::Program(capture::Program::Mahimahi) => capture::mahimahi(text)?,
            FileFormat::Program(capture::Program::Report(reason)) => {
                return Err(TraceError::fixed(reason));
            }
            FileFormat::Numbers => {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                return Err(TraceError::new(format!("{} {UNLABELLED}", lines.count())));
            }
        };
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

    /// Returns true if a file looks like a trace, by its first lines.
    pub fn begins(bytes: &[u8]) -> bool {
        // Cheap for a file of 256 MB.
        let bytes = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
        let utf8 = utf8(bytes);
        let text = String::from_utf8_lossy(&utf8);
        let text = stated_interval(&text).1;
        let first = text
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default();
        match recognise(text) {
            // Such rows are rather a motion's.
            Some(FileFormat::Rows) => !csv::is_too_wide(first),
            format => format.is_some(),
        }
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

/// Splits off a first line `interval_ms=200`: returns the stated interval between packets in ms, if any, and the text below.
/// A person writes the line above the output of a program that prints no times.
fn stated_interval(text: &str) -> (Option<f64>, &str) {
    let stated = || {
        let (line, rest) = text.split_once('\n')?;
        let value = line.trim().strip_prefix("interval_ms=")?;
        let interval_ms: f64 = value.trim().parse().ok()?;
        (INTERVALS_MS.contains(&interval_ms)).then_some((interval_ms, rest))
    };
    stated().map_or((None, text), |(interval_ms, rest)| {
        (Some(interval_ms), rest)
    })
}

/// Returns the format of a text, by its first lines; `None` if it is unknown.
fn recognise(text: &str) -> Option<FileFormat> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut bytes = 0;
    let mut looked_at = lines.clone().take_while(|line| {
        bytes += line.len();
        bytes <= LOOKED_AT_BYTES
    });
    let first = lines.next()?;
    let head = beginning(text, LOOKED_AT_BYTES);
    if let Some(program) = capture::begins(head) {
        return Some(FileFormat::Program(program));
    }
    if looked_at.any(|line| !line.contains('\0') && ping::begins(line)) {
        return Some(FileFormat::Ping);
    }
    match () {
        () if first.trim().parse::<f64>().is_ok() => Some(FileFormat::Numbers),
        () if csv::begins(first) => Some(FileFormat::Rows),
        () => None,
    }
}

/// Reads any bytes as a trace and checks the reader: a trace keeps the limits, and a refusal is a sentence of bounded
/// length. The fuzz target `trace` and the test that replays its corpus call this.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    let trace = match Trace::read(data) {
        Ok(trace) => trace,
        Err(error) => return assert!(error.to_string().len() < 400, "{error}"),
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
