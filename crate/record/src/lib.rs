//! The motion of the cubes: the tape that records it, the delta history that stores its ticks, readers of motions from other
//! programs, and the session config that both ends of a lane know.
//!
//! A motion comes from the lab's own world, driven by keys, or from a file. Both become a [`Tape`](tape::Tape), so everything
//! that is measured on a tape works with either.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | record a world tick by tick, and read earlier ticks | [`tape::Tape`] |
//! | read a game's recording | [`motion::Motion`] |
//! | store values of many ticks in little memory | [`delta_history::DeltaHistory`] |
//! | replay a person's keys from a link | [`recorded::RecordedInput`] |
//! | know what both ends know before any packet | [`session_config::SessionConfig`] |
//! | read or write captures of the 2015 challenge, and judge codecs by its rules | [`capture`], [`challenge`] |
//!
//! # Example
//!
//! ```
//! use snapshot_record::motion::Motion;
//! use snapshot_record::tape::Tape;
//!
//! // One object, which goes along x for two ticks.
//! let file = "tick,object,x,y,z\n0,7,0,0,1\n1,7,0.5,0,1\n2,7,1,0,1\n";
//! let motion = Motion::read(file.as_bytes())?;
//! let tape = Tape::of_motion(&motion, motion.ticks());
//!
//! let mut states = Vec::new();
//! assert!(tape.read_truth(2, &mut states));
//! assert_eq!(states[0].position, [1.0, 0.0, 1.0]);
//! // A file that cannot be read is refused with a reason.
//! assert!(Motion::read("tick,object\n0,7\n".as_bytes()).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is not in it
//!
//! No network and no receiver: `snapshot-lane` reads a tape. No rapier, unless another crate asks for it: a recorded motion
//! needs no physics.
//!
//! # Invariants
//!
//! - A stored tick is read back bit for bit. Nothing is rounded.
//! - Any file is read, or refused with a reason. A file cannot make a reader allocate without a bound.

pub mod capture;
pub mod challenge;
pub mod delta_history;
pub mod last_minute;
pub mod motion;
pub mod ranges;
pub mod recorded;
pub mod session_config;
pub mod tape;
