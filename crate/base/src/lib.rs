//! Small tools that every crate above shares: seeded random numbers, numbers in order, stable hashes, ticks and milliseconds.

#![warn(missing_docs)]

pub mod hash;
pub mod order;
pub mod random;
pub mod text;
pub mod time;
