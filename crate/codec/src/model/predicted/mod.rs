//! Rung `predicted`: every value is predicted, with the error to expect of the prediction, and what is left is coded.
//!
//! Cubes are coded outward from the player (where there is none, by index), so that each can be told from neighbours already coded. A cube is: changed,
//! interacting, which of position and orientation changed, x and y, orientation, z. In that order the displacement tells
//! how a cube rolls, and the way it lies tells how high its centre is. The one description below serves encoder, decoder
//! and training.

mod cube;
mod decide;
mod memory;
mod neighbours;
mod observer;
mod order;
mod shape;
mod subject;
pub(crate) mod tables;

use alloc::vec;
use alloc::vec::Vec;

pub(crate) use memory::Memory;
pub(crate) use observer::Observer;

use self::cube::CubeCoder;
use self::decide::{Decider, Flag};
use self::memory::{Motion, Motions};
use self::neighbours::Deed;
use self::order::Order;
use self::subject::{Brief, Glance, Pose, Scene, Subject};
pub(crate) use self::tables::Tables;
use self::tables::{Coefficients, DISTANCES};
use crate::cube::Cube;
use crate::error::DecodeError;
#[cfg(feature = "train")]
use crate::format::Class;
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::Transition;
use crate::model::geometry::Geometry;
use crate::model::rotation::{Vector, add, scale, subtract};

/// The part of a slow rate that each tick renews.
const SLOW: f32 = 0.25;

/// Codes snapshots of one format. Between packets it remembers nothing.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    format: Format,
    geometry: Geometry,
    tables: Tables,
    /// Of the last packet's ticks.
    coefficients: Coefficients,
    coefficients_ticks: u16,
    scene: Scene,
    /// What the baseline's memory holds.
    motions: Motions,
    order: Order,
    /// How the cubes of the last baseline lay.
    poses: Vec<Pose>,
    briefs: Vec<Brief>,
}

impl Model {
    pub(crate) fn new(format: &Format, tables: Tables) -> Self {
        let cube_count = format.cube_count();
        let geometry = Geometry::new(format);
        let lying = |index| Pose::new(&geometry, Some(index) == format.player(), &Cube::default());
        Self {
            format: *format,
            poses: (0..cube_count).map(lying).collect(),
            briefs: vec![Brief::default(); cube_count],
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
        *self = Self::new(&self.format, tables);
    }

    pub(crate) fn cube_count(&self) -> usize {
        self.format.cube_count()
    }

    /// The one description of a packet: both directions, and training.
    pub(crate) fn code<C: Observer>(
        &mut self,
        coder: &mut C,
        transition: Transition,
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        let Transition {
            ticks,
            wanted,
            changed,
            snapshot,
        } = transition;
        self.motions.take(memory);
        let player = self.format.player();
        let player_place = player.map(|player| self.geometry.place(&snapshot[player]));
        self.scene.begin(f32::from(ticks), player_place);
        if self.coefficients_ticks != ticks {
            self.tables.blend(ticks, &mut self.coefficients);
            self.coefficients_ticks = ticks;
        }
        let mut decider = Decider::new(coder, &self.coefficients, &self.tables.logits);
        let players = usize::from(player.is_some());
        for step in 0..snapshot.len() {
            // How far the others are from the player is known once it has been coded.
            if step == players {
                let scene = &self.scene;
                let cubes = snapshot.iter().zip(&mut self.poses).zip(&mut self.briefs);
                let others = cubes
                    .enumerate()
                    .filter(|(index, _)| Some(*index) != player);
                self.order
                    .sort(others.map(|(index, ((cube, pose), brief))| {
                        pose.follow(&self.geometry, false, cube);
                        let square = scene.square_from_player(pose.place());
                        let changes = !C::READS && wanted[index] != *cube;
                        *brief = Brief::new(pose, square, cube.interacting, changes);
                        (index, square)
                    }));
            }
            let index = match player {
                Some(player) if step == 0 => {
                    let (cube, pose) = (&snapshot[player], &mut self.poses[player]);
                    pose.follow(&self.geometry, true, cube);
                    let changes = !C::READS && wanted[player] != *cube;
                    self.briefs[player] = Brief::new(pose, 0.0, cube.interacting, changes);
                    player
                }
                _ => self.order.at(step - players),
            };
            let is_player = Some(index) == player;
            let (pose, brief) = (&self.poses[index], self.briefs[index]);
            let motion = self.motions.of(index);
            let glance = Glance::new(&self.scene, pose, brief, motion);
            decider.coder.about(Kind::Index, index);
            let changed = decider.flag(
                Flag::Changed,
                glance.flag_set(),
                glance.changed_contexts(),
                brief.changes,
            );
            decider.coder.said("changed", changed.into());
            self.scene.recent_changes = self.scene.recent_changes << 1 | usize::from(changed);
            if !changed {
                if let Some(motion) = motion {
                    memory.keep(index, motion.rested(ticks));
                }
                continue;
            }
            let subject = Subject::new(&self.scene, pose, glance, is_player);
            let base = snapshot[index];
            let mut cube = CubeCoder {
                decider: &mut decider,
                format: &self.format,
                scene: &self.scene,
                geometry: &self.geometry,
                subject: &subject,
                index,
            };
            let (cube, deed) = cube.code(&base, &wanted[index])?;
            snapshot[index] = cube;
            let before = glance.motion;
            let by = 1.0 / self.scene.ticks;
            let velocity = scale(add(deed.moved, subtract(deed.offset, before.offset)), by);
            let spin = scale(
                add(deed.turned, subtract(deed.turn_offset, before.turn_offset)),
                by,
            );
            let slow_part = (self.scene.ticks * SLOW).min(1.0);
            let slow = |before: Vector, now: Vector| {
                if glance.motion.moving {
                    add(before, scale(subtract(now, before), slow_part))
                } else {
                    now
                }
            };
            let motion = Motion {
                velocity_surprise: scale(deed.surprise, by),
                spin_surprise: scale(deed.turn_surprise, by),
                slow_velocity: slow(before.slow_velocity, velocity),
                slow_spin: slow(before.slow_spin, spin),
                velocity,
                spin,
                offset: deed.offset,
                turn_offset: deed.turn_offset,
                errors: deed.errors,
                slow_errors: core::array::from_fn(|i| {
                    if before.moving {
                        before.slow_errors[i] + (deed.errors[i] - before.slow_errors[i]) * slow_part
                    } else {
                        deed.errors[i]
                    }
                }),
                moving: cube.position != base.position || cube.orientation != base.orientation,
                rest_ticks: 0,
            };
            memory.keep(index, motion);
            self.scene.record(is_player, deed);
        }
        Ok(())
    }
}

impl Scene {
    fn record(&mut self, is_player: bool, deed: Deed) {
        for (recent, error) in self.recent_errors.iter_mut().zip(deed.errors) {
            *recent += (error - *recent) * 0.25;
        }
        if is_player {
            self.player_moved = deed.moved;
            self.player_turned = deed.turned;
            self.player_rotation = deed.rotation;
        } else {
            self.neighbours.insert(deed);
        }
    }
}
