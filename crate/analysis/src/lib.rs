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
//! Each is a function that runs from begin to end, in a Worker of the page or on the command line. A listener hears how far it
//! is ([`progress::Tell`]). Only a verdict goes step by step, because a person's limits change it meanwhile.
//!
//! # Example
//!
//! ```
//! use snapshot_analysis::ladder::{climb, rungs};
//! use snapshot_analysis::span::TickSpan;
//! use snapshot_codec::Class;
//! use snapshot_netsim::channel::LinkInputs;
//! use snapshot_record::tape::Tape;
//! use snapshot_settings::permalink;
//!
//! // One second of a small scene on every rung.
//! let (settings, _) = permalink::parse("#scene=mixed&grid=5&hz=10");
//! let tape = Tape::record(&settings, 60);
//! let (span, rungs) = (TickSpan::stored(&tape), rungs(&tape, &Class::ALL));
//! let costs = climb(&tape, &settings, &LinkInputs::default(), span, &rungs, &mut |_, _| ());
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
//! - The result does not depend on the listener.

pub mod answer;
pub mod blind_test;
pub mod comparison;
pub mod engines;
pub mod judge;
pub mod ladder;
pub mod link_fit;
pub mod progress;
pub mod span;
pub mod subject;
#[cfg(test)]
mod testing;
pub mod trade;
pub mod verdict;
mod width_histogram;
pub mod widths;
