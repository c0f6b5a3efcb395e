//! Output of `ping` and its relatives: a line for each packet, with or without a number.
//!
//! Numbered lines are those of Linux, macOS, BSD, BusyBox, Android, `fping`, `hping` and `irtt`: a number without a reply is
//! lost. Lines without numbers are those of Windows, in any language: each line between the headline and the next empty line is
//! a packet. A reply without a time counts as arrived, and a note says so.

mod line;

use super::Reading;
use super::delays::DelayCollector;
use super::error::TraceError;
use super::{INTERVAL_MS, ROWS_MAX, SENT_MS_MAX};
use line::{Line, RoundTrip, Totals};
use snapshot_base::clock::Days;
use snapshot_base::text::{self, shorten};
use std::collections::BTreeMap;

/// Largest backward step of the lines' clock, ms, that is taken for jitter; a larger one counts as a change of the clock.
const SET_BACK_MS: f64 = 1000.0;

/// Upper limit of the number of lines: a reply and an error for each packet.
const LINES_MAX: usize = 2 * ROWS_MAX;

/// If more than one reply in this many has no valid round trip, the file is refused.
const ODD_ONE_IN: usize = 10;

/// Returns true if a line is a packet or a headline of `ping`'s output.
pub(super) fn begins(line: &str) -> bool {
    let line = Line::new(line);
    let is_numbered = line
        .number_text()
        .is_some_and(|text| text.parse::<u64>().is_ok());
    is_numbered || line.is_plain_reply() || line.is_timed_out()
}

#[derive(Clone, Copy, Debug)]
struct Reply {
    /// Number of the reply's line in the file.
    row: u64,
    /// Round trip, ms; `None` if the line has no possible time.
    round_trip_ms: Option<f64>,
    /// Arrival on the clock of the line, ms.
    came_ms: Option<f64>,
}

/// Reads the output of `ping`.
///
/// # Errors
/// When a line is refused, or no packet arrives.
pub(super) fn read(text: &str) -> Result<Reading, TraceError> {
    let (mut run, mut days) = (PingOutput::default(), Days::default());
    let mut lines: Vec<(u64, Line)> = Vec::new();
    for (row, text) in (1..).zip(text::lines(text)) {
        let line = Line::new(text);
        // Of empty lines in a row the first one tells all.
        if line.body.is_empty() && lines.last().is_some_and(|(_, line)| line.body.is_empty()) {
            continue;
        }
        if lines.len() == LINES_MAX {
            return Err(TraceError::too_many().at(row));
        }
        lines.push((row, line));
    }
    date_packets_by_lines_above(&mut lines);
    for stamp in lines.iter_mut().filter_map(|(_, line)| line.stamp.as_mut()) {
        run.has_fine_times |= stamp.is_fine;
        stamp.time.seconds = days.seconds(stamp.time);
    }
    let is_numbered = lines.iter().any(|(_, line)| line.number_text().is_some());
    let plain = if is_numbered { 0..0 } else { packets(&lines) };
    for (at, (row, line)) in lines.iter().enumerate() {
        let taken = match () {
            () if is_numbered => run.read_numbered(*row, line),
            () if plain.contains(&at) => run.read_plain(*row, line),
            () if at >= plain.end => run.read_after(line),
            () => Ok(()),
        };
        taken.map_err(|cause| cause.at(*row))?;
    }
    run.finish()
}

/// Gives the time of a line that holds nothing else to the packet in the line below, as `tcpping -d` prints them.
fn date_packets_by_lines_above(lines: &mut [(u64, Line)]) {
    let mut above = None;
    for (_, line) in lines {
        match line.stamp {
            Some(stamp) if line.is_date() => above = Some(stamp),
            Some(_) => above = None,
            None => line.stamp = above.take(),
        }
    }
}

/// Returns the range of the unnumbered lines that are packets. It starts at the headline before the first known line, as
/// earlier lines may be in an unknown language. It ends at the next empty line or headline.
fn packets(lines: &[(u64, Line)]) -> std::ops::Range<usize> {
    let is_packet = |(_, line): &(u64, Line)| line.is_plain_reply() || line.is_timed_out();
    let is_edge = |(_, line): &(u64, Line)| {
        line.body.is_empty() || line.body.ends_with(':') || line.totals().is_some()
    };
    let known = lines.iter().position(is_packet).unwrap_or(lines.len());
    let headline = lines[..known].iter().rposition(is_edge);
    let first = headline.map_or(known, |headline| headline + 1);
    let end = lines[known..].iter().position(is_edge);
    first..end.map_or(lines.len(), |end| known + end)
}

/// The state of reading one run of `ping`.
#[derive(Debug, Default)]
struct PingOutput {
    /// Replies by packet number. The number goes on where the 16 bits of the line wrap.
    replies: BTreeMap<u64, Reply>,
    /// Least and greatest packet number in the file.
    numbers: Option<(u64, u64)>,
    /// Number of the first packet, if the headline shows which program wrote the output.
    first: Option<u64>,
    /// The host that `fping` names in each line.
    host: Option<String>,
    has_header: bool,
    /// The first line that means a loss in unknown words.
    unknown_loss: Option<String>,
    /// The first reply whose time is impossible or missing.
    odd: Option<String>,
    /// The first line that counts as a loss although it has a time.
    timed_loss: Option<String>,
    totals: Option<Totals>,
    /// True if the times of the lines have fractions of a second.
    has_fine_times: bool,
}

impl PingOutput {
    fn read_numbered(&mut self, row: u64, line: &Line) -> Result<(), TraceError> {
        if let Some(counts_from) = line.header() {
            if self.has_header {
                return Err(TraceError::SECOND_RUN);
            }
            self.has_header = true;
            self.first = Some(UNWRAPPED + counts_from);
            return Ok(());
        }
        let Some(text) = line.number_text() else {
            if let Some(totals) = line.totals() {
                if let Some((first, sent)) = self.first.zip(totals.sent.checked_sub(1)) {
                    self.hear_of(first.saturating_add(sent))?;
                }
                self.totals.get_or_insert(totals);
            }
            return Ok(());
        };
        if let Some(host) = line.fping_host() {
            if host != self.host.get_or_insert_with(|| host.to_string()) {
                return Err(TraceError::SECOND_RUN);
            }
            // Its numbers begin at 0.
            self.first = Some(UNWRAPPED);
        }
        let refused = || TraceError::not_a_number("icmp_seq", text);
        let number: u32 = text.parse().map_err(|_| refused())?;
        if number > u16::MAX.into() && line.is_16_bit() {
            return Err(refused());
        }
        let number = self.unwrap(number);
        self.hear_of(number)?;
        let round_trip = line.round_trip(false);
        if !line.is_reply() && round_trip.is_none() {
            self.note_timed_loss(row, line);
            if !line.is_known_loss() {
                self.unknown_loss
                    .get_or_insert_with(|| format!("row {row}: \"{}\"", shorten(line.body)));
            }
            return Ok(());
        }
        self.add(row, number, line, round_trip);
        Ok(())
    }

    fn read_plain(&mut self, row: u64, line: &Line) -> Result<(), TraceError> {
        let number = self.numbers.map_or(UNWRAPPED, |(_, newest)| newest + 1);
        self.hear_of(number)?;
        let round_trip = line.round_trip(true);
        match line.is_loss() || round_trip.is_none() && !line.is_reply() {
            true => self.note_timed_loss(row, line),
            false => self.add(row, number, line, round_trip),
        }
        Ok(())
    }

    fn note_timed_loss(&mut self, row: u64, line: &Line) {
        if line.names_a_time() && !line.is_known_loss() {
            let quoted = || format!("row {row}: \"{}\"", shorten(line.body));
            self.timed_loss.get_or_insert_with(quoted);
        }
    }

    /// Reads a line after the unnumbered packets.
    fn read_after(&mut self, line: &Line) -> Result<(), TraceError> {
        if let Some(totals) = line.totals() {
            self.totals.get_or_insert(totals);
        }
        match line.is_plain_reply() {
            true => Err(TraceError::SECOND_RUN),
            false => Ok(()),
        }
    }

    fn add(&mut self, row: u64, number: u64, line: &Line, round_trip: Option<RoundTrip>) {
        let round_trip_ms = match round_trip {
            Some(RoundTrip::Ms(ms)) => Some(ms),
            Some(RoundTrip::Odd) | None => {
                let quoted = || format!("row {row}: \"{}\"", shorten(line.tail()));
                self.odd.get_or_insert_with(quoted);
                None
            }
        };
        self.replies.entry(number).or_insert(Reply {
            row,
            round_trip_ms,
            came_ms: line.stamp.map(|stamp| stamp.time.seconds * 1000.0),
        });
    }

    /// Returns the packet number whose low 16 bits are `number` and which is nearest to the newest packet's.
    fn unwrap(&self, number: u32) -> u64 {
        let wide = UNWRAPPED + u64::from(number);
        let Some((_, newest)) = self.numbers.filter(|_| number <= u16::MAX.into()) else {
            return wide;
        };
        let ahead = (number as u16).wrapping_sub(newest as u16) as i16;
        newest.saturating_add_signed(ahead.into())
    }

    fn hear_of(&mut self, number: u64) -> Result<(), TraceError> {
        let first = self.first.unwrap_or(number).min(number);
        let (least, greatest) = self.numbers.unwrap_or((first, number));
        let (least, greatest) = (least.min(number), greatest.max(number));
        if greatest - least >= ROWS_MAX as u64 {
            return Err(TraceError::too_many());
        }
        self.numbers = Some((least, greatest));
        Ok(())
    }

    fn finish(self) -> Result<Reading, TraceError> {
        let (first, last) = self.numbers.ok_or(TraceError::EMPTY)?;
        let odd = self.check_replies()?;
        let mut notes = Vec::new();
        let times = SendTimes::new(&self.replies);
        let exact = times.as_ref().filter(|_| self.has_fine_times);
        let printed_ms = self.totals.and_then(|totals| totals.interval_ms());
        let interval_ms = printed_ms.or(times.as_ref().map(|times| times.interval_ms));
        let interval_ms = interval_ms.filter(|ms| *ms > 0.0);
        let mut recorder = DelayCollector::default();
        let (mut row, mut before_ms, mut shift_ms) = (1, f64::NEG_INFINITY, 0.0);
        let mut held_ms = None;
        let first_known = self.replies.values().find_map(|reply| reply.round_trip_ms);
        for number in first..=last {
            let reply = self.replies.get(&number);
            row = reply.map_or(row, |reply| reply.row);
            let mut sent_ms = shift_ms
                + match exact {
                    Some(times) => times.sent_ms(number),
                    None => (number - first) as f64 * interval_ms.unwrap_or(INTERVAL_MS),
                };
            if sent_ms < before_ms {
                if sent_ms < before_ms - SET_BACK_MS {
                    let back_s = (before_ms - sent_ms) / 1000.0;
                    notes.push(format!("the clock was set back by {back_s:.1} s at row {row}, and is taken to go on"));
                    let on_ms = exact.map_or(0.0, |times| times.interval_ms);
                    shift_ms += before_ms + on_ms - sent_ms;
                    sent_ms = before_ms + on_ms;
                } else {
                    sent_ms = before_ms;
                }
            }
            before_ms = sent_ms;
            // An arrival without a time has that of the packet before.
            let round_trip_ms = reply.map(|reply| reply.round_trip_ms.or(held_ms));
            let known = round_trip_ms.flatten();
            held_ms = known.or(held_ms);
            let delay_ms = match round_trip_ms {
                None => None,
                Some(known) => known.or(first_known).map(|ms| ms / 2.0),
            };
            let added = recorder.add(sent_ms, delay_ms, None);
            added.map_err(|cause| cause.at(row))?;
        }
        notes.truncate(3);
        self.say(&mut notes, last - first + 1, odd);
        Ok(Reading {
            back: None,
            delays: recorder.finish(interval_ms.unwrap_or(INTERVAL_MS))?,
            round_trips: true,
            assumed_interval: exact.is_none() && interval_ms.is_none(),
            notes,
        })
    }

    /// Counts the replies without a round trip. They are refused if they are many, or if no line is understood as a reply.
    fn check_replies(&self) -> Result<usize, TraceError> {
        let replies = self.replies.len();
        if let Some(line) = self.timed_loss.as_ref().filter(|_| replies == 0) {
            return Err(TraceError::new(format!(
                "no line is understood as a reply, though some name times, as {line}. Write rows of sent_ms,rtt_ms"
            )));
        }
        let odd = || {
            self.replies
                .values()
                .filter(|it| it.round_trip_ms.is_none())
        };
        let count = odd().count();
        match odd().next().filter(|_| count * ODD_ONE_IN > replies) {
            Some(reply) => Err(TraceError::NO_ROUND_TRIP.at(reply.row)),
            None => Ok(count),
        }
    }

    /// Adds notes to `notes`: lines that were not understood, and totals printed in the file that differ from the packets.
    fn say(&self, notes: &mut Vec<String>, packets: u64, odd: usize) {
        if let Some(line) = &self.odd {
            let rows = if odd == 1 { "row is" } else { "rows are" };
            notes.push(format!(
                "{odd} {rows} left out, as no time is told ({line}): the packet arrived, and has the delay before it"
            ));
        }
        if let Some(line) = &self.unknown_loss {
            notes.push(format!(
                "lines with a number and no time count as lost, as {line}"
            ));
        }
        let read = (packets, self.replies.len() as u64);
        let totals = self.totals.map(|it| (it.sent, it.received));
        if let Some((sent, received)) = totals.filter(|totals| *totals != read) {
            notes.push(format!(
                "its own last lines tell of {sent} sent and {received} received, where {} and {} were read",
                read.0, read.1
            ));
        }
    }
}

/// Offset that is added to the first packet's number, so that an earlier number can still follow.
const UNWRAPPED: u64 = 1 << 16;

/// Send times of all packets of a file whose replies have times: a reply's time minus its round trip. Packets without a reply
/// are spaced evenly between the others.
struct SendTimes {
    sent_ms: BTreeMap<u64, f64>,
    interval_ms: f64,
}

impl SendTimes {
    fn new(replies: &BTreeMap<u64, Reply>) -> Option<SendTimes> {
        let mut sent_ms = BTreeMap::new();
        for (number, reply) in replies {
            let round_trip_ms = reply.round_trip_ms.unwrap_or(0.0);
            sent_ms.insert(*number, reply.came_ms? - round_trip_ms);
        }
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
