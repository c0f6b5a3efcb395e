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
mod subject;
pub(crate) mod tables;

use alloc::vec;
use alloc::vec::Vec;

pub(crate) use memory::Memory;
pub(crate) use observer::Observer;

use self::cube::CubeCoder;
use self::decide::{Decider, Flag};
use self::memory::Motion;
use self::neighbours::Deed;
use self::subject::{Scene, Subject};
pub(crate) use self::tables::Tables;
use crate::cube::Cube;
use crate::error::DecodeError;
use crate::format::Format;
use crate::ledger::Kind;
use crate::model::Transition;
use crate::model::geometry::Geometry;
use crate::model::rotation::scale;

/// Between the snapshots and baselines that the tables were made of.
pub(crate) const TRAINED_TICKS: u16 = 6;

/// Codes snapshots of one format. Between packets it remembers nothing.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    format: Format,
    geometry: Geometry,
    tables: Tables,
    scene: Scene,
    motions: Vec<Motion>,
    order: Vec<(f32, u16)>,
}

impl Model {
    pub(crate) fn new(format: &Format, tables: Tables) -> Self {
        let cube_count = format.cube_count();
        Self {
            format: *format,
            geometry: Geometry::new(format),
            tables,
            scene: Scene::new(cube_count),
            motions: vec![Motion::default(); cube_count],
            order: Vec::with_capacity(cube_count),
        }
    }

    #[cfg(feature = "train")]
    pub(crate) fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }

    pub(crate) fn cube_count(&self) -> usize {
        self.format.cube_count()
    }

    /// The one description of a packet: both directions, and training.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl Observer,
        transition: Transition,
        memory: &mut Memory,
    ) -> Result<(), DecodeError> {
        let Transition {
            ticks,
            wanted,
            snapshot,
        } = transition;
        memory.spread(&mut self.motions);
        let player = self.format.player();
        let player_place = player.map(|player| self.geometry.place(&snapshot[player]));
        self.scene.begin(f32::from(ticks), player_place);
        let mut decider = Decider {
            coder,
            tables: &self.tables,
        };
        self.order.clear();
        let players = usize::from(player.is_some());
        for step in 0..snapshot.len() {
            // How far the others are from the player is known once it has been coded.
            if step == players {
                let far = |(index, cube): (usize, &Cube)| {
                    (
                        self.scene.square_from_player(self.geometry.place(cube)),
                        index as u16,
                    )
                };
                let others = snapshot.iter().enumerate();
                let others = others.filter(|(index, _)| Some(*index) != player);
                self.order.extend(others.map(far));
                self.order
                    .sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            }
            let index = match player {
                Some(player) if step == 0 => player,
                _ => usize::from(self.order[step - players].1),
            };
            let is_player = Some(index) == player;
            let (base, motion) = (snapshot[index], self.motions[index]);
            let subject = Subject::new(&self.scene, &self.geometry, is_player, &base, motion);
            decider.coder.about(Kind::Index, index);
            let contexts = subject.changed_contexts();
            let changed = decider.flag(
                Flag::Changed,
                subject.flag_set(),
                contexts,
                wanted[index] != base,
            );
            decider.coder.said("changed", changed.into());
            self.scene.recent_changes = self.scene.recent_changes << 1 | usize::from(changed);
            if !changed {
                self.motions[index] = motion.rested(ticks);
                continue;
            }
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
            let by = 1.0 / self.scene.ticks;
            self.motions[index] = Motion {
                velocity: scale(deed.moved, by),
                velocity_surprise: scale(deed.surprise, by),
                spin: scale(deed.turned, by),
                spin_surprise: scale(deed.turn_surprise, by),
                errors: deed.errors,
                moving: cube.position != base.position || cube.orientation != base.orientation,
                rest_ticks: 0,
            };
            self.scene.record(is_player, deed);
        }
        memory.gather(&self.motions);
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
