//! The congestion window of a WebRTC data channel: a message leaves once the window has room for it.
//!
//! An unordered channel without retransmissions still is SCTP, whose congestion control holds messages back at the sender.
//! The rules are those of RFC 9260, section 7.2, with the constants of dcSCTP, the implementation in Chromium: ten packets at
//! first, four at least after a loss, one after a timeout. A lost message is given up after three reports that it misses, and
//! is never sent again (RFC 3758). Messages are units here: SCTP cuts those that are larger than a packet, and sends the parts
//! as the window opens.

use super::conditions::DataChannelConditions;
use snapshot_base::queue::TakeFront;
use std::collections::VecDeque;

/// Size of an SCTP packet, bytes: what dcSCTP takes for safe on every path.
const PACKET_BYTES: f64 = 1191.0;
/// Congestion window of a new channel, packets.
const INITIAL_PACKETS: f64 = 10.0;
/// Least congestion window after a loss, packets.
const LOSS_PACKETS_MIN: f64 = 4.0;
/// Number of reports that a message misses after which it counts as lost (RFC 9260, 7.2.4).
const REPORTS_OF_LOSS: u32 = 3;
/// Longest time for which a receiver holds back the report on a message, ms. On every second one, and after a gap, it reports
/// at once (RFC 9260, 6.2).
const REPORT_DELAY_MAX_MS: f64 = 200.0;
/// Bounds of the retransmission timeout, ms.
const TIMEOUT_MIN_MS: f64 = 400.0;
const TIMEOUT_MAX_MS: f64 = 60_000.0;
/// Least variation of the round trip in the timeout, ms: a report may be held back.
const VARIATION_MIN_MS: f64 = 220.0;

/// The sender of a data channel: its congestion window, and the sent messages whose fate no report has told yet.
#[derive(Clone, Debug)]
pub(super) struct DataChannel {
    conditions: DataChannelConditions,
    cwnd: f64,
    ssthresh: f64,
    /// Bytes that were acknowledged since the window last grew.
    partial_bytes_acked: f64,
    /// Messages that left, oldest first, from the oldest that is neither acknowledged nor lost.
    in_flight: VecDeque<InFlight>,
    in_flight_bytes: f64,
    /// Size of the newest message, bytes.
    newest_bytes: f64,
    /// Number of the next message.
    next: u64,
    /// The newest message when a loss was last found; `None` once the fates of all messages up to it are known. Until then the
    /// window does not shrink again.
    recovery_end: Option<u64>,
    left_ms: f64,
    /// Time at which the retransmission timer was started, ms.
    timer_ms: f64,
    timeout_ms: f64,
    smoothed_ms: Option<f64>,
    variation_ms: f64,
    /// True if the receiver holds back its report on the newest message.
    is_report_held: bool,
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    number: u64,
    bytes: f64,
    left_ms: f64,
    /// Time at which the report on the message reaches the sender, ms; `None` for a lost message.
    report_ms: Option<f64>,
    missing_reports: u32,
    /// True once the sender knows the message as acknowledged, or has given it up.
    is_known: bool,
}

impl DataChannel {
    pub(super) fn new(conditions: DataChannelConditions) -> DataChannel {
        DataChannel {
            conditions,
            cwnd: INITIAL_PACKETS * PACKET_BYTES,
            ssthresh: f64::INFINITY,
            partial_bytes_acked: 0.0,
            in_flight: VecDeque::new(),
            in_flight_bytes: 0.0,
            newest_bytes: 0.0,
            next: 0,
            recovery_end: None,
            left_ms: 0.0,
            timer_ms: 0.0,
            timeout_ms: 500.0,
            smoothed_ms: None,
            variation_ms: 0.0,
            is_report_held: false,
        }
    }

    /// Returns the time at which a message leaves the sender, ms. It is handed in at `now_ms`, and takes `datagrams` datagrams
    /// of `wire_bytes` bytes together, headers included. Times rise from call to call.
    pub(super) fn leaves_ms(&mut self, now_ms: f64, wire_bytes: u32, datagrams: u32) -> f64 {
        let mut at_ms = now_ms.max(self.left_ms);
        self.pass(at_ms);
        let headers = self.conditions.header_bytes * datagrams;
        let bytes = f64::from(wire_bytes.saturating_sub(headers));
        self.newest_bytes = bytes;
        while !self.in_flight.is_empty() && self.in_flight_bytes + bytes > self.cwnd {
            let next = self
                .reports()
                .fold(self.timer_ms + self.timeout_ms, f64::min);
            at_ms = at_ms.max(next);
            self.pass(at_ms);
        }
        // What is larger than the window leaves in parts, a round trip apart.
        let rounds = (bytes / self.cwnd).ceil().max(1.0) - 1.0;
        self.left_ms = at_ms + rounds * self.smoothed_ms.unwrap_or(2.0 * self.conditions.back_ms);
        self.left_ms
    }

    /// Records that the message of the last [`DataChannel::leaves_ms`] left, and its arrival, ms; `None` if it is lost.
    pub(super) fn on_sent(&mut self, arrival_ms: Option<f64>) {
        let has_gap = self.in_flight.iter().any(|it| it.report_ms.is_none());
        if let Some(arrival_ms) = arrival_ms {
            if let Some(held) = self.in_flight.back_mut().filter(|_| self.is_report_held) {
                let report_ms = arrival_ms + self.conditions.back_ms;
                held.report_ms = held.report_ms.map(|held_ms| held_ms.min(report_ms));
            }
            self.is_report_held = !self.is_report_held && !has_gap;
        }
        if self.in_flight.is_empty() {
            self.timer_ms = self.left_ms;
        }
        let held_ms = if self.is_report_held {
            REPORT_DELAY_MAX_MS
        } else {
            0.0
        };
        self.in_flight_bytes += self.newest_bytes;
        self.in_flight.push_back(InFlight {
            number: self.next,
            bytes: self.newest_bytes,
            left_ms: self.left_ms,
            report_ms: arrival_ms.map(|arrival_ms| arrival_ms + self.conditions.back_ms + held_ms),
            missing_reports: 0,
            is_known: false,
        });
        self.next += 1;
    }

    /// Times of the reports that are still to come, ms.
    fn reports(&self) -> impl Iterator<Item = f64> {
        let open = self.in_flight.iter().filter(|it| !it.is_known);
        open.filter_map(|it| it.report_ms)
    }

    /// Handles all reports and timeouts up to `until_ms`.
    fn pass(&mut self, until_ms: f64) {
        while !self.in_flight.is_empty() {
            let report_ms = self.reports().fold(f64::INFINITY, f64::min);
            let expiry_ms = self.timer_ms + self.timeout_ms;
            if report_ms.min(expiry_ms) > until_ms {
                return;
            }
            match report_ms <= expiry_ms {
                true => self.on_report(report_ms),
                false => self.on_timeout(expiry_ms),
            }
        }
    }

    /// Handles a report that reaches the sender at `now_ms`.
    fn on_report(&mut self, now_ms: f64) {
        let before_bytes = self.in_flight_bytes;
        let (mut acked_bytes, mut newest, mut round_trip_ms) = (0.0, 0, None);
        for message in &mut self.in_flight {
            let is_named = message.report_ms.is_some_and(|at_ms| at_ms <= now_ms);
            if is_named && !message.is_known {
                message.is_known = true;
                acked_bytes += message.bytes;
                newest = message.number;
                round_trip_ms = Some(now_ms - message.left_ms);
            }
        }
        if let Some(round_trip_ms) = round_trip_ms {
            self.update_timeout(round_trip_ms);
        }
        self.in_flight_bytes -= acked_bytes;
        let mut is_lost = false;
        for message in self.in_flight.iter_mut().filter(|it| it.number < newest) {
            if message.report_ms.is_none() && !message.is_known {
                message.missing_reports += 1;
                if message.missing_reports >= REPORTS_OF_LOSS {
                    message.is_known = true;
                    self.in_flight_bytes -= message.bytes;
                    is_lost = true;
                }
            }
        }
        if is_lost && self.recovery_end.is_none() {
            self.ssthresh = (self.cwnd / 2.0).max(LOSS_PACKETS_MIN * PACKET_BYTES);
            self.cwnd = self.ssthresh;
            self.partial_bytes_acked = 0.0;
            self.recovery_end = Some(self.next);
        }
        if self.drop_known() {
            self.timer_ms = now_ms;
            if !is_lost {
                self.grow(before_bytes, acked_bytes);
            }
        }
    }

    /// Lets the window grow after a report (RFC 9260, 7.2.1 and 7.2.2). It grows only while it is full: there was no room for a
    /// packet, or for another message of the newest size.
    fn grow(&mut self, before_bytes: f64, acked_bytes: f64) {
        let is_used_up = before_bytes + self.newest_bytes.max(PACKET_BYTES) >= self.cwnd;
        if self.cwnd <= self.ssthresh {
            if is_used_up && self.recovery_end.is_none() {
                self.cwnd += acked_bytes.min(PACKET_BYTES);
            }
            return;
        }
        self.partial_bytes_acked += acked_bytes;
        if self.partial_bytes_acked >= self.cwnd && is_used_up {
            self.partial_bytes_acked -= self.cwnd;
            self.cwnd += PACKET_BYTES;
        }
    }

    /// Gives up all that is in flight (RFC 9260, 6.3.3).
    fn on_timeout(&mut self, now_ms: f64) {
        self.ssthresh = (self.cwnd / 2.0).max(LOSS_PACKETS_MIN * PACKET_BYTES);
        self.cwnd = PACKET_BYTES;
        self.partial_bytes_acked = 0.0;
        self.timeout_ms = (2.0 * self.timeout_ms).min(TIMEOUT_MAX_MS);
        self.timer_ms = now_ms;
        self.in_flight.clear();
        self.in_flight_bytes = 0.0;
        (self.recovery_end, self.is_report_held) = (None, false);
    }

    /// Removes the oldest messages while their fate is known; returns true if there was one.
    fn drop_known(&mut self) -> bool {
        let before = self.in_flight.len();
        while self.in_flight.take_front_if(|it| it.is_known).is_some() {}
        let first = self.in_flight.front().map_or(self.next, |it| it.number);
        self.recovery_end.take_if(|end| first >= *end);
        self.in_flight.len() < before
    }

    /// Updates the timeout by a round trip (RFC 9260, 6.3.1).
    fn update_timeout(&mut self, round_trip_ms: f64) {
        let smoothed_ms = match self.smoothed_ms {
            None => {
                self.variation_ms = round_trip_ms / 2.0;
                round_trip_ms
            }
            Some(smoothed_ms) => {
                let apart_ms = (smoothed_ms - round_trip_ms).abs();
                self.variation_ms += (apart_ms - self.variation_ms) / 4.0;
                smoothed_ms + (round_trip_ms - smoothed_ms) / 8.0
            }
        };
        self.smoothed_ms = Some(smoothed_ms);
        let timeout_ms = smoothed_ms + 4.0 * self.variation_ms.max(VARIATION_MIN_MS / 4.0);
        self.timeout_ms = timeout_ms.clamp(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel() -> DataChannel {
        DataChannel::new(DataChannelConditions {
            back_ms: 50.0,
            header_bytes: 0,
        })
    }

    /// Sends 60 messages a second for so many seconds, 50 ms each way; each `lost`th is lost. Returns the waits, ms, sorted.
    fn waits_ms(bytes: u32, seconds: u32, lost: u32) -> Vec<f64> {
        let mut channel = channel();
        let send = |number: u32| {
            let now_ms = f64::from(number) * 1000.0 / 60.0;
            let leaves_ms = channel.leaves_ms(now_ms, bytes, 1);
            let is_lost = lost > 0 && number % lost == lost - 1;
            channel.on_sent((!is_lost).then_some(leaves_ms + 50.0));
            leaves_ms - now_ms
        };
        let mut waits: Vec<f64> = (0..60 * seconds).map(send).collect();
        waits.sort_by(f64::total_cmp);
        waits
    }

    #[test]
    fn small_messages_do_not_wait_and_large_ones_do_after_losses() {
        assert_eq!(waits_ms(250, 60, 20).last(), Some(&0.0));
        // 66 kB a second need 7.7 kB in flight: the first window has 11.9 kB, the one after losses 4.8 kB.
        assert_eq!(waits_ms(1100, 60, 0).last(), Some(&0.0));
        let large = waits_ms(1100, 60, 20);
        assert!(large[large.len() / 2] > 1000.0, "{large:?}");
        let longer = waits_ms(1100, 120, 20);
        assert!(longer.last() > large.last());
    }

    #[test]
    fn an_unused_window_does_not_grow_and_a_used_one_does() {
        let mut channel = channel();
        for number in 0..600 {
            let now_ms = f64::from(number) * 1000.0 / 60.0;
            let leaves_ms = channel.leaves_ms(now_ms, 250, 1);
            channel.on_sent(Some(leaves_ms + 50.0));
        }
        assert_eq!(channel.cwnd, INITIAL_PACKETS * PACKET_BYTES);
        for number in 0..600 {
            let now_ms = 20_000.0 + f64::from(number) * 1000.0 / 60.0;
            let leaves_ms = channel.leaves_ms(now_ms, 4000, 1);
            channel.on_sent(Some(leaves_ms + 50.0));
        }
        assert!(channel.cwnd > 2.0 * INITIAL_PACKETS * PACKET_BYTES);
    }

    #[test]
    fn a_loss_halves_the_window_once_and_silence_makes_it_one_packet() {
        let mut channel = channel();
        for number in 0..30 {
            let now_ms = f64::from(number) * 10.0;
            let leaves_ms = channel.leaves_ms(now_ms, 500, 1);
            // Two losses in one flight are one event.
            let is_lost = number == 5 || number == 7;
            channel.on_sent((!is_lost).then_some(leaves_ms + 50.0));
        }
        assert_eq!(channel.cwnd, INITIAL_PACKETS / 2.0 * PACKET_BYTES);
        let begin_ms = 10_000.0;
        let leaves_ms = channel.leaves_ms(begin_ms, 500, 1);
        channel.on_sent(None);
        assert_eq!(leaves_ms, begin_ms);
        let _ = channel.leaves_ms(begin_ms + TIMEOUT_MIN_MS, 500, 1);
        assert_eq!(channel.cwnd, PACKET_BYTES);
        assert_eq!(channel.in_flight_bytes, 0.0);
    }

    #[test]
    fn a_message_that_is_larger_than_the_window_leaves_at_last() {
        let mut channel = channel();
        let leaves_ms = channel.leaves_ms(0.0, 36_000, 1);
        assert_eq!(leaves_ms, 300.0);
        channel.on_sent(Some(leaves_ms + 50.0));
        // The receiver holds its report back, as the message is the only one.
        assert_eq!(channel.leaves_ms(10.0, 100, 1), 600.0);
    }
}
