//! Errors that refuse a file as a trace.

use super::ROWS_MAX;
use snapshot_base::text::shorten;
use std::borrow::Cow;
use std::fmt;

/// The end of a refusal of a file that is no trace: the contents that a trace needs.
const NEEDS: &str =
    "Give rows of sent_ms,delay_ms, the output of ping, fping or irtt, or a log of mahimahi";

/// Reason why a file is not a trace, in words for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError(Cow<'static, str>);

impl TraceError {
    pub(super) const EMPTY: TraceError = TraceError::fixed("there are no packets in it");
    /// The error for a trace that cannot repeat, because all rows have the same time.
    pub(super) const NO_LENGTH: TraceError =
        TraceError::fixed("all rows are of one instant: a trace takes time");
    pub(super) const NO_ROUND_TRIP: TraceError =
        TraceError::fixed("a reply without its time: ping tells it with 16 bytes or more (-s)");
    pub(super) const SECOND_RUN: TraceError =
        TraceError::fixed("a second run of ping begins: a trace is one run");

    pub(super) const fn fixed(reason: &'static str) -> TraceError {
        TraceError(Cow::Borrowed(reason))
    }

    pub(super) fn new(reason: String) -> TraceError {
        TraceError(Cow::Owned(reason))
    }

    pub(super) fn too_many() -> TraceError {
        TraceError::new(format!("a trace has at most {ROWS_MAX} packets"))
    }

    /// Returns the error for a text in a line of another program that is no number.
    pub(super) fn not_a_number(column: &str, text: &str) -> TraceError {
        let text = shorten(text);
        TraceError::new(format!(
            "{column} is \"{text}\", which is no number that fits"
        ))
    }

    /// Returns the error for a text of no known format, which shows its first line.
    pub(super) fn of_first_line(line: &str) -> TraceError {
        if line.parse::<f64>().is_ok() {
            return TraceError::fixed(
                "numbers, one a line: which delays are these? Write rtt_ms (round trips, one a second) or delay_ms (one way) above them",
            );
        }
        TraceError::new(format!(
            "it is no trace: its first line is \"{}\". {NEEDS}",
            shorten(line)
        ))
    }

    pub(super) fn out_of_range(column: &str, value: f64, most: f64) -> TraceError {
        TraceError::new(format!("{column} goes from 0 to {most}, and is {value}"))
    }

    /// Returns the error for a packet that was sent before the one in the row above.
    pub(super) fn before(sent_ms: f64, before_ms: f64) -> TraceError {
        TraceError::new(format!(
            "it was sent at {sent_ms} ms, before the row above it at {before_ms} ms"
        ))
    }

    /// Returns the same error with the number of its line in the file, from 1.
    pub(super) fn at(self, row: u64) -> TraceError {
        TraceError::new(format!("row {row}: {self}"))
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceError {}
