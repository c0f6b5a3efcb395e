//! The motion: its tape, how ticks are kept, and what both ends know of it from the start.

pub mod agreed;
pub mod capture;
pub mod delta_history;
pub mod last_minute;
pub mod motion;
pub mod recorded;
pub mod tape;
pub mod view;
