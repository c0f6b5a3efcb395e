//! Rung `predicted`: each value and its error are predicted, and the difference from the prediction is coded.
//!
//! First come the player and the cubes with a known motion or rest, outward from the player, or by index without a player. So
//! each cube has neighbours that are already coded. Quiet cubes, of which only the pose is known, come last, in runs. A cube's
//! fields are coded in this order: change symbol, x and y, orientation, z. So the displacement tells how the cube rolls, and
//! the orientation tells how high its centre is. One description of a packet serves encoder, decoder and training.
//!
//! A *change symbol* says which parts of a cube changed. *Features* are the known numbers that a linear prediction multiplies
//! by trained coefficients. *Rivals* are simpler predictions, which compete with the trained *tables'* prediction: see
//! `contest`. A *situation* of a cube, such as "near the player", selects coefficients.

mod contest;
mod cube;
mod expect;
mod flags;
mod flight;
mod foreseen;
mod happened;
mod learned;
mod memory;
pub(crate) mod mixture;
mod neighbours;
mod numbers;
mod observer;
mod order;
mod orientation;
mod pull;
mod scene;
pub(crate) mod shape;
mod simd;
pub(crate) mod sizes;
pub(crate) mod tables;
mod values;

use std::sync::Arc;

pub use foreseen::CubeForecast;
pub use memory::PredictedMemory;
pub use observer::CoderObserver;

use self::expect::CubeCoder;
use self::flags::{BaselinePose, FlagContexts, FlagFeatures};
use self::flight::Flight;
use self::memory::{CubeMotion, KnownMotion, KnownMotions, Motions};
use self::neighbours::CubeChange;
use self::numbers::Decider;
use self::order::Order;
use self::scene::Scene;
pub(crate) use self::tables::Tables;
use self::tables::{Coefficients, DISTANCES};
use self::values::ValueFeatures;
use crate::buffers::room;
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::Transition;
use crate::model::geometry::Geometry;

/// The coder of rung `predicted`, for one format. It keeps no coder state between packets.
#[derive(Clone, Debug)]
pub struct PredictedModel {
    format: Format,
    geometry: Geometry,
    /// The trained tables, shared by all models of one rung and class.
    tables: Arc<Tables>,
    /// Coefficients for the last packet's distance to its baseline, interpolated from the tables.
    coefficients: Coefficients,
    coefficients_ticks: u16,
    scene: Scene,
    /// Motions of the last baseline's cubes.
    motions: Motions,
    order: Order,
    /// Cubes of the packet with a known motion or rest, except the player, each with its squared distance from the player.
    /// `quiet` has the other cubes.
    known: Vec<(usize, f32)>,
    quiet: Vec<u16>,
    /// Poses of the cubes of the last baseline.
    poses: Vec<BaselinePose>,
    flag_features: Vec<FlagFeatures>,
}

impl PredictedModel {
    pub fn new(format: &Format, tables: Arc<Tables>) -> Self {
        let cube_count = format.cube_count();
        let geometry = Geometry::new(format);
        let lying =
            |index| BaselinePose::new(&geometry, Some(index) == format.player(), &Cube::default());
        Self {
            format: *format,
            poses: (0..cube_count).map(lying).collect(),
            flag_features: vec![FlagFeatures::default(); cube_count],
            geometry,
            coefficients: tables.trained[0].clone(),
            coefficients_ticks: DISTANCES[0],
            tables,
            scene: Scene::new(cube_count),
            motions: Motions::new(format),
            order: Order::new(cube_count),
            known: Vec::with_capacity(cube_count),
            quiet: Vec::with_capacity(cube_count),
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        let rooms = room(&self.poses) + room(&self.flag_features);
        let listed = room(&self.known) + room(&self.quiet);
        let known = self.motions.held_bytes() + self.order.held_bytes() + listed;
        rooms + known + self.coefficients.held_bytes() + self.scene.neighbours.held_bytes()
    }

    /// Makes the coder state of a snapshot that has no baseline.
    pub fn memory(&self) -> PredictedMemory {
        PredictedMemory::new(&self.format)
    }

    /// Codes a packet, in encoding, decoding and training. `foreseen` has a simulation's forecast of each cube, which replaces
    /// dead reckoning.
    pub fn code<C: CoderObserver>(
        &mut self,
        coder: &mut C,
        transition: Transition,
        foreseen: Option<&[CubeForecast]>,
        memory: &mut PredictedMemory,
    ) -> Result<(), DecodeError> {
        let Transition {
            ticks,
            wanted,
            settled,
            changed,
            snapshot,
        } = transition;
        self.motions.load(memory);
        let player = self.format.player();
        let player = player.filter(|&player| !snapshot[player].life.is_empty());
        let player_place = player.map(|player| self.geometry.place(&snapshot[player]));
        self.scene.begin(ticks, player_place);
        if self.coefficients_ticks != ticks {
            self.tables.blend(ticks, &mut self.coefficients);
            self.coefficients_ticks = ticks;
        }
        memory.learned.begin(&self.tables);
        let mut cubes = Cubes {
            decider: Decider {
                coder,
                coefficients: &self.coefficients,
                tables: &self.tables,
                learned: &mut memory.learned,
                flights: memory.flights.first_mut(),
            },
            player,
            format: &self.format,
            geometry: &self.geometry,
            scene: &mut self.scene,
            motions: &self.motions,
            foreseen,
            poses: &mut self.poses,
            flag_features: &mut self.flag_features,
            wanted,
            snapshot,
            known: &mut memory.known,
        };
        let is_settled = |cubes: &[Cube], index: usize| cubes[index].is_settled(index, settled);
        if let Some(player) = player.filter(|&player| !is_settled(cubes.snapshot, player)) {
            cubes.survey(player, true);
            cubes.flag_features[player].changes = changed.contains(&player);
            cubes.code(player, true)?;
        }
        // How far the others are from the player is known once it has been coded.
        cubes.list_others(settled, &mut self.known, &mut self.quiet);
        self.order.sort(self.known.iter().copied());
        let changed_others = changed.iter().filter(|&&index| Some(index) != player);
        changed_others.for_each(|&index| cubes.flag_features[index].changes = true);
        for index in self.order.cubes() {
            cubes.code(index, false)?;
        }
        cubes.code_quiet(&self.quiet)
    }
}

/// The cubes of a packet while they are coded.
struct Cubes<'a, C> {
    player: Option<usize>,
    decider: Decider<'a, C>,
    format: &'a Format,
    geometry: &'a Geometry,
    scene: &'a mut Scene,
    motions: &'a Motions,
    foreseen: Option<&'a [CubeForecast]>,
    poses: &'a mut [BaselinePose],
    flag_features: &'a mut [FlagFeatures],
    wanted: &'a [Cube],
    snapshot: &'a mut [Cube],
    known: &'a mut KnownMotions,
}

impl<C: CoderObserver> Cubes<'_, C> {
    /// Updates the cached pose that a cube has in the baseline; returns its squared distance from the player.
    #[inline(always)]
    fn survey(&mut self, index: usize, is_player: bool) -> f32 {
        let (cube, pose) = (&self.snapshot[index], &mut self.poses[index]);
        pose.follow(self.geometry, is_player, cube);
        let square = if is_player {
            0.0
        } else {
            self.scene.square_from_player(pose.place())
        };
        self.flag_features[index] = FlagFeatures::new(pose, square, cube.interacting);
        square
    }

    /// Lists all cubes but the player. `known` gets the cubes with a known motion or rest, with their squared distances from
    /// the player; `quiet` gets the others.
    #[inline(always)]
    fn list_others(
        &mut self,
        settled: &[usize],
        known: &mut Vec<(usize, f32)>,
        quiet: &mut Vec<u16>,
    ) {
        known.clear();
        quiet.clear();
        for index in 0..self.snapshot.len() {
            if Some(index) == self.player || self.snapshot[index].is_settled(index, settled) {
                continue;
            }
            let square = self.survey(index, false);
            if self.is_quiet(index) {
                quiet.push(index as u16);
            } else {
                known.push((index, square));
            }
        }
    }

    /// Returns true if a cube is quiet: nothing is known of it but its pose.
    #[inline(always)]
    fn is_quiet(&self, index: usize) -> bool {
        let foreseen = self.foreseen.map(|foreseen| &foreseen[index]);
        self.motions.forgot(index)
            && !self.flag_features[index].interacting()
            && !foreseen.is_some_and(|foreseen| foreseen.moving || foreseen.interacting)
    }

    /// Codes a cube's change symbol and, if the cube changed, its fields.
    fn code(&mut self, index: usize, is_player: bool) -> Result<(), DecodeError> {
        let features = self.flag_features[index];
        let (before, rest_ticks) = self.motions.get(index);
        let foreseen = self.foreseen.map(|foreseen| &foreseen[index]);
        let onward = foreseen.map(|foreseen| foreseen.motion(&before, self.scene.ticks));
        let past = (onward.as_ref().unwrap_or(&before), rest_ticks);
        let toggles = foreseen.map(|foreseen| foreseen.interacting != features.interacting());
        self.decider.coder.about(Kind::Index, index);
        let near = self.near(index);
        let flags = FlagContexts::new(self.scene.ticks, features, past, toggles, near);
        let happened = self.happened(index, &flags)?;
        if happened > 0 {
            return self.code_changed(index, flags, &before, happened, is_player);
        }
        self.known
            .keep(index, self.motions.rested(index, self.scene.ticks));
        Ok(())
    }

    /// Codes the fields of a changed cube. Its neighbours must have been found before.
    fn code_changed(
        &mut self,
        index: usize,
        flags: FlagContexts,
        before: &CubeMotion,
        happened: usize,
        is_player: bool,
    ) -> Result<(), DecodeError> {
        let pose = &self.poses[index];
        let near = self.scene.neighbours.near(pose.place());
        let values = ValueFeatures::new(self.scene, pose, flags, near, is_player);
        if let Some(player) = self.player.filter(|_| values.is_player_near()) {
            self.decider.coder.looked_at(player);
        }
        let base = self.snapshot[index];
        let ticks = f32::from(self.scene.ticks);
        let (filters, orientation) = (before.filters, pose.orientation);
        let flights = self.decider.flights.as_deref();
        let flight = flights.map(|it| Flight::new(self.geometry, filters, orientation, it, ticks));
        let mut coder = CubeCoder {
            decider: &mut self.decider,
            format: self.format,
            scene: self.scene,
            geometry: self.geometry,
            values: &values,
            flight,
            index,
        };
        let (cube, change) = coder.code(&base, &self.wanted[index], happened)?;
        let flight = coder.flight;
        self.snapshot[index] = cube;
        let moving = cube.position != base.position || cube.orientation != base.orientation;
        let mut motion = before.after(&change, ticks, moving);
        if let (Some(flight), Some(flights)) = (flight, self.decider.flights.as_deref_mut()) {
            let orientation = self.geometry.orientation(cube.orientation);
            motion.filters = flight.filters(self.geometry, &change, orientation, flights, ticks);
        }
        self.known.keep(index, KnownMotion::Motion(motion));
        self.scene.record(index, is_player, &change);
        Ok(())
    }
}

impl Scene {
    fn record(&mut self, index: usize, is_player: bool, change: &CubeChange) {
        for (recent, error) in self.recent_errors.iter_mut().zip(change.errors) {
            *recent += (error - *recent) * 0.25;
        }
        if is_player {
            self.player_moved = change.moved;
            self.player_turned = change.turned;
            self.player_rotation = change.rotation;
        } else {
            self.neighbours.insert(index, change);
        }
    }
}
