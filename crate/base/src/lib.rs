//! Small tools that all other crates share: seeded random numbers, numbers in order, stable hashes, vectors and quaternions,
//! ticks and milliseconds.

#![warn(missing_docs)]

pub mod cache;
pub mod clock;
pub mod hash;
pub mod math;
pub mod order;
pub mod queue;
pub mod random;
pub mod text;
pub mod time;
