//! The session config that both ends of a lane (a sender and a receiver) know before the first packet, in addition to the
//! settings.

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

    pub fn rival(&self) -> Option<usize> {
        self.made_from?.rival_among(self.initial.len())
    }
}
