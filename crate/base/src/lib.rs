//! Small tools that every crate above shares: seeded random numbers, stable hashes, ticks and milliseconds.

pub mod hash;
pub mod random;
pub mod text;
pub mod time;
