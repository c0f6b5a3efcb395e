//! A download next door, which shares the bottleneck's queue: one New Reno flow (RFC 5681, RFC 6582) with endless data.
//!
//! Time is divided into periods of 10 s. The seed and a period's number decide whether a download runs in it. Each download
//! begins in slow start. Its acknowledgements are never lost. Its receiver sends one for each segment, without selective ones.

use super::conditions::BottleneckConditions;
use snapshot_base::queue::TakeFront;
use snapshot_base::random::KeyedDraw;
use std::collections::VecDeque;

const PERIOD_MS: f64 = 10_000.0;
/// Bytes of data in a segment.
const SEGMENT_BYTES: u32 = 1460;
/// Bytes of the IPv4 and TCP headers without options.
const HEADER_BYTES: u32 = 40;
/// Initial congestion window, segments (RFC 6928).
const INITIAL_WINDOW: f64 = 10.0;
/// The receiver's window, segments: 6 MB, the largest that Linux uses by default.
const WINDOW_MAX: f64 = 4309.0;
/// Least retransmission timeout, ms (RFC 6298, 2.4). The download's timeout is longer than its longest round trip by this time.
const TIMEOUT_MIN_MS: f64 = 1000.0;
/// Upper limit of the retransmission timeout, ms, at which doubling ends.
const TIMEOUT_MAX_MS: f64 = 60_000.0;

#[derive(Clone, Debug)]
pub(super) struct Neighbour {
    keyed: KeyedDraw,
    share: f64,
    round_trip_ms: f64,
    timeout_ms: f64,
    /// Number of the 10 s period that is simulated now; `None` before the first packet.
    period: Option<u64>,
    download: Option<Download>,
}

impl Neighbour {
    /// Makes a neighbour without a download, with the key of the random choice of periods with a download.
    pub(super) fn new(conditions: &BottleneckConditions, keyed: KeyedDraw) -> Neighbour {
        let round_trip_ms = conditions.neighbour_round_trip_ms;
        Neighbour {
            keyed,
            share: conditions.neighbour,
            round_trip_ms,
            timeout_ms: round_trip_ms + conditions.queue_ms + TIMEOUT_MIN_MS,
            period: None,
            download: None,
        }
    }

    /// Sends all segments that are due by `now_ms`. `enter` puts a segment of that many bytes into the queue. It returns the
    /// time at which the segment leaves, or `None` if it is dropped. The first call begins at the start of the 10 s period that
    /// contains `now_ms`, without earlier periods.
    pub(super) fn advance(&mut self, now_ms: f64, mut enter: impl FnMut(f64, u32) -> Option<f64>) {
        let newest = (now_ms.max(0.0) / PERIOD_MS) as u64;
        let mut period = self.period.unwrap_or(newest);
        loop {
            if self.period != Some(period) {
                self.period = Some(period);
                let is_there = self.keyed.with(period).unit() < self.share;
                let start_ms = period as f64 * PERIOD_MS;
                let new = || Download::new(start_ms, self.round_trip_ms, self.timeout_ms);
                self.download = is_there.then(new);
                if let Some(download) = &mut self.download {
                    download.send(start_ms, &mut enter);
                }
            }
            if let Some(download) = &mut self.download {
                let end_ms = (period + 1) as f64 * PERIOD_MS;
                download.advance(now_ms.min(end_ms), &mut enter);
            }
            if period >= newest {
                return;
            }
            period += 1;
        }
    }
}

/// A TCP flow of segments, numbered from 0.
#[derive(Clone, Debug)]
struct Download {
    /// Time from a segment's departure from the queue to its acknowledgement, ms.
    round_trip_ms: f64,
    /// Congestion window, segments.
    window: f64,
    /// Congestion window at which slow start ends, segments.
    threshold: f64,
    /// Number of the next segment to send.
    next: u64,
    /// Number of the oldest segment that is not acknowledged.
    oldest: u64,
    /// Number after the newest segment sent before the last loss. The loss of an earlier segment does not shrink the window
    /// again.
    recover: u64,
    is_recovering: bool,
    duplicates: u32,
    timeout_ms: f64,
    timeout_first_ms: f64,
    timeout_at_ms: f64,
    /// Segments that passed the queue: time at which the sender gets the acknowledgement (ms), and number.
    acks: VecDeque<(f64, u64)>,
    /// Number of the oldest segment that the receiver misses.
    expected: u64,
    /// For each segment from `expected` on: true if it has arrived.
    early: VecDeque<bool>,
}

impl Download {
    fn new(start_ms: f64, round_trip_ms: f64, timeout_ms: f64) -> Download {
        Download {
            round_trip_ms,
            window: INITIAL_WINDOW,
            threshold: WINDOW_MAX,
            next: 0,
            oldest: 0,
            recover: 0,
            is_recovering: false,
            duplicates: 0,
            timeout_ms,
            timeout_first_ms: timeout_ms,
            timeout_at_ms: start_ms + timeout_ms,
            acks: VecDeque::new(),
            expected: 0,
            early: VecDeque::new(),
        }
    }

    fn advance(&mut self, until_ms: f64, enter: &mut impl FnMut(f64, u32) -> Option<f64>) {
        loop {
            let ack_ms = self.acks.front().map_or(f64::INFINITY, |ack| ack.0);
            if ack_ms.min(self.timeout_at_ms) > until_ms {
                return;
            }
            let at_ms = if ack_ms <= self.timeout_at_ms {
                if let Some((_, segment)) = self.acks.pop_front() {
                    self.arrived(segment);
                }
                self.acknowledged(ack_ms, enter);
                ack_ms
            } else {
                self.timed_out()
            };
            self.send(at_ms, enter);
        }
    }

    /// Sends as many segments as the congestion window allows.
    fn send(&mut self, at_ms: f64, enter: &mut impl FnMut(f64, u32) -> Option<f64>) {
        while ((self.next - self.oldest) as f64) < self.window.min(WINDOW_MAX).floor() {
            self.send_one(self.next, at_ms, enter);
            self.next += 1;
        }
    }

    fn send_one(
        &mut self,
        segment: u64,
        at_ms: f64,
        enter: &mut impl FnMut(f64, u32) -> Option<f64>,
    ) {
        if let Some(left_ms) = enter(at_ms, SEGMENT_BYTES + HEADER_BYTES) {
            self.acks.push_back((left_ms + self.round_trip_ms, segment));
        }
    }

    /// Records that a segment has arrived at the receiver.
    fn arrived(&mut self, segment: u64) {
        let Some(ahead) = segment.checked_sub(self.expected) else {
            return;
        };
        let ahead = ahead as usize;
        if self.early.len() <= ahead {
            self.early.resize(ahead + 1, false);
        }
        self.early[ahead] = true;
        while self
            .early
            .take_front_if(|has_arrived| *has_arrived)
            .is_some()
        {
            self.expected += 1;
        }
    }

    /// Handles an acknowledgement, which names the segment that the receiver expects next.
    fn acknowledged(&mut self, at_ms: f64, enter: &mut impl FnMut(f64, u32) -> Option<f64>) {
        if self.expected <= self.oldest {
            self.duplicates += 1;
            if self.is_recovering {
                self.window += 1.0;
            } else if self.duplicates == 3 && self.oldest >= self.recover {
                self.halve();
                self.window = self.threshold + 3.0;
                self.recover = self.next;
                self.is_recovering = true;
                self.send_one(self.oldest, at_ms, enter);
            }
            return;
        }
        let news = (self.expected - self.oldest) as f64;
        self.oldest = self.expected;
        self.next = self.next.max(self.oldest);
        self.duplicates = 0;
        self.timeout_ms = self.timeout_first_ms;
        self.timeout_at_ms = at_ms + self.timeout_ms;
        if !self.is_recovering {
            let slow_start = self.window < self.threshold;
            self.window += if slow_start { 1.0 } else { 1.0 / self.window };
            self.window = self.window.min(WINDOW_MAX);
        } else if self.oldest >= self.recover {
            self.window = self.threshold;
            self.is_recovering = false;
        } else {
            // A part is acknowledged: the next hole is sent again (RFC 6582, 3.2).
            self.window = (self.window - news + 1.0).max(1.0);
            self.send_one(self.oldest, at_ms, enter);
        }
    }

    /// Handles a timeout: all segments from the oldest unacknowledged one are sent again. Returns the time of the timeout, ms.
    fn timed_out(&mut self) -> f64 {
        self.halve();
        self.recover = self.recover.max(self.next);
        self.window = 1.0;
        self.next = self.oldest;
        self.is_recovering = false;
        self.duplicates = 0;
        self.timeout_ms = (2.0 * self.timeout_ms).min(TIMEOUT_MAX_MS);
        let at_ms = self.timeout_at_ms;
        self.timeout_at_ms += self.timeout_ms;
        at_ms
    }

    fn halve(&mut self) {
        self.threshold = ((self.next - self.oldest) as f64 / 2.0).max(2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONDITIONS: BottleneckConditions = BottleneckConditions {
        rate_kbps: 6000.0,
        queue_ms: 100.0,
        neighbour: 1.0,
        neighbour_round_trip_ms: 50.0,
    };

    /// Instants at which segments entered an endless or a limited queue, with their waits; no wait for a dropped segment.
    fn entries(queue_ms: f64, until_ms: f64) -> Vec<(f64, Option<f64>)> {
        let mut neighbour = Neighbour::new(&CONDITIONS, KeyedDraw::new(1, 0));
        let (mut empty_ms, mut entries) = (0.0_f64, Vec::new());
        // In steps, as packets of a lane come.
        for step in 1..=(until_ms / 16.0) as u32 {
            neighbour.advance(f64::from(step) * 16.0, |at_ms, bytes| {
                let wait_ms = (empty_ms - at_ms).max(0.0);
                let is_taken = wait_ms <= queue_ms;
                entries.push((at_ms, is_taken.then_some(wait_ms)));
                is_taken.then(|| {
                    empty_ms = empty_ms.max(at_ms) + f64::from(bytes) * 8.0 / 6000.0;
                    empty_ms
                })
            });
        }
        entries
    }

    #[test]
    fn slow_start_doubles_the_window_in_each_round_trip() {
        // 1,500 bytes take 2 ms: the first ten segments are heard of from 52 to 70 ms.
        let entries = entries(f64::INFINITY, 200.0);
        let sent_before = |ms: f64| entries.iter().filter(|(at_ms, _)| *at_ms < ms).count();
        assert_eq!((sent_before(1.0), sent_before(51.9)), (10, 10));
        assert_eq!(sent_before(71.0), 30);
        assert_eq!(entries[10].0, 52.0);
        assert_eq!(entries[11].0, 52.0);
    }

    #[test]
    fn a_drop_halves_the_window_and_the_flow_keeps_the_bottleneck_busy() {
        let entries = entries(CONDITIONS.queue_ms, 10_000.0);
        assert!(entries.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        let drops = entries.iter().filter(|(_, wait)| wait.is_none()).count();
        let passed = entries.len() - drops;
        // 500 segments a second pass at most; a queue of two round trips keeps a halved window above the path's own.
        let share = passed as f64 / 5000.0;
        assert!((0.9..=1.02).contains(&share), "{share}");
        assert!((1..400).contains(&drops), "{drops}");
        // A sawtooth: after slow start the wait falls below half of the queue and comes back to its end, several times.
        let waits = entries.iter().filter(|(at_ms, _)| *at_ms > 3000.0);
        let waits: Vec<f64> = waits.filter_map(|(_, wait)| *wait).collect();
        let (mut teeth, mut is_high) = (0, false);
        for wait_ms in waits {
            if is_high && wait_ms < 50.0 {
                is_high = false;
            } else if !is_high && wait_ms > 95.0 {
                is_high = true;
                teeth += 1;
            }
        }
        assert!((2..12).contains(&teeth), "{teeth}");
    }

    #[test]
    fn each_period_begins_anew_and_a_late_start_begins_with_its_period() {
        let whole = entries(CONDITIONS.queue_ms, 20_100.0);
        let second: Vec<_> = whole
            .iter()
            .filter(|(at_ms, _)| *at_ms >= 10_000.0)
            .collect();
        assert!(second[..10].iter().all(|(at_ms, _)| *at_ms == 10_000.0));
        let mut late = Neighbour::new(&CONDITIONS, KeyedDraw::new(1, 0));
        let mut first_ms = None;
        late.advance(14_321.0, |at_ms, _| {
            first_ms.get_or_insert(at_ms);
            Some(at_ms)
        });
        assert_eq!(first_ms, Some(10_000.0));
    }

    #[test]
    fn a_flow_whose_segments_are_all_dropped_tries_again_after_longer_and_longer_times() {
        let mut neighbour = Neighbour::new(&CONDITIONS, KeyedDraw::new(1, 0));
        let mut tries = Vec::new();
        neighbour.advance(9_999.0, |at_ms, _| {
            tries.push(at_ms);
            None
        });
        assert_eq!(tries[..10], [0.0; 10]);
        // 1,150 ms, then twice as long, and again.
        assert_eq!(tries[10..], [1150.0, 3450.0, 8050.0]);
    }
}
