//! The budget of one direction: all bytes that an end may send to the other one.
//!
//! The rate may follow the capacity of the path. It is shared by a hierarchical token bucket (as Linux has it, tc-htb): states
//! and messages have a bucket each, and what one of them leaves is for the other. A bucket alone lets its depth pass on top of
//! a second. So the bytes of the last second are counted, too: no second has more than its budget and [`SECOND_SHARE`].

use crate::Settings;
use crate::congestion::{AckedPartial, CongestionControl};
use crate::payload::HEADERS_BYTES;
use snapshot_base::queue::TakeFront;
use std::collections::VecDeque;

/// Share of the rate that messages have while states wait, too. States have the rest.
const MESSAGES_SHARE: f64 = 0.25;
/// Depth of the states' bucket as a time at the whole rate, ms. It is at least `DEPTH_BYTES`, so that a datagram of the usual
/// size fits.
const DEPTH_MS: f64 = 100.0;
const DEPTH_BYTES: f64 = 1500.0;
/// Least depth of the messages' bucket, bytes: the longest message fits.
const MESSAGES_DEPTH_BYTES: f64 = 1300.0;
/// Depth of the bucket for packets of several datagrams, in send intervals; at least [`DEPTH_MS`]. Bytes that one packet leaves
/// are for the next one.
const DEPTH_PACKETS: f64 = 2.0;
/// Upper limit of the bytes of a second, as a share of the budget. A bucket alone would let its depth pass on top of a second.
const SECOND_SHARE: f64 = 1.04;
/// Share of the rate that probes of the path may have. They take it from the states, which may get lost while a path is searched.
const PROBES_SHARE: f64 = 0.25;
/// Longest time that a message to be sent once may wait at its share of the rate, ms.
const SAY_WAIT_MS: f64 = 500.0;

/// Purpose of sent bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// States of objects, or a client's inputs and acknowledgements.
    States,
    Messages,
}

/// The budget of one direction: its limit, and the bytes that may be sent now.
#[derive(Debug)]
pub(crate) struct Budget {
    limit_kbps: Option<f64>,
    control: Option<CongestionControl>,
    /// Upper limit of the datagrams of a packet.
    datagrams_max: usize,
    depth_ms: f64,
    /// Tokens of the states, bytes.
    states: f64,
    /// Tokens of the messages, bytes.
    messages: f64,
    filled_ms: Option<f64>,
    second: LastSecond,
    /// True if the last packet had no room for all states.
    pub(crate) are_states_waiting: bool,
    /// Length of the probe of the path that is due next, with headers, bytes; 0 if none is.
    pub(crate) probe_bytes: usize,
    /// Time from which the next probe may leave, ms.
    probe_ms: f64,
}

impl Budget {
    /// Makes the budget of a server's datagrams to a client.
    pub(crate) fn new(settings: &Settings) -> Self {
        // The rule of congestion takes a packet's own time for a queue.
        let datagrams_max = match settings.congestion_control {
            true => 1,
            false => settings.datagrams_a_packet,
        };
        let depth_ms = match datagrams_max {
            1 => DEPTH_MS,
            _ => DEPTH_MS.max(DEPTH_PACKETS * 1000.0 / f64::from(settings.send_rate)),
        };
        Self {
            control: (settings.congestion_control).then(CongestionControl::default),
            datagrams_max,
            depth_ms,
            ..Self::upload(settings.budget_kbps)
        }
    }

    /// Makes the budget of a client's datagrams.
    pub(crate) fn upload(limit_kbps: Option<f64>) -> Self {
        Self {
            limit_kbps,
            control: None,
            datagrams_max: 1,
            depth_ms: DEPTH_MS,
            states: 0.0,
            messages: 0.0,
            filled_ms: None,
            second: LastSecond::default(),
            are_states_waiting: false,
            probe_bytes: 0,
            probe_ms: f64::MIN,
        }
    }

    /// Sets the budget's limit, kbit/s; `None` for no limit.
    pub(crate) fn set_limit(&mut self, limit_kbps: Option<f64>) {
        if let (Some(before), Some(after)) = (self.limit_kbps, limit_kbps) {
            // The bytes of the greater budget were within it. They must not silence the smaller one for a second.
            self.second.scale((after / before).min(1.0));
        }
        self.limit_kbps = limit_kbps;
    }

    /// Returns the rate at which bytes may be sent, kbit/s; `None` without a limit.
    pub(crate) fn kbps(&self) -> Option<f64> {
        let limit_kbps = self.limit_kbps?;
        let control = self.control.as_ref();
        Some(control.map_or(limit_kbps, |control| control.kbps().min(limit_kbps)))
    }

    /// Returns the number of bytes that messages may have now, with headers. There is no limit without a budget.
    pub(crate) fn message_room(&mut self, now_ms: f64) -> usize {
        self.fill(now_ms);
        let owed = match self.are_states_waiting && !self.are_messages_first() {
            true => self.states.max(0.0),
            false => 0.0,
        };
        self.room_of(self.messages, owed)
    }

    /// Returns the number of bytes that a probe of the path may have now, with headers. There is no limit without a budget.
    pub(crate) fn probe_room(&mut self, now_ms: f64) -> usize {
        self.fill(now_ms);
        match self.limit_kbps.is_some() && now_ms < self.probe_ms {
            true => 0,
            false => self.room_of(f64::INFINITY, -self.owed_to_probe()),
        }
    }

    /// Counts a probe of the path, of so many bytes with headers.
    pub(crate) fn on_probe(&mut self, now_ms: f64, bytes: usize) {
        self.on_sent(now_ms, Purpose::States, bytes);
        let kbps = self.kbps().unwrap_or(f64::INFINITY);
        self.probe_ms = now_ms + bytes as f64 / (kbps / 8.0 * PROBES_SHARE);
        self.probe_bytes = 0;
    }

    /// Returns the number of bytes of this second that the next probe waits for.
    fn owed_to_probe(&self) -> f64 {
        match self.filled_ms.is_some_and(|now_ms| now_ms >= self.probe_ms) {
            true => self.probe_bytes as f64,
            false => 0.0,
        }
    }

    /// Returns true if messages have used less of their share than states. Where a second is full, they go first.
    fn are_messages_first(&self) -> bool {
        self.messages * (1.0 - MESSAGES_SHARE) > self.states * MESSAGES_SHARE
    }

    /// Returns the number of bytes for which there are tokens, and room in this second besides the bytes that are `owed`.
    fn room_of(&self, tokens: f64, owed: f64) -> usize {
        match self.limit_kbps {
            None => usize::MAX,
            Some(_) => {
                let owed = owed + self.owed_to_probe();
                let second = self.second_bytes() - self.second.bytes() - owed;
                tokens.min(second).max(0.0) as usize
            }
        }
    }

    /// Upper limit of the bytes of any second; infinite without a budget.
    fn second_bytes(&self) -> f64 {
        let limit_kbps = self.limit_kbps.unwrap_or(f64::INFINITY);
        SECOND_SHARE * limit_kbps * 1000.0 / 8.0
    }

    /// Upper limit of a datagram's length, with headers: a larger one is never within the budget of a second, bytes.
    pub(crate) fn datagram_bytes_max(&self) -> usize {
        self.second_bytes() as usize
    }

    /// Upper limit of the queue of messages to be sent once, bytes: those that are sent soon.
    pub(crate) fn say_queue_bytes(&self) -> usize {
        let share = |kbps: f64| (kbps / 8.0 * MESSAGES_SHARE * SAY_WAIT_MS) as usize;
        self.kbps().map_or(usize::MAX, share)
    }

    /// Adds the tokens of the passed time. A share that is not used goes to the other purpose, as the classes of a hierarchical
    /// token bucket borrow from each other. States that wait for a second to pass lend nothing.
    fn fill(&mut self, now_ms: f64) {
        self.second.pass(now_ms);
        let Some(kbps) = self.kbps() else {
            return;
        };
        let bytes_ms = kbps / 8.0;
        let passed_ms = now_ms - *self.filled_ms.get_or_insert(now_ms - self.depth_ms);
        self.filled_ms = Some(now_ms);
        let depth = (bytes_ms * self.depth_ms).max(DEPTH_BYTES);
        let messages_depth = (bytes_ms * DEPTH_MS * MESSAGES_SHARE).max(MESSAGES_DEPTH_BYTES);
        let gained = passed_ms * bytes_ms;
        let states = self.states + gained * (1.0 - MESSAGES_SHARE);
        let lent = match self.are_states_waiting {
            true => 0.0,
            false => (states - depth).max(0.0),
        };
        let messages = self.messages + gained * MESSAGES_SHARE + lent;
        self.states = (states.min(depth) + (messages - messages_depth).max(0.0)).min(depth);
        self.messages = messages.min(messages_depth);
    }

    /// Returns the size of a packet's largest datagram, bytes, up to that of the path, and how many the packet may have. It may
    /// have more than one only where the budget has room for full ones: each further datagram costs headers, and may be lost.
    /// `reserved` is the length of a datagram with the messages that are due, as far as they have tokens.
    pub(crate) fn datagrams(
        &mut self,
        now_ms: f64,
        path_bytes: usize,
        reserved: usize,
    ) -> (usize, usize) {
        if self.limit_kbps.is_none() {
            return (path_bytes, 1);
        }
        self.fill(now_ms);
        let reserved = reserved as f64;
        let owed = match self.are_messages_first() && reserved <= self.messages {
            true => reserved,
            false => 0.0,
        };
        let room = self.room_of(self.states, owed);
        let full = room / (path_bytes + HEADERS_BYTES);
        let room = room.saturating_sub(HEADERS_BYTES);
        (room.min(path_bytes), full.clamp(1, self.datagrams_max))
    }

    /// Counts a sent datagram of `bytes` bytes, or a part of one, with headers.
    pub(crate) fn on_sent(&mut self, now_ms: f64, purpose: Purpose, bytes: usize) {
        self.count(now_ms, bytes);
        // Bytes from before a budget are no debt.
        if self.limit_kbps.is_some() {
            match purpose {
                Purpose::States => self.states -= bytes as f64,
                Purpose::Messages => self.messages -= bytes as f64,
            }
        }
    }

    /// Counts bytes that are sent whether the budget has room for them or not, such as those that keep a connection alive.
    pub(crate) fn count(&mut self, now_ms: f64, bytes: usize) {
        if self.limit_kbps.is_some() {
            self.second.pass(now_ms);
            self.second.add(now_ms, bytes as f64);
            if let Some(control) = &mut self.control {
                control.on_sent(bytes as f64);
            }
        }
    }

    /// Mean difference of consecutive round trips, ms; 0 where it is not measured.
    pub(crate) fn jitter_ms(&self) -> f64 {
        (self.control.as_ref()).map_or(0.0, CongestionControl::jitter_ms)
    }

    /// Processes the acknowledgement of a packet, with its round trip.
    pub(crate) fn on_ack(&mut self, now_ms: f64, round_trip_ms: f64, acked: &AckedPartial) {
        if let (Some(limit_kbps), Some(control)) = (self.limit_kbps, &mut self.control) {
            control.on_ack(now_ms, round_trip_ms, acked, limit_kbps);
        }
    }
}

/// The bytes that were sent within the last second.
#[derive(Debug, Default)]
struct LastSecond {
    /// Bytes by the whole millisecond in which they were sent, oldest first: at most a thousand entries.
    sent: VecDeque<(u64, f64)>,
}

impl LastSecond {
    /// Forgets the bytes that left a second before, or earlier.
    fn pass(&mut self, now_ms: f64) {
        let now_ms = now_ms as u64;
        while self
            .sent
            .take_front_if(|sent| sent.0 + 1000 <= now_ms)
            .is_some()
        {}
    }

    fn add(&mut self, now_ms: f64, bytes: f64) {
        let now_ms = now_ms as u64;
        match self.sent.back_mut().filter(|sent| sent.0 >= now_ms) {
            Some(sent) => sent.1 += bytes,
            None => self.sent.push_back((now_ms, bytes)),
        }
    }

    fn bytes(&self) -> f64 {
        self.sent.iter().map(|sent| sent.1).sum()
    }

    fn scale(&mut self, share: f64) {
        self.sent.iter_mut().for_each(|sent| sent.1 *= share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(kbps: f64, send_rate: u32, datagrams_a_packet: usize) -> Budget {
        Budget::new(&Settings {
            send_rate,
            budget_kbps: Some(kbps),
            datagrams_a_packet,
            ..Settings::new(1)
        })
    }

    #[test]
    fn a_second_has_the_bytes_of_its_budget() {
        let plays = [
            (180.0, 20, 1),
            (24.0, 20, 1),
            (400.0, 60, 1),
            (1000.0, 10, 1),
            (1000.0, 10, 16),
            (700.0, 20, 16),
            (250.0, 20, 2),
            (90.0, 20, 4),
            (600.0, 5, 16),
            (2000.0, 20, 3),
        ];
        for (kbps, send_rate, datagrams_a_packet) in plays {
            let mut budget = budget(kbps, send_rate, datagrams_a_packet);
            let (mut bytes, hz) = (0.0, f64::from(send_rate));
            for step in 0..10 * send_rate {
                let now_ms = f64::from(step) * 1000.0 / hz;
                let (room, datagrams) = budget.datagrams(now_ms, 1200, 0);
                assert!(datagrams == 1 || room == 1200);
                if room > 0 {
                    let sent = (room + HEADERS_BYTES) * datagrams;
                    budget.on_sent(now_ms, Purpose::States, sent);
                    bytes += sent as f64;
                }
            }
            let most = hz * 1228.0 * 8.0 / 1000.0 * datagrams_a_packet as f64;
            let measured = bytes * 8.0 / 10_000.0;
            let expected = most.min(kbps);
            assert!(
                (measured / expected - 1.0).abs() < 0.05,
                "{kbps}: {measured}"
            );
        }
    }

    #[test]
    fn a_packet_is_one_datagram_where_congestion_is_controlled() {
        for (congestion_control, expected) in [(false, 4), (true, 1)] {
            let mut budget = Budget::new(&Settings {
                budget_kbps: Some(2000.0),
                datagrams_a_packet: 4,
                congestion_control,
                ..Settings::new(1)
            });
            if let Some(control) = &budget.control {
                assert!(control.kbps() < 2000.0);
            }
            assert_eq!(budget.datagrams(0.0, 300, 0).1, expected);
        }
    }

    #[test]
    fn a_share_that_is_not_used_is_lent() {
        let mut budget = budget(80.0, 20, 1);
        let mut sent = [0, 0];
        for step in 0..600 {
            let now_ms = f64::from(step) * 1000.0 / 60.0;
            let messages = budget.message_room(now_ms);
            budget.on_sent(now_ms, Purpose::Messages, messages);
            sent[1] += messages;
            // States wait in the second half only.
            budget.are_states_waiting = step > 300;
            let states = budget.datagrams(now_ms, 1200, 0).0 * usize::from(step > 300);
            budget.on_sent(now_ms, Purpose::States, states);
            sent[0] += states;
            if step == 300 {
                assert!((48_000..52_000).contains(&sent[1]), "{sent:?}");
                sent[1] = 0;
            }
        }
        assert!((36_000..41_000).contains(&sent[0]), "{sent:?}");
        assert!((11_000..15_000).contains(&sent[1]), "{sent:?}");
    }
}
