//! The laboratory that the page and the command line share, and its links. A link is an address of the page that reproduces a
//! state of the laboratory.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | play a motion over lanes A and B, and change settings meanwhile | [`lab::Lab`] |
//! | read or write a link | [`link::Link`], [`link::parse`], [`link::format()`] |
//! | keep the laboratory through links, files and notices, as a page does | [`session::Session`] |
//! | change a session, or ask it | [`command::Command`], [`query::Query`] |
//! | play a session's ticks, and show what changed | [`frame::Frame`], [`frame::Changed`] |
//! | know what a dropped file is | [`file_kind::FileKind`] |
//! | find the state of one lane | [`lane_run::LaneRun`] |
//!
//! # Example
//!
//! ```
//! use snapshot_app::lab::Lab;
//! use snapshot_app::link;
//! use snapshot_physics::Input;
//! use snapshot_settings::permalink;
//!
//! // A person drives to the right for half a second.
//! let (settings, _) = permalink::parse("#scene=drive&grid=5&hz=20&loss=10");
//! let mut lab = Lab::new(settings);
//! for _ in 0..30 {
//!     lab.tick(Input::RIGHT);
//! }
//!
//! // The link has the keys. Another laboratory presses them again, and reaches the same state.
//! let text = link::format(&lab.share()?);
//! let (opened, notices) = link::parse(&text);
//! assert!(notices.is_empty());
//! let mut again = Lab::open(&opened);
//! for _ in 0..30 {
//!     again.tick(Input::NONE);
//! }
//! assert_eq!(again.truth(), lab.truth());
//! assert_eq!(again.report().view_hash, lab.report().view_hash);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is not in it
//!
//! No drawing and no JavaScript: `snapshot-web` has both. No clock: the caller plays ticks, and calls `work` in between, which
//! does a piece of pending rebuilds.
//!
//! # Invariants
//!
//! - The laboratory is a function of settings, seed and input: a link reproduces it, to the bit.
//! - An old history is shown until the new one is ready, so a changed setting never leaves an empty view.

mod blind_test;
pub mod command;
pub mod comparisons;
pub mod file_kind;
pub mod frame;
mod hosting;
pub mod lab;
pub mod lane_run;
pub mod link;
pub mod pile;
pub mod query;
pub mod session;

pub use lab::Lab;
