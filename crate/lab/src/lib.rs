//! The deterministic laboratory: a world of cubes, a network, and a receiver that sees only bytes and arrival times.
//!
//! Everything here is a pure function of settings, seed and inputs: no clock, no I/O, no browser. One call of
//! [`Lab::tick`](lab::Lab::tick) is one tick of 1/60 s.

pub mod input;
pub mod scene;
pub mod world;

/// Ticks a second of the simulation.
pub const TICKS_PER_S: u32 = 60;
