//! Models of other engines: the bytes that each sends about moving objects at its default settings, exact to the byte.
//!
//! A model reads the objects as a game would hand them over, and decides by its own thresholds which of them it sends. It
//! counts the payload alone. The row of each engine says what is left out. Engines change, and the models age: each row names
//! its version. Nothing else of the project changes with them.

mod entities;
mod objects;
mod table;
#[cfg(test)]
mod testing;
mod values;

pub use table::ENGINES;

use snapshot_codec::CubeState;

/// Facts about an engine and its model.
pub struct EngineFacts {
    /// Name of the engine in the JSON.
    pub id: &'static str,
    /// Name of the engine for people.
    pub name: &'static str,
    pub version: &'static str,
    /// The source that the model was made from.
    pub source: &'static str,
    /// Number of sends a second by default, at most one a tick of the motion.
    pub rate_hz: u32,
    /// Delivery guarantee and baseline of the messages.
    pub delivery: &'static str,
    /// Parts of the engine's traffic that the model leaves out.
    pub leaves_out: &'static str,
    /// Makes the model of an engine that begins with these objects.
    pub make: fn(&[CubeState]) -> Box<dyn Engine>,
}

/// A model of the messages with moving objects that an engine sends at its default settings. It counts their bytes, but does
/// not write them.
pub trait Engine {
    /// Adds the packets of one send to the counts.
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts);
}

#[derive(Clone, Copy, Debug)]
pub struct Send<'a> {
    /// Number of this send, from 1.
    pub number: u64,
    /// The objects at this send, always the same number, z up. An empty slot is an object that does not exist.
    pub objects: &'a [CubeState],
    /// Numbers of the earlier sends that were acknowledged since the last send, in order.
    pub acked: &'a [u64],
}

/// Counts of an engine's packets, without the headers of IP and UDP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendCounts {
    pub packets: u64,
    /// Sum of the bytes of all packets.
    pub bytes: u64,
    /// Number of sent updates, each about one object.
    pub updates: u64,
}
