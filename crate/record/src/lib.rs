//! The motion of the cubes: the tape that records it, the delta history that stores its ticks, and the session config known
//! to both ends.

pub mod agreed;
pub mod capture;
pub mod challenge;
pub mod delta_history;
pub mod last_minute;
pub mod motion;
pub mod recorded;
pub mod tape;
