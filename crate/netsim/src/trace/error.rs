//! Reasons for which a file is refused as a trace, and a row of it.

use super::{BYTES_MAX, ROWS_MAX};
use std::fmt;

/// Why a file is no trace.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TraceError {
    /// More bytes than [`BYTES_MAX`].
    TooLarge,
    /// A trace without packets.
    Empty,
    /// A text in none of the formats.
    Unknown,
    /// Numbers, one a line, that may be delays or capacity.
    Unlabelled {
        /// How many.
        numbers: usize,
    },
    /// A file of another program that tells of no single packets: what it is, and what to take in its place.
    NoPackets {
        /// A sentence.
        told: &'static str,
    },
    /// A row is refused.
    Row {
        /// Its line in the file, from 1.
        row: u64,
        /// The row's fault.
        cause: TraceRowError,
    },
    /// Every packet is lost, so no delay is known.
    NothingArrives {
        /// Packets of the file.
        packets: usize,
    },
    /// All rows have the same time, so the trace has no length after which it could repeat.
    NoLength,
}

/// The fault of a row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TraceRowError {
    /// The row has other fields than the ones above it.
    Fields {
        /// Number of fields in the row.
        fields: usize,
    },
    /// A header names other columns, or has them in another order.
    Header {
        /// The header, shortened.
        text: String,
    },
    /// A field is no number of its column's kind.
    NotANumber {
        /// The column.
        column: &'static str,
        /// The field, shortened.
        text: String,
    },
    /// A number is beyond its column's range.
    OutOfRange {
        /// The column.
        column: &'static str,
        /// The refused number.
        value: f64,
        /// The greatest number of the column; the least is 0.
        most: f64,
    },
    /// The packet was sent before the one in the row above.
    Before {
        /// Its time in ms.
        sent_ms: f64,
        /// The time of the row above in ms.
        before_ms: f64,
    },
    /// A reply of `ping` without the time that it took.
    NoRoundTrip,
    /// A second run of `ping` begins in this row.
    SecondRun,
    /// The trace has more packets than [`ROWS_MAX`], this row included.
    TooMany,
}

impl TraceRowError {
    /// The error of the file whose line has this fault.
    pub(super) fn at(self, row: u64) -> TraceError {
        TraceError::Row { row, cause: self }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "it has more than {} MB", BYTES_MAX >> 20),
            Self::Empty => write!(f, "there are no packets in it"),
            Self::Unknown => write!(
                f,
                "it is no trace: neither rows of sent_ms,delay_ms, nor the output of ping, fping or irtt, nor pings that Wireshark exports, nor lines of capacity as mahimahi has them"
            ),
            Self::Unlabelled { numbers } => write!(
                f,
                "{numbers} numbers, one a line: are these delays or bytes? Write rtt_ms (round trips, one a second), delay_ms (one way) or capacity_ms (times at which 1,500 bytes may leave) above them"
            ),
            Self::NoPackets { told } => f.write_str(told),
            Self::Row { row, cause } => write!(f, "row {row}: {cause}"),
            Self::NothingArrives { packets } => write!(
                f,
                "all {packets} packets are lost: a trace needs one that arrives"
            ),
            Self::NoLength => write!(f, "all rows are of one instant: a trace takes time"),
        }
    }
}

impl std::error::Error for TraceError {}

impl fmt::Display for TraceRowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields { fields } => write!(
                f,
                "{fields} fields, where sent_ms,delay_ms are two, and three with bytes"
            ),
            Self::Header { text } => {
                write!(f, "the columns are sent_ms,delay_ms,bytes, not \"{text}\"")
            }
            Self::NotANumber { column, text } => write!(f, "{column}: \"{text}\" is no number"),
            Self::OutOfRange {
                column,
                value,
                most,
            } => write!(f, "{column} goes from 0 to {most}, and is {value}"),
            Self::Before { sent_ms, before_ms } => write!(
                f,
                "it was sent at {sent_ms} ms, before the row above it at {before_ms} ms"
            ),
            Self::NoRoundTrip => write!(
                f,
                "a reply without its time: ping tells it with 16 bytes or more (-s)"
            ),
            Self::SecondRun => write!(f, "a second run of ping begins: a trace is one run"),
            Self::TooMany => write!(f, "a trace has at most {ROWS_MAX} packets"),
        }
    }
}
