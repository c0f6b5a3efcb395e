//! A clock of play at a constant delay.

use super::clock::Instant;
use super::sender::{Needed, Sender};
use snapshot_base::time::TickRate;

/// Seconds whose fastest packet the delay counts from.
const SECONDS: usize = 4;
/// Speed of play while the delay counts from slower packets anew.
const SLOW: f64 = 0.5;

/// The playout clock of a constant delay, which counts from the fastest packet of the last four seconds.
#[derive(Clone, Debug)]
pub struct FixedClock {
    tick_rate: TickRate,
    delay_ms: f64,
    sender: Sender,
    shown: Option<(f64, f64)>,
}

impl FixedClock {
    /// Creates a clock that begins with the first packet.
    pub fn new(tick_rate: TickRate, delay_ms: f64, send_interval_ms: f64) -> FixedClock {
        FixedClock {
            tick_rate,
            delay_ms,
            sender: Sender::new(tick_rate, send_interval_ms),
            shown: None,
        }
    }

    /// Takes a packet with data up to `tick` that arrived at `arrival_ms`. Second copies are to be left out.
    pub fn packet(&mut self, arrival_ms: f64, tick: i64) {
        self.sender.packet(arrival_ms, tick, Needed::default());
    }

    /// Moves on to `now_ms`. It gives no instant before the first packet.
    pub fn advance(&mut self, now_ms: f64) -> Option<Instant> {
        let newest = self.sender.newest()? as f64;
        let fastest_ticks = self.sender.fastest_ticks(SECONDS, now_ms);
        let due_tick = self.tick_rate.tick_of_ms(now_ms - self.delay_ms) - fastest_ticks;
        let (before_ms, before_tick) = self.shown.unwrap_or((now_ms, due_tick));
        let passed_ticks = self.tick_rate.tick_of_ms((now_ms - before_ms).max(0.0));
        let play_tick = due_tick.max(before_tick + SLOW * passed_ticks);
        // Play that runs on while nothing comes shows nothing newer.
        self.shown = Some((now_ms, play_tick.min(newest).max(before_tick)));
        Some(Instant {
            play_tick,
            delay_ms: self.delay_ms,
            speed: 1.0,
            waits: false,
            late_ms: 0.0,
        })
    }

    /// Memory in bytes.
    pub fn held_bytes(&self) -> usize {
        self.sender.held_bytes()
    }
}
