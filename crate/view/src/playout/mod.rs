//! The playout clock: the instant of the sender that a receiver shows, for snapshots, state synchronisation and lockstep.
//!
//! A fixed delay counts from the first packet's arrival. An adaptive one has two parts. The [`Estimator`] finds the least
//! delay with which play seldom stands still. The [`Clock`] gets there by playing faster or slower, and plays slower while a
//! packet is overdue.
//! All times are arguments, so the same arrivals give the same instants.
//!
//! The reasons are in `docs/decisions/0046-playout-adapts.md` and
//! `docs/decisions/0055-playout-aims-at-freezes.md`.

mod clock;
mod estimator;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use clock::RESTART_MS;
pub use clock::{Clock, Instant};
pub use estimator::{Estimator, MOST_DELAY_MS, WINDOW_MS};

/// The choice of the play instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playout {
    /// A constant delay, counted from the first packet's arrival.
    Fixed {
        /// The playout delay.
        delay_ms: f64,
    },
    /// The least delay that keeps to a number of freezes.
    Adaptive(Aim),
    /// No delay and no clock: a packet is shown in the tick in which it arrives.
    AtOnce,
}

/// The aim of an adaptive playout delay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Number of freezes a minute that play may have, above 0.
    pub freezes_per_minute: f64,
    /// Greatest change of the speed of play, 0 to 0.5: at 0.05 it goes from 0.95 to 1.05.
    pub change: f64,
}
