//! Small tools that every crate above shares: seeded random numbers, numbers in order, stable hashes, ticks and milliseconds.

pub mod hash;
pub mod order;
pub mod random;
pub mod text;
pub mod time;
