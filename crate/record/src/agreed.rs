//! The session config beside the settings: known to both ends of a lane before the first packet.

use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Bounds, Class, CubeState, Format, Rung};
use snapshot_physics::world::{World, WorldSettings};
use snapshot_settings::LaneSettings;
use std::sync::Arc;

/// Facts that both ends of a lane know before the first packet: initial state, bounds, player, sizes of the cubes.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreed {
    tick_rate: TickRate,
    initial: Arc<[CubeState]>,
    bounds: Bounds,
    player: Option<usize>,
    /// Half side lengths of each cube, m.
    half_m: Arc<[[f32; 3]]>,
    /// True if cubes appear, disappear or jump.
    slots: bool,
    /// The settings that the world was made from; `None` for a motion from elsewhere.
    made_from: Option<WorldSettings>,
}

impl Agreed {
    /// Makes the config of one of the lab's worlds: its starting grid, in the articles' bounds.
    pub fn of_world(made_from: &WorldSettings) -> Agreed {
        let initial: Arc<[_]> = World::initial(made_from).into();
        let half_m =
            (0..initial.len()).map(|index| [made_from.half_size_m(index, initial.len()); 3]);
        Agreed {
            tick_rate: WORLD,
            half_m: half_m.collect(),
            initial,
            bounds: Bounds::DEFAULT,
            player: Some(0),
            slots: false,
            made_from: Some(*made_from),
        }
    }

    /// Makes the config of a motion from elsewhere, without a player and without slots. `half_m` has as many sizes as there are
    /// cubes, 1 to 4096.
    pub(crate) fn of_motion(
        tick_rate: TickRate,
        initial: &[CubeState],
        bounds: Bounds,
        half_m: Vec<[f32; 3]>,
    ) -> Agreed {
        Agreed {
            tick_rate,
            initial: initial.into(),
            bounds,
            player: None,
            half_m: half_m.into(),
            slots: false,
            made_from: None,
        }
    }

    /// Sets which cube is the player, if any.
    #[must_use]
    pub(crate) fn with_player(self, player: Option<usize>) -> Agreed {
        Agreed { player, ..self }
    }

    /// Sets whether cubes appear, disappear or jump.
    #[must_use]
    pub(crate) fn with_slots(self, slots: bool) -> Agreed {
        Agreed { slots, ..self }
    }

    /// Says whether cubes appear, disappear or jump.
    pub fn has_slots(&self) -> bool {
        self.slots
    }

    /// Makes the packet format for a rung, with this world's bounds and player.
    pub fn format(&self, rung: Rung, class: Class, settings: &LaneSettings) -> Format {
        let format = Format::new(rung, settings.bits(), self.initial.len())
            .and_then(|format| format.with_player(self.player))
            .and_then(|format| format.with_bounds(self.bounds))
            .expect("the schema's ranges are the codec's, and so is the number of cubes")
            .with_class(class)
            .with_widths(settings.position_widths(), settings.orientation_widths());
        // What comes and goes cannot be simulated: in place of rung 14 the rung that it begins with is sent.
        format
            .with_slots(self.slots)
            .unwrap_or_else(|_| self.format(Rung::Predicted, class, settings))
    }

    /// The settings that the world was made from; `None` for a motion from elsewhere.
    pub fn made_from(&self) -> Option<WorldSettings> {
        self.made_from
    }

    /// The index of the rival; `None` without one.
    pub fn rival(&self) -> Option<usize> {
        self.made_from?.rival_among(self.initial.len())
    }

    /// Ticks a second.
    pub fn tick_rate(&self) -> TickRate {
        self.tick_rate
    }

    /// State of all cubes before the first packet.
    pub fn initial(&self) -> &[CubeState] {
        &self.initial
    }

    /// The bounds of positions.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Half side lengths of each cube, m.
    pub fn half_m(&self) -> &[[f32; 3]] {
        &self.half_m
    }
}
