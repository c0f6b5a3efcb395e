//! The budget of one client: a token bucket of bytes, whose rate may follow the capacity of the path to the client.

use crate::Settings;
use crate::congestion::{AckedPartial, CongestionControl};
use crate::payload::HEADERS_BYTES;

/// Depth of the token bucket as a time at its rate, ms. It is at least `DEPTH_BYTES`, so that a datagram of the usual size
/// fits.
const DEPTH_MS: f64 = 100.0;
const DEPTH_BYTES: f64 = 1500.0;
/// Depth of the bucket for packets of several datagrams, in send intervals; at least [`DEPTH_MS`]. Bytes that one packet leaves
/// are for the next one.
const DEPTH_PACKETS: f64 = 2.0;

/// The budget of one client: its limit, and the bytes that may be sent now.
#[derive(Debug)]
pub(crate) struct Budget {
    limit_kbps: Option<f64>,
    control: Option<CongestionControl>,
    /// Upper limit of the datagrams of a packet.
    datagrams_max: usize,
    depth_ms: f64,
    /// Number of bytes that may be sent at once; below 0 after messages that the budget had no room for.
    tokens: f64,
    filled_ms: Option<f64>,
}

impl Budget {
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
            limit_kbps: settings.budget_kbps,
            control: (settings.congestion_control).then(CongestionControl::default),
            datagrams_max,
            depth_ms,
            tokens: 0.0,
            filled_ms: None,
        }
    }

    /// Sets the budget's limit, kbit/s; `None` for no limit.
    pub(crate) fn set_limit(&mut self, limit_kbps: Option<f64>) {
        self.limit_kbps = limit_kbps;
    }

    /// Returns the rate at which bytes may be sent, kbit/s; `None` without a limit.
    pub(crate) fn kbps(&self) -> Option<f64> {
        let limit_kbps = self.limit_kbps?;
        let control = self.control.as_ref();
        Some(control.map_or(limit_kbps, |control| control.kbps().min(limit_kbps)))
    }

    /// Returns the size of a packet's largest datagram, bytes, up to that of the path, and how many the packet may have. It may
    /// have more than one only where the budget has room for full ones: each further datagram costs headers, and may be lost.
    pub(crate) fn datagrams(&mut self, now_ms: f64, path_bytes: usize) -> (usize, usize) {
        let Some(kbps) = self.kbps() else {
            return (path_bytes, 1);
        };
        let bytes_ms = kbps / 8.0;
        let passed_ms = now_ms - *self.filled_ms.get_or_insert(now_ms - self.depth_ms);
        self.filled_ms = Some(now_ms);
        let depth = (bytes_ms * self.depth_ms).max(DEPTH_BYTES);
        self.tokens = (self.tokens + passed_ms * bytes_ms).min(depth);
        let full = self.tokens.max(0.0) as usize / (path_bytes + HEADERS_BYTES);
        let room = (self.tokens - HEADERS_BYTES as f64).max(0.0) as usize;
        (room.min(path_bytes), full.clamp(1, self.datagrams_max))
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
                let (room, datagrams) = budget.datagrams(f64::from(step) * 1000.0 / hz, 1200);
                assert!(datagrams == 1 || room == 1200);
                if room > 0 {
                    budget.on_sent(datagrams as u32, room * datagrams);
                    bytes += ((room + HEADERS_BYTES) * datagrams) as f64;
                }
            }
            let most = hz * 1228.0 * 8.0 / 1000.0 * datagrams_a_packet as f64;
            let measured = bytes * 8.0 / 10_000.0;
            let expected = most.min(kbps);
            assert!(
                (measured / expected - 1.0).abs() < 0.03,
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
            assert_eq!(budget.datagrams(0.0, 300).1, expected);
        }
    }

    #[test]
    fn messages_borrow_from_the_next_packets() {
        let mut budget = budget(80.0, 20, 1);
        assert!(budget.datagrams(0.0, 1200).0 > 900);
        budget.on_sent(1, 1400);
        assert_eq!(budget.datagrams(10.0, 1200).0, 0);
        assert!(budget.datagrams(120.0, 1200).0 > 400);
    }
}
