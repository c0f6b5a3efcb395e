//! The budget of one client: a token bucket, whose rate may follow the client's way.

use crate::congestion::{AckedPartial, CongestionControl};
use crate::payload::HEADERS_BYTES;

/// Depth of the bucket, ms, or bytes if these are more: a datagram of the usual path.
const DEPTH_MS: f64 = 100.0;
const DEPTH_BYTES: f64 = 1500.0;

/// The budget of one client, and the part of it that is left.
#[derive(Debug)]
pub(crate) struct Budget {
    limit_kbps: Option<f64>,
    control: Option<CongestionControl>,
    /// Number of bytes that may be sent at once; below 0 after messages that the budget had no room for.
    tokens: f64,
    filled_ms: Option<f64>,
}

impl Budget {
    /// Makes the budget of a new client, kbit/s; `None` without a limit.
    pub(crate) fn new(limit_kbps: Option<f64>, has_control: bool) -> Self {
        Self {
            limit_kbps,
            control: has_control.then(CongestionControl::default),
            tokens: 0.0,
            filled_ms: None,
        }
    }

    /// Sets the limit, kbit/s.
    pub(crate) fn set_limit(&mut self, limit_kbps: Option<f64>) {
        self.limit_kbps = limit_kbps;
    }

    /// Returns the rate at which bytes may be sent, kbit/s; `None` without a limit.
    pub(crate) fn kbps(&self) -> Option<f64> {
        let limit_kbps = self.limit_kbps?;
        let control = self.control.as_ref();
        Some(control.map_or(limit_kbps, |control| control.kbps().min(limit_kbps)))
    }

    /// Returns the size of the largest datagram that the budget has room for, bytes.
    pub(crate) fn datagram_bytes(&mut self, now_ms: f64) -> usize {
        let Some(kbps) = self.kbps() else {
            return usize::MAX;
        };
        let bytes_ms = kbps / 8.0;
        let passed_ms = now_ms - *self.filled_ms.get_or_insert(now_ms - DEPTH_MS);
        self.filled_ms = Some(now_ms);
        let depth = (bytes_ms * DEPTH_MS).max(DEPTH_BYTES);
        self.tokens = (self.tokens + passed_ms * bytes_ms).min(depth);
        (self.tokens - HEADERS_BYTES as f64).max(0.0) as usize
    }

    pub(crate) fn on_sent(&mut self, datagrams: u32, bytes: usize) {
        if self.limit_kbps.is_some() {
            let bytes = (bytes + datagrams as usize * HEADERS_BYTES) as f64;
            self.tokens = (self.tokens - bytes).max(-DEPTH_BYTES);
            if let Some(control) = &mut self.control {
                control.on_sent(bytes);
            }
        }
    }

    /// Processes the acknowledgement of a packet, with its round trip.
    pub(crate) fn on_ack(&mut self, now_ms: f64, round_trip_ms: f64, acked: &AckedPartial) {
        if let (Some(limit_kbps), Some(control)) = (self.limit_kbps, &mut self.control) {
            control.on_ack(now_ms, round_trip_ms, acked, limit_kbps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_the_bytes_of_its_budget() {
        for (kbps, hz) in [(180.0, 20), (24.0, 20), (400.0, 60), (1000.0, 10)] {
            let mut budget = Budget::new(Some(kbps), false);
            let mut bytes = 0.0;
            for step in 0..10 * hz {
                let room = budget.datagram_bytes(f64::from(step) * 1000.0 / f64::from(hz));
                let room = room.min(1200);
                if room > 0 {
                    budget.on_sent(1, room);
                    bytes += (room + HEADERS_BYTES) as f64;
                }
            }
            let most = f64::from(hz) * 1228.0 * 8.0 / 1000.0;
            let measured = bytes * 8.0 / 10_000.0;
            let expected = most.min(kbps);
            assert!(
                (measured / expected - 1.0).abs() < 0.03,
                "{kbps}: {measured}"
            );
        }
    }

    #[test]
    fn messages_borrow_from_the_next_packets() {
        let mut budget = Budget::new(Some(80.0), false);
        assert!(budget.datagram_bytes(0.0) > 900);
        budget.on_sent(1, 1400);
        assert_eq!(budget.datagram_bytes(10.0), 0);
        assert!(budget.datagram_bytes(120.0) > 400);
    }
}
