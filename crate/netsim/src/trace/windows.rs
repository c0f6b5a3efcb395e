//! Output of `ping` of Windows, in any language: a line for each packet, a reply or not, and no number.
//!
//! The lines lie between a headline and an empty line. One without a round trip is lost, such as "Request timed out."

use super::delays::{DelayCollector, Delays};
use super::error::{TraceError, TraceRowError};
use super::ping::{INTERVAL_MS, round_trip_ms};

/// Returns true if a line is a reply or a heading of Windows' `ping`.
pub(super) fn begins(line: &str) -> bool {
    line.starts_with("Pinging ") || is_timed_out(line) || is_reply(line)
}

/// Reads a text.
///
/// # Errors
/// When a line is refused, or nothing arrives.
pub(super) fn read(text: &str) -> Result<Delays, TraceError> {
    let lines: Vec<(u64, &str)> = (1..).zip(text.lines().map(str::trim)).collect();
    let is_packet = |(_, line): &(u64, &str)| is_reply(line) || is_timed_out(line);
    let known = lines.iter().position(is_packet);
    let known = known.unwrap_or(lines.len());
    // Lines of an unknown language may come before the first known one.
    let is_headline = |(_, line): &(u64, &str)| line.is_empty() || line.ends_with(':');
    let headline = lines[..known].iter().rposition(is_headline);
    let first = headline.map_or(known, |headline| headline + 1);
    let packets = lines[first..].iter();
    let mut recorder = DelayCollector::default();
    let mut after = packets.clone();
    let mut sent_ms = 0.0;
    for (row, line) in packets.take_while(|(_, line)| !line.is_empty()) {
        after.next();
        let added = match round_trip_ms(line) {
            _ if line.ends_with(':') => Err(TraceRowError::SecondRun),
            round_trip_ms => recorder.add(sent_ms, round_trip_ms.map(|ms| ms / 2.0), None),
        };
        added.map_err(|cause| cause.at(*row))?;
        sent_ms += INTERVAL_MS;
    }
    match after.find(|(_, line)| is_reply(line)) {
        Some((row, _)) => Err(TraceRowError::SecondRun.at(*row)),
        None => recorder.finish(INTERVAL_MS),
    }
}

/// Says whether a line is a reply: from an address, with a round trip at once after its sign. The statistics have a space there.
fn is_reply(line: &str) -> bool {
    let has_address = line.contains(": ") || line.contains("\u{a0}: ");
    has_address && round_trip_ms(line).is_some() && !line.contains(" = ")
}

fn is_timed_out(line: &str) -> bool {
    line.trim() == "Request timed out."
}
