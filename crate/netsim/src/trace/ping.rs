//! Output of `ping` of Linux, macOS and BusyBox: a line for each reply, with a number and a round trip.
//!
//! Numbers without a reply are lost, "Request timeout" and "no answer yet" among them, unless the reply comes later. With
//! `-D` a line begins with the time of the reply. Without it a packet was sent each second.

use super::delays::{DelayCollector, Delays};
use super::error::{TraceError, TraceRowError};
use super::{ROWS_MAX, SENT_MS_MAX};
use snapshot_base::text::shorten;
use std::collections::BTreeMap;

/// Default interval of `ping` in ms, for packets without times.
pub(super) const INTERVAL_MS: f64 = 1000.0;

/// Largest backward step of the clock, in ms, that does not make a file out of order.
const SET_BACK_MS: f64 = 1000.0;

/// Returns true if a line is a reply or a heading of `ping`.
pub(super) fn begins(line: &str) -> bool {
    number_text(line).is_some()
}

/// A reply to one packet.
#[derive(Clone, Copy, Debug)]
struct Reply {
    /// Line of the reply in the file.
    row: u64,
    round_trip_ms: f64,
    /// Arrival on the clock of `ping`, in ms, if the line has a time.
    came_ms: Option<f64>,
}

/// Reads a text. Returns the delays, and whether the lines have times.
///
/// # Errors
/// When a line is refused, or nothing arrives.
pub(super) fn read(text: &str) -> Result<(Delays, bool), TraceError> {
    let mut run = PingOutput::default();
    for (row, line) in (1..).zip(text.lines()) {
        run.take(row, line).map_err(|cause| cause.at(row))?;
    }
    run.finish()
}

/// A run of `ping` as far as it was read.
#[derive(Debug, Default)]
struct PingOutput {
    /// Replies by packet number. The number goes on where the 16 bits of the line wrap.
    replies: BTreeMap<u64, Reply>,
    /// Least and greatest packet number in the file.
    numbers: Option<(u64, u64)>,
    /// The number of the first packet, if the line before all others tells whose output it is.
    first: Option<u64>,
    has_header: bool,
}

impl PingOutput {
    fn take(&mut self, row: u64, line: &str) -> Result<(), TraceRowError> {
        if line.starts_with("PING ") {
            if self.has_header {
                return Err(TraceRowError::SecondRun);
            }
            self.has_header = true;
            // Linux counts from 1 and tells sizes as 56(84); the others count from 0.
            let counts_from_1 = line.split_whitespace().any(is_two_sizes);
            self.first = Some(UNWRAPPED + u64::from(counts_from_1));
            return Ok(());
        }
        if let Some(sent) = transmitted(line) {
            if let Some((first, sent)) = self.first.zip(sent.checked_sub(1)) {
                self.hear_of(first.saturating_add(sent))?;
            }
            return Ok(());
        }
        let Some(text) = number_text(line) else {
            return Ok(());
        };
        let number: u16 = text.parse().map_err(|_| TraceRowError::NotANumber {
            column: "icmp_seq",
            text: shorten(text),
        })?;
        let number = self.unwrap(number);
        self.hear_of(number)?;
        let Some(round_trip_ms) = round_trip_ms(line) else {
            let is_reply = has_word(line, "ttl=") || has_word(line, "time=");
            return if is_reply {
                Err(TraceRowError::NoRoundTrip)
            } else {
                Ok(())
            };
        };
        let came_ms = came_ms(line)?;
        self.replies.entry(number).or_insert(Reply {
            row,
            round_trip_ms,
            came_ms,
        });
        Ok(())
    }

    /// The full packet number nearest to the newest one, from its low 16 bits.
    fn unwrap(&self, number: u16) -> u64 {
        let Some((_, newest)) = self.numbers else {
            return UNWRAPPED + u64::from(number);
        };
        let ahead = number.wrapping_sub(newest as u16) as i16;
        newest.saturating_add_signed(ahead.into())
    }

    fn hear_of(&mut self, number: u64) -> Result<(), TraceRowError> {
        let first = self.first.unwrap_or(number).min(number);
        let (least, greatest) = self.numbers.unwrap_or((first, number));
        let (least, greatest) = (least.min(number), greatest.max(number));
        if greatest - least >= ROWS_MAX as u64 {
            return Err(TraceRowError::TooMany);
        }
        self.numbers = Some((least, greatest));
        Ok(())
    }

    fn finish(self) -> Result<(Delays, bool), TraceError> {
        let (first, last) = self.numbers.ok_or(TraceError::Empty)?;
        let times = SendTimes::new(&self.replies);
        let mut recorder = DelayCollector::default();
        let (mut row, mut before_ms) = (1, f64::NEG_INFINITY);
        for number in first..=last {
            let reply = self.replies.get(&number);
            row = reply.map_or(row, |reply| reply.row);
            let mut sent_ms = match &times {
                Some(times) => times.sent_ms(number),
                None => (number - first) as f64 * INTERVAL_MS,
            };
            if (before_ms - SET_BACK_MS..before_ms).contains(&sent_ms) {
                sent_ms = before_ms;
            }
            before_ms = sent_ms;
            let delay_ms = reply.map(|reply| reply.round_trip_ms / 2.0);
            let added = recorder.add(sent_ms, delay_ms, None);
            added.map_err(|cause| cause.at(row))?;
        }
        Ok((recorder.finish(INTERVAL_MS)?, times.is_some()))
    }
}

/// Offset of the first packet's full number, so that an earlier number may still follow.
const UNWRAPPED: u64 = 1 << 16;

/// Send times of all packets of a file whose replies have times: a reply's time less its round trip. Packets without a reply
/// are spaced evenly between the others.
struct SendTimes {
    sent_ms: BTreeMap<u64, f64>,
    interval_ms: f64,
}

impl SendTimes {
    fn new(replies: &BTreeMap<u64, Reply>) -> Option<SendTimes> {
        let sent_ms = |reply: &Reply| Some(reply.came_ms? - reply.round_trip_ms);
        let sent_ms = replies
            .iter()
            .map(|(&number, reply)| Some((number, sent_ms(reply)?)));
        let sent_ms: BTreeMap<u64, f64> = sent_ms.collect::<Option<_>>()?;
        let ends = sent_ms.first_key_value().zip(sent_ms.last_key_value());
        let ((first, first_ms), (last, last_ms)) = ends?;
        let interval_ms = match last - first {
            0 => INTERVAL_MS,
            intervals => (last_ms - first_ms).max(0.0) / intervals as f64,
        };
        Some(SendTimes {
            sent_ms,
            interval_ms,
        })
    }

    fn sent_ms(&self, number: u64) -> f64 {
        let before = self.sent_ms.range(..=number).next_back();
        let after = self.sent_ms.range(number..).next();
        let from = |(&at, &at_ms): (&u64, &f64), interval_ms: f64| {
            at_ms + (number as f64 - at as f64) * interval_ms
        };
        match (before, after) {
            (Some(before), Some(after)) if before.0 < after.0 => {
                let intervals = (after.0 - before.0) as f64;
                from(before, (after.1 - before.1) / intervals)
            }
            (Some(end), _) | (None, Some(end)) => from(end, self.interval_ms),
            (None, None) => 0.0,
        }
    }
}

/// Says whether a word is two sizes, such as `56(84)`.
fn is_two_sizes(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let sizes = word
        .strip_suffix(')')
        .and_then(|sizes| sizes.split_once('('));
    sizes.is_some_and(|(payload, all)| digits(payload) && digits(all))
}

/// The number of sent packets that the last lines tell.
fn transmitted(line: &str) -> Option<u64> {
    let (count, _) = line.split_once(" packets transmitted")?;
    count.trim().parse().ok()
}

/// The text of a packet's number: after `icmp_seq` or `seq`, and `=` or a space.
fn number_text(line: &str) -> Option<&str> {
    let (_, rest) = line
        .split_once("seq=")
        .or_else(|| line.split_once("icmp_seq "))?;
    let end = rest.find(|letter: char| letter.is_whitespace() || letter == ':');
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn has_word(line: &str, word: &str) -> bool {
    line.to_ascii_lowercase().contains(word)
}

/// The time in brackets before a line, as `-D` has it: seconds, here in ms.
fn came_ms(line: &str) -> Result<Option<f64>, TraceRowError> {
    let bracketed = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let Some((text, _)) = bracketed else {
        return Ok(None);
    };
    let seconds: Option<f64> = text.trim().parse().ok();
    let came_ms = seconds.map(|seconds| seconds * 1000.0);
    let came_ms = came_ms.filter(|ms| (0.0..=SENT_MS_MAX).contains(ms));
    let refused = || TraceRowError::NotANumber {
        column: "the time in brackets",
        text: shorten(text),
    };
    came_ms.map(Some).ok_or_else(refused)
}

/// Milliseconds, as systems write them: Latin, Cyrillic, Japanese, Chinese and Korean. The last is Cyrillic of an old code page,
/// whose letters are lost.
const UNITS: [&str; 6] = ["ms", "мс", "ミリ秒", "毫秒", "밀리초", "\u{fffd}\u{fffd}"];

/// Reads the round trip of a reply in any language: a number between `=` or `<` and its unit. `<n ms` counts as n / 2.
pub(super) fn round_trip_ms(line: &str) -> Option<f64> {
    line.match_indices(['=', '<']).find_map(|(at, sign)| {
        let rest = line[at + 1..].trim_start_matches(' ');
        let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
        let end = rest.find(|letter| !is_digit(letter))?;
        let (digits, unit) = rest.split_at(end);
        let unit = unit.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let after = UNITS.iter().find_map(|name| unit.strip_prefix(name))?;
        let after = after.chars().next();
        if after.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let ms: f64 = digits.replace(',', ".").parse().ok()?;
        Some(if sign == "<" { ms / 2.0 } else { ms })
    })
}
