//! Rung `simulated`: both ends simulate from the baseline to the snapshot, and only differences from the simulation are sent.
//!
//! A packet has two parts. First come the inputs of the ticks between baseline and snapshot, with a checksum of the foreseen
//! cubes. Then come the cubes, coded as on rung `predicted`, but with the simulation's forecast in place of dead reckoning. The
//! codec contains no physics engine: a [`Foresight`] does, and it receives nothing but decoded values.

mod foresight;
mod inputs;
mod memory;
mod tables;

use std::sync::Arc;

pub use foresight::{DeadReckoning, Foresight, Lookahead};
pub(crate) use memory::SimulatedMemory;
#[cfg(feature = "simulated")]
pub use tables::TRAINED;
#[cfg(feature = "simulated")]
pub(crate) use tables::tables;

use self::memory::Filter;
use super::predicted::{self, CoderObserver, CubeForecast, Tables};
use crate::buffers::room;
use crate::cube::{Cube, CubeState};
use crate::error::DecodeError;
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::Transition;
use crate::model::geometry::Geometry;
use crate::model::rotation::{difference, subtract};
use crate::rungs::Class;

/// Upper limit of the length of a packet's simulation, ticks: a forged packet cannot make its receiver simulate more.
pub(crate) const FORESEEN_TICKS_MAX: u16 = 48;
/// Upper limit of a plausible displacement in a simulation, m.
const MOVED_MAX_M: f32 = 32.0;
const SPEED_MAX: f32 = 64.0;
/// Number of bits of the checksum of the foreseen cubes.
const CHECKSUM_BITS: u32 = 8;

/// The coder of rung `simulated`, for one format. Between packets it keeps only allocated memory.
#[derive(Clone, Debug)]
pub struct SimulatedModel {
    format: Format,
    geometry: Geometry,
    predicted: predicted::PredictedModel,
    filter: Filter,
    baseline: Vec<Cube>,
    inputs: Vec<u8>,
    states: Vec<CubeState>,
    foreseen: Vec<CubeForecast>,
}

impl SimulatedModel {
    pub fn new(format: &Format, tables: Arc<Tables>) -> Self {
        let cube_count = format.cube_count();
        Self {
            format: *format,
            geometry: Geometry::new(format),
            predicted: predicted::PredictedModel::new(format, tables),
            filter: Filter::new(format),
            baseline: Vec::with_capacity(cube_count),
            inputs: Vec::with_capacity(FORESEEN_TICKS_MAX.into()),
            states: Vec::with_capacity(cube_count),
            foreseen: vec![CubeForecast::default(); cube_count],
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        let rooms = room(&self.baseline) + room(&self.inputs) + room(&self.states);
        self.predicted.held_bytes() + rooms + room(&self.foreseen)
    }

    pub(crate) fn memory(&self) -> SimulatedMemory {
        SimulatedMemory::new(&self.format)
    }

    /// The inputs of the last packet, oldest first.
    pub(crate) fn inputs(&self) -> &[u8] {
        &self.inputs
    }

    /// Codes a packet. One description of the packet serves encoding and decoding.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl CoderObserver,
        transition: Transition,
        ahead: Lookahead,
        memory: &mut SimulatedMemory,
    ) -> Result<(), DecodeError> {
        let ticks = transition.ticks;
        self.baseline.clear();
        self.baseline.extend_from_slice(transition.snapshot);
        self.inputs.clear();
        let foresees = memory.foresees(ticks);
        if foresees {
            coder.about_packet(Kind::Input);
            let last = memory.input;
            inputs::code(coder, last, ticks, ahead.inputs, &mut self.inputs)?;
            self.foresee(
                ahead.sequence.wrapping_sub(ticks),
                &mut *ahead.foresight,
                memory,
            );
            self.check(coder)?;
        } else {
            memory.input = 0;
        }
        if self.format.class() == Class::Strict {
            memory.motions.clear();
        }
        let Transition {
            wanted,
            changed,
            snapshot,
            ..
        } = transition;
        let transition = Transition {
            ticks,
            wanted,
            settled: &[],
            changed,
            snapshot,
        };
        let foreseen = foresees.then_some(&self.foreseen[..]);
        self.predicted
            .code(coder, transition, foreseen, &mut memory.motions)?;
        if self.format.class() == Class::Strict {
            memory.motions.clear();
        }
        memory.input = self.inputs.last().copied().unwrap_or(0);
        memory.is_known = true;
        self.keep(ticks, snapshot, foresees, ahead, memory);
        Ok(())
    }

    /// Stores the state from which later packets are simulated. In class `strict` it may depend on the baseline and the
    /// snapshot only. So the cubes' velocities are estimated by one more simulation from the baseline, with velocities that
    /// lead straight to the snapshot.
    fn keep(
        &mut self,
        ticks: u16,
        snapshot: &[Cube],
        foresees: bool,
        ahead: Lookahead,
        memory: &mut SimulatedMemory,
    ) {
        if foresees && self.format.class() == Class::Strict {
            self.filter
                .lead(ticks, &self.baseline, snapshot, &mut self.states);
            let sequence = ahead.sequence.wrapping_sub(ticks);
            self.run(sequence, ahead.foresight);
        }
        let states = foresees.then_some(&self.states[..]);
        self.filter
            .keep(ticks, &self.baseline, snapshot, states, &mut memory.states);
    }

    fn foresee(&mut self, sequence: u16, foresight: &mut dyn Foresight, memory: &SimulatedMemory) {
        memory.states(&self.format, &self.baseline, &mut self.states);
        self.run(sequence, foresight);
        self.look();
    }

    /// Runs the simulation. An implausible result is replaced by the cube's baseline state.
    fn run(&mut self, sequence: u16, foresight: &mut dyn Foresight) {
        foresight.foresee(sequence, &self.inputs, &mut self.states);
        for (state, base) in self.states.iter_mut().zip(&self.baseline) {
            let from = self.format.dequantise(base);
            if !is_sound(state, &from) {
                *state = CubeState {
                    at_rest: true,
                    ..from
                };
            }
        }
    }

    /// Simulates each frame of a recording from the frame `ticks` earlier, for training. Cubes that neither move nor interact
    /// in the simulation are left out.
    pub fn foresee_all(
        &mut self,
        frames: &[Vec<Cube>],
        inputs: &[u8],
        ticks: u16,
        foresight: &mut dyn Foresight,
    ) -> Vec<Vec<(u16, CubeForecast)>> {
        let mut all = vec![Vec::new(); frames.len()];
        let apart = usize::from(ticks);
        for chain in 0..apart.min(frames.len()) {
            let mut memory = self.memory();
            for at in (chain + apart..frames.len()).step_by(apart) {
                self.baseline.clone_from(&frames[at - apart]);
                let known = memory.is_known;
                if known {
                    self.inputs.clear();
                    self.inputs.extend_from_slice(&inputs[at + 1 - apart..=at]);
                    self.foresee((at - apart) as u16, &mut *foresight, &memory);
                    let seen = (0..).zip(self.foreseen.iter().copied());
                    all[at].extend(seen.filter(|(_, seen)| seen.moving || seen.interacting));
                }
                let ahead = Lookahead {
                    sequence: at as u16,
                    inputs: &[],
                    foresight: &mut *foresight,
                };
                self.keep(ticks, &frames[at], known, ahead, &mut memory);
                memory.is_known = true;
            }
        }
        all
    }

    /// Converts the simulated state of each cube into a forecast.
    fn look(&mut self) {
        let cubes = self.states.iter().zip(&self.baseline);
        for (foreseen, (state, base)) in self.foreseen.iter_mut().zip(cubes) {
            let cube = self.format.quantise(state);
            if cube.position == base.position && cube.orientation == base.orientation {
                *foreseen = CubeForecast {
                    interacting: cube.interacting,
                    ..CubeForecast::default()
                };
                continue;
            }
            let place = state.position.map(|metres| metres * 512.0);
            let from = self.geometry.orientation(base.orientation);
            *foreseen = CubeForecast {
                moved: subtract(place, self.geometry.place(base)),
                turned: difference(from, state.orientation),
                moving: true,
                interacting: cube.interacting,
            };
        }
    }

    /// Codes a checksum of the simulation's result. A receiver whose simulation differs refuses the packet instead of decoding
    /// nonsense.
    fn check(&self, coder: &mut impl CoderObserver) -> Result<(), DecodeError> {
        let mut hash = 0x811c_9dc5_u32;
        let mut add = |value: u32| hash = (hash ^ value).wrapping_mul(0x0100_0193).rotate_left(13);
        for (index, foreseen) in self.foreseen.iter().enumerate() {
            if foreseen.moving {
                add(index as u32);
                let values = foreseen.moved.into_iter().chain(foreseen.turned);
                values.for_each(|value| add(value.to_bits()));
            }
            add(foreseen.interacting.into());
        }
        let own = (hash ^ hash >> 16).wrapping_mul(0x7feb_352d) >> (32 - CHECKSUM_BITS);
        coder.about_packet(Kind::Header);
        let sent = coder.code_uniform(own, CHECKSUM_BITS);
        coder.said("foreseen", sent.into());
        if sent == own {
            Ok(())
        } else {
            Err(DecodeError::ForeseenOtherwise { sent, own })
        }
    }
}

/// Returns true if the simulated `state` is plausible for a cube whose state was `from` before the simulation.
fn is_sound(state: &CubeState, from: &CubeState) -> bool {
    let moved = subtract(state.position, from.position);
    let velocities = [state.linear_velocity, state.angular_velocity];
    let square: f32 = state.orientation.iter().map(|c| c * c).sum();
    moved.iter().all(|metres| metres.abs() <= MOVED_MAX_M)
        && velocities
            .iter()
            .flatten()
            .all(|speed| speed.abs() <= SPEED_MAX)
        && (0.99..1.01).contains(&square)
}
