//! The real tick rate of a server, and a client's clock that follows it.
//!
//! Playout and inputs follow a server whose ticks are up to 15 % off the agreed rate. An overloaded server is further off, and
//! so is one that the game runs at another rate. Then the client's clock for playout and inputs runs faster or slower, so that
//! by this clock the server's ticks have the agreed rate. Poses stay those of `Server::seen`.

use crate::clocks::{PacedMs, PassedMs};

/// Length of a window in which the server's ticks are counted, ms. Two windows in a row must agree, as a hang disturbs only
/// one.
const WINDOW_MS: f64 = 2000.0;
/// Upper limit of the difference between the rates of two windows that agree, as a share.
const AGREEMENT: f64 = 0.05;
/// Least difference between the server's rate and the clock's, as a share, at which the clock changes its rate.
const CHANGE_LEAST: f64 = 0.15;
/// Least and greatest rate of a server, divided by the agreed one.
const PACE_MIN: f64 = 0.2;
const PACE_MAX: f64 = 5.0;

/// The first packet of a window.
#[derive(Clone, Copy, Debug)]
struct WindowStart {
    at_ms: PassedMs,
    tick: u64,
    round_trip_ms: f64,
}

/// A client's clock that is paced so that the server's ticks have the agreed rate by it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacedClock {
    /// The agreed rate, ticks a ms.
    agreed: f64,
    /// The rate of the server's ticks that the clock assumes, divided by the agreed one.
    pace: f64,
    /// Time of the last change of the pace, and this clock's time then.
    since_ms: PassedMs,
    since_paced_ms: PacedMs,
    start: Option<WindowStart>,
    /// The server's rate divided by the agreed one in the last window.
    measured: Option<f64>,
}

impl PacedClock {
    /// Creates a clock that goes with a server at the agreed rate.
    pub(crate) fn new(agreed_hz: u32) -> Self {
        Self {
            agreed: f64::from(agreed_hz) / 1000.0,
            pace: 1.0,
            since_ms: PassedMs(0.0),
            since_paced_ms: PacedMs(0.0),
            start: None,
            measured: None,
        }
    }

    /// Returns the clock's time.
    pub(crate) fn at(&self, now_ms: PassedMs) -> PacedMs {
        PacedMs(self.since_paced_ms.0 + now_ms.since(self.since_ms) * self.pace)
    }

    /// Returns the passed time at which the clock shows `paced_ms`.
    pub(crate) fn passed_ms(&self, paced_ms: PacedMs) -> PassedMs {
        PassedMs(self.since_ms.0 + (paced_ms.0 - self.since_paced_ms.0) / self.pace)
    }

    /// The rate of the server's ticks that the clock assumes, divided by the agreed one.
    pub(crate) fn pace(&self) -> f64 {
        self.pace
    }

    /// The server's rate as it was measured last, ticks a second.
    pub(crate) fn measured_hz(&self) -> Option<f64> {
        self.measured.map(|pace| pace * self.agreed * 1000.0)
    }

    /// Forgets the packets of the previous connection.
    pub(crate) fn begin_anew(&mut self) {
        (self.start, self.measured) = (None, None);
    }

    /// Records a packet that is newer than all before. Returns true if the clock's rate changed. A growing queue on the path
    /// delays packets as a slow server does. But the round trip grows with the queue, so the latest round trip is subtracted.
    pub(crate) fn on_packet(&mut self, now_ms: PassedMs, tick: u64, round_trip_ms: f64) -> bool {
        let now = WindowStart {
            at_ms: now_ms,
            tick,
            round_trip_ms,
        };
        let start = *self.start.get_or_insert(now);
        let passed_ms = now_ms.since(start.at_ms);
        if passed_ms < WINDOW_MS {
            return false;
        }
        let sent_ms = passed_ms - (round_trip_ms - start.round_trip_ms);
        let ticks = tick.saturating_sub(start.tick) as f64;
        let pace = (ticks / (sent_ms.max(1.0) * self.agreed)).clamp(PACE_MIN, PACE_MAX);
        let before = self.measured.replace(pace);
        self.start = Some(now);
        let differs = |other: f64, most: f64| (pace / other - 1.0).abs() > most;
        if before.is_none_or(|before| differs(before, AGREEMENT))
            || !differs(self.pace, CHANGE_LEAST)
        {
            return false;
        }
        (self.since_paced_ms, self.since_ms) = (self.at(now_ms), now_ms);
        // A server near the agreed rate runs at that rate: what is left is drift of clocks.
        self.pace = if (pace - 1.0).abs() < CHANGE_LEAST / 2.0 {
            1.0
        } else {
            pace
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a server for some seconds, 20 packets a second; returns the ticks so far.
    fn run(clock: &mut PacedClock, from_ms: f64, seconds: u32, tick: f64, hz: f64) -> (f64, f64) {
        let mut at = (from_ms, tick);
        for _ in 0..seconds * 20 {
            at = (at.0 + 50.0, at.1 + hz / 20.0);
            clock.on_packet(PassedMs(at.0), at.1 as u64, 40.0);
        }
        at
    }

    #[test]
    fn a_clock_goes_with_a_server_that_is_far_off_its_rate() {
        for hz in [15.0, 30.0, 45.0, 58.0, 60.0, 66.0, 72.0, 120.0, 200.0] {
            let mut clock = PacedClock::new(60);
            let (now_ms, _) = run(&mut clock, 0.0, 6, 0.0, hz);
            let pace = if (hz / 60.0 - 1.0_f64).abs() > 0.15 {
                hz / 60.0
            } else {
                1.0
            };
            assert!((clock.pace() / pace - 1.0).abs() < 0.02, "{hz}: {clock:?}");
            let measured_hz = clock.measured_hz().unwrap();
            assert!((measured_hz / hz - 1.0).abs() < 0.02, "{hz}: {measured_hz}");
            let later_ms = PassedMs(now_ms + 77.0);
            let paced_ms = clock.at(later_ms);
            assert!(clock.passed_ms(paced_ms).since(later_ms).abs() < 1e-6);
            assert!(paced_ms.0 > clock.at(PassedMs(now_ms)).0);
        }
    }

    #[test]
    fn a_server_that_is_right_again_is_followed() {
        let mut clock = PacedClock::new(60);
        let (now_ms, tick) = run(&mut clock, 0.0, 6, 0.0, 45.0);
        assert!(clock.pace() < 0.8);
        run(&mut clock, now_ms, 6, tick, 60.0);
        assert_eq!(clock.pace(), 1.0);
    }

    #[test]
    fn hangs_and_queues_are_no_rate() {
        let mut clock = PacedClock::new(60);
        let (now_ms, tick) = run(&mut clock, 0.0, 5, 0.0, 60.0);
        // A hang of three seconds, without and with its ticks afterwards.
        let (now_ms, tick) = run(&mut clock, now_ms + 3000.0, 5, tick, 60.0);
        let (now_ms, tick) = run(&mut clock, now_ms + 3000.0, 5, tick + 180.0, 60.0);
        assert_eq!(clock.pace(), 1.0);
        // A queue grows by two seconds within eight.
        for step in 0..160_u32 {
            let grown_ms = f64::from(step) * 12.5;
            let at_ms = now_ms + f64::from(step) * 50.0 + grown_ms;
            let newest = tick as u64 + u64::from(step) * 3;
            clock.on_packet(PassedMs(at_ms), newest, 40.0 + grown_ms);
        }
        assert_eq!(clock.pace(), 1.0);
    }
}
