//! A scripted scene's truth, kept so that it can be sent over many lanes.

use crate::input::Input;
use crate::lane::Frame;
use crate::scene::Script;
use crate::settings::{Key, Settings};
use crate::world::{World, WorldSettings};
use snapshot_codec::CubeState;

/// Input, truth and checksum of the first ticks of a scene.
pub struct Recording {
    world: WorldSettings,
    ticks: Vec<Tick>,
}

struct Tick {
    input: Input,
    truth: Vec<CubeState>,
    checksum: u64,
}

impl Recording {
    /// Records the scene of these settings from its beginning.
    pub fn new(settings: &Settings, ticks: usize) -> Recording {
        let mut world = World::new(&settings.world());
        let mut script = Script::new(
            settings.scene(),
            settings.get(Key::Seed),
            settings.get(Key::Grid),
        );
        let step = |_| {
            let input = script.next(world.truth());
            world.step(input);
            Tick {
                input,
                truth: world.truth().to_vec(),
                checksum: world.checksum(),
            }
        };
        Recording {
            ticks: (0..ticks).map(step).collect(),
            world: settings.world(),
        }
    }

    /// The world as it was before the first tick.
    pub fn world(&self) -> World {
        World::new(&self.world)
    }

    /// The ticks in order, numbered as if `before_first` had gone before.
    pub fn frames(&self, before_first: u64) -> impl Iterator<Item = Frame<'_>> {
        (before_first + 1..)
            .zip(&self.ticks)
            .map(|(number, tick)| Frame {
                tick: number,
                input: tick.input,
                truth: &tick.truth,
                checksum: Some(tick.checksum),
            })
    }
}
