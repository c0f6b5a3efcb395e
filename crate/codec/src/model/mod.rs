//! Arithmetic rungs: they code values with probabilities that a model gives. The rungs are 12 to 14.
//!
//! `coder` and `symbols` turn decisions with probabilities into bytes and back. `arithmetic`, `predicted` and `simulated` split
//! a snapshot into decisions, and give the probability of each.

pub(crate) mod arithmetic;
pub(crate) mod coder;
mod geometry;
mod logarithms;
pub(crate) mod predicted;
mod rotation;
pub(crate) mod simulated;
pub(crate) mod symbols;

use crate::cube::{Cube, CubeState};
use crate::error::DecodeError;
use crate::format::Format;
#[cfg(feature = "predicted")]
use crate::rungs::Class;
use crate::rungs::Rung;
#[cfg(feature = "predicted")]
use predicted::Tables;
use simulated::Lookahead;
#[cfg(feature = "predicted")]
use std::sync::{Arc, OnceLock};

/// An arithmetic coder of snapshots, with the probability model of its rung. Each rung with such a model has a variant.
#[derive(Clone, Debug)]
pub(crate) enum Model {
    Arithmetic(arithmetic::ArithmeticModel),
    #[cfg(feature = "predicted")]
    Predicted(Box<predicted::PredictedModel>),
    #[cfg(feature = "simulated")]
    Simulated(Box<simulated::SimulatedModel>),
}

impl Model {
    /// Makes the coder of a rung that codes with probabilities; `None` on other rungs.
    pub(crate) fn for_format(format: &Format) -> Option<Self> {
        match format.rung() {
            Rung::Arithmetic => Some(Self::Arithmetic(arithmetic::ArithmeticModel::new(format))),
            #[cfg(feature = "predicted")]
            Rung::Predicted => {
                let tables = tables(format.rung(), format.class());
                Some(Self::Predicted(Box::new(predicted::PredictedModel::new(
                    format, tables,
                ))))
            }
            #[cfg(feature = "simulated")]
            Rung::Simulated => {
                let tables = tables(format.rung(), format.class());
                Some(Self::Simulated(Box::new(simulated::SimulatedModel::new(
                    format, tables,
                ))))
            }
            _ => None,
        }
    }

    /// Bytes of allocated memory, without the tables that models share.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Arithmetic(model) => model.held_bytes(),
            #[cfg(feature = "predicted")]
            Self::Predicted(model) => size_of_val(&**model) + model.held_bytes(),
            #[cfg(feature = "simulated")]
            Self::Simulated(model) => size_of_val(&**model) + model.held_bytes(),
        }
    }

    /// Makes the coder state of a snapshot that has no baseline, with capacity for any other state.
    pub(crate) fn memory(&self) -> Memory {
        match self {
            Self::Arithmetic(model) => {
                Memory::Arithmetic(arithmetic::ArithmeticMemory::new(model.cube_count()))
            }
            #[cfg(feature = "predicted")]
            Self::Predicted(model) => Memory::Predicted(model.memory()),
            #[cfg(feature = "simulated")]
            Self::Simulated(model) => Memory::Simulated(model.memory()),
        }
    }

    /// Codes the step from a baseline to a snapshot. `memory` holds the baseline's coder state before the call, the
    /// snapshot's after it.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl predicted::CoderObserver,
        transition: Transition,
        ahead: Lookahead,
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        match (self, memory) {
            (Self::Arithmetic(model), Memory::Arithmetic(memory)) => {
                model.code(coder, transition, memory)
            }
            #[cfg(feature = "predicted")]
            (Self::Predicted(model), Memory::Predicted(memory)) => {
                model.code(coder, transition, None, memory)
            }
            #[cfg(feature = "simulated")]
            (Self::Simulated(model), Memory::Simulated(memory)) => {
                model.code(coder, transition, ahead, memory)
            }
            _ => unreachable!("memory of another model"),
        }
    }
}

/// Returns the trained tables of a rung and class. A program unpacks each table once.
#[cfg(feature = "predicted")]
fn tables(rung: Rung, class: Class) -> Arc<Tables> {
    static UNPACKED: [OnceLock<Arc<Tables>>; 4] = [const { OnceLock::new() }; 4];
    let place = 2 * usize::from(rung.needs_simulation()) + usize::from(class == Class::Chained);
    let unpack = || {
        #[cfg(feature = "simulated")]
        if rung.needs_simulation() {
            return Arc::new(simulated::tables(class));
        }
        Arc::new(Tables::trained(class))
    };
    UNPACKED[place].get_or_init(unpack).clone()
}

/// The step from a baseline to a snapshot, as a model codes it.
pub struct Transition<'a> {
    /// Number of ticks from the baseline to the snapshot.
    pub ticks: u16,
    /// The snapshot that an encoder writes; a decoder passes cubes of any values, as many as the snapshot has.
    pub wanted: &'a [Cube],
    /// Indices of the slots whose lives have changed, rising. They are coded before the model runs, and `snapshot` already has
    /// their new values. The model skips these slots and empty slots, see `Cube::is_settled`.
    pub settled: &'a [usize],
    /// Indices of the other changed cubes, rising; a decoder passes an empty list.
    pub changed: &'a [usize],
    /// The baseline before coding, the packet's snapshot after it.
    pub snapshot: &'a mut [Cube],
}

/// Bit of the change symbol for the flag `interacting`. A cube's change symbol has a bit for each part of the cube that
/// changed.
const INTERACTING: usize = 1;
const POSITION: usize = 2;
const ORIENTATION: usize = 4;

/// Returns the change symbol that an encoder writes for a changed cube.
fn change_symbol(base: &Cube, wanted: &Cube) -> usize {
    // The rungs with a model send no velocity; a changed life is sent before. A new field needs a bit here.
    let Cube {
        position,
        orientation,
        linear_velocity: _,
        interacting,
        at_rest: _,
        life: _,
    } = *base;
    usize::from(wanted.interacting != interacting) * INTERACTING
        + usize::from(wanted.position != position) * POSITION
        + usize::from(wanted.orientation != orientation) * ORIENTATION
}

fn check_symbol(cube: usize, happened: usize) -> Result<(), DecodeError> {
    match happened > INTERACTING + POSITION + ORIENTATION {
        true => Err(DecodeError::SymbolWithoutMeaning { cube }),
        false => Ok(()),
    }
}

/// Coder state stored with a snapshot, for coding later snapshots against it; class `strict` has none.
#[derive(Clone, Debug, Default)]
pub(crate) enum Memory {
    #[default]
    None,
    Arithmetic(arithmetic::ArithmeticMemory),
    #[cfg(feature = "predicted")]
    Predicted(predicted::PredictedMemory),
    #[cfg(feature = "simulated")]
    Simulated(simulated::SimulatedMemory),
}

impl Memory {
    /// Copies the baseline's coder state `before` into this one's allocated memory; resets this state if `before` is empty.
    pub(crate) fn recall(&mut self, before: &Self) {
        match (self, before) {
            (Self::Arithmetic(own), Self::Arithmetic(before)) => own.copy_from(before),
            #[cfg(feature = "predicted")]
            (Self::Predicted(own), Self::Predicted(before)) => own.copy_from(before),
            #[cfg(feature = "simulated")]
            (Self::Simulated(own), Self::Simulated(before)) => own.copy_from(before),
            (Self::Arithmetic(own), _) => own.clear(),
            #[cfg(feature = "predicted")]
            (Self::Predicted(own), _) => own.clear(),
            #[cfg(feature = "simulated")]
            (Self::Simulated(own), _) => own.clear(),
            (Self::None, _) => {}
        }
    }

    /// Returns true if both are coder states of the same model.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }

    /// Makes `self` equal to `other`'s state before the call, in about as much memory as it needs. Afterwards only the larger
    /// buffers of `other` are of use, not its content.
    pub(crate) fn assign_from(&mut self, other: &mut Self) {
        match (&mut *self, &mut *other) {
            (Self::Arithmetic(own), Self::Arithmetic(other)) => own.assign_from(other),
            #[cfg(feature = "predicted")]
            (Self::Predicted(own), Self::Predicted(other)) => own.assign_from(other),
            #[cfg(feature = "simulated")]
            (Self::Simulated(own), Self::Simulated(other)) => own.assign_from(other),
            _ => *self = other.clone(),
        }
    }

    /// Returns the cubes' states from which the packet `ticks` ticks later will be simulated; `None` if it will not be
    /// simulated.
    pub(crate) fn foreseen_from(
        &self,
        format: &Format,
        snapshot: &[Cube],
        ticks: u16,
    ) -> Option<Vec<CubeState>> {
        match self {
            #[cfg(feature = "simulated")]
            Self::Simulated(memory) if memory.foresees(ticks) => {
                let mut states = Vec::new();
                memory.states(format, snapshot, &mut states);
                Some(states)
            }
            _ => None,
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Arithmetic(memory) => memory.held_bytes(),
            #[cfg(feature = "predicted")]
            Self::Predicted(memory) => memory.held_bytes(),
            #[cfg(feature = "simulated")]
            Self::Simulated(memory) => memory.held_bytes(),
        }
    }
}

/// Parts of rungs 13 and 14 that the training of their tables uses. The training itself is not in this crate.
#[cfg(feature = "simulated")]
pub mod training {
    pub use super::Transition;
    pub use super::coder::Coder;
    pub use super::logarithms::log2_65536ths;
    pub use super::predicted::shape::{ESCAPE, LARGEST, SCALES, SHAPES, Shape, sizes_of};
    pub use super::predicted::sizes::{HAPPENED_CLASSES, Logs, PRODUCT_INPUTS};
    pub use super::predicted::tables::*;
    pub use super::predicted::{CoderObserver, CubeForecast, PredictedMemory, PredictedModel};
    pub use super::simulated::{SimulatedModel, TRAINED};
    pub use super::symbols::{CLASSES, INPUTS, LAST, SymbolCoder};
}
