//! The session config that both ends of a lane (a sender and a receiver) know before the first packet, in addition to the
//! settings.

use crate::delta_history::DeltaHistory;
use serde::{Deserialize, Serialize};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Bounds, Class, CubeState, Format, Rung};
use snapshot_physics::world::{World, WorldSettings};
use snapshot_settings::LaneSettings;
use std::sync::Arc;

/// Shape of all objects of a motion, for which surface errors are computed. Every object is drawn as a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    #[default]
    Box,
    /// A sphere whose radius is half the longest side.
    Sphere,
}

impl Shape {
    pub const ALL: [Shape; 2] = [Shape::Box, Shape::Sphere];

    /// Name of the shape in a motion's file.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Box => "box",
            Shape::Sphere => "sphere",
        }
    }
}

/// Facts that both ends of a lane know before the first packet: initial state, bounds, player, sizes of the cubes.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    pub tick_rate: TickRate,
    /// State of all cubes before the first packet.
    pub initial: Arc<[CubeState]>,
    pub bounds: Bounds,
    pub player: Option<usize>,
    /// Half the side lengths of each cube, m.
    pub half_m: Arc<[[f32; 3]]>,
    pub shape: Shape,
    /// True if cubes appear, disappear or jump.
    pub has_slots: bool,
    /// The settings that the world was made from; `None` for a motion that was recorded elsewhere.
    pub made_from: Option<WorldSettings>,
}

impl SessionConfig {
    /// Makes the facts of a simulated world: its starting grid, in the articles' bounds.
    pub fn of_world(made_from: &WorldSettings) -> SessionConfig {
        let initial: Arc<[_]> = World::initial(made_from).into();
        let half_m =
            (0..initial.len()).map(|index| [made_from.half_size_m(index, initial.len()); 3]);
        SessionConfig {
            tick_rate: WORLD,
            half_m: half_m.collect(),
            shape: Shape::Box,
            initial,
            bounds: Bounds::DEFAULT,
            player: Some(0),
            has_slots: false,
            made_from: Some(*made_from),
        }
    }

    pub fn format(&self, rung: Rung, class: Class, settings: &LaneSettings) -> Format {
        let format = Format::new(rung, settings.bits(), self.initial.len())
            .and_then(|format| format.with_player(self.player))
            .and_then(|format| format.with_bounds(self.bounds))
            .expect("the schema's ranges are the codec's, and so is the number of cubes")
            .with_class(class)
            .with_widths(settings.position_widths(), settings.orientation_widths());
        // Objects that come and go cannot be simulated: the rung that 14 begins with is sent instead.
        format
            .with_slots(self.has_slots)
            .unwrap_or_else(|_| self.format(Rung::Predicted, class, settings))
    }

    /// Returns the facts about a motion that was recorded elsewhere, as another thread gets them.
    pub(crate) fn packed(&self) -> PackedConfig {
        let initial = DeltaHistory::new(0, self.initial.to_vec());
        PackedConfig {
            hz: self.tick_rate.hz(),
            bounds: [self.bounds.lower(), self.bounds.upper()],
            half_m: self.half_m.to_vec(),
            shape: self.shape,
            player: self.player,
            has_slots: self.has_slots,
            initial: initial.part(0).unwrap_or_default(),
        }
    }

    pub fn rival(&self) -> Option<usize> {
        self.made_from?.rival_among(self.initial.len())
    }
}

/// A [`SessionConfig`] of a motion that was recorded elsewhere, for another thread.
#[derive(Serialize, Deserialize)]
pub(crate) struct PackedConfig {
    hz: u32,
    bounds: [[i32; 3]; 2],
    half_m: Vec<[f32; 3]>,
    shape: Shape,
    player: Option<usize>,
    has_slots: bool,
    /// The state before the first packet, as the first part of a delta history.
    initial: Vec<u8>,
}

impl PackedConfig {
    /// Returns the facts; `None` if they are invalid.
    pub(crate) fn unpacked(self) -> Option<SessionConfig> {
        let [lower, upper] = self.bounds;
        let objects = self.half_m.len();
        let initial = DeltaHistory::of_first_part(&self.initial)?;
        let fits = initial.newest().len() == objects && self.player.is_none_or(|it| it < objects);
        fits.then_some(SessionConfig {
            tick_rate: TickRate::new(self.hz)?,
            initial: initial.newest().into(),
            bounds: Bounds::new(lower, upper).ok()?,
            player: self.player,
            half_m: self.half_m.into(),
            shape: self.shape,
            has_slots: self.has_slots,
            made_from: None,
        })
    }
}
