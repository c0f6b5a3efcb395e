//! The world of cubes: the rules of the original (Fiedler's *Networked Physics* demo) on rapier, six keys of input, and
//! scripted scenes.
//!
//! A grid of small cubes lies on an infinite floor. A player, a larger cube, pushes, pulls and jumps by six keys. One
//! [`World::step`] is one tick of 1/60 s.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | simulate the cubes | [`World`], from [`WorldSettings`] |
//! | press keys | [`Input`] of one player, [`Inputs`] of all players in a tick |
//! | drive by a script in place of a person | [`scene::Script`] |
//! | predict a snapshot for rung 14 of the codec | [`predictor::Predictor`] |
//! | add a second player, or a hundred | [`Rival`], [`crowd`] |
//!
//! # Example
//!
//! ```
//! use snapshot_physics::{Input, World, WorldSettings};
//!
//! let mut world = World::new(&WorldSettings { grid_side: 5, ..WorldSettings::default() });
//! let start_m = world.truth()[0].position;
//! for _ in 0..30 {
//!     world.step(Input::RIGHT);
//! }
//! // A fork goes on alike with the same keys, bit for bit, and differs with others.
//! let mut fork = world.fork();
//! for _ in 0..30 {
//!     world.step(Input::RIGHT);
//!     fork.step(Input::RIGHT);
//! }
//! assert!(world.truth()[0].position[0] > start_m[0] + 0.5);
//! assert_eq!(world.state_hash(), fork.state_hash());
//! fork.step(Input::LEFT);
//! world.step(Input::RIGHT);
//! assert_ne!(world.state_hash(), fork.state_hash());
//! ```
//!
//! # What is not in it
//!
//! No network, no settings of the page and no history. Rapier is a feature: without it the types exist, but no world can be
//! made. A program that plays recorded motions is built so.
//!
//! # Invariant
//!
//! The same settings and inputs give the same bits on every machine, native and in wasm. `src/state-hashes.txt` holds hashes
//! that debug, release and wasm must reach.

pub mod crowd;
pub mod input;
pub mod predictor;
pub mod scene;
pub mod world;

pub use input::{Input, Inputs};
pub use world::{Rival, World, WorldSettings};
