//! The world of cubes: the rules of the original (Fiedler's *Networked Physics* demo) on rapier, six keys of input, and
//! scripted scenes.
//!
//! One [`World::step`] is one tick of 1/60 s. The same settings and inputs give the same bits on every machine.

pub mod crowd;
pub mod input;
pub mod predictor;
pub mod scene;
pub mod world;

pub use input::{Input, Inputs};
pub use world::{Rival, World, WorldSettings};
