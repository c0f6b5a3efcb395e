//! A game over `snapshot-replication`: keys go to the server, and states come back. The client may predict the cube that it
//! drives, and others.
//!
//! Client and server count the same ticks, and the client is ahead. The server acts on the keys that have come when it reaches
//! their tick. Fiedler's articles do not treat this; the common model is that of Source, Overwatch and Rocket League.
//!
//! Ticks in this module are the server's. The simulation is lent to the client, as in the other strategies, so neither end
//! can read the truth.

pub(crate) mod account;
mod ages;
mod client;
mod clocks;
pub(crate) mod connection;
#[cfg(test)]
mod crowd_tests;
pub(crate) mod ends;
mod interest;
mod observer;
mod others;
mod partial;
mod prediction;
pub(crate) mod server;
#[cfg(test)]
mod tests;

pub(crate) use client::{GameClient, GameClientConfig};
pub use interest::InterestRule;
pub use prediction::{Correction, PredictionFigures};
pub use server::{GameServer, TickKeys};

use crate::tape_world::TapeWorld;
use snapshot_codec::CubeState;
use snapshot_settings::MissingKeys;

/// The pressed keys of a tick, six bits for each cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Keys of the client's own cube.
    pub own: u8,
    /// Keys of the cube that another hand steers, which only the server knows.
    pub rival: u8,
}

/// Returns the keys of a tick: the arrived keys or, if none have arrived, the keys that the server's policy chooses.
pub(crate) fn keys_of_tick(came: Option<u8>, missing: MissingKeys, before: u8) -> u8 {
    match (came, missing) {
        (Some(keys), _) => keys,
        (None, MissingKeys::Repeat) => before,
        (None, MissingKeys::Release) => 0,
    }
}

/// A simulation of cubes that is lent to a client. Two worlds of equal state stay equal, bit for bit, under the same calls.
pub(crate) trait Simulator {
    fn states<'a>(&self, world: &'a TapeWorld) -> &'a [CubeState];

    /// Simulates the next tick.
    fn step(&mut self, world: &mut TapeWorld, keys: Keys);

    /// Replaces the states of the given cubes, by index. Their `interacting` flags stay as they are.
    fn set_states(&mut self, world: &mut TapeWorld, states: &[(usize, CubeState)]);

    fn fork(&mut self, world: &TapeWorld) -> TapeWorld;

    /// Makes a world of these cubes alone, at the tick `ago` ticks before the tick of `world`. Cube 0 is the first of
    /// `cubes`, a rival the last.
    fn part(&mut self, world: &TapeWorld, ago: u64, cubes: &[CubeState]) -> TapeWorld;
}

/// Index of the cube that the lane's driver steers.
pub const OWN: usize = 0;
