//! A recorded link in place of a modelled one: delay and loss of each packet over time, or capacity over time.
//!
//! A trace repeats. A packet takes the newest row sent at or before it, so its fate depends on its send time and the trace
//! alone. Formats are told apart by content: rows as text ([`csv`]), the output of `ping`, and mahimahi's lines
//! ([`capacity`]).

pub mod capacity;
pub mod csv;
mod delays;
mod error;
mod ping;
mod windows;

use snapshot_base::hash::fingerprint;
use snapshot_base::text::utf8;

pub use capacity::Capacity;
pub use delays::{Delays, TracePacket};
pub use error::{TraceError, TraceRowError};

/// Packets of a trace, or lines of capacity, at most: 4.6 hours at 60 a second.
pub const ROWS_MAX: usize = 1_000_000;
/// Bytes of a file, at most.
pub const BYTES_MAX: usize = 64 << 20;
/// Greatest delay one way in ms.
pub const DELAY_MS_MAX: f64 = 60_000.0;
/// Greatest time of a row in ms on its own clock; Unix time in ms is below.
pub const SENT_MS_MAX: f64 = 1e13;
/// Share of packets that come within the spread of delays, of a trace or of a link.
pub const IN_TIME: f64 = 0.99;

/// Bytes at the start of a file from which its format is recognised: some hundred lines. The first hundred replies may be lost.
const LOOKED_AT_BYTES: usize = 1 << 14;

/// A recorded link.
#[derive(Clone, Debug)]
pub struct Trace {
    content: Content,
    format: TraceFormat,
    fingerprint: u32,
    /// Offset into the file.
    begins_ms: f64,
}

/// The content of a trace.
#[derive(Clone, Debug)]
pub enum Content {
    /// Delay and loss over time. They replace those of the link.
    Delays(Delays),
    /// Capacity over time. It replaces the rate of the link, whose delay and loss stay.
    Capacity(Capacity),
}

/// The format of a trace's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// Rows `sent_ms,delay_ms`.
    Rows,
    /// Output of `ping` of Linux, macOS or BusyBox.
    Ping {
        /// True if its lines have times.
        timed: bool,
    },
    /// Output of `ping` of Windows.
    WindowsPing,
    /// Lines of capacity, as mahimahi has them.
    Capacity,
}

/// Traces are equal if they start at the same offset and their files have the same fingerprint and length.
impl PartialEq for Trace {
    fn eq(&self, other: &Trace) -> bool {
        let key = |trace: &Trace| {
            let begins_ms = trace.begins_ms.to_bits();
            (trace.fingerprint, trace.format, trace.packets(), begins_ms)
        };
        key(self) == key(other)
    }
}

impl Eq for Trace {}

impl Trace {
    /// Reads a file of any of the formats.
    ///
    /// # Errors
    /// When it is none of them, or something in it is refused.
    pub fn read(bytes: &[u8]) -> Result<Trace, TraceError> {
        if bytes.len() > BYTES_MAX {
            return Err(TraceError::TooLarge);
        }
        let utf8 = utf8(bytes);
        let text = String::from_utf8_lossy(&utf8);
        let format = match recognise(&text) {
            Some(format) => format,
            None if text.trim().is_empty() => return Err(TraceError::Empty),
            None => return Err(TraceError::Unknown),
        };
        let (content, format) = match format {
            TraceFormat::Rows => (Content::Delays(csv::read(&text)?), format),
            TraceFormat::Ping { .. } => {
                let (delays, timed) = ping::read(&text)?;
                (Content::Delays(delays), TraceFormat::Ping { timed })
            }
            TraceFormat::WindowsPing => (Content::Delays(windows::read(&text)?), format),
            TraceFormat::Capacity => (Content::Capacity(capacity::read(&text)?), format),
        };
        Ok(Trace {
            content,
            format,
            fingerprint: fingerprint(bytes),
            begins_ms: 0.0,
        })
    }

    /// The same trace, started at an offset and wrapped round. It begins with the first packet, or line of capacity, at or
    /// after the offset.
    #[must_use]
    pub fn from_ms(&self, offset_ms: f64) -> Trace {
        let in_trace_ms = offset_ms.rem_euclid(self.length_ms());
        let content = match &self.content {
            Content::Delays(delays) => Content::Delays(delays.later(in_trace_ms)),
            Content::Capacity(capacity) => Content::Capacity(capacity.later(in_trace_ms)),
        };
        Trace {
            content,
            begins_ms: self.begins_ms + offset_ms,
            ..*self
        }
    }

    /// The offset into the file at which it begins, ms.
    pub fn begins_ms(&self) -> f64 {
        self.begins_ms
    }

    /// Says whether a file is meant as a trace, by its first lines.
    pub fn begins(bytes: &[u8]) -> bool {
        // Cheap for a file of 256 MB.
        let bytes = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
        recognise(&String::from_utf8_lossy(&utf8(bytes))).is_some()
    }

    /// The content.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Delay and loss over time, unless it is a trace of capacity.
    pub fn delays(&self) -> Option<&Delays> {
        match &self.content {
            Content::Delays(delays) => Some(delays),
            Content::Capacity(_) => None,
        }
    }

    /// Capacity over time, unless it is a trace of delays.
    pub fn capacity(&self) -> Option<&Capacity> {
        match &self.content {
            Content::Delays(_) => None,
            Content::Capacity(capacity) => Some(capacity),
        }
    }

    /// The format of its file.
    pub fn format(&self) -> TraceFormat {
        self.format
    }

    /// Fingerprint of the file, by which a link names the trace.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// Number of packets, or of lines of capacity.
    pub fn packets(&self) -> usize {
        match &self.content {
            Content::Delays(delays) => delays.rows().len(),
            Content::Capacity(capacity) => capacity.lines(),
        }
    }

    /// Time in ms after which the trace repeats.
    pub fn length_ms(&self) -> f64 {
        match &self.content {
            Content::Delays(delays) => delays.length_ms(),
            Content::Capacity(capacity) => capacity.length_ms(),
        }
    }

    /// Describes how the file was understood, one sentence a line.
    pub fn told(&self) -> String {
        let seconds = self.length_ms() / 1000.0;
        match &self.content {
            Content::Capacity(capacity) => format!(
                "capacity over {seconds:.1} s, {:.0} kbit/s on average, which then repeats; delay and loss are the link's",
                capacity.mean_kbps()
            ),
            Content::Delays(delays) => {
                let rows = delays.rows();
                let lost = rows.iter().filter(|row| row.lost).count();
                let packets = rows.len();
                let made = self.format.told();
                format!(
                    "{packets} packets over {seconds:.1} s, {lost} of them lost, which then repeat both ways{made}"
                )
            }
        }
    }
}

impl TraceFormat {
    /// The change that was made to the file's numbers, after a semicolon.
    fn told(self) -> &'static str {
        match self {
            TraceFormat::Ping { timed: true } => "; round trips are halved, a half for each way",
            TraceFormat::Ping { timed: false } | TraceFormat::WindowsPing => {
                "; round trips are halved, a half for each way, and without times a packet is sent each second"
            }
            TraceFormat::Rows | TraceFormat::Capacity => "",
        }
    }
}

/// The format of a text, by its first lines.
fn recognise(text: &str) -> Option<TraceFormat> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next()?;
    if csv::begins(first) {
        return Some(TraceFormat::Rows);
    }
    if capacity::begins(first) {
        return Some(TraceFormat::Capacity);
    }
    let mut bytes = 0;
    let mut looked_at = lines.by_ref().take_while(|line| {
        bytes += line.len();
        bytes <= LOOKED_AT_BYTES
    });
    looked_at.find_map(|line| {
        if line.contains('\0') {
            None
        } else if ping::begins(line) {
            Some(TraceFormat::Ping { timed: false })
        } else {
            windows::begins(line).then_some(TraceFormat::WindowsPing)
        }
    })
}

/// Checks the invariants of any bytes as a trace. They are read within the limits, or refused in a sentence of bounded
/// length. For the fuzz target `trace` and the test that replays its corpus.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    let trace = match Trace::read(data) {
        Ok(trace) => trace,
        Err(error) => return assert!(error.to_string().len() < 300, "{error}"),
    };
    assert!(Trace::begins(data) || data.len() > LOOKED_AT_BYTES);
    assert!((1..=ROWS_MAX).contains(&trace.packets()));
    let length_ms = trace.length_ms();
    assert!(length_ms.is_finite() && length_ms > 0.0);
    match trace.content() {
        Content::Delays(delays) => {
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
            assert!(rows.len() == 1 || again.delays() == Some(delays));
        }
        Content::Capacity(capacity) => {
            let mut drain = capacity::QueueHead::default();
            let mut left_ms = 0.0;
            for (packet, bytes) in (0..100).zip([1, 1500, 4000, 100].into_iter().cycle()) {
                let ready_ms = f64::from(packet) * length_ms / 30.0;
                let leaves_ms = capacity.send(&mut drain, ready_ms, bytes);
                assert!(leaves_ms >= ready_ms && leaves_ms >= left_ms);
                left_ms = leaves_ms;
            }
        }
    }
}

#[cfg(test)]
mod tests;
