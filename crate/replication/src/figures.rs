//! Figures of a connection, as either end measures them.

use crate::inputs::InputArrivals;
use crate::path_limits::PathLimits;

/// Measurements of a connection at one end. In their names, *there* is the direction to the other end, *here* the direction
/// back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Figures {
    /// Round trip, smoothed as in TCP, ms. It includes half a frame time of each end.
    pub round_trip_ms: Option<f64>,
    /// Least round trip of the last 35 to 40 s, ms: the time over which the fastest packet counts for `delay_ms`.
    pub least_round_trip_ms: Option<f64>,
    /// Share of the last datagrams that were lost on the way to the other end, 0 to 1. A server counts packets of snapshots.
    pub lost_there: f64,
    /// Share of the last datagrams that were lost on the way to this end, 0 to 1. A client counts packets of snapshots.
    pub lost_here: f64,
    /// Traffic that was sent, without the headers of IP and UDP.
    pub sent: Traffic,
    /// Traffic that was received, without the headers of IP and UDP.
    pub received: Traffic,
    /// Playout delay of a client, ms: the wait of the fastest packets until the client shows them.
    pub delay_ms: Option<f64>,
    /// Number of times that a client's play stood still because it had no snapshot.
    pub freezes: u64,
    /// Ticks from an input's arrival at the server to the tick that needs it. A client has the least value of the last 5 s, a
    /// server the newest.
    pub input_margin_ticks: Option<f64>,
    /// At a server: numbers of missing, late and repeated inputs.
    pub inputs: InputArrivals,
    /// The rate at which this end may send bytes, kbit/s with the headers of IP and UDP. `None` without a budget.
    pub budget_kbps: Option<f64>,
    /// Number of messages that this end refused because their queue was full.
    pub refused_messages: u64,
    /// Number of messages to be sent once that this end refused, as their queue was full or the budget had no room for them.
    pub refused_says: u64,
    /// At a client with a budget: number of objects that it should see, but of which it has acknowledged no state yet.
    pub missing_objects: usize,
    /// At a client: the rate at which the server's ticks arrive, ticks a second.
    pub server_tick_rate: Option<f64>,
    /// Sizes of datagrams that the path carries, where they are smaller than the setting `mtu`.
    pub path: PathLimits,
    /// Number of datagrams, and of messages to be sent once, that this end lost because the path is too small for them.
    pub too_large: u64,
}

/// Datagrams and bytes in one second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Number of datagrams in a second.
    pub datagrams: f64,
    /// Number of bytes in a second.
    pub bytes: f64,
}

/// A meter of traffic, which counts in steps of a second.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TrafficMeter {
    since_ms: Option<f64>,
    count: Traffic,
    last: Traffic,
}

impl TrafficMeter {
    /// Counts some datagrams with their bytes.
    pub(crate) fn add(&mut self, now_ms: f64, datagrams: u32, bytes: usize) {
        self.pass(now_ms);
        self.count.datagrams += f64::from(datagrams);
        self.count.bytes += bytes as f64;
    }

    fn pass(&mut self, now_ms: f64) {
        let passed_s = (now_ms - *self.since_ms.get_or_insert(now_ms)) / 1000.0;
        if passed_s >= 1.0 {
            let Traffic { datagrams, bytes } = std::mem::take(&mut self.count);
            // After a silent second nothing comes.
            let share = if passed_s < 2.0 {
                passed_s.recip()
            } else {
                0.0
            };
            self.last = Traffic {
                datagrams: datagrams * share,
                bytes: bytes * share,
            };
            self.since_ms = Some(now_ms);
        }
    }

    /// Returns the traffic of the last full second.
    pub(crate) fn at(mut self, now_ms: f64) -> Traffic {
        self.pass(now_ms);
        self.last
    }
}

/// Time for the other end's frame in a retransmission timeout, ms.
const RTO_MARGIN_MS: f64 = 50.0;
/// Weight of a new round trip in the smoothed round trip, as in TCP (RFC 6298).
const SMOOTHING: f64 = 0.125;

/// Length of a span of time, ms, and number of the spans over which the least round trip is taken.
const LEAST_SPAN_MS: f64 = 5000.0;
const LEAST_SPANS: usize = 8;

/// Measured round trip to the other end: smoothed and least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RoundTrip {
    smoothed_ms: Option<f64>,
    /// Number of the span of each of the last least round trips, with that round trip, ms.
    least: [Option<(i64, f64)>; LEAST_SPANS],
    latest_ms: f64,
}

impl RoundTrip {
    /// Sets the smoothed round trip to an estimate, if there is no round trip yet.
    pub(crate) fn begin(&mut self, ms: f64) {
        self.smoothed_ms.get_or_insert(ms);
    }

    /// Takes a round trip that was measured at `now_ms`.
    pub(crate) fn on_sample(&mut self, now_ms: f64, ms: f64) {
        let before = self.smoothed_ms.unwrap_or(ms);
        self.smoothed_ms = Some(before + (ms - before) * SMOOTHING);
        self.latest_ms = ms;
        let span = (now_ms / LEAST_SPAN_MS) as i64;
        let own = &mut self.least[span.rem_euclid(LEAST_SPANS as i64) as usize];
        let before = own.filter(|own| own.0 == span);
        *own = Some((span, before.map_or(ms, |own| own.1.min(ms))));
    }

    /// Returns the retransmission timeout, ms: the time before unacknowledged data are sent again. TCP adds four mean
    /// deviations to the smoothed round trip (RFC 6298). Here an acknowledgement waits for a frame of the client and a packet
    /// of the server, at most `send_interval_ms` and [`RTO_MARGIN_MS`]. A repetition costs a datagram, and does not halve a
    /// window as in TCP. So a quarter of the round trip is enough for the variation of delays.
    pub(crate) fn rto_ms(&self, send_interval_ms: f64) -> f64 {
        1.25 * self.smoothed_ms.unwrap_or_default() + send_interval_ms + RTO_MARGIN_MS
    }

    pub(crate) fn smoothed_ms(&self) -> Option<f64> {
        self.smoothed_ms
    }

    /// The last measured round trip, ms; 0 before the first.
    pub(crate) fn latest_ms(&self) -> f64 {
        self.latest_ms
    }

    /// Least round trip of the last spans up to the newest round trip, ms; `None` before the first.
    pub(crate) fn least_ms(&self) -> Option<f64> {
        let newest = self.least.iter().flatten().map(|it| it.0).max()?;
        let last = self.least.iter().flatten();
        let last = last.filter(|it| newest - it.0 < LEAST_SPANS as i64);
        last.map(|it| it.1).reduce(f64::min)
    }
}

/// A record of the numbered datagrams that arrived: the newest number, and a bit for each before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arrivals {
    newest: Option<u64>,
    /// Bit i is 1 if the datagram i before the newest arrived.
    came: u128,
    /// Number of datagrams from the first one to the newest.
    count: u64,
}

/// Number of packets before the newest that may still arrive, so that they do not count as lost yet.
const LATE: u32 = 8;

impl Arrivals {
    /// Records the arrival of a packet by its number. Returns true if the number is new and not too old.
    pub(crate) fn on_arrival(&mut self, number: u64) -> bool {
        let newest = *self.newest.get_or_insert(number);
        if self.count == 0 || number > newest {
            let ahead = if self.count == 0 { 1 } else { number - newest };
            self.came = self.came.checked_shl(ahead.min(128) as u32).unwrap_or(0) | 1;
            self.count += ahead;
            self.newest = Some(number);
            return true;
        }
        let bit = 1_u128.checked_shl((newest - number).min(128) as u32);
        let is_new = bit.is_some_and(|bit| self.came & bit == 0);
        self.came |= bit.unwrap_or(0);
        is_new
    }

    /// Records that a numbered datagram arrived; bit i of `before` says that the datagram i + 1 before it arrived, too.
    pub(crate) fn on_ack(&mut self, number: u64, before: u32) {
        self.on_arrival(number);
        let ago = self.newest.unwrap_or(number) - number;
        let came = (u128::from(before) << 1).checked_shl(ago.min(128) as u32);
        let known = u128::MAX >> 128_u64.saturating_sub(self.count).min(127);
        self.came |= came.unwrap_or(0) & known;
    }

    /// Returns the full number of a datagram from its low 16 bits: the nearest to the newest.
    pub(crate) fn number_of(&self, sequence: u16) -> u64 {
        let newest = self.newest.unwrap_or(1 << 16);
        newest.wrapping_add_signed(i64::from(sequence.wrapping_sub(newest as u16) as i16))
    }

    pub(crate) fn newest(&self) -> Option<u64> {
        self.newest
    }

    /// Bit i is 1 if the datagram i + 1 before the newest arrived.
    pub(crate) fn before(&self) -> u32 {
        (self.came >> 1) as u32
    }

    /// Share of the last 120 datagrams that were lost, 0 to 1.
    pub(crate) fn lost(&self) -> f64 {
        let known = self.count.min(128).saturating_sub(LATE.into()) as u32;
        let came = (self.came >> LATE).count_ones();
        match known {
            0 => 0.0,
            known => f64::from(known.saturating_sub(came)) / f64::from(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_is_that_of_a_second() {
        let mut meter = TrafficMeter::default();
        (0..40).for_each(|step| meter.add(f64::from(step) * 50.0, 2, 100));
        let Traffic { datagrams, bytes } = meter.at(2000.0);
        assert_eq!((datagrams, bytes), (40.0, 2000.0));
        assert_eq!(meter.at(9000.0).bytes, 0.0);
    }

    #[test]
    fn arrivals_are_counted_once_and_late_ones_are_not_lost() {
        let mut arrivals = Arrivals::default();
        for number in 0..1000 {
            if number % 4 != 3 {
                assert!(arrivals.on_arrival(number));
                assert!(!arrivals.on_arrival(number));
            }
            if number % 4 == 2 {
                assert!(number < 4 || arrivals.on_arrival(number - 3));
            }
        }
        assert_eq!(arrivals.lost(), 0.0);
        (1000..1400)
            .filter(|it| it % 5 != 0)
            .for_each(|it| assert!(arrivals.on_arrival(it)));
        assert!((arrivals.lost() - 0.2).abs() < 0.02, "{}", arrivals.lost());
        assert!(!arrivals.on_arrival(3));
        let mut acked = Arrivals::default();
        // Acknowledgements of two in three, each of which names those before it.
        for number in (0..1000_u64).filter(|number| number % 5 != 0 && number % 3 != 0) {
            let came =
                (0..32).filter(|bit| (number - 1).checked_sub(*bit).is_some_and(|it| it % 5 != 0));
            acked.on_ack(number, came.fold(0, |bits, bit| bits | 1 << bit));
        }
        assert!((acked.lost() - 0.2).abs() < 0.02, "{}", acked.lost());
        assert_eq!(arrivals.number_of((1399_u64 + 5) as u16), 1404);
        assert!(arrivals.on_arrival(1_000_000));
        assert_eq!(arrivals.before(), 0);
    }
}
