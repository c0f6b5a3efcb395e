//! The playout clock: the instant of the sender that a receiver shows, for snapshots, state synchronisation and lockstep.
//!
//! A fixed delay counts from the fastest packets. A clock with an adaptive delay has two parts. The [`Estimator`] finds the
//! least delay with which play seldom stands still. The [`Clock`] reaches that delay by playing faster or slower, and plays
//! slower while a packet is overdue. Both follow the sender's real tick rate, and find their delay again after a pause of the
//! sender or a break of the connection. All times are arguments, so the same arrivals give the same instants.
//!
//! The reasons are in `docs/decisions/0046-playout-adapts.md`.

#[cfg(test)]
mod cases;
mod clock;
mod envelope;
mod estimator;
mod fixed;
mod sender;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use clock::RESTART_MS;
pub use clock::{Clock, Instant};
pub use estimator::{Estimator, MOST_DELAY_MS};
pub use fixed::FixedClock;
pub use sender::WINDOW_MS;

/// A method to choose the play instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playout {
    /// A constant delay, counted from the fastest packets.
    Fixed {
        /// The playout delay, ms.
        delay_ms: f64,
    },
    /// The least delay with which play freezes no more often than the aim allows.
    Adaptive(Aim),
    /// No delay and no clock: a packet is shown in the tick of its arrival.
    AtOnce,
    /// A constant delay, counted from the first packet's arrival and never adjusted. The laboratory's old links use it.
    #[doc(hidden)]
    FirstPacket {
        /// The playout delay, ms.
        delay_ms: f64,
    },
}

/// Targets of an adaptive playout delay: the allowed freezes a minute, the greatest change of speed, and the greatest delay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Number of freezes a minute that the aim allows, above 0.
    pub freezes_per_minute: f64,
    /// Greatest change of the speed of play, 0 to 0.5: at 0.05 it goes from 0.95 to 1.05.
    pub change: f64,
    /// Upper limit of the delay beyond that of the fastest packet and three send intervals, ms. At most [`MOST_DELAY_MS`].
    pub most_delay_ms: f64,
}

impl Default for Aim {
    /// One freeze a minute, 5 % change of speed, and the greatest delay that receivers have room for.
    fn default() -> Aim {
        Aim {
            freezes_per_minute: 1.0,
            change: 0.05,
            most_delay_ms: MOST_DELAY_MS,
        }
    }
}
