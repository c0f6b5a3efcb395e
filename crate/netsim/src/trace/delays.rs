//! Packets of a trace in the order of sending: the delay or the loss of each.

use super::error::TraceError;
use super::{DELAY_MS_MAX, IN_TIME, ROWS_MAX, SENT_MS_MAX};
use serde::{Deserialize, Serialize};
use snapshot_base::order::sorted;

/// A packet of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TracePacket {
    /// Time of sending, ms after the first row.
    pub sent_ms: f64,
    /// Delay from sender to receiver, ms, 0 to [`DELAY_MS_MAX`]. A lost packet has the delay of the newest earlier packet
    /// that arrived.
    pub delay_ms: f64,
    /// True if the packet never arrived.
    pub lost: bool,
    /// Size of the packet, bytes; `None` if the file does not have it.
    pub bytes: Option<u16>,
}

/// The delays and losses of a trace over time; they repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delays {
    /// The packets, at least one, by rising `sent_ms`.
    rows: Vec<TracePacket>,
    length_ms: f64,
}

impl Delays {
    /// Returns true if the rows are in order and repeat, as those of any file do.
    pub(super) fn is_whole(&self) -> bool {
        let rows = &self.rows[..];
        (1..=ROWS_MAX).contains(&rows.len())
            && rows.is_sorted_by(|a, b| a.sent_ms <= b.sent_ms)
            && rows[0].sent_ms >= 0.0
            && self.length_ms.is_finite()
            && self.length_ms > 0.0
    }

    /// The packets by rising time of sending. The first packet to the receiver is sent at 0 ms.
    pub fn rows(&self) -> &[TracePacket] {
        &self.rows
    }

    /// Time after which the rows repeat, ms: from the first row to the last, plus a mean interval.
    pub fn length_ms(&self) -> f64 {
        self.length_ms
    }

    pub(super) fn stretch(&mut self, factor: f64) {
        self.rows.iter_mut().for_each(|row| row.sent_ms *= factor);
        self.length_ms = length_ms(&self.rows, self.length_ms * factor);
    }

    /// Returns the row for a packet sent at `sent_ms`: the newest row sent at or before then, in a trace that repeats.
    pub fn at(&self, sent_ms: f64) -> &TracePacket {
        let in_trace_ms = sent_ms.rem_euclid(self.length_ms);
        let later = self.rows.partition_point(|row| row.sent_ms <= in_trace_ms);
        // Before the first row the last one of the repetition before holds.
        &self.rows[later.checked_sub(1).unwrap_or(self.rows.len() - 1)]
    }

    /// Returns the time of the first row at or after a time, ms; 0 if there is none.
    pub(super) fn next_ms(&self, in_trace_ms: f64) -> f64 {
        let first = self.rows.partition_point(|row| row.sent_ms < in_trace_ms);
        self.rows.get(first).map_or(0.0, |row| row.sent_ms)
    }

    /// Returns the rows from an origin on, followed by the rows before it.
    pub(super) fn rotated(&self, origin_ms: f64) -> Delays {
        let first = self.rows.partition_point(|row| row.sent_ms < origin_ms);
        let (before, after) = self.rows.split_at(first);
        let moved = |row: &TracePacket, by_ms: f64| TracePacket {
            sent_ms: row.sent_ms + by_ms,
            ..*row
        };
        let after = after.iter().map(|row| moved(row, -origin_ms));
        let before = before.iter();
        let before = before.map(|row| moved(row, self.length_ms - origin_ms));
        Delays {
            rows: after.chain(before).collect(),
            length_ms: self.length_ms,
        }
    }

    /// Time from the median of the delays to the delay that a share of [`IN_TIME`] does not exceed, ms.
    pub fn spread_ms(&self) -> f64 {
        let arrived = self.rows.iter().filter(|row| !row.lost);
        let delays_ms = sorted(arrived.map(|row| row.delay_ms));
        let at = |share: f64| {
            let place = (share * delays_ms.len() as f64) as usize;
            delays_ms.get(place).or(delays_ms.last()).copied()
        };
        at(IN_TIME).unwrap_or(0.0) - at(0.5).unwrap_or(0.0)
    }

    /// Longest delay of a row, ms.
    pub fn longest_ms(&self) -> f64 {
        let delays_ms = self.rows.iter().map(|row| row.delay_ms);
        delays_ms.fold(0.0, f64::max)
    }
}

/// Rows of a file while it is parsed; becomes [`Delays`] at the end.
#[derive(Debug, Default)]
pub(super) struct DelayCollector {
    rows: Vec<TracePacket>,
    /// Time at which the trace begins on the file's clock, ms: that of the first row, unless the caller gave another.
    origin_ms: Option<f64>,
    arrived: usize,
}

impl DelayCollector {
    /// Makes a collector of rows whose trace begins at an origin on the file's clock, ms. No row may be before it.
    pub(super) fn from_origin(origin_ms: f64) -> Self {
        Self {
            origin_ms: Some(origin_ms),
            ..Self::default()
        }
    }

    /// Adds a packet: the time of sending on any clock, and the one-way delay, ms; no delay for a lost packet.
    ///
    /// # Errors
    /// When the packet was sent before the last added one, its time or delay is out of range, or there is no room for it.
    pub(super) fn add(
        &mut self,
        sent_ms: f64,
        delay_ms: Option<f64>,
        bytes: Option<u16>,
    ) -> Result<(), TraceError> {
        let origin_ms = *self.origin_ms.get_or_insert(sent_ms);
        let newest = self.rows.last();
        let before_ms = newest.map_or(0.0, |row| row.sent_ms);
        let in_trace_ms = sent_ms - origin_ms;
        if in_trace_ms < before_ms {
            return Err(TraceError::before(sent_ms, before_ms + origin_ms));
        }
        // A ping whose clock jumps has rows in between, which lie beyond what its own times may be.
        if in_trace_ms > SENT_MS_MAX {
            return Err(TraceError::out_of_range(
                "sent_ms",
                in_trace_ms,
                SENT_MS_MAX,
            ));
        }
        if let Some(value) = delay_ms.filter(|delay| !(0.0..=DELAY_MS_MAX).contains(delay)) {
            return Err(TraceError::out_of_range("delay_ms", value, DELAY_MS_MAX));
        }
        if self.rows.len() == ROWS_MAX {
            return Err(TraceError::too_many());
        }
        self.arrived += usize::from(delay_ms.is_some());
        let held_ms = newest.map_or(0.0, |row| row.delay_ms);
        self.rows.push(TracePacket {
            sent_ms: in_trace_ms,
            delay_ms: delay_ms.unwrap_or(held_ms),
            lost: delay_ms.is_none(),
            bytes,
        });
        Ok(())
    }

    /// Returns the delays of all added packets. `interval_ms` is the trace's length if there is only one row.
    ///
    /// # Errors
    /// When there are no rows, no packet arrives, or several rows all have the same time.
    pub(super) fn finish(self, interval_ms: f64) -> Result<Delays, TraceError> {
        let last_ms = self.rows.last().ok_or(TraceError::EMPTY)?.sent_ms;
        if self.arrived == 0 {
            return Err(TraceError::new(format!(
                "all {} packets are lost: a trace needs one that arrives",
                self.rows.len()
            )));
        }
        let length_ms = length_ms(&self.rows, interval_ms);
        if length_ms <= last_ms {
            return Err(TraceError::NO_LENGTH);
        }
        Ok(self.with_length(length_ms))
    }

    /// Returns the delays of all added packets as those of the direction back, which repeat after the same time as the trace;
    /// `None` if no packet arrives.
    pub(super) fn finish_back(self, length_ms: f64) -> Option<Delays> {
        (self.arrived > 0).then(|| self.with_length(length_ms))
    }

    fn with_length(mut self, length_ms: f64) -> Delays {
        // Those lost before anything arrived follow the end of the repetition before.
        let end_ms = self.rows.last().map_or(0.0, |row| row.delay_ms);
        let leading = self.rows.iter_mut().take_while(|row| row.lost);
        leading.for_each(|row| row.delay_ms = end_ms);
        self.rows.shrink_to_fit();
        Delays {
            rows: self.rows,
            length_ms,
        }
    }
}

/// Returns the time after which rows repeat, ms: from the first to the last, plus a mean interval; `interval_ms` for one row.
fn length_ms(rows: &[TracePacket], interval_ms: f64) -> f64 {
    let last_ms = rows.last().map_or(0.0, |row| row.sent_ms);
    match rows.len() {
        0 | 1 => interval_ms,
        more => last_ms + last_ms / (more - 1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Trace, csv};

    #[test]
    fn a_trace_from_an_offset_is_the_same_trace_later() {
        let rows = (0..50).map(|n| {
            let sent_ms = 20.0 * f64::from(n);
            (sent_ms, (n % 7 > 0).then_some(f64::from(30 + n)), None)
        });
        let trace = Trace::read(csv::write(rows).as_bytes()).unwrap();
        let later = trace.from_ms(305.0);
        let (delays, moved) = (trace.delays(), later.delays());
        assert_eq!((later.begins_ms(), moved.rows()[0].sent_ms), (305.0, 0.0));
        assert_eq!(moved.length_ms(), delays.length_ms());
        // The first packet at or after 305 ms leaves at 320 ms.
        for ms in (0..2000).step_by(20).map(f64::from) {
            let [is, was] = [moved.at(ms), delays.at(ms + 320.0)];
            assert_eq!((is.delay_ms, is.lost), (was.delay_ms, was.lost), "{ms}");
        }
        assert!(trace != later && trace.fingerprint() == later.fingerprint());
        assert_eq!(trace.from_ms(0.0), trace);
        assert_eq!(trace.from_ms(999.9).delays(), trace.delays());
    }

    #[test]
    fn a_parsed_trace_arrives_whole_or_not_at_all() {
        let text = b"sent_ms,delay_ms,bytes,path\n0,20,,down-1\n3,9,70,up-1\n20,lost,0,down-1\n";
        let trace = Trace::read(text).unwrap().from_ms(15.0);
        let mut bytes = trace.to_bytes();
        let arrived = Trace::of_bytes(&bytes).unwrap();
        assert_eq!(format!("{arrived:?}"), format!("{trace:?}"));
        assert!((0..bytes.len()).all(|cut| Trace::of_bytes(&bytes[..cut]).is_none()));
        bytes.push(0);
        assert!(Trace::of_bytes(&bytes).is_none() && Trace::of_bytes(text).is_none());
    }
}
