//! The receiver's estimate of the sender's clock.

use snapshot_base::time::TickRate;

/// Greatest time in ms between two packets of the same sender.
const BEHIND_MS: f64 = 2000.0;

/// Estimates the sender's tick at an instant of the receiver's clock. A receiver tells by it which packets are too new to be
/// real.
///
/// Sequences on the wire are short and wrap. So a receiver that knows nothing cannot tell a genuine packet from a forged one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderClock {
    at_ms: f64,
    tick: u64,
    trust: ClockTrust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClockTrust {
    /// No packet has arrived.
    Nothing,
    /// The clock rests on a single packet.
    OnePacket,
    /// Two packets agree, or the connection has told the sender's tick.
    Sure,
}

impl SenderClock {
    /// A clock of two ends that both began at 0.
    pub const TOGETHER: SenderClock = SenderClock::told(0.0, 0);

    /// The connection says that the sender is at `tick` when the receiver's clock is at `at_ms`.
    pub const fn told(at_ms: f64, tick: u64) -> SenderClock {
        SenderClock {
            at_ms,
            tick,
            trust: ClockTrust::Sure,
        }
    }

    /// A clock that the first packet sets, once the second packet agrees. Nothing is shown or acknowledged before.
    /// Ticks then count from the sequence of the first packet.
    pub const fn of_packets() -> SenderClock {
        SenderClock {
            at_ms: 0.0,
            tick: 0,
            trust: ClockTrust::Nothing,
        }
    }

    /// Returns true once the clock can be trusted: from then on the receiver shows and acknowledges snapshots.
    pub fn is_sure(&self) -> bool {
        self.trust == ClockTrust::Sure
    }

    /// The sender's tick when the receiver's clock is at `now_tick`, both of that rate.
    pub fn tick_at(&self, rate: TickRate, now_tick: f64) -> f64 {
        now_tick - rate.tick_of_ms(self.at_ms) + self.tick as f64
    }

    /// The newest tick that a packet arriving at `arrival_tick` may have.
    pub fn horizon_tick(&self, rate: TickRate, arrival_tick: f64) -> i64 {
        rate.horizon_tick(arrival_tick - rate.tick_of_ms(self.at_ms)) + self.tick as i64
    }

    /// Takes the tick of a packet that arrives, read by this clock. It says whether the receiver has to begin anew with this
    /// packet: it is the first, or the one before it was of another sender.
    pub fn begins_anew(&mut self, rate: TickRate, arrival_ms: f64, tick: i64) -> bool {
        let arrival_tick = rate.tick_of_ms(arrival_ms);
        let oldest = self.tick_at(rate, arrival_tick) - rate.tick_of_ms(BEHIND_MS);
        let newest = self.horizon_tick(rate, arrival_tick);
        match self.trust {
            ClockTrust::Sure => false,
            ClockTrust::OnePacket if tick as f64 >= oldest && tick <= newest => {
                if tick != self.tick as i64 {
                    self.trust = ClockTrust::Sure;
                }
                false
            }
            ClockTrust::OnePacket | ClockTrust::Nothing => true,
        }
    }

    /// Starts the clock with a packet's sequence.
    pub fn begin(&mut self, arrival_ms: f64, sequence: u32) {
        *self = SenderClock {
            at_ms: arrival_ms,
            tick: sequence.into(),
            trust: ClockTrust::OnePacket,
        };
    }
}
