//! Analyses of a motion on a tape. They run many lanes or senders over one motion, and say what follows.
//!
//! # Which module do I need
//!
//! | question | module |
//! | --- | --- |
//! | What does each encoding cost on this motion? | [`ladder`] |
//! | How many bits should small and large differences take? | [`widths`] |
//! | How much error does a kbit/s save? | [`trade`] |
//! | Is lane A better than lane B, beyond chance? | [`comparison`] |
//! | Which settings should this game use? | [`verdict`], with models of other engines in [`engines`] |
//! | How well did a client draw its server's motion? | [`judge`] |
//! | Which modelled link is nearest to a recorded one? | [`link_fit`] |
//! | Which differences can a person see? | [`blind_test`], a blind test |
//!
//! The page works in pieces between two frames, so most analyses have a method `work`: it does one piece, and returns false at
//! the end. [`ladder::climb`] runs to the end.
//!
//! # Example
//!
//! ```
//! use snapshot_analysis::ladder::climb;
//! use snapshot_netsim::channel::LinkInputs;
//! use snapshot_record::tape::Tape;
//! use snapshot_settings::permalink;
//!
//! // One second of a small scene on every rung.
//! let (settings, _) = permalink::parse("#scene=mixed&grid=5&hz=10");
//! let mut tape = Tape::new(&settings);
//! let costs = climb(&mut tape, &settings, &LinkInputs::default(), 0, 60, |_tick| ());
//!
//! let kbps = |name: &str| costs.rows.iter().find(|row| row.name == name).map(|row| row.kbps);
//! assert!(kbps("changed-flags") < kbps("uncompressed"));
//! ```
//!
//! # What is not in it
//!
//! No second codec, link or receiver: an analysis measures with the lab's own lanes, and with `snapshot-replication` where it
//! recommends the package. It does not draw, print or read files.
//!
//! # Invariants
//!
//! - An analysis never changes past ticks of a tape.
//! - The result does not depend on the times at which the pieces of work are done.

pub mod blind_test;
pub mod comparison;
pub mod engines;
pub mod judge;
pub mod ladder;
pub mod link_fit;
#[cfg(test)]
mod testing;
pub mod trade;
pub mod verdict;
mod width_histogram;
pub mod widths;
pub mod window;
