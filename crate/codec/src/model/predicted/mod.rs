//! Rung `predicted`: every value is predicted, with the error to expect of the prediction, and what is left is coded.
//!
//! Cubes are coded outward from the player, or by index where there is no player. So each has neighbours that are already coded.
//! The order within a cube is: changed, interacting, which of position and orientation changed, x and y, orientation, z. In that order the displacement tells
//! how a cube rolls, and the way it lies tells how high its centre is. The one description below serves encoder, decoder
//! and training.

mod contest;
mod cube;
mod decide;
mod expect;
mod flags;
mod foreseen;
mod learned;
mod memory;
mod neighbours;
mod observer;
mod order;
mod orientation;
mod scene;
pub(crate) mod shape;
pub(crate) mod tables;
mod values;

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

pub(crate) use foreseen::Foreseen;
pub(crate) use memory::Memory;
pub(crate) use observer::Observer;

use self::decide::{Decider, Flag};
use self::expect::CubeCoder;
use self::flags::{BaselinePose, FlagContexts, FlagFeatures};
use self::memory::{Known, KnownMotions, Motions};
use self::neighbours::{CubeChange, NearMotion};
use self::order::Order;
use self::scene::Scene;
pub(crate) use self::tables::Tables;
use self::tables::{Coefficients, DISTANCES};
use self::values::ValueFeatures;
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::format::Format;
use crate::history::room;
use crate::ledger::Kind;
use crate::model::Transition;
use crate::model::geometry::Geometry;
#[cfg(feature = "train")]
use crate::rungs::Class;

/// Codes snapshots of one format. Between packets it remembers nothing.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    format: Format,
    geometry: Geometry,
    /// Shared with all models of its rung and class.
    tables: Arc<Tables>,
    /// Coefficients for the last packet's ticks.
    coefficients: Coefficients,
    coefficients_ticks: u16,
    scene: Scene,
    /// Motions of the baseline's memory.
    motions: Motions,
    order: Order,
    /// Poses of the cubes of the last baseline.
    poses: Vec<BaselinePose>,
    flag_features: Vec<FlagFeatures>,
}

impl Model {
    pub(crate) fn new(format: &Format, tables: Arc<Tables>) -> Self {
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
            motions: Motions::new(cube_count),
            order: Order::new(cube_count),
        }
    }

    #[cfg(feature = "train")]
    pub(crate) fn class(&self) -> Class {
        self.format.class()
    }

    #[cfg(feature = "train")]
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    #[cfg(feature = "train")]
    pub(crate) fn set_tables(&mut self, tables: Tables) {
        *self = Self::new(&self.format, Arc::new(tables));
    }

    /// Bytes of allocated memory, without shared tables.
    pub(crate) fn held_bytes(&self) -> usize {
        let rooms = room(&self.poses) + room(&self.flag_features);
        let known = self.motions.held_bytes() + self.order.held_bytes();
        rooms + known + self.coefficients.held_bytes() + self.scene.neighbours.held_bytes()
    }

    /// Makes the state beside a snapshot that has no baseline.
    pub(crate) fn memory(&self) -> Memory {
        Memory::new(&self.format)
    }

    /// The one description of a packet: both directions, and training. Where something is foreseen of each cube, it takes the
    /// place of moving on as before.
    pub(crate) fn code<C: Observer>(
        &mut self,
        coder: &mut C,
        transition: Transition,
        foreseen: Option<&[Foreseen]>,
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        let Transition {
            ticks,
            wanted,
            settled,
            changed,
            snapshot,
        } = transition;
        self.motions.take(memory);
        let player = self.format.player();
        let player = player.filter(|&player| !snapshot[player].life.is_empty());
        let player_place = player.map(|player| self.geometry.place(&snapshot[player]));
        self.scene.begin(ticks, player_place);
        if self.coefficients_ticks != ticks {
            self.tables.blend(ticks, &mut self.coefficients);
            self.coefficients_ticks = ticks;
        }
        let mut cubes = Cubes {
            player,
            decider: Decider::new(coder, &self.coefficients, &self.tables, &mut memory.learned),
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
        let others = (0..cubes.snapshot.len()).filter_map(|index| {
            let is_other = Some(index) != player && !is_settled(cubes.snapshot, index);
            is_other.then(|| (index, cubes.survey(index, false)))
        });
        self.order.sort(others);
        let changed_others = changed.iter().filter(|&&index| Some(index) != player);
        changed_others.for_each(|&index| cubes.flag_features[index].changes = true);
        cubes.code_others(&self.order)
    }
}

/// The cubes of a packet.
struct Cubes<'a, C> {
    player: Option<usize>,
    decider: Decider<'a, C>,
    format: &'a Format,
    geometry: &'a Geometry,
    scene: &'a mut Scene,
    motions: &'a Motions,
    foreseen: Option<&'a [Foreseen]>,
    poses: &'a mut [BaselinePose],
    flag_features: &'a mut [FlagFeatures],
    wanted: &'a [Cube],
    snapshot: &'a mut [Cube],
    known: &'a mut KnownMotions,
}

impl<C: Observer> Cubes<'_, C> {
    /// Looks at how a cube lies in the baseline; returns its squared distance from the player.
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

    fn code_others(&mut self, order: &Order) -> Result<(), DecodeError> {
        // Cubes of which nothing is known, and that have no neighbours, are mostly alike: far off, and not changed.
        let (mut alike, mut steps_changed) = (None, 0.0);
        for index in order.cubes() {
            let features = self.flag_features[index];
            let known = self.foreseen.is_some() || !self.motions.forgot(index);
            if known || self.scene.neighbours.reach(features.cell) {
                self.code(index, false)?;
                continue;
            }
            let recent_changes = self.scene.recent_changes & 3;
            let flags = || {
                let past = self.motions.of(index);
                FlagContexts::new(self.scene.ticks, features, past, None, NearMotion::NONE)
            };
            if alike != Some((features.key(), recent_changes)) {
                alike = Some((features.key(), recent_changes));
                let flags = flags();
                let contexts = flags.changed_contexts(recent_changes);
                steps_changed = self
                    .decider
                    .flag_steps(Flag::Changed, flags.flag_set(), contexts);
            }
            self.decider.coder.about(Kind::Index, index);
            let learned = flags().learned(recent_changes);
            let changes = features.changes;
            let changed = self
                .decider
                .flag_of(Flag::Changed, steps_changed, learned, changes);
            self.decider.coder.said("changed", changed.into());
            self.scene.recent_changes = recent_changes << 1 | usize::from(changed);
            if C::WATCHES || changed {
                let flags = flags();
                let contexts = flags.changed_contexts(recent_changes);
                self.decider
                    .watch_flag(Flag::Changed, flags.flag_set(), contexts, changed);
                if changed {
                    let place = self.poses[index].place();
                    self.scene.neighbours.find(features.cell, place);
                    self.code_changed(index, flags, false)?;
                }
            }
        }
        Ok(())
    }

    /// Codes whether a cube changed, and if so its fields.
    fn code(&mut self, index: usize, is_player: bool) -> Result<(), DecodeError> {
        let features = self.flag_features[index];
        let (before, rest_ticks) = self.motions.of(index);
        let foreseen = self.foreseen.map(|foreseen| &foreseen[index]);
        let onward = foreseen.map(|foreseen| foreseen.motion(before, self.scene.ticks));
        let past = (onward.as_ref().unwrap_or(before), rest_ticks);
        let toggles = foreseen.map(|foreseen| foreseen.interacting != features.interacting());
        let near = self
            .scene
            .neighbours
            .find(features.cell, self.poses[index].place());
        let flags = FlagContexts::new(self.scene.ticks, features, past, toggles, near);
        self.decider.coder.about(Kind::Index, index);
        if self.decider.coder.keeps_spans() {
            let found = self.scene.neighbours.found();
            found.for_each(|cube| self.decider.coder.looked_at(cube));
        }
        let changed = self.decider.flag(
            Flag::Changed,
            flags.flag_set(),
            flags.changed_contexts(self.scene.recent_changes),
            flags.learned(self.scene.recent_changes),
            features.changes,
        );
        self.decider.coder.said("changed", changed.into());
        self.scene.recent_changes = self.scene.recent_changes << 1 | usize::from(changed);
        if changed {
            return self.code_changed(index, flags, is_player);
        }
        self.known
            .keep(index, self.motions.rested(index, self.scene.ticks));
        Ok(())
    }

    /// Codes the fields of a changed cube, of which the neighbours have just been found.
    fn code_changed(
        &mut self,
        index: usize,
        flags: FlagContexts,
        is_player: bool,
    ) -> Result<(), DecodeError> {
        let pose = &self.poses[index];
        let near = self.scene.neighbours.near(pose.place());
        let values = ValueFeatures::new(self.scene, pose, flags, near, is_player);
        if let Some(player) = self.player.filter(|_| values.is_player_near()) {
            self.decider.coder.looked_at(player);
        }
        let base = self.snapshot[index];
        let mut coder = CubeCoder {
            decider: &mut self.decider,
            format: self.format,
            scene: self.scene,
            geometry: self.geometry,
            values: &values,
            index,
        };
        let (cube, change) = coder.code(&base, &self.wanted[index])?;
        self.snapshot[index] = cube;
        let moving = cube.position != base.position || cube.orientation != base.orientation;
        let (before, _) = self.motions.of(index);
        let motion = before.after(&change, f32::from(self.scene.ticks), moving);
        self.known.keep(index, Known::Motion(motion));
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
