//! One line of `ping`'s output: its time, its packet's number, its round trip, or the totals at the end.

use super::SENT_MS_MAX;
use snapshot_base::clock::ClockTime;

/// A line of the output, without the time that another program put before it.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) stamp: Option<Stamp>,
    pub(super) body: &'a str,
}

/// The time that stands before a line of the output, or behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamp {
    pub(super) time: ClockTime,
    /// True if the time has fractions of a second.
    pub(super) is_fine: bool,
}

impl Stamp {
    /// Makes the stamp of a time; `None` beyond the times that a trace may have.
    fn new(time: ClockTime, is_fine: bool) -> Option<Stamp> {
        let is_possible = (0.0..=SENT_MS_MAX).contains(&(time.seconds * 1000.0));
        is_possible.then_some(Stamp { time, is_fine })
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RoundTrip {
    Ms(f64),
    /// A round trip that is negative, or has an unknown unit.
    Odd,
}

/// The totals in the last lines of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Totals {
    pub(super) sent: u64,
    pub(super) received: u64,
    /// Time from the first packet to the last as Linux prints it, ms.
    whole_ms: Option<f64>,
}

impl Totals {
    /// Mean interval between packets, ms; `None` if the whole time is not printed.
    pub(super) fn interval_ms(self) -> Option<f64> {
        let intervals = self.sent.saturating_sub(1);
        let whole_ms = self.whole_ms.filter(|_| intervals > 0)?;
        Some(whole_ms / intervals as f64)
    }
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Line<'a> {
        const HALVES: [&str; 4] = ["AM ", "PM ", "am ", "pm "];
        let text = text.trim();
        let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some((inside, body)) = bracketed
            && let Ok(seconds) = inside.trim().parse()
        {
            let is_time_of_day = false;
            let since_1970 = ClockTime {
                seconds,
                is_time_of_day,
            };
            let (stamp, body) = (Stamp::new(since_1970, true), body.trim());
            return Line { stamp, body };
        }
        let Some((stamp, after)) = stamp_in(text) else {
            let (stamp, body) = (stamp_at_end(text), text);
            return Line { stamp, body };
        };
        let body = after.trim_start_matches(|letter: char| " \t])-|:;,Zz".contains(letter));
        let without_half = HALVES.iter().find_map(|half| body.strip_prefix(half));
        let body = without_half.map_or(body, |body| body.trim_start_matches([' ', '-', '|', ':']));
        Line {
            stamp: Some(stamp),
            body,
        }
    }

    /// Returns the number of the first packet if the line is the headline of a numbered run, else `None`. Linux and Android
    /// count from 1; other systems count from 0, and have a colon before the size.
    pub(super) fn header(&self) -> Option<u64> {
        let at = ["PING ", "PING6", "Ping "]
            .iter()
            .find_map(|word| self.body.find(word))?;
        let text = &self.body[at..];
        if text.starts_with("PING6") {
            return Some(0);
        }
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let two_sizes = |word: &str| {
            let sizes = word.trim_end_matches('.').strip_suffix(')');
            let sizes = sizes.and_then(|sizes| sizes.split_once('('));
            sizes.is_some_and(|(payload, all)| digits(payload) && digits(all))
        };
        let mut words = text.split_whitespace();
        let counts_from_1 = words.clone().any(two_sizes);
        let has_colon = words.any(|word| word.ends_with("):"));
        Some(u64::from(counts_from_1 || !has_colon))
    }

    /// Returns the text of the packet's number; `None` if the line has none.
    pub(super) fn number_text(&self) -> Option<&'a str> {
        let body = self.body;
        if let Some((_, rest)) = body
            .split_once(" : [")
            .filter(|_| self.fping_host().is_some())
        {
            return rest.split_once(']').map(|(number, _)| number);
        }
        let rest = ["seq=", "seq:", "req=", "seq "].iter().find_map(|key| {
            let at = body.find(key)?;
            let rest = body[at + key.len()..].trim_start();
            let is_number = rest.starts_with(|letter: char| letter.is_ascii_digit());
            (is_number || key.ends_with('=')).then_some(rest)
        })?;
        let end = rest.find(|letter: char| letter.is_whitespace() || matches!(letter, ':' | ','));
        Some(rest[..end.unwrap_or(rest.len())].trim_end_matches('.'))
    }

    /// Returns true if the packet's number wraps after 65,535.
    pub(super) fn is_16_bit(&self) -> bool {
        self.body.contains("icmp_")
    }

    /// Returns the host at the beginning of a line of `fping`; `None` on other lines.
    pub(super) fn fping_host(&self) -> Option<&'a str> {
        let (host, rest) = self.body.split_once(" : [")?;
        let is_number = rest.starts_with(|letter: char| letter.is_ascii_digit());
        is_number.then_some(host.trim())
    }

    /// Returns true if the line is a packet's arrival, whether its time is understood or not.
    pub(super) fn is_reply(&self) -> bool {
        let lower = self.body.to_ascii_lowercase();
        let signs = ["ttl=", "time=", "time<", "hlim=", "rtt="];
        signs.iter().any(|sign| lower.contains(sign)) && !self.is_loss()
    }

    /// Returns true if the line is a reply without a number: it names a source, and a round trip follows its sign at once.
    /// Lines of statistics have a space there.
    pub(super) fn is_plain_reply(&self) -> bool {
        let body = self.body;
        let has_source = body.contains("TTL=") || body.contains(':');
        has_source && !body.contains(" = ") && self.round_trip(true).is_some()
    }

    /// Returns true if the line reports a missing answer in Windows' English.
    pub(super) fn is_timed_out(&self) -> bool {
        self.body == "Request timed out."
    }

    /// Returns true if the line reports a loss, with the time that was waited.
    pub(super) fn is_loss(&self) -> bool {
        ["timed out", "No response", "LOST"]
            .iter()
            .any(|words| self.body.contains(words))
    }

    /// Returns true if a line without a time reports a loss in known words.
    pub(super) fn is_known_loss(&self) -> bool {
        const WORDS: &str =
            "timeout,timed out,no answer,unreachable,exceeded,filtered,lost,no response,refused";
        let lower = self.body.to_ascii_lowercase();
        WORDS.split(',').any(|words| lower.contains(words))
    }

    /// Returns the round trip of a reply in any language; `None` if there is none. It is a number between `=` or `<` and its
    /// unit, or after the size in `fping`. `<n ms` counts as n / 2. Windows prints ms alone, so an unknown unit of its lines
    /// is ms.
    pub(super) fn round_trip(&self, of_windows: bool) -> Option<RoundTrip> {
        if self.fping_host().is_some() {
            let (_, after) = self.body.split_once(" bytes, ")?;
            return quantity(after, false);
        }
        let signed = self.body.match_indices(['=', '<']).find_map(|(at, sign)| {
            let found = quantity(&self.body[at + 1..], of_windows)?;
            match found {
                RoundTrip::Ms(ms) if sign == "<" => Some(RoundTrip::Ms(ms / 2.0)),
                found => Some(found),
            }
        });
        signed.or_else(|| self.last_ms().filter(|_| !of_windows))
    }

    /// Returns the time at the end of a line, as `tcpping` prints it; `None` of a loss.
    fn last_ms(&self) -> Option<RoundTrip> {
        let before = self.body.strip_suffix("ms")?.trim_end();
        let number = before.rsplit([' ', '\t', '(']).next()?;
        let ms = number.replace(',', ".").parse().ok();
        let ms = ms.filter(|ms: &f64| ms.is_finite() && *ms >= 0.0);
        ms.filter(|_| !self.is_loss() && !self.is_known_loss())
            .map(RoundTrip::Ms)
    }

    /// Returns true if a number with the unit ms stands anywhere in the line.
    pub(super) fn names_a_time(&self) -> bool {
        self.body.match_indices("ms").any(|(at, _)| {
            let before = self.body[..at].trim_end();
            let after = self.body[at + 2..].chars().next();
            before.ends_with(|letter: char| letter.is_ascii_digit())
                && after.is_none_or(|letter| !letter.is_alphanumeric())
        })
    }

    /// Returns true if the rest of a line beside its time is a zone or a year.
    pub(super) fn is_date(&self) -> bool {
        let is_short = |word: &str| word.len() <= 5 && word.chars().all(char::is_alphanumeric);
        self.body.split_whitespace().count() <= 2 && self.body.split_whitespace().all(is_short)
    }

    /// Returns the end of the line, from the label of the time on (such as `time=`).
    pub(super) fn tail(&self) -> &'a str {
        let at = ["time=", "rtt=", "time<"]
            .iter()
            .find_map(|key| self.body.find(key));
        &self.body[at.unwrap_or(0)..]
    }

    /// Returns the totals of the line: a percentage after two counts that yield it, or Windows' three counts. `None` on other
    /// lines.
    pub(super) fn totals(&self) -> Option<Totals> {
        let body = self.body;
        // `fping` and `irtt` have both counts, a slash between.
        let counts = ["xmt/rcv/%loss = ", "sent/received: "];
        let counts = counts.iter().find_map(|label| body.split_once(label));
        let numbers = whole_numbers(counts.map_or(body, |(_, counts)| counts));
        let [(sent, _), (received, _), ..] = numbers[..] else {
            return None;
        };
        let is_of_windows = || {
            let lost = numbers.get(2).map(|(lost, _)| *lost);
            body.matches(" = ").count() >= 3 && sent.checked_sub(received) == lost
        };
        if counts.is_some() || is_of_windows() {
            return Some(Totals {
                sent,
                received,
                whole_ms: None,
            });
        }
        let (before, _) = body.split_once('%')?;
        let share = before.rsplit([' ', '(', ',']).find(|it| !it.is_empty())?;
        let share: f64 = share.replace(',', ".").parse().ok()?;
        let lost = 100.0 * (1.0 - received as f64 / sent as f64);
        let is_that = sent > 0 && received <= sent && (lost - share).abs() <= 1.0;
        let mut numbers = numbers.iter().rev();
        let whole_ms = numbers.find(|(_, after)| after.trim_start().starts_with("ms"));
        is_that.then_some(Totals {
            sent,
            received,
            whole_ms: whole_ms.map(|(ms, _)| *ms as f64),
        })
    }
}

fn whole_numbers(text: &str) -> Vec<(u64, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let digits = &rest[at..];
        let end = digits.find(|letter: char| !letter.is_ascii_digit());
        let (number, after) = digits.split_at(end.unwrap_or(digits.len()));
        found.extend(number.parse().ok().map(|number: u64| (number, after)));
        rest = after;
    }
    found
}

/// Units of time with their factor to ms. `m` is Windows' unit in Spanish. The last ones are Japanese, Chinese and Korean.
const UNITS: [(&str, f64); 15] = [
    ("ms", 1.0),
    ("msec", 1.0),
    ("m", 1.0),
    ("мс", 1.0),
    ("ミリ秒", 1.0),
    ("毫秒", 1.0),
    ("밀리초", 1.0),
    ("us", 1e-3),
    ("usec", 1e-3),
    ("µs", 1e-3),
    ("μs", 1e-3),
    ("ns", 1e-6),
    ("s", 1000.0),
    ("sec", 1000.0),
    ("с", 1000.0),
];

/// Parses a number with a unit of time; `None` without a unit.
fn quantity(text: &str, of_windows: bool) -> Option<RoundTrip> {
    let text = text.trim_start_matches(' ');
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let end = digits.find(|letter| !is_digit(letter))?;
    let (digits, unit) = digits.split_at(end);
    let number: f64 = digits.replace(',', ".").parse().ok()?;
    let gaps = [' ', '\u{a0}', '\u{202f}'];
    let spaced = unit.starts_with(gaps);
    let unit = unit.trim_start_matches(gaps);
    let is_letter = |letter: char| letter.is_alphabetic() || letter == '\u{fffd}';
    let end = unit.find(|letter| !is_letter(letter)).unwrap_or(unit.len());
    let (unit, after) = unit.split_at(end);
    // The name of the next field.
    if unit.is_empty() || after.trim_start().starts_with(['=', '<']) {
        return None;
    }
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|it| it.1);
    match factor {
        _ if negative => Some(RoundTrip::Odd),
        Some(factor) => Some(RoundTrip::Ms(number * factor)),
        None if of_windows => Some(RoundTrip::Ms(number)),
        // A word after a space may be anything, such as `ttl=56 from`.
        None => (!spaced).then_some(RoundTrip::Odd),
    }
}

/// Returns the stamp of a word such as `12:00:00.10` or `2026-09-20T11:00:00Z`; `None` for any other word.
fn stamp_of(word: &str) -> Option<Stamp> {
    let word = word.trim_matches(['[', ']', '(', ')', '-', '|', ':', ';', ',', '.']);
    let clock = ClockTime::parse(word).filter(|_| word.matches(':').count() >= 2)?;
    Stamp::new(clock, word.contains(['.', ',']))
}

/// Finds a time among the first words of a line; returns it with the rest of the line.
fn stamp_in(text: &str) -> Option<(Stamp, &str)> {
    const LOOKED_AT_BYTES: usize = 40;
    let words = text.split_whitespace();
    let places = words.map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word));
    let mut words = places.take_while(|(at, word)| *at < LOOKED_AT_BYTES && !word.contains('='));
    words.find_map(|(at, word)| Some((stamp_of(word)?, &text[at + word.len()..])))
}

/// Finds a time in the last two words of a line, as programs write it that put it behind the reply.
fn stamp_at_end(text: &str) -> Option<Stamp> {
    text.split_whitespace().rev().take(2).find_map(stamp_of)
}
