//! The place of the bodies in a build without rapier. The type has no values, so a world has none either. What steps a world
//! is left out of the program then.

use super::WorldSettings;
use crate::input::Inputs;
use snapshot_codec::CubeState;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A part of a program that simulates. Without rapier the type has no values, so the compiler leaves the part out.
pub struct Simulating<T>(PhantomData<T>, Infallible);

impl<T> Deref for Simulating<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self.1 {}
    }
}

impl<T> DerefMut for Simulating<T> {
    fn deref_mut(&mut self) -> &mut T {
        match self.1 {}
    }
}

/// No bodies: a build without the feature `rapier` makes no world.
pub(super) enum Simulation {}

impl Simulation {
    /// Refuses to make bodies.
    ///
    /// # Panics
    /// Always. A recorded motion, and a lane that simulates nothing, ask for no world.
    pub(super) fn new(_: &[CubeState], _: &WorldSettings) -> Simulation {
        panic!("a world is simulated with the feature rapier alone")
    }

    pub(super) fn simulating<T>(&self, _: impl FnOnce() -> T) -> Simulating<T> {
        match *self {}
    }

    pub(super) fn fork(&self) -> Simulation {
        match *self {}
    }

    pub(super) fn reinserted(&self, _: &[CubeState], _: &WorldSettings) -> Simulation {
        match *self {}
    }

    pub(super) fn advance(&mut self, _: &mut [CubeState], _: &WorldSettings, _: u64, _: Inputs) {
        match *self {}
    }

    pub(super) fn place(&mut self, _: usize, _: &CubeState) {
        match *self {}
    }

    pub(super) fn move_to(&mut self, _: usize, _: [f32; 3]) {
        match *self {}
    }

    pub(super) fn hidden_state(&self) -> ([&[u8]; 2], std::iter::Empty<f32>) {
        match *self {}
    }
}
