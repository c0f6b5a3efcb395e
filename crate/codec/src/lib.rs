//! Snapshots of a world of cubes as packets: quantised, encoded against a baseline that the other side has, decoded
//! bit for bit, with every bit accounted for.
//!
//! The layers, bottom up: [`bits`] reads and writes bits; [`ledger`] counts them; [`quantise`] turns floats into the
//! integers of a cube; [`snapshot`] is the ladder of encodings, rung by rung; [`history`] is the bounded memory of
//! snapshots that both ends keep as baselines. `FORMAT.md` specifies every byte.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

/// A cube as floats: what the simulation has and what a view shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeState {
    /// Centre of the cube, m, z up.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// m/s.
    pub linear_velocity: [f32; 3],
    /// rad/s.
    pub angular_velocity: [f32; 3],
    /// Touched by the player, or by an interacting cube, and not yet at rest for long.
    pub interacting: bool,
    /// The simulation has put the cube to sleep.
    pub at_rest: bool,
}
