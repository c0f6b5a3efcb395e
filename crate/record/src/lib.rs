//! The motion: the tape, the delta history of ticks, and the knowledge of both ends from the start.

pub mod agreed;
pub mod capture;
pub mod challenge;
pub mod delta_history;
pub mod last_minute;
pub mod motion;
pub mod recorded;
pub mod tape;
