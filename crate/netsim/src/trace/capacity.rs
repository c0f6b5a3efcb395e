//! Capacity over time, as mahimahi's traces have it: each line is the ms at which 1,500 bytes may leave.
//!
//! Small packets share a line and large ones take several. A line that finds no packet waiting passes unused. The lines
//! repeat after the last one's time.

use super::ROWS_MAX;
use super::error::TraceError;

/// Bytes that may leave at each line's time.
pub const LINE_BYTES: u32 = 1500;

/// Opportunities to send over time, which repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// At least one, rising; the last is above 0 and the length.
    times_ms: Vec<u32>,
}

/// Position of a queue in a trace of capacity: the current line, counted over all repetitions, and the bytes of it that are
/// used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueHead {
    line: u64,
    used_bytes: u32,
}

impl Capacity {
    /// Number of lines.
    pub fn lines(&self) -> usize {
        self.times_ms.len()
    }

    /// Time in ms after which the lines repeat.
    pub fn length_ms(&self) -> f64 {
        f64::from(self.times_ms.last().copied().unwrap_or(1))
    }

    /// The same lines after the first one at or after a time, wrapped round.
    pub(super) fn later(&self, in_trace_ms: f64) -> Capacity {
        let before = |&line_ms: &u32| f64::from(line_ms) < in_trace_ms;
        let at = self.times_ms.partition_point(before);
        let (Some(origin_ms), Some(length_ms)) = (self.times_ms.get(at), self.times_ms.last())
        else {
            return self.clone();
        };
        let (first, rest) = self.times_ms.split_at(at + 1);
        let rest = rest.iter().map(|ms| ms - origin_ms);
        let first = first.iter().map(|ms| ms + length_ms - origin_ms);
        Capacity {
            times_ms: rest.chain(first).collect(),
        }
    }

    /// Mean rate in kbit/s.
    pub fn mean_kbps(&self) -> f64 {
        self.lines() as f64 * f64::from(LINE_BYTES) * 8.0 / self.length_ms()
    }

    /// Sends a packet that is ready at `ready_ms`, after all that `drain` has sent, and gives the time at which its last byte
    /// leaves. `ready_ms` rises from call to call.
    pub fn send(&self, drain: &mut QueueHead, ready_ms: f64, bytes: u32) -> f64 {
        let first = self.first_line_at(ready_ms);
        if drain.line < first {
            *drain = QueueHead {
                line: first,
                used_bytes: 0,
            };
        }
        let taken = drain.used_bytes + bytes.max(1);
        drain.line += u64::from((taken - 1) / LINE_BYTES);
        drain.used_bytes = (taken - 1) % LINE_BYTES + 1;
        self.line_ms(drain.line)
    }

    /// The first line at or after a time.
    fn first_line_at(&self, at_ms: f64) -> u64 {
        let length_ms = self.length_ms();
        // The last line of a repetition is at its end, so a time there belongs to it.
        let repetitions = ((at_ms / length_ms).ceil() - 1.0).max(0.0);
        let rest_ms = at_ms - repetitions * length_ms;
        let passed = |&line_ms: &u32| f64::from(line_ms) < rest_ms;
        repetitions as u64 * self.lines() as u64 + self.times_ms.partition_point(passed) as u64
    }

    fn line_ms(&self, line: u64) -> f64 {
        let lines = self.lines() as u64;
        let in_trace_ms = self.times_ms[(line % lines) as usize];
        (line / lines) as f64 * self.length_ms() + f64::from(in_trace_ms)
    }
}

/// The name above lines that nothing else tells from a list of delays.
const NAME: &str = "capacity_ms";
/// A list that ends earlier, in ms, is more likely one of delays.
const PLAUSIBLE_MS: u32 = 1000;

/// Returns true if a line begins a capacity trace: a whole number, or its name.
pub(super) fn begins(line: &str) -> bool {
    let line = line.trim();
    line.eq_ignore_ascii_case(NAME) || line.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a text is named, or if its whole numbers rise over a second or more. A list of round trips hardly does.
pub(super) fn is_plausible(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    if lines
        .clone()
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case(NAME))
    {
        return true;
    }
    let mut last_ms = 0;
    let rises = lines.all(|line| match line.parse::<u32>() {
        Ok(ms) => ms >= std::mem::replace(&mut last_ms, ms),
        // The line is refused by its number.
        Err(_) => !line.contains(['.', ',']) || last_ms >= PLAUSIBLE_MS,
    });
    rises && last_ms >= PLAUSIBLE_MS
}

/// Reads a text.
///
/// # Errors
/// When a row is refused, or the last time is 0.
pub(super) fn read(text: &str) -> Result<Capacity, TraceError> {
    let mut times_ms: Vec<u32> = Vec::new();
    for (row, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || times_ms.is_empty() && line.eq_ignore_ascii_case(NAME) {
            continue;
        }
        let time_ms: u32 =
            (line.parse()).map_err(|_| TraceError::not_a_number("ms", line).at(row))?;
        let before_ms = times_ms.last().copied().unwrap_or(0);
        if time_ms < before_ms {
            let [sent_ms, before_ms] = [time_ms, before_ms].map(f64::from);
            return Err(TraceError::before(sent_ms, before_ms).at(row));
        }
        if times_ms.len() == ROWS_MAX {
            return Err(TraceError::too_many().at(row));
        }
        times_ms.push(time_ms);
    }
    match times_ms.last() {
        None => Err(TraceError::EMPTY),
        Some(0) => Err(TraceError::NO_LENGTH),
        Some(_) => {
            times_ms.shrink_to_fit();
            Ok(Capacity { times_ms })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_leave_at_the_lines_and_share_them() {
        // 1,500 bytes at 5 ms, twice as much at 8 ms; the length is 10 ms.
        let capacity = read("5\n8\n8\n10\n").unwrap();
        assert_eq!(capacity.mean_kbps(), 4.0 * 12_000.0 / 10.0);
        let mut drain = QueueHead::default();
        let mut send = |ready_ms, bytes| capacity.send(&mut drain, ready_ms, bytes);
        assert_eq!(send(0.0, 700), 5.0);
        assert_eq!(send(1.0, 800), 5.0);
        // The line at 5 ms is full. The next packet takes one line of 8 ms and one byte of the other.
        assert_eq!(send(2.0, 1501), 8.0);
        assert_eq!(send(2.0, 1499), 8.0);
        assert_eq!(send(2.0, 1), 10.0);
        // Nothing waited for the line of 15 ms, and two lines of 18 ms and one of 20 ms make 4,500 bytes.
        assert_eq!(send(15.5, 4500), 20.0);
        assert_eq!(send(15.5, 1), 25.0);
        assert_eq!(send(1_000_000.0, 1), 1_000_000.0);
        assert_eq!(send(1_000_000.5, 1), 1_000_005.0);
    }

    #[test]
    fn a_steady_trace_has_the_delay_of_its_rate() {
        // 1,500 bytes every 12 ms are 1,000 kbit/s.
        let text: String = (1..=100).map(|line| format!("{}\n", 12 * line)).collect();
        let capacity = read(&text).unwrap();
        assert_eq!(capacity.mean_kbps(), 1000.0);
        let mut drain = QueueHead::default();
        // Packets of 3,000 bytes every 20 ms: the wait grows by 4 ms each.
        for number in 0..1000_u32 {
            let ready_ms = f64::from(number) * 20.0;
            let left_ms = capacity.send(&mut drain, ready_ms, 3000);
            assert_eq!(left_ms, 24.0 * f64::from(number + 1));
        }
    }
}
